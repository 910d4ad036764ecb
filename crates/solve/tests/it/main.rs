//! Laws and facts of solved games.

mod checkpoint;
mod store;
mod table;

use puabi_core::RuleSet;
use puabi_solve::{Options, Solver, Unattended};

#[test]
fn the_first_player_of_small_finkel_games_wins_as_often_as_published() {
    // Exact start values of independent solvers, to 12 digits.
    for (pieces, expected) in [(1, 0.530_049_839_525), (2, 0.518_572_907_496)] {
        let rules = RuleSet::FINKEL.with_pieces(pieces).compile().unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let (_, report) = solver.solve(&Unattended, &Unattended).unwrap();
        assert!((report.start_value - expected).abs() < 1e-12, "{pieces}: {}", report.start_value);
    }
}
