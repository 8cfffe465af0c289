// What the browser remembers of each puzzle: the game as it was left, the best own solution, the length of a shortest one. All of it can
// be taken away as text: a line of JSON a puzzle under a first line that says what it is.

/** @import { Puzzle } from "./game.js" */

/** `best` is the player's own best and `solution` its steps, `shortest` the proved optimum; numbers count what the kind is measured by. */
/** @typedef {{ best?: number, shortest?: number, steps?: string[], solution?: string[] }} Memory */

/** Begins the names of everything that the page keeps. */
const PREFIX = "beeline.";
/** Games longer than this are not kept: the browser's store is small. */
const LONGEST = 5000;
/** The first line of progress as text. */
const TITLE = "Beeline progress 1";

/** A number for a text, the same each time. @param {string} text */
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

/** What is known of a puzzle. @param {Puzzle} puzzle @returns {Memory} */
export function recall(puzzle) {
  try {
    return JSON.parse(localStorage.getItem(key(puzzle)) ?? "{}") ?? {};
  } catch {
    // A browser that keeps nothing, or keeps what is not ours.
    return {};
  }
}

/** Adds to what is known of a puzzle. @param {Puzzle} puzzle @param {Memory} news */
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

/** Everything that is kept, as text. */
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

/** Adds progress as text to what is kept; of two bests the better one stays. Gives how many puzzles were read, or nothing if it is no such text. @param {string} text */
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

/** A line of progress. @param {string} line @returns {{ puzzle: string, news: Memory | null }} */
function named(line) {
  let puzzle = "";
  try {
    ({ puzzle } = JSON.parse(line));
  } catch { /* a line that is none of ours */ }
  return { puzzle, news: /^[a-z]+\.[0-9a-z]+$/.test(puzzle) ? parsed(line) : null };
}

/** What a text says of a puzzle, as far as it makes sense. @param {string | null} text @returns {Memory | null} */
function parsed(text) {
  try {
    const said = JSON.parse(text ?? "null");
    if (typeof said !== "object" || said === null) return null;
    /** @type {Memory} */
    const memory = {};
    for (const part of /** @type {const} */ (["best", "shortest"])) if (Number.isSafeInteger(said[part]) && said[part] >= 0) memory[part] = said[part];
    for (const part of /** @type {const} */ (["steps", "solution"])) {
      if (Array.isArray(said[part]) && said[part].every((/** @type {unknown} */ step) => typeof step === "string")) memory[part] = said[part];
    }
    return memory;
  } catch {
    return null;
  }
}
