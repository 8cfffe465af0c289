// The board as SVG. It knows walls, goals, blocks, tiles, dots, pipes, boxes and a player, but no puzzle.
//
// Things keep their elements from one drawing to the next, so that moves are animated.

import { svg } from "./dom.js";
import { outline } from "./outline.js";

/** @import { Cell, Scene, Thing } from "./api.js" */
/** @import { Point } from "./outline.js" */

/** Units of the SVG per cell. */
const CELL = 48;
const MARGIN = 10;
/** The most pixels per cell; small boards need not fill the screen. */
const LARGEST = 110;
const LEFT = 1;
const RIGHT = 2;
const UP = 4;
const DOWN = 8;

/** @param {Scene} scene @param {(cell: Cell) => boolean} test @returns {Point[]} */
function where(scene, test) {
  /** @type {Point[]} */
  const found = [];
  scene.cells.forEach((cell, i) => {
    if (test(cell)) found.push([i % scene.width, Math.floor(i / scene.width)]);
  });
  return found;
}

/** @param {SVGElement} element @param {number} x @param {number} y */
function place(element, x, y) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

/** The walls between cells, as lines. @param {Scene} scene */
function thinWalls(scene) {
  let lines = "";
  (scene.sides ?? []).forEach((sides, i) => {
    const [x, y] = [(i % scene.width) * CELL, Math.floor(i / scene.width) * CELL];
    if (sides & LEFT) lines += `M${x} ${y}v${CELL}`;
    if (sides & RIGHT) lines += `M${x + CELL} ${y}v${CELL}`;
    if (sides & UP) lines += `M${x} ${y}h${CELL}`;
    if (sides & DOWN) lines += `M${x} ${y + CELL}h${CELL}`;
  });
  return lines;
}

/** A board on the page. */
export class Board {
  /** @param {string} label its name for a screen reader @param {boolean} [still] without animation */
  constructor(label, still = false) {
    this.ground = svg("g");
    this.paths = svg("g");
    this.things = svg("g");
    this.marks = svg("g", { class: "marks" });
    this.element = svg("svg", { class: still ? "board still" : "board", role: "img", "aria-label": label },
      this.ground, this.paths, this.things, this.marks);
    /** @type {Map<string, { element: SVGElement, look: string, cell: number }>} */
    this.shown = new Map();
    this.groundLook = "";
    /** @type {Scene | null} */
    this.scene = null;
  }

  /** @param {string} label */
  name(label) {
    this.element.setAttribute("aria-label", label);
  }

  /** @param {Scene} scene */
  show(scene) {
    const size = `${-MARGIN} ${-MARGIN} ${scene.width * CELL + 2 * MARGIN} ${scene.height * CELL + 2 * MARGIN}`;
    if (this.element.getAttribute("viewBox") !== size) {
      this.element.setAttribute("viewBox", size);
      this.element.style.maxWidth = `${scene.width * LARGEST}px`;
      this.element.style.aspectRatio = `${scene.width * CELL + 2 * MARGIN} / ${scene.height * CELL + 2 * MARGIN}`;
    }
    this.scene = scene;
    this.#drawGround(scene);
    this.#drawPaths(scene);
    this.#drawThings(scene);
  }

