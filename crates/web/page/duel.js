// Two strategies on the same board, side by side: both show their progress after the same number of expansions.

import { search } from "./api.js";
import { Board } from "./board.js";
import { announce, button, commas, el, field, plural, refill } from "./dom.js";
import { Graph } from "./graph.js";
import { layout } from "./layout.js";
import { promise } from "./solve.js";
import { DUPLICATE, KEEP, PRUNE, Trace } from "./trace.js";

/** @import { Catalog, Job, Position, Scene } from "./api.js" */
/** @import { Done } from "./trace.js" */

/** Seconds that the longer of the two searches takes to play back at speed 1. */
const SECONDS = 10;
/** The least playback rate, in expansions per second. */
const SLOWEST = 4;
/** The default strategies. */
const USUAL = ["bfs", "astar"];

/** Totals up to the end of an expansion. @typedef {{ kept: number, duplicates: number, pruned: number }} Sum */

/** One of the two searches. */
class Side {
  /** @type {Trace | null} */
  trace = null;
  /** @type {Done | null} */
  done = null;
  /** @type {Sum[]} */
  #sums = [];

  /** @param {string} side @param {Catalog} catalog @param {string} usual @param {() => void} changed */
  constructor(side, catalog, usual, changed) {
    this.choice = el("select", { id: `duel-${side}`, onchange: changed },
      ...catalog.strategies.map(({ name, title }) => el("option", { value: name, selected: name === usual }, `${name} · ${title}`)));
    this.graph = new Graph();
    this.graph.top.setAttribute("aria-label", `The states of the ${side} search, painted in the order in which they were expanded`);
    this.board = new Board(`The state at work in the ${side} search`, true);
    this.board.element.classList.add("small");
    this.figures = el("dl", { class: "figures" });
    this.result = el("p", { class: "message" });
    this.element = el("section", { class: "duel-side", "aria-label": `${side} search` },
      field(side === "left" ? "Left" : "Right", this.choice), this.graph.element, this.board.element, this.figures, this.result);
  }

  get expansions() {
    return this.trace?.expansions.length ?? 0;
  }

  /** @param {Scene} scene */
  clear(scene) {
    this.trace = null;
    this.done = null;
    const empty = new Trace(scene);
    this.graph.show(empty, layout(empty));
    this.board.show(scene);
    refill(this.figures);
    this.result.textContent = "Searching …";
  }

  /** @param {Scene} scene @param {Position & Job} job @param {AbortSignal} signal */
  async run(scene, job, signal) {
    const trace = new Trace(scene);
    /** @type {Done} */
    const done = await search("watch", { ...job, strategy: this.choice.value }, (event, data) => {
      if (event === "trace") trace.add(data);
    }, signal);
    Object.assign(this, { trace, done });
    this.#sums = sums(trace);
    this.graph.show(trace, layout(trace));
  }

  /** Shows the search after a number of expansions. @param {number} expansions */
  goTo(expansions) {
    const { trace, done } = this;
    if (!trace || !done) return;
    const count = Math.min(expansions, this.expansions);
    const end = count === this.expansions;
    const state = count > 0 ? trace.subject(trace.expansions[count - 1] ?? 0) : -1;
    this.graph.path = end ? done.path.flatMap((stop) => (stop.state === null ? [] : [stop.state])) : [];
    this.graph.goTo(end ? trace.events.length : trace.expansions[count] ?? 0, state);
    const scene = state >= 0 ? trace.scene(state) : trace.start;
    if (scene) this.board.show(scene);
    const { kept, duplicates, pruned } = this.#sums[count - 1] ?? { kept: 0, duplicates: 0, pruned: 0 };
    const figures = { expanded: count, new: kept, "seen before": duplicates, pruned, waiting: trace.waiting[count - 1] ?? 0, depth: state >= 0 ? trace.event(trace.expansions[count - 1] ?? 0)[2] : 0 };
    refill(this.figures, ...Object.entries(figures).map(([word, n]) => el("div", {}, el("dt", {}, word), el("dd", { "data-figure": word }, commas(n)))));
    this.result.textContent = end ? this.#words(done) : "";
  }

  /** @param {Done} done */
  #words(done) {
    if (done.full) return `The picture is full: ended after ${plural(this.expansions, "expansion")}.`;
    return done.plan ? `${plural(done.plan.steps.length, "step")} after ${plural(this.expansions, "expansion")}, ${promise(done)}` : promise(done);
  }
}

