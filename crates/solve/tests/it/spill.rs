//! Values at work on a disk: the same bits, and nothing left of the files.

use std::fs;

use puabi_core::RuleSet;
use puabi_solve::{Options, SolveError, Solver, Unattended};

fn solver(rules: &RuleSet) -> Solver {
    Solver::new(&rules.clone().compile().unwrap(), Options::default()).unwrap()
}

#[test]
fn values_at_work_on_a_disk_come_to_the_same_bits_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    // The last has a sublayer that all threads sweep together.
    for rules in [
        RuleSet::BLITZ.with_pieces(2),
        RuleSet::MASTERS.with_pieces(2),
        RuleSet::FINKEL.with_pieces(3),
    ] {
        let solver = solver(&rules);
        let (expected, _) = solver.solve(&Unattended, &Unattended).unwrap();
        let spilling = solver.clone().spilling(folder.path()).unwrap();
        let (found, report) = spilling.solve(&Unattended, &Unattended).unwrap();
        assert!(found.chunks().eq(expected.chunks()), "{rules}");
        assert!(report.residual <= Options::TOLERANCE);
        assert!(spilling.memory() < solver.memory());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_takes_nothing_is_named() {
    let folder = tempfile::tempdir().unwrap().path().join("none");
    let spilling = solver(&RuleSet::FINKEL.with_pieces(1)).spilling(&folder).unwrap();
    let error = spilling.solve(&Unattended, &Unattended).unwrap_err();
    assert!(
        matches!(&error, SolveError::Spill { folder: named, .. } if *named == folder),
        "{error}"
    );
}

#[test]
fn games_with_stacks_do_not_spill_yet() {
    assert!(solver(&RuleSet::MURRAY.with_pieces(1)).spilling(&std::env::temp_dir()).is_none());
}
