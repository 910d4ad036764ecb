//! The ladder of ratings: how strongly a softmax player of each temperature plays.
//!
//! The rungs are exact match-ups with three pieces a side. For other numbers of pieces they are scaled by a law that was found
//! under Finkel's rules: with n pieces a player at temperature T loses `growth` times the Elo that a player with three pieces
//! loses at temperature T √(n/3). The root is there because the stakes shrink as the luck of a longer game adds up, and `growth`
//! because more pieces give more to decide. `docs/method.md` says how well the law holds.

use std::sync::LazyLock;

use puabi_core::{RuleSet, Rules};
use serde::Deserialize;

/// The rating of the perfect player, the highest there is.
pub(crate) const PERFECT_ELO: u16 = 2000;

/// The measurements from which all ladders are computed, as `strengths/ladders.toml` has them.
#[derive(Debug, Deserialize)]
struct Measured {
    temperatures: [f64; RUNGS],
    growth: [f64; 6],
    ladders: Vec<Ladder>,
}

/// How often softmax players win against the perfect one under these rules, the coldest first.
#[derive(Debug, Deserialize)]
struct Ladder {
    rules: String,
    win_chances: [f64; RUNGS],
}

const RUNGS: usize = 12;

static MEASURED: LazyLock<Measured> = LazyLock::new(|| {
    toml::from_str(include_str!("../../strengths/ladders.toml"))
        .expect("the measurements are sound")
});

/// The fewest pieces that ratings are fitted for: with one there is nothing to choose.
const MIN_RATED_PIECES: u8 = 2;
/// The most pieces that ratings are fitted for.
const MAX_RATED_PIECES: u8 = 7;

/// A rating, and the logarithm of the temperature at which a softmax player has it.
type Rung = (f64, f64);

/// Returns the rating of a player that wins with this chance against the perfect player, whose rating is 2000.
///
/// It is Elo's formula: 400 points make the odds ten times as good.
pub(crate) fn rating(win_chance: f64) -> f64 {
    f64::from(PERFECT_ELO) + 400.0 * (win_chance / (1.0 - win_chance)).log10()
}

/// Returns the rungs of the ladder of these rules, the strongest first, each as rating and logarithm of the temperature.
fn rungs(rules: &Rules) -> Option<[Rung; RUNGS]> {
    let (rule_set, pieces) = (rules.rule_set(), rules.pieces());
    let growth = MEASURED.growth.get(usize::from(pieces.checked_sub(MIN_RATED_PIECES)?))?;
    let preset = rule_set.preset()?;
    let ladder = MEASURED.ladders.iter().find(|ladder| ladder.rules == preset.name)?;
    let top = f64::from(PERFECT_ELO);
    let stakes = (f64::from(pieces) / 3.0).sqrt();
    Some(std::array::from_fn(|at| {
        let lost = growth * (top - rating(ladder.win_chances[at]));
        (top - lost, (MEASURED.temperatures[at] / stakes).ln())
    }))
}

/// Returns the lowest rating on the ladder of these rules; `None` if they have no ladder.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rating lies between 0 and 2000"
)]
pub(crate) fn weakest(rules: &Rules) -> Option<u16> {
    rungs(rules).map(|rungs| rungs[RUNGS - 1].0.ceil().max(0.0) as u16)
}

/// Returns the temperature at which a softmax player has this rating. Between the rungs of the ladder the logarithm of the
/// temperature is interpolated linearly.
///
/// # Errors
///
/// Returns an error if the rules have no ladder, or if their ladder does not reach down to `elo`.
pub(crate) fn temperature(rules: &Rules, elo: u16) -> Result<f64, LadderError> {
    let rungs = rungs(rules).ok_or_else(|| not_fitted(rules.rule_set()))?;
    let wanted = f64::from(elo);
    let lower = rungs.iter().position(|&(rating, _)| rating <= wanted).ok_or_else(|| {
        let (rules, weakest) = (rules.rule_set().clone(), weakest(rules).unwrap_or_default());
        LadderError::TooWeak { rules, found: elo, weakest }
    })?;
    // Above the first rung, the line through the first two goes on.
    let upper = lower.max(1) - 1;
    let ((high, cold), (low, hot)) = (rungs[upper], rungs[upper + 1]);
    Ok((cold + (hot - cold) * (high - wanted) / (high - low)).exp())
}

