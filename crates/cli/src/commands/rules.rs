//! `ur rules`: lists the rule sets, shows one, or checks a rule file.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Subcommand;
use puabi_core::{
    Chapter, Indexer, Player, Roll, RuleSet, Rules, Square, StackOrder, Tile, TileKind, TurnsOn,
};
use puabi_tables::Precision;
use serde::Serialize;

use crate::notation;
use crate::output::{Out, text};
use crate::style::Style;

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
    /// Checks a rule file; if it is wrong, says what would be right, with exit code 2
    #[command(after_help = "Example:\n  ur rules check my.toml")]
    Check {
        /// The rule file; - is stdin
        #[arg(value_name = "FILE")]
        rules: String,
    },
}

pub(crate) fn run(args: &RulesArgs, out: &mut Out) -> Result<()> {
    match &args.action {
        None => return list(args.json, out),
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
        Some(RulesAction::Check { rules: file }) => {
            let rules = notation::rules(file)?;
            let (name, positions) = (rules.rule_set(), text::count(Indexer::new(&rules)?.len()));
            writeln!(out, "{file} is a rule set: {name}, {positions} positions")?;
        }
    }
    Ok(())
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
    /// Every tile, with what it is.
    tiles: Vec<ShownTile>,
    /// The tiles of light's path, in order.
    light: Vec<String>,
    dark: Vec<String>,
    /// Every roll with its chance, ascending.
    rolls: Vec<(u8, f64)>,
    way_of_play: Vec<Chapter>,
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
            toml: rules.rule_set().to_toml(),
        })
    }
}

fn list(json: bool, out: &mut Out) -> Result<()> {
    let lines: Result<Vec<_>> = RuleSet::PRESETS.iter().map(line).collect();
    if json {
        return out.json(&lines?);
    }
    writeln!(out, "rules         path  dice   pieces       positions")?;
    let lines = lines?;
    for RuleSetLine { rules, path, dice, pieces, positions, .. } in &lines {
        let positions = text::count(*positions).to_string();
        writeln!(out, "{rules:<13} {path:>4}  {dice:<6} {pieces:>6} {positions:>15}")?;
    }
    writeln!(out, "\nWhich to play")?;
    for RuleSetLine { rules, introduction, .. } in &lines {
        writeln!(out, "{rules:<13} {}", introduction.unwrap_or_default())?;
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

fn show(rules: &Rules, style: Style, out: &mut Out) -> Result<()> {
    let rule_set = rules.rule_set();
    writeln!(out, "{rule_set}, light's path:")?;
    style.path(rules, Player::Light, out)?;
    for player in Player::BOTH {
        let path = rules.board().path(player).iter();
        let tiles: Vec<_> = path.map(|&tile| style.names().name(tile)).collect();
        writeln!(out, "{:<10} {}", player.name(), tiles.join(" "))?;
    }
    let (pieces, goal) = (rules.pieces(), rules.goal());
    let race = if goal < pieces { format!(", {goal} home win") } else { String::new() };
    writeln!(out, "pieces     {pieces} each{race}")?;
    write_dice(rules, out)?;
    write_squares(rules, out)?;
    let positions = Indexer::new(rules)?.len();
    writeln!(out, "positions  {}", text::count(positions))?;
    let sizes = Precision::ALL.map(|precision| {
        let bytes = positions.saturating_mul(precision.bytes() as u64);
        format!("{} as {precision}", text::bytes(bytes))
    });
    writeln!(out, "table      {}", text::list(sizes))?;
    writeln!(out, "\n{}", text::chapters(rules))
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

fn write_dice(rules: &Rules, out: &mut Out) -> Result<()> {
    let RuleSet { dice, first_roll, .. } = rules.rule_set();
    let chance = |(roll, chance): &(Roll, f64)| format!("{roll}: {}", text::percent(*chance));
    writeln!(out, "dice       {dice}, {}", text::list(rules.rolls().iter().map(chance)))?;
    if let Some(roll) = first_roll {
        writeln!(out, "first roll {roll}, given")?;
    }
    Ok(())
}

fn write_squares(rules: &Rules, out: &mut Out) -> Result<()> {
    let RuleSet { safe_rosettes, rosettes_grant_rolls, captures_grant_rolls, .. } =
        *rules.rule_set();
    let squares = text::list(rules.rosettes().iter());
    let again = if rosettes_grant_rolls { "another roll" } else { "no other roll" };
    let safe = if safe_rosettes { "safe" } else { "not safe" };
    writeln!(out, "rosettes   {squares}: {again}, {safe}")?;
    let again = if captures_grant_rolls { "another roll" } else { "the turn passes" };
    let whom = if rules.rule_set().like_captures_like { " of the same kind" } else { "" };
    writeln!(out, "captures   send the piece{whom} back to the hand; {again}")?;
    write_tile_kinds(rules, out)
}

/// Writes the kinds of tiles besides plain ones and rosettes, and the rules for turning and for the exit.
fn write_tile_kinds(rules: &Rules, out: &mut Out) -> Result<()> {
    let stacks = rules.rule_set().stacks;
    let order = match stacks.order {
        StackOrder::Lifo => "the top one moves",
        StackOrder::FreeInCamps => "the top one moves, any in camps",
        StackOrder::Free => "any moves",
    };
    let several = format!("up to {} pieces, {order}", stacks.cap);
    let kinds = [
        (TileKind::Camp, "camps", format!("{several}; closed to the other player")),
        (TileKind::Holy, "holy", format!("{several}; both players', nothing is captured")),
        (TileKind::Novices, "novices", format!("{several}; both players' novices only")),
        (TileKind::Veterans, "veterans", format!("{several}; both players' veterans only")),
        (TileKind::Last, "last", "a veteran there cannot be captured".to_owned()),
    ];
    for (kind, name, meaning) in kinds {
        let path = (1..=rules.length()).filter_map(Square::new);
        let squares = text::list(path.filter(|&square| rules.tile_kind(square) == kind));
        if !squares.is_empty() {
            writeln!(out, "{name:<10} {squares}: {meaning}")?;
        }
    }
    if let Some(turning) = rules.rule_set().turning {
        let when = match turning.on {
            TurnsOn::Leaving => "leaving or passing",
            TurnsOn::Landing => "reaching",
        };
        writeln!(out, "turning    {}: a piece becomes a veteran on {when} it", turning.square)?;
    }
    if !rules.rule_set().exact_exit {
        let (which, if_farthest) = if rules.goal() < rules.pieces() {
            ("that wins", ", if none is farther along")
        } else {
            ("left last", "")
        };
        let more = "may leave with more than it needs";
        writeln!(out, "exit       the piece {which} {more}{if_farthest}")?;
    }
    Ok(())
}
