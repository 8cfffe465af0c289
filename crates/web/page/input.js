// Keys, clicks and drags become steps. Which step is meant follows from what each legal step would move, so this file knows
// players, pieces, tiles and paths, and no puzzle.

/** @import { Move, Scene, View } from "./api.js" */
/** @import { Board } from "./board.js" */
/** @import { Game } from "./game.js" */

import { pressKey, pressed } from "./press.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = {
  ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
};
/** Longer walks than this are left to the keys. */
const WALK = 400;

/** @param {Move} move @param {[number, number]} way */
function goes(move, way) {
  return move.way[0] === way[0] && move.way[1] === way[1];
}

/** Who acts by itself: a player, or tiles, of which one at most can go each way. @param {View} view */
function direct(view) {
  return view.moves.some(({ form }) => form === "player" || form === "tile")
    || view.board.cells.some(({ thing }) => thing?.form === "player" || thing?.form === "tile");
}

/** The number of the thing in a cell. @param {Scene} scene @param {number} cell */
function thingAt(scene, cell) {
  return scene.cells[cell]?.thing?.id ?? null;
}

/** What can be chosen: pieces and paths, in the order of their numbers, each once. @param {Scene} scene */
export function choosable(scene) {
  const labels = new Map();
  for (const { thing } of scene.cells) {
    if (thing && ["block", "dot"].includes(thing.form)) labels.set(thing.id, thing.label);
  }
  return [...labels].sort(([a], [b]) => a - b).map(([id, label]) => ({ id, label }));
}

/** Plays on a board by hand. Tells `select` when another thing is chosen. */
export class Hand extends EventTarget {
  /** @type {number | null} */
  selected = null;
  /** The marked cell, where cells are pressed. @type {number | null} */
  cell = null;
  /** Where a drag is. @type {{ cell: number, moved: boolean } | null} */
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
   * A key; `true` if it meant something.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const view = this.game.view;
    if (!view || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (pressKey(this, view, event.key)) return true;
    const way = ARROWS[event.key];
    if (way) {
      this.game.act((now) => this.#step(now, way));
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
      this.game.takeBack(this.selected);
      return true;
    }
    const named = all.find(({ label }) => label === event.key)
      ?? all.find(({ label }) => label.toLowerCase() === event.key.toLowerCase());
    if (named) this.select(named.id);
    return Boolean(named);
  }

  /** The step that an arrow means. @param {View} view @param {[number, number]} way */
  #step(view, way) {
    if (direct(view)) return view.moves.find((move) => goes(move, way));
    if (this.selected === null) this.select(choosable(view.board)[0]?.id ?? null);
    return view.moves.find((move) => move.id === this.selected && goes(move, way));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const view = this.game.view;
    const cell = this.board.cellAt(event);
    if (!view || cell === null || event.button !== 0) return;
    event.preventDefault();
    this.board.element.setPointerCapture(event.pointerId);
    this.#drag = { cell, moved: false };
    if (!direct(view)) {
      const id = thingAt(view.board, cell);
      // A click on an empty cell beside a path goes on with that path; elsewhere it changes nothing.
      if (id !== null) this.select(id);
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const view = this.game.view;
    const cell = this.board.cellAt(event);
    const drag = this.#drag;
    if (!drag || !view || cell === null || cell === drag.cell) return;
    const from = drag.cell;
    this.#drag = { cell, moved: true };
    this.game.act((now) => this.#pull(now, from, cell));
  }

  /**
   * A drag from one cell to the next.
   * @param {View} view @param {number} from @param {number} to
   */
  #pull(view, from, to) {
    const width = view.board.width;
    const down = Math.floor(to / width) - Math.floor(from / width);
    const right = (to % width) - (from % width);
    /** @type {[number, number]} */
    const way = Math.abs(down) > Math.abs(right) ? [Math.sign(down), 0] : [0, Math.sign(right)];
    if (direct(view)) {
      return view.moves.find((move) => (move.from.includes(from) || move.form === "player") && goes(move, way));
    }
    const mine = view.moves.filter(({ id }) => id === this.selected);
    const grown = mine.find((move) => move.form !== "block" && move.to.includes(to));
    if (grown) return grown;
    const path = view.board.cells[to]?.thing;
    if (path && path.id === this.selected && path.form !== "block") {
      // Back along the path: the cell that was left is given up.
      const left = view.board.cells[from]?.thing;
      if (left?.form === "pipe" && left.id === this.selected) this.game.takeBack(path.id);
      return null;
    }
    return mine.find((move) => move.form === "block" && goes(move, way));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    this.#drag = null;
    const cell = this.board.cellAt(event);
    if (!drag || drag.moved || cell === null) return;
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
      for (const to of walk(view.board, player, cell)) {
        this.game.act((now) => now.moves.find((move) => move.form === "player" && move.to[0] === to));
      }
      return;
    }
    this.game.act((now) => {
      const tile = now.moves.find((move) => move.form === "tile" && move.from.includes(cell));
      if (tile) return tile;
      const into = now.moves.filter((move) => move.form !== "tile" && move.to.includes(cell) && !move.from.includes(cell));
      const mine = into.filter(({ id }) => id === this.selected);
      if (mine.length === 1) return mine[0];
      // A piece that can go only one way goes it when it is clicked.
      const out = now.moves.filter((move) => move.form === "block" && move.from.includes(cell));
      return out.length === 1 ? out[0] : null;
    });
  }
}

/**
 * The cells of a walk to a cell, over open ground; the last one may be a box, which is then pushed.
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
