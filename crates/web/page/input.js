// Converts keys, clicks and drags to actions of the game: a thing moves one cell, or a stroke passes over cells. The
// puzzle on the server decides which step an action means. This file knows players, pieces, tiles and paths, and no
// puzzle.

/** @import { Scene, View } from "./api.js" */
/** @import { Board } from "./board.js" */
/** @import { Game } from "./game.js" */

import { pressKey, pressed } from "./press.js";

/** The directions of the arrow keys. @type {Record<string, string>} */
const ARROWS = { ArrowLeft: "l", ArrowRight: "r", ArrowUp: "u", ArrowDown: "d" };
/** The most cells of a walk by click. */
const WALK = 400;

/** Do things move without selection? A player does, and tiles do, because at most one can move in each direction. @param {View} view */
function direct(view) {
  return view.moves.some(({ form }) => form === "player" || form === "tile")
    || view.board.cells.some(({ thing }) => thing?.form === "player" || thing?.form === "tile");
}

/** The selectable pieces and paths, each once, in the order of their numbers. @param {Scene} scene */
export function choosable(scene) {
  const labels = new Map();
  for (const { thing } of scene.cells) {
    if (thing && ["block", "dot"].includes(thing.form)) labels.set(thing.id, thing.label);
  }
  return [...labels].sort(([a], [b]) => a - b).map(([id, label]) => ({ id, label }));
}

/** Keyboard and pointer input for a board. Dispatches `select` when the selection changes. */
export class BoardInput extends EventTarget {
  /** @type {number | null} */
  selected = null;
  /** The marked cell, on boards where cells are pressed. @type {number | null} */
  cell = null;
  /** The current drag. @type {{ cell: number, moved: boolean, draws: boolean } | null} */
  #drag = null;

