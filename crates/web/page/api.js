// The page's only client: the requests, and the types of the answers. The page's metadata selects the transport: a
// server (server.js), or threads of the browser that run the solvers (local.js).

import { Local } from "./local.js";
import { server } from "./server.js";

import { Refusal } from "./refusal.js";

export { Refusal };


/** @typedef {"block" | "tile" | "dot" | "pipe" | "crate" | "player"} Form */
/** @typedef {{ id: number, form: Form, label: string, links: number, fill: string, edge: string, ink: string }} Thing */
/** @typedef {{ ground: "outside" | "wall" | "floor" | "goal", thing?: Thing }} Cell */
/** @typedef {{ width: number, height: number, cells: Cell[], sides?: number[] }} Scene */
/** @typedef {{ step: string, id: number, form: Form | "press", from: number[], to: number[], way: [number, number] }} Move */
/** @typedef {{ board: Scene, words: string }} Goal */
/** @typedef {{ why: string, action: string, text: string }} Offer */
/**
 * @typedef {{ board: Scene, moves: Move[], solved: boolean, played: number, refused: string | null, step: string | null,
 *   thing: number | null, plan: string[] | null, counts: [string, number][], goal: Goal | null, offer: Offer | null,
 *   heuristics: string[] }} View
 */

/** @typedef {{ name: string, about: string }} Choice */
/** @typedef {{ name: string, title: string, text: string }} Example */
/**
 * @typedef {{ name: string, title: string, about: string, examples: Example[], heuristics: Choice[],
 *   objectives: Choice[], solvers: Choice[], rules: Choice[], controls: string }} Kind
 */
/** @typedef {"round" | "expand" | "keep" | "duplicate" | "prune" | "found"} Happening */
/**
 * @typedef {{ name: string, title: string, about: string, shortest: string, complete: string, informed: boolean,
 *   cost: string, pseudocode: string[], lines: Record<Happening, number | null> }} Strategy
 */
/** @typedef {{ runs: number, seconds: number, megabytes: number, states: number, steps: number, body: number }} Limits */
/** @typedef {{ kinds: Kind[], strategies: Strategy[], limits: Limits }} Catalog */

/** @typedef {{ title: string | null, text: string, facts: [string, string][], warnings: string[] }} Level */
/** @typedef {{ kind: string, levels: Level[], count: number, unread: number, skipped: { message: string, line: number } | null, board: Scene }} Pack */

/** @typedef {{ bound: number, expanded: number, generated: number, duplicates: number }} Round */
/**
 * @typedef {{ expanded: number, generated: number, duplicates: number, reopened: number, pruned: number,
 *   rules: [string, number][], depth: number, stored: number, frontier_peak: number, bytes: number, seconds: number,
 *   rounds: Round[] }} Stats
 */
/** @typedef {{ steps: string[], written: string, cost: number, lower_bound: number, checked: boolean }} Plan */
/**
 * @typedef {{ verdict: "solved" | "unsolvable" | "gave up" | "stopped" | "rejected", reason: string | null,
 *   strategy: string, objective: string, plan: Plan | null, tables?: string, stats: Stats }} Answer
 */
/** An action of the player. @typedef {{ toward: { thing: number | null, way: string } } | { trail: number[] } | { plan: string }} Act */
/** @typedef {{ kind: string, text: string, steps?: string[] }} Position */
/** @typedef {{ kind: string, size?: [number, number], hardness: string, seed: number }} Recipe */
/** @typedef {{ kind: string, text: string, facts: [string, string][], shortest: number | null }} Made */
/**
 * @typedef {{ strategy?: string, heuristic?: string, objective?: string, rules?: string[], width?: number,
 *   weight?: number, depth?: number, seed?: number, seconds?: number, megabytes?: number, nodes?: number }} Job
 */

/** @typedef {"catalog" | "read" | "play" | "stop"} Question */
/** @typedef {"solve" | "watch" | "make"} Task */
/** Receives every event of a search but the last. @typedef {(event: string, data: any) => void} OnEvent */
/**
 * Carries the messages. `ask` is for requests that are answered at once, `search` for those that send events. Aborting the
 * signal ends a search. `concurrency` is the number of searches that can run at one time without slowing each other.
 * @typedef {{ concurrency: number, ask: (question: Question, body?: unknown, signal?: AbortSignal) => Promise<any>,
 *   search: (task: Task, job: unknown, onEvent: OnEvent, signal: AbortSignal) => Promise<any> }} Transport
 */

/** The transport that the page's metadata selects. @type {Transport} */
const transport = document.querySelector("meta[name=solver][content=browser]") ? new Local() : server;

/** The number of searches that can run at one time without slowing each other. */
export const { concurrency } = transport;

/** @returns {Promise<Catalog>} */
export async function catalog() {
  return transport.ask("catalog");
}

/**
 * @param {string} text @param {string} [kind] @param {AbortSignal} [signal]
 * @returns {Promise<Pack>}
 */
export async function read(text, kind, signal) {
  const answer = await transport.ask("read", { text, kind }, signal);
  if (answer.unreadable) throw new Refusal(answer.unreadable.message, answer.unreadable);
  return answer;
}

/**
 * @param {Position & { act?: Act }} position @param {AbortSignal} [signal]
 * @returns {Promise<View>}
 */
export async function play(position, signal) {
  return transport.ask("play", position, signal);
}

/** Stops a search, which then returns what it has found. @param {number} run the number from its event `begin` */
export async function stop(run) {
  await transport.ask("stop", { run });
}

/**
 * Runs a search and returns its last event; `onEvent` receives the others. Aborting the signal ends the search.
 * @param {Task} task @param {(Position & Job) | Recipe} job @param {OnEvent} onEvent @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export async function search(task, job, onEvent, signal) {
  return transport.search(task, job, onEvent, signal);
}
