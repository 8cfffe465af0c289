// Solve: a search with live figures, and its plan to step through.

import { play, search, stop } from "./api.js";
import { Board } from "./board.js";
import { announce, button, bytes, commas, duration, el, plural, refill, showError } from "./dom.js";
import { Settings } from "./settings.js";

/** @import { Answer, Catalog, Position, Stats, View } from "./api.js" */
/** @import { Game } from "./game.js" */

/** Milliseconds per step when a plan plays by itself. */
const PACE = 350;

/** The displayed figures and their labels. @type {[string, (stats: Stats) => string][]} */
const FIGURES = [
  ["expanded", (stats) => commas(stats.expanded)],
  ["generated", (stats) => commas(stats.generated)],
  ["duplicates", (stats) => commas(stats.duplicates)],
  ["pruned", (stats) => commas(stats.pruned)],
  ["depth", (stats) => commas(stats.depth)],
  ["stored", (stats) => commas(stats.stored)],
  ["memory", (stats) => bytes(stats.bytes)],
  ["time", (stats) => duration(stats.seconds)],
  ["a second", (stats) => (stats.seconds > 0 ? commas(stats.expanded / stats.seconds) : "–")],
];

/** Describes in words what is proved. @param {Answer} answer */
export function promise({ plan, verdict, reason, stats }) {
  if (plan) {
    if (plan.lower_bound >= plan.cost) return "proved shortest";
    const early = reason === "cancelled" ? "stopped before the proof: " : reason ? `stopped by the limit on ${reason}: ` : "";
    if (plan.lower_bound > 0) return `${early}at most ${(plan.cost / plan.lower_bound).toFixed(2)} times the shortest (no plan costs less than ${commas(plan.lower_bound)})`;
    return `${early}nothing proved`;
  }
  if (verdict === "unsolvable") return "There is no plan: proved.";
  if (verdict === "gave up") return "No plan was found, which proves nothing.";
  if (verdict === "rejected") return `The checker rejected the plan: ${reason}`;
  const bound = stats.rounds.at(-1)?.bound;
  const round = bound === undefined ? "" : ` in the round with bound ${commas(bound)}`;
  return reason === "cancelled" ? `Stopped${round}.` : `Stopped by the limit on ${reason}${round}.`;
}

