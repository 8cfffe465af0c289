// See: plays a search back on the graph of its states, with the pseudocode, the frontier, the depth, f and h.

import { search, stop } from "./api.js";
import { Board } from "./board.js";
import { Chart } from "./charts.js";
import { announce, button, commas, el, plural, refill, showError } from "./dom.js";
import { Graph } from "./graph.js";
import { layout } from "./layout.js";
import { showRounds } from "./rounds.js";
import { Settings } from "./settings.js";
import { promise } from "./solve.js";
import { StartBoard } from "./start.js";
import { ATOM, DUPLICATE, EXPAND, HAPPENINGS, KEEP, PRUNE, ROUND, Trace } from "./trace.js";

/** @import { Catalog, Strategy } from "./api.js" */
/** @import { Game, Puzzle } from "./game.js" */
/** @import { Done } from "./trace.js" */

/** Seconds that a search takes to play back at speed 1. */
const SECONDS = 12;
/** The least playback rate, in events per second. */
const SLOWEST = 8;

export class See {
  /** @type {Trace | null} */
  trace = null;
  /** @type {Done | null} */
  done = null;
  /** The number of events shown. */
  #at = 0;
  #running = false;
  #before = 0;

  /** @param {HTMLElement} host @param {Game} game @param {Catalog} catalog @param {(puzzle: Puzzle) => void} open opens another board */
  constructor(host, game, catalog, open) {
    this.game = game;
    this.host = host;
    this.start = new StartBoard("see", open);
    this.catalog = catalog;
    this.settings = new Settings("see", catalog, { solvers: false, preferred: "astar" });
    this.graph = new Graph();
    this.board = new Board("the state at work", true);
    this.board.element.classList.add("small");
    this.legend = el("div", { class: "legend" });
    this.go = button("Watch", () => this.run(), { class: "accent", id: "see-go" });
    this.stop = button("Stop", () => this.#stop(), { id: "see-stop", disabled: true });
    this.auto = button("▶", () => this.#toggle(), { class: "quiet", "aria-label": "Play the search", id: "see-auto", disabled: true });
    this.slider = el("input", { type: "range", min: 0, max: 0, value: 0, id: "see-slider", "aria-label": "Moment of the search", oninput: () => this.#goTo(this.slider.valueAsNumber) });
    this.speed = el("select", { "aria-label": "Speed" }, ...[0.1, 0.25, 1, 4].map((x) => el("option", { value: x, selected: x === 1 }, `${x}×`)));
    this.now = el("p", { class: "now", id: "see-now" });
    this.code = el("ol", { class: "code", id: "code", "aria-label": "Pseudocode" });
    this.result = el("p", { class: "message", id: "see-result" });
    this.frontier = new Chart("Frontier over time", "expansions");
    this.depth = new Chart("Depth over time", "expansions");
    this.plan = new Chart("f and h along the plan", "steps");
    this.rounds = el("div", { class: "card", hidden: true });
    refill(host,
      el("div", { class: "side" },
        el("div", { class: "card graph" }, this.graph.element, this.legend,
          el("div", { class: "player" },
            button("‹", () => this.#goTo(this.#at - 1), { class: "quiet", "aria-label": "One event back" }), this.auto,
            button("›", () => this.#goTo(this.#at + 1), { class: "quiet", "aria-label": "One event on" }), this.slider, this.speed)),
        el("div", { class: "card charts" }, this.frontier.element, this.depth.element, this.plan.element), this.rounds),
      el("div", { class: "side" },
        el("div", { class: "card setup" }, this.settings.element, el("div", { class: "buttons" }, this.go, this.stop), this.result),
        el("div", { class: "card" }, this.now, this.board.element), this.start.element,
        el("div", { class: "card" }, el("h2", {}, "Pseudocode"), this.code)));
    this.graph.addEventListener("pick", (event) => this.#look(/** @type {CustomEvent} */ (event).detail));
    this.settings.strategy.addEventListener("change", () => this.#showCode());
    host.addEventListener("open", () => this.#runIfShown());
    game.addEventListener("change", () => {
      if (game.last !== "open" || !game.puzzle) return;
      this.settings.setHeuristics(game.view?.heuristics ?? []);
      this.#forget();
      this.start.setPuzzle(game.puzzle);
      this.#runIfShown();
    });
    this.start.addEventListener("change", () => {
      this.#forget();
      this.#runIfShown();
    });
  }

  #forget() {
    this.control?.abort();
    this.control = undefined;
    this.go.disabled = false;
    this.stop.disabled = true;
    this.#clear();
  }

  /** Runs a search when the tab is shown without one. */
  async #runIfShown() {
    if (this.host.hidden) return;
    await this.start.opened();
    if (this.host.hidden) return;
    this.graph.redraw();
    if (!this.trace && this.stop.disabled && this.start.ready) this.run();
  }

  /** Stops the search; the events so far are shown. */
  #stop() {
    if (this.number === undefined) this.control?.abort();
    else stop(this.number).catch(() => this.control?.abort());
  }

  /** @param {import("./api.js").Kind} kind */
  setKind(kind) {
    this.settings.setKind(kind);
    this.#showCode();
  }

  /** @returns {Strategy | undefined} */
  get strategy() {
    return this.catalog.strategies.find(({ name }) => name === this.settings.strategy.value);
  }

  #showCode() {
    refill(this.code, ...(this.strategy?.pseudocode ?? []).map((line) => el("li", {}, line)));
  }

  #clear() {
    this.#running = false;
    this.trace = null;
    this.done = null;
    const { scene } = this.start;
    if (scene) this.board.show(scene);
    const empty = new Trace(scene ?? { width: 1, height: 1, cells: [] });
    this.graph.show(empty, layout(empty));
    for (const chart of [this.frontier, this.depth, this.plan]) chart.show([]);
    this.rounds.hidden = true;
    this.auto.disabled = true;
    refill(this.legend);
    this.now.textContent = "Choose a strategy and watch it search.";
    this.result.textContent = "";
  }

  async run() {
    // Without a board nothing can be watched. Once a board is there, the search starts by itself.
    if (!this.start.ready) return;
    showError("");
    this.#clear();
    this.#showCode();
    this.game.dispatchEvent(new Event("claim"));
    const control = new AbortController();
    this.control = control;
    this.number = undefined;
    this.go.disabled = true;
    this.stop.disabled = false;
    this.result.className = "message";
    try {
      const trace = new Trace(this.start.scene ?? { width: 1, height: 1, cells: [] });
      /** @type {Done} */
      const done = await search("watch", { ...this.start.position(), ...this.settings.job() }, (event, data) => {
        if (event === "begin") this.number = data.run;
        if (event !== "trace") return;
        trace.add(data);
        this.now.textContent = `${plural(trace.states, "state")} so far …`;
      }, control.signal);
      if (control === this.control) this.#show(trace, done);
    } catch (error) {
      if (control !== this.control) return;
      this.result.textContent = control.signal.aborted ? "Stopped." : /** @type {Error} */ (error).message;
      this.result.classList.add("wrong");
    } finally {
      if (control === this.control) {
        this.go.disabled = false;
        this.stop.disabled = true;
      }
    }
  }

  /** @param {Trace} trace @param {Done} done */
  #show(trace, done) {
    Object.assign(this, { trace, done });
    this.graph.show(trace, layout(trace));
    this.slider.max = String(trace.events.length);
    this.auto.disabled = trace.events.length === 0;
    this.frontier.show([{ name: "states waiting", colour: "accent", values: trace.waiting }]);
    this.depth.show([{ name: "g of the expanded state", colour: "focus", values: trace.expansions.map((event) => trace.event(event)[2]) }]);
    this.#showPlan(done);
    showRounds(done.strategy, trace, this.rounds);
    const steps = done.plan ? `${plural(done.plan.steps.length, "step")}, ${promise(done)}, checked ✓` : promise(done);
    this.result.textContent = done.full
      ? `The picture is full at ${plural(trace.states, "state")}; the search was ended there.` : steps;
    announce(`${plural(trace.expansions.length, "state")} expanded. ${this.result.textContent}`);
    this.#goTo(0);
    this.#toggle();
  }

  /** @param {Done} done */
  #showPlan({ path }) {
    if (path.some(({ estimate }) => estimate === null)) return;
    const h = path.map(({ estimate }) => estimate ?? 0);
    const costs = path.map(({ state }, i) => (state === null ? i : this.trace?.cost[state] || i));
    this.plan.show([
      { name: "f = g + h", colour: "accent", values: h.map((value, i) => value + (costs[i] ?? i)) },
      { name: "h", colour: "good", values: h },
    ]);
  }

  #toggle() {
    this.#running = !this.#running && this.trace !== null;
    this.auto.textContent = this.#running ? "❚❚" : "▶";
    this.auto.setAttribute("aria-label", this.#running ? "Pause" : "Play the search");
    if (!this.#running) return;
    if (this.#at >= (this.trace?.events.length ?? 0)) this.#goTo(0);
    this.#before = performance.now();
    requestAnimationFrame((time) => this.#frame(time));
  }

  /** @param {number} time */
  #frame(time) {
    const { trace } = this;
    if (!this.#running || !trace) return;
    const rate = Math.max(SLOWEST, trace.events.length / SECONDS) * Number(this.speed.value);
    const by = Math.floor(((time - this.#before) / 1000) * rate);
    if (by >= 1) {
      this.#before = time;
      this.#goTo(this.#at + by);
    }
    if (this.#at >= trace.events.length) this.#toggle();
    else requestAnimationFrame((next) => this.#frame(next));
  }

  /** Shows everything up to an event. @param {number} event */
  #goTo(event) {
    const { trace } = this;
    if (!trace) return;
    const at = Math.max(0, Math.min(event, trace.events.length));
    this.#at = at;
    this.slider.value = String(at);
    const end = at === trace.events.length;
    const expansions = trace.expansionsUpTo(at - 1);
    const state = expansions > 0 ? trace.event(trace.expansions[expansions - 1] ?? 0)[1] : -1;
    this.graph.path = end && this.done ? this.#planStates() : [];
    this.graph.goTo(at, state);
    this.frontier.point(expansions - 1);
    this.depth.point(expansions - 1);
    this.#light(at, end);
    if (state >= 0) this.#look(state);
    this.now.textContent = this.#words(at, expansions, state);
    const waiting = trace.waiting[expansions - 1] ?? 0;
    refill(this.legend,
      el("span", { class: "order" }, el("i"), `expanded ${commas(expansions)}, early to late`),
      el("span", { class: "waiting" }, el("i"), `waiting ${commas(waiting)}`),
      end && this.done?.plan && el("span", { class: "path" }, el("i"), "the plan"));
  }

  /** The states of the plan. If one of them has no number, the path by which the last known one was first reached. */
  #planStates() {
    const states = (this.done?.path ?? []).map(({ state }) => state);
    const known = states.filter((state) => state !== null);
    const last = known.at(-1);
    if (last === undefined || known.length >= states.length - 1) return known;
    const way = [last];
    for (let at = this.trace?.parent[last] ?? -1; at >= 0 && way.length < states.length; at = this.trace?.parent[at] ?? -1) way.unshift(at);
    return way;
  }

  /** @param {number} at @param {number} expansions @param {number} state */
  #words(at, expansions, state) {
    const { trace } = this;
    if (!trace || at === 0 || state < 0) return "The start.";
    const [code, a, b, c] = trace.event(at - 1);
    const g = trace.cost[state] ?? 0;
    const h = trace.estimate[state] ?? 0;
    switch (code) {
      case ROUND: return `A new round: ${a}.`;
      case EXPAND: return `Expansion ${commas(expansions)}: g ${b}, h ${c}, f ${b + c}.`;
      case KEEP: return `State ${commas(a)} (g ${g}, h ${h}): a successor is new.`;
      case DUPLICATE: return `State ${commas(a)} (g ${g}, h ${h}): a successor was there before.`;
      case PRUNE: return `State ${commas(a)}: a successor is dropped (${trace.rules[b] ?? "a rule"}).`;
      case ATOM: return "Something is seen where it never was.";
      default: return "";
    }
  }

  /** Highlights the line of the pseudocode for the current event. @param {number} at @param {boolean} end */
  #light(at, end) {
    const lines = this.strategy?.lines;
    const code = this.trace && at > 0 ? this.trace.event(at - 1)[0] : ROUND;
    const happening = end && this.done?.plan ? "found" : HAPPENINGS[code] ?? "keep";
    const lit = at > 0 ? lines?.[happening] ?? null : null;
    [...this.code.children].forEach((line, i) => {
      if (i === lit) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
  }

  /** @param {number} state */
  #look(state) {
    const scene = this.trace?.scene(state);
    if (scene) this.board.show(scene);
  }
}
