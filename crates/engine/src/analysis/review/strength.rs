//! The strength of a player's moves: the temperature of softmax play that explains them best.

use puabi_core::Rules;
use serde::Serialize;

use super::choice::Choice;
use crate::agents::ladder::rating_at;

/// An estimate with its confidence interval of 95 percent.
///
/// ```
/// use puabi_engine::Estimate;
/// let estimate = Estimate { value: 0.02, low: 0.01, high: 0.05 };
/// assert!(estimate.low < estimate.value && estimate.value < estimate.high);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Returns the estimate of a rating in words, with its interval. The form is `N (up to M)` for a player who is no better than
    /// the lowest rating of the ladder.
    ///
    /// ```
    /// use puabi_engine::Estimate;
    /// let rating = Estimate { value: 1712.4, low: 1600.0, high: 1800.0 };
    /// assert_eq!(rating.rating(), "1712 (1600 to 1800)");
    /// let lowest = Estimate { value: 880.0, low: 880.0, high: 950.0 };
    /// assert_eq!(lowest.rating(), "880 (up to 950)");
    /// ```
    pub fn rating(self) -> String {
        let Self { value, low, high } = self;
        if value <= low {
            return format!("{:.0} (up to {high:.0})", value.ceil());
        }
        format!("{value:.0} ({low:.0} to {high:.0})")
    }
}

/// The strength of the moves of a player.
///
/// The player is taken to choose a move of value v with a chance proportional to exp(v / temperature): 0 is perfect play,
/// infinity random play. The estimate is the temperature of maximum likelihood. Its interval consists of the temperatures at
/// which the logarithm of the likelihood lies within 1.92 of the maximum (half the 95 percent quantile of chi squared with one
/// degree).
///
/// ```
/// use puabi_engine::{Estimate, Strength};
/// let temperature = Estimate { value: 0.02, low: 0.01, high: 0.05 };
/// // A scale of ratings falls with the temperature, so the ends change places.
/// let rating = Strength { temperature }.on(|temperature| 2000.0 - 10_000.0 * temperature);
/// assert_eq!((rating.low, rating.value, rating.high), (1500.0, 1800.0, 1900.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Strength {
    /// The temperature, in chances (0..=1); infinite (`null` in JSON) if the moves are no better than random.
    pub temperature: Estimate,
}

/// The highest inverse temperature that is distinguished from perfect play.
const COLDEST: f64 = 1e6;
/// The lowest inverse temperature that is distinguished from random play.
const HOTTEST: f64 = 1e-3;
/// Half of the 95 percent quantile of chi squared with one degree of freedom.
const DROP: f64 = 1.920_729_410_347_062;

impl Strength {
    /// Returns the estimate on a scale of ratings. `scale` turns a temperature into a rating, which must not rise with the
    /// temperature.
    pub fn on(&self, scale: impl Fn(f64) -> f64) -> Estimate {
        let Estimate { value, low, high } = self.temperature;
        Estimate { value: scale(value), low: scale(high), high: scale(low) }
    }

    /// Returns the estimate as a rating, if ratings of these rules are known. It is a rating by Elo's formula, in which the
    /// perfect player has 2000, on the ladder of softmax players that `elo:N` uses too.
    pub fn rating(&self, rules: &Rules) -> Option<Estimate> {
        rating_at(rules, 0.0)?;
        Some(self.on(|temperature| rating_at(rules, temperature).unwrap_or_default()))
    }

    /// Returns the estimate from the choices of a player; `None` if the moves of every choice were equally good.
    pub(super) fn estimate(choices: &[Choice]) -> Option<Self> {
        let mattered = |choice: &&Choice| {
            choice.values.iter().any(|value| (value - choice.values[0]).abs() > 0.0)
        };
        let choices: Vec<_> = choices.iter().filter(mattered).collect();
        if choices.is_empty() {
            return None;
        }
        let slope = |inverse: f64| {
            choices.iter().map(|choice| log_chance_slope(choice, inverse)).sum::<f64>()
        };
        let likelihood =
            |inverse: f64| choices.iter().map(|choice| log_chance(choice, inverse)).sum::<f64>();
        // The logarithm of the likelihood is concave in the inverse temperature, so it has one maximum, and one crossing on
        // either side.
        let best = crossing(HOTTEST, COLDEST, slope);
        let floor = likelihood(best) - DROP;
        let coldest = crossing(best, COLDEST, |inverse| likelihood(inverse) - floor);
        let hottest = crossing(HOTTEST, best, |inverse| floor - likelihood(inverse));
        let [value, low, high] = [best, coldest, hottest].map(temperature);
        Some(Self { temperature: Estimate { value, low, high } })
    }
}

