//! Every roll and every move at one ply.

use std::io::Write;

use anyhow::{Result, anyhow};
use puabi_core::{Ply, Record, Roll, Rules, Setup};
use puabi_engine::{Answer, RollAnswer};
use serde::Serialize;

use super::Args;
use crate::complaint::Advise;
use crate::judging::Judging;
use crate::text;

/// A ply with all that might have been, in JSON.
#[derive(Debug, Serialize)]
struct WhatIf {
    ply: usize,
    judge: String,
    roll: u8,
    #[serde(rename = "move")]
    action: String,
    answer: Answer,
}

pub(super) fn run(
    args: &Args,
    record: &Record,
    number: usize,
    judging: &Judging,
    out: &mut dyn Write,
) -> Result<()> {
    let (game, plies) = (&record.game, record.game.plies());
    let ply = number.checked_sub(1).and_then(|at| plies.get(at));
    let ply = ply
        .ok_or_else(|| anyhow!("the game has no ply {number}"))
        .hint(|| format!("it has plies 1 to {}", plies.len()))?;
    let rules = game.rules();
    let asked = (ply.before, ply.player);
    let answer = judging.with_values(|values| Answer::new(rules, asked, None, values))?;
    let judge = judging.judge();
    if args.json {
        let (roll, action) = (ply.roll.steps(), ply.action.to_string());
        return text::write_json(
            &WhatIf { ply: number, judge: judge.to_string(), roll, action, answer },
            out,
        );
    }
    write(args, rules, (number, ply), &answer, out)?;
    judge.caveat().map_or(Ok(()), |caveat| Ok(writeln!(out, "\n{caveat}")?))
}

/// Writes the position of a ply and what each roll and move there would have come to.
fn write(
    args: &Args,
    rules: &Rules,
    (number, ply): (usize, &Ply),
    answer: &Answer,
    out: &mut dyn Write,
) -> Result<()> {
    let setup = Setup { roll: Some(ply.roll), ..rules.setup(ply.before, ply.player) };
    writeln!(out, "{}  {setup}", answer.rules)?;
    args.pen.position(rules, &setup, out)?;
    let (player, value) = (ply.player, text::percent(answer.value));
    let tiles = args.pen.tiles(rules, player, ply.action);
    writeln!(
        out,
        "ply {number}: {player} has {value} before the roll, rolls {} and plays {tiles}",
        ply.roll
    )?;
    for RollAnswer { roll, chance, moves } in &answer.rolls {
        let thrown = if *roll == ply.roll { ", thrown" } else { "" };
        let luck = super::words::points(moves[0].value - answer.value);
        writeln!(out, "\nroll {roll}, {}, luck {luck}{thrown}", text::percent(*chance))?;
        for option in moves {
            let is_played = (*roll, option.action) == (Roll::new(ply.roll.steps()), ply.action);
            let sign = if is_played { '>' } else { ' ' };
            writeln!(out, "{sign} {}", args.pen.option(rules, player, option, moves[0].value))?;
        }
    }
    Ok(())
}
