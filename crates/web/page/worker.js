// A thread of the browser with the solvers in it. It answers one question at a time, and tells events while it works.
//
// It cannot read messages while it searches, so that a search is stopped in another way: the page gives each search the address of an
// empty object and takes the address back. The thread asks for it now and then, whenever the solvers look at the clock.

/** @import { Asked, Told } from "./local.js" */

/**
 * What the module gives.
 * @typedef {Record<"catalog" | "read" | "play" | "solve" | "watch" | "make", (run: number) => void> & {
 *   memory: WebAssembly.Memory, start: () => void, room: (bytes: number) => number, stop: () => void,
 *   limit_memory: (bytes: number) => void, refusals: () => number }} Exports
 */

/** Milliseconds between two looks whether the search is to stop. */
const LOOK = 50;
/** A look takes a fraction of a millisecond, but much longer on a busy machine. The search gets so many times as long. */
const SHARE = 5;

/** @type {Exports} */
let solvers;
/** The address that stands for the search that runs. */
let flag = "";
/** When to look next. */
let due = 0;

/** @param {number} start @param {number} bytes */
function text(start, bytes) {
  return new TextDecoder().decode(new Uint8Array(solvers.memory.buffer, start, bytes));
}

/** @param {string} address */
function isThere(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  try {
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}

function now() {
  const time = performance.now();
  if (flag && time > due) {
    if (!isThere(flag)) {
      flag = "";
      solvers.stop();
    }
    const after = performance.now();
    due = after + Math.max(LOOK, SHARE * (after - time));
  }
  return time;
}

/** @param {Told} told */
function tell(told) {
  postMessage(told);
}

const imports = {
  clock: { now },
  page: {
    tell: (/** @type {number} */ event, /** @type {number} */ eventBytes, /** @type {number} */ json, /** @type {number} */ jsonBytes) =>
      tell({ event: text(event, eventBytes), json: text(json, jsonBytes) }),
  },
};

/** @param {Asked} asked */
function answer({ question, run, body, address }) {
  const bytes = new TextEncoder().encode(body);
  // The memory may move when it grows, so that it is looked at afterwards.
  const start = solvers.room(bytes.length);
  new Uint8Array(solvers.memory.buffer).set(bytes, start);
  flag = address;
  due = performance.now() + LOOK;
  try {
    solvers[question](run);
  } catch (error) {
    tell({ event: "broken", json: JSON.stringify({ message: String(error), memory: solvers.refusals() > 0 }) });
  }
  flag = "";
  tell({ event: "free", json: String(solvers.memory.buffer.byteLength) });
}

addEventListener("message", ({ data }) => {
  if ("module" in data) {
    solvers = /** @type {Exports} */ (/** @type {unknown} */ (new WebAssembly.Instance(data.module, imports).exports));
    solvers.start();
    solvers.limit_memory(data.memory);
  } else answer(data);
});
