// Creates and finds elements. Text stays text: nothing on the page turns a string into markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Sets attributes. Functions become listeners, and `true` becomes an empty attribute. `false`, null and undefined are ignored.
 * @param {Element} element @param {Attributes} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
}

/** @param {Element} element @param {Child[]} children */
function fill(element, children) {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {Child[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  fill(element, children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {Child[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  fill(element, children);
  return element;
}

/**
 * The element with this id, which must exist.
 * @param {string} id @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no ${id}`);
  return element;
}

/** @param {Element} element @param {Child[]} children */
export function refill(element, ...children) {
  element.replaceChildren();
  fill(element, children);
}

/**
 * A button.
 * @param {string} text @param {() => void} act @param {Attributes} [attributes]
 */
export function button(text, act, attributes = {}) {
  return el("button", { type: "button", onclick: act, ...attributes }, text);
}

/**
 * A labelled control.
 * @param {string} text @param {HTMLElement} control @param {string} [hint]
 */
export function field(text, control, hint) {
  return el("label", { class: "field", title: hint }, el("span", {}, text), control);
}

/**
 * Announces a text to screen readers.
 * @param {string} text
 */
export function announce(text) {
  byId("said").textContent = text;
}

/**
 * Shows an error at the top of the page. An empty text removes it.
 * @param {string} text
 */
export function showError(text) {
  const place = byId("trouble");
  place.textContent = text;
  place.hidden = text === "";
}

/**
 * Offers a file for download.
 * @param {string} name @param {Blob} content
 */
export function download(name, content) {
  const address = URL.createObjectURL(content);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A whole number with digit grouping. @param {number} n */
export function commas(n) {
  return Math.round(n).toLocaleString("en");
}

/** @param {number} n */
export function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) {
    n /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? n : n.toFixed(1)} ${units[unit]}`;
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 1) return `${(seconds * 1000).toFixed(1)} ms`;
  return `${seconds.toFixed(2)} s`;
}

/** "1 step", "2 steps". @param {number} n @param {string} what */
export function plural(n, what) {
  return `${commas(n)} ${what}${n === 1 ? "" : "s"}`;
}
