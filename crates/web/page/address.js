// The address of what is on the page: the tab, the kind and the puzzle. So a reload shows the same, and Back goes back.
//
// `#play/flow/flow-seven` is a puzzle that ships, `#solve/gate/~…` a board that was pasted, packed into the address. A link that was
// shared (share.js) also holds the steps.

import { pack, unpack } from "./share.js";

/** @import { Puzzle } from "./game.js" */

/** @typedef {{ tab: string, kind: string, ships: string | null, puzzle: Puzzle | null }} Place */

/** @param {string} tab @param {Puzzle} puzzle */
export async function write(tab, puzzle) {
  const { kind, text, name, ships } = puzzle;
  return `#${tab}/${encodeURIComponent(kind)}/${ships ? encodeURIComponent(ships) : `~${await pack({ text, name })}`}`;
}

/** The place that an address names; nothing if it names none. @param {string} fragment @returns {Promise<Place | null>} */
export async function read(fragment) {
  const [, tab, kind, rest] = /^#(\w+)\/([\w%-]+)\/([\w~%.-]+)$/.exec(fragment) ?? [];
  if (!tab || !kind || !rest) return null;
  const place = { tab, kind: decodeURIComponent(kind) };
  if (!rest.startsWith("~")) return { ...place, ships: decodeURIComponent(rest), puzzle: null };
  const said = await unpack(rest.slice(1));
  if (typeof said?.text !== "string") return null;
  return { ...place, ships: null, puzzle: { kind: place.kind, text: said.text, name: String(said.name ?? "puzzle") } };
}
