/** The keys of the seats that were taken in this browser, on a server where games go on only with them. */

/** @typedef {import("./types.js").Player} Player */
/** @typedef {Partial<Record<Player, string>>} Keys */

/** @param {number} id */
const place = (id) => `puabi.keys.${id}`;

/** Keys that the browser does not keep, for as long as the page is open. @type {Map<number, Keys>} */
const unkept = new Map();

/** The keys of a game; none if this browser has no seat in it. @param {number} id @returns {Keys} */
export function keysOf(id) {
  try {
    return unkept.get(id) ?? JSON.parse(localStorage.getItem(place(id)) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {number} id @param {Keys} keys */
function write(id, keys) {
  try {
    localStorage.setItem(place(id), JSON.stringify(keys));
    unkept.delete(id);
  } catch {
    unkept.set(id, keys);
  }
}

/** Keeps keys of a game beside those that are known. @param {number} id @param {Keys} keys */
export function keep(id, keys) {
  write(id, { ...keysOf(id), ...keys });
}

/** The form of a key in a link: one key, or several of which one opens the seat. */
const KEYS = /^[0-9a-f]{32}(, [0-9a-f]{32})*$/;

/**
 * Keeps the key that a link gives beside the key of the seat that is known, so that a wrong link takes no key away. Returns
 * whether the link has the form of a key.
 *
 * @param {number} id
 * @param {Player} player
 * @param {string} given
 */
export function takeSeat(id, player, given) {
  if (!KEYS.test(given)) return false;
  const known = keysOf(id)[player];
  keep(id, { [player]: [...new Set([given, known ?? given].join(", ").split(", "))].join(", ") });
  return true;
}

/** Gives a seat away. @param {number} id @param {Player} player */
export function forget(id, player) {
  const { [player]: _, ...rest } = keysOf(id);
  write(id, rest);
}

/** The header that shows the keys of the game that a request is about. @param {string} path @returns {Record<string, string>} */
export function shown(path) {
  const id = /^\/api\/games\/(\d+)\//.exec(path)?.[1];
  const keys = id ? Object.values(keysOf(Number(id))) : [];
  return keys.length ? { "seat-key": keys.join(", ") } : {};
}
