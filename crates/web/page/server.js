// The transport to the server of `beeline serve`, over HTTP. A search sends its events as a stream.

import { Refusal } from "./refusal.js";

/** @import { Transport } from "./api.js" */

/** @param {Response} response */
async function refusal(response) {
  try {
    const body = await response.json();
    return new Refusal(body.message, body);
  } catch {
    return new Refusal(`the server answered ${response.status}`);
  }
}

/**
 * @param {string} path @param {unknown} body @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function send(path, body, signal) {
  /** @type {RequestInit} */
  const request = body === undefined ? { signal }
    : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch(`./api/${path}`, request);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal("the server cannot be reached; is beeline serve still running?");
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** @type {Transport} */
export const server = {
  // The server's searches share its cores with other visitors.
  concurrency: 1,

  async ask(question, body, signal) {
    return (await send(question, body, signal)).json();
  },

  async search(task, job, onEvent, signal) {
    const response = await send(task, job, signal);
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
        // A comment shows only that the connection is alive.
        if (message.startsWith(":")) continue;
        const [, event = "", data = "null"] = /^event: (.*)\ndata: (.*)$/.exec(message) ?? [];
        if (event === "done") return JSON.parse(data);
        if (event === "failed") throw new Refusal(JSON.parse(data).message);
        onEvent(event, JSON.parse(data));
      }
    }
  },
};
