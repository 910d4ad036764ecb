//! The score of a simulated match: counts, a mean with its interval, and a test of when to stop.

use std::array;
use std::ops::Add;

use puabi_core::Player;
use puabi_engine::GameEnd;
use serde::{Deserialize, Serialize};

/// How games between A and B ended, counted by pairs of games with swapped sides.
///
/// A game counts two half points to the winner; one without a winner, drawn or cut off, counts one to each.
///
/// ```
/// use puabi_study::MatchScore;
/// assert_eq!(MatchScore::default().games(), 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MatchScore {
    /// By A's half points: the games that A began.
    first: [u64; 3],
    /// By A's half points: the games that B began.
    second: [u64; 3],
    /// By A's half points in both games: the pairs.
    pairs: [u64; 5],
    /// The number of games that A gave up, and of those that B gave up.
    forfeits: [u64; 2],
    plies: u64,
}

/// An interval that holds the true chance in 95 of 100 such matches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Returns Wilson's interval of a share that was found in `games` independent games.
    pub(crate) fn of_share(share: f64, games: f64) -> Self {
        let (z, spread) = (DEVIATIONS, DEVIATIONS * DEVIATIONS / games);
        let centre = (share + spread / 2.0) / (1.0 + spread);
        let root = (share * (1.0 - share) / games + spread / (4.0 * games)).sqrt();
        let half = z * root / (1.0 + spread);
        Self { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }
}

/// Standard deviations either side of the mean that hold 95 % of a normal distribution.
pub(crate) const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// Returns how many standard errors either side of the mean of `count` numbers hold 95 % of Student's distribution.
pub(crate) fn deviations(count: f64) -> f64 {
    let degrees = count - 1.0;
    if degrees < 3.0 {
        // Exact numbers, because the series is no good for so few degrees.
        return if degrees < 2.0 { 12.706 } else { 4.303 };
    }
    // Abramowitz and Stegun 26.7.5, right to 1 %.
    let z = DEVIATIONS;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / degrees) + z
}

impl MatchScore {
    /// Counts two games: A began the first and B the second.
    pub(crate) fn of_pair(first: GameEnd, second: GameEnd) -> Self {
        // A game is over in a dead position; the pass that shows it does not count as a roll.
        let rolls = |ending: GameEnd| ending.plies - u64::from(ending.is_dead);
        let mut score = Self { plies: rolls(first) + rolls(second), ..Self::default() };
        let points = [first.half_points(Player::Light), second.half_points(Player::Dark)];
        score.first[points[0]] = 1;
        score.second[points[1]] = 1;
        score.pairs[points[0] + points[1]] = 1;
        let gives_up = |ending: GameEnd, player: Player| {
            u64::from(ending.is_forfeit && ending.winner != Some(player))
        };
        score.forfeits = [
            gives_up(first, Player::Light) + gives_up(second, Player::Dark),
            gives_up(first, Player::Dark) + gives_up(second, Player::Light),
        ];
        score
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        2 * self.pair_count()
    }

    fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Returns the share of points (0..=1) that A won of the games that A began; NaN if there are none.
    pub fn first(&self) -> f64 {
        share(&self.first)
    }

    /// Returns the share of points (0..=1) that A won of the games that B began; NaN if there are none.
    pub fn second(&self) -> f64 {
        share(&self.second)
    }

    /// Returns the share of points (0..=1) that A won; NaN if there are no games.
    pub fn mean(&self) -> f64 {
        share(&self.pairs)
    }

    /// Returns the points that A won: 1 for a win and 1/2 for a game without a winner.
    pub fn points(&self) -> f64 {
        self.mean() * self.games() as f64
    }

    /// Returns the mean number of rolls of a game; NaN if there are no games.
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games() as f64
    }

    /// Returns the number of games that A gave up, and of those that B gave up.
    pub const fn forfeits(&self) -> [u64; 2] {
        self.forfeits
    }

    /// Returns the number of games without a winner, drawn or cut off.
    pub fn unfinished(&self) -> u64 {
        self.first[1] + self.second[1]
    }

    /// Returns the variance of the share of points over pairs.
    fn variance(&self) -> f64 {
        let mean = self.mean();
        let squares = self.pairs.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
        let sum: f64 = squares.map(|(&count, share)| count as f64 * (share - mean).powi(2)).sum();
        sum / self.pair_count() as f64
    }

    /// Returns the interval that holds A's true mean in 95 of 100 matches like this one.
    ///
    /// It is Wilson's interval for as many independent games as would leave the mean just as uncertain as the pairs
    /// do: paired dice make it narrower or wider.
    pub fn interval(&self) -> Interval {
        let (mean, variance) = (self.mean(), self.variance());
        let independent = mean * (1.0 - mean) / variance * self.pair_count() as f64;
        let games = if variance > 0.0 { independent } else { self.games() as f64 };
        Interval::of_share(mean, games)
    }

    /// Returns whether the match has shown which agent is stronger, by Wald's sequential test on the pairs.
    ///
    /// The hypotheses are that A wins `margin` more and `margin` less than half of the points; either is mistaken for
    /// the other with chance 0.05 at most.
    pub fn is_decided(&self, margin: f64) -> bool {
        // One pair of each kind is counted in advance, because a few equal results have no variance.
        let prior = Self { pairs: array::from_fn(|at| self.pairs[at] + 1), ..*self };
        let lead = (self.mean() - 0.5) * self.pair_count() as f64;
        let likelihood = 2.0 * margin * lead / prior.variance();
        likelihood.abs() >= (0.95_f64 / 0.05).ln()
    }
}

/// Returns the share of points, given counts by half points.
fn share<const N: usize>(counts: &[u64; N]) -> f64 {
    let points: f64 =
        counts.iter().enumerate().map(|(at, &count)| (at as u64 * count) as f64).sum();
    points / ((N as u64 - 1) * counts.iter().sum::<u64>()) as f64
}

impl Add for MatchScore {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            first: array::from_fn(|at| self.first[at] + other.first[at]),
            second: array::from_fn(|at| self.second[at] + other.second[at]),
            pairs: array::from_fn(|at| self.pairs[at] + other.pairs[at]),
            forfeits: array::from_fn(|at| self.forfeits[at] + other.forfeits[at]),
            plies: self.plies + other.plies,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_samples_have_wide_intervals() {
        // Student's distribution, from tables: 95 % of it is within this many standard errors.
        for (count, expected) in [(2.0, 12.706), (3.0, 4.303), (4.0, 3.182), (11.0, 2.228)] {
            assert!((deviations(count) / expected - 1.0_f64).abs() < 0.01, "{count}");
        }
        assert!((deviations(1e6) - DEVIATIONS).abs() < 1e-5);
    }
}