/// Returns the rating of a softmax player of this temperature, the inverse of [`temperature`]; `None` if the rules have
/// no ladder.
///
/// A player warmer than the last rung gets the rating of that rung, since the ladder does not reach down further.
pub(crate) fn rating_at(rules: &Rules, temperature: f64) -> Option<f64> {
    let rungs = rungs(rules)?;
    let (coldest, hottest) = (rungs[0], rungs[rungs.len() - 1]);
    let wanted = temperature.ln();
    if wanted >= hottest.1 {
        return Some(hottest.0);
    }
    let lower = rungs.iter().position(|&(_, heat)| heat >= wanted).unwrap_or(0).max(1);
    let ((high, cold), (low, hot)) = (rungs[lower - 1], rungs[lower]);
    let perfect = f64::from(PERFECT_ELO);
    let found = high + (low - high) * (wanted - cold) / (hot - cold);
    // The line through the first two rungs goes on until it meets the perfect player.
    Some(if wanted < coldest.1 { found.min(perfect) } else { found })
}

fn not_fitted(rule_set: &RuleSet) -> LadderError {
    let known: Vec<_> = MEASURED.ladders.iter().map(|ladder| ladder.rules.as_str()).collect();
    LadderError::NotFitted { rules: rule_set.clone(), known: known.join(", ") }
}

/// The error of a rating that no temperature is known for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LadderError {
    /// Ratings are not fitted for these rules.
    #[error(
        "ratings are not fitted for {rules}: expected one of {known}, with {MIN_RATED_PIECES} to {MAX_RATED_PIECES} pieces, \
         or `softmax:T`, which plays at temperature T under any rules"
    )]
    NotFitted {
        /// The rules.
        rules: RuleSet,
        /// The rule sets with fitted ratings.
        known: String,
    },
    /// The ladder does not reach down so far.
    #[error("the rating {found} is too low for {rules}: expected {weakest} to {strongest}", strongest = PERFECT_ELO)]
    TooWeak {
        /// The rules.
        rules: RuleSet,
        /// The rating in the text.
        found: u16,
        /// The lowest rating that is fitted.
        weakest: u16,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_players_are_colder() {
        for (ladder, pieces) in
            MEASURED.ladders.iter().zip((MIN_RATED_PIECES..=MAX_RATED_PIECES).cycle())
        {
            assert!(ladder.win_chances.is_sorted_by(|stronger, weaker| stronger > weaker));
            let rule_set: RuleSet = ladder.rules.parse().unwrap();
            let rules = rule_set.with_pieces(pieces).compile().unwrap();
            let ratings = weakest(&rules).unwrap()..2000;
            let temperatures: Vec<_> =
                ratings.map(|elo| temperature(&rules, elo).unwrap()).collect();
            assert!(temperatures.is_sorted_by(|warmer, colder| warmer > colder));
            assert!(temperatures.iter().all(|temperature| *temperature > 0.0));
        }
    }

    #[test]
    fn ratings_and_temperatures_are_each_others_inverse() {
        let rules = RuleSet::FINKEL.compile().unwrap();
        let weakest = rating_at(&rules, f64::INFINITY).unwrap();
        assert!((600.0..1200.0).contains(&weakest), "{weakest}");
        for elo in (0..2000_u16).filter(|&elo| f64::from(elo) > weakest) {
            let found = rating_at(&rules, temperature(&rules, elo).unwrap()).unwrap();
            assert!((found - f64::from(elo)).abs() < 1e-6, "{elo}: {found}");
        }
        assert_eq!(rating_at(&rules, 0.0), Some(2000.0));
        assert_eq!(rating_at(&RuleSet::FINKEL.with_pieces(1).compile().unwrap(), 0.01), None);
    }

    #[test]
    fn a_player_of_1600_beats_the_perfect_one_in_one_of_eleven_games() {
        assert!((rating(1.0 / 11.0) - 1600.0).abs() < 1e-9);
        let rules = RuleSet::FINKEL.compile().unwrap();
        let found = temperature(&rules, 1600).unwrap();
        // It lies between the temperatures that won 14.2 and 6.9 of 100 games, in 40,000 games each.
        assert!(found > 0.02 && found < 0.03, "{found}");
    }

    #[test]
    fn ratings_below_the_ladder_and_beside_it_are_refused() {
        let rules = RuleSet::FINKEL.compile().unwrap();
        let error = temperature(&rules, 500).unwrap_err().to_string();
        let expected =
            format!("the rating 500 is too low for finkel: expected {}", weakest(&rules).unwrap());
        assert!(error.contains(&expected), "{error}");
        for rule_set in
            [RuleSet::FINKEL.with_pieces(1), RuleSet::FINKEL.with_pieces(8), RuleSet::MURRAY]
        {
            let rules = rule_set.compile().unwrap();
            assert!(matches!(temperature(&rules, 1900), Err(LadderError::NotFitted { .. })));
            assert_eq!(weakest(&rules), None);
        }
    }
}
