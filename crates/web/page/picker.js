// Which puzzle: a kind, one of the puzzles that ship, a file, a pack, what was pasted.

import { read } from "./api.js";
import { button, complain, el, plural, refill } from "./dom.js";

/** @import { Catalog, Kind } from "./api.js" */
/** @import { Puzzle } from "./game.js" */

/** Files larger than this are no puzzles. */
const LARGEST = 200_000;

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

/** Tells `pick` when a puzzle is chosen; `chosen` is it. */
export class Picker extends EventTarget {
  /** @type {Puzzle | null} */
  chosen = null;
  /** What can be paged through: the puzzles that ship, or those of a file. @type {Puzzle[]} */
  #pack = [];

  /** @param {Element} host @param {Catalog} catalog */
  constructor(host, catalog) {
    super();
    this.catalog = catalog;
    this.kinds = el("div", { class: "kinds", role: "group", "aria-label": "Kind of puzzle" });
    this.list = el("select", { "aria-label": "Puzzle", onchange: () => this.#pickAt(this.list.selectedIndex) });
    this.file = el("input", { type: "file", hidden: true, "aria-label": "Puzzle file", onchange: () => this.#openFile(this.file.files) });
    refill(host, this.kinds,
      el("div", { class: "levels" },
        button("‹", () => this.#pickAt(this.list.selectedIndex - 1), { class: "quiet", "aria-label": "Previous puzzle", id: "previous" }),
        this.list,
        button("›", () => this.#pickAt(this.list.selectedIndex + 1), { class: "quiet", "aria-label": "Next puzzle", id: "next" })),
      el("div", { class: "sources" },
        button("Open file", () => this.file.click(), { class: "quiet", title: "or drop a file anywhere on the page, or paste a board" }),
        this.file));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#openFile(event.dataTransfer?.files ?? null);
    });
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!(event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement)) {
        this.openText(text, "pasted puzzle");
      }
    });
  }

  /** @param {Kind} kind */
  #ships(kind) {
    return kind.examples.map(({ name, title, text }) => ({ kind: kind.name, text, name: title ? `${name} · ${title}` : name }));
  }

  /** The first puzzle of a kind. @param {string} name */
  pickKind(name) {
    const kind = this.catalog.kinds.find((entry) => entry.name === name) ?? this.catalog.kinds[0];
    if (!kind) return;
    this.#pack = this.#ships(kind);
    this.#pickAt(0);
  }

  /** A puzzle from elsewhere: the editor, a link. @param {Puzzle} puzzle */
  pick(puzzle) {
    this.#pack = [puzzle];
    this.#pickAt(0);
  }

  /** @param {string} text @param {string} name @param {string} [kind] */
  async openText(text, name, kind) {
    try {
      const pack = await read(text, kind);
      this.#pack = pack.levels.map((level, i) => ({
        kind: pack.kind, text: level.text, name: level.title ?? (pack.count > 1 ? `${name}, number ${i + 1}` : name),
      }));
      complain(pack.count > pack.levels.length ? `The file holds ${plural(pack.count, "puzzle")}; the first ${pack.levels.length} are here.` : "");
      this.#pickAt(0);
    } catch (error) {
      complain(`${name} cannot be read: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {FileList | null} files */
  async #openFile(files) {
    const file = files?.[0];
    if (!file) return;
    if (file.size > LARGEST) complain(`${file.name} is larger than ${LARGEST / 1000} kB, which no puzzle is.`);
    else await this.openText(decoded(await file.arrayBuffer()), file.name);
    this.file.value = "";
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
    this.kinds.querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    refill(this.list, ...this.#pack.map(({ name }) => el("option", {}, name)));
    this.list.selectedIndex = index;
    this.dispatchEvent(new Event("pick"));
  }
}
