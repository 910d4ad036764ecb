/** The keys of the seats that were taken in this browser, on a server where games go on only with them. */

/** @typedef {import("./types.js").Player} Player */
/** @typedef {Partial<Record<Player, string>>} Keys */

/** @param {number} id */
const place = (id) => `puabi.keys.${id}`;

/** The keys of a game: none where nobody here has a seat. @param {number} id @returns {Keys} */
export function keysOf(id) {
  try {
    return JSON.parse(localStorage.getItem(place(id)) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** Keeps keys of a game beside those that are known. @param {number} id @param {Keys} keys */
export function keep(id, keys) {
  localStorage.setItem(place(id), JSON.stringify({ ...keysOf(id), ...keys }));
}

/** Gives a seat away. @param {number} id @param {Player} player */
export function forget(id, player) {
  const { [player]: _, ...rest } = keysOf(id);
  localStorage.setItem(place(id), JSON.stringify(rest));
}

/** The header that shows the keys of the game that a request is about. @param {string} path @returns {Record<string, string>} */
export function shown(path) {
  const id = /^\/api\/games\/(\d+)\//.exec(path)?.[1];
  const keys = id ? Object.values(keysOf(Number(id))) : [];
  return keys.length ? { "seat-key": keys.join(", ") } : {};
}