  /** @param {Scene} scene */
  #drawGround(scene) {
    // Every cell of a tile board is the goal of one tile, so marking goals says nothing.
    const tiles = scene.cells.some((cell) => cell.thing?.form === "tile");
    const grounds = scene.cells.map((cell) => (tiles && cell.ground === "goal" ? "floor" : cell.ground));
    const look = `${scene.width}:${grounds.join()}:${scene.sides?.join() ?? ""}`;
    if (look === this.groundLook) return;
    this.groundLook = look;
    const flat = { ...scene, cells: scene.cells.map((cell, i) => ({ ...cell, ground: grounds[i] ?? cell.ground })) };
    const floor = where(flat, (cell) => cell.ground === "floor" || cell.ground === "goal");
    const walls = where(flat, (cell) => cell.ground === "wall");
    const goals = where(flat, (cell) => cell.ground === "goal");
    const known = new Set(floor.map((point) => point.join()));
    let grid = "";
    for (const [x, y] of floor) {
      if (known.has(`${x - 1},${y}`)) grid += `M${x * CELL} ${y * CELL}v${CELL}`;
      if (known.has(`${x},${y - 1}`)) grid += `M${x * CELL} ${y * CELL}h${CELL}`;
    }
    this.ground.replaceChildren(
      svg("path", { class: "floor", d: outline(floor, CELL, -3, 8) }),
      svg("path", { class: "grid", d: grid }),
      svg("path", { class: "wall", d: outline(walls, CELL, 0, 8), "fill-rule": "evenodd" }),
      svg("path", { class: "side", d: thinWalls(scene) }),
      svg("path", { class: "goal", d: outline(goals, CELL, 2, 9) }),
      ...goals.map(([x, y]) => diamond("goal-mark", x, y)),
    );
  }

  /** Draws the paths anew, since they do not move: first the edges, so that white ones show on a light floor, then the paths. */
  #drawPaths(/** @type {Scene} */ scene) {
    const edges = [];
    const parts = [];
    for (const [i, { thing }] of scene.cells.entries()) {
      if (thing?.form !== "dot" && thing?.form !== "pipe") continue;
      edges.push(stretch(thing, i, scene.width, "pipe-edge", thing.edge));
      parts.push(stretch(thing, i, scene.width, "pipe", thing.fill));
      if (thing.form === "dot") parts.push(dot(thing, i, scene.width));
    }
    this.paths.replaceChildren(...edges, ...parts);
  }

  /** @param {Scene} scene */
  #drawThings(scene) {
    const wanted = this.#wanted(scene);
    for (const [key, { element }] of this.shown) {
      if (!wanted.has(key)) {
        element.remove();
        this.shown.delete(key);
      }
    }
    for (const [key, { cell, look, make }] of wanted) {
      const old = this.shown.get(key);
      let element = old?.element;
      if (!old || !element || old.look !== look) {
        const fresh = make();
        if (element) element.replaceWith(fresh);
        else this.things.append(fresh);
        element = fresh;
      }
      place(element, (cell % scene.width) * CELL, Math.floor(cell / scene.width) * CELL);
      this.shown.set(key, { element, look, cell });
    }
  }

  /**
   * The wanted elements by key: the first cell, a key of the look, and a function that makes the element.
   * @param {Scene} scene
   */
  #wanted(scene) {
    /** @type {Map<string, { cell: number, look: string, make: () => SVGElement }>} */
    const wanted = new Map();
    /** @type {Map<number, number[]>} */
    const blocks = new Map();
    /** @type {number[]} */
    const crates = [];
    scene.cells.forEach(({ ground, thing }, cell) => {
      if (!thing) return;
      if (thing.form === "block") blocks.set(thing.id, [...(blocks.get(thing.id) ?? []), cell]);
      else if (thing.form === "crate") crates.push(cell);
      else if (thing.form === "tile" || thing.form === "player") {
        const look = `${thing.fill}${thing.label}${ground}`;
        wanted.set(`${thing.form}${thing.id}`, { cell, look, make: () => single(thing) });
      }
    });
    for (const [id, cells] of blocks) {
      const first = Math.min(...cells);
      const thing = scene.cells[first]?.thing;
      if (!thing) continue;
      const points = cells.map((cell) => /** @type {Point} */ ([
        (cell % scene.width) - (first % scene.width), Math.floor(cell / scene.width) - Math.floor(first / scene.width),
      ]));
      const look = `${thing.fill}${thing.label}${points.join(";")}`;
      wanted.set(`block${id}`, { cell: first, look, make: () => block(thing, points) });
    }
    for (const [key, cell] of this.#matchCrates(crates)) {
      const thing = scene.cells[cell]?.thing;
      if (thing) wanted.set(key, { cell, look: thing.fill, make: () => single(thing) });
    }
    return wanted;
  }

  /**
   * Matches boxes to their elements, since boxes have no numbers. A box that stays keeps its element, and one that moved gets a free one.
   * @param {number[]} cells
   */
  #matchCrates(cells) {
    const old = [...this.shown].filter(([key]) => key.startsWith("crate"));
    const free = new Map(old.map(([key, { cell }]) => [key, cell]));
    /** @type {[string, number][]} */
    const matched = [];
    const fresh = cells.filter((cell) => {
      const same = [...free].find(([, at]) => at === cell);
      if (same) {
        free.delete(same[0]);
        matched.push([same[0], cell]);
      }
      return !same;
    });
    let next = 0;
    for (const cell of fresh) {
      const gone = free.keys().next();
      let key = gone.value;
      if (key === undefined) {
        do key = `crate${next++}`; while (this.shown.has(key) || matched.some(([other]) => other === key));
      } else free.delete(key);
      matched.push([key, cell]);
    }
    return matched;
  }

  /**
   * Marks cells: those of a selected thing, the heads of paths, a hint.
   * @param {{ selected?: number[], heads?: number[], hint?: { from: number[], to: number[] } | null }} marks
   */
  mark({ selected = [], heads = [], hint = null }) {
    const width = this.scene?.width ?? 1;
    const points = (/** @type {number[]} */ cells) =>
      cells.map((cell) => /** @type {Point} */ ([cell % width, Math.floor(cell / width)]));
    const centre = (/** @type {number[]} */ cells) => {
      const all = points(cells);
      const sum = (/** @type {0 | 1} */ i) => all.reduce((total, point) => total + point[i], 0) / all.length;
      return [(sum(0) + 0.5) * CELL, (sum(1) + 0.5) * CELL];
    };
    const parts = [];
    if (selected.length > 0) parts.push(svg("path", { class: "selected", d: outline(points(selected), CELL, 1.5, 11) }));
    for (const [x, y] of points(heads)) {
      parts.push(svg("circle", { class: "head", cx: (x + 0.5) * CELL, cy: (y + 0.5) * CELL, r: CELL * 0.42 }));
    }
    if (hint) {
      const [x0 = 0, y0 = 0] = centre(hint.from);
      const [x1 = 0, y1 = 0] = centre(hint.to);
      const turn = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
      const length = Math.max(Math.hypot(x1 - x0, y1 - y0), CELL * 0.8);
      const arrow = svg("path", { class: "hint", d: `M0 0H${length}m-11 -10l11 10l-11 10` });
      arrow.style.transform = `translate(${x0}px, ${y0}px) rotate(${turn}deg)`;
      parts.push(svg("path", { class: "hint-piece", d: outline(points(hint.from), CELL, 1.5, 11) }), arrow);
    }
    this.marks.replaceChildren(...parts);
  }

  /**
   * The cell under a pointer.
   * @param {{ clientX: number, clientY: number }} event
   * @returns {number | null}
   */
  cellAt(event) {
    const matrix = this.element.getScreenCTM();
    if (!matrix || !this.scene) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [column, row] = [Math.floor(point.x / CELL), Math.floor(point.y / CELL)];
    const { width, height } = this.scene;
    return column >= 0 && row >= 0 && column < width && row < height ? row * width + column : null;
  }
}

