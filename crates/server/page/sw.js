/** Keeps the shell of the page, so that it opens at once; what the API says is always asked for anew. */

const SHELL = "puabi-shell-1";

/** @typedef {{ waitUntil(work: Promise<unknown>): void, request: Request, respondWith(answer: Promise<Response>): void }} WorkerEvent */

self.addEventListener("install", (event) => {
  const { waitUntil } = bound(event);
  waitUntil(caches.open(SHELL).then((cache) => cache.add("./")));
});

self.addEventListener("activate", (event) => {
  const { waitUntil } = bound(event);
  const old = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("puabi-shell-") && name !== SHELL).map((name) => caches.delete(name)));
  };
  waitUntil(old());
});

// The page sends the list of its files.
self.addEventListener("message", (event) => {
  const { waitUntil } = bound(event);
  waitUntil(caches.open(SHELL).then((cache) => cache.addAll(event.data)));
});

// Asks the server first, so that a new version is seen at once; takes the kept shell if the server does not answer.
self.addEventListener("fetch", (event) => {
  const { request, respondWith } = bound(event);
  const url = new URL(request.url);
  const served = /^\/(api|metrics|healthz)(\/|$)/.test(url.pathname);
  if (request.method !== "GET" || url.origin !== location.origin || served) return;
  respondWith(fresh(request));
});

/** @param {Event} event */
function bound(event) {
  const worker = /** @type {WorkerEvent} */ (/** @type {unknown} */ (event));
  return {
    request: worker.request,
    waitUntil: (/** @type {Promise<unknown>} */ work) => worker.waitUntil(work),
    respondWith: (/** @type {Promise<Response>} */ answer) => worker.respondWith(answer),
  };
}

/** @param {Request} request */
async function fresh(request) {
  const cache = await caches.open(SHELL);
  let response;
  try {
    response = await fetch(request);
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
  // If there is no room to keep the answer, it is shown all the same.
  if (response.ok) await cache.put(request, response.clone()).catch(() => {});
  return response;
}
