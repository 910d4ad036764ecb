//! Games with a doubling cube: the levels of the cube for money, and matches to a number of points.
//!
//! At the highest level no player can double, so it is the game without a cube. Below it, a player who may double can have,
//! before each roll, the worth of the level above or that of the opponent's pass, whichever is less: an [`Offer`]. See "The
//! doubling cube" in `docs/method.md`.

mod at_score;
mod match_table;
mod matches;
mod money;

pub use at_score::ScoreValues;
pub use match_table::MatchTable;
pub use money::MoneyValues;

use crate::offer::{Offer, OfferReport};
use crate::solver::Solver;
use crate::types::{PartWatch, SolveError, Watch};
use crate::values::Values;

/// A level of a cube in a game for money: the values for the player about to roll, by owner of the cube.
///
/// A value is the chance to win what the cube shows, or an equivalent chance: (1 + equity) / 2. The equity is the number of
/// points won on average, divided by the cube's value.
#[derive(Debug, Clone)]
pub struct CubeLevel {
    /// With the cube in the middle.
    pub centred: Values,
    /// With the cube owned by the player about to roll.
    pub owned: Values,
    /// With the cube owned by the opponent.
    pub theirs: Values,
    /// The sweeps and the residual of these solves.
    pub report: OfferReport,
}

impl Solver {
    /// Solves the level of a cube for money below another one. `above` are the values of that other level for a player about to
    /// roll whose opponent owns the cube; if it is the highest level, they are the values of the game without a cube.
    ///
    /// It takes three times as long as [`Solver::solve_with_offer`], and memory for five values of each position.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`].
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// use puabi_solve::{Options, Solver, Unattended};
    ///
    /// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
    /// let solver = Solver::new(&rules, Options::default())?;
    /// let (cubeless, _) = solver.solve(&Unattended, &Unattended)?;
    /// let level = solver.solve_cube_level(&cubeless, &Unattended)?;
    /// let start = rules.start();
    /// // Whoever owns the cube is better off with it.
    /// assert!(level.owned.value(start) > level.centred.value(start));
    /// assert!(level.centred.value(start) > level.theirs.value(start));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_cube_level(
        &self,
        above: &Values,
        watch: &dyn Watch,
    ) -> Result<CubeLevel, SolveError> {
        let part = |before, share| PartWatch { watch, whole: 3, before, share };
        let (centred, report) = self.solve_centred_cube(above, &part(0, 1))?;
        let ([owned, theirs], other) = self.solve_owned_cube(above, &part(1, 2))?;
        Ok(CubeLevel { centred, owned, theirs, report: report.and(other) })
    }

    /// Returns the bytes of memory that solving a level of a cube takes at its peak, with the level above and one more array of
    /// values: a little more rather than less.
    pub fn cube_memory(&self) -> u64 {
        self.offer_memory(5)
    }

    /// Returns the bytes of memory that solving matches takes at its peak.
    pub fn match_memory(&self) -> u64 {
        self.offer_memory(9)
    }

    /// Returns the bytes that a solve with offers takes, including a number of arrays with a value for each position.
    fn offer_memory(&self, arrays: u64) -> u64 {
        let held = self.indexer.len().saturating_mul(8 * arrays);
        let work = if self.is_dense() {
            // A sublayer that mirrors itself is not halved, and each value has a limit beside it in both precisions.
            self.memory().saturating_mul(5) / 2
        } else {
            self.evaluation_memory()
        };
        work.saturating_add(held)
    }

    /// Solves only that part of [`Solver::solve_cube_level`] in which the cube is in the middle.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`].
    pub fn solve_centred_cube(
        &self,
        above: &Values,
        watch: &dyn Watch,
    ) -> Result<(Values, OfferReport), SolveError> {
        self.solve_with_offer(doubled(above), watch)
    }

    /// Solves only that part of [`Solver::solve_cube_level`] in which a player owns the cube. Returns the values with the owner
    /// about to roll, and those with the opponent about to roll.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`].
    pub fn solve_owned_cube(
        &self,
        above: &Values,
        watch: &dyn Watch,
    ) -> Result<([Values; 2], OfferReport), SolveError> {
        self.solve_with_offers([Some(doubled(above)), None], watch)
    }
}

/// Returns the offer of a double for money: twice the equity of the level above, or the stake if that is less.
fn doubled(above: &Values) -> Offer<'_> {
    // A chance c has the equity 2 c - 1, so twice the equity is that of the chance 2 c - 1/2.
    Offer { values: above, scale: 2.0, shift: -0.5 }
}
