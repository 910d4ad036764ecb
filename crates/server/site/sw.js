/** Keeps the whole site, so that it works without a network after the first visit. `ur page` writes what it is made of. */

/** The edition of the site, and its files. @type {{ edition: string, files: string[] }} */
const SITE = { edition: "", files: [] };

/** How the names of this site's caches begin: other sites of the same origin have their own. */
const NAME = `puabi-site ${new URL("./", location.href).pathname} `;
const SHELL = NAME + SITE.edition;

/** @typedef {{ waitUntil(work: Promise<unknown>): void, request: Request, respondWith(answer: Promise<Response>): void }} WorkerEvent */

/** @param {Event} event */
const bound = (event) => /** @type {WorkerEvent} */ (/** @type {unknown} */ (event));

// All files of one edition, or none: pages of an older one go on with theirs until they are closed.
self.addEventListener("install", (event) => {
  const files = SITE.files.map((file) => new Request(file, { cache: "reload" }));
  bound(event).waitUntil(caches.open(SHELL).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(NAME) && name !== SHELL).map((name) => caches.delete(name)));
  };
  bound(event).waitUntil(old());
});

self.addEventListener("fetch", (event) => {
  const { request } = bound(event);
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  bound(event).respondWith(kept(request));
});

/** @param {Request} request */
async function kept(request) {
  const cache = await caches.open(SHELL);
  const isPage = request.mode === "navigate";
  // The page is the same with any query, such as `?embed`, and under both of its names. All else in the folder is others'.
  const isIndex = isPage && new URL(request.url).pathname === new URL("./index.html", location.href).pathname;
  const found = await cache.match(isIndex ? "./" : request, { ignoreSearch: isPage });
  if (!found) return fetch(request);
  // Browsers refuse an answer that a host has redirected, as from `help/rules.html` to `help/rules`, in the place of a page.
  return found.redirected ? new Response(found.body, { status: found.status, headers: found.headers }) : found;
}
