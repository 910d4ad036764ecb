//! Saves everything that a browser keeps as one file, and restores it from such a file.

use std::ops::RangeInclusive;

use puabi_answers::{ApiError, ApiResult, compile_rule_file, file_name, read_object};
use puabi_core::{Record, Rules};
use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::request::{ApiRequest, Reply, Row};

/// The format that a file of this kind names.
const FORMAT: &str = "puabi games 1";

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Archive {
    format: String,
    /// The rule files.
    #[serde(default)]
    rules: Vec<String>,
    /// The games, the oldest first.
    games: Vec<Game>,
}

/// A game in the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    started: i64,
    changed: i64,
    record: String,
}

/// How many games and rule files were added.
#[derive(Debug, Serialize)]
struct Restored {
    games: usize,
    rules: usize,
    /// The names of rule files that were not added, because other rules have these names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    taken: Vec<String>,
}

/// The times that a game may have: seconds up to the end of the year 9999, which a page can write as a date.
const TIMES: RangeInclusive<i64> = 0..=253_402_300_799;

/// Returns all that is kept as one file.
pub(crate) fn save(engine: &Engine, request: &ApiRequest) -> ApiResult<Reply> {
    let rules = engine.catalog.files().map(|named| named.rules.rule_set().to_toml()).collect();
    let game = |row: &Row| Game {
        started: row.entry.started,
        changed: row.entry.changed,
        record: row.record.clone(),
    };
    let games = request.games.iter().rev().map(game).collect();
    Reply::ok(&Archive { format: FORMAT.to_owned(), rules, games })
}

/// Returns the rules of a file that can be kept, if no other rules have its name.
fn keepable(text: &str) -> ApiResult<Rules> {
    let rules = compile_rule_file(text)?;
    if rules.rule_set().preset().is_none() {
        file_name(&rules.rule_set().name)?;
    }
    Ok(rules)
}

/// Adds the games and rule files of a file to those that are kept, all or none of them; games that are kept already stay
/// unchanged, and so do other rules with the name of a rule file.
pub(crate) fn restore(engine: &mut Engine, request: &ApiRequest) -> ApiResult<Reply> {
    let archive: Archive =
        read_object(request.body.as_bytes()).map_err(|error| error.expected(FORMAT))?;
    if archive.format != FORMAT {
        return Err(ApiError::field("format", &archive.format, "that is not a file of games")
            .expected(FORMAT));
    }
    let games = new_games(&archive.games, &request.games)?;
    let rules: ApiResult<Vec<_>> = archive.rules.iter().map(|text| keepable(text)).collect();
    let mut restored = Restored { games: games.len(), rules: 0, taken: Vec::new() };
    let keep_rules = keep_all(engine, &rules?, &mut restored);
    let mut reply = Reply::ok(&restored)?;
    (reply.keep, reply.keep_rules) = (games, keep_rules);
    Ok(reply)
}

/// Returns the rows of those games that are not kept yet.
fn new_games(games: &[Game], kept: &[Row]) -> ApiResult<Vec<Row>> {
    let mut found: Vec<Row> = Vec::new();
    for (at, game) in games.iter().enumerate() {
        game.ensure_times(at)?;
        let mut record: Record = game
            .record
            .parse()
            .map_err(|error| ApiError::field(format!("games[{at}].record"), &game.record, error))?;
        let before = record.to_string();
        // Games get new numbers here, so the old number of a next game could be that of another game.
        record.set_next_game(None);
        let row = Row::new(0, &record, (game.started, game.changed));
        let is_there = kept.iter().any(|it| it.record == before || it.record == row.record);
        if !is_there && !found.iter().any(|it| it.record == row.record) {
            found.push(row);
        }
    }
    Ok(found)
}

impl Game {
    /// Returns an error if a page could not write the times of the game at `at` of its file.
    fn ensure_times(&self, at: usize) -> ApiResult<()> {
        for (name, time) in [("started", self.started), ("changed", self.changed)] {
            if !TIMES.contains(&time) {
                let field = format!("games[{at}].{name}");
                let message = "that is not the time of a game";
                return Err(ApiError::field(field, &time.to_string(), message)
                    .expected("seconds since 1970, before the year 10000"));
            }
        }
        Ok(())
    }
}

/// Keeps the rules whose name is free, and counts what it does. Returns the files that the page is to keep: also those that were
/// kept before, because the page may have failed to store them.
fn keep_all(engine: &mut Engine, all: &[Rules], restored: &mut Restored) -> Vec<[String; 2]> {
    let mut files = Vec::new();
    for rules in all {
        let rule_set = rules.rule_set();
        let (name, text) = (rule_set.name.to_string(), rule_set.to_toml());
        let known = engine.catalog.files().count();
        match engine.catalog.keep(&text) {
            Ok(named) if rule_set.preset().is_none() => files.push([named.name.clone(), text]),
            Ok(_) => {}
            // The games by these rules carry them.
            Err(_) => restored.taken.push(name),
        }
        restored.rules += engine.catalog.files().count() - known;
    }
    files
}
