// The start board of a search. The user can move pieces and draw walls while the search is shown. It has its own
// game, so that experiments here leave the game in Play unchanged.

import { read } from "./api.js";
import { Board } from "./board.js";
import { EDITORS } from "./brushes.js";
import { announce, button, el, showError } from "./dom.js";
import { Game } from "./game.js";
import { BoardInput } from "./input.js";

/** @import { Puzzle } from "./game.js" */

/** Milliseconds without another change before the search starts again. */
const PAUSE = 200;

/** Dispatches `change` when the board changes. */
export class StartBoard extends EventTarget {
  #game = new Game();
  /** @type {Puzzle | null} */
  #puzzle = null;
  /** @type {Promise<void> | null} */
  #opening = null;
  #drawing = false;
  /** The cells of the current stroke, and whether it draws or removes walls. @type {{ cells: Set<number>, wall: boolean } | null} */
  #stroke = null;
  /** The cell that the keys draw. */
  #cursor = 0;

  /** @param {string} name the prefix of the controls' ids @param {(puzzle: Puzzle) => void} open opens a board with other walls */
  constructor(name, open) {
    super();
    this.open = open;
    this.board = new Board("The start of the search");
    this.paper = this.board.element;
    this.paper.classList.add("small");
    for (const [key, value] of Object.entries({ role: "application", tabindex: "0", id: `${name}-start` })) this.paper.setAttribute(key, value);
    this.input = new BoardInput(this.#game, this.board);
    this.move = button("Move pieces", () => this.#choose(false), { id: `${name}-move` });
    this.walls = button("Draw walls", () => this.#choose(true), { id: `${name}-walls` });
    this.again = button("As it was", () => this.#game.restart(), { class: "quiet", id: `${name}-again` });
    this.element = el("div", { class: "card start" }, el("h2", {}, "The start"),
      el("div", { class: "palette", role: "group", "aria-label": "What the pointer and the keys do" }, this.move, this.walls, this.again), this.paper,
      el("p", { class: "about" }, "Change it: the search begins again."));
    this.#game.addEventListener("change", () => this.#changed());
    this.#game.addEventListener("trouble", (event) => announce(/** @type {CustomEvent} */ (event).detail));
    this.input.addEventListener("select", () => this.#mark());
    // These listeners run before those of the board input, which move pieces.
    for (const kind of ["pointerdown", "pointermove", "pointerup"]) {
      this.paper.addEventListener(kind, (event) => this.#drawing && this.#draw(/** @type {PointerEvent} */ (event)), { capture: true });
    }
    this.paper.addEventListener("keydown", (event) => this.#key(event));
    this.#choose(false);
  }

  /** Sets the puzzle, which `opened` opens: a hidden board sends no requests. @param {Puzzle} puzzle */
  setPuzzle(puzzle) {
    this.#puzzle = puzzle;
    this.#opening = null;
  }

  /** Opens the puzzle unless it is open, and waits for its board. */
  async opened() {
    const puzzle = this.#puzzle;
    if (!puzzle) return;
    this.walls.disabled = !this.#wallBrush(puzzle.kind);
    if (this.walls.disabled) this.#choose(false);
    this.#opening ??= this.#game.open(puzzle);
    await this.#opening;
  }

  /** The start position of the search. */
  position() {
    return this.#game.position();
  }

  /** Is the board that of the puzzle? */
  get ready() {
    return this.#puzzle !== null && this.#game.puzzle === this.#puzzle;
  }

  get scene() {
    return this.#game.view?.board ?? null;
  }

  /** @param {boolean} drawing */
  #choose(drawing) {
    this.#drawing = drawing;
    this.move.setAttribute("aria-pressed", String(!drawing));
    this.walls.setAttribute("aria-pressed", String(drawing));
    this.paper.setAttribute("aria-label", drawing ? "The start of the search: arrow keys lead a mark, Enter draws or takes away a wall"
      : "The start of the search: arrow keys move a piece, Space chooses the next one");
    this.#mark();
  }

  #changed() {
    const { view, last } = this.#game;
    if (!view) return;
    this.board.show(view.board);
    this.again.disabled = this.#game.steps.length === 0;
    this.#mark();
    if (last === "open") return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.dispatchEvent(new Event("change")), PAUSE);
  }

  #mark() {
    const cells = this.#game.view?.board.cells ?? [];
    const { selected } = this.input;
    const mine = cells.flatMap(({ thing }, i) => (selected !== null && thing?.id === selected && thing.form === "block" ? [i] : []));
    this.board.mark({ selected: this.#drawing ? [this.#cursor] : mine });
  }

  /** The brushes that draw and remove a wall, if the kind has walls to draw. @param {string} kind */
  #wallBrush(kind) {
    const brushes = EDITORS[kind]?.brushes ?? [];
    const wall = brushes.find(({ name }) => name === "wall");
    const [bare] = brushes;
    return wall && bare ? { wall, bare } : null;
  }

  /** @param {number} cell */
  #isWall(cell) {
    return this.#game.view?.board.cells[cell]?.ground === "wall";
  }

  /** @param {PointerEvent} event */
  #draw(event) {
    event.stopImmediatePropagation();
    event.preventDefault();
    const cell = this.board.cellAt(event);
    if (event.type === "pointerdown" && cell !== null) {
      this.paper.focus();
      this.paper.setPointerCapture(event.pointerId);
      this.#stroke = { cells: new Set([cell]), wall: !this.#isWall(cell) };
    } else if (event.type === "pointermove" && cell !== null) this.#stroke?.cells.add(cell);
    else if (event.type === "pointerup") this.#finish();
    if (this.#stroke) this.board.mark({ selected: [...this.#stroke.cells] });
  }

  /** Finishes a stroke, which is one change. */
  #finish() {
    const stroke = this.#stroke;
    this.#stroke = null;
    if (stroke) this.#paint([...stroke.cells], stroke.wall);
  }

  /** Draws or removes walls if the kind's parser accepts the result. @param {number[]} cells @param {boolean} wall */
  async #paint(cells, wall) {
    const { puzzle, view } = this.#game;
    const editor = EDITORS[puzzle?.kind ?? ""];
    const brush = this.#wallBrush(puzzle?.kind ?? "");
    const sheet = puzzle && editor?.read(puzzle.text);
    if (!puzzle || !view || !editor || !brush || !sheet) return;
    for (const cell of cells) {
      const row = sheet.cells[Math.floor(cell / view.board.width)];
      const column = cell % view.board.width;
      if (!row || row[column] === undefined || this.#isWall(cell) === wall) continue;
      row[column] = (wall ? brush.wall : brush.bare).paint(row[column]);
    }
    const text = editor.write(sheet);
    try {
      await read(text, puzzle.kind);
      showError("");
      this.open({ kind: puzzle.kind, text, name: "my board" });
    } catch (error) {
      showError(`No wall there: ${/** @type {Error} */ (error).message}.`);
      this.#mark();
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.#drawing ? this.#keyDraws(event.key) : this.input.key(event)) event.preventDefault();
  }

  /** @param {string} key */
  #keyDraws(key) {
    const { width = 1, cells = [] } = this.#game.view?.board ?? {};
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[key];
    if (by !== undefined) {
      const to = this.#cursor + by;
      if (to >= 0 && to < cells.length) this.#cursor = to;
      this.#mark();
      announce(`row ${Math.floor(this.#cursor / width) + 1}, column ${(this.#cursor % width) + 1}${this.#isWall(this.#cursor) ? ", wall" : ""}`);
    } else if (key === "Enter" || key === " ") this.#paint([this.#cursor], !this.#isWall(this.#cursor));
    else return false;
    return true;
  }
}
