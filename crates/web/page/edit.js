// Edit: a board to paint on, and its file as text. Each follows the other, and the parser checks the text.

import { read } from "./api.js";
import { Board } from "./board.js";
import { EDITORS } from "./brushes.js";
import { button, download, el, field, refill } from "./dom.js";

/** @import { Cell, Refusal, Scene, Thing } from "./api.js" */
/** @import { Brush, Editor, Look, Sheet } from "./brushes.js" */
/** @import { Puzzle } from "./game.js" */

/** @typedef {{ fill: string, edge: string, ink: string }} Paint */

/** Milliseconds to wait for more typing before the parser is called. */
const PAUSE = 150;

/** Colours for a piece whose colours are not known yet. @param {string} piece @returns {Paint} */
function tint(piece) {
  const number = /^\d+$/.test(piece) ? Number(piece) : piece.charCodeAt(0);
  const hue = (number * 137.5) % 360;
  return { fill: `hsl(${hue} 62% 70%)`, edge: `hsl(${hue} 45% 50%)`, ink: "#080808" };
}

/** The key of a thing's colours: its label, and for a box whether it is on a goal. @param {Cell} cell */
function paintName({ ground, thing }) {
  return thing?.form === "crate" ? `crate on ${ground}` : thing?.form === "player" ? "player" : thing?.label ?? "";
}

export class Edit {
  /** @type {Sheet | null} */
  sheet = null;
  /** @type {Brush | null} */
  brush = null;
  /** The cell that the keys paint. @type {[number, number]} */
  #cursor = [0, 0];
  /** The first of two tiles to swap. @type {[number, number] | null} */
  #first = null;
  #painting = false;
  /** The known colours of this kind's pieces. @type {Map<string, Paint>} */
  #paints = new Map();

