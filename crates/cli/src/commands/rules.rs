//! `ur rules`: lists the rule sets, shows one, or checks a rule file.

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;
use puabi_core::{Indexer, Player, RuleSet, Rules, Square, StackOrder, TileKind, TurnsOn};
use puabi_tables::Precision;
use serde::Serialize;

use crate::notation;
use crate::output::{self, Outcome, text};
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
    #[command(after_help = "Example:\n  ur rules show masters")]
    Show {
        /// The rule set
        rules: String,
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

pub(crate) fn run(args: &RulesArgs, out: &mut dyn Write) -> Result<Outcome> {
    match &args.action {
        None => return list(args.json, out),
        Some(RulesAction::Show { rules, style }) => show(&notation::rules(rules)?, *style, out)?,
        Some(RulesAction::Check { rules: file }) => {
            let rules = notation::rules(file)?;
            let (name, positions) = (rules.rule_set(), text::count(Indexer::new(&rules)?.len()));
            writeln!(out, "{file} is a rule set: {name}, {positions} positions")?;
        }
    }
    Ok(Outcome::Done)
}

/// A rule set in one line.
#[derive(Debug, Serialize)]
struct RuleSetLine {
    rules: String,
    path: u8,
    dice: String,
    pieces: u8,
    positions: u64,
}

fn list(json: bool, out: &mut dyn Write) -> Result<Outcome> {
    let lines: Result<Vec<_>> = RuleSet::PRESETS.iter().map(line).collect();
    if json {
        return output::print_json(&lines?, out);
    }
    writeln!(
        out,
        "{:<13} {:>4}  {:<6} {:>6} {:>15}",
        "rules", "path", "dice", "pieces", "positions"
    )?;
    for RuleSetLine { rules, path, dice, pieces, positions } in lines? {
        let positions = text::count(positions).to_string();
        writeln!(out, "{rules:<13} {path:>4}  {dice:<6} {pieces:>6} {positions:>15}")?;
    }
    Ok(Outcome::Done)
}

fn line(preset: &RuleSet) -> Result<RuleSetLine> {
    let rules = preset.compile()?;
    Ok(RuleSetLine {
        rules: preset.to_string(),
        path: rules.length(),
        dice: preset.dice.to_string(),
        pieces: preset.pieces,
        positions: Indexer::new(&rules)?.len(),
    })
}

fn show(rules: &Rules, style: Style, out: &mut dyn Write) -> Result<()> {
    let rule_set = rules.rule_set();
    writeln!(out, "{rule_set}, light's path:")?;
    style.path(rules, Player::Light, out)?;
    for player in Player::BOTH {
        let tiles: Vec<_> = rules.board().path(player).iter().map(ToString::to_string).collect();
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
    writeln!(out, "table      {}", sizes.join(", "))?;
    Ok(())
}

fn write_dice(rules: &Rules, out: &mut dyn Write) -> Result<()> {
    let chances =
        rules.rolls().iter().map(|(roll, chance)| format!("{roll}: {}", text::percent(*chance)));
    let chances: Vec<_> = chances.collect();
    writeln!(out, "dice       {}, {}", rules.rule_set().dice, chances.join(", "))?;
    if let Some(roll) = rules.rule_set().first_roll {
        writeln!(out, "first roll {roll}, given")?;
    }
    Ok(())
}

fn write_squares(rules: &Rules, out: &mut dyn Write) -> Result<()> {
    let RuleSet { safe_rosettes, rosettes_grant_rolls, captures_grant_rolls, .. } =
        *rules.rule_set();
    let squares: Vec<_> = rules.rosettes().iter().map(|square| square.to_string()).collect();
    let again = if rosettes_grant_rolls { "another roll" } else { "no other roll" };
    let safe = if safe_rosettes { "safe" } else { "not safe" };
    writeln!(out, "rosettes   {}: {again}, {safe}", squares.join(", "))?;
    let again = if captures_grant_rolls { "another roll" } else { "the turn passes" };
    let whom = if rules.rule_set().like_captures_like { " of the same kind" } else { "" };
    writeln!(out, "captures   send the piece{whom} back to the hand; {again}")?;
    write_grounds(rules, out)
}

/// Writes the kinds of tiles besides plain ones and rosettes, and the rules for turning and for the exit.
fn write_grounds(rules: &Rules, out: &mut dyn Write) -> Result<()> {
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
    for (ground, name, meaning) in kinds {
        let path = (1..=rules.length()).filter_map(Square::new);
        let squares: Vec<_> =
            path.filter(|&it| rules.tile_kind(it) == ground).map(|it| it.to_string()).collect();
        if !squares.is_empty() {
            writeln!(out, "{name:<10} {}: {meaning}", squares.join(", "))?;
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
        writeln!(
            out,
            "exit       the piece {which} may leave with more than it needs{if_farthest}"
        )?;
    }
    Ok(())
}
