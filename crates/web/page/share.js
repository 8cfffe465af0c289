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

/** Something as letters that may stand in an address. @param {unknown} what @returns {Promise<string>} */
export async function pack(what) {
  return encode(await squeeze(JSON.stringify(what), "deflate-raw", false));
}

/** What was packed; nothing if it is none of ours. @param {string} packed @returns {Promise<any>} */
export async function unpack(packed) {
  if (packed.length > LONGEST) return null;
  try {
    return JSON.parse(new TextDecoder().decode(await squeeze(decode(packed), "deflate-raw", true)));
  } catch {
    return null;
  }
}

/**
 * @param {{ kind: string, text: string, name: string, steps: string[] }} game
 * @returns {Promise<string>}
 */
export async function toLink({ kind, text, name, steps }) {
  return `${location.origin}${location.pathname}#${encodeURIComponent(kind)}.${await pack({ text, name, steps })}`;
}

/**
 * The game of a link, or nothing if it is none of ours.
 * @param {string} fragment
 * @returns {Promise<{ kind: string, text: string, name: string, steps: string[] } | null>}
 */
export async function fromLink(fragment) {
  const [, kind, packed] = /^#([^./]+)\.([\w-]+)$/.exec(fragment) ?? [];
  const said = kind && packed ? await unpack(packed) : null;
  if (!kind || typeof said?.text !== "string") return null;
  const steps = Array.isArray(said.steps) ? said.steps.filter((/** @type {unknown} */ s) => typeof s === "string") : [];
  return { kind: decodeURIComponent(kind), text: said.text, name: String(said.name ?? "shared puzzle"), steps };
}
