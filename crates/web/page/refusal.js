// The error for refused requests.

/** A refused request. If a text is wrong, it has the place of the error. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {{ line?: number, column?: number, length?: number, expected?: string, help?: string | null }} [place]
   */
  constructor(message, place = {}) {
    super(message);
    this.place = place;
  }
}
