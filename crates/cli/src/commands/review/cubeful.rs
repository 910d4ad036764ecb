//! The cube's part of a review: what doubling, taking and moving gave away.

use anyhow::Result;
use puabi_core::{Player, Record};
use puabi_engine::{CubeErrors, CubeReview};
use puabi_server::Language;

use crate::commands::value::cubeful::cost;
use crate::output::text::{self, t};
use crate::output::{Out, status};
use crate::play::doubling::stakes_words;
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
pub(super) fn write(review: &CubeReview, language: Language, out: &mut Out) -> Result<()> {
    let stakes = review.stakes;
    let played = stakes_words(stakes, language);
    writeln!(out, "\n{}", t!(language, "{stakes}: errors cost", stakes = played))?;
    let mut row = |name: String, own: fn(&CubeErrors) -> f64| {
        let [light, dark] =
            Player::BOTH.map(|player| cost(stakes, own(&review.totals[player]), language));
        let name = text::left(&name, 14);
        writeln!(out, "{name} {} {}", text::right(&light, 18), text::right(&dark, 18))
    };
    row(t!(language, "doubling"), |errors| errors.doubling)?;
    row(t!(language, "taking"), |errors| errors.taking)?;
    row(t!(language, "moving"), |errors| errors.moving)?;
    for error in &review.errors {
        let (number, letter) = (error.plies + 1, error.player.letter());
        let (kind, cost) = (language.told(error.kind.words()), cost(stakes, error.cost, language));
        writeln!(out, "{number:>5} {letter} {kind}: {cost}")?;
    }
    Ok(())
}
