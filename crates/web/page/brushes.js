// The brushes for the boards of each kind, and their notation. A kind that is not listed here is edited as text only.
// The kind's own parser decides whether a board is valid, never this file.

/** @import { Form } from "./api.js" */

/**
 * A board as a grid of words, with the lines around it. A word is the file's notation for a cell.
 * @typedef {{ before: string[], cells: string[][], after: string[] }} Sheet
 */
/**
 * @typedef {{ name: string, look: string, paint: (old: string) => string, alone?: boolean }} Brush
 * `look` is a word that the brush's button shows; `alone` means that only one cell may have it.
 */
/** @typedef {{ ground: "floor" | "wall" | "goal" | "door", piece: string }} Look */
/**
 * `form` is the drawn form of a piece; without it, pieces are blocks.
 * @typedef {{ brushes: Brush[], blank: string, smallest: [number, number], swap?: boolean, form?: (piece: string) => Form,
 *   read: (text: string) => Sheet | null, write: (sheet: Sheet) => string, look: (word: string) => Look,
 *   fresh: (width: number, height: number) => Sheet }} Editor
 */

/** @param {number} width @param {number} height @param {(x: number, y: number) => string} word @returns {string[][]} */
function grid(width, height, word) {
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => word(x, y)));
}

/** Pads rows to equal length. @param {string[][]} rows @param {string} blank */
function square(rows, blank) {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => blank)]);
}

