// Edit: a board to paint on and the file beside it, each following the other; the parser reads along and says what is wrong.

import { read } from "./api.js";
import { EDITORS } from "./brushes.js";
import { button, download, el, field, refill, svg } from "./dom.js";

/** @import { Refusal } from "./api.js" */
/** @import { Brush, Editor, Look, Sheet } from "./brushes.js" */
/** @import { Puzzle } from "./game.js" */

/** Units a cell. */
const CELL = 36;
/** How long to wait for more typing before asking the parser. */
const PAUSE = 150;

/** The colour of a piece. @param {string} piece */
function tint(piece) {
  const number = /^\d+$/.test(piece) ? Number(piece) : piece.charCodeAt(0);
  return `hsl(${(number * 137.5) % 360} 62% 70%)`;
}

export class Edit {
  /** @type {Sheet | null} */
  sheet = null;
  /** @type {Brush | null} */
  brush = null;
  /** Where the keys paint. @type {[number, number]} */
  #cursor = [0, 0];
  /** The first of two tiles to change places. @type {[number, number] | null} */
  #first = null;
  #painting = false;

  /** @param {HTMLElement} host @param {(puzzle: Puzzle) => void} open */
  constructor(host, open) {
    this.open = open;
    this.paper = svg("svg", { class: "sheet", role: "application", tabindex: 0, id: "sheet", "aria-label": "Board to paint on: arrow keys move, Enter paints" });
    this.palette = el("div", { class: "palette", role: "group", "aria-label": "Brush", id: "palette" });
    this.source = el("textarea", { class: "source", id: "source", spellcheck: "false", autocapitalize: "off", "aria-label": "The puzzle as a file", "aria-describedby": "verdict", oninput: () => this.#typed() });
    this.verdict = el("div", { class: "verdict", id: "verdict", role: "status" });
    this.wide = el("input", { type: "number", min: 2, max: 64, id: "edit-width" });
    this.high = el("input", { type: "number", min: 2, max: 64, id: "edit-height" });
    this.play = button("Play this", () => this.#playIt(), { class: "accent", id: "edit-play" });
    refill(host,
      el("div", { class: "card" }, this.paper),
      el("div", { class: "side" },
        el("div", { class: "card" }, this.palette,
          el("div", { class: "settings" }, field("Columns", this.wide), field("Rows", this.high)),
          el("div", { class: "buttons" },
            button("Resize", () => this.#resize(), { id: "resize" }), button("New board", () => this.#fresh(), { id: "fresh" }), this.play,
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
      if (look) chip.style.backgroundColor = look.piece ? tint(look.piece) : `var(--${look.ground === "door" ? "soft" : look.ground})`;
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

  /** The text has changed: the board follows, and the parser is asked. */
  #typed() {
    this.sheet = this.editor?.read(this.source.value) ?? null;
    this.#drawSheet();
    this.#ask();
  }

  /** The board has changed: the text follows. */
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
    this.source.setAttribute("aria-invalid", String(tone === "wrong"));
    refill(this.verdict, text, more !== "" && el("p", { class: "about" }, more));
  }

  /** The parser's own words, with the line and a mark under the place. @param {Refusal} refusal */
  #explain({ message, place }) {
    const { line, column = 1, length = 1, expected, help } = place ?? {};
    this.#judge("wrong", line ? `line ${line}, column ${column}: ${message}` : message, [expected, help].filter(Boolean).join("; "));
    const text = line ? this.source.value.split("\n")[line - 1] ?? "" : "";
    if (line) this.verdict.append(el("pre", {}, `${text}\n${" ".repeat(Math.max(0, column - 1))}${"━".repeat(Math.min(length, 60))}`));
  }

  #drawSheet() {
    const { sheet, editor } = this;
    if (!sheet || !editor) {
      refill(this.paper);
      return;
    }
    const [width, height] = [sheet.cells[0]?.length ?? 0, sheet.cells.length];
    this.wide.value = String(width);
    this.high.value = String(height);
    this.paper.setAttribute("viewBox", `-2 -2 ${width * CELL + 4} ${height * CELL + 4}`);
    const cells = sheet.cells.flatMap((row, y) => row.flatMap((word, x) => cell(editor.look(word), x, y)));
    const [cx, cy] = this.#first ?? this.#cursor;
    const cursor = svg("rect", { class: "cursor", x: cx * CELL + 1, y: cy * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 6 });
    refill(this.paper, ...cells, (this.#first || document.activeElement === this.paper) && cursor);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    event.preventDefault();
    this.paper.focus();
    this.paper.setPointerCapture(event.pointerId);
    this.#painting = true;
    this.#paintAt(event, true);
  }

  /** @param {PointerEvent} event @param {boolean} [first] a press, not a stroke */
  #paintAt(event, first = false) {
    const matrix = this.paper.getScreenCTM();
    if (!matrix) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [x, y] = [Math.floor(point.x / CELL), Math.floor(point.y / CELL)];
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

  /** Of what may stand in one cell only, the old one goes. @param {Brush} brush */
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

  /** Width and height as they are asked for. */
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

  #playIt() {
    if (this.puzzle) this.open({ kind: this.puzzle.kind, text: this.source.value, name: "my board" });
  }
}

/** One cell of the sheet. @param {Look} look @param {number} x @param {number} y */
function cell({ ground, piece }, x, y) {
  const rect = svg("rect", { class: `is-${ground}`, x: x * CELL + 0.5, y: y * CELL + 0.5, width: CELL - 1, height: CELL - 1, rx: 4 });
  if (piece === "") return [rect];
  const tile = svg("rect", { x: x * CELL + 4, y: y * CELL + 4, width: CELL - 8, height: CELL - 8, rx: 6 });
  tile.style.fill = tint(piece);
  return [rect, tile, svg("text", { x: (x + 0.5) * CELL, y: (y + 0.5) * CELL + 6 }, piece)];
}