/**
 * Describes the board in words for screen readers: things and their cells, rows and columns from 1.
 * @param {Scene} scene
 */
export function describe({ width, height, cells }) {
  const place = (/** @type {number} */ cell) => `row ${Math.floor(cell / width) + 1} column ${(cell % width) + 1}`;
  /** @type {Map<string, string[]>} */
  const found = new Map();
  cells.forEach(({ ground, thing }, cell) => {
    const names = { block: "piece", tile: "tile", dot: "end", pipe: "path", crate: "box", player: "player" };
    const name = thing ? `${names[thing.form]} ${thing.label}`.trim() : ground === "goal" ? "goal" : "";
    if (name) found.set(name, [...(found.get(name) ?? []), place(cell)]);
  });
  return `${height} rows, ${width} columns. ${[...found].map(([name, places]) => `${name}: ${places.join(", ")}`).join("; ")}.`;
}

/** @param {string} look @param {number} x @param {number} y */
function diamond(look, x, y) {
  const [cx, cy] = [(x + 0.5) * CELL, (y + 0.5) * CELL];
  return svg("path", { class: look, d: `M${cx} ${cy - 7}l7 7l-7 7l-7 -7Z` });
}

/** @param {Thing} thing @param {number} x @param {number} y */
function label(thing, x, y) {
  const size = thing.label.length > 2 ? 15 : 20;
  return svg("text", { x, y: y + size * 0.35, "font-size": size, fill: thing.ink }, thing.label);
}

