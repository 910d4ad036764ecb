//! Response files: damage is found.

use puabi_core::{Agent, Decision, Policy, RuleSet};
use puabi_solve::{Options, Seat, Solver, Unattended, WinChance};
use puabi_tables::Response;

use crate::table::overwrite;

/// Plays every legal move equally often.
struct Even;

impl Agent for Even {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        moves.iter().map(|_| 1.0 / moves.len() as f64).collect()
    }
}

#[test]
fn a_damaged_response_is_refused() {
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let seats = [Seat::Best, Seat::Plays(&Even)];
    let found = solver.evaluate(seats, &WinChance, &Unattended).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("even.urr");
    Response::new(rules, "even", found).write(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(Response::read(&path).unwrap().against(), "even");
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        overwrite(&path, &bytes);
        assert!(Response::read(&path).is_err(), "byte {at}");
    }
    for length in [0, 8, 20, whole.len() - 1] {
        overwrite(&path, &whole[..length]);
        assert!(Response::read(&path).is_err(), "{length} bytes");
    }
}
