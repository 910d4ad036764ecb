//! `ur rules`: lists the rule sets, shows one, or checks a rule file.

use std::collections::BTreeMap;
use std::fmt::Display;

use anyhow::Result;
use clap::Subcommand;
use puabi_core::{
    Chapter, Indexer, Player, Roll, RuleSet, Rules, Square, StackOrder, Tile, TileKind, TurnsOn,
};
use puabi_engine::perfect_length;
use puabi_server::Language;
use puabi_tables::Precision;
use serde::Serialize;

use crate::errors;
use crate::notation;
use crate::output::Out;
use crate::output::text::{self, t};
use crate::style::{self, Style};

/// Arguments of `ur rules`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = include_str!("../../help/rules.txt")
)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    action: Option<RulesAction>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// Speaks English (en), German (de) or Arabic (ar) [default: `UR_LANGUAGE`, or else as the system]
    #[arg(
        long,
        value_name = "CODE",
        default_value_t = style::language_of_the_environment(),
        hide_default_value = true
    )]
    language: Language,
}

#[derive(Debug, Subcommand)]
enum RulesAction {
    /// Draws the board and describes the rules
    #[command(after_help = "Examples:\n  ur rules show masters\n  ur rules show finkel:2 --layers")]
    Show {
        /// The rule set
        rules: String,
        /// Also counts the positions of each pair of scores
        #[arg(long)]
        layers: bool,
        /// Prints JSON
        #[arg(long, conflicts_with = "layers")]
        json: bool,
        #[command(flatten)]
        style: Style,
    },
    /// Checks a rule file; if it is wrong, says what would be right, with exit code 1
    #[command(after_help = "Example:\n  ur rules check my.toml")]
    Check {
        /// The rule file; - is stdin
        #[arg(value_name = "FILE")]
        rules: String,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(args: &RulesArgs, out: &mut Out) -> Result<()> {
    match &args.action {
        None => return list(args.json, args.language, out),
        Some(RulesAction::Show { rules, layers, json, style }) => {
            let rules = notation::rules(rules)?;
            if *json {
                return out.json(&Shown::new(&rules)?);
            }
            show(&rules, *style, out)?;
            if *layers {
                write_layers(&rules, out)?;
            }
        }
        Some(RulesAction::Check { rules: file, json }) => return check(file, *json, out),
    }
    Ok(())
}

/// A rule file that was checked, in JSON.
#[derive(Debug, Serialize)]
struct Checked<'a> {
    file: &'a str,
    rules: Option<String>,
    positions: Option<u64>,
    error: Option<String>,
}

/// Checks a rule file. A file with wrong rules gives the answer no; a file that cannot be read is an error.
fn check(file: &str, json: bool, out: &mut Out) -> Result<()> {
    let checked = notation::checked(file)?.and_then(|rules| {
        let positions = Indexer::new(&rules)?.len();
        Ok((rules.rule_set().to_string(), positions))
    });
    match checked {
        Ok((rules, positions)) if json => {
            let (rules, positions) = (Some(rules), Some(positions));
            out.json(&Checked { file, rules, positions, error: None })
        }
        Ok((name, positions)) => {
            let positions = text::count(positions);
            writeln!(out, "{file} is a rule set: {name}, {positions} positions")
        }
        Err(error) if json => {
            let error = Some(errors::line(&error));
            out.json(&Checked { file, rules: None, positions: None, error })?;
            errors::answer(false)
        }
        Err(error) => Err(errors::no(error, notation::RULE_FILES)),
    }
}

/// A rule set in one line.
#[derive(Debug, Serialize)]
struct RuleSetLine {
    rules: String,
    path: u8,
    dice: String,
    pieces: u8,
    positions: u64,
    introduction: Option<&'static str>,
}

/// A rule set with its board and its way of play.
#[derive(Debug, Serialize)]
struct Shown {
    #[serde(flatten)]
    line: RuleSetLine,
    /// Pieces that a player must bring home to win.
    goal: u8,
    /// Every tile with its kind.
    tiles: Vec<ShownTile>,
    /// The tiles of light's path, in order.
    light: Vec<String>,
    dark: Vec<String>,
    /// Every roll with its chance, ascending.
    rolls: Vec<(u8, f64)>,
    way_of_play: Vec<Chapter>,
    /// The mean number of rolls of a perfect game, if it is known exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    /// The rule file.
    toml: String,
}

#[derive(Debug, Serialize)]
struct ShownTile {
    tile: String,
    kind: &'static str,
}

impl Shown {
    fn new(rules: &Rules) -> Result<Self> {
        let board = rules.board();
        let path = |player| board.path(player).iter().map(ToString::to_string).collect();
        let kind = |tile| board.tile_kind(tile).unwrap_or(TileKind::Plain).word();
        let tile = |&tile: &Tile| ShownTile { tile: tile.to_string(), kind: kind(tile) };
        Ok(Self {
            line: line(rules.rule_set())?,
            goal: rules.goal(),
            tiles: board.tiles().iter().map(tile).collect(),
            light: path(Player::Light),
            dark: path(Player::Dark),
            rolls: rules.rolls().iter().map(|&(roll, chance)| (roll.steps(), chance)).collect(),
            way_of_play: rules.way_of_play(),
            length: perfect_length(rules.rule_set()),
            toml: rules.rule_set().to_toml(),
        })
    }
}

fn list(json: bool, language: Language, out: &mut Out) -> Result<()> {
    let lines: Result<Vec<_>> = RuleSet::PRESETS.iter().map(line).collect();
    if json {
        return out.json(&lines?);
    }
    let [name, dice] = [t!(language, "rules"), t!(language, "dice")];
    let [path, pieces, positions] =
        [t!(language, "path"), t!(language, "pieces"), t!(language, "positions")];
    let (name, dice) = (text::left(&name, 13), text::left(&dice, 6));
    let (path, pieces) = (text::right(&path, 4), text::right(&pieces, 6));
    writeln!(out, "{name} {path}  {dice} {pieces} {}", text::right(&positions, 15))?;
    let lines = lines?;
    for RuleSetLine { rules, path, dice, pieces, positions, .. } in &lines {
        let positions = language.number(text::count(*positions));
        writeln!(out, "{rules:<13} {path:>4}  {dice:<6} {pieces:>6} {positions:>15}")?;
    }
    writeln!(out, "\n{}", t!(language, "Which to play"))?;
    for RuleSetLine { rules, introduction, .. } in &lines {
        writeln!(out, "{rules:<13} {}", language.translate(introduction.unwrap_or_default()))?;
    }
    Ok(())
}

fn line(preset: &RuleSet) -> Result<RuleSetLine> {
    let rules = preset.compile()?;
    Ok(RuleSetLine {
        rules: preset.to_string(),
        path: rules.length(),
        dice: preset.dice.to_string(),
        pieces: preset.pieces,
        positions: Indexer::new(&rules)?.len(),
        introduction: preset.introduction(),
    })
}

/// Writes a line with a fact of a rule set: the name of the fact, and the fact.
fn fact(name: &str, what: impl Display, out: &mut Out) -> Result<()> {
    writeln!(out, "{} {what}", text::left(name, 10))
}

fn show(rules: &Rules, style: Style, out: &mut Out) -> Result<()> {
    let (language, positions) = (style.language, Indexer::new(rules)?.len());
    writeln!(out, "{}", t!(language, "{rules}, light's path:", rules = rules.rule_set()))?;
    style.path(rules, Player::Light, out)?;
    for player in Player::BOTH {
        let path = rules.board().path(player).iter();
        let tiles: Vec<_> = path.map(|&tile| style.names().name(tile)).collect();
        fact(&language.translate(player), tiles.join(" "), out)?;
    }
    let (pieces, goal) = (rules.pieces(), rules.goal());
    let each = if goal < pieces {
        t!(language, "{pieces} each, {goal} home win", pieces, goal)
    } else {
        t!(language, "{pieces} each", pieces)
    };
    fact(&t!(language, "pieces"), each, out)?;
    write_dice(rules, language, out)?;
    write_squares(rules, language, out)?;
    fact(&t!(language, "positions"), language.number(text::count(positions)), out)?;
    let sizes = Precision::ALL.map(|precision| {
        let bytes = positions.saturating_mul(precision.bytes() as u64);
        t!(language, "{size} as {precision}", size = language.number(text::bytes(bytes)), precision)
    });
    fact(&t!(language, "table"), text::list(sizes), out)?;
    if let Some(rolls) = perfect_length(rules.rule_set()) {
        let rolls = language.number(rolls);
        let length = t!(language, "{rolls} rolls on average between perfect players", rolls);
        fact(&t!(language, "length"), length, out)?;
    }
    writeln!(out, "\n{}", style.way_of_play(rules))
}

/// Writes how many positions have each pair of scores, in the order in which a solve needs them.
fn write_layers(rules: &Rules, out: &mut Out) -> Result<()> {
    let indexer = Indexer::new(rules)?;
    let score = |state: usize| indexer.side_states()[state].score;
    let mut layers = BTreeMap::<_, u64>::new();
    for sublayer in indexer.sublayers() {
        let (more, less) = (score(sublayer.senior), score(sublayer.junior));
        *layers.entry((more.max(less), more.min(less))).or_default() += sublayer.len();
    }
    writeln!(out, "\npieces home       positions")?;
    for ((more, less), positions) in layers.iter().rev() {
        writeln!(
            out,
            "{:<11} {:>15}",
            format!("{more} and {less}"),
            text::count(*positions).to_string()
        )?;
    }
    if rules.goal() == rules.pieces() {
        let finished = text::count(finished(rules, &indexer)).to_string();
        writeln!(out, "{:<11} {finished:>15}, which no table has", "finished")?;
    }
    Ok(())
}

/// Counts the positions in which all pieces of one player are home, if all must be.
fn finished(rules: &Rules, indexer: &Indexer) -> u64 {
    let movable = indexer.side_states().iter().filter(|state| state.score < rules.goal());
    let ways = movable.flat_map(|state| {
        let movable = state.movable(rules.pieces());
        (0..=movable).map(move |shared| {
            let before = indexer.pre_index().ways_at_most(movable - shared);
            indexer.configurations(0, shared).saturating_mul(before)
        })
    });
    ways.fold(0, u64::saturating_add)
}

fn write_dice(rules: &Rules, language: Language, out: &mut Out) -> Result<()> {
    let RuleSet { dice, first_roll, .. } = rules.rule_set();
    let chance = |(roll, chance): &(Roll, f64)| {
        format!("{roll}: {}", language.number(text::percent(*chance)))
    };
    let rolls = text::list(rules.rolls().iter().map(chance));
    fact(&t!(language, "dice"), format_args!("{dice}, {rolls}"), out)?;
    if let Some(roll) = first_roll {
        fact(&t!(language, "first roll"), t!(language, "{roll}, given", roll), out)?;
    }
    Ok(())
}

fn write_squares(rules: &Rules, language: Language, out: &mut Out) -> Result<()> {
    let RuleSet { safe_rosettes, rosettes_grant_rolls, captures_grant_rolls, .. } =
        *rules.rule_set();
    let squares = text::list(rules.rosettes().iter());
    let (another, comma) = (t!(language, "another roll"), t!(language, ", "));
    let again = if rosettes_grant_rolls { another.clone() } else { t!(language, "no other roll") };
    let safe = if safe_rosettes { t!(language, "safe") } else { t!(language, "not safe") };
    if !squares.is_empty() {
        fact(&t!(language, "rosettes"), format_args!("{squares}: {again}{comma}{safe}"), out)?;
    }
    let again = if captures_grant_rolls { another } else { t!(language, "the turn passes") };
    let back = if rules.rule_set().like_captures_like {
        t!(language, "captures   send the piece of the same kind back to the hand; {again}", again)
    } else {
        t!(language, "captures   send the piece back to the hand; {again}", again)
    };
    writeln!(out, "{back}")?;
    write_tile_kinds(rules, language, out)?;
    write_ways(rules, language, out)
}

/// Writes the kinds of tiles besides plain ones and rosettes.
fn write_tile_kinds(rules: &Rules, language: Language, out: &mut Out) -> Result<()> {
    for (kind, name, meaning) in tile_kinds(rules.rule_set(), language) {
        let path = (1..=rules.length()).filter_map(Square::new);
        let squares = text::list(path.filter(|&square| rules.tile_kind(square) == kind));
        if !squares.is_empty() {
            fact(&name, format_args!("{squares}: {meaning}"), out)?;
        }
    }
    Ok(())
}

/// Returns the kinds of tiles besides plain ones and rosettes, each with its name and what it means.
fn tile_kinds(rule_set: &RuleSet, language: Language) -> [(TileKind, String, String); 5] {
    let stacks = rule_set.stacks;
    let several = |is_free: bool| {
        if stacks.cap == 1 {
            return t!(language, "one piece");
        }
        let order =
            if is_free { t!(language, "any moves") } else { t!(language, "the top one moves") };
        t!(language, "up to {cap} pieces, {order}", cap = stacks.cap, order)
    };
    let in_camps = several(stacks.order != StackOrder::Lifo);
    let elsewhere = several(stacks.order == StackOrder::Free);
    let semicolon = t!(language, "; ");
    let closed = t!(language, "closed to the other player");
    let closed = if stacks.camps_of_one_kind {
        format!("{}{semicolon}{closed}", t!(language, "all novices or all veterans"))
    } else {
        closed
    };
    let both = t!(language, "both players', nothing is captured");
    let novices = t!(language, "both players' novices only");
    let veterans = t!(language, "both players' veterans only");
    let last = if rule_set.last_protects_novices {
        t!(language, "a piece there cannot be captured")
    } else {
        t!(language, "a veteran there cannot be captured")
    };
    [
        (TileKind::Camp, t!(language, "camps"), format!("{in_camps}{semicolon}{closed}")),
        (TileKind::Holy, t!(language, "holy"), format!("{elsewhere}{semicolon}{both}")),
        (TileKind::Novices, t!(language, "novices"), format!("{elsewhere}{semicolon}{novices}")),
        (TileKind::Veterans, t!(language, "veterans"), format!("{elsewhere}{semicolon}{veterans}")),
        (TileKind::Last, t!(language, "last"), last),
    ]
}

/// Writes the rules for turning and for the exit.
fn write_ways(rules: &Rules, language: Language, out: &mut Out) -> Result<()> {
    if let Some(turning) = rules.rule_set().turning {
        let square = turning.square;
        let when = match turning.on {
            TurnsOn::Leaving => {
                t!(language, "{square}: a piece becomes a veteran on leaving or passing it", square)
            }
            TurnsOn::Landing => {
                t!(language, "{square}: a piece becomes a veteran on reaching it", square)
            }
        };
        fact(&t!(language, "turning"), when, out)?;
    }
    if !rules.rule_set().exact_exit {
        let which = if rules.goal() < rules.pieces() {
            t!(
                language,
                "the piece that wins may leave with more than it needs, if none is farther along"
            )
        } else {
            t!(language, "the piece left last may leave with more than it needs")
        };
        fact(&t!(language, "exit"), which, out)?;
    }
    Ok(())
}
