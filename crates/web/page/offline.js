// A service worker that caches the page's files, so that the page opens without a network after the first visit.
// `cargo xtask site` fills in the file list and a version that changes with any file. A new version is fetched
// completely, and used once no window shows the old one.

const VERSION = "0";
/** @type {string[]} */
const FILES = [];

const NAME = `beeline-${VERSION}`;

/** @typedef {Event & { waitUntil: (work: Promise<unknown>) => void }} Lasting */
/** @typedef {Event & { request: Request, respondWith: (answer: Promise<Response>) => void }} Fetching */

async function keep() {
  const store = await caches.open(NAME);
  // Bypasses the browser's HTTP cache, which may hold older files.
  await store.addAll(FILES.map((name) => new Request(name, { cache: "reload" })));
}

async function dropOlder() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("beeline-") && name !== NAME).map((name) => caches.delete(name)));
  await /** @type {any} */ (globalThis).clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const kept = await (await caches.open(NAME)).match(request, { ignoreSearch: true });
  return kept ?? fetch(request);
}

addEventListener("install", (event) => /** @type {Lasting} */ (event).waitUntil(keep()));
addEventListener("activate", (event) => /** @type {Lasting} */ (event).waitUntil(dropOlder()));
addEventListener("fetch", (event) => {
  const { request, respondWith } = /** @type {Fetching} */ (event);
  const ours = request.method === "GET" && request.url.startsWith(location.origin);
  if (ours) respondWith.call(event, answer(request));
});
