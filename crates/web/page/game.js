// The current game. The server keeps no state: a game is a puzzle and its steps, and the server computes each answer
// from both.

import { play } from "./api.js";

/** @import { Act, Move, Position, View } from "./api.js" */

/**
 * A puzzle on the page. `name` is its displayed name; `ships` is its name among the shipped puzzles.
 * @typedef {{ kind: string, text: string, name: string, ships?: string }} Puzzle
 */
/** @typedef {{ step: string, id: number | null }} Played */

/**
 * Dispatches `change` when the board changes, and `trouble` when an action is refused. Actions are queued, and none is
 * dropped.
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
  /** The kind of the last action. @type {"open" | "step" | "undo" | "other"} */
  last = "open";
  #waiting = 0;
  /** Starts the queue, with the actions that came before the first puzzle. @type {() => void} */
  #begin = () => {};
  /** @type {Promise<void>} */
  #queue = new Promise((resolve) => {
    this.#begin = resolve;
  });
  /** The current stroke. @type {{ trail: number[], before: { steps: Played[], undone: Played[] } | null, queued: boolean } | null} */
  #stroke = null;

  /** Is an action waiting for its answer? The repeats of a held key must not run ahead of the board. */
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
   * Calls `choose` when this action's turn comes, and plays the step that it returns.
   * @param {(view: View) => Move | null | undefined} choose
   */
  act(choose) {
    return this.#enqueue(async () => {
      const move = this.view && choose(this.view);
      if (move) await this.#go([...this.steps, { step: move.step, id: move.id }], [], "step");
    });
  }

  /** Moves a thing one cell to l, r, u or d. With null, the board decides what moves. @param {number | null} thing @param {string} way */
  toward(thing, way) {
    return this.#enqueue(async () => {
      const view = await play({ ...this.position(), act: { toward: { thing, way } } });
      if (view.step === null) throw new Error(view.refused ?? "nothing moves that way");
      this.#accept(view, [...this.steps, { step: view.step, id: thing }], [], "step");
    });
  }

  /** Begins a stroke at a cell. @param {number} cell */
  beginStroke(cell) {
    this.#stroke = { trail: [cell], before: null, queued: false };
    return this.#draw();
  }

  /** Extends the stroke to a cell. @param {number} cell */
  strokeTo(cell) {
    this.#stroke?.trail.push(cell);
    return this.#draw();
  }

  /** Plays the step of the stroke's trail. It replaces the step of the shorter trail, so a stroke is one step. */
  #draw() {
    const stroke = this.#stroke;
    // A queued request will send the whole trail.
    if (!stroke || stroke.queued) return this.#queue;
    stroke.queued = true;
    return this.#enqueue(async () => {
      stroke.queued = false;
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

  /** Plays steps in the puzzle's notation. @param {string[]} steps */
  follow(steps) {
    return this.#enqueue(() =>
      this.#go([...this.steps, ...steps.map((step) => ({ step, id: this.#mover(step) }))], [], "step"));
  }

  /** Loads a plan into the redo list, and goes back to the start. @param {string[]} plan */
  loadPlan(plan) {
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
