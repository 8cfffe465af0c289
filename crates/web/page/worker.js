// A thread of the browser that runs the solvers. It answers one request at a time, and sends events while it works.
//
// The thread cannot receive messages while it searches, so a search is stopped in another way. The page gives each
// search the object URL of a blob, and revokes the URL to stop the search. The thread fetches the URL now and then,
// whenever the solvers read the clock.

/** @import { ThreadRequest, ThreadEvent } from "./local.js" */

/**
 * The exports of the module.
 * @typedef {Record<"catalog" | "read" | "play" | "solve" | "watch" | "make", (run: number) => void> & {
 *   memory: WebAssembly.Memory, start: () => void, room: (bytes: number) => number, stop: () => void,
 *   limit_memory: (bytes: number) => void, refusals: () => number }} Exports
 */

/** The least number of milliseconds between two checks whether the search is to stop. */
const LOOK = 50;
/** The search runs at least this many times as long as the last check took. A check is slow on a busy machine. */
const SHARE = 5;

/** @type {Exports} */
let solvers;
/** The object URL that stands for the running search. */
let flag = "";
/** The time of the next check. */
let due = 0;

/** @param {number} start @param {number} bytes */
function text(start, bytes) {
  return new TextDecoder().decode(new Uint8Array(solvers.memory.buffer, start, bytes));
}

/** @param {string} address */
function exists(address) {
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
    if (!exists(flag)) {
      flag = "";
      solvers.stop();
    }
    const after = performance.now();
    due = after + Math.max(LOOK, SHARE * (after - time));
  }
  return time;
}

/** @param {ThreadEvent} event */
function sendEvent(event) {
  postMessage(event);
}

const imports = {
  clock: { now },
  page: {
    tell: (/** @type {number} */ event, /** @type {number} */ eventBytes, /** @type {number} */ json, /** @type {number} */ jsonBytes) =>
      sendEvent({ event: text(event, eventBytes), json: text(json, jsonBytes) }),
  },
};

/** @param {ThreadRequest} asked */
function answer({ question, run, body, address }) {
  const bytes = new TextEncoder().encode(body);
  // The memory may move when it grows, so its buffer is read afterwards.
  const start = solvers.room(bytes.length);
  new Uint8Array(solvers.memory.buffer).set(bytes, start);
  flag = address;
  due = performance.now() + LOOK;
  try {
    solvers[question](run);
  } catch (error) {
    sendEvent({ event: "broken", json: JSON.stringify({ message: String(error), memory: solvers.refusals() > 0 }) });
  }
  flag = "";
  sendEvent({ event: "free", json: String(solvers.memory.buffer.byteLength) });
}

addEventListener("message", ({ data }) => {
  if ("module" in data) {
    solvers = /** @type {Exports} */ (/** @type {unknown} */ (new WebAssembly.Instance(data.module, imports).exports));
    solvers.start();
    solvers.limit_memory(data.memory);
  } else answer(data);
});
