//! Laws of matches, leagues, the laboratory and training.

mod book;
mod first_roll;
mod lab;
mod learning;
mod matches;
mod matchup;
mod pocket;
mod shipped;

use puabi_core::Rules;
use puabi_solve::{Options, Solver, Unattended, Values};

pub(crate) fn solved(rules: &Rules) -> Values {
    let solver = Solver::new(rules, Options::default()).unwrap();
    solver.solve(&Unattended, &Unattended).unwrap().0
}
