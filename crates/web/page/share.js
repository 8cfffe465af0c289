// A game as a link. The board and the steps are in the fragment of the address, which is never sent to a server.

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

/** The most characters of a link. It is enough for boards. */
const LONGEST = 64_000;

/** Packs a value into characters that are valid in an address. @param {unknown} what @returns {Promise<string>} */
export async function pack(what) {
  return encode(await squeeze(JSON.stringify(what), "deflate-raw", false));
}

/** Unpacks a value; null if the text is not valid. @param {string} packed @returns {Promise<any>} */
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
 * The game of a link, or null if the link is not valid.
 * @param {string} fragment
 * @returns {Promise<{ kind: string, text: string, name: string, steps: string[] } | null>}
 */
export async function fromLink(fragment) {
  const [, kind, packed] = /^#([^./]+)\.([\w-]+)$/.exec(fragment) ?? [];
  const content = kind && packed ? await unpack(packed) : null;
  if (!kind || typeof content?.text !== "string") return null;
  const steps = Array.isArray(content.steps) ? content.steps.filter((/** @type {unknown} */ s) => typeof s === "string") : [];
  return { kind: decodeURIComponent(kind), text: content.text, name: String(content.name ?? "shared puzzle"), steps };
}
