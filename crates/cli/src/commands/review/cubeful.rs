//! The cube's part of a review: what doubling, taking and moving gave away.

use anyhow::Result;
use puabi_core::{Player, Record};
use puabi_engine::{CubeErrors, CubeReview};
use puabi_server::Language;

use crate::commands::value::cubeful::cost;
use crate::errors;
use crate::output::status;
use crate::output::text::{self, t};
use crate::play::doubling::stakes_words;
use crate::tables::cube::CubeValues;

/// Returns the review of the cube, if the game has one. If the game cannot be solved with its cube, prints why and returns `None`.
/// It does the same if the user gives the `depth` of a search, which means that no solve is wanted.
pub(super) fn review(record: &Record, depth: Option<u8>) -> Result<Option<CubeReview>> {
    let Some(stakes) = record.stakes_at_start() else { return Ok(None) };
    if depth.is_some() {
        status("the cube is not judged: no search values it");
        return Ok(None);
    }
    match CubeValues::obtain(record.game.rules(), stakes) {
        Ok(values) => values.with(|values| CubeReview::new(record, values)),
        Err(error) => {
            status(format_args!("the cube is not judged: {}", errors::line(&error)));
            Ok(None)
        }
    }
}

/// Returns lines with the errors of each player, and with each error of the cube.
pub(crate) fn error_lines(review: &CubeReview, language: Language) -> Vec<String> {
    let stakes = review.stakes;
    let row = |name: &str, own: &dyn Fn(Player) -> String| {
        let [light, dark] = Player::BOTH.map(|player| text::right(&own(player), 18));
        format!("{} {light} {dark}", text::left(name, 14))
    };
    let costs = |name: String, own: fn(&CubeErrors) -> f64| {
        row(&name, &|player| cost(stakes, own(&review.totals[player]), language))
    };
    let mut lines = vec![
        t!(language, "{stakes}: errors cost", stakes = stakes_words(stakes, language)),
        row("", &|player| language.translate(player)),
        costs(t!(language, "doubling"), |errors| errors.doubling),
        costs(t!(language, "taking"), |errors| errors.taking),
        costs(t!(language, "moving"), |errors| errors.moving),
    ];
    lines.extend(review.errors.iter().map(|error| {
        let (number, letter) = (error.plies + 1, error.player.letter());
        let (kind, cost) =
            (language.translate(error.kind.words()), cost(stakes, error.cost, language));
        format!("{number:>5} {letter} {kind}: {cost}")
    }));
    lines
}
