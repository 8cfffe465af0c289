// The game in play. The server keeps nothing: a game is a puzzle and the steps so far, and each answer is worked out from both.

import { play } from "./api.js";

/** @import { Act, Move, Position, View } from "./api.js" */

/**
 * A puzzle on the page. `name` is what it is called here; `ships` is its name among the puzzles that ship.
 * @typedef {{ kind: string, text: string, name: string, ships?: string }} Puzzle
 */
/** @typedef {{ step: string, id: number | null }} Played */

/**
 * Tells `change` when the board is another one, and `trouble` when something was refused. Actions wait for the one before, and none
 * is dropped.
 */
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
  /** Lets the actions go that came before the first puzzle. @type {() => void} */
  #begin = () => {};
  /** @type {Promise<void>} */
  #queue = new Promise((resolve) => {
    this.#begin = resolve;
  });
  /** The stroke that is being drawn. @type {{ trail: number[], before: { steps: Played[], undone: Played[] } | null, asked: boolean } | null} */
  #stroke = null;

  /** Does an action wait for its answer? A key that is held down must not run ahead of the board. */
  get busy() {
    return this.#waiting > 0;
  }

  /** @param {Puzzle} puzzle @param {string[]} [steps] */
  open(puzzle, steps = []) {
    this.#begin();
    return this.#enqueue(async () => {
      const played = steps.map((step) => ({ step, id: null }));
      const view = await play({ kind: puzzle.kind, text: puzzle.text, steps });
      this.puzzle = puzzle;
      this.#accept(view, played.slice(0, view.played), [], "open");
    });
  }

  /** Waits until a puzzle is open and every action has its answer. */
  async settled() {
    await this.#queue;
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

  /** Moves a thing, or what moves without being chosen, one cell: l, r, u or d. @param {number | null} thing @param {string} way */
  toward(thing, way) {
    return this.#enqueue(async () => {
      const view = await play({ ...this.position(), act: { toward: { thing, way } } });
      if (view.step === null) throw new Error(view.refused ?? "nothing moves that way");
      this.#accept(view, [...this.steps, { step: view.step, id: thing }], [], "step");
    });
  }

  /** Begins a stroke at a cell. @param {number} cell */
  beginStroke(cell) {
    this.#stroke = { trail: [cell], before: null, asked: false };
    return this.#draw();
  }

  /** Leads the stroke on to a cell. @param {number} cell */
  strokeTo(cell) {
    this.#stroke?.trail.push(cell);
    return this.#draw();
  }

  /** Draws what the trail of the stroke means, in place of what its beginning meant: a stroke is one step. */
  #draw() {
    const stroke = this.#stroke;
    // A question that waits will ask for all of the trail.
    if (!stroke || stroke.asked) return this.#queue;
    stroke.asked = true;
    return this.#enqueue(async () => {
      stroke.asked = false;
      stroke.before ??= { steps: this.steps, undone: this.undone };
      const { steps, undone } = stroke.before;
      const { kind, text } = this.position();
      /** @type {Act} */
      const act = { trail: [...stroke.trail] };
      const view = await play({ kind, text, steps: steps.map(({ step }) => step), act });
      if (view.step !== null) this.#accept(view, [...steps, { step: view.step, id: view.thing }], [], "step");
      else this.#accept(view, steps, undone, "other");
      if (view.refused !== null && !view.solved) throw new Error(view.refused);
    });
  }

  /** Plays steps by their names. @param {string[]} steps */
  follow(steps) {
    return this.#enqueue(() =>
      this.#go([...this.steps, ...steps.map((step) => ({ step, id: this.#mover(step) }))], [], "step"));
  }

  /** Lays a plan out to be played with redo, step by step from the start. @param {string[]} plan */
  lay(plan) {
    return this.#enqueue(() => this.#go([], plan.map((step) => ({ step, id: null })).reverse(), "other"));
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

  /** @param {() => Promise<void>} work */
  #enqueue(work) {
    this.#waiting += 1;
    this.#queue = this.#queue.then(work).catch((error) => {
      this.dispatchEvent(new CustomEvent("trouble", { detail: error.message }));
    }).finally(() => {
      this.#waiting -= 1;
    });
    return this.#queue;
  }
}
