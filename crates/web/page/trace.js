// The recorded trace of a search, for playback in both directions.

/** @import { Answer, Cell, Scene } from "./api.js" */

/**
 * @typedef {{ events: number[], rules: string[], looks: Cell[], pictures: number[][] }} Chunk
 * @typedef {Answer & { full: boolean, path: { state: number | null, estimate: number | null }[] }} Done
 * @typedef {{ bound: number | null, expanded: number, kept: number, duplicates: number, pruned: number, atoms: [number, number][] }} Lap
 */

/** The codes of events in the trace, and the number of arguments of each. */
export const ROUND = 0;
export const EXPAND = 1;
export const KEEP = 2;
export const DUPLICATE = 3;
export const PRUNE = 4;
export const ATOM = 5;
const LENGTHS = [1, 3, 2, 2, 2, 2];

/** @type {Record<number, "round" | "expand" | "keep" | "duplicate" | "prune">} */
export const HAPPENINGS = { [ROUND]: "round", [EXPAND]: "expand", [KEEP]: "keep", [DUPLICATE]: "duplicate", [PRUNE]: "prune" };

/** Counts the numbers below a limit in an ascending list. @param {number[]} rising @param {number} limit */
function countBelow(rising, limit) {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Trace {
  /** @param {Scene} start */
  constructor(start) {
    this.start = start;
    /** All numbers of all events, concatenated. @type {number[]} */
    this.data = [];
    /** The index in `data` where each event begins. @type {number[]} */
    this.events = [];
    /** The events that expand a state. @type {number[]} */
    this.expansions = [];
    /** The size of the frontier at each expansion. @type {number[]} */
    this.waiting = [];
    /** For each state: its first parent, the event that created it, and its first expansion. */
    this.parent = /** @type {number[]} */ ([]);
    this.born = /** @type {number[]} */ ([]);
    this.order = /** @type {number[]} */ ([]);
    this.cost = /** @type {number[]} */ ([]);
    this.estimate = /** @type {number[]} */ ([]);
    /** @type {string[]} */
    this.rules = [];
    /** @type {Cell[]} */
    this.looks = [];
    /** @type {Map<number, number[]>} */
    this.pictures = new Map();
    /** @type {Lap[]} */
    this.laps = [];
    this.open = 0;
  }

  get states() {
    return this.parent.length;
  }

  /** @param {Chunk} chunk */
  add({ events, rules, looks, pictures }) {
    this.rules.push(...rules);
    this.looks.push(...looks);
    for (const [state = 0, ...picture] of pictures) this.pictures.set(state, picture);
    for (let at = 0; at < events.length;) {
      const length = 1 + (LENGTHS[events[at] ?? 0] ?? 0);
      this.events.push(this.data.length);
      for (let i = 0; i < length; i += 1) this.data.push(events[at + i] ?? 0);
      at += length;
      this.#addEvent(this.events.length - 1);
    }
  }

  /** An event: its code and its arguments. @param {number} event @returns {[number, number, number, number]} */
  event(event) {
    const at = this.events[event] ?? 0;
    const { data } = this;
    return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0, data[at + 3] ?? 0];
  }

  /** @param {number} state @param {number} parent @param {number} event */
  #addState(state, parent, event) {
    while (this.parent.length <= state) {
      this.parent.push(-1);
      this.born.push(event);
      this.order.push(-1);
      this.cost.push(0);
      this.estimate.push(0);
      this.open += 1;
    }
    if (parent >= 0 && this.parent[state] === -1 && this.order[state] === -1) this.parent[state] = parent;
  }

  /** @param {number} event */
  #addEvent(event) {
    const [code, a, b, c] = this.event(event);
    if (code === ROUND || this.laps.length === 0) {
      this.laps.push({ bound: code === ROUND ? a : null, expanded: 0, kept: 0, duplicates: 0, pruned: 0, atoms: [] });
    }
    const lap = this.laps[this.laps.length - 1];
    if (!lap) return;
    if (code === EXPAND) {
      this.#addState(a, -1, event);
      if (this.order[a] === -1) {
        this.order[a] = this.expansions.length;
        this.open -= 1;
      }
      this.cost[a] = b;
      this.estimate[a] = c;
      this.expansions.push(event);
      this.waiting.push(this.open);
      lap.expanded += 1;
    } else if (code === KEEP) {
      this.#addState(b, a, event);
      lap.kept += 1;
    } else if (code === DUPLICATE) {
      this.#addState(b, a, event);
      lap.duplicates += 1;
    } else if (code === PRUNE) lap.pruned += 1;
    else if (code === ATOM) lap.atoms.push([a, b]);
  }

  /** The state of an event. @param {number} event */
  subject(event) {
    return this.data[(this.events[event] ?? 0) + 1] ?? 0;
  }

  /** The number of expansions up to and including an event. @param {number} event */
  expansionsUpTo(event) {
    return countBelow(this.expansions, event + 1);
  }

  /** The number of states known before an event. @param {number} event */
  statesUpTo(event) {
    return countBelow(this.born, event);
  }

  /** The picture of a state; null if none was recorded. @param {number} state @returns {Scene | null} */
  scene(state) {
    const picture = this.pictures.get(state);
    if (!picture) return null;
    const cells = [...this.start.cells];
    for (let i = 0; i < picture.length; i += 2) {
      const look = this.looks[picture[i + 1] ?? 0];
      if (look) cells[picture[i] ?? 0] = look;
    }
    return { ...this.start, cells };
  }
}
