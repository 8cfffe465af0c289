// Helpers for the page's canvases: resolution, and the colours of the theme.

/**
 * Fits the canvas resolution to its size on the page. Drawing uses CSS pixels.
 * @param {HTMLCanvasElement} canvas
 */
export function fit(canvas) {
  const { clientWidth, clientHeight } = canvas;
  const ratio = devicePixelRatio || 1;
  const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser cannot draw");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, width: clientWidth, height: clientHeight };
}

/** The theme's colours so far. Reading a style forces a layout, so each colour is read once per theme. @type {Map<string, string>} */
const known = new Map();
document.addEventListener("theme", () => known.clear());

/** A colour of the theme. @param {string} name */
export function themeColour(name) {
  const colour = known.get(name) ?? getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  known.set(name, colour);
  return colour;
}

/** The colour ramp from early to late, as red, green and blue. @type {[number, number, number][]} */
const RAMP = [[74, 58, 168], [42, 135, 181], [53, 176, 122], [242, 199, 68]];
const SHADES = 64;

/** The colour for a position on the ramp. @param {number} share 0 to 1 */
function mix(share) {
  const place = share * (RAMP.length - 1);
  const low = Math.min(Math.floor(place), RAMP.length - 2);
  const [from, to] = [RAMP[low] ?? [0, 0, 0], RAMP[low + 1] ?? [0, 0, 0]];
  const part = from.map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * (place - low)));
  return `rgb(${part.join()})`;
}

const SHADE = Array.from({ length: SHADES }, (_, i) => mix(i / (SHADES - 1)));

/** The nearest precomputed colour for a position between 0 and 1. @param {number} share */
export function shade(share) {
  return SHADE[Math.min(SHADES - 1, Math.max(0, Math.floor(share * SHADES)))] ?? "#000";
}
