//! Contests in which a player about to roll may take an offer, for games that the dense engine does not take.

use puabi_core::Player;

use super::contest::{Contest, Kept};
use super::measure::WinChance;
use super::seat::Seat;
use crate::offer::{Offer, OfferReport};
use crate::solver::Solver;
use crate::types::{SolveError, Watch};
use crate::values::Values;

/// Solves the game with one offer for both players, or with one for each. Returns the values for each offer, as the chance of the
/// player about to roll.
pub(crate) fn solve(
    solver: &Solver,
    offers: &[Option<Offer<'_>>],
    watch: &dyn Watch,
) -> Result<(Vec<Values>, OfferReport), SolveError> {
    let mut contest =
        Contest::new(&solver.rules, &solver.indexer, [Seat::Best; 2], [&WinChance as _]);
    contest.offers = Player::BOTH.map(|player| offers[player as usize % offers.len()]);
    let (settled, _, report) = solver.settle(&contest, Kept::All, watch)?;
    let [light, dark] = contest.values(&settled);
    let found = if offers.len() == 1 { vec![light] } else { vec![light, darks_own(&dark)] };
    let report = OfferReport { sweeps_max: report.sweeps_max, residual: report.residual };
    Ok((found, report))
}

/// Returns dark's chances, given light's.
fn darks_own(lights: &Values) -> Values {
    let own = lights.chunks().map(|chunk| chunk.iter().map(|value| 1.0 - value).collect());
    Values::new(lights.indexer().clone(), own.collect())
}