fn temperature(inverse: f64) -> f64 {
    if inverse <= HOTTEST * 1.001 {
        f64::INFINITY
    } else if inverse >= COLDEST * 0.999 {
        0.0
    } else {
        1.0 / inverse
    }
}

/// Returns the inverse temperature between `from` and `to` at which a falling function crosses zero, or the end nearest to it.
fn crossing(from: f64, to: f64, falling: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (from.ln(), to.ln());
    for _ in 0..48 {
        let middle = f64::midpoint(low, high);
        if falling(middle.exp()) >= 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high).exp()
}

/// Returns the value of the chosen move less the mean value of play at this inverse temperature.
fn log_chance_slope(choice: &Choice, inverse: f64) -> f64 {
    let best = choice.values.iter().copied().fold(0.0, f64::max);
    let weight = |value: f64| (inverse * (value - best)).exp();
    let sum: f64 = choice.values.iter().map(|&value| weight(value)).sum();
    let mean = choice.values.iter().map(|&value| value * weight(value)).sum::<f64>() / sum;
    choice.chosen - mean
}

/// Returns the logarithm of the chance that play at this inverse temperature makes the choice that was made.
fn log_chance(choice: &Choice, inverse: f64) -> f64 {
    let best = choice.values.iter().copied().fold(0.0, f64::max);
    let sum: f64 = choice.values.iter().map(|value| (inverse * (value - best)).exp()).sum();
    inverse * (choice.chosen - best) - sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use puabi_core::RuleSet;

    /// Returns `count` choices between winning with 60 and with 55 percent, the first `well` of them right.
    fn choices(count: usize, well: usize) -> Vec<Choice> {
        let choice =
            |at| Choice { values: vec![0.6, 0.55], chosen: if at < well { 0.6 } else { 0.55 } };
        (0..count).map(choice).collect()
    }

    #[test]
    fn the_temperature_is_the_one_under_which_the_choices_are_as_likely_as_they_were_frequent() {
        // A share p of good choices: exp(0.05 / t) = p / (1 - p).
        let strength = Strength::estimate(&choices(100, 80)).unwrap();
        let expected = 0.05 / 4.0_f64.ln();
        assert!((strength.temperature.value - expected).abs() < 1e-6);
        // Wald's interval of the log-odds, 4 give or take 1.96 / sqrt(100 * 0.8 * 0.2), is near by.
        let at = |log_odds: f64| 0.05 / log_odds;
        assert!((strength.temperature.low - at(4.0_f64.ln() + 0.49)).abs() < 0.003);
        assert!((strength.temperature.high - at(4.0_f64.ln() - 0.49)).abs() < 0.003);
    }

    #[test]
    fn ratings_fall_with_the_temperature_and_need_a_ladder() {
        let temperature = Estimate { value: 0.02, low: 0.01, high: f64::INFINITY };
        let strength = Strength { temperature };
        let rules = RuleSet::FINKEL.compile().unwrap();
        let rating = strength.rating(&rules).unwrap();
        assert!(rating.low < rating.value && rating.value < rating.high && rating.high < 2000.0);
        assert_eq!(rating.value.to_bits(), rating_at(&rules, 0.02).unwrap().to_bits());
        assert_eq!(rating.high.to_bits(), rating_at(&rules, 0.01).unwrap().to_bits());
        assert_eq!(strength.rating(&RuleSet::FINKEL.with_pieces(1).compile().unwrap()), None);
    }

    #[test]
    fn perfect_choices_have_temperature_nought_and_bad_ones_none() {
        let perfect = Strength::estimate(&choices(50, 50)).unwrap().temperature;
        assert_eq!((perfect.value, perfect.low), (0.0, 0.0));
        assert!(perfect.high > 0.0 && perfect.high < 0.05);
        let bad = Strength::estimate(&choices(50, 10)).unwrap().temperature;
        assert!(bad.value.is_infinite() && bad.low > 0.05);
        let none = [Choice { values: vec![0.5, 0.5], chosen: 0.5 }];
        assert_eq!(Strength::estimate(&none), None);
    }
}
