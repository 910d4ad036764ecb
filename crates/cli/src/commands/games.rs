//! `ur games`: the archive of games that were played here or on the page, or added to it.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use clap::Subcommand;
use puabi_core::{Player, Record};
use puabi_formats::Notation;
use puabi_server::{BlockingArchive, Entry, Filter, Language};
use serde::Serialize;

use crate::errors::{self, Advise};
use crate::files::records;
use crate::notation;
use crate::options::RecordRules;
use crate::output::asking::is_confirmed;
use crate::output::text::{self, t};
use crate::output::{Out, status};
use crate::play::ending::early;
use crate::play::keeper::{self, found};
use crate::style::Style;

/// What `ur games` does.
#[derive(Debug, Subcommand)]
pub(crate) enum GamesAction {
    /// Lists games, the newest first
    #[command(after_help = "Example:\n  ur games list --player Ann --rules finkel")]
    List(Wanted),
    /// Shows the players and the state of a game
    #[command(after_help = "Example:\n  ur games show 12")]
    Show {
        /// The number of the game
        id: i64,
        /// Prints JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        style: Style,
    },
    /// Adds games from files in any notation
    #[command(after_help = "Example:\n  ur games add final.rgn")]
    Add {
        /// The files; - is stdin
        #[arg(required = true, value_name = "FILE")]
        games: Vec<String>,
        #[command(flatten)]
        rules: RecordRules,
    },
    /// Writes the record of a game, in the notation of the file's ending
    #[command(after_help = "Example:\n  ur games export 12 --to game.rgn")]
    Export {
        /// The number of the game
        id: i64,
        /// The file; - is stdout
        #[arg(long, value_name = "FILE", default_value = "-")]
        to: String,
    },
    /// Removes games for good
    #[command(name = "rm", after_help = "Example:\n  ur games rm 12 13 --yes")]
    Remove {
        /// The numbers of the games
        #[arg(required = true)]
        ids: Vec<i64>,
        /// Does not ask
        #[arg(short, long)]
        yes: bool,
    },
}

/// The games to list.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Wanted {
    /// Part of a name or of the rules
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    search: String,
    /// A player's whole name
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    player: String,
    /// The rule set
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    rules: String,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(action: &GamesAction, out: &mut Out) -> Result<()> {
    let archive = match action {
        GamesAction::Add { .. } | GamesAction::Remove { .. } => keeper::open()?,
        _ => keeper::open_to_read()?,
    };
    match action {
        GamesAction::List(wanted) => return list(&archive, wanted, out),
        GamesAction::Show { id, json: true, .. } => {
            let record = found(archive.record(*id))?;
            out.json(&Shown::new(*id, &record))?;
        }
        GamesAction::Show { id, style, .. } => show(&found(archive.record(*id))?, *style, out)?,
        GamesAction::Add { games, rules } => {
            for path in games {
                add(&archive, path, &records::read(path, rules.rule_set()?.as_ref())?.record, out)?;
            }
        }
        GamesAction::Export { id, to } => export(&found(archive.record(*id))?, to, out)?,
        GamesAction::Remove { ids, yes } => {
            let ids: BTreeSet<_> = ids.iter().copied().collect();
            return remove(&archive, &ids, *yes);
        }
    }
    Ok(())
}

fn add(archive: &BlockingArchive, path: &str, record: &Record, out: &mut Out) -> Result<()> {
    let (id, is_new) = archive.add(record)?;
    writeln!(out, "{path} is game {id}{}", if is_new { "" } else { " already" })
}

fn remove(archive: &BlockingArchive, ids: &BTreeSet<i64>, yes: bool) -> Result<()> {
    let named = |&id: &i64| {
        let record = found(archive.record(id))?;
        let [light, dark] =
            Player::BOTH.map(|player| record.header(player.name()).unwrap_or(player.name()));
        Ok(format!("game {id}: {light} against {dark}, {}", record.game.rules().rule_set()))
    };
    let games: Vec<_> = ids.iter().map(named).collect::<Result<_>>()?;
    if !yes && !is_confirmed(games)? {
        status("nothing is removed");
        return errors::answer(false);
    }
    for &id in ids {
        found(archive.remove(id))?;
        status(format_args!("game {id} is removed"));
    }
    Ok(())
}

/// The most bytes of a text that is searched for; a server allows queries as long.
const MOST_SEARCHED: usize = 1000;

