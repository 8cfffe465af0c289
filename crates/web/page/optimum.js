// The length of a shortest solution, looked for while the player plays.

import { search } from "./api.js";
import { recall, remember } from "./progress.js";

/** @import { Answer } from "./api.js" */
/** @import { Puzzle } from "./game.js" */

/** Seconds for a search that nobody waits for. */
const SECONDS = 30;
/** Milliseconds before it begins: who pages through puzzles starts no searches. */
const PAUSE = 600;

/** Tells `change` when something else is known. */
export class Optimum extends EventTarget {
  /** A length, that there is no solution, that none is known, or that one is looked for. @type {number | "none" | "unknown" | "sought"} */
  value = "unknown";
  /** A shortest plan from the start, where this visit found it. @type {string[] | null} */
  plan = null;
  /** @type {Puzzle | null} */
  #puzzle = null;

  /** Another puzzle; `fewest` where no search is needed to know it. @param {Puzzle} puzzle @param {number | null} fewest */
  open(puzzle, fewest) {
    this.stop();
    this.#puzzle = puzzle;
    this.plan = null;
    this.#know(fewest ?? recall(puzzle).shortest ?? "unknown");
  }

  /** @param {Optimum["value"]} value */
  #know(value) {
    this.value = value;
    this.dispatchEvent(new Event("change"));
  }

  /** Gives the server's place to something else. */
  stop() {
    clearTimeout(this.timer);
    this.control?.abort();
    if (this.value === "sought") this.#know("unknown");
  }

  seek() {
    const puzzle = this.#puzzle;
    if (!puzzle || this.value !== "unknown") return;
    this.#know("sought");
    const control = new AbortController();
    this.control = control;
    this.timer = setTimeout(async () => {
      const found = await this.#search(puzzle, control.signal);
      if (!control.signal.aborted) this.#know(found);
    }, PAUSE);
  }

  /** @param {Puzzle} puzzle @param {AbortSignal} signal @returns {Promise<number | "none" | "unknown">} */
  async #search({ kind, text, name }, signal) {
    try {
      /** @type {Answer} */
      const { verdict, plan } = await search("solve", { kind, text, steps: [], seconds: SECONDS }, () => {}, signal);
      if (verdict === "unsolvable") return "none";
      if (!plan || plan.lower_bound < plan.cost) return "unknown";
      this.plan = plan.steps;
      remember({ kind, text, name }, { shortest: plan.steps.length });
      return plan.steps.length;
    } catch {
      // A server without a free place, or that is gone: the score says that the optimum is not known.
      return "unknown";
    }
  }
}
