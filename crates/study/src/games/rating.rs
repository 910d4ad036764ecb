//! Ratings from results: the Elo numbers under which a league's results are the most likely.

use crate::games::match_score::DEVIATIONS;

/// The rating of a player of a league.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Elo points.
    pub elo: f64,
    /// Half the width of the interval that holds the true difference to the anchor in 95 of 100 such leagues.
    pub error: f64,
}

/// The rating that fixes the zero of the scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// The mean of all players has this rating.
    Mean(f64),
    /// The player at this place has this rating.
    Player(usize, f64),
}

/// Elo points for odds of e: 400 points make the odds ten times as good.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Returns the maximum-likelihood ratings, given the number of games between every two players and the points of the first of
/// them.
///
/// It is the model of Bradley and Terry, fitted by Newton's method; errors come from the information at the maximum,
/// games taken as independent. One drawn game is added to each pairing: without it a player that always lost would have
/// no rating.
///
/// ```
/// use puabi_study::{Anchor, ratings};
/// // The first won 750 of 1,000 games.
/// let results = |i, j| if i < j { (1_000.0, 750.0) } else { (1_000.0, 250.0) };
/// let found = ratings(2, results, Anchor::Player(0, 2_000.0));
/// assert_eq!(found[0].elo, 2_000.0);
/// assert!((found[1].elo - 1_809.0).abs() < 1.0);
/// assert!((found[1].error - 24.8).abs() < 0.1);
/// ```
pub fn ratings(
    players: usize,
    results: impl Fn(usize, usize) -> (f64, f64),
    anchor: Anchor,
) -> Vec<Rating> {
    let results = |i, j| {
        let (games, points) = results(i, j);
        (games + 1.0, points + 0.5)
    };
    let mut strengths = vec![0.0; players];
    let mut covariance = Vec::new();
    for _ in 0..MOST_STEPS {
        covariance = inverse(information(&strengths, &results));
        let gradient: Vec<f64> = (0..players).map(|i| pull(i, &strengths, &results)).collect();
        let steps: Vec<f64> = covariance.iter().map(|row| dot(row, &gradient)).collect();
        let largest = steps.iter().fold(0.0_f64, |largest, step| largest.max(step.abs()));
        // Far from the maximum a whole step may overshoot it.
        let damping = 1.0 / largest.max(1.0);
        for (strength, step) in strengths.iter_mut().zip(steps) {
            *strength += damping * step;
        }
        if largest < 1e-12 {
            break;
        }
    }
    anchored(&strengths, &covariance, anchor)
}

/// Far more steps than any league takes.
const MOST_STEPS: usize = 200;

fn chance(strengths: &[f64], i: usize, j: usize) -> f64 {
    1.0 / (1.0 + (strengths[j] - strengths[i]).exp())
}

/// Returns how far the points of a player are above those that the strengths foresee.
fn pull(i: usize, strengths: &[f64], results: &impl Fn(usize, usize) -> (f64, f64)) -> f64 {
    let others = (0..strengths.len()).filter(|&j| j != i);
    let surplus = |j| {
        let (games, points) = results(i, j);
        points - games * chance(strengths, i, j)
    };
    others.map(surplus).sum()
}

/// Returns the information on the strengths. That on their mean is set to one, because games show only differences.
fn information(strengths: &[f64], results: &impl Fn(usize, usize) -> (f64, f64)) -> Vec<Vec<f64>> {
    let players = strengths.len();
    let known = |i: usize, j: usize| {
        let won = chance(strengths, i, j);
        results(i, j).0 * won * (1.0 - won)
    };
    let entry = |i: usize, j: usize| {
        let others = (0..players).filter(|&other| other != i);
        let own = || others.map(|other| known(i, other)).sum::<f64>();
        1.0 / players as f64 + if i == j { own() } else { -known(i, j) }
    };
    (0..players).map(|i| (0..players).map(|j| entry(i, j)).collect()).collect()
}

fn anchored(strengths: &[f64], covariance: &[Vec<f64>], anchor: Anchor) -> Vec<Rating> {
    let players = strengths.len();
    // The mean was given a variance of its own, which is not part of any difference.
    let mean = strengths.iter().sum::<f64>() / players as f64;
    let (origin, base) = match anchor {
        Anchor::Mean(elo) => (mean, elo),
        Anchor::Player(at, elo) => (strengths[at], elo),
    };
    let variance = |i: usize| match anchor {
        Anchor::Mean(_) => covariance[i][i] - 1.0 / players as f64,
        Anchor::Player(at, _) => covariance[i][i] + covariance[at][at] - 2.0 * covariance[i][at],
    };
    let rating = |i: usize| Rating {
        elo: base + SCALE * (strengths[i] - origin),
        error: DEVIATIONS * SCALE * variance(i).max(0.0).sqrt(),
    };
    (0..players).map(rating).collect()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(l, r)| l * r).sum()
}

/// Returns the inverse of a positive definite matrix, by Gauss and Jordan; such a matrix needs no pivoting.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == at))));
    }
    for at in 0..size {
        let scale = 1.0 / matrix[at][at];
        matrix[at].iter_mut().for_each(|entry| *entry *= scale);
        let pivot = matrix[at].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let factor = row[at];
            row.iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    matrix.iter().map(|row| row[size..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_foresee_the_points_of_every_player() {
        let points = [[0.0, 60.0, 90.0], [40.0, 0.0, 75.0], [10.0, 25.0, 0.0]];
        let results = |i: usize, j: usize| (100.0, points[i][j]);
        let found = ratings(3, results, Anchor::Mean(1500.0));
        let expected = |i: usize, j: usize| {
            101.0 / (1.0 + 10.0_f64.powf((found[j].elo - found[i].elo) / 400.0))
        };
        for (i, row) in points.iter().enumerate() {
            let others = || (0..3).filter(|&j| j != i);
            let foreseen: f64 = others().map(|j| expected(i, j)).sum();
            let had: f64 = others().map(|j| row[j] + 0.5).sum();
            assert!((foreseen - had).abs() < 1e-9, "{i}: {foreseen} and {had}");
        }
        let mean = found.iter().map(|rating| rating.elo).sum::<f64>() / 3.0;
        assert!((mean - 1500.0).abs() < 1e-9);
    }

    #[test]
    fn a_player_who_always_loses_has_a_rating() {
        let results = |i: usize, j: usize| (1e6, if i < j { 1e6 } else { 0.0 });
        let found = ratings(4, results, Anchor::Player(0, 2000.0));
        assert!(found.windows(2).all(|pair| pair[0].elo > pair[1].elo + 1000.0));
        assert!(found.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
    }
}