  /** @param {Game} game @param {Board} board */
  constructor(game, board) {
    super();
    this.game = game;
    this.board = board;
    const { element } = board;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    element.addEventListener("pointerup", (event) => this.#up(event));
    element.addEventListener("pointercancel", () => { this.#drag = null; });
  }

  /** @param {number | null} id */
  select(id) {
    this.selected = id;
    this.dispatchEvent(new Event("select"));
  }

  /**
   * Handles a key; `true` if the key has a meaning.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const view = this.game.view;
    if (!view || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (pressKey(this, view, event.key)) return true;
    const way = ARROWS[event.key];
    if (way) {
      // The repeats of a held key do not run ahead of the board. A press is never dropped.
      if (!(event.repeat && this.game.busy)) this.#go(view, way);
      return true;
    }
    const all = choosable(view.board);
    if (direct(view) || all.length === 0) return false;
    if (event.key === " ") {
      const at = all.findIndex(({ id }) => id === this.selected);
      const next = all.at((at + (event.shiftKey ? all.length - 1 : 1)) % all.length);
      this.select(next?.id ?? null);
      return true;
    }
    if (event.key === "Delete" && this.selected !== null) {
      const dot = view.board.cells.findIndex(({ thing }) => thing?.form === "dot" && thing.id === this.selected);
      if (dot >= 0) this.game.beginStroke(dot);
      return dot >= 0;
    }
    const named = all.find(({ label }) => label === event.key)
      ?? all.find(({ label }) => label.toLowerCase() === event.key.toLowerCase());
    if (named) this.select(named.id);
    return Boolean(named);
  }

  /** Handles an arrow key. @param {View} view @param {string} way */
  #go(view, way) {
    const alone = direct(view);
    if (!alone && this.selected === null) this.select(choosable(view.board)[0]?.id ?? null);
    this.game.toward(alone ? null : this.selected, way);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const view = this.game.view;
    const cell = this.board.cellAt(event);
    if (!view || cell === null || event.button !== 0) return;
    event.preventDefault();
    this.board.element.setPointerCapture(event.pointerId);
    const thing = view.board.cells[cell]?.thing;
    const draws = thing?.form === "dot" || thing?.form === "pipe";
    this.#drag = { cell, moved: false, draws };
    // A click on an empty cell beside a path extends that path. Other empty cells keep the selection.
    if (!direct(view) && thing) this.select(thing.id);
    if (draws) this.game.beginStroke(cell);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const drag = this.#drag;
    const view = this.game.view;
    if (!drag || !view) return;
    // Browsers merge the positions of a fast pointer into one event. All of them count.
    const places = typeof event.getCoalescedEvents === "function" ? event.getCoalescedEvents() : [];
    for (const place of places.length > 0 ? places : [event]) {
      const cell = this.board.cellAt(place);
      if (cell === null || cell === drag.cell) continue;
      const from = drag.cell;
      Object.assign(drag, { cell, moved: true });
      if (drag.draws) this.game.strokeTo(cell);
      else this.#pull(view, from, cell);
    }
  }

  /**
   * Moves the dragged thing from one cell to another, cell by cell, along the longer distance first.
   * @param {View} view @param {number} from @param {number} to
   */
  #pull(view, from, to) {
    const { width } = view.board;
    const down = Math.floor(to / width) - Math.floor(from / width);
    const right = (to % width) - (from % width);
    const vertical = (down < 0 ? "u" : "d").repeat(Math.abs(down));
    const across = (right < 0 ? "l" : "r").repeat(Math.abs(right));
    const ways = Math.abs(down) > Math.abs(right) ? vertical + across : across + vertical;
    const player = view.board.cells.some(({ thing }) => thing?.form === "player");
    const thing = player ? null : direct(view) ? view.board.cells[from]?.thing?.id ?? null : this.selected;
    if (!player && thing === null) return;
    for (const way of ways) this.game.toward(thing, way);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    this.#drag = null;
    const cell = this.board.cellAt(event);
    if (!drag || drag.moved || drag.draws || cell === null) return;
    this.#click(cell);
  }

  /** @param {number} cell */
  #click(cell) {
    const view = this.game.view;
    if (!view) return;
    if (pressed(view, cell)) {
      this.cell = cell;
      this.game.act((now) => pressed(now, cell));
      return;
    }
    const player = view.board.cells.findIndex(({ thing }) => thing?.form === "player");
    if (player >= 0) {
      let at = player;
      for (const to of walk(view.board, player, cell)) {
        const by = to - at;
        this.game.toward(null, by === -1 ? "l" : by === 1 ? "r" : by < 0 ? "u" : "d");
        at = to;
      }
      return;
    }
    const clicked = view.board.cells[cell]?.thing;
    if (clicked?.form === "tile" && !view.moves.some((move) => move.from.includes(cell))) {
      this.game.dispatchEvent(new CustomEvent("trouble", { detail: "that tile is not beside the gap" }));
      return;
    }
    this.game.act((now) => {
      const tile = now.moves.find((move) => move.form === "tile" && move.from.includes(cell));
      if (tile) return tile;
      const into = now.moves.filter((move) => move.form !== "tile" && move.to.includes(cell) && !move.from.includes(cell));
      const mine = into.filter(({ id }) => id === this.selected);
      if (mine.length === 1) return mine[0];
      // A click on a piece that can move only one way moves it.
      const out = now.moves.filter((move) => move.form === "block" && move.from.includes(cell));
      return out.length === 1 ? out[0] : null;
    });
  }
}

/**
 * The cells of a walk over open ground. The last one may be a box, which is then pushed.
 * @param {Scene} scene @param {number} from @param {number} to
 */
function walk(scene, from, to) {
  const { width, cells } = scene;
  /** @type {Map<number, number>} */
  const came = new Map([[from, from]]);
  const queue = [from];
  for (const cell of queue) {
    if (cell === to) break;
    const sides = [cell - width, cell + width];
    if (cell % width > 0) sides.push(cell - 1);
    if (cell % width < width - 1) sides.push(cell + 1);
    for (const next of sides) {
      const ground = cells[next];
      if (!ground || came.has(next) || ground.ground === "wall" || ground.ground === "outside") continue;
      if (ground.thing && next !== to) continue;
      came.set(next, cell);
      queue.push(next);
    }
  }
  const path = [];
  for (let cell = to; cell !== from; cell = came.get(cell) ?? from) {
    if (!came.has(cell)) return [];
    path.unshift(cell);
  }
  return path.length > WALK ? [] : path;
}
