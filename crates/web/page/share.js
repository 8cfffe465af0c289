// A game as a link: the whole board and the steps in the part of the address that is never sent to a server.

/** @param {Uint8Array} bytes */
function encode(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
function decode(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {BlobPart} content @param {"deflate-raw"} format @param {boolean} back */
async function squeeze(content, format, back) {
  const through = back ? new DecompressionStream(format) : new CompressionStream(format);
  const stream = new Blob([content]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Links are for boards, not for books. */
const LONGEST = 64_000;

/**
 * @param {{ kind: string, text: string, name: string, steps: string[] }} game
 * @returns {Promise<string>}
 */
export async function toLink(game) {
  const { kind, text, name, steps } = game;
  const packed = encode(await squeeze(JSON.stringify({ text, name, steps }), "deflate-raw", false));
  return `${location.origin}/#${encodeURIComponent(kind)}.${packed}`;
}

/**
 * The game of a link, or nothing if it is none of ours.
 * @param {string} fragment
 * @returns {Promise<{ kind: string, text: string, name: string, steps: string[] } | null>}
 */
export async function fromLink(fragment) {
  const [, kind, packed] = /^#([^.]+)\.([\w-]+)$/.exec(fragment) ?? [];
  if (!kind || !packed || packed.length > LONGEST) return null;
  try {
    const said = JSON.parse(new TextDecoder().decode(await squeeze(decode(packed), "deflate-raw", true)));
    const steps = Array.isArray(said.steps) ? said.steps.filter((/** @type {unknown} */ s) => typeof s === "string") : [];
    if (typeof said.text !== "string") return null;
    return { kind: decodeURIComponent(kind), text: said.text, name: String(said.name ?? "shared puzzle"), steps };
  } catch {
    return null;
  }
}
