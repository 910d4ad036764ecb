//! Everything that a browser keeps, as one file, and back from it.

use std::sync::Arc;

use puabi_answers::{ApiError, ApiResult, NamedRules, read_object};
use puabi_core::Record;
use serde::{Deserialize, Serialize};

use crate::asked::{Asked, Reply, Row};
use crate::engine::Engine;

/// What tells such a file from others.
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

/// What was added to what is kept.
#[derive(Debug, Serialize)]
struct Restored {
    games: usize,
    rules: usize,
}

/// Returns all that is kept as one file.
pub(crate) fn save(engine: &Engine, asked: &Asked) -> ApiResult<Reply> {
    let rules = engine.catalog.files().map(|named| named.rules.rule_set().to_toml()).collect();
    let game = |row: &Row| Game {
        started: row.entry.started,
        changed: row.entry.changed,
        record: row.record.clone(),
    };
    let games = asked.games.iter().rev().map(game).collect();
    Reply::ok(&Archive { format: FORMAT.to_owned(), rules, games })
}

/// Adds the games and rule files of a file to those that are kept; games that are there stay as they are.
pub(crate) fn restore(engine: &mut Engine, asked: &Asked) -> ApiResult<Reply> {
    let archive: Archive =
        read_object(asked.body.as_bytes()).map_err(|error| error.expected(FORMAT))?;
    if archive.format != FORMAT {
        return Err(
            ApiError::field("format", &archive.format, "that is no file of games").expected(FORMAT)
        );
    }
    let mut keep = Vec::new();
    for (at, game) in archive.games.iter().enumerate() {
        let mut record: Record = game
            .record
            .parse()
            .map_err(|error| ApiError::field(format!("games[{at}].record"), &game.record, error))?;
        let before = record.to_string();
        // Games get other numbers here, and the number of a next game would be that of another one.
        record.set_next_game(None);
        let row = Row::new(0, &record, (game.started, game.changed));
        let is_there =
            asked.games.iter().any(|kept| kept.record == before || kept.record == row.record);
        if !is_there && !keep.iter().any(|kept: &Row| kept.record == row.record) {
            keep.push(row);
        }
    }
    let (added, keep_rules) = keep_all(engine, &archive.rules)?;
    let mut reply = Reply::ok(&Restored { games: keep.len(), rules: added })?;
    (reply.keep, reply.keep_rules) = (keep, keep_rules);
    Ok(reply)
}

/// Keeps all of these rule files, or none if one of them is refused; returns how many were not kept before, and what the page
/// is to keep: the others, too, which it may not have been able to.
fn keep_all(engine: &mut Engine, texts: &[String]) -> ApiResult<(usize, Vec<[String; 2]>)> {
    let names = |engine: &Engine| -> Vec<String> {
        engine.catalog.files().map(|named| named.name.clone()).collect()
    };
    let known = names(engine);
    let kept: ApiResult<Vec<_>> = texts.iter().map(|text| engine.catalog.keep(text)).collect();
    let added: Vec<_> = names(engine).into_iter().filter(|name| !known.contains(name)).collect();
    match kept {
        Ok(kept) => {
            let files = kept.iter().filter(|named| named.rules.rule_set().preset().is_none());
            let file =
                |named: &Arc<NamedRules>| [named.name.clone(), named.rules.rule_set().to_toml()];
            Ok((added.len(), files.map(file).collect()))
        }
        Err(error) => {
            added.iter().try_for_each(|name| engine.catalog.remove(name))?;
            Err(error)
        }
    }
}
