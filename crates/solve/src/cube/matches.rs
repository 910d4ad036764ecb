//! Matches, solved score by score from the end of a match back.

use puabi_core::Away;

use super::at_score::ScoreValues;
use super::match_table::MatchTable;
use crate::solver::Solver;
use crate::types::{PartWatch, SolveError, Watch};
use crate::values::Values;

/// Returns the scores that a match to `points` may reach, with light no further from winning than dark. Each score comes after
/// those that its games lead to.
fn scores(points: u32) -> Vec<Away> {
    let score = |light, dark, is_crawford| {
        Away::new([light, dark], is_crawford).expect("scores of a match are sound")
    };
    let mut scores = vec![score(1, 1, true)];
    // Games after the Crawford game lead only to games after it, and so does the Crawford game. All others lead to a Crawford
    // game or to each other.
    scores.extend((2..=points).map(|dark| score(1, dark, false)));
    scores.extend((2..=points).map(|dark| score(1, dark, true)));
    let pairs = (2..=points).flat_map(|dark| (2..=dark).map(move |light| (light, dark)));
    scores.extend(pairs.map(|(light, dark)| score(light, dark, false)));
    scores
}

impl Solver {
    /// Solves matches to at most `points` points: the game at every score, from the end of a match back.
    ///
    /// `cubeless` are the values of the game without a cube. It takes as long as about 14 calls of [`Solver::solve`] for 3
    /// points, 64 for 5, 160 for 7 and 1,154 for 15, and memory for nine values of each position.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`].
    ///
    /// # Panics
    ///
    /// Panics if `points` is 0 or more than [`Away::MOST`].
    pub fn match_table(
        &self,
        cubeless: &Values,
        points: u32,
        watch: &dyn Watch,
    ) -> Result<MatchTable, SolveError> {
        assert!((1..=Away::MOST).contains(&points), "a match to 1 to {} points", Away::MOST);
        let mut table = MatchTable::start(points);
        let scores = scores(points);
        for (at, &score) in scores.iter().enumerate().skip(1) {
            let whole = scores.len() as u64 * SHARE;
            let watch = PartWatch { watch, whole, before: at as u64 * SHARE, share: SHARE };
            let values = self.solve_at(score, cubeless, &table, &watch)?;
            table.report = table.report.and(values.report);
            let chance = values.chance_at_start(&self.rules);
            table.set(score, chance);
        }
        Ok(table)
    }

    /// Solves one game of a match, given the chances at the scores that it leads to.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`].
    pub fn solve_at(
        &self,
        score: Away,
        cubeless: &Values,
        table: &MatchTable,
        watch: &dyn Watch,
    ) -> Result<ScoreValues, SolveError> {
        ScoreValues::solve(self, score, cubeless, table, watch)
    }
}

/// The units of progress that a score counts for.
const SHARE: u64 = 1000;