export class Solve {
  /** @param {HTMLElement} host @param {Game} game @param {Catalog} catalog */
  constructor(host, game, catalog) {
    this.game = game;
    this.settings = new Settings("solve", catalog);
    this.board = new Board("board");
    this.go = button("Solve", () => this.run(), { class: "accent", id: "solve-go" });
    this.stop = button("Stop", () => this.#stop(), { id: "solve-stop", disabled: true });
    this.from = el("select", { id: "solve-from", "aria-label": "Where to begin" },
      el("option", { value: "start" }, "from the start"), el("option", { value: "here" }, "from where I am"));
    this.figures = el("dl", { class: "figures", id: "figures" });
    this.result = el("div", { class: "result", id: "result" });
    this.slider = el("input", { type: "range", min: 0, value: 0, id: "slider", "aria-label": "Step of the plan", oninput: () => this.#scrub() });
    this.auto = button("▶", () => this.#toggle(), { class: "quiet", "aria-label": "Play the plan", id: "auto" });
    this.at = el("output", { for: "slider", id: "at" });
    this.player = el("div", { class: "player", hidden: true },
      button("‹", () => this.#move(-1), { class: "quiet", "aria-label": "Step back" }), this.auto,
      button("›", () => this.#move(1), { class: "quiet", "aria-label": "Step on" }), this.slider, this.at);
    refill(host,
      el("div", { class: "stage" }, this.board.element, this.player),
      el("div", { class: "side" },
        el("div", { class: "card" }, this.settings.element, el("div", { class: "buttons" }, this.go, this.stop, this.from)),
        this.result, this.figures));
    game.addEventListener("change", () => this.#reset());
    /** @type {Map<number, View>} */
    this.views = new Map();
  }

  /** @param {import("./api.js").Kind} kind */
  setKind(kind) {
    this.settings.setKind(kind);
  }

  /** Resets the tab for another puzzle or position. */
  #reset() {
    if (this.game.last === "open" || this.from.value === "here") {
      this.control?.abort();
      this.#forget();
      refill(this.figures);
    }
    if (this.game.last === "open") {
      this.from.value = "start";
      this.settings.setHeuristics(this.game.view?.heuristics ?? []);
    }
    if (!this.answer && this.game.view) this.board.show(this.game.view.board);
  }

  #forget() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.answer = undefined;
    delete this.board.element.dataset.step;
    this.player.hidden = true;
    this.views.clear();
    refill(this.result);
  }

  /** Stops the search, which then returns what it has found. */
  #stop() {
    if (this.number === undefined) this.control?.abort();
    else stop(this.number).catch(() => this.control?.abort());
  }

  /** @param {Stats} stats */
  #show(stats) {
    refill(this.figures, ...FIGURES.map(([word, text]) => el("div", {}, el("dt", {}, word), el("dd", {}, text(stats)))));
  }

  async run() {
    this.go.disabled = true;
    await this.game.settled();
    showError("");
    this.#forget();
    this.game.dispatchEvent(new Event("claim"));
    const control = new AbortController();
    this.control = control;
    this.number = undefined;
    this.stop.disabled = false;
    refill(this.result, el("p", { class: "message" }, "Searching …"));
    try {
      const whole = this.game.position();
      /** @type {Position} */
      const start = this.from.value === "here" ? whole : { ...whole, steps: [] };
      this.start = start;
      /** @type {Answer} */
      const answer = await search("solve", { ...start, ...this.settings.job() },
        (event, data) => {
          if (event === "begin") this.number = data.run;
          if (event === "tick") this.#show(data);
          if (event === "building") this.#building(data);
        }, control.signal);
      this.#done(answer);
    } catch (error) {
      const text = control.signal.aborted ? "Stopped." : /** @type {Error} */ (error).message;
      refill(this.result, el("p", { class: "message wrong" }, text));
    } finally {
      if (this.control === control) {
        this.go.disabled = false;
        this.stop.disabled = true;
      }
    }
  }

  /** @param {{ what: string, done: number, all: number }} news */
  #building({ what, done, all }) {
    refill(this.result, el("p", { class: "message" }, `Building the ${what}: ${Math.floor((100 * done) / Math.max(1, all))} %`));
  }

  /** Shows which tables were used, if the solver could use some. @param {Answer} answer */
  #tables({ tables }) {
    return tables !== undefined && el("p", { class: "about", id: "tables" }, tables === "none" ? "Searched without tables." : `Searched with the tables ${tables}.`);
  }

  /** @param {Answer} answer */
  #done(answer) {
    this.answer = answer;
    this.#show(answer.stats);
    const { plan } = answer;
    if (!plan) {
      refill(this.result, el("p", { class: "message" }, promise(answer)), this.#tables(answer));
      announce(promise(answer));
      return;
    }
    refill(this.result,
      el("p", { class: "message" },
        `${plural(plan.steps.length, "step")} · cost ${commas(plan.cost)} (${answer.objective}) · ${promise(answer)}`),
      this.#tables(answer),
      plan.checked && el("p", { class: "checked", id: "checked" }, "✓ checked: every step replayed by independent rules"),
      el("pre", { class: "plan", id: "plan", tabindex: 0, "aria-label": "The plan" }, plan.written));
    announce(`Solved: ${plural(plan.steps.length, "step")}, ${promise(answer)}, checked.`);
    this.slider.max = String(plan.steps.length);
    this.slider.value = "0";
    this.player.hidden = false;
    this.#scrub();
  }

  /** Shows the board after the selected number of steps. */
  async #scrub() {
    const plan = this.answer?.plan;
    if (!plan || !this.start) return;
    const at = this.slider.valueAsNumber;
    this.at.textContent = `${at} of ${plan.steps.length}`;
    const view = this.views.get(at) ?? await this.#view(plan.steps.slice(0, at));
    if (!view || this.answer?.plan !== plan) return;
    this.views.set(at, view);
    // Answers may arrive in a different order than the requests.
    if (this.slider.valueAsNumber !== at) return;
    this.board.show(view.board);
    this.board.element.dataset.step = String(at);
  }

  /** @param {string[]} steps @returns {Promise<View | null>} */
  async #view(steps) {
    const { start } = this;
    if (!start) return null;
    try {
      return await play({ ...start, steps: [...(start.steps ?? []), ...steps.flatMap(apart)] });
    } catch (error) {
      showError(/** @type {Error} */ (error).message);
      return null;
    }
  }

  /** @param {number} by */
  #move(by) {
    this.slider.value = String(this.slider.valueAsNumber + by);
    this.#scrub();
  }

  #toggle() {
    if (this.timer !== undefined) {
      clearInterval(this.timer);
      this.timer = undefined;
    } else {
      if (this.slider.value === this.slider.max) this.slider.value = "0";
      this.timer = setInterval(() => {
        this.#move(1);
        if (this.slider.value === this.slider.max) this.#toggle();
      }, PACE);
    }
    this.auto.textContent = this.timer === undefined ? "▶" : "❚❚";
    this.auto.setAttribute("aria-label", this.timer === undefined ? "Play the plan" : "Pause");
  }
}

/**
 * Splits a step of several cells, `(3,down,left)` or `0dl`, into single ones. A game moves one cell at a time.
 * @param {string} step
 */
function apart(step) {
  const [, piece, ways] = /^\((\d+),(.+)\)$/.exec(step) ?? [];
  if (piece && ways) return ways.split(",").map((way) => `(${piece},${way})`);
  const [, thing, letters] = /^(\d+)([udlr]{2,})$/.exec(step) ?? [];
  if (thing && letters) return [...letters].map((letter) => `${thing}${letter}`);
  return [step];
}
