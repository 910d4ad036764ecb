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
  ur value finkel 4,8,12+2:1,5:D3 --json")]
pub(crate) struct Args {
    /// The rule set
    rules: String,
    /// The position, with the roll or for every roll
    #[arg(allow_hyphen_values = true)]
    position: String,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pen: Pen,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let rules = notation::rules(&args.rules)?;
    let asked = notation::asked(&rules, &args.position)?;
    let lookup = tables::obtain(&rules)?;
    let answer = Answer::new(&rules, (asked.position, asked.turn), asked.roll, &lookup);
    lookup.check()?;
    if args.json {
        text::write_json(&answer, out)?;
    } else {
        write_answer(&rules, &answer, args.pen, out)?;
    }
    Ok(Outcome::Done)
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
