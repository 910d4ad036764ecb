//! The ladder of ratings: which softmax temperature plays how strongly.
//!
//! The rungs are exact match-ups with three pieces a side. Other numbers of pieces follow by a law of two numbers, which
//! holds under Finkel's rules: with n pieces a player at temperature T loses GROWTH times the Elo that one with three
//! pieces loses at T √(n/3). The root is that of the stakes, which shrink as the luck of a longer game adds up; the growth is
//! that of the decisions. `docs/method.md` has how well it holds.

use puabi_core::{RuleSet, Rules};

/// The rating of the perfect player, the highest there is.
pub(crate) const PERFECT_ELO: u16 = 2000;

/// The temperatures of the rungs.
const TEMPERATURES: [f64; RUNGS] =
    [0.003, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.06, 0.1, 0.2, 0.4, 1.0];
const RUNGS: usize = 12;

/// How often softmax players of these temperatures win against the perfect one with three pieces a side, falling.
///
/// Each is the exact mean of `ur match RULES:3 softmax:T perfect`.
const LADDERS: [(RuleSet, [f64; RUNGS]); 5] = [
    (
        RuleSet::FINKEL,
        [
            0.495_826, 0.489_502, 0.466_745, 0.439_908, 0.412_550, 0.361_792, 0.319_729, 0.260_793,
            0.201_346, 0.153_347, 0.130_300, 0.117_450,
        ],
    ),
    (
        RuleSet::BLITZ,
        [
            0.494_202, 0.485_879, 0.457_987, 0.426_075, 0.394_273, 0.338_218, 0.294_343, 0.234_624,
            0.173_447, 0.121_741, 0.096_312, 0.082_186,
        ],
    ),
    (
        RuleSet::MASTERS,
        [
            0.491_904, 0.480_763, 0.443_686, 0.404_610, 0.369_200, 0.312_125, 0.270_117, 0.214_570,
            0.157_853, 0.108_928, 0.084_315, 0.070_504,
        ],
    ),
    (
        RuleSet::MASTERS_4D,
        [
            0.492_076, 0.480_424, 0.442_430, 0.403_647, 0.369_199, 0.314_705, 0.275_242, 0.223_850,
            0.172_532, 0.129_199, 0.107_417, 0.094_993,
        ],
    ),
    (
        RuleSet::ASEB,
        [
            0.492_293, 0.481_746, 0.449_694, 0.416_627, 0.385_738, 0.333_578, 0.293_147, 0.236_899,
            0.177_179, 0.125_929, 0.101_005, 0.087_382,
        ],
    ),
];

/// How many times the Elo of three pieces are lost with two to seven, under Finkel's rules.
///
/// Those of two and four are from exact match-ups, that of seven from games (40,000 a temperature); five and six lie
/// between on a power law.
const GROWTH: [f64; 6] = [0.47, 1.0, 1.58, 2.09, 2.63, 3.2];

/// The fewest pieces that ratings are fitted for: with one there is nothing to choose.
const FEWEST: u8 = 2;
/// The most.
const MOST: u8 = 7;

/// A temperature, and the rating at it.
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
    let growth = GROWTH.get(usize::from(pieces.checked_sub(FEWEST)?))?;
    let preset = rule_set.preset()?;
    let (_, chances) = LADDERS.iter().find(|(known, _)| known.name == preset.name)?;
    let top = f64::from(PERFECT_ELO);
    let stakes = (f64::from(pieces) / 3.0).sqrt();
    Some(std::array::from_fn(|at| {
        let lost = growth * (top - rating(chances[at]));
        (top - lost, (TEMPERATURES[at] / stakes).ln())
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

/// Returns the temperature at which a softmax player has this rating: the logarithm of the temperature is taken to be
/// straight between the rungs of the ladder.
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
    let perfect = f64::from(PERFECT_ELO);
    let found = high + (low - high) * (wanted - cold) / (hot - cold);
    // The line through the first two rungs goes on until it meets the perfect player.
    Some(if wanted < coldest.1 { found.min(perfect) } else { found })
}

fn not_fitted(rule_set: &RuleSet) -> LadderError {
    let known: Vec<_> = LADDERS.iter().map(|(rules, _)| rules.name.to_string()).collect();
    LadderError::NotFitted { rules: rule_set.clone(), known: known.join(", ") }
}

/// The error of a rating that no temperature is known for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LadderError {
    /// Ratings are not fitted for these rules.
    #[error(
        "ratings are not fitted for {rules}: expected one of {known}, with {FEWEST} to {MOST} pieces, or `softmax:T`, \
         which plays at temperature T under any rules"
    )]
    NotFitted {
        /// The rules.
        rules: RuleSet,
        /// The rule sets with fitted ratings.
        known: String,
    },
    /// The ladder does not reach down so far.
    #[error("the ladder of {rules} does not reach down to {found}: expected {weakest} to {strongest}", strongest = PERFECT_ELO)]
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
        for ((rule_set, chances), pieces) in LADDERS.iter().zip((FEWEST..=MOST).cycle()) {
            assert!(chances.is_sorted_by(|stronger, weaker| stronger > weaker));
            let rules = rule_set.clone().with_pieces(pieces).compile().unwrap();
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
        // Between those that won 14.2 and 6.9 of 100 games, 40,000 each.
        assert!(found > 0.02 && found < 0.03, "{found}");
    }

    #[test]
    fn ratings_below_the_ladder_and_beside_it_are_refused() {
        let rules = RuleSet::FINKEL.compile().unwrap();
        let error = temperature(&rules, 500).unwrap_err().to_string();
        let expected = format!("does not reach down to 500: expected {}", weakest(&rules).unwrap());
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
