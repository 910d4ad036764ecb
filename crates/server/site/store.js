/** What the browser keeps: games, rule files and tables, in its own database. Without one, for as long as the page is open. */

/** @typedef {import("./wasm.js").Row} Row */
/** @typedef {import("./wasm.js").Reply} Reply */

/** Bytes of the largest table that is kept. */
const LARGEST = 64_000_000;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

/** @returns {Promise<IDBDatabase>} */
function open() {
  const opening = indexedDB.open("puabi", 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore("games", { keyPath: "id", autoIncrement: true });
    opening.result.createObjectStore("rules");
    opening.result.createObjectStore("tables");
  };
  return result(opening);
}

export class Store {
  /** @param {IDBDatabase | null} database */
  constructor(database) {
    this.database = database;
    /** Games where there is no database. @type {Map<number, Row>} */
    this.games = new Map();
    this.last = 0;
  }

  static async open() {
    try {
      return new Store(await open());
    } catch {
      return new Store(null);
    }
  }

  /** All games, the newest first. @returns {Promise<Row[]>} */
  async all() {
    const found = this.database ? await result(this.#store("games", "readonly").getAll()) : [...this.games.values()];
    return found.reverse();
  }

  /**
   * Lets `act` answer with the game of this number, or with a new one, and keeps what it says in the same transaction:
   * no other window comes in between, and all is on disk before this returns.
   *
   * @param {number | null} id none for a new game
   * @param {(row: Row | undefined, id: number) => Reply} act
   * @returns {Promise<Reply>}
   */
  change(id, act) {
    if (!this.database) return this.#changeHere(id, act);
    const transaction = this.database.transaction("games", "readwrite", { durability: "strict" });
    const games = transaction.objectStore("games");
    return new Promise((done, failed) => {
      /** @type {Reply} */
      let reply;
      /** @param {Row | undefined} row @param {number} number */
      const answer = (row, number) => {
        try {
          reply = act(row, number);
          for (const kept of reply.keep ?? []) games.put(kept);
          if (reply.drop || (id === null && !reply.keep)) games.delete(number);
        } catch (error) {
          transaction.abort();
          failed(error);
        }
      };
      if (id === null) {
        const added = games.add({});
        added.onsuccess = () => answer(undefined, Number(added.result));
      } else {
        const found = games.get(id);
        found.onsuccess = () => answer(found.result, id);
      }
      transaction.oncomplete = () => done(reply);
      transaction.onerror = transaction.onabort = () => failed(transaction.error);
    });
  }

  /** @param {number | null} id @param {(row: Row | undefined, id: number) => Reply} act */
  async #changeHere(id, act) {
    const number = id ?? ++this.last;
    const reply = act(this.games.get(number), number);
    for (const kept of reply.keep ?? []) this.games.set(kept.id, kept);
    if (reply.drop) this.games.delete(number);
    return reply;
  }

  /** Keeps games, each under its own number or, where it has none, a new one. @param {Row[]} rows */
  async keep(rows) {
    if (!this.database) {
      for (const row of rows) {
        const id = row.id || ++this.last;
        this.games.set(id, { ...row, id });
      }
      return;
    }
    const games = this.#store("games", "readwrite");
    await Promise.all(rows.map(({ id, ...row }) => result(games.put(id ? { ...row, id } : row))));
  }

  /** The texts of the rule files. @returns {Promise<string[]>} */
  async rules() {
    return this.database ? result(this.#store("rules", "readonly").getAll()) : [];
  }

  /** @param {string} name @param {string} text */
  async keepRules(name, text) {
    if (this.database) await result(this.#store("rules", "readwrite").put(text, name));
  }

  /** @param {string} name */
  async dropRules(name) {
    if (this.database) await result(this.#store("rules", "readwrite").delete(name));
  }

  /** The tables that were solved here. @returns {Promise<Uint8Array[]>} */
  async tables() {
    return this.database ? result(this.#store("tables", "readonly").getAll()) : [];
  }

  /** Keeps a table unless it is large, or the browser has no room. @param {string} name @param {Uint8Array} bytes */
  async keepTable(name, bytes) {
    if (!this.database || bytes.length > LARGEST) return;
    await result(this.#store("tables", "readwrite").put(bytes, name)).catch(() => {});
  }

  /** @param {string} name @param {IDBTransactionMode} mode */
  #store(name, mode) {
    if (!this.database) throw new Error("there is no database");
    return this.database.transaction(name, mode).objectStore(name);
  }
}
