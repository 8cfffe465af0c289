// The transport for solvers in threads of this browser: one thread for requests that are answered at once, one for
// each search.

import { Refusal } from "./refusal.js";

/** @import { OnEvent, Question, Stats, Task, Transport } from "./api.js" */

/** A request to a thread. @typedef {{ question: Exclude<Question, "stop"> | Task, run: number, body: string, address: string }} ThreadRequest */
/** An event from a thread. @typedef {{ event: string, json: string }} ThreadEvent */

/** Milliseconds that a stopped search may take to send what it has found. After that its thread is terminated. */
const GRACE = 1500;
/** The most bytes of memory with which an idle thread is kept. A larger one is terminated to free its memory. */
const MAX_KEPT = 256 << 20;
/** The most bytes of a module. A quarter of the machine's memory, if the browser reports it, is another limit. */
const MOST = 2 ** 31;

/** @type {Stats} */
const NOTHING = {
  expanded: 0, generated: 0, duplicates: 0, reopened: 0, pruned: 0, rules: [], depth: 0, stored: 0, frontier_peak: 0, bytes: 0,
  seconds: 0, rounds: [],
};

/** Compiles the module while it loads. @returns {Promise<WebAssembly.Module>} */
async function compileModule() {
  const address = new URL("./beeline.wasm", import.meta.url);
  const file = await fetch(address);
  if (!file.ok) throw new Refusal("the solvers cannot be loaded; is the page complete?");
  // Streaming compilation needs the file's MIME type, which some file hosts do not set.
  if (file.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(file);
  return WebAssembly.compile(await file.arrayBuffer());
}

/** One thread. It answers one request at a time. */
class Thread {
  /** @type {((event: ThreadEvent) => void) | null} */
  #onEvent = null;

  constructor() {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.#onEvent?.(data));
    this.worker.addEventListener("error", (event) =>
      this.#onEvent?.({ event: "broken", json: JSON.stringify({ message: event.message ?? "the thread ended", memory: false }) }));
  }

  /** @param {WebAssembly.Module} module @param {number} memory */
  load(module, memory) {
    this.worker.postMessage({ module, memory });
  }

  /** @param {ThreadRequest} request @param {(event: ThreadEvent) => void} onEvent */
  ask(request, onEvent) {
    this.#onEvent = onEvent;
    this.worker.postMessage(request);
  }

  end() {
    this.#onEvent = null;
    this.worker.terminate();
  }
}

/** @implements {Transport} */
export class Local {
  /** @type {Promise<WebAssembly.Module> | null} */
  #module = null;
  /** @type {Thread[]} */
  #idle = [];
  /** The thread for requests that are answered at once; they wait for each other. @type {Promise<Thread | null>} */
  #queryThread;
  /** For each running search, the function that stops it. @type {Map<number, () => void>} */
  #running = new Map();
  #runs = 0;
  /** Searches that wait for a core. @type {(() => void)[]} */
  #waiting = [];

  /** @param {{ memory?: number }} [limits] bytes that the module of one search may have */
  constructor({ memory } = {}) {
    const gigabytes = /** @type {{ deviceMemory?: number }} */ (navigator).deviceMemory ?? 4;
    this.memory = memory ?? Math.min(MOST, gigabytes * 2 ** 28);
    this.concurrency = Math.max(1, navigator.hardwareConcurrency || 1);
    // Starts while the page is being set up. If this fails, the first request tries again and reports the error.
    this.#queryThread = this.#thread().catch(() => null);
  }

  /** Starts a thread while the module is being compiled. */
  async #thread() {
    const thread = new Thread();
    this.#module ??= compileModule();
    try {
      thread.load(await this.#module, this.memory);
    } catch (error) {
      this.#module = null;
      thread.end();
      throw error;
    }
    return thread;
  }

  /** Starts a spare thread for the first search. */
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
    const answer = this.#queryThread.then(async (thread) => {
      signal?.throwIfAborted();
      return this.#answer(thread ?? await this.#thread(), question, body);
    });
    this.#queryThread = answer.then(({ thread }) => thread, () => null);
    const { last } = await answer;
    signal?.throwIfAborted();
    if (last.event === "refused") throw new Refusal(last.data.message, last.data);
    if (last.event !== "done") throw new Refusal(`this broke down; it is a bug in Beeline, please report it (${last.data.message})`);
    if (question === "catalog") {
      // If a search cannot get a thread, it reports that itself.
      this.#makeSpare().catch(() => {});
      last.data.limits.runs = this.concurrency;
      last.data.limits.megabytes = Math.min(last.data.limits.megabytes, this.memory >>> 21);
    }
    return last.data;
  }

  /**
   * @param {Thread} thread @param {Exclude<Question, "stop">} question @param {unknown} body
   * @returns {Promise<{ thread: Thread | null, last: { event: string, data: any } }>}
   */
  #answer(thread, question, body) {
    return new Promise((resolve) => {
      let last = { event: "broken", data: { message: "no answer" } };
      thread.ask({ question, run: 0, body: JSON.stringify(body ?? null), address: "" }, ({ event, json }) => {
        if (event !== "free") last = { event, data: JSON.parse(json) };
        else if (last.event !== "broken") resolve({ thread, last });
        if (event === "broken") {
          thread.end();
          resolve({ thread: null, last });
        }
      });
    });
  }

  /** Waits until one more search may run. */
  async #waitForCore() {
    while (this.#running.size >= Math.max(2, this.concurrency)) await new Promise((resolve) => this.#waiting.push(() => resolve(null)));
  }

  /** @type {Transport["search"]} */
  async search(task, job, onEvent, signal) {
    const run = ++this.#runs;
    await this.#waitForCore();
    signal.throwIfAborted();
    this.#running.set(run, () => {});
    try {
      return await this.#search(run, task, job, onEvent, signal);
    } finally {
      this.#running.delete(run);
      this.#waiting.shift()?.();
    }
  }

  /** @param {number} run @param {Task} task @param {unknown} job @param {OnEvent} onEvent @param {AbortSignal} signal */
  async #search(run, task, job, onEvent, signal) {
    const thread = this.#idle.pop() ?? await this.#thread();
    const address = URL.createObjectURL(new Blob(["search"]));
    /** The latest figures. @type {Stats} */
    let stats = NOTHING;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** The answer for a search that cannot send its own. @param {string} reason */
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
            if (data > MAX_KEPT) thread.end();
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
            onEvent(event, data);
          }
        });
      });
    } finally {
      clearTimeout(timer);
      URL.revokeObjectURL(address);
    }
  }
}
