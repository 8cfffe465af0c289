// Small line charts on canvas.

import { fit, themeColour } from "./canvas.js";
import { commas, el } from "./dom.js";

/** @typedef {{ name: string, colour: string, values: ArrayLike<number> }} Line */

const PAD = { left: 44, right: 10, top: 20, bottom: 20 };

export class Chart {
  /** @type {Line[]} */
  #lines = [];
  #cursor = -1;
  /** The last drawn position of the cursor, in pixels. */
  #drawn = -1;

  /** @param {string} title @param {string} unit the unit of the horizontal axis */
  constructor(title, unit) {
    this.unit = unit;
    this.canvas = el("canvas", { class: "chart", role: "img", "aria-label": title });
    this.title = title;
    this.element = el("div", {}, el("h2", {}, title), this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    document.addEventListener("theme", () => this.draw());
  }

  /** @param {Line[]} lines */
  show(lines) {
    this.#lines = lines;
    const ends = lines.map(({ name, values }) => `${name} up to ${commas(highest(values))}`);
    this.canvas.setAttribute("aria-label", `${this.title}: ${ends.join(", ")}`);
    this.draw();
  }

  /** @param {number} at */
  point(at) {
    this.#cursor = at;
    if (Math.round(this.#x(at)) !== this.#drawn) this.draw();
  }

  get #length() {
    return Math.max(0, ...this.#lines.map(({ values }) => values.length));
  }

  /** @param {number} i */
  #x(i) {
    const wide = this.canvas.clientWidth - PAD.left - PAD.right;
    return PAD.left + (this.#length > 1 ? (i / (this.#length - 1)) * wide : 0);
  }

  draw() {
    const { context, width, height } = fit(this.canvas);
    context.clearRect(0, 0, width, height);
    const length = this.#length;
    if (length === 0) return;
    const top = Math.max(1, ...this.#lines.map(({ values }) => highest(values)));
    const [wide, high] = [width - PAD.left - PAD.right, height - PAD.top - PAD.bottom];
    const x = (/** @type {number} */ i) => this.#x(i);
    this.#drawn = Math.round(this.#x(this.#cursor));
    const y = (/** @type {number} */ value) => PAD.top + high * (1 - value / top);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = themeColour("faint");
    context.strokeStyle = themeColour("line");
    context.textAlign = "right";
    for (const value of [0, top / 2, top]) {
      context.beginPath();
      context.moveTo(PAD.left, y(value));
      context.lineTo(width - PAD.right, y(value));
      context.stroke();
      context.fillText(commas(value), PAD.left - 6, y(value) + 4);
    }
    context.fillText(`${commas(length - 1)} ${this.unit}`, width - PAD.right, height - 5);
    this.#trace(context, x, y, wide);
    if (this.#cursor >= 0 && this.#cursor < length) {
      context.strokeStyle = themeColour("ink");
      context.beginPath();
      context.moveTo(x(this.#cursor), PAD.top);
      context.lineTo(x(this.#cursor), PAD.top + high);
      context.stroke();
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(i: number) => number} x @param {(value: number) => number} y @param {number} wide
   */
  #trace(context, x, y, wide) {
    let label = PAD.left;
    context.textAlign = "left";
    for (const { name, colour, values } of this.#lines) {
      context.strokeStyle = themeColour(colour);
      context.fillStyle = themeColour(colour);
      context.lineWidth = 1.8;
      context.beginPath();
      // Draws no more points than pixels.
      const stride = Math.max(1, Math.floor(values.length / Math.max(1, wide)));
      for (let i = 0; i < values.length; i += stride) context.lineTo(x(i), y(values[i] ?? 0));
      context.lineTo(x(values.length - 1), y(values[values.length - 1] ?? 0));
      context.stroke();
      context.fillText(name, label, 12);
      label += context.measureText(name).width + 16;
    }
    context.lineWidth = 1;
  }
}

/** @param {ArrayLike<number>} values */
function highest(values) {
  let most = 0;
  for (let i = 0; i < values.length; i += 1) most = Math.max(most, values[i] ?? 0);
  return most;
}
