//! The report of a player over a folder of games.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, anyhow};
use puabi_core::{Double, Player, Record, RuleSet, Stakes};
use puabi_engine::{Classes, PlayedGame, PlayerReport, Review};
use puabi_report::PlayerPage;
use puabi_server::Language;

use super::targets::Targets;
use crate::errors::Advise;
use crate::files::records;
use crate::output::{self, Out, status, text};
use crate::tables::judge::Judge;

const NAMES: &str =
    "names stand in the header `light` or `dark`, in RGN in the tags Light and Dark";

/// Returns the report of the player called `name`, or of the player with the most games in `folder`.
pub(super) fn report(
    folder: &Path,
    name: Option<&str>,
    rules: Option<&RuleSet>,
    depth: Option<u8>,
) -> Result<PlayerReport> {
    let games = read(folder, rules)?;
    let name = match name {
        Some(name) => name.to_owned(),
        None => most_frequent(&games)?,
    };
    let by_name = |(path, record): (String, Record)| {
        sides(&record, &name).map(move |player| (path.clone(), player, record.clone()))
    };
    let games: Vec<_> = games.into_iter().flat_map(by_name).collect();
    if games.is_empty() {
        return Err(anyhow!("nobody called {name} plays in {}", folder.display())).hint(|| NAMES);
    }
    Ok(PlayerReport::new(&name, &reviews(games, depth)?))
}

/// Reads the games of the folder, in the order of their times and then of their names. Leaves out games with errors and copies of
/// earlier ones.
fn read(folder: &Path, rules: Option<&RuleSet>) -> Result<Vec<(String, Record)>> {
    let mut games = Vec::new();
    for path in records::in_folder(folder)? {
        match records::read(&path, rules) {
            Ok(reading) => games.push((path, reading.record)),
            Err(error) => status(format_args!("{path} is left out: {}", error.root_cause())),
        }
    }
    games.sort_by_cached_key(|(path, record)| (time(record).to_owned(), path.clone()));
    let mut known = BTreeMap::<String, Vec<(String, Extra)>>::new();
    games.retain(|(path, record)| {
        let (like, extra) = (known.entry(played(record)).or_default(), Extra::of(record));
        if let Some((earlier, _)) = like.iter().find(|(_, earlier)| extra.may_be(earlier)) {
            status(format_args!("{path} is left out: it is the game of {earlier}"));
            return false;
        }
        like.push((path.clone(), extra));
        true
    });
    Ok(games)
}

/// What not every notation says of a game.
struct Extra {
    seed: Option<u64>,
    /// The stakes, and the doubles with the numbers of plies before them.
    stakes: Option<(Stakes, Vec<(usize, Double)>)>,
}

impl Extra {
    fn of(record: &Record) -> Self {
        let stakes = record.stakes_at_start().map(|stakes| (stakes, record.doubles().collect()));
        Self { seed: record.seed(), stakes }
    }

    /// Returns whether both may be of one game: neither says what the other contradicts.
    fn may_be(&self, other: &Self) -> bool {
        let differ = self.seed.zip(other.seed).is_some_and(|(one, other)| one != other);
        let stakes = self.stakes.as_ref().zip(other.stakes.as_ref());
        !differ && stakes.is_none_or(|(one, other)| one == other)
    }
}

/// Returns a text that is the same for a game in every notation: its players, its time, and its plies.
fn played(record: &Record) -> String {
    let mut played = Record::new(record.game.clone());
    played.ending = record.ending;
    let names = Player::BOTH.map(|player| record.header(player.name()).unwrap_or_default());
    format!("{names:?} {}\n{played}", time(record))
}

fn time(record: &Record) -> &str {
    record.tags.get("StartTime").or_else(|| record.header("date")).unwrap_or_default()
}

/// Returns the sides that have this name: both if somebody plays alone.
fn sides(record: &Record, name: &str) -> impl Iterator<Item = Player> + use<> {
    let sides = Player::BOTH.map(|it| (it, record.header(it.name()) == Some(name)));
    sides.into_iter().filter_map(|(player, is_named)| is_named.then_some(player))
}

