//! `ur value`: what a position and every move in it are worth.

use anyhow::Result;
use puabi_core::{Rules, Setup};
use puabi_engine::{Answer, RollAnswer};

use crate::output::{Out, text};
use crate::style::Style;
use crate::{notation, tables};

/// Arguments of `ur value`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/value.txt"))]
pub(crate) struct ValueArgs {
    /// The rule set
    rules: String,
    /// The position, with the roll or for every roll
    #[arg(allow_hyphen_values = true)]
    position: String,
    /// Shows the luck of each roll with its best move
    #[arg(long, conflicts_with = "json")]
    heat: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    style: Style,
}

pub(crate) fn run(args: &ValueArgs, out: &mut Out) -> Result<()> {
    let rules = notation::rules(&args.rules)?;
    let (position, Setup { turn, roll, .. }) = notation::position(&rules, &args.position)?;
    let answer = tables::with_values(&tables::obtain(&rules)?, |values| {
        Answer::new(&rules, (position, turn), roll, values)
    })?;
    if args.json {
        return out.json(&answer);
    }
    let write = if args.heat { write_heat } else { write_answer };
    write(&rules, &answer, args.style, out)
}

/// The columns of the longest bar.
const BAR: u8 = 30;

/// Writes each roll with its best move and its luck, in points and as a bar.
fn write_heat(rules: &Rules, answer: &Answer, style: Style, out: &mut Out) -> Result<()> {
    let turn = answer.position.turn;
    writeln!(out, "{}  {}", answer.rules, answer.position)?;
    writeln!(out, "{turn} wins {} before the roll", text::percent(answer.value))?;
    let luck = |roll: &RollAnswer| roll.moves[0].value - answer.value;
    let widest = answer.rolls.iter().map(|roll| luck(roll).abs()).fold(1e-9, f64::max);
    for roll in &answer.rolls {
        let (best, luck) = (&roll.moves[0], luck(roll));
        let sign = if luck < 0.0 { "-" } else { "+" };
        let length = luck.abs() / widest * f64::from(BAR);
        let bar = sign.repeat((0..BAR).filter(|&at| f64::from(at) < length).count());
        let tiles = style.tiles(rules, turn, best.action);
        let [chance, value] = [roll.chance, best.value].map(text::percent);
        let (roll, luck) = (roll.roll, luck * 100.0);
        writeln!(out, "{roll:>3} {chance:>8} {tiles:<9} {value:>8} {luck:>+7.2}  {bar}")?;
    }
    Ok(())
}

fn write_answer(rules: &Rules, answer: &Answer, style: Style, out: &mut Out) -> Result<()> {
    let turn = answer.position.turn;
    writeln!(out, "{}  {}", answer.rules, answer.position)?;
    style.position(rules, &answer.position, out)?;
    writeln!(out, "{turn} wins {}", text::exact_percent(answer.value))?;
    for RollAnswer { roll, chance, moves } in &answer.rolls {
        writeln!(out, "\nroll {roll}, {}", text::percent(*chance))?;
        for option in moves {
            writeln!(out, "  {}", style.option(rules, turn, option, moves[0].value))?;
        }
    }
    Ok(())
}
