// Selects the puzzle: a kind, a shipped puzzle, a file, a pack, pasted text, or a new puzzle.

import { read, search } from "./api.js";
import { button, el, field, plural, refill, showError } from "./dom.js";
import { recall } from "./progress.js";

/** @import { Catalog, Kind, Made, Recipe } from "./api.js" */
/** @import { Puzzle } from "./game.js" */

/** The difficulties of new puzzles. */
const HARDNESS = ["easy", "medium", "hard"];

/**
 * The id that restores a new puzzle: kind, requested size if any, difficulty, seed.
 * @param {Recipe} recipe
 */
function gameId({ kind, size, hardness, seed }) {
  return [kind, ...(size ? [size.join("x")] : []), hardness, seed].join("-");
}

/** Parses an id. @param {string} id @returns {Recipe | null} */
function fromGameId(id) {
  const [, kind, first, second, hardness, seed] = /^\s*([a-z]+)-(?:(\d+)x(\d+)-)?(easy|medium|hard)-(\d{1,15})\s*$/.exec(id) ?? [];
  if (!kind || !hardness || !seed) return null;
  return { kind, hardness, seed: Number(seed), ...(first && second ? { size: /** @type {[number, number]} */ ([Number(first), Number(second)]) } : {}) };
}

/** The session storage key of a pack, so that a reload finds it. */
const PACK = "beeline.pack";

/**
 * The text of a file, in the encodings that the command reads too: UTF-8, UTF-16 behind a byte order mark, Windows-1252.
 * @param {ArrayBuffer} bytes
 */
