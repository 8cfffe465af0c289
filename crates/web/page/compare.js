// Compare: two strategies side by side, and several in a table of figures. The transport sets how many run at one time.

import { concurrency, search } from "./api.js";
import { themeColour } from "./canvas.js";
import { announce, button, bytes, commas, download, duration, el, field, plural, refill, showError } from "./dom.js";
import { Duel } from "./duel.js";
import { Settings } from "./settings.js";
import { promise } from "./solve.js";
import { StartBoard } from "./start.js";

/** @import { Answer, Catalog, Job, Kind, Position, Stats } from "./api.js" */
/** @import { Game, Puzzle } from "./game.js" */

/** The default strategies. */
const USUAL = ["bfs", "astar", "idastar", "iw", "greedy"];
/** The default time limit of each search, in seconds. */
const SECONDS = 10;

/** @typedef {{ name: string, answer: Answer | null, stats: Stats | null, trouble: string }} Row */

/** @type {Record<string, { value: (stats: Stats) => number, text: (value: number) => string }>} */
const MEASURES = {
  expanded: { value: (stats) => stats.expanded, text: commas },
  generated: { value: (stats) => stats.generated, text: commas },
  "memory": { value: (stats) => stats.bytes, text: bytes },
  "time": { value: (stats) => stats.seconds, text: duration },
};

export class Compare {
  /** @type {Row[]} */
  rows = [];