/** @param {Trace} trace */
function sums(trace) {
  /** @type {Sum[]} */
  const all = [];
  let sum = { kept: 0, duplicates: 0, pruned: 0 };
  let next = 1;
  for (let event = trace.expansions[0] ?? 0; event < trace.events.length; event += 1) {
    if (event === trace.expansions[next]) {
      all.push(sum);
      sum = { ...sum };
      next += 1;
    }
    const [code] = trace.event(event);
    if (code === KEEP) sum.kept += 1;
    else if (code === DUPLICATE) sum.duplicates += 1;
    else if (code === PRUNE) sum.pruned += 1;
  }
  all.push(sum);
  return all;
}

export class Duel {
  #at = 0;
  #running = false;
  #before = 0;

  /** @param {Catalog} catalog */
  constructor(catalog) {
    const again = () => this.restart();
    this.sides = [new Side("left", catalog, USUAL[0] ?? "", again), new Side("right", catalog, USUAL[1] ?? "", again)];
    this.auto = button("▶", () => this.#toggle(), { class: "quiet", "aria-label": "Play both searches", id: "duel-auto", disabled: true });
    this.slider = el("input", { type: "range", min: 0, max: 0, value: 0, id: "duel-slider", "aria-label": "Expansions of both searches", oninput: () => this.#goTo(this.slider.valueAsNumber) });
    this.speed = el("select", { "aria-label": "Speed of both searches" }, ...[0.1, 0.25, 1, 4].map((x) => el("option", { value: x, selected: x === 1 }, `${x}×`)));
    this.element = el("div", { class: "card duel" }, el("h2", {}, "Side by side"),
      el("div", { class: "duel-sides" }, ...this.sides.map(({ element }) => element)),
      el("div", { class: "player" },
        button("‹", () => this.#goTo(this.#at - 1), { class: "quiet", "aria-label": "One expansion back" }), this.auto,
        button("›", () => this.#goTo(this.#at + 1), { class: "quiet", "aria-label": "One expansion on" }), this.slider, this.speed));
  }

  /** Runs both searches from a position with a job's settings. @param {Scene} scene @param {Position & Job} job */
  run(scene, job) {
    this.request = { scene, job };
    return this.restart();
  }

  stop() {
    this.control?.abort();
    this.#running = false;
    this.#showToggle();
  }

  async restart() {
    this.stop();
    if (!this.request) return;
    const { scene, job } = this.request;
    const control = new AbortController();
    this.control = control;
    this.auto.disabled = true;
    this.#at = 0;
    for (const side of this.sides) side.clear(scene);
    await Promise.all(this.sides.map(async (side) => {
      try {
        await side.run(scene, job, control.signal);
      } catch (error) {
        if (control === this.control) side.result.textContent = control.signal.aborted ? "Stopped." : /** @type {Error} */ (error).message;
      }
    }));
    if (control !== this.control || control.signal.aborted) return;
    this.slider.max = String(this.#longest());
    this.auto.disabled = this.#longest() === 0;
    announce(this.sides.map(({ choice, expansions, done }) => `${choice.value}: ${plural(expansions, "expansion")}${done?.plan ? `, ${plural(done.plan.steps.length, "step")}` : ""}`).join("; "));
    this.#goTo(0);
    if (!this.auto.disabled) this.#toggle();
  }

  #longest() {
    return Math.max(...this.sides.map(({ expansions }) => expansions));
  }

  #toggle() {
    this.#running = !this.#running;
    this.#showToggle();
    if (!this.#running) return;
    if (this.#at >= this.#longest()) this.#goTo(0);
    this.#before = performance.now();
    requestAnimationFrame((time) => this.#frame(time));
  }

  #showToggle() {
    this.auto.textContent = this.#running ? "❚❚" : "▶";
    this.auto.setAttribute("aria-label", this.#running ? "Pause" : "Play both searches");
  }

  /** @param {number} time */
  #frame(time) {
    if (!this.#running) return;
    const rate = Math.max(SLOWEST, this.#longest() / SECONDS) * Number(this.speed.value);
    const by = Math.floor(((time - this.#before) / 1000) * rate);
    if (by >= 1) {
      this.#before = time;
      this.#goTo(this.#at + by);
    }
    if (this.#at >= this.#longest()) this.#toggle();
    else requestAnimationFrame((next) => this.#frame(next));
  }

  /** @param {number} expansions */
  #goTo(expansions) {
    this.#at = Math.max(0, Math.min(expansions, this.#longest()));
    this.slider.value = String(this.#at);
    for (const side of this.sides) side.goTo(this.#at);
  }
}
