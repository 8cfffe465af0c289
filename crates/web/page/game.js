// The game in play. The server keeps nothing: a game is a puzzle and the steps so far, and each answer is worked out from both.

import { play } from "./api.js";

/** @import { Move, Position, View } from "./api.js" */

/**
 * A puzzle on the page. `name` is what it is called here; `levels` are the other puzzles of its pack.
 * @typedef {{ kind: string, text: string, name: string }} Puzzle
 */
/** @typedef {{ step: string, id: number | null }} Played */

/** Actions that may wait for the one before; a key that is held down must not run ahead of the board. */
const WAITING = 4;

/** Tells `change` when the board is another one, and `trouble` when something was refused. */
export class Game extends EventTarget {
  /** @type {Puzzle | null} */
  puzzle = null;
  /** @type {View | null} */
  view = null;
  /** @type {Played[]} */
  steps = [];
  /** @type {Played[]} */
  undone = [];
  /** What was done last: it says what to tell. @type {"open" | "step" | "undo" | "other"} */
  last = "open";
  #waiting = 0;
  #queue = Promise.resolve();

  /** @param {Puzzle} puzzle @param {string[]} [steps] */
  open(puzzle, steps = []) {
    return this.#enqueue(async () => {
      const played = steps.map((step) => ({ step, id: null }));
      const view = await play({ kind: puzzle.kind, text: puzzle.text, steps });
      this.puzzle = puzzle;
      this.#accept(view, played.slice(0, view.played), [], "open");
    }, true);
  }

  /** The puzzle with the steps so far. @returns {Position} */
  position() {
    if (!this.puzzle) throw new Error("no puzzle is open");
    return { kind: this.puzzle.kind, text: this.puzzle.text, steps: this.steps.map(({ step }) => step) };
  }

  /**
   * Plays the step that `choose` picks when its turn comes; nothing if it picks none.
   * @param {(view: View) => Move | null | undefined} choose
   */
  act(choose) {
    return this.#enqueue(async () => {
      const move = this.view && choose(this.view);
      if (move) await this.#go([...this.steps, { step: move.step, id: move.id }], [], "step");
    });
  }

  /** Plays steps by their names. @param {string[]} steps */
  follow(steps) {
    return this.#enqueue(() =>
      this.#go([...this.steps, ...steps.map((step) => ({ step, id: this.#mover(step) }))], [], "step"));
  }

  undo() {
    return this.#enqueue(async () => {
      const last = this.steps.at(-1);
      if (last) await this.#go(this.steps.slice(0, -1), [...this.undone, last], "undo");
    });
  }

  redo() {
    return this.#enqueue(async () => {
      const next = this.undone.at(-1);
      if (next) await this.#go([...this.steps, next], this.undone.slice(0, -1), "step");
    });
  }

  restart() {
    return this.#enqueue(() => this.#go([], [], "other"));
  }

  /** Takes back the last step of one thing, whatever else was done since. @param {number} id */
  takeBack(id) {
    return this.#enqueue(async () => {
      const at = this.steps.findLastIndex((played) => played.id === id);
      if (at >= 0) await this.#go(this.steps.filter((_, i) => i !== at), [], "undo");
    });
  }

  /** @param {string} step */
  #mover(step) {
    return this.view?.moves.find((move) => move.step === step)?.id ?? null;
  }

  /** @param {Played[]} steps @param {Played[]} undone @param {Game["last"]} what */
  async #go(steps, undone, what) {
    if (!this.puzzle) return;
    const { kind, text } = this.puzzle;
    const view = await play({ kind, text, steps: steps.map(({ step }) => step) });
    if (view.refused !== null) throw new Error(view.refused);
    this.#accept(view, steps, undone, what);
  }

  /** @param {View} view @param {Played[]} steps @param {Played[]} undone @param {Game["last"]} what */
  #accept(view, steps, undone, what) {
    Object.assign(this, { view, steps, undone, last: what });
    this.dispatchEvent(new Event("change"));
  }

  /** @param {() => Promise<void>} work @param {boolean} [must] */
  #enqueue(work, must = false) {
    if (this.#waiting >= WAITING && !must) return this.#queue;
    this.#waiting += 1;
    this.#queue = this.#queue.then(work).catch((error) => {
      this.dispatchEvent(new CustomEvent("trouble", { detail: error.message }));
    }).finally(() => {
      this.#waiting -= 1;
    });
    return this.#queue;
  }
}
