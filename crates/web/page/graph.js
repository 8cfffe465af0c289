// The states of a search on a canvas, painted in the order of their expansion. Going forward paints only new states.
// Going back, zooming and moving repaint everything, which is up to some ten thousand dots.

import { fit, shade, themeColour } from "./canvas.js";
import { el } from "./dom.js";

/** @import { Places } from "./layout.js" */
/** @import { Trace } from "./trace.js" */

/** With more states than this, lines are drawn only from the zoom `CLOSE` on. Otherwise they would hide everything. */
const CROWD = 20_000;
const CLOSE = 4;

/** Dispatches `pick` with the number of a clicked state. */
export class Graph extends EventTarget {
  /** @type {Trace | null} */
  trace = null;
  /** @type {Places | null} */
  places = null;
  /** The states of the plan. @type {number[]} */
  path = [];
  /** The number of painted events. */
  #painted = 0;
  #event = 0;
  #zoom = 1;
  #shift = { x: 0, y: 0 };
  #current = -1;
  /** @type {Map<number, PointerEvent>} */
  #pointers = new Map();
  #dragged = false;

  constructor() {
    super();
    this.dots = el("canvas", { "aria-hidden": "true" });
    this.top = el("canvas", { role: "img", "aria-label": "The states of the search, painted in the order in which they were expanded", tabindex: 0 });
    Object.assign(this.top.style, { position: "absolute", inset: "0 0 auto 0" });
    this.element = el("div", {}, this.dots, this.top);
    this.element.style.position = "relative";
    new ResizeObserver(() => this.redraw()).observe(this.element);
    document.addEventListener("theme", () => this.redraw());
    this.top.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY / 400));
    }, { passive: false });
    this.top.addEventListener("pointerdown", (event) => this.#down(event));
    this.top.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      this.top.addEventListener(end, (event) => this.#up(/** @type {PointerEvent} */ (event)));
    }
    this.top.addEventListener("keydown", (event) => {
      const factor = { "+": 1.3, "=": 1.3, "-": 1 / 1.3 }[event.key];
      if (factor) this.#zoomAt(this.top.clientWidth / 2, this.top.clientHeight / 2, factor);
      if (event.key === "0") this.home();
    });
  }

  /** @param {Trace} trace @param {Places} places */
  show(trace, places) {
    Object.assign(this, { trace, places, path: [] });
    this.#current = -1;
    this.#event = 0;
    this.home();
  }

  home() {
    this.#zoom = 1;
    this.#shift = { x: 0, y: 0 };
    this.redraw();
  }

  /** Paints up to an event, and marks the state `current`. @param {number} event @param {number} current */
  goTo(event, current) {
    this.#event = event;
    this.#current = current;
    if (event < this.#painted) this.redraw();
    else {
      this.#paint(this.#painted, event);
      this.#point();
    }
  }

  redraw() {
    const { context, width, height } = fit(this.dots);
    context.clearRect(0, 0, width, height);
    this.#painted = 0;
    this.#paint(0, this.#event);
    this.#point();
  }

  /** The centre and the size of the picture. */
  #frame() {
    const { clientWidth: width, clientHeight: height } = this.dots;
    const size = (Math.min(width, height) / 2 - 22) * this.#zoom;
    return { size, x: width / 2 + this.#shift.x, y: height / 2 + this.#shift.y + 6 };
  }

  /** The radius of a dot. */
  #radius() {
    const count = this.trace?.states ?? 1;
    return Math.max(0.8, Math.min(7, (150 / Math.sqrt(count)) * Math.sqrt(this.#zoom)));
  }

  /** Paints the events of a range. @param {number} from @param {number} to */
  #paint(from, to) {
    const { trace, places } = this;
    if (!trace || !places || to <= from) return;
    const { context, width, height } = fit(this.dots);
    const { size, x, y } = this.#frame();
    const px = (/** @type {number} */ state) => x + size * (places.x[state] ?? 0);
    const py = (/** @type {number} */ state) => y + size * (places.y[state] ?? 0);
    const seen = (/** @type {number} */ state) => px(state) > -9 && py(state) > -9 && px(state) < width + 9 && py(state) < height + 9;
    const radius = this.#radius();
    const dot = (/** @type {number} */ state, /** @type {number} */ r) => {
      if (r < 1.6) context.fillRect(px(state) - r, py(state) - r, 2 * r, 2 * r);
      else {
        context.beginPath();
        context.arc(px(state), py(state), r, 0, 7);
        context.fill();
      }
    };
    const [first, end] = [trace.statesUpTo(from), trace.statesUpTo(to)];
    if (trace.states <= CROWD || this.#zoom >= CLOSE) {
      context.strokeStyle = themeColour("faint");
      context.globalAlpha = Math.max(0.1, Math.min(0.4, 18 / Math.sqrt(trace.states)));
      context.lineWidth = Math.min(1, radius / 2);
      context.beginPath();
      for (let state = first; state < end; state += 1) {
        const above = trace.parent[state] ?? -1;
        if (above < 0 || !(seen(state) || seen(above))) continue;
        context.moveTo(px(above), py(above));
        context.lineTo(px(state), py(state));
      }
      context.stroke();
    }
    context.fillStyle = themeColour("faint");
    context.globalAlpha = 0.55;
    for (let state = first; state < end; state += 1) if (seen(state)) dot(state, radius * 0.62);
    context.globalAlpha = 1;
    const total = Math.max(1, trace.expansions.length - 1);
    let colour = "";
    for (let i = trace.expansionsUpTo(from - 1); i < trace.expansionsUpTo(to - 1); i += 1) {
      const state = trace.subject(trace.expansions[i] ?? 0);
      const next = shade(i / total);
      if (next !== colour) {
        colour = next;
        context.fillStyle = colour;
      }
      if (seen(state)) dot(state, radius);
    }
    this.#painted = to;
  }

  /** Draws the plan and the current state. They change often, so they have their own canvas. */
  #point() {
    const { context, width, height } = fit(this.top);
    context.clearRect(0, 0, width, height);
    const { places } = this;
    if (!places) return;
    const { size, x, y } = this.#frame();
    const at = (/** @type {number} */ state) => [x + size * (places.x[state] ?? 0), y + size * (places.y[state] ?? 0)];
    if (this.path.length > 1) {
      context.strokeStyle = themeColour("bad");
      context.lineWidth = 2.5;
      context.lineJoin = "round";
      context.beginPath();
      for (const state of this.path) {
        const [px = 0, py = 0] = at(state);
        context.lineTo(px, py);
      }
      context.stroke();
    }
    if (this.#current >= 0) {
      const [px = 0, py = 0] = at(this.#current);
      context.strokeStyle = themeColour("ink");
      context.lineWidth = 2;
      context.beginPath();
      context.arc(px, py, this.#radius() + 4, 0, 7);
      context.stroke();
    }
  }

  /** @param {number} px @param {number} py @param {number} factor */
  #zoomAt(px, py, factor) {
    const zoom = Math.max(0.5, Math.min(60, this.#zoom * factor));
    const real = zoom / this.#zoom;
    const { x, y } = this.#frame();
    this.#shift.x += (px - x) * (1 - real);
    this.#shift.y += (py - y) * (1 - real);
    this.#zoom = zoom;
    this.redraw();
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.top.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, event);
    this.#dragged = false;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const others = [...this.#pointers.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
    this.#pointers.set(event.pointerId, event);
    const [other] = others;
    if (other) {
      const far = (/** @type {PointerEvent} */ one) => Math.hypot(one.offsetX - other.offsetX, one.offsetY - other.offsetY);
      this.#zoomAt(other.offsetX, other.offsetY, far(event) / Math.max(1, far(before)));
    } else {
      this.#shift.x += event.offsetX - before.offsetX;
      this.#shift.y += event.offsetY - before.offsetY;
      this.redraw();
    }
    this.#dragged = true;
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    if (this.#dragged) this.redraw();
    else this.#pick(event.offsetX, event.offsetY);
  }

  /** The nearest painted state. @param {number} px @param {number} py */
  #pick(px, py) {
    const { trace, places } = this;
    if (!trace || !places) return;
    const { size, x, y } = this.#frame();
    let [best, near] = [-1, 16 ** 2];
    for (let state = 0; state < trace.states; state += 1) {
      if ((trace.born[state] ?? 0) >= this.#event) continue;
      const far = (x + size * (places.x[state] ?? 0) - px) ** 2 + (y + size * (places.y[state] ?? 0) - py) ** 2;
      if (far < near) [best, near] = [state, far];
    }
    if (best < 0) return;
    this.#current = best;
    this.#point();
    this.dispatchEvent(new CustomEvent("pick", { detail: best }));
  }
}
