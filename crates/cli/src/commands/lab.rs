//! `ur lab`: measures of the game that each rule set makes.

mod fair;
mod perfect;
mod table;

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use puabi_core::{Dice, Indexer, RuleSet, Rules};
use puabi_engine::SharedEvaluator;
use puabi_solve::{Exchange, Options, Report, SolveError, Solver, Unattended, Values};
use puabi_study::{Lab, Method, OpeningValue, Profile, Variations, map_among, scatter_plot};
use puabi_tables::spilling_in;
use serde::Serialize;

use crate::errors::{self, Advise};
use crate::output::{Out, is_silent, status};
use crate::progress::Bar;
use crate::ranks::{ensure_alike, own_memory};
use crate::{files, notation, tables};
use fair::Ways;
use perfect::Statistics;
use table::ProfileTable;

/// Arguments of `ur lab`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = concat!(
    include_str!("../../help/lab.txt"),
    "\nExamples:\n  \
       ur lab\n  \
       ur lab finkel:3 --dice 4d,3d0=4 --safe on,off --markdown\n  \
       ur lab examples/rules/bridge.toml finkel:3 blitz:3 --svg games.svg\n  \
       ur lab finkel:2 --extra on,off --json\n  \
       ur lab finkel blitz --fair\n  \
       ur lab finkel:3 --perfect"
))]
pub struct LabArgs {
    /// Rule sets and rule files [default: all presets, with 3 pieces]
    rules: Vec<String>,
    /// Pieces of each player
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(PIECES))]
    pieces: Vec<u8>,
    /// Pieces that a player must bring home to win
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(PIECES))]
    goal: Vec<u8>,
    /// Dice, such as 4d or 3d0=4
    #[arg(long, value_name = "DICE,..", value_delimiter = ',')]
    dice: Vec<Dice>,
    /// Whether a piece on a rosette is safe
    #[arg(long, value_name = "on,off", value_delimiter = ',', value_parser = switch(), hide_possible_values = true)]
    safe: Vec<bool>,
    /// Whether a rosette gives another roll
    #[arg(long, value_name = "on,off", value_delimiter = ',', value_parser = switch(), hide_possible_values = true)]
    extra: Vec<bool>,
    /// Whether a capture gives another roll
    #[arg(long, value_name = "on,off", value_delimiter = ',', value_parser = switch(), hide_possible_values = true)]
    captures_extra: Vec<bool>,
    /// Shows how to begin so that neither player has an edge: throws, pieces ahead, the swap rule
    #[arg(long, conflicts_with_all = ["games", "seed", "svg", "markdown"])]
    fair: bool,
    /// Shows statistics of games between perfect players: lengths, changes of the lead, the worth of a piece, a die and a rosette
    #[arg(long, conflicts_with_all = ["fair", "svg", "markdown"])]
    perfect: bool,
    /// Simulates this number of games of each pair of players instead of exact results
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    games: Option<u64>,
    /// The seed of the dice of simulated games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Draws the length of games against skill
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Prints the table in Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

const PIECES: RangeInclusive<i64> = 1..=RuleSet::MAX_PIECES as i64;

/// Returns the parser of a rule that is on or off.
fn switch() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|text| text == "on")
}

/// A game to examine, with its name in the results.
struct Named {
    name: String,
    rules: Rules,
}

/// A rule set and its measures.
#[derive(Debug, Serialize)]
struct Row {
    rules: String,
    #[serde(flatten)]
    profile: Profile,
}

/// The largest number of positions for exact results.
const MOST_EXACT: u64 = 20_000_000;
/// The simulated games of each pair of players.
const GAMES: u64 = 20_000;
/// The pieces of each player, unless the user gives another number.
const FEW_PIECES: u8 = 3;

pub(super) fn run(args: &LabArgs, ranks: &dyn Exchange, out: &mut Out) -> Result<()> {
    if let Some(path) = args.picture() {
        files::ensure_picture(path, "the picture, such as games.svg", &args.rules)?;
    }
    let games = args.games()?;
    let all: String = games.iter().map(|game| game.rules.rule_set().to_toml()).collect();
    ensure_alike("games to measure", all.as_bytes(), ranks)?;
    ensure_same_values(&games, ranks)?;
    if args.fair {
        return args.write_all(&games, ranks, out, ways);
    }
    if args.perfect {
        return args.write_all(&games, ranks, out, |game| args.perfect(game));
    }
    write_profiles(args, &games, ranks, out)
}

/// Checks that it does not matter which rank measures a game: each has a table of the same values, or solves the game to them.
fn ensure_same_values(games: &[Named], ranks: &dyn Exchange) -> Result<()> {
    if ranks.ranks() == 1 {
        return Ok(());
    }
    let mut all = Vec::new();
    for game in games {
        let table = tables::find(&game.rules)?.filter(|table| !tables::is_as_solved(table));
        all.extend(table.map_or([0; 32], |table| *table.hash().as_bytes()));
    }
    ensure_alike("tables of the games", &all, ranks)
}

