// Replays a written plan: loads it into the redo list and plays it automatically.

import { play } from "./api.js";
import { button, el } from "./dom.js";

/** @import { Game, Puzzle } from "./game.js" */

/** Milliseconds per step. */
const PACE = 250;

export class Replay {
  /** Is a plan loaded? Its steps do not count as the player's. */
  loaded = false;
  /** Why the rest of the plan cannot be played. @type {string | null} */
  #refused = null;

  /** @param {Game} game @param {(why: string) => void} refuse reports an error in a plan */
  constructor(game, refuse) {
    this.game = game;
    this.refuse = refuse;
    this.auto = button("▶ Replay", () => (this.timer === undefined ? this.go() : this.stop()), { id: "replay", hidden: true });
    this.ask = button("Replay a plan", () => this.#showField(), { id: "paste-plan", class: "quiet" });
    this.written = el("textarea", { class: "link", id: "written-plan", rows: 3, spellcheck: "false", placeholder: "Paste a plan here, as Solve or a collection writes it", "aria-label": "A plan to replay", hidden: true, oninput: () => this.#typed() });
  }

  /** Resets the replay for another puzzle. */
  clear() {
    this.stop();
    this.loaded = false;
    this.written.hidden = true;
    this.written.value = "";
  }

  /** Updates the button after a change of the board. */
  change() {
    this.auto.hidden = !this.loaded || (this.game.undone.length === 0 && this.timer === undefined);
  }

  #showField() {
    this.written.hidden = !this.written.hidden;
    if (!this.written.hidden) this.written.focus();
  }

  #typed() {
    if (this.written.value.trim() !== "") this.read(this.written.value, true);
  }

  /**
   * Replays a text from the start if it is a plan for this puzzle. With `asked`, an error in it is reported.
   * @param {string} text @param {boolean} [asked]
   */
  async read(text, asked = false) {
    const { puzzle } = this.game;
    if (!puzzle) return false;
    const { plan, refused } = await this.#split(puzzle, text);
    if (!plan || plan.length === 0) {
      if (asked) this.refuse(refused ?? "there is no step in that text");
      return false;
    }
    this.stop();
    this.loaded = true;
    this.#refused = refused;
    await this.game.loadPlan(plan);
    this.go();
    return true;
  }

  /** Splits a text into steps. A text that the server refuses is not a plan. @param {Puzzle} puzzle @param {string} text */
  async #split({ kind, text: board }, text) {
    try {
      return await play({ kind, text: board, steps: [], act: { plan: text } });
    } catch (error) {
      return { plan: null, refused: /** @type {Error} */ (error).message };
    }
  }

  /** Plays the loaded plan. */
  go() {
    this.auto.textContent = "❚❚ Pause";
    this.auto.hidden = false;
    this.timer = setInterval(() => {
      if (this.game.busy) return;
      if (this.game.undone.length > 0) this.game.redo();
      else {
        this.stop();
        if (this.#refused) this.refuse(this.#refused);
      }
    }, PACE);
  }

  stop() {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.auto.textContent = "▶ Replay";
    this.change();
  }
}