  /** @param {HTMLElement} host @param {Game} game @param {Catalog} catalog @param {(puzzle: Puzzle) => void} open opens another board */
  constructor(host, game, catalog, open) {
    this.game = game;
    this.host = host;
    this.catalog = catalog;
    this.settings = new Settings("compare", catalog, { strategy: false });
    this.settings.seconds.value = String(Math.min(SECONDS, catalog.limits.seconds));
    this.ticks = el("fieldset", { class: "ticks" });
    this.go = button("Compare", () => this.run(), { class: "accent", id: "compare-go" });
    this.stop = button("Stop", () => { this.control?.abort(); this.duel.stop(); }, { id: "compare-stop", disabled: true });
    this.duel = new Duel(catalog);
    this.start = new StartBoard("compare", open);
    this.measure = el("select", { id: "measure", onchange: () => this.#draw() }, ...Object.keys(MEASURES).map((name) => el("option", {}, name)));
    this.scale = el("select", { id: "scale", onchange: () => this.#draw() }, el("option", { value: "log" }, "by powers of ten"), el("option", { value: "plain" }, "in proportion"));
    this.bars = el("div", { class: "bars", id: "bars" });
    this.table = el("table", { id: "compare-table", "aria-label": "Strategies and their figures", "aria-busy": "false" });
    this.csv = button("Save as CSV", () => this.#saveCsv(), { id: "csv", disabled: true });
    this.image = button("Save as image", () => this.#saveImage(), { id: "image", disabled: true });
    this.empty = el("p", { class: "about" }, "Choose two or more strategies; each runs under the same limits and counts the same things.");
    refill(host, this.duel.element,
      el("div", { class: "side" }, this.start.element, el("div", { class: "card" }, this.ticks, this.settings.element, el("div", { class: "buttons" }, this.go, this.stop))),
      el("div", { class: "card" },
        el("div", { class: "row" }, field("Bars show", this.measure), field("Lengths", this.scale), this.csv, this.image),
        this.bars, el("div", { class: "scroll" }, this.table), this.empty));
    game.addEventListener("change", () => {
      if (game.last !== "open" || !game.puzzle) return;
      this.settings.setHeuristics(game.view?.heuristics ?? []);
      this.#forget();
      this.start.setPuzzle(game.puzzle);
      this.#runIfShown();
    });
    host.addEventListener("open", () => this.#runIfShown());
    this.start.addEventListener("change", () => {
      this.#forget();
      this.#runIfShown();
    });
  }

  #forget() {
    this.control?.abort();
    this.control = undefined;
    this.duel.stop();
    this.rows = [];
    this.#draw();
  }

  /** Runs a comparison when the tab is shown without one. */
  async #runIfShown() {
    if (this.host.hidden) return;
    await this.start.opened();
    if (!this.host.hidden && this.rows.length === 0 && this.start.ready) this.run();
  }

  /** @param {Kind} kind */
  setKind(kind) {
    this.settings.setKind(kind);
    const solvers = kind.solvers.map(({ name }) => ({ name, title: `${kind.title}'s own` }));
    const engine = this.catalog.strategies.map(({ name, title }) => ({ name, title }));
    const usual = [solvers[0]?.name ?? "", ...USUAL];
    refill(this.ticks, el("legend", {}, "Strategies"), ...[...solvers, ...engine].map(({ name, title }) =>
      el("label", {}, el("input", { type: "checkbox", value: name, checked: usual.includes(name) }), `${name} · ${title}`)));
  }

  async run() {
    // Without a board nothing can be compared. Once a board is there, the comparison starts by itself.
    if (!this.start.ready) return;
    showError("");
    const boxes = [...this.ticks.querySelectorAll("input")];
    this.rows = boxes.filter(({ checked }) => checked).map(({ value }) => ({ name: value, answer: null, stats: null, trouble: "" }));
    this.game.dispatchEvent(new Event("claim"));
    this.control?.abort();
    const control = new AbortController();
    this.control = control;
    this.stop.disabled = false;
    this.table.setAttribute("aria-busy", "true");
    const { strategy: _, ...shared } = this.settings.job();
    const job = { ...this.start.position(), ...shared };
    const { rows } = this;
    const waiting = [...rows];
    // The side-by-side view runs first, because it is at the top.
    if (this.start.scene) await this.duel.run(this.start.scene, job);
    const runNext = async () => {
      for (let row = waiting.shift(); row && !control.signal.aborted; row = waiting.shift()) await this.#runRow(row, job, control.signal);
    };
    await Promise.all(Array.from({ length: concurrency }, runNext));
    if (this.control !== control) return;
    this.stop.disabled = true;
    this.table.setAttribute("aria-busy", "false");
    this.#draw();
    if (!control.signal.aborted) announce(`${plural(rows.filter(({ answer }) => answer?.plan).length, "strategy").replace("strategys", "strategies")} of ${rows.length} found a plan.`);
  }

  /** @param {Row} row @param {Position & Job} job @param {AbortSignal} signal */
  async #runRow(row, job, signal) {
    row.trouble = "running …";
    this.#draw();
    try {
      row.answer = await search("solve", { ...job, strategy: row.name }, (event, data) => {
        if (event === "tick") row.stats = data;
        this.#draw();
      }, signal);
      row.stats = row.answer?.stats ?? null;
      row.trouble = "";
    } catch (error) {
      row.trouble = signal.aborted ? "stopped" : /** @type {Error} */ (error).message;
    }
    this.#draw();
  }

  /** @returns {{ name: string, share: number, text: string }[]} */
  #lengths() {
    const measure = MEASURES[this.measure.value];
    if (!measure) return [];
    const values = this.rows.map(({ stats }) => (stats ? measure.value(stats) : 0));
    const [most, least] = [Math.max(...values), Math.min(...values.filter((value) => value > 0))];
    const share = (/** @type {number} */ value) => {
      if (value <= 0 || !(most > 0)) return 0;
      if (this.scale.value === "plain" || most === least) return value / most;
      return 0.08 + 0.92 * (Math.log(value / least) / Math.log(most / least));
    };
    return this.rows.map(({ name, stats, trouble }, i) => ({
      name, share: share(values[i] ?? 0), text: stats ? measure.text(values[i] ?? 0) : trouble,
    }));
  }

  #draw() {
    const over = this.rows.some(({ answer }) => answer);
    this.csv.disabled = !over;
    this.image.disabled = !over;
    this.empty.hidden = this.rows.length > 0;
    refill(this.bars, ...this.#lengths().flatMap(({ name, share, text }, i) => {
      const bar = el("div", { class: this.rows[i]?.answer?.plan ? "bar" : "bar none", role: "img", "aria-label": `${name}: ${text}` });
      bar.style.width = `${100 * share}%`;
      return [el("span", {}, name), bar, el("span", { class: "value" }, text)];
    }));
    const head = ["strategy", "result", "steps", "cost", "proved", "expanded", "generated", "duplicates", "pruned", "memory", "time"];
    refill(this.table, this.rows.length > 0 && el("thead", {}, el("tr", {}, ...head.map((word) => el("th", { scope: "col" }, word)))),
      el("tbody", {}, ...this.rows.map((row) => el("tr", {}, ...this.#cells(row).map((text) => el("td", {}, text))))));
  }

  /** @param {Row} row */
  #cells({ name, answer, stats, trouble }) {
    const plan = answer?.plan;
    const verdict = answer ? (answer.verdict === "stopped" ? answer.reason ?? "" : answer.verdict) : trouble;
    const proved = answer && plan ? promise(answer).replace("proved ", "").replace("nothing proved", "–") : "";
    return [name, verdict, plan ? commas(plan.steps.length) : "", plan ? commas(plan.cost) : "", proved,
      ...(stats ? [commas(stats.expanded), commas(stats.generated), commas(stats.duplicates), commas(stats.pruned), bytes(stats.bytes), duration(stats.seconds)] : [])];
  }

  #saveCsv() {
    const head = ["puzzle", "kind", "strategy", "objective", "result", "reason", "steps", "cost", "lower_bound", "expanded", "generated", "duplicates", "reopened", "pruned", "depth", "stored", "bytes", "seconds"];
    const rows = this.rows.flatMap(({ answer }) => (answer ? [answer] : [])).map((answer) => {
      const { plan, stats } = answer;
      return [this.game.puzzle?.name, this.game.puzzle?.kind, answer.strategy, answer.objective, answer.verdict, answer.reason,
        plan?.steps.length, plan?.cost, plan?.lower_bound, stats.expanded, stats.generated, stats.duplicates, stats.reopened,
        stats.pruned, stats.depth, stats.stored, stats.bytes, stats.seconds];
    });
    const line = (/** @type {unknown[]} */ cells) => `${cells.map(quote).join()}\n`;
    download("comparison.csv", new Blob([[head, ...rows].map(line).join("")], { type: "text/csv" }));
  }

  #saveImage() {
    const [width, line, left] = [900, 36, 130];
    const canvas = el("canvas", { width: width * 2, height: (this.rows.length * line + 80) * 2 });
    const context = canvas.getContext("2d");
    if (!context) return;
    context.scale(2, 2);
    context.fillStyle = themeColour("card");
    context.fillRect(0, 0, width, canvas.height);
    context.fillStyle = themeColour("ink");
    context.font = "600 17px system-ui, sans-serif";
    context.fillText(`${this.game.puzzle?.name ?? ""}: ${this.measure.value}`, 24, 36);
    context.font = "15px system-ui, sans-serif";
    this.#lengths().forEach(({ name, share, text }, i) => {
      const y = 62 + i * line;
      const long = share * (width - left - 160);
      context.fillStyle = themeColour("ink");
      context.fillText(name, 24, y + 17);
      context.fillStyle = this.rows[i]?.answer?.plan ? themeColour("honey") : themeColour("line");
      context.fillRect(left, y, long, 24);
      context.fillStyle = themeColour("faint");
      context.fillText(text, left + long + 10, y + 17);
    });
    canvas.toBlob((blob) => blob && download("comparison.png", blob));
  }
}

/** @param {unknown} cell */
function quote(cell) {
  const text = String(cell ?? "");
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