fn list(archive: &BlockingArchive, wanted: &Wanted, out: &mut Out) -> Result<()> {
    let Wanted { search, player, rules, json } = wanted.clone();
    let named = (!rules.is_empty()).then(|| notation::rule_set(&rules)).transpose();
    // The archive has the full names of rules, and the file of some rules may be gone.
    let rules = match &named {
        Ok(Some(rule_set)) => rule_set.to_string(),
        _ => rules,
    };
    if search.len() > MOST_SEARCHED {
        bail!("a search of {} bytes: expected {MOST_SEARCHED} at most", search.len());
    }
    let entries = archive.list(&Filter { search, rules, player, after: 0 })?;
    if entries.is_empty() {
        named?;
    }
    if json {
        return out.json(&entries);
    }
    if entries.is_empty() {
        status("no games match");
        return Ok(());
    }
    let [light, dark] = Player::BOTH.map(Player::name);
    writeln!(out, " game  rules        plies  {light:<24} {dark:<24} outcome")?;
    for Entry { id, rules, light, dark, plies, winner, ending, .. } in &entries {
        let outcome = match (winner, ending.as_deref()) {
            (Some(winner), Some("won")) => format!("{winner} won"),
            (Some(winner), Some("resigned")) => format!("{winner} won, the other gave up"),
            (Some(winner), Some("passed")) => format!("{winner} won, the other passed a double"),
            (Some(winner), _) => format!("{winner} won, the other left"),
            (None, Some(ending)) => ending.to_owned(),
            (None, None) => "goes on".to_owned(),
        };
        let [rules, light, dark] = [(rules, 12), (light, 24), (dark, 24)]
            .map(|(name, width)| text::left(&text::cut(name, width), width));
        writeln!(out, "{id:>5}  {rules} {plies:>5}  {light} {dark} {outcome}")?;
    }
    Ok(())
}

/// The state of a game.
#[derive(Debug, Serialize)]
struct Shown {
    id: i64,
    rules: String,
    light: String,
    dark: String,
    position: String,
    plies: usize,
    /// The player who has won, if there is one.
    winner: Option<&'static str>,
    /// How the game ended early, as in `resigned L`.
    ending: Option<String>,
}

impl Shown {
    fn new(id: i64, record: &Record) -> Self {
        let name = |player| name(record, player).to_owned();
        Self {
            id,
            rules: record.game.rules().rule_set().to_string(),
            light: name(Player::Light),
            dark: name(Player::Dark),
            position: record.game.setup().to_string(),
            plies: record.game.plies().len(),
            winner: record.winner().map(Player::name),
            ending: record.ending.map(|ending| ending.to_string()),
        }
    }
}

/// Returns the name of a player, or the colour if the record has none.
fn name(record: &Record, player: Player) -> &str {
    record.header(player.name()).unwrap_or(player.name())
}

fn show(record: &Record, style: Style, out: &mut Out) -> Result<()> {
    let game = &record.game;
    let language = style.language;
    let name = |player: Player| {
        record.header(player.name()).map_or_else(|| language.translate(player), str::to_owned)
    };
    let [light, dark] = Player::BOTH.map(name);
    let rules = game.rules().rule_set();
    let players =
        t!(language, "{rules}: {light} (light) against {dark} (dark)", rules, light, dark);
    writeln!(out, "{players}")?;
    style.position(game.rules(), &game.setup(), out)?;
    let early = early(record, name, language);
    if let Some(early) = &early {
        write!(out, "{early}; ")?;
    }
    writeln!(out, "{}", state(record, early.is_none(), language))
}

/// Returns who has won or whose turn it is, and after how many plies.
fn state(record: &Record, goes_on: bool, language: Language) -> String {
    let plies = record.game.plies().len();
    let turn = record.game.turn().filter(|_| goes_on);
    match (record.winner(), turn) {
        (Some(winner), _) => {
            let player = language.translate(winner);
            if plies == 1 {
                return t!(language, "{player} has won, after one ply", player);
            }
            t!(language, "{player} has won, after {plies} plies", player, plies)
        }
        (None, Some(player)) => {
            let player = language.translate(player);
            if plies == 1 {
                return t!(language, "{player}'s turn, after one ply", player);
            }
            t!(language, "{player}'s turn, after {plies} plies", player, plies)
        }
        (None, None) if plies == 1 => t!(language, "nobody has won, after one ply"),
        (None, None) => t!(language, "nobody has won, after {plies} plies", plies),
    }
}

fn export(record: &Record, to: &str, out: &mut Out) -> Result<()> {
    let notation = match Notation::from_file_name(to) {
        Some(notation) => notation,
        None if Path::new(to).extension().is_none() => Notation::Urg,
        None => {
            return Err(anyhow!("{to} names no notation"))
                .hint(|| "expected a name that ends with .urg, .rgn, .json or .ur");
        }
    };
    let written = notation.write(record).hint(|| "a file ending in .urg holds every game")?;
    records::write(to, &written.text, out)?;
    for lost in written.lost {
        status(format_args!("{notation} does not hold {lost}"));
    }
    Ok(())
}
