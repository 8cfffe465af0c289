// The settings of a search: strategy, heuristic, objective, parameters, limits. Solve and See use all of it, Compare
// a part.

import { el, field, refill } from "./dom.js";

/** @import { Catalog, Choice, Job, Kind } from "./api.js" */

/** @param {HTMLSelectElement} list @param {Choice[]} choices @param {string} [first] the label for no choice */
function offer(list, choices, first) {
  const kept = list.value;
  const options = choices.map(({ name, about }) => el("option", { value: name, title: about }, name));
  refill(list, first !== undefined && el("option", { value: "" }, first), ...options);
  if (choices.some(({ name }) => name === kept)) list.value = kept;
}

/** @param {HTMLInputElement} input @returns {number | undefined} */
function number(input) {
  return input.value === "" || !Number.isFinite(input.valueAsNumber) ? undefined : input.valueAsNumber;
}

/** @param {string} text */
function sentence(text) {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
}

/** @param {string} id @param {import("./dom.js").Attributes} attributes */
function figure(id, attributes) {
  return el("input", { type: "number", inputmode: "decimal", id, min: 0, ...attributes });
}

export class Settings {
  /**
   * @param {string} name the prefix of the controls' ids
   * @param {Catalog} catalog
   * @param {{ solvers?: boolean, strategy?: boolean, preferred?: string }} [what] options: include the kind's own solvers; include a strategy
   */
  constructor(name, catalog, { solvers = true, strategy = true, preferred = "" } = {}) {
    this.catalog = catalog;
    this.solvers = solvers;
    this.strategy = el("select", { id: `${name}-strategy`, onchange: () => this.#fit() });
    this.heuristic = el("select", { id: `${name}-heuristic` });
    this.objective = el("select", { id: `${name}-objective` });
    this.width = figure(`${name}-width`, { min: 1, step: 1, placeholder: "1, 2, …" });
    this.weight = figure(`${name}-weight`, { min: 1, step: 0.1, value: 2 });
    this.depth = figure(`${name}-depth`, { min: 0, step: 1, placeholder: "any" });
    const { seconds, megabytes } = catalog.limits;
    this.seconds = figure(`${name}-seconds`, { min: 0.1, max: seconds, step: "any", value: Math.min(20, seconds) });
    this.megabytes = figure(`${name}-megabytes`, { min: 1, max: megabytes, step: 1, value: megabytes });
    this.nodes = figure(`${name}-nodes`, { min: 1, step: 1, placeholder: "no limit" });
    this.about = el("p", { class: "about" });
    this.fields = {
      strategy: field("Strategy", this.strategy),
      heuristic: field("Heuristic", this.heuristic),
      objective: field("Fewest", this.objective),
      width: field("Width", this.width, "the one width to search with"),
      weight: field("Weight", this.weight, "how much the estimate counts"),
      depth: field("Depth", this.depth, "the limit on depth; the length of a walk"),
    };
    this.fields.strategy.hidden = !strategy;
    this.fields.strategy.classList.add("whole");
    const { width, weight, depth, ...first } = this.fields;
    // Settings of single strategies come first if one strategy is chosen, and last if several are.
    this.element = el("div", { class: "settings" }, ...Object.values(first), ...(strategy ? [width, weight, depth] : []), this.about,
      el("details", {}, el("summary", {}, strategy ? "Limits" : "Settings and limits"), el("div", { class: "settings" },
        ...(strategy ? [] : [width, weight, depth]),
        field("Seconds", this.seconds, `at most ${seconds}`),
        field("MiB", this.megabytes, `at most ${megabytes}`),
        field("States", this.nodes, "expanded states"))));
    this.preferred = preferred;
  }

  /** @param {Kind} kind */
  setKind(kind) {
    this.kind = kind;
    const engine = this.catalog.strategies.map(({ name, title }) => ({ name, about: title }));
    const before = this.strategy.value;
    refill(this.strategy,
      this.solvers && el("optgroup", { label: `for ${kind.title}` },
        ...kind.solvers.map(({ name, about }) => el("option", { value: name, title: about }, name))),
      el("optgroup", { label: "for every puzzle" },
        ...engine.map(({ name, about }) => el("option", { value: name }, `${name} · ${about}`))));
    const wanted = before || this.preferred;
    if ([...this.strategy.options].some(({ value }) => value === wanted)) this.strategy.value = wanted;
    offer(this.heuristic, kind.heuristics);
    offer(this.objective, kind.objectives);
    this.#fit();
  }

  /** Sets the heuristics that this board supports. @param {string[]} names */
  setHeuristics(names) {
    offer(this.heuristic, (this.kind?.heuristics ?? []).filter(({ name }) => names.includes(name)));
  }

  /** Shows the settings and the description of the strategy. */
  #fit() {
    const name = this.strategy.value;
    const own = this.kind?.solvers.find((solver) => solver.name === name);
    const engine = own ? undefined : this.catalog.strategies.find((strategy) => strategy.name === name);
    const any = this.fields.strategy.hidden;
    this.fields.heuristic.hidden = !any && !engine?.informed;
    this.fields.objective.hidden = (this.kind?.objectives.length ?? 0) < 2;
    this.fields.width.hidden = !any && name !== "iw" && name !== "bfws";
    this.fields.weight.hidden = !any && name !== "wastar";
    this.fields.depth.hidden = !any && name !== "dls" && name !== "walk";
    this.about.textContent = any ? "" : own ? sentence(own.about) : engine?.about ?? "";
  }

  /** @returns {Job} */
  job() {
    const shown = (/** @type {HTMLElement} */ where, /** @type {number | undefined} */ value) => (where.hidden ? undefined : value);
    return {
      strategy: this.strategy.value || undefined,
      heuristic: this.fields.heuristic.hidden ? undefined : this.heuristic.value,
      objective: this.objective.value || undefined,
      width: shown(this.fields.width, number(this.width)),
      weight: shown(this.fields.weight, number(this.weight)),
      depth: shown(this.fields.depth, number(this.depth)),
      seconds: number(this.seconds),
      megabytes: number(this.megabytes),
      nodes: number(this.nodes),
    };
  }
}
