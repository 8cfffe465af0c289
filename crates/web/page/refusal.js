// What would not be done, and why.

/** An answer that is a refusal; where a text is wrong, with the place. */
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
