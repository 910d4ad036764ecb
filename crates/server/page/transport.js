/** How the page reaches what answers it: a server, over HTTP. The page without one has a file of this name for a worker. */

/** Events as they happen. @typedef {{ onmessage: ((event: MessageEvent) => void) | null, onopen: ((event: Event) => void) | null, onerror: ((event: Event) => void) | null, readyState?: number, close(): void }} Events */

export const transport = {
  /** Whether there is no server: all is done and kept in this browser. */
  alone: false,
  /** Asks as `fetch` does. @param {string} path @param {RequestInit} [init] */
  ask: (path, init) => fetch(path, init),
  /** @param {string} path @returns {Events} */
  events: (path) => new EventSource(path),
  /** The address of the help on a topic. @param {string} topic */
  help: (topic) => `/help/${topic}`,
};
