//! Every roll and every move at one ply.

use anyhow::{Result, anyhow};
use puabi_core::{Game, Ply, Record, Setup};
use puabi_engine::{Answer, RollAnswer};
use serde::Serialize;

use super::targets::Targets;
use crate::errors::Advise;
use crate::output::text::{self, t};
use crate::output::{self, Out};
use crate::style::Style;
use crate::tables::judge::Judge;

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
    ply.map(|ply| (number, ply)).ok_or_else(|| anyhow!("the game has no ply {number}")).hint(|| {
        match plies.len() {
            0 => "it has no plies".to_owned(),
            plies => format!("it has plies 1 to {plies}"),
        }
    })
}

pub(super) fn run(
    game: &Game,
    (number, ply): (usize, &Ply),
    judge: &Judge,
    targets: &Targets,
    out: &mut Out,
) -> Result<()> {
    let query = (ply.before, ply.player);
    let answer = judge.answer(game.rules(), query, None)?;
    let source = judge.source();
    if targets.json {
        let (judge, action) = (source.to_string(), ply.action.to_string());
        let report = Alternatives { ply: number, judge, roll: ply.roll.steps(), action, answer };
        return out.json(&report);
    }
    write(targets.style, game, (number, ply), &answer, out)?;
    if let Some(caveat) = source.caveat() {
        writeln!(out, "\n{}", output::wrapped(&targets.style.language.translate(caveat)))?;
    }
    Ok(())
}

/// Writes the position of a ply and the value of each roll and move there. A roll that the start gives is no luck, and stands
/// alone.
fn write(
    style: Style,
    game: &Game,
    (number, ply): (usize, &Ply),
    answer: &Answer,
    out: &mut Out,
) -> Result<()> {
    let rules = game.rules();
    let setup = Setup { roll: Some(ply.roll), ..rules.setup(ply.before, ply.player) };
    writeln!(out, "{}  {setup}", answer.rules)?;
    style.position(rules, &setup, out)?;
    let (language, rolled) = (style.language, ply.roll);
    let percent = |chance| language.number(text::percent(chance));
    let is_given = number == 1 && game.start().roll.is_some();
    let before = (!is_given).then(|| percent(answer.value));
    writeln!(out, "{}", heading(style, game, (number, ply), before))?;
    for RollAnswer { roll, chance, moves } in &answer.rolls {
        if is_given && *roll != rolled {
            continue;
        }
        writeln!(out)?;
        if !is_given {
            let luck = language.number(text::points(moves[0].value - answer.value));
            let chance = percent(*chance);
            let heading = if *roll == rolled {
                t!(language, "roll {roll}, {chance}, luck {luck}, thrown", roll, chance, luck)
            } else {
                t!(language, "roll {roll}, {chance}, luck {luck}", roll, chance, luck)
            };
            writeln!(out, "{heading}")?;
        }
        for option in moves {
            let is_played = (*roll, option.action) == (rolled, ply.action);
            let sign = if is_played { '>' } else { ' ' };
            writeln!(out, "{sign} {}", style.option(rules, ply.player, option, moves[0].value))?;
        }
    }
    Ok(())
}

/// Returns what was rolled and played, and what chance the player had before the roll, unless the start gives the roll.
fn heading(
    style: Style,
    game: &Game,
    (number, ply): (usize, &Ply),
    chance: Option<String>,
) -> String {
    let (language, roll) = (style.language, ply.roll);
    let player = language.translate(ply.player);
    let action = style.tiles(game.rules(), ply.player, ply.action);
    let Some(chance) = chance else {
        return t!(
            language,
            "ply {number}: the start gives {player} a {roll}; played: {action}",
            number,
            player,
            roll,
            action
        );
    };
    t!(
        language,
        "ply {number}: {player} has {chance} before the roll, rolls {roll} and plays {action}",
        number,
        player,
        chance,
        roll,
        action
    )
}