/** A piece of several cells. @param {Thing} thing @param {Point[]} points */
function block(thing, points) {
  const mean = (/** @type {0 | 1} */ i) => points.reduce((sum, point) => sum + point[i], 0) / points.length + 0.5;
  let [x, y] = [mean(0), mean(1)];
  if (!points.some(([px, py]) => px === Math.floor(x) && py === Math.floor(y))) [x, y] = [0.5, 0.5];
  return svg("g", { class: "thing" },
    svg("path", { d: outline(points, CELL, 3, 10), fill: thing.fill, stroke: thing.edge, "stroke-width": 2 }),
    label(thing, x * CELL, y * CELL));
}

/** A thing of one cell. @param {Thing} thing */
function single(thing) {
  const paint = { fill: thing.fill, stroke: thing.edge };
  const half = CELL / 2;
  if (thing.form === "player") {
    return svg("g", { class: "thing" },
      svg("circle", { cx: half, cy: half, r: 17, "stroke-width": 2.5, ...paint }),
      svg("circle", { cx: half - 6, cy: half - 4, r: 2.6, fill: "#fff" }),
      svg("circle", { cx: half + 6, cy: half - 4, r: 2.6, fill: "#fff" }),
      svg("path", { class: "smile", d: `M${half - 6.5} ${half + 4}q6.5 6.5 13 0` }));
  }
  if (thing.form === "crate") {
    return svg("g", { class: "thing" },
      svg("rect", { x: 5, y: 5, width: CELL - 10, height: CELL - 10, rx: 6, "stroke-width": 2.5, ...paint }),
      svg("path", { class: "cross", d: `M14 14l20 20m0 -20l-20 20`, stroke: thing.edge }));
  }
  return svg("g", { class: "thing" },
    svg("rect", { x: 2.5, y: 2.5, width: CELL - 5, height: CELL - 5, rx: 10, "stroke-width": 2, ...paint }),
    label(thing, half, half));
}

/** The middle of a cell. @param {number} cell @param {number} width */
function middle(cell, width) {
  return [((cell % width) + 0.5) * CELL, (Math.floor(cell / width) + 0.5) * CELL];
}

/**
 * A stretch of path: from the middle of the cell to each linked side.
 * @param {Thing} thing @param {number} cell @param {number} width @param {string} look @param {string} stroke
 */
function stretch({ links }, cell, width, look, stroke) {
  const [x, y] = middle(cell, width);
  const half = CELL / 2;
  let path = "";
  if (links & LEFT) path += `M${x} ${y}h${-half}`;
  if (links & RIGHT) path += `M${x} ${y}h${half}`;
  if (links & UP) path += `M${x} ${y}v${-half}`;
  if (links & DOWN) path += `M${x} ${y}v${half}`;
  return svg("path", { class: look, d: path || `M${x} ${y}h0`, stroke });
}

/** The end of a path. @param {Thing} thing @param {number} cell @param {number} width */
function dot(thing, cell, width) {
  const [x = 0, y = 0] = middle(cell, width);
  const round = { cx: x, cy: y, r: CELL * 0.36, fill: thing.fill, stroke: thing.edge, "stroke-width": 1.5 };
  return svg("g", {}, svg("circle", round), label(thing, x, y));
}