  /** @param {HTMLElement} host @param {(tab: string, puzzle: Puzzle) => void} open */
  constructor(host, open) {
    this.open = open;
    this.board = new Board("Board to paint on: arrow keys move, Enter paints", true);
    this.paper = this.board.element;
    for (const [name, value] of Object.entries({ role: "application", tabindex: "0", id: "sheet" })) this.paper.setAttribute(name, value);
    this.paper.classList.add("sheet");
    this.palette = el("div", { class: "palette", role: "group", "aria-label": "Brush", id: "palette" });
    this.source = el("textarea", { class: "source", id: "source", spellcheck: "false", autocapitalize: "off", "aria-label": "The puzzle as a file", "aria-describedby": "verdict", oninput: () => this.#typed() });
    this.verdict = el("div", { class: "verdict", id: "verdict", role: "status" });
    this.wide = el("input", { type: "number", min: 2, max: 64, id: "edit-width" });
    this.high = el("input", { type: "number", min: 2, max: 64, id: "edit-height" });
    this.play = button("Play this", () => this.#openIn("play"), { class: "accent", id: "edit-play" });
    this.solve = button("Solve this", () => this.#openIn("solve"), { id: "edit-solve" });
    refill(host,
      el("div", { class: "card" }, this.paper),
      el("div", { class: "side" },
        el("div", { class: "card" }, this.palette,
          el("div", { class: "settings" }, field("Columns", this.wide), field("Rows", this.high)),
          el("div", { class: "buttons" },
            button("Resize", () => this.#resize(), { id: "resize" }), button("New board", () => this.#fresh(), { id: "fresh" }), this.play, this.solve,
            button("Save file", () => download(`${this.puzzle?.kind ?? "puzzle"}.txt`, new Blob([this.source.value], { type: "text/plain" })), { id: "save" }))),
        el("div", { class: "card" }, this.source, this.verdict)));
    this.paper.addEventListener("pointerdown", (event) => this.#down(event));
    this.paper.addEventListener("pointermove", (event) => this.#painting && !this.editor?.swap && this.#paintAt(event));
    for (const end of ["pointerup", "pointercancel"]) this.paper.addEventListener(end, () => { this.#painting = false; });
    this.paper.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @returns {Editor | undefined} */
  get editor() {
    return EDITORS[this.puzzle?.kind ?? ""];
  }

  /** @param {Puzzle} puzzle */
  setPuzzle(puzzle) {
    if (this.puzzle?.kind !== puzzle.kind) this.#paints.clear();
    this.puzzle = puzzle;
    this.source.value = puzzle.text;
    this.brush = this.editor?.brushes[0] ?? null;
    this.#first = null;
    this.#drawPalette();
    this.#typed();
  }

  #drawPalette() {
    const { editor } = this;
    const brushes = (editor?.brushes ?? []).map((brush) => {
      const look = editor?.look(brush.look);
      const chip = el("i");
      if (look) chip.style.backgroundColor = look.piece ? this.#paintOf(look).fill : `var(--${look.ground === "door" ? "soft" : look.ground})`;
      const handle = button(brush.name, () => {
        this.brush = brush;
        this.#drawPalette();
      }, { "aria-pressed": String(brush === this.brush), "data-brush": brush.name });
      handle.prepend(chip);
      return handle;
    });
    const words = editor?.swap ? "Choose two tiles: they change places." : "This kind is edited as text.";
    refill(this.palette, ...brushes, brushes.length === 0 && el("p", { class: "about" }, words));
  }

  /** The text has changed: updates the board and calls the parser. */
  #typed() {
    this.sheet = this.editor?.read(this.source.value) ?? null;
    this.#drawSheet();
    this.#ask();
  }

  /** The board has changed: updates the text. */
  #painted() {
    if (this.sheet && this.editor) this.source.value = this.editor.write(this.sheet);
    this.#drawSheet();
    this.#ask();
  }

  #ask() {
    clearTimeout(this.timer);
    this.control?.abort();
    const control = new AbortController();
    this.control = control;
    this.timer = setTimeout(async () => {
      try {
        const pack = await read(this.source.value, this.puzzle?.kind, control.signal);
        const [level] = pack.levels;
        this.#learn(pack.board);
        const facts = (level?.facts ?? []).map(([word, fact]) => `${word} ${fact}`).join(" · ");
        this.#judge("fine", "✓ the parser reads it", [facts, ...(level?.warnings ?? [])].filter(Boolean).join("\n"));
      } catch (error) {
        if (!control.signal.aborted) this.#explain(/** @type {Refusal} */ (error));
      }
    }, PAUSE);
  }

  /** @param {"fine" | "wrong"} tone @param {string} text @param {string} more */
  #judge(tone, text, more) {
    this.verdict.className = `verdict ${tone}`;
    this.play.disabled = tone === "wrong";
    this.solve.disabled = tone === "wrong";
    this.source.setAttribute("aria-invalid", String(tone === "wrong"));
    refill(this.verdict, text, more !== "" && el("p", { class: "about" }, more));
  }

  /** Shows the parser's error, with the line and a mark under the place. @param {Refusal} refusal */
  #explain({ message, place }) {
    const { line, column = 1, length = 1, expected, help } = place ?? {};
    this.#judge("wrong", line ? `line ${line}, column ${column}: ${message}` : message, [expected, help].filter(Boolean).join("; "));
    const text = line ? this.source.value.split("\n")[line - 1] ?? "" : "";
    if (line) this.verdict.append(el("pre", {}, `${text}\n${" ".repeat(Math.max(0, column - 1))}${"━".repeat(Math.min(length, 60))}`));
  }

  /** Remembers the colours of a parsed board. @param {Scene} scene */
  #learn(scene) {
    let news = false;
    for (const cell of scene.cells) {
      if (!cell.thing) continue;
      const { fill, edge, ink } = cell.thing;
      news ||= this.#paints.get(paintName(cell))?.fill !== fill;
      this.#paints.set(paintName(cell), { fill, edge, ink });
    }
    if (!news) return;
    this.#drawSheet();
    this.#drawPalette();
  }

  /** The colours of a piece. @param {Look} look */
  #paintOf(look) {
    return this.#paints.get(paintName(this.#cell(look, 0, false))) ?? tint(look.piece);
  }

  /** Converts a cell of the sheet to a cell of a scene. @param {Look} look @param {number} id @param {boolean} [painted] @returns {Cell} */
  #cell(look, id, painted = true) {
    const { ground, piece } = look;
    const plain = ground === "door" ? "goal" : ground;
    if (piece === "") return { ground: plain };
    const form = this.editor?.form?.(piece) ?? "block";
    const label = form === "crate" || form === "player" ? "" : piece;
    /** @type {Thing} */
    const thing = { id, form, label, links: 0, fill: "", edge: "", ink: "" };
    return { ground: plain, thing: painted ? { ...thing, ...this.#paintOf(look) } : thing };
  }

  #drawSheet() {
    const { sheet, editor } = this;
    const [width, height] = [sheet?.cells[0]?.length ?? 0, sheet?.cells.length ?? 0];
    if (!sheet || !editor || width === 0) {
      this.board.show({ width: 1, height: 1, cells: [{ ground: "outside" }] });
      return;
    }
    this.wide.value = String(width);
    this.high.value = String(height);
    /** @type {Map<string, number>} */
    const ids = new Map();
    const cells = sheet.cells.flat().map((word) => {
      const look = editor.look(word);
      if (!ids.has(look.piece)) ids.set(look.piece, ids.size);
      return this.#cell(look, ids.get(look.piece) ?? 0);
    });
    this.board.show({ width, height, cells });
    const [x, y] = this.#first ?? this.#cursor;
    const shown = this.#first !== null || document.activeElement === this.paper;
    const doors = sheet.cells.flat().flatMap((word, i) => (editor.look(word).ground === "door" ? [i] : []));
    this.board.mark({ selected: shown ? [y * width + x] : [], heads: doors });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    event.preventDefault();
    this.paper.focus();
    this.paper.setPointerCapture(event.pointerId);
    this.#painting = true;
    this.#paintAt(event, true);
  }

  /** @param {PointerEvent} event @param {boolean} [first] true for a press, false during a stroke */
  #paintAt(event, first = false) {
    const at = this.board.cellAt(event);
    const width = this.board.scene?.width ?? 1;
    if (at === null) return;
    const [x, y] = [at % width, Math.floor(at / width)];
    const [cx, cy] = this.#cursor;
    if (!first && x === cx && y === cy) return;
    this.#cursor = [x, y];
    this.#paint(x, y);
  }

  /** @param {number} x @param {number} y */
  #paint(x, y) {
    const { sheet, editor, brush } = this;
    const old = sheet?.cells[y]?.[x];
    if (!sheet || !editor || old === undefined) return;
    if (editor.swap) this.#swap(x, y);
    else if (brush) {
      if (brush.alone) this.#takeAway(brush);
      const row = sheet.cells[y];
      if (row) row[x] = brush.paint(row[x] ?? editor.blank);
      this.#painted();
    }
  }

