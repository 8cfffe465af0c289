// The solvers in threads of this browser: one for what is answered at once, and one for each search.

import { Refusal } from "./refusal.js";

/** @import { Hear, Question, Stats, Task, Transport } from "./api.js" */

/** A question to a thread. @typedef {{ question: Exclude<Question, "stop"> | Task, run: number, body: string, address: string }} Asked */
/** An event from a thread. @typedef {{ event: string, json: string }} Told */

/** Milliseconds that a stopped search may take to tell what it has found. Then its thread is ended. */
const GRACE = 1500;
/** Bytes of a thread's memory that are kept for the next search; a thread that has more is ended to give it back. */
const KEPT = 256 << 20;
/** Bytes that a module may have: the most, and a quarter of what the machine has where the browser says so. */
const MOST = 2 ** 31;

/** @type {Stats} */
const NOTHING = {
  expanded: 0, generated: 0, duplicates: 0, reopened: 0, pruned: 0, rules: [], depth: 0, stored: 0, frontier_peak: 0, bytes: 0,
  seconds: 0, rounds: [],
};

/** The module, compiled while it arrives. @returns {Promise<WebAssembly.Module>} */
async function compiled() {
  const address = new URL("./beeline.wasm", import.meta.url);
  const file = await fetch(address);
  if (!file.ok) throw new Refusal("the solvers cannot be loaded; is the page complete?");
  // Some file hosts do not know the type of the file, without which a browser compiles only what is there as a whole.
  if (file.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(file);
  return WebAssembly.compile(await file.arrayBuffer());
}

/** One thread. It answers one question at a time. */
class Thread {
  /** @type {((told: Told) => void) | null} */
  #hear = null;

  constructor() {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.#hear?.(data));
    this.worker.addEventListener("error", (event) =>
      this.#hear?.({ event: "broken", json: JSON.stringify({ message: event.message ?? "the thread ended", memory: false }) }));
  }

  /** @param {WebAssembly.Module} module @param {number} memory */
  load(module, memory) {
    this.worker.postMessage({ module, memory });
  }

  /** @param {Asked} asked @param {(told: Told) => void} hear */
  ask(asked, hear) {
    this.#hear = hear;
    this.worker.postMessage(asked);
  }

  end() {
    this.#hear = null;
    this.worker.terminate();
  }
}

/** @implements {Transport} */
export class Local {
  /** @type {Promise<WebAssembly.Module> | null} */
  #module = null;
  /** @type {Thread[]} */
  #idle = [];
  /** The thread for what is answered at once; questions wait for each other. @type {Promise<Thread | null>} */
  #desk;
  /** How each running search is stopped. @type {Map<number, () => void>} */
  #running = new Map();
  #runs = 0;
  /** Searches that wait for a core. @type {(() => void)[]} */
  #waiting = [];

  /** @param {{ memory?: number }} [limits] bytes that the module of one search may have */
  constructor({ memory } = {}) {
    const gigabytes = /** @type {{ deviceMemory?: number }} */ (navigator).deviceMemory ?? 4;
    this.memory = memory ?? Math.min(MOST, gigabytes * 2 ** 28);
    this.abreast = Math.max(1, navigator.hardwareConcurrency || 1);
    // While the page is being set up. Where it fails, the first question tries again and says why.
    this.#desk = this.#thread().catch(() => null);
  }

  /** A new thread, which starts while the module is being compiled. */
  async #thread() {
    const thread = new Thread();
    this.#module ??= compiled();
    try {
      thread.load(await this.#module, this.memory);
    } catch (error) {
      this.#module = null;
      thread.end();
      throw error;
    }
    return thread;
  }

  /** The first search finds a thread that is ready. */
  async #makeSpare() {
    this.#idle.push(await this.#thread());
  }

  /** @type {Transport["ask"]} */
  async ask(question, body, signal) {
    if (question === "stop") {
      const { run } = /** @type {{ run: number }} */ (body);
      this.#running.get(run)?.();
      return { stopped: this.#running.has(run) };
    }
    const answer = this.#desk.then(async (thread) => {
      signal?.throwIfAborted();
      return this.#answer(thread ?? await this.#thread(), question, body);
    });
    this.#desk = answer.then(({ thread }) => thread, () => null);
    const { said } = await answer;
    signal?.throwIfAborted();
    if (said.event === "refused") throw new Refusal(said.data.message, said.data);
    if (said.event !== "done") throw new Refusal(`this broke down; it is a bug in Beeline, please report it (${said.data.message})`);
    if (question === "catalog") {
      // A search that cannot have a thread says so itself.
      this.#makeSpare().catch(() => {});
      said.data.limits.runs = this.abreast;
      said.data.limits.megabytes = Math.min(said.data.limits.megabytes, this.memory >>> 21);
    }
    return said.data;
  }

  /**
   * @param {Thread} thread @param {Exclude<Question, "stop">} question @param {unknown} body
   * @returns {Promise<{ thread: Thread | null, said: { event: string, data: any } }>}
   */
  #answer(thread, question, body) {
    return new Promise((resolve) => {
      let said = { event: "broken", data: { message: "no answer" } };
      thread.ask({ question, run: 0, body: JSON.stringify(body ?? null), address: "" }, ({ event, json }) => {
        if (event !== "free") said = { event, data: JSON.parse(json) };
        else if (said.event !== "broken") resolve({ thread, said });
        if (event === "broken") {
          thread.end();
          resolve({ thread: null, said });
        }
      });
    });
  }

  /** A core for one more search. */
  async #core() {
    while (this.#running.size >= Math.max(2, this.abreast)) await new Promise((resolve) => this.#waiting.push(() => resolve(null)));
  }

  /** @type {Transport["search"]} */
  async search(task, job, hear, signal) {
    const run = ++this.#runs;
    await this.#core();
    signal.throwIfAborted();
    this.#running.set(run, () => {});
    try {
      return await this.#search(run, task, job, hear, signal);
    } finally {
      this.#running.delete(run);
      this.#waiting.shift()?.();
    }
  }

  /** @param {number} run @param {Task} task @param {unknown} job @param {Hear} hear @param {AbortSignal} signal */
  async #search(run, task, job, hear, signal) {
    const thread = this.#idle.pop() ?? await this.#thread();
    const address = URL.createObjectURL(new Blob(["search"]));
    /** The latest figures. @type {Stats} */
    let stats = NOTHING;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** An answer for a search that cannot give its own. @param {string} reason */
    const stopped = (reason) => {
      const { strategy = "", objective = "" } = /** @type {{ strategy?: string, objective?: string }} */ (job);
      return { verdict: "stopped", reason, strategy, objective, plan: null, stats, full: false, path: [] };
    };
    try {
      return await new Promise((resolve, reject) => {
        const abandon = () => {
          thread.end();
          reject(signal.reason);
        };
        if (signal.aborted) return abandon();
        signal.addEventListener("abort", abandon);
        this.#running.set(run, () => {
          URL.revokeObjectURL(address);
          timer ??= setTimeout(() => {
            thread.end();
            if (task === "make") reject(new Refusal("stopped"));
            else resolve(stopped("cancelled"));
          }, GRACE);
        });
        /** @type {(() => void) | null} */
        let settle = null;
        thread.ask({ question: task, run, body: JSON.stringify(job), address }, ({ event, json }) => {
          const data = JSON.parse(json);
          if (event === "free") {
            signal.removeEventListener("abort", abandon);
            if (data > KEPT) thread.end();
            else this.#idle.push(thread);
            settle?.();
          } else if (event === "done") settle = () => resolve(data);
          else if (event === "failed" || event === "refused") settle = () => reject(new Refusal(data.message, data));
          else if (event === "panic") reject(new Refusal(`the search broke down; this is a bug in Beeline, please report it (${data.message})`));
          else if (event === "broken") {
            thread.end();
            if (data.memory && task !== "make") resolve(stopped("memory"));
            else reject(new Refusal(`the search broke down; this is a bug in Beeline, please report it (${data.message})`));
          } else {
            if (event === "tick") stats = data;
            hear(event, data);
          }
        });
      });
    } finally {
      clearTimeout(timer);
      URL.revokeObjectURL(address);
    }
  }
}
