//! Saves everything that a browser keeps as one file, and restores it from such a file.

use std::sync::Arc;

use puabi_answers::{ApiError, ApiResult, NamedRules, read_object};
use puabi_core::Record;
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
}

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

/// Adds the games and rule files of a file to those that are kept; games that are kept already stay unchanged.
pub(crate) fn restore(engine: &mut Engine, request: &ApiRequest) -> ApiResult<Reply> {
    let archive: Archive =
        read_object(request.body.as_bytes()).map_err(|error| error.expected(FORMAT))?;
    if archive.format != FORMAT {
        return Err(ApiError::field("format", &archive.format, "that is not a file of games")
            .expected(FORMAT));
    }
    let mut keep = Vec::new();
    for (at, game) in archive.games.iter().enumerate() {
        let mut record: Record = game
            .record
            .parse()
            .map_err(|error| ApiError::field(format!("games[{at}].record"), &game.record, error))?;
        let before = record.to_string();
        // Games get new numbers here, so the old number of a next game could be that of another game.
        record.set_next_game(None);
        let row = Row::new(0, &record, (game.started, game.changed));
        let is_there =
            request.games.iter().any(|kept| kept.record == before || kept.record == row.record);
        if !is_there && !keep.iter().any(|kept: &Row| kept.record == row.record) {
            keep.push(row);
        }
    }
    let (added, keep_rules) = keep_all(engine, &archive.rules)?;
    let mut reply = Reply::ok(&Restored { games: keep.len(), rules: added })?;
    (reply.keep, reply.keep_rules) = (keep, keep_rules);
    Ok(reply)
}

/// Keeps all of these rule files, or none of them if one is refused. Returns how many were not kept before, and the files that
/// the page is to keep. These include the files that were kept before, because the page may have failed to store them.
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