  /** Removes the old copy of a thing that only one cell may have. @param {Brush} brush */
  #takeAway(brush) {
    const { sheet, editor } = this;
    const mark = editor?.look(brush.look).piece;
    if (!sheet || !editor) return;
    sheet.cells = sheet.cells.map((row) => row.map((word) => {
      const { ground, piece } = editor.look(word);
      const bare = editor.brushes.find(({ look }) => editor.look(look).ground === ground && editor.look(look).piece === "");
      return piece === mark ? bare?.look ?? editor.blank : word;
    }));
  }

  /** @param {number} x @param {number} y */
  #swap(x, y) {
    const { sheet } = this;
    if (!sheet) return;
    const first = this.#first;
    if (!first) {
      this.#first = [x, y];
      this.#drawSheet();
      return;
    }
    const [fx, fy] = first;
    const [here, there] = [sheet.cells[y], sheet.cells[fy]];
    const [a, b] = [here?.[x], there?.[fx]];
    if (here && there && a !== undefined && b !== undefined) [here[x], there[fx]] = [b, a];
    this.#first = null;
    this.#painted();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const [x, y] = this.#cursor;
    if (way) {
      const [width, height] = [this.sheet?.cells[0]?.length ?? 1, this.sheet?.cells.length ?? 1];
      this.#cursor = [Math.max(0, Math.min(width - 1, x + (way[0] ?? 0))), Math.max(0, Math.min(height - 1, y + (way[1] ?? 0)))];
      this.#drawSheet();
    } else if (event.key === "Enter" || event.key === " ") this.#paint(x, y);
    else return;
    event.preventDefault();
  }

  /** The requested width and height, within their limits. */
  #size() {
    const [least = 2, lowest = 2] = this.editor?.smallest ?? [];
    const clamp = (/** @type {HTMLInputElement} */ input, /** @type {number} */ min) => Math.max(min, Math.min(64, input.valueAsNumber || min));
    return { width: clamp(this.wide, least), height: clamp(this.high, lowest) };
  }

  #resize() {
    const { sheet, editor } = this;
    if (!sheet || !editor) return;
    if (editor.swap) return this.#fresh();
    const { width, height } = this.#size();
    sheet.cells = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => sheet.cells[y]?.[x] ?? editor.blank));
    this.#painted();
  }

  #fresh() {
    const { width, height } = this.#size();
    if (!this.editor) return;
    this.sheet = this.editor.fresh(width, height);
    this.#painted();
  }

  /** @param {"play" | "solve"} tab */
  #openIn(tab) {
    if (this.puzzle) this.open(tab, { kind: this.puzzle.kind, text: this.source.value, name: "my board" });
  }
}
