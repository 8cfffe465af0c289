// The length of a shortest solution, searched while the player plays.

import { search } from "./api.js";
import { recall, remember } from "./progress.js";

/** @import { Answer } from "./api.js" */
/** @import { Puzzle } from "./game.js" */

/** The time limit of the background search, in seconds. */
const SECONDS = 30;
/** Milliseconds before the search starts, so that paging through puzzles starts none. */
const PAUSE = 600;

/** Dispatches `change` when the known value changes. */
export class Optimum extends EventTarget {
  /** The length; "none" if there is no solution; "sought" while the search runs. @type {number | "none" | "unknown" | "sought"} */
  value = "unknown";
  /** A shortest plan from the start, if this visit found one. @type {string[] | null} */
  plan = null;
  /** @type {Puzzle | null} */
  #puzzle = null;

  /** Opens another puzzle. `fewest` is the optimum if it is known without a search. @param {Puzzle} puzzle @param {number | null} fewest */
  open(puzzle, fewest) {
    this.stop();
    this.#puzzle = puzzle;
    this.plan = null;
    this.#setValue(fewest ?? recall(puzzle).shortest ?? "unknown");
  }

  /** @param {Optimum["value"]} value */
  #setValue(value) {
    this.value = value;
    this.dispatchEvent(new Event("change"));
  }

  /** Ends the search, and so frees its slot on the server. */
  stop() {
    clearTimeout(this.timer);
    this.control?.abort();
    if (this.value === "sought") this.#setValue("unknown");
  }

  seek() {
    const puzzle = this.#puzzle;
    if (!puzzle || this.value !== "unknown") return;
    this.#setValue("sought");
    const control = new AbortController();
    this.control = control;
    this.timer = setTimeout(async () => {
      const found = await this.#search(puzzle, control.signal);
      if (!control.signal.aborted) this.#setValue(found);
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
      // The server may have no free slot or be gone. Then the optimum is not known.
      return "unknown";
    }
  }
}
