//! The cube's part of a review: what doubling, taking and moving gave away.

use anyhow::Result;
use puabi_core::{Player, Record};
use puabi_engine::{CubeErrors, CubeReview};

use crate::commands::value::cubeful::cost;
use crate::output::{Out, status, text};
use crate::tables::cube::CubeValues;

/// Returns the review of the cube, if the game has one and can be solved with it; says why not otherwise.
pub(super) fn review(record: &Record) -> Result<Option<CubeReview>> {
    let Some(stakes) = record.stakes_at_start() else { return Ok(None) };
    match CubeValues::obtain(record.game.rules(), stakes) {
        Ok(values) => values.with(|values| CubeReview::new(record, values)),
        Err(error) => {
            status(format_args!("the cube is not judged: {error:#}"));
            Ok(None)
        }
    }
}

/// Writes the errors of each player, and those with the cube one by one.
pub(super) fn write(review: &CubeReview, out: &mut Out) -> Result<()> {
    let stakes = review.stakes;
    writeln!(out, "\n{stakes}: errors cost")?;
    let mut row = |name: &str, own: fn(&CubeErrors) -> f64| {
        let [light, dark] = Player::BOTH.map(|player| cost(stakes, own(&review.totals[player])));
        writeln!(out, "{name:<14} {} {}", text::right(&light, 18), text::right(&dark, 18))
    };
    row("doubling", |errors| errors.doubling)?;
    row("taking", |errors| errors.taking)?;
    row("moving", |errors| errors.moving)?;
    for error in &review.errors {
        let (number, letter) = (error.plies + 1, error.player.letter());
        writeln!(out, "{number:>5} {letter} {}: {}", error.kind.words(), cost(stakes, error.cost))?;
    }
    Ok(())
}