fn most_frequent(games: &[(String, Record)]) -> Result<String> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for (_, record) in games {
        for name in Player::BOTH.into_iter().filter_map(|player| record.header(player.name())) {
            *counts.entry(name).or_default() += 1;
        }
    }
    // Of several players with equally many games, the first by name.
    let most = counts.into_iter().rev().max_by_key(|&(_, count)| count);
    let name = most.map(|(name, _)| name.to_owned());
    name.ok_or_else(|| anyhow!("no game names its players")).hint(|| NAMES)
}

/// Reviews every game; opens the table of a rule set only once.
fn reviews(
    games: Vec<(String, Player, Record)>,
    depth: Option<u8>,
) -> Result<Vec<(String, Player, Review)>> {
    let mut judges = BTreeMap::<String, Judge>::new();
    let mut reviews = Vec::new();
    for (path, player, record) in games {
        let rules = record.game.rules();
        let key = rules.rule_set().to_toml();
        if !judges.contains_key(&key) {
            judges.insert(key.clone(), Judge::obtain(rules, depth, Language::English)?);
        }
        reviews.push((path, player, judges[&key].review(&record)?));
    }
    Ok(reviews)
}

/// Writes the report to its targets.
pub(super) fn write(report: &PlayerReport, targets: &Targets, out: &mut Out) -> Result<()> {
    let page = || PlayerPage { report }.html();
    targets.write(report, page, String::new, |out| write_text(report, out), out)
}

fn write_text(report: &PlayerReport, out: &mut Out) -> Result<()> {
    let PlayerReport { name, games, won, decisions, classes, .. } = report;
    let played = text::counted(games.len() as u64, "game", "games");
    writeln!(out, "{name}: {played}, {won} won; free choices {decisions}")?;
    writeln!(out, "accuracy     {}", text::accuracy(report.accuracy))?;
    writeln!(out, "errors       {} a choice", text::points(-report.error_per_decision))?;
    writeln!(out, "temperature  {}", text::strength(report.strength))?;
    if report.rating.is_some() {
        writeln!(out, "rating       {}", text::rating(report.rating))?;
    }
    let Classes { inaccuracy, mistake, blunder, .. } = classes;
    let slips = [
        text::counted((*inaccuracy).into(), "inaccuracy", "inaccuracies"),
        text::counted((*mistake).into(), "mistake", "mistakes"),
        text::counted((*blunder).into(), "blunder", "blunders"),
    ];
    writeln!(out, "slips        {}", text::list(slips))?;
    writeln!(out, "\ngames in order of time")?;
    for game in games {
        writeln!(out, "{}", line(game))?;
    }
    if !report.leaks.is_empty() {
        writeln!(out, "\nleaks")?;
    }
    for leak in &report.leaks {
        let (kind, phase, error) = (leak.kind.name(), leak.phase.name(), text::points(-leak.error));
        let times = if leak.count == 1 { "time" } else { "times" };
        writeln!(out, "{kind:<22} {phase:<8} {:>4} {times:<5} {error:>9}", leak.count)?;
    }
    if let Some(caveat) = report.caveat() {
        writeln!(out, "\n{}", output::wrapped(&caveat))?;
    }
    for (what, at) in [("luckiest", report.luckiest), ("unluckiest", report.unluckiest)] {
        if let Some(at) = at {
            writeln!(out, "\n{what}: {}", line(&games[at]))?;
        }
    }
    Ok(())
}

fn line(game: &PlayedGame) -> String {
    let result = game.outcome();
    let PlayedGame { label, player, luck, error, .. } = game;
    let (accuracy, luck, error) =
        (text::accuracy(game.accuracy), text::points(*luck), text::points(-error));
    format!("{accuracy:>8}  luck {luck:>8}  errors {error:>8}  {player:<5} {result:<10} {label}")
}