/** The lines of a file, without an empty last line. @param {string} text */
function lines(text) {
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

/**
 * An editor for boards with one character per cell. Lines around the rows for which `isRow` holds are kept unchanged.
 * @param {(line: string) => boolean} isRow @param {string} blank
 */
function characters(isRow, blank) {
  return {
    /** @param {string} text @returns {Sheet | null} */
    read(text) {
      const all = lines(text);
      const first = all.findIndex(isRow);
      if (first < 0) return null;
      const beyond = all.slice(first).findIndex((line) => !isRow(line));
      const end = beyond < 0 ? all.length : first + beyond;
      const rows = all.slice(first, end).map((line) => [...line]);
      return { before: all.slice(0, first), cells: square(rows, blank), after: all.slice(end) };
    },
    /** @param {Sheet} sheet */
    write: ({ before, cells, after }) => `${[...before, ...cells.map((row) => row.join("")), ...after].join("\n")}\n`,
  };
}

/** An empty board with walls around it. @param {string} wall @param {string} open */
function room(wall, open) {
  return (/** @type {number} */ width, /** @type {number} */ height) => ({
    before: [], after: [],
    cells: grid(width, height, (x, y) => (x === 0 || y === 0 || x === width - 1 || y === height - 1 ? wall : open)),
  });
}

const DIGITS = [..."0123456789"];

/** `G` is a bare goal, `H` to `Q` a goal under piece 0 to 9. @param {string} word @returns {Look} */
function gateLook(word) {
  if (word === "#") return { ground: "wall", piece: "" };
  if (word === "G") return { ground: "goal", piece: "" };
  if (/[H-Q]/.test(word)) return { ground: "goal", piece: String(word.charCodeAt(0) - 72) };
  return { ground: "floor", piece: DIGITS.includes(word) ? word : "" };
}

/** @param {Look} look */
function gateWord({ ground, piece }) {
  if (ground === "goal") return piece === "" ? "G" : String.fromCharCode(72 + Number(piece));
  return piece || " ";
}

/** @type {Editor} */
const gate = {
  ...characters(() => true, "#"),
  blank: " ", smallest: [3, 3], look: gateLook, fresh: room("#", " "),
  brushes: [
    { name: "open", look: " ", paint: () => " " },
    { name: "wall", look: "#", paint: () => "#" },
    { name: "goal", look: "G", paint: (old) => gateWord({ ...gateLook(old), ground: gateLook(old).ground === "goal" ? "floor" : "goal" }) },
    ...DIGITS.map((digit) => ({ name: `piece ${digit}`, look: digit, paint: (/** @type {string} */ old) => gateWord({ ground: gateLook(old).ground, piece: digit }) })),
  ],
};

/** @type {Record<string, Look>} */
const SOKOBAN = {
  "#": { ground: "wall", piece: "" }, ".": { ground: "goal", piece: "" }, $: { ground: "floor", piece: "□" },
  "*": { ground: "goal", piece: "□" }, "@": { ground: "floor", piece: "☺" }, "+": { ground: "goal", piece: "☺" },
};

/** @param {string} word @returns {Look} */
const sokobanLook = (word) => SOKOBAN[word] ?? { ground: "floor", piece: "" };

/** @param {Look} look */
function sokobanWord(look) {
  return Object.keys(SOKOBAN).find((word) => SOKOBAN[word]?.ground === look.ground && SOKOBAN[word]?.piece === look.piece) ?? " ";
}

/** @param {string} old @param {Partial<Look>} change */
const onSokoban = (old, change) => sokobanWord({ ...sokobanLook(old === "#" ? " " : old), ...change });

/** @type {Editor} */
const sokoban = {
  ...characters((line) => /#/.test(line) && /^[ #.$*@+_-]+$/.test(line), " "),
  blank: " ", smallest: [3, 3], look: sokobanLook, form: (piece) => (piece === "☺" ? "player" : "crate"), fresh: room("#", " "),
  brushes: [
    { name: "floor", look: " ", paint: () => " " },
    { name: "wall", look: "#", paint: () => "#" },
    { name: "goal", look: ".", paint: (old) => onSokoban(old, { ground: sokobanLook(old).ground === "goal" ? "floor" : "goal" }) },
    { name: "box", look: "$", paint: (old) => onSokoban(old, { piece: "□" }) },
    { name: "player", look: "@", paint: (old) => onSokoban(old, { piece: "☺" }), alone: true },
  ],
};

/** @type {Editor} */
const flow = {
  ...characters((line) => /^[^\s:;]+$/.test(line), "."),
  blank: ".", smallest: [2, 2], form: () => "dot",
  look: (word) => (word === "#" ? { ground: "wall", piece: "" } : { ground: "floor", piece: /[\w]/.test(word) && word !== "_" ? word : "" }),
  fresh: (width, height) => ({ before: [], after: [], cells: grid(width, height, () => ".") }),
  brushes: [
    { name: "free", look: ".", paint: () => "." },
    { name: "wall", look: "#", paint: () => "#" },
    ...[..."RGBYOCMPAWmgb"].map((letter) => ({ name: letter, look: letter, paint: () => letter })),
  ],
};

/** @type {Editor} */
const tiles = {
  read(text) {
    const all = lines(text);
    const isRow = (/** @type {string} */ line) => /^[\s\d,]+$/.test(line) && /\d/.test(line);
    const first = all.findIndex(isRow);
    if (first < 0) return null;
    let rows = all.slice(first).filter(isRow).map((line) => line.split(/[\s,]+/).filter(Boolean));
    const [single] = rows;
    const side = Math.sqrt(single?.length ?? 0);
    if (rows.length === 1 && single && Number.isInteger(side)) rows = grid(side, side, (x, y) => single[y * side + x] ?? "0");
    return { before: all.slice(0, first), cells: square(rows, "0"), after: [] };
  },
  write: ({ before, cells }) => `${[...before, ...cells.map((row) => row.map((word) => word.padStart(2)).join(" "))].join("\n")}\n`,
  blank: "0", smallest: [2, 2], swap: true, form: () => "tile",
  look: (word) => ({ ground: "floor", piece: word === "0" ? "" : word }),
  fresh: (width, height) => ({ before: ["goal: blank last"], after: [], cells: grid(width, height, (x, y) => String((y * width + x + 1) % (width * height))) }),
  brushes: [],
};

/** A number and, after a slash, the cell's value in the second matrix. @param {string} word */
const halves = (word) => word.split("/");

/** @type {Editor} */
const bricks = {
  read(text) {
    const rows = lines(text).map((line) => line.split(",").map((word) => word.trim()).filter(Boolean)).filter((row) => row.length > 0);
    const [width, height] = (rows.shift() ?? []).map(Number);
    if (!width || !height || rows.length < height) return null;
    const cells = square(rows.slice(0, height), "0");
    const wanted = rows.slice(height);
    return { before: [], after: [], cells: cells.map((row, y) => row.map((word, x) => {
      const want = wanted[y]?.[x] ?? "0";
      return want === "0" ? word : `${word}/${want}`;
    })) };
  },
  write({ cells }) {
    const matrix = (/** @type {0 | 1} */ half) => cells.map((row) => `${row.map((word) => halves(word)[half] ?? "0").join()},`);
    const wanted = cells.some((row) => row.some((word) => word.includes("/")));
    return `${[`${cells[0]?.length ?? 0},${cells.length},`, ...matrix(0), ...(wanted ? matrix(1) : [])].join("\n")}\n`;
  },
  blank: "0", smallest: [2, 2],
  look(word) {
    const [number = "0", want] = halves(word);
    const ground = number === "1" ? "wall" : number === "-1" || want ? "goal" : number === "-2" ? "door" : "floor";
    return { ground, piece: Number(number) >= 2 ? number : "" };
  },
  fresh: room("1", "0"),
  brushes: [
    { name: "free", look: "0", paint: () => "0" },
    { name: "wall", look: "1", paint: () => "1" },
    { name: "goal for the master only", look: "-1", paint: () => "-1" },
    { name: "door", look: "-2", paint: () => "-2" },
    { name: "target inside", look: "0/2", paint: (old) => (old.includes("/") ? halves(old)[0] ?? "0" : `${old}/2`) },
    ...Array.from({ length: 11 }, (_, i) => String(i + 2)).map((number) => ({
      name: number === "2" ? "master 2" : `brick ${number}`, look: number,
      paint: (/** @type {string} */ old) => [number, ...halves(old).slice(1)].join("/"),
    })),
  ],
};

/** @type {Record<string, Editor>} */
export const EDITORS = { gate, tiles, flow, sokoban, bricks };
