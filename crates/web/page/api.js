// Talking to the server, and the shapes of what it says.

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
 *   strategy: string, objective: string, plan: Plan | null, stats: Stats }} Answer
 */
/** What a player does. @typedef {{ toward: { thing: number | null, way: string } } | { trail: number[] } | { plan: string }} Act */
/** @typedef {{ kind: string, text: string, steps?: string[] }} Position */
/** @typedef {{ kind: string, size?: [number, number], hardness: string, seed: number }} Recipe */
/** @typedef {{ kind: string, text: string, facts: [string, string][], shortest: number | null }} Made */
/**
 * @typedef {{ strategy?: string, heuristic?: string, objective?: string, rules?: string[], width?: number,
 *   weight?: number, depth?: number, seed?: number, seconds?: number, megabytes?: number, nodes?: number }} Job
 */

/** What the server would not do. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {{ line?: number, column?: number, length?: number, expected?: string, help?: string | null }} [place]
   */
  constructor(message, place = {}) {
    super(message);
    this.place = place;
  }
}

/** @param {Response} response */
async function refusal(response) {
  try {
    const said = await response.json();
    return new Refusal(said.message, said);
  } catch {
    return new Refusal(`the server answered ${response.status}`);
  }
}

/**
 * @param {string} path @param {unknown} body @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function send(path, body, signal) {
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal("the server cannot be reached; is beeline serve still running?");
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** @returns {Promise<Catalog>} */
export async function catalog() {
  const response = await fetch("/api/catalog");
  if (!response.ok) throw await refusal(response);
  return response.json();
}

/**
 * @param {string} text @param {string} [kind] @param {AbortSignal} [signal]
 * @returns {Promise<Pack>}
 */
export async function read(text, kind, signal) {
  const said = await (await send("/api/read", { text, kind }, signal)).json();
  if (said.unreadable) throw new Refusal(said.unreadable.message, said.unreadable);
  return said;
}

/**
 * @param {Position & { act?: Act }} position @param {AbortSignal} [signal]
 * @returns {Promise<View>}
 */
export async function play(position, signal) {
  return (await send("/api/play", position, signal)).json();
}

/** Stops a search, which then tells what it has found. @param {number} run the number that its event `begin` brought */
export async function stop(run) {
  await send("/api/stop", { run });
}

/**
 * Runs a search; `hear` gets every event but the last, which is returned. Aborting the signal ends the search.
 * @param {"/api/solve" | "/api/watch" | "/api/make"} path @param {(Position & Job) | Recipe} job
 * @param {(event: string, data: any) => void} hear @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export async function search(path, job, hear, signal) {
  const response = await send(path, job, signal);
  if (!response.body) throw new Refusal("the server said nothing");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Refusal("the search ended without an answer");
    waiting += value;
    const messages = waiting.split("\n\n");
    waiting = messages.pop() ?? "";
    for (const message of messages) {
      // A comment: there is nothing to tell, and the connection is alive.
      if (message.startsWith(":")) continue;
      const [, event = "", data = "null"] = /^event: (.*)\ndata: (.*)$/.exec(message) ?? [];
      if (event === "done") return JSON.parse(data);
      if (event === "failed") throw new Refusal(JSON.parse(data).message);
      hear(event, JSON.parse(data));
    }
  }
}
