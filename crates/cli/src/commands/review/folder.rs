//! The report of a player over a folder of games.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use puabi_core::{Player, Record};
use puabi_engine::{PlayedGame, PlayerReport, Review};
use puabi_report::PlayerPage;

use super::Args;
use super::words::{accuracy, points, rating, strength};
use crate::complaint::Advise;
use crate::judging::Judging;
use crate::{Outcome, games, talk, text};

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    if args.svg.is_some() || args.ply.is_some() {
        bail!("{} is a folder: --svg and --ply are for one game", args.game);
    }
    let mut records = read(args)?;
    let name = match &args.player {
        Some(name) => name.clone(),
        None => most_frequent(&records)?,
    };
    records.retain(|(_, record)| side(record, &name).is_some());
    if records.is_empty() {
        let error: Result<()> = Err(anyhow!("nobody called {name} plays in {}", args.game));
        error.hint(
            || "names stand in the header `light` or `dark`, in RGN in the tags Light and Dark",
        )?;
    }
    let report = PlayerReport::new(&name, &reviews(&name, records, args.search)?);
    let to_stdout = args.html.as_deref() == Some("-");
    if to_stdout && args.json {
        bail!("JSON and a page would both go to stdout: expected a file for the page");
    }
    if let Some(path) = &args.html {
        games::write(path, &PlayerPage::new(&report).html(), out)?;
        talk(&format!("the page is in {path}"));
    }
    if args.json {
        text::write_json(&report, out)?;
    } else if !to_stdout {
        write(&report, out)?;
    }
    Ok(Outcome::Done)
}

/// Reads the games of the folder, in the order of their times and then of their names; others are left out.
fn read(args: &Args) -> Result<Vec<(String, Record)>> {
    let rules = args.rules.rule_set()?;
    let mut records = Vec::new();
    for path in games::in_folder(Path::new(&args.game))? {
        match games::read(&path, rules.as_ref()) {
            Ok(reading) => records.push((path, reading.record)),
            Err(error) => talk(&format!("{path} is left out: {}", error.root_cause())),
        }
    }
    records.sort_by_cached_key(|(path, record)| (time(record).to_owned(), path.clone()));
    Ok(records)
}

fn time(record: &Record) -> &str {
    record.tags.get("StartTime").or_else(|| record.header("date")).unwrap_or_default()
}

fn side(record: &Record, name: &str) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| record.header(player.name()) == Some(name))
}

fn most_frequent(records: &[(String, Record)]) -> Result<String> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for (_, record) in records {
        for name in Player::BOTH.into_iter().filter_map(|player| record.header(player.name())) {
            *counts.entry(name).or_default() += 1;
        }
    }
    // The first by name of those with equally many games.
    let most = counts.into_iter().rev().max_by_key(|&(_, count)| count);
    most.map(|(name, _)| name.to_owned())
        .ok_or_else(|| anyhow!("no game names its players"))
        .hint(|| "names stand in the header `light` or `dark`, in RGN in the tags Light and Dark")
}

/// Reviews every game; a table is opened once a rule set.
fn reviews(
    name: &str,
    records: Vec<(String, Record)>,
    depth: Option<u8>,
) -> Result<Vec<(String, Player, Review)>> {
    let mut judges = BTreeMap::<String, Judging>::new();
    let mut reviews = Vec::new();
    for (path, record) in records {
        let Some(player) = side(&record, name) else { continue };
        let rules = record.game.rules();
        let key = rules.rule_set().to_toml();
        if !judges.contains_key(&key) {
            judges.insert(key.clone(), Judging::obtain(rules, depth)?);
        }
        reviews.push((path, player, judges[&key].review(&record)?));
    }
    Ok(reviews)
}

fn write(report: &PlayerReport, out: &mut dyn Write) -> Result<()> {
    let PlayerReport { name, games, won, decisions, classes, .. } = report;
    let count = games.len();
    let plural = if count == 1 { "" } else { "s" };
    writeln!(out, "{name}: {count} game{plural}, {won} won; free choices {decisions}")?;
    writeln!(out, "accuracy     {}", accuracy(report.accuracy))?;
    writeln!(out, "errors       {} a choice", points(-report.error_per_decision))?;
    writeln!(out, "temperature  {}", report.strength.map_or("-".to_owned(), strength))?;
    if let Some(found) = report.rating {
        writeln!(out, "rating       {}", rating(found))?;
    }
    writeln!(
        out,
        "slips        {} inaccuracies, {} mistakes, {} blunders",
        classes.inaccuracy, classes.mistake, classes.blunder
    )?;
    writeln!(out, "\ngames in order of time")?;
    for game in games {
        writeln!(out, "{}", line(game))?;
    }
    for (at, leak) in report.leaks.iter().enumerate() {
        if at == 0 {
            writeln!(out, "\nleaks")?;
        }
        let (kind, phase) = (leak.kind.name(), leak.phase.name());
        writeln!(out, "{kind:<22} {phase:<8} {:>4} times {:>9}", leak.count, points(-leak.error))?;
    }
    if let Some(caveat) = games.iter().find_map(|game| game.judge.caveat()) {
        writeln!(out, "\nSome games: {caveat}")?;
    }
    for (what, at) in [("luckiest", report.luckiest), ("unluckiest", report.unluckiest)] {
        if let Some(game) = at.map(|at| &games[at]) {
            writeln!(out, "\n{what}: {}", line(game))?;
        }
    }
    Ok(())
}

fn line(game: &PlayedGame) -> String {
    let result = match game.won {
        Some(true) => "won",
        Some(false) => "lost",
        None => "unfinished",
    };
    let PlayedGame { label, player, luck, error, .. } = game;
    let (accuracy, luck, error) = (accuracy(game.accuracy), points(*luck), points(-error));
    format!("{accuracy:>8}  luck {luck:>8}  errors {error:>8}  {player:<5} {result:<10} {label}")
}
