// The address of the page's content: the tab, the kind and the puzzle. So a reload shows the same content, and Back
// works.
//
// `#play/flow/flow-seven` is a shipped puzzle. `#solve/gate/~…` is a pasted board, packed into the address. A shared
// link (share.js) also holds the steps.

import { pack, unpack } from "./share.js";

/** @import { Puzzle } from "./game.js" */

/** @typedef {{ tab: string, kind: string, ships: string | null, puzzle: Puzzle | null }} Place */

/** @param {string} tab @param {Puzzle} puzzle */
export async function write(tab, puzzle) {
  const { kind, text, name, ships } = puzzle;
  return `#${tab}/${encodeURIComponent(kind)}/${ships ? encodeURIComponent(ships) : `~${await pack({ text, name })}`}`;
}

/** Parses an address; null if it is not valid. @param {string} fragment @returns {Promise<Place | null>} */
export async function read(fragment) {
  const [, tab, kind, rest] = /^#(\w+)\/([\w%-]+)\/([\w~%.-]+)$/.exec(fragment) ?? [];
  if (!tab || !kind || !rest) return null;
  const place = { tab, kind: decodeURIComponent(kind) };
  if (!rest.startsWith("~")) return { ...place, ships: decodeURIComponent(rest), puzzle: null };
  const content = await unpack(rest.slice(1));
  if (typeof content?.text !== "string") return null;
  return { ...place, ships: null, puzzle: { kind: place.kind, text: content.text, name: String(content.name ?? "puzzle") } };
}
