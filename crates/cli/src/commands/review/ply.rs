//! Every roll and every move at one ply.

use anyhow::{Result, anyhow};
use puabi_core::{Ply, Record, Rules, Setup};
use puabi_engine::{Answer, RollAnswer};
use serde::Serialize;

use super::targets::Targets;
use crate::errors::Advise;
use crate::output::{Out, text};
use crate::style::Style;
use crate::tables::judging::Judging;

/// A ply with every roll and every move that was possible.
#[derive(Debug, Serialize)]
struct Alternatives {
    ply: usize,
    judge: String,
    roll: u8,
    #[serde(rename = "move")]
    action: String,
    answer: Answer,
}

/// Returns a ply of the game with its number, counted from 1.
pub(super) fn find(record: &Record, number: usize) -> Result<(usize, &Ply)> {
    let plies = record.game.plies();
    let ply = number.checked_sub(1).and_then(|at| plies.get(at));
    ply.map(|ply| (number, ply))
        .ok_or_else(|| anyhow!("the game has no ply {number}"))
        .hint(|| format!("it has plies 1 to {}", plies.len()))
}

pub(super) fn run(
    rules: &Rules,
    (number, ply): (usize, &Ply),
    judging: &Judging,
    targets: &Targets,
    out: &mut Out,
) -> Result<()> {
    let query = (ply.before, ply.player);
    let answer = judging.answer(rules, query, None)?;
    let judge = judging.source();
    if targets.json {
        let (judge, action) = (judge.to_string(), ply.action.to_string());
        let report = Alternatives { ply: number, judge, roll: ply.roll.steps(), action, answer };
        return out.json(&report);
    }
    write(targets.style, rules, (number, ply), &answer, out)?;
    if let Some(caveat) = judge.caveat() {
        writeln!(out, "\n{caveat}")?;
    }
    Ok(())
}

/// Writes the position of a ply and the value of each roll and move there.
fn write(
    style: Style,
    rules: &Rules,
    (number, ply): (usize, &Ply),
    answer: &Answer,
    out: &mut Out,
) -> Result<()> {
    let setup = Setup { roll: Some(ply.roll), ..rules.setup(ply.before, ply.player) };
    writeln!(out, "{}  {setup}", answer.rules)?;
    style.position(rules, &setup, out)?;
    let (player, value, rolled) = (ply.player, text::percent(answer.value), ply.roll);
    let tiles = style.tiles(rules, player, ply.action);
    write!(out, "ply {number}: {player} has {value} before the roll, ")?;
    writeln!(out, "rolls {rolled} and plays {tiles}")?;
    for RollAnswer { roll, chance, moves } in &answer.rolls {
        let thrown = if *roll == rolled { ", thrown" } else { "" };
        let (chance, luck) = (text::percent(*chance), text::points(moves[0].value - answer.value));
        writeln!(out, "\nroll {roll}, {chance}, luck {luck}{thrown}")?;
        for option in moves {
            let is_played = (*roll, option.action) == (rolled, ply.action);
            let sign = if is_played { '>' } else { ' ' };
            writeln!(out, "{sign} {}", style.option(rules, player, option, moves[0].value))?;
        }
    }
    Ok(())
}
