//! All levels of a cube for money, in memory.

use puabi_core::{Cube, CubeEvaluator, CubeSeat, Player, Position};

use super::CubeLevel;
use crate::offer::OfferReport;
use crate::solver::Solver;
use crate::types::{PartWatch, SolveError, Watch};
use crate::values::Values;

/// A game for money, solved at each level of its cube.
#[derive(Debug, Clone)]
pub struct MoneyValues {
    cubeless: Values,
    /// By doublings left, from one on.
    levels: Vec<CubeLevel>,
}

impl MoneyValues {
    /// Returns the most sweeps and the largest residual of all levels.
    pub fn report(&self) -> OfferReport {
        self.levels.iter().map(|level| level.report).fold(OfferReport::default(), OfferReport::and)
    }

    /// Returns the values by doublings left and by owner of the cube, seen by the player about to roll.
    ///
    /// # Panics
    ///
    /// Panics if fewer doublings were solved.
    pub fn values(&self, left: u8, seat: CubeSeat) -> &Values {
        let Some(below) = left.checked_sub(1) else { return &self.cubeless };
        let level = &self.levels[usize::from(below)];
        match seat {
            CubeSeat::Centred => &level.centred,
            CubeSeat::Owned => &level.owned,
            CubeSeat::Theirs => &level.theirs,
        }
    }
}

impl CubeEvaluator for MoneyValues {
    fn ends(&self, cube: Cube, _player: Player) -> [f64; 2] {
        [-f64::from(cube.value()), f64::from(cube.value())]
    }

    fn relative_worth(&self, cube: Cube, mover: Player, position: Position) -> f64 {
        self.values(cube.left(), CubeSeat::of(cube, mover)).value(position)
    }
}

impl Solver {
    /// Solves the levels of a cube for money that may be doubled up to `doublings` times, all in memory.
    ///
    /// `cubeless` are the values of the game without a cube. Each doubling takes three times as long as [`Solver::solve_with_offer`],
    /// and memory for three values of each position.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`].
    pub fn solve_money(
        &self,
        cubeless: Values,
        doublings: u8,
        watch: &dyn Watch,
    ) -> Result<MoneyValues, SolveError> {
        let mut found = MoneyValues { cubeless, levels: Vec::new() };
        for below in 0..doublings {
            let (whole, before) = (u64::from(doublings) * 1000, u64::from(below) * 1000);
            let watch = PartWatch { watch, whole, before, share: 1000 };
            let level = self.solve_cube_level(found.values(below, CubeSeat::Theirs), &watch)?;
            found.levels.push(level);
        }
        Ok(found)
    }
}
