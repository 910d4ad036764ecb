//! The ladder of ratings: which softmax temperature plays how strongly.

use puabi_core::{RuleSet, Rules};

use crate::agents::spec::AgentSpec;

/// How often softmax players win against the perfect one, by temperature; temperatures rise, chances fall.
///
/// Each is the mean of `ur match RULES softmax:T perfect --games 40000 --seed 1`, of 20,000 games from 0.04 on: a
/// standard deviation is 3 Elo at 0.003, 2 at 0.02, 10 at 0.06 and 25 at 0.2.
const LADDERS: [(RuleSet, &[(f64, f64)]); 1] = [(
    RuleSet::FINKEL,
    &[
        (0.003, 0.466_9),
        (0.005, 0.424_1),
        (0.01, 0.311_4),
        (0.015, 0.206_95),
        (0.02, 0.141_65),
        (0.03, 0.069_175),
        (0.04, 0.036_75),
        (0.06, 0.014_8),
        (0.1, 0.005_4),
        (0.2, 0.002_85),
    ],
)];

/// Returns the rating of a player who wins with this chance against the perfect one, who has 2000.
///
/// It is Elo's formula: 400 points make the odds ten times as good.
pub(crate) fn rating(win_chance: f64) -> f64 {
    f64::from(AgentSpec::PERFECT_ELO) + 400.0 * (win_chance / (1.0 - win_chance)).log10()
}

/// Returns the temperature at which a softmax player has this rating: the logarithm of the temperature is taken to be
/// straight between the points of the ladder.
///
/// # Errors
///
/// Where the rules have no ladder, or none that reaches down so far.
pub(crate) fn temperature(rules: &Rules, elo: u16) -> Result<f64, LadderError> {
    let rule_set = rules.rule_set();
    let rungs = rungs(rules).ok_or_else(|| not_fitted(rule_set))?;
    let wanted = f64::from(elo);
    let lower = rungs.iter().position(|&(rating, _)| rating <= wanted).ok_or_else(|| {
        let weakest = rungs.last().map_or(0.0, |&(rating, _)| rating);
        too_weak(rule_set, elo, weakest)
    })?;
    // Above the first point, the line through the first two goes on.
    let upper = lower.max(1) - 1;
    let ((high, cold), (low, hot)) = (rungs[upper], rungs[upper + 1]);
    Ok((cold + (hot - cold) * (high - wanted) / (high - low)).exp())
}

/// Returns the rating of a softmax player of this temperature, the inverse of [`temperature`]; `None` where the rules have
/// no ladder.
///
/// A player warmer than the last rung has its rating: the ladder does not reach down further.
pub(crate) fn rating_at(rules: &Rules, temperature: f64) -> Option<f64> {
    let rungs = rungs(rules)?;
    let (coldest, hottest) = (rungs[0], rungs[rungs.len() - 1]);
    let wanted = temperature.ln();
    if wanted >= hottest.1 {
        return Some(hottest.0);
    }
    let lower = rungs.iter().position(|&(_, heat)| heat >= wanted).unwrap_or(0).max(1);
    let ((high, cold), (low, hot)) = (rungs[lower - 1], rungs[lower]);
    let perfect = f64::from(AgentSpec::PERFECT_ELO);
    let found = high + (low - high) * (wanted - cold) / (hot - cold);
    // The line through the first two rungs goes on until it meets the perfect player.
    Some(if wanted < coldest.1 { found.min(perfect) } else { found })
}

/// Returns the ratings of a ladder with the logarithms of their temperatures, the strongest first.
fn rungs(rules: &Rules) -> Option<Vec<(f64, f64)>> {
    let (_, points) = LADDERS.iter().find(|(known, _)| known == rules.rule_set())?;
    Some(points.iter().map(|&(temperature, chance)| (rating(chance), temperature.ln())).collect())
}

fn not_fitted(rule_set: &RuleSet) -> LadderError {
    let known: Vec<_> = LADDERS.iter().map(|(rules, _)| rules.to_string()).collect();
    LadderError::NotFitted { rules: rule_set.clone(), known: known.join(", ") }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rating lies between 0 and 2000"
)]
fn too_weak(rule_set: &RuleSet, found: u16, weakest: f64) -> LadderError {
    LadderError::TooWeak { rules: rule_set.clone(), found, weakest: weakest.ceil() as u16 }
}

/// The error of a rating that no temperature is known for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LadderError {
    /// Ratings are not fitted for these rules.
    #[error(
        "ratings are not fitted for {rules}: expected one of {known}, or `softmax:T`, which plays at temperature T \
         under any rules"
    )]
    NotFitted {
        /// The rules.
        rules: RuleSet,
        /// The rule sets with fitted ratings.
        known: String,
    },
    /// The ladder does not reach down so far.
    #[error("the ladder of {rules} does not reach down to {found}: expected {weakest} to {strongest}", strongest = AgentSpec::PERFECT_ELO)]
    TooWeak {
        /// The rules.
        rules: RuleSet,
        /// The rating that was asked for.
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
        for (rule_set, points) in &LADDERS {
            let rules = rule_set.compile().unwrap();
            assert!(points.is_sorted_by(|lower, upper| lower.0 < upper.0 && lower.1 > upper.1));
            let weakest = rating(points[points.len() - 1].1).ceil();
            let ratings = (0..2000).filter(|&elo| f64::from(elo) >= weakest);
            let temperatures: Vec<_> =
                ratings.map(|elo| temperature(&rules, elo).unwrap()).collect();
            assert!(temperatures.is_sorted_by(|colder, warmer| colder > warmer));
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
        // Between the points that win 14 and 7 of 100.
        assert!(found > 0.02 && found < 0.03, "{found}");
    }

    #[test]
    fn ratings_below_the_ladder_and_beside_it_are_refused() {
        let rules = RuleSet::FINKEL.compile().unwrap();
        let error = temperature(&rules, 500).unwrap_err().to_string();
        assert_eq!(error, "the ladder of finkel does not reach down to 500: expected 983 to 2000");
        let small = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
        assert!(matches!(temperature(&small, 1500), Err(LadderError::NotFitted { .. })));
    }
}
