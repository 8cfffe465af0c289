// What the browser remembers of each puzzle: the game as it was left, the best own solution, the length of a shortest one.

/** @import { Puzzle } from "./game.js" */

/** `best` is the player's own best, `shortest` the proved optimum; both count what the kind is measured by. */
/** @typedef {{ best?: number, shortest?: number, steps?: string[] }} Memory */

/** Begins the names of everything that the page keeps. */
const PREFIX = "beeline.";
/** Games longer than this are not kept: the browser's store is small. */
const LONGEST = 5000;

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
  if ((memory.steps?.length ?? 0) === 0 || (memory.steps?.length ?? 0) > LONGEST) delete memory.steps;
  try {
    if (Object.keys(memory).length === 0) localStorage.removeItem(key(puzzle));
    else localStorage.setItem(key(puzzle), JSON.stringify(memory));
  } catch { /* a browser that keeps nothing: the game goes on without */ }
}