/// Writes the measures of each game, and draws them.
fn write_profiles(
    args: &LabArgs,
    games: &[Named],
    ranks: &dyn Exchange,
    out: &mut Out,
) -> Result<()> {
    let names = games.iter().map(|game| game.name.clone());
    let sampled = games.iter().any(|game| args.method(game.positions()) != Method::Exact);
    let table = ProfileTable::new(args.markdown, names, sampled);
    if !args.json {
        table.write_head(out)?;
    }
    // A single rank shows each row as soon as it is known.
    let write = |row: &Row, out: &mut Out| {
        if args.json {
            return Ok(());
        }
        table.write_row(&row.rules, &row.profile, out)?;
        out.flush()
    };
    let profiles = map_among(ranks, games, Named::positions, |game| {
        let profile = args.profile(&game.rules)?;
        if ranks.ranks() == 1 {
            write(&Row::new(game, &profile), out)?;
        }
        anyhow::Ok(profile)
    })?;
    let rows = games.iter().zip(&profiles).map(|(game, profile)| Row::new(game, profile));
    let rows: Vec<_> = rows.collect();
    if ranks.ranks() > 1 {
        rows.iter().try_for_each(|row| write(row, out))?;
    }
    if args.json {
        out.json(&rows)?;
    }
    args.draw(rows)
}

impl Named {
    fn positions(&self) -> u64 {
        positions(&self.rules)
    }
}

impl Row {
    fn new(game: &Named, profile: &Profile) -> Self {
        Self { rules: game.name.clone(), profile: *profile }
    }
}

/// Returns how a game may begin.
fn ways(Named { name, rules }: &Named) -> Result<Ways> {
    let openings = with_solution(rules, |values, _| Ok(OpeningValue::all(rules, values)))?;
    Ok(Ways { rules: name.clone(), openings })
}

impl LabArgs {
    /// Returns the games to examine, each of which is solved or fits into memory. Leaves out presets that are neither.
    fn games(&self) -> Result<Vec<Named>> {
        let mut variations = self.variations();
        if !self.rules.is_empty() {
            let named = self.rules.iter().map(|text| Ok((&**text, notation::rule_set(text)?)));
            let named = named.collect::<Result<Vec<_>>>()?;
            let games = named
                .iter()
                .flat_map(|(text, base)| variations.of(base).into_iter().map(|it| (*text, it)));
            let games = games.map(|(text, it)| Ok((text, fitting(&it)?)));
            return games.collect::<Result<_>>().map(with_unique_names);
        }
        if variations.pieces.is_empty() {
            variations.pieces = vec![FEW_PIECES];
        }
        let mut games = Vec::new();
        for rule_set in RuleSet::PRESETS.iter().flat_map(|base| variations.of(base)) {
            match fitting(&rule_set) {
                Ok(rules) => games.push(("", rules)),
                Err(error) => status(format_args!("left out: {}", errors::line(&error))),
            }
        }
        if games.is_empty() {
            return Err(anyhow!(
                "no preset can be measured so: expected rules that one of them allows"
            ))
            .hint(|| self.other_pieces());
        }
        Ok(with_unique_names(games))
    }

    /// Returns the hint for the case that no preset is left.
    fn other_pieces(&self) -> String {
        if self.pieces.is_empty() {
            return format!(
                "players have {FEW_PIECES} pieces each: --pieces gives them more or fewer"
            );
        }
        "`ur rules` lists the rule sets".to_owned()
    }

    fn variations(&self) -> Variations {
        Variations {
            pieces: self.pieces.clone(),
            goals: self.goal.clone(),
            dice: self.dice.clone(),
            safe_rosettes: self.safe.clone(),
            rosettes_grant_rolls: self.extra.clone(),
            captures_grant_rolls: self.captures_extra.clone(),
        }
    }

    /// Returns how to examine a game with this number of positions.
    fn method(&self, positions: u64) -> Method {
        match self.games {
            None if positions <= MOST_EXACT => Method::Exact,
            games => Method::Sampled { games: games.unwrap_or(GAMES), seed: self.seed },
        }
    }

    fn profile(&self, rules: &Rules) -> Result<Profile> {
        self.examine(rules, |lab, method, bar| lab.profile(method, bar))
    }

