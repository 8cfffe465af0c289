// A written plan, laid out to be walked with undo and redo, and played by itself.

import { play } from "./api.js";
import { button, el } from "./dom.js";

/** @import { Game, Puzzle } from "./game.js" */

/** Milliseconds a step. */
const PACE = 250;

export class Replay {
  /** Is a plan laid out? What it does is not the player's own. */
  laid = false;
  /** Why the plan ends before its end. @type {string | null} */
  #refused = null;

  /** @param {Game} game @param {(why: string) => void} refuse says what is wrong with a plan */
  constructor(game, refuse) {
    this.game = game;
    this.refuse = refuse;
    this.auto = button("▶ Replay", () => (this.timer === undefined ? this.go() : this.stop()), { id: "replay", hidden: true });
    this.ask = button("Replay a plan", () => this.#showField(), { id: "paste-plan", class: "quiet" });
    this.written = el("textarea", { class: "link", id: "written-plan", rows: 3, spellcheck: "false", placeholder: "Paste a plan here, as Solve or a collection writes it", "aria-label": "A plan to replay", hidden: true, oninput: () => this.#typed() });
  }

  /** Another puzzle. */
  clear() {
    this.stop();
    this.laid = false;
    this.written.hidden = true;
    this.written.value = "";
  }

  /** The board has changed. */
  change() {
    this.auto.hidden = !this.laid || (this.game.undone.length === 0 && this.timer === undefined);
  }

  #showField() {
    this.written.hidden = !this.written.hidden;
    if (!this.written.hidden) this.written.focus();
  }

  #typed() {
    if (this.written.value.trim() !== "") this.read(this.written.value, true);
  }

  /**
   * Replays a text from the start, if it is a plan for this puzzle. `asked` says that it must be one: then what is wrong is told.
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
    this.laid = true;
    this.#refused = refused;
    await this.game.lay(plan);
    this.go();
    return true;
  }

  /** The steps of a text. A text that the server does not take is no plan. @param {Puzzle} puzzle @param {string} text */
  async #split({ kind, text: board }, text) {
    try {
      return await play({ kind, text: board, steps: [], act: { plan: text } });
    } catch (error) {
      return { plan: null, refused: /** @type {Error} */ (error).message };
    }
  }

  /** Plays what is laid out. */
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