function decoded(bytes) {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Dispatches `pick` when a puzzle is chosen; `chosen` is that puzzle. */
export class Picker extends EventTarget {
  /** @type {Puzzle | null} */
  chosen = null;
  /** Replays a pasted text if it is a plan. @type {((text: string) => Promise<boolean>) | null} */
  asPlan = null;
  /** The puzzles to page through: the shipped ones, or those of a file. @type {Puzzle[]} */
  #pack = [];

  /** @param {Element} host @param {Catalog} catalog */
  constructor(host, catalog) {
    super();
    this.catalog = catalog;
    this.kinds = el("div", { class: "kinds", role: "group", "aria-label": "Kind of puzzle" });
    this.list = el("select", { "aria-label": "Puzzle", onchange: () => this.#pickAt(this.list.selectedIndex) });
    this.file = el("input", { type: "file", hidden: true, "aria-label": "Puzzle file", onchange: () => this.#openFile(this.file.files) });
    this.notice = el("p", { class: "notice", id: "notice", role: "status", hidden: true });
    this.form = this.#newPuzzleForm();
    refill(host, this.kinds,
      el("div", { class: "levels" },
        button("‹", () => this.#pickAt(this.list.selectedIndex - 1), { class: "quiet", "aria-label": "Previous puzzle", id: "previous" }),
        this.list,
        button("›", () => this.next(), { class: "quiet", "aria-label": "Next puzzle", id: "next" })),
      el("div", { class: "sources" },
        button("New puzzle", () => this.#toggleForm(), { id: "new-puzzle", "aria-expanded": "false", "aria-controls": "new-form" }),
        button("Puzzle of the day", () => this.#today(), { class: "quiet", id: "today", title: "the same for everybody on the same day" }),
        button("Open file", () => this.file.click(), { class: "quiet", title: "or drop a file anywhere on the page, or paste a board" }),
        this.file),
      this.form, this.notice);
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#openFile(event.dataTransfer?.files ?? null);
    });
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!(event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement)) this.#pasted(text);
    });
  }

  /** Handles pasted text: replays a plan for the current puzzle, and opens everything else as a board. @param {string} text */
  async #pasted(text) {
    // A longer text would not fit into a request together with its puzzle.
    const mayBePlan = text.length < this.catalog.limits.body / 4;
    if (!(mayBePlan && await this.asPlan?.(text))) await this.openText(text, "pasted puzzle");
  }

  /** The form for a new puzzle: kind, size and difficulty, or the id of an earlier one. */
  #newPuzzleForm() {
    this.newKind = el("select", { id: "new-kind" }, ...this.catalog.kinds.map(({ name, title }) => el("option", { value: name }, title)));
    this.newSize = el("input", { id: "new-size", placeholder: "as usual", pattern: "\\s*\\d+\\s*([x×]\\s*\\d+\\s*)?", autocomplete: "off", size: 8 });
    this.newHardness = el("select", { id: "new-hardness" }, ...HARDNESS.map((name) => el("option", { selected: name === "medium" }, name)));
    this.newId = el("input", { id: "new-id", placeholder: "tiles-3x3-easy-7", autocomplete: "off", spellcheck: "false", size: 22 });
    this.newGo = el("button", { class: "accent", id: "new-go" }, "Make it");
    this.newSaid = el("p", { class: "about", id: "new-said", role: "status" });
    return el("form", { class: "card new-puzzle", id: "new-form", hidden: true, onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.#make(); } },
      field("Kind", this.newKind),
      field("Size", this.newSize, "one side, or both: 7 or 9x6; of tiles, rows and columns"),
      field("Difficulty", this.newHardness),
      field("Or a game id", this.newId, "brings back a puzzle that was made before"),
      this.newGo,
      button("Cancel", () => { this.making?.abort(); this.#showForm(false); }, { class: "quiet" }),
      this.newSaid);
  }

  #toggleForm() {
    this.#showForm(this.form.hidden);
    if (this.form.hidden) return;
    if (this.newKind && this.chosen) this.newKind.value = this.chosen.kind;
    this.newKind?.focus();
  }

  /** @param {boolean} shown */
  #showForm(shown) {
    this.form.hidden = !shown;
    document.getElementById("new-puzzle")?.setAttribute("aria-expanded", String(shown));
  }

  /** The recipe in the form; null if the id is not valid. @returns {Recipe | null} */
  #recipe() {
    const { newKind, newSize, newHardness, newId } = this;
    if (!newKind || !newSize || !newHardness) return null;
    if (newId?.value.trim()) return fromGameId(newId.value);
    const [, first, second] = /^\s*(\d+)\s*(?:[x×]\s*(\d+)\s*)?$/.exec(newSize.value) ?? [];
    /** @type {Recipe} */
    const recipe = { kind: newKind.value, hardness: newHardness.value, seed: Math.floor(Math.random() * 2 ** 32) };
    if (first) recipe.size = [Number(first), Number(second ?? first)];
    return recipe;
  }

  #make() {
    const recipe = this.#recipe();
    if (recipe) return this.#makeOf(recipe, `new ${recipe.hardness} puzzle`);
    if (this.newSaid) this.newSaid.textContent = "That is no game id: it has a kind, a size or none, a difficulty and a number, as tiles-3x3-easy-7.";
  }

  /** Makes the puzzle of the day for this kind, which is the same for everyone. */
  #today() {
    const day = new Date().toISOString().slice(0, 10);
    this.#showForm(true);
    return this.#makeOf({ kind: this.chosen?.kind ?? "tiles", hardness: "medium", seed: Number(day.replaceAll("-", "")) }, `puzzle of the day ${day}`);
  }

  /** @param {Recipe} recipe @param {string} name */
  async #makeOf(recipe, name) {
    const { newGo, newSaid } = this;
    if (!newGo || !newSaid) return;
    const id = gameId(recipe);
    const control = new AbortController();
    this.making = control;
    newGo.disabled = true;
    newSaid.textContent = "Making one: candidates are solved until one is as hard as you want it …";
    try {
      /** @type {Made} */
      const made = await search("make", recipe, () => {}, control.signal);
      newSaid.textContent = "";
      this.#showForm(false);
      this.pick({ kind: made.kind, text: made.text, name: `${name} · ${id}` });
      this.#showMessage(`Game id ${id}: under New puzzle, it brings this puzzle back.`);
    } catch (error) {
      newSaid.textContent = control.signal.aborted ? "" : /** @type {Error} */ (error).message;
    } finally {
      newGo.disabled = false;
    }
  }

  /** @param {Kind} kind @returns {Puzzle[]} */
  #ships(kind) {
    return kind.examples.map(({ name, title, text }) => ({ kind: kind.name, text, name: title ? `${name} · ${title}` : name, ships: name }));
  }

  /** Picks a shipped puzzle of a kind: the named one, or the first. @param {string} name @param {string} [ships] */
  pickKind(name, ships) {
    const kind = this.catalog.kinds.find((entry) => entry.name === name) ?? this.catalog.kinds[0];
    if (!kind) return;
    this.#pack = this.#ships(kind);
    this.#showMessage("");
    this.#pickAt(Math.max(0, this.#pack.findIndex((puzzle) => puzzle.ships === ships)));
  }

  /** Picks a puzzle from the editor or from a link. It may belong to the open pack. @param {Puzzle} puzzle */
  pick(puzzle) {
    const same = (/** @type {Puzzle} */ other) => other.kind === puzzle.kind && other.text === puzzle.text;
    const pack = this.#pack.some(same) ? this.#pack : keptPack();
    const at = pack.findIndex(same);
    this.#pack = at >= 0 ? pack : [puzzle];
    this.#showMessage("");
    this.#pickAt(Math.max(0, at));
  }

  hasNext() {
    return this.list.selectedIndex + 1 < this.#pack.length;
  }

  next() {
    this.#pickAt(this.list.selectedIndex + 1);
  }

  /** @param {string} text @param {string} name @param {string} [kind] */
  async openText(text, name, kind) {
    try {
      // Leaves room for the rest of the request.
      const short = cutPack(text, this.catalog.limits.body - 1000);
      const cut = short.length < text.length;
      const pack = await read(short, kind);
      this.#pack = pack.levels.map((level, i) => ({
        kind: pack.kind, text: level.text, name: level.title ?? (pack.count > 1 ? `${name}, number ${i + 1}` : name),
      }));
      keepPack(this.#pack);
      const why = pack.skipped && `${plural(pack.unread, "puzzle")} of the file cannot be read: line ${pack.skipped.line}, ${pack.skipped.message}.`;
      showError(why || "");
      const left = pack.count - pack.levels.length;
      this.#showMessage(cut ? `${name} is too long for the page: the first ${plural(pack.levels.length, "puzzle")} are here, the rest was left out.`
        : left > 0 ? `${name} holds ${plural(pack.count, "puzzle")}: the first ${pack.levels.length} are here, ${left} were left out.` : "");
      this.#pickAt(0);
    } catch (error) {
      showError(`${name} cannot be read: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** Shows a message about the pack until another one is opened. @param {string} text */
  #showMessage(text) {
    this.notice.textContent = text;
    this.notice.hidden = text === "";
  }

  /** @param {FileList | null} files */
  async #openFile(files) {
    const file = files?.[0];
    if (!file) return;
    await this.openText(decoded(await file.arrayBuffer()), file.name);
    this.file.value = "";
  }

  /** Marks solved puzzles in the list. */
  mark() {
    [...this.list.options].forEach((option, i) => {
      const puzzle = this.#pack[i];
      const solved = puzzle && recall(puzzle).best !== undefined;
      option.textContent = `${solved ? "✓ " : ""}${puzzle?.name ?? ""}`;
    });
  }

  /** @param {number} index */
  #pickAt(index) {
    const puzzle = this.#pack[index];
    if (!puzzle) return;
    this.chosen = puzzle;
    const kinds = this.catalog.kinds.map((kind) => button(kind.title, () => this.pickKind(kind.name), {
      "aria-pressed": String(kind.name === puzzle.kind), title: kind.about, "data-kind": kind.name,
    }));
    refill(this.kinds, ...kinds);
    refill(this.list, ...this.#pack.map(() => el("option")));
    this.mark();
    this.list.selectedIndex = index;
    this.dispatchEvent(new Event("pick"));
  }
}

/** Cuts a pack that is too large for one request, at the end of a puzzle. @param {string} text @param {number} most bytes */
function cutPack(text, most) {
  let short = text;
  // Non-ASCII letters and characters that JSON escapes take more than one byte each.
  while (new Blob([JSON.stringify(short)]).size > most) {
    short = short.slice(0, Math.floor(Math.min(short.length, most) * 0.8));
    short = short.slice(0, Math.max(short.lastIndexOf("\n\n"), short.lastIndexOf("\n\r\n"), 0) || short.lastIndexOf("\n") + 1);
  }
  return short;
}

/** @param {Puzzle[]} pack */
function keepPack(pack) {
  try {
    sessionStorage.setItem(PACK, JSON.stringify(pack));
  } catch { /* a reload shows the one puzzle that the address holds */ }
}

/** @returns {Puzzle[]} */
function keptPack() {
  try {
    return JSON.parse(sessionStorage.getItem(PACK) ?? "[]");
  } catch {
    return [];
  }
}
