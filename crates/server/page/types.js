/**
 * The answers of the API as types; `docs/api.md` describes them.
 *
 * @typedef {"light" | "dark"} Player
 * @typedef {{ tile: string, column: number, row: number, rosette: boolean, safe: boolean, ground: string, kind: string, again: boolean, light: number[], dark: number[] }} Tile
 * @typedef {{ roll: number, chance: number }} Roll
 * @typedef {{ state: "ready" | "missing" | "solving" | "failed" | "too-large", bytes: number | null, percent?: number, why?: string }} Table
 * @typedef {{ name: string, title: string, path: number, dice: string, pieces: number, positions: number | null, preset: boolean, table: Table, introduction?: string | null }} RulesLine
 * @typedef {{ light: string[], dark: string[] }} Paths
 * @typedef {{ positions: number | null, first_player: number | null, length?: number | null, residual: number | null }} Facts
 * @typedef {RulesLine & {
 *   start: string, toml: string, goal: number,
 *   board: { columns: number, rows: number, tiles: Tile[] },
 *   paths: Paths, rolls: Roll[], facts: Facts,
 *   safe_rosettes: boolean, rosettes_grant_rolls: boolean, captures_grant_rolls: boolean, way_of_play: { title: string, sentences: string[] }[],
 * }} Rules
 *
 * @typedef {{ player: Player, square: number, tile: string, veteran?: boolean }} Piece
 * @typedef {{ light: number, dark: number }} Count
 * @typedef {{ pieces: Piece[], hand: Count, home: Count }} Standing  Where every piece is.
 * @typedef {{ square: number, tile: string }} Place
 * @typedef {{ move: string, from: Place | null, to: Place | null, capture: boolean, again: boolean, after: string | null }} Option
 * @typedef {{ player: Player, roll: number, move: string, from: Place | null, to: Place | null, capture: boolean, again: boolean, position: string }} Ply
 * @typedef {{ kind: "person", name: string } | { kind: "agent", spec: string }} Seat
 * @typedef {Standing & {
 *   id: number, rules: string, known: boolean, seats: { light: Seat, dark: Seat }, position: string, turn: Player,
 *   stage: "roll" | "move" | "answer" | "over", roll: number | null, dice: number[], thrown: "auto" | "manual", seed: string | null, moves: Option[], plies: Ply[],
 *   winner: Player | null, ending: string | null, forced_pass: boolean,
 *   stakes: Stakes | null, may_double: boolean, may_undo: boolean, answering: Player | null, doubles: Double[], next_score: Score | null, next_game: number | null,
 * }} Game
 *
 * @typedef {{ light: number, dark: number, crawford: boolean }} Score
 * @typedef {{ text: string, value: number, owner: Player | null, cap: number, score: Score | null }} Stakes
 * @typedef {{ plies: number, player: Player, taken: boolean | null }} Double
 * @typedef {{ worth: number, rolling: number, double: { take: number, pass: number } | null, why?: string, action: string }} CubeChoice
 * @typedef {Standing & CubeChoice & { rules: string, position: string, stakes: Stakes, rolls: RollAnswer[] }} CubeAnswer
 * @typedef {{ doubling: number, taking: number, moving: number }} CubeErrors
 * @typedef {{ stakes: string, totals: { light: CubeErrors, dark: CubeErrors }, errors: { plies: number, player: Player, kind: string, cost: number }[] }} CubeReview
 *
 * @typedef {{ move: string, from?: Place | null, to?: Place | null, after: string | null, capture: boolean, again: boolean, value: number, best: boolean }} JudgedMove
 * @typedef {{ roll: number, chance: number, moves: JudgedMove[] }} RollAnswer
 * @typedef {Standing & { rules: string, position: string, judge: string, caveat?: string, value: number, cube?: CubeChoice, rolls: RollAnswer[] }} Answer
 * @typedef {{ spec: string, title: string, how: string, needs_table: boolean, elo?: number | null, weakest?: number | null }} Agent
 *
 * @typedef {"forced" | "best" | "good" | "inaccuracy" | "mistake" | "blunder"} Class
 * @typedef {{
 *   number: number, player: Player, position: string, roll: number, move: string, best: string, before: number,
 *   best_value: number, value: number, luck: number, error: number, class: Class,
 *   reason: null | { kind: string, phase: string, sentence: string }, moves: JudgedMove[],
 * }} PlyReview
 * @typedef {{ value: number, low: number, high: number }} Estimate
 * @typedef {{ plies: number, decisions: number, luck: number, error: number, accuracy: number | null, classes: Record<Class, number>, rating: Estimate | null }} Totals
 * @typedef {{
 *   rules: string, judge: string, names: { light: string | null, dark: string | null }, start: number, result: number,
 *   winner: Player | null, drawn?: true, totals: { light: Totals, dark: Totals }, turning_points: number[], plies: PlyReview[],
 * }} Review
 * @typedef {Standing & { position?: string }} Frame
 * @typedef {{ record: string, remarks: string[], review: Review, cube: CubeReview | null, frames: Frame[] }} Reviewed
 *
 * @typedef {{ id: number, rules: string, light: string, dark: string, started: number, changed: number, plies: number, winner: Player | null, ending: string | null }} GameLine
 * @typedef {{ total: number, games: GameLine[] }} GameList
 * @typedef {{ id: number, rules: string, ended: number, side: Player, opponent: string, plies: number, won: boolean | null, accuracy: number | null, luck: number | null }} Played
 * @typedef {{ player: string, won: number, accuracy: number | null, games: Played[] }} Progress
 * @typedef {{ mode: "mine" | "public" | "read-only", keeps?: false, version: string }} Server
 * @typedef {{ sweep: number, change?: number, residual?: number, start: number, scores?: [number, number], positions?: string[], values: number[], settled: boolean }} Sweep
 */

export {};
