// Exports and imports the browser's memory of all puzzles as text, and replays the player's best solution.

import { announce, button, download, el, plural } from "./dom.js";
import { exported, imported, recall } from "./progress.js";

/** @import { Puzzle } from "./game.js" */

export class Store {
  /** @param {(steps: string[]) => void} replay @param {() => void} changed called after an import */
  constructor(replay, changed) {
    this.changed = changed;
    this.own = button("Replay my best", () => this.#solution && replay(this.#solution), { id: "replay-best", disabled: true });
    this.text = el("textarea", { class: "link", id: "progress-text", rows: 4, spellcheck: "false", "aria-label": "Progress as text", placeholder: "Paste what was exported, then Import" });
    this.said = el("p", { class: "about", id: "progress-said", role: "status" });
    this.element = el("details", { id: "progress" }, el("summary", {}, "Solutions and progress"),
      el("p", { class: "about" }, "Games, bests and solutions stay in this browser. Take them to another one as text."),
      el("div", { class: "buttons" }, this.own,
        button("Export", () => this.#export(), { id: "progress-export" }),
        button("Save file", () => download("beeline-progress.txt", new Blob([exported()], { type: "text/plain" })), { id: "progress-save" }),
        button("Import", () => this.#import(), { id: "progress-import" })),
      this.text, this.said);
  }

  /** @type {string[] | undefined} */
  #solution = undefined;

  /** Shows another puzzle, or a new best solution. @param {Puzzle} puzzle */
  show(puzzle) {
    this.#solution = recall(puzzle).solution;
    this.own.disabled = this.#solution === undefined;
  }

  #export() {
    this.text.value = exported();
    this.text.select();
    this.#showMessage(`${plural(this.text.value.split("\n").length - 2, "puzzle")}: copy the text.`);
  }

  #import() {
    const count = imported(this.text.value);
    this.#showMessage(count === null ? "That is no progress of Beeline." : `${plural(count, "puzzle")} read.`);
    if (count) this.changed();
  }

  /** @param {string} text */
  #showMessage(text) {
    this.said.textContent = text;
    announce(text);
  }
}
