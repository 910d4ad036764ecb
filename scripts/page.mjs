// What the scripts about the page without a server share: its engine, a long game, a server of files and browsers.

import { spawn } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";

/** Returns a function that makes engines of the site in a folder. */
export async function engines(site) {
  const { Engine } = await import(resolve(site, "wasm.js"));
  const compiled = await WebAssembly.compile(readFileSync(join(site, "puabi.wasm")));
  const folder = join(site, "pockets");
  const pockets = existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name))) : [];
  return () => {
    const engine = new Engine(compiled);
    for (const pocket of pockets) if (engine.call("pocket", pocket).length) throw new Error("a pocket is refused");
    return engine;
  };
}

/** Returns a game of finkel that has so many plies at least, as text. */
export function longGame(engine, plies) {
  const seat = { kind: "agent", spec: "random" };
  for (let seed = 1; ; seed++) {
    const body = JSON.stringify({ rules: "finkel", light: seat, dark: seat, seed });
    let [game] = engine.ask({ method: "POST", path: "/api/games", id: 1, body }).keep;
    while (!game.ending && game.plies < plies) [game] = engine.ask({ method: "POST", path: "/api/games/1/step", games: [game] }).keep;
    if (game.plies >= plies) return game.record;
  }
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json" };

/** Gives a site out until it is stopped, and notes what is asked for; what is `gone` is not found. */
export async function host(site) {
  const [asked, gone] = [[], new Set()];
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url, "http://host");
    asked.push(pathname);
    const file = join(site, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (gone.has(pathname) || !existsSync(file)) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(answer);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const stop = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return { origin: `http://127.0.0.1:${server.address().port}/`, asked, gone, stop };
}

/** Starts chromedriver, calls `act` with a function that opens fresh browsers, and ends it. */
export async function driven(act) {
  const driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "ignore"] });
  const port = await new Promise((done) => driver.stdout.on("data", (text) => {
    const found = /successfully on port (\d+)/.exec(text);
    if (found) done(found[1]);
  }));
  const wire = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  try {
    await act((screen, visit) => fresh(wire, screen, visit));
  } finally {
    driver.kill();
  }
}

/** Calls `visit` with a browser that has been nowhere yet. */
async function fresh(wire, screen, visit) {
  const profile = mkdtempSync(join(tmpdir(), "browser-"));
  const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", `--user-data-dir=${profile}`];
  const mobileEmulation = { deviceMetrics: { ...screen, pixelRatio: 1, touch: false } };
  const { sessionId } = await wire("POST", "/session", { capabilities: { alwaysMatch: { "goog:chromeOptions": { args, mobileEmulation } } } });
  const session = `/session/${sessionId}`;
  try {
    await visit({
      open: (url) => wire("POST", `${session}/url`, { url }),
      /** Goes on in the frame of this number in the page. */
      frame: (id) => wire("POST", `${session}/frame`, { id }),
      cdp: (cmd, params) => wire("POST", `${session}/goog/cdp/execute`, { cmd, params }),
      /** Runs a script and returns what it returns. */
      run: (script, ...args) => wire("POST", `${session}/execute/sync`, { script, args }),
      /** Runs the body of an async function and returns what it returns. */
      wait: async (script, ...args) => {
        const whole = `const done = arguments[arguments.length - 1]; (async (...given) => { ${script} })(...arguments).then((value) => done({ value }), (error) => done({ error: String(error) }))`;
        const { value, error } = await wire("POST", `${session}/execute/async`, { script: whole, args });
        if (error) throw new Error(error);
        return value;
      },
    });
  } finally {
    await wire("DELETE", session);
    rmSync(profile, { recursive: true, force: true });
  }
}
