//! `ur value`: what a position and every move in it are worth.

use std::io::Write;

use anyhow::Result;
use puabi_core::Rules;
use puabi_engine::{Answer, RollAnswer};

use crate::drawing::Pen;
use crate::{Outcome, notation, tables, text};

/// Arguments of `ur value`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A position is LIGHT:DARK:TURN[ROLL]: the squares of each player's pieces along the own path, +N for N pieces home, - for
neither; then L or D for who rolls next, and the roll where it is known. Every value is the chance that this player wins.
A game that is not solved yet is solved first, and its table kept.

Examples:
  ur value finkel -:-:L
  ur value finkel 4,8,12+2:1,5:D3 --json
  ur value finkel 4,8:5,9:L --heat")]
pub(crate) struct Args {
    /// The rule set
    rules: String,
    /// The position, with the roll or for every roll
    #[arg(allow_hyphen_values = true)]
    position: String,
    /// Shows how each roll would go: its luck with the best move
    #[arg(long, conflicts_with = "json")]
    heat: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pen: Pen,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let rules = notation::rules(&args.rules)?;
    let asked = notation::asked(&rules, &args.position)?;
    let table = tables::obtain(&rules)?;
    let answer = tables::with_values(&table, |values| {
        Answer::new(&rules, (asked.position, asked.turn), asked.roll, values)
    })?;
    if args.json {
        text::write_json(&answer, out)?;
    } else if args.heat {
        write_heat(&rules, &answer, args.pen, out)?;
    } else {
        write_answer(&rules, &answer, args.pen, out)?;
    }
    Ok(Outcome::Done)
}

/// Columns of the longest bar.
const BAR: u8 = 30;

/// Writes each roll with its best move and its luck, as a bar too.
fn write_heat(rules: &Rules, answer: &Answer, pen: Pen, out: &mut dyn Write) -> Result<()> {
    let turn = answer.position.turn;
    writeln!(out, "{}  {}", answer.rules, answer.position)?;
    writeln!(out, "{turn} wins {} before the roll", text::percent(answer.value))?;
    let luck = |roll: &RollAnswer| roll.moves[0].value - answer.value;
    let widest = answer.rolls.iter().map(|roll| luck(roll).abs()).fold(1e-9, f64::max);
    for roll in &answer.rolls {
        let (best, luck) = (&roll.moves[0], luck(roll));
        let sign = if luck < 0.0 { "-" } else { "+" };
        // At most thirty, and never below nought.
        let bar: String = (0..BAR)
            .filter(|&at| f64::from(at) < luck.abs() / widest * f64::from(BAR))
            .map(|_| sign)
            .collect();
        let tiles = pen.tiles(rules, turn, best.action);
        let (chance, value) = (text::percent(roll.chance), text::percent(best.value));
        writeln!(
            out,
            "{:>3} {chance:>8} {tiles:<9} {value:>8} {:>+7.2}  {bar}",
            roll.roll,
            luck * 100.0
        )?;
    }
    Ok(())
}

fn write_answer(rules: &Rules, answer: &Answer, pen: Pen, out: &mut dyn Write) -> Result<()> {
    let turn = answer.position.turn;
    writeln!(out, "{}  {}", answer.rules, answer.position)?;
    pen.position(rules, &answer.position, out)?;
    writeln!(out, "{turn} wins {}", text::exact_percent(answer.value))?;
    for RollAnswer { roll, chance, moves } in &answer.rolls {
        writeln!(out, "\nroll {roll}, {}", text::percent(*chance))?;
        for option in moves {
            writeln!(out, "  {}", pen.option(rules, turn, option, moves[0].value))?;
        }
    }
    Ok(())
}
