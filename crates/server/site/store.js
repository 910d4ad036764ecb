/** What the browser keeps: games, rule files and tables, in its own database. Without one, for as long as the page is open. */

/** @typedef {import("./wasm.js").Row} Row */
/** @typedef {import("./wasm.js").Reply} Reply */
/** The number of one game, or whether all are wanted; and whether one may be begun. @typedef {{ id?: number, all?: boolean, begins?: boolean }} Wanted */

/** Bytes of the largest table that is kept. */
const LARGEST = 64_000_000;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

/** Keeps a game under its own number or, if it has none, a new one. @param {IDBObjectStore} games @param {Row} row */
const put = (games, { id, ...row }) => games.put(id ? { ...row, id } : row);

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
    /** The games, if there is no database. @type {Map<number, Row>} */
    this.games = new Map();
    /** The rule files, if there is no database: text by name. @type {Map<string, string>} */
    this.files = new Map();
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
   * Calls `act` with the wanted games and the number of a game that it may begin, and keeps what its reply says in the same
   * transaction: no other window comes in between, and all is on disk before this returns.
   *
   * @param {Wanted} wanted
   * @param {(rows: Row[], id: number) => Reply} act
   * @returns {Promise<Reply>}
   */
  async change(wanted, act) {
    if (!this.database) return this.#changeHere(wanted, act);
    const transaction = this.database.transaction("games", "readwrite", { durability: "strict" });
    /** @type {Promise<void>} */
    const ended = new Promise((done, failed) => {
      transaction.oncomplete = () => done();
      transaction.onerror = transaction.onabort = () => failed(transaction.error);
    });
    // The code that waits below meets the error, unless a request has met it before.
    ended.catch(() => {});
    const reply = await this.#changeIn(transaction, wanted, act);
    await ended;
    return reply;
  }

  /**
   * @param {IDBTransaction} transaction
   * @param {Wanted} wanted
   * @param {(rows: Row[], id: number) => Reply} act
   */
  async #changeIn(transaction, { id = 0, all, begins }, act) {
    const games = transaction.objectStore("games");
    const rows = all ? (await result(games.getAll())).reverse() : id ? await result(games.getAll(id)) : [];
    const number = begins ? Number(await result(games.add({}))) : id;
    try {
      const reply = act(rows, number);
      for (const row of reply.keep ?? []) put(games, row);
      if (reply.drop || (begins && !reply.keep)) games.delete(number);
      return reply;
    } catch (error) {
      transaction.abort();
      throw error;
    }
  }

  /** @param {Wanted} wanted @param {(rows: Row[], id: number) => Reply} act */
  async #changeHere({ id = 0, all, begins }, act) {
    const number = begins ? ++this.last : id;
    const kept = [...this.games.values()].reverse();
    const reply = act(all ? kept : kept.filter((row) => row.id === id), number);
    for (const row of reply.keep ?? []) {
      const own = row.id || ++this.last;
      this.games.set(own, { ...row, id: own });
    }
    if (reply.drop) this.games.delete(number);
    return reply;
  }

  /** Keeps the results found about games, unless their records have changed since they were read. @param {Row[]} rows */
  async mark(rows) {
    if (rows.length === 0) return;
    const games = this.database && this.#store("games", "readwrite");
    await Promise.all(rows.map(async (row) => {
      const kept = games ? await result(games.get(row.id)) : this.games.get(row.id);
      if (kept?.record !== row.record) return;
      const marked = { ...row, changed: kept.changed };
      if (games) await result(games.put(marked));
      else this.games.set(row.id, marked);
    }));
  }

  /** The texts of the rule files. @returns {Promise<string[]>} */
  async rules() {
    return this.database ? result(this.#store("rules", "readonly").getAll()) : [...this.files.values()];
  }

  /** @param {string} name @param {string} text */
  async keepRules(name, text) {
    if (this.database) await result(this.#store("rules", "readwrite").put(text, name));
    else this.files.set(name, text);
  }

  /** @param {string} name */
  async dropRules(name) {
    if (this.database) await result(this.#store("rules", "readwrite").delete(name));
    else this.files.delete(name);
  }

  /** The tables that were solved here, one at a time, each with its name; without bytes if the browser has lost them. @returns {AsyncGenerator<[string, Uint8Array | null]>} */
  async *tables() {
    if (!this.database) return;
    for (const name of await result(this.#store("tables", "readonly").getAllKeys())) {
      const bytes = await result(this.#store("tables", "readonly").get(name)).catch(() => null);
      yield [String(name), bytes ?? null];
    }
  }

  /** Forgets a table that is of no use. @param {string} name */
  async dropTable(name) {
    if (this.database) await result(this.#store("tables", "readwrite").delete(name)).catch(() => {});
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