    /// Returns what `look` finds in the laboratory of a game.
    fn examine<T>(
        &self,
        rules: &Rules,
        look: impl FnOnce(&Lab<'_>, Method, &Bar) -> Result<T, SolveError>,
    ) -> Result<T> {
        let name = rules.rule_set();
        let method = self.method(positions(rules));
        with_solution(rules, |values, report| {
            let memory: fn(&Solver) -> u64 = match method {
                Method::Exact => {
                    |solver| solver.meeting_memory(Lab::MEASURES.max(Lab::PERFECT_MEASURES))
                }
                // Simulated games need only the values.
                Method::Sampled { .. } => |_| 0,
            };
            let room = (memory, own_memory());
            let solver = tables::solver_or(rules, Options::default(), room, |_, _| None)?;
            let lab = Lab { rules, solver: &solver, values, report };
            let bar = Bar::new(format!("examining {name}"));
            look(&lab, method, &bar).doing("examining", name)
        })
    }

    /// Returns the statistics of games between perfect players.
    fn perfect(&self, Named { name, rules }: &Named) -> Result<Statistics> {
        let found = self.examine(rules, |lab, method, bar| lab.perfect(method, bar))?;
        Ok(Statistics { rules: name.clone(), found })
    }

    /// Writes the result of `find` for each game. A single rank writes each result as soon as it is known.
    fn write_all<T: Serialize + Display>(
        &self,
        games: &[Named],
        ranks: &dyn Exchange,
        out: &mut Out,
        find: impl Fn(&Named) -> Result<T>,
    ) -> Result<()> {
        let is_early = ranks.ranks() == 1 && !self.json;
        let texts = map_among(ranks, games, Named::positions, |game| {
            let found = find(game)?;
            let text = if self.json { serde_json::to_string(&found)? } else { found.to_string() };
            if is_early {
                write!(out, "{text}")?;
                out.flush()?;
            }
            anyhow::Ok(text)
        })?;
        if self.json {
            return writeln!(out, "[{}]", texts.join(","));
        }
        if is_early { Ok(()) } else { write!(out, "{}", texts.concat()) }
    }

    /// Returns the file of the picture, if this process draws one.
    fn picture(&self) -> Option<&Path> {
        self.svg.as_deref().filter(|_| !is_silent())
    }

    fn draw(&self, rows: Vec<Row>) -> Result<()> {
        let Some(path) = self.picture() else { return Ok(()) };
        let points: Vec<_> = rows.into_iter().map(|row| (row.rules, row.profile)).collect();
        let title = "How long games are, and how much skill counts";
        files::write(path, &scatter_plot(title, &points)?)
    }
}

/// Returns the compiled rules of a game that is solved or fits the memory.
fn fitting(rule_set: &RuleSet) -> Result<Rules> {
    let rules = rule_set.compile().with_context(|| rule_set.to_string());
    let rules = rules.hint(|| match rule_set.goal {
        Some(_) => "`--goal` says how many pieces a player brings home",
        None => "`ur rules` lists the rule sets",
    })?;
    if tables::find(&rules)?.is_none() {
        holding_solver(&rules)?;
    }
    Ok(rules)
}

/// Returns a solver of a game without a table, whose values all fit into memory.
fn holding_solver(rules: &Rules) -> Result<Solver> {
    let room = (Solver::holding_memory as tables::Memory, own_memory());
    tables::solver_or(rules, Options::default(), room, |solver, limit| {
        let library = tables::library().ok()?;
        let spilling = || spilling_in(solver, library.store().directory(), limit);
        (solver.memory() <= limit || spilling().is_some()).then(|| {
            let name = notation::word(rules.rule_set());
            format!("`ur solve {name}` makes its table, which needs little memory to read")
        })
    })
}

/// Names the games, which come with the user's texts for their rules. Games that share a name get the names of their files, too.
fn with_unique_names(games: Vec<(&str, Rules)>) -> Vec<Named> {
    let names: Vec<_> = games.iter().map(|(_, rules)| rules.rule_set().to_string()).collect();
    let is_shared = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let unique = games.into_iter().zip(&names).map(|((text, rules), name)| {
        let name = match name {
            name if is_shared(name) && notation::is_file(text) => format!("{name} ({text})"),
            name => name.clone(),
        };
        Named { name, rules }
    });
    unique.collect()
}

fn positions(rules: &Rules) -> u64 {
    Indexer::new(rules).map_or(u64::MAX, |indexer| indexer.len())
}

/// Returns an error if the values of a game that is small enough to be bounded have no bounds.
fn ensure_end(rules: &Rules, values: &Values, bar: &Bar) -> Result<()> {
    if !tables::library()?.bounds(rules) {
        return Ok(());
    }
    let threads = Options::default().threads;
    match puabi_solve::bound(rules, values, threads, bar, (&|_, _, _| (), &|bounds| bounds)) {
        Err(error @ SolveError::Unbounded { .. }) => {
            Err(anyhow::Error::new(error).context(tables::ENDLESS))
                .context(rules.rule_set().to_string())
                .hint(|| tables::ENDING)
        }
        bounds => bounds.map(drop).doing("bounding", rules.rule_set()),
    }
}

/// Returns what `look` finds with the values of the game and the report of its solve, from its table if there is one.
fn with_solution<T>(
    rules: &Rules,
    look: impl FnOnce(SharedEvaluator<'_>, Report) -> Result<T>,
) -> Result<T> {
    if let Some(table) = tables::find(rules)? {
        if table.header().report().positions <= MOST_EXACT {
            // Exact results need all values.
            tables::check(&table)?;
        }
        tables::tell_rounded(&table);
        return tables::with_values(&table, |values| look(values, table.header().report()))?;
    }
    let solver = holding_solver(rules)?;
    let name = rules.rule_set();
    let bar = Bar::new(format!("solving {name}"));
    let (values, report) = solver.solve(&Unattended, &bar).doing("solving", name)?;
    ensure_end(rules, &values, &bar)?;
    look(&values, report)
}
