// The browser's memory of each puzzle: the unfinished game, the player's best solution, the length of a shortest one.
// It can be exported as text: one line of JSON per puzzle under a title line.

/** @import { Puzzle } from "./game.js" */

/** `best` is the player's best score, `solution` its steps, `shortest` the proved optimum. Scores count moves or steps. */
/** @typedef {{ best?: number, shortest?: number, steps?: string[], solution?: string[] }} Memory */

/** The prefix of all storage keys of the page. */
const PREFIX = "beeline.";
/** The most steps of a stored game, because the browser's storage is small. */
const LONGEST = 5000;
/** The title line of exported progress. */
const TITLE = "Beeline progress 1";

/** A stable hash of a text. @param {string} text */
function hash(text) {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  return ((high >>> 0) * 2 ** 21 + (low >>> 11)).toString(36);
}

/** @param {Puzzle} puzzle */
function key({ kind, text }) {
  return `${PREFIX}${kind}.${hash(text.trim())}`;
}

/** The memory of a puzzle. @param {Puzzle} puzzle @returns {Memory} */
export function recall(puzzle) {
  try {
    return JSON.parse(localStorage.getItem(key(puzzle)) ?? "{}") ?? {};
  } catch {
    // The browser has no storage, or the stored text is not ours.
    return {};
  }
}

/** Adds to the memory of a puzzle. @param {Puzzle} puzzle @param {Memory} news */
export function remember(puzzle, news) {
  const memory = { ...recall(puzzle), ...news };
  keep(key(puzzle), memory);
}

/** @param {string} name @param {Memory} memory */
function keep(name, memory) {
  for (const part of /** @type {const} */ (["steps", "solution"])) {
    const length = memory[part]?.length ?? 0;
    if (length === 0 || length > LONGEST) delete memory[part];
  }
  try {
    if (Object.keys(memory).length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(memory));
  } catch { /* a browser that keeps nothing: the game goes on without */ }
}

/** Exports the whole memory as text. */
export function exported() {
  const lines = [];
  try {
    for (const name of Object.keys(localStorage).sort()) {
      const memory = name.startsWith(PREFIX) ? parsed(localStorage.getItem(name)) : null;
      if (memory) lines.push(JSON.stringify({ puzzle: name.slice(PREFIX.length), ...memory }));
    }
  } catch { /* a browser that keeps nothing has nothing to give */ }
  return [TITLE, ...lines, ""].join("\n");
}

/** Imports progress from text and keeps the better of two solutions. Returns the number of puzzles, or null if the text is not progress. @param {string} text */
export function imported(text) {
  const [title, ...lines] = text.trim().split(/\r?\n/);
  if (title?.trim() !== TITLE) return null;
  let count = 0;
  for (const line of lines) {
    const { puzzle, news } = named(line);
    if (!news) continue;
    const name = PREFIX + puzzle;
    const old = parsed(localStorage.getItem(name)) ?? {};
    const better = old.best === undefined || (news.best !== undefined && news.best < old.best);
    const best = better ? { best: news.best, solution: news.solution } : { best: old.best, solution: old.solution };
    /** @type {Memory} */
    const memory = { ...news, ...old, ...best };
    for (const [part, value] of Object.entries(memory)) if (value === undefined) delete memory[/** @type {keyof Memory} */ (part)];
    keep(name, memory);
    count += 1;
  }
  return count;
}

/** Parses a line of progress. @param {string} line @returns {{ puzzle: string, news: Memory | null }} */
function named(line) {
  let puzzle = "";
  try {
    ({ puzzle } = JSON.parse(line));
  } catch { /* a line that is none of ours */ }
  return { puzzle, news: /^[a-z]+\.[0-9a-z]+$/.test(puzzle) ? parsed(line) : null };
}

/** Parses the memory of a puzzle and drops invalid parts. @param {string | null} text @returns {Memory | null} */
function parsed(text) {
  try {
    const data = JSON.parse(text ?? "null");
    if (typeof data !== "object" || data === null) return null;
    /** @type {Memory} */
    const memory = {};
    for (const part of /** @type {const} */ (["best", "shortest"])) if (Number.isSafeInteger(data[part]) && data[part] >= 0) memory[part] = data[part];
    for (const part of /** @type {const} */ (["steps", "solution"])) {
      if (Array.isArray(data[part]) && data[part].every((/** @type {unknown} */ step) => typeof step === "string")) memory[part] = data[part];
    }
    return memory;
  } catch {
    return null;
  }
}
