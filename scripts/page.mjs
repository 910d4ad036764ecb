// What scripts/check-page and scripts/measure-page share: the engine of a site, and a long game.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Returns a function that makes engines of the site in a folder. */
export async function engines(site) {
  const { Engine } = await import(resolve(site, "wasm.js"));
  const compiled = await WebAssembly.compile(readFileSync(join(site, "puabi.wasm")));
  return () => new Engine(compiled);
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
