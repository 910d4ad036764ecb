//! What lies beside a table while it is made: damaged on the way, or another program's.

use std::fs;

use puabi_core::RuleSet;
use puabi_solve::{Checkpoint, Options, Solver, Unattended};
use puabi_tables::{FileCheckpoint, Precision, TableError, make_table, make_table_by};
use tempfile::tempdir;

use crate::table::overwrite;

#[test]
fn a_kept_sublayer_that_is_damaged_during_the_solve_becomes_no_table() {
    for (rules, precision) in
        [("skiriuk:1", Precision::F64), ("finkel:2", Precision::F64), ("skiriuk:1", Precision::U16)]
    {
        let directory = tempdir().unwrap();
        let path = directory.path().join("a.urt");
        let rules = rules.parse::<RuleSet>().unwrap().compile().unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let part = directory.path().join("a.urt.part");
        let damaged = make_table_by(&path, &solver, precision, |kept| {
            let found = solver.solve(kept, &Unattended);
            let mut bytes = fs::read(&part).unwrap();
            *bytes.last_mut().unwrap() ^= 1;
            overwrite(&part, &bytes);
            found
        });
        assert!(matches!(damaged, Err(TableError::DamagedPart)), "{damaged:?}");
        assert!(!path.exists());
        // The next solve finds only that sublayer anew.
        let checkpoint = FileCheckpoint::open(&path, &rules, solver.indexer(), Options::TOLERANCE);
        let (checkpoint, last) = (checkpoint.unwrap(), solver.indexer().sublayers().len() - 1);
        assert!(checkpoint.load(last).unwrap().is_none());
        assert!((0..last).all(|at| checkpoint.load(at).unwrap().is_some()));
    }
}

#[test]
fn a_table_of_any_name_leaves_the_files_of_others_alone() {
    let directory = tempdir().unwrap();
    let ends = ["lock", "part", "journal"];
    let file = |end: &str| directory.path().join(format!("Cargo.{end}"));
    for end in ends {
        fs::write(file(end), "precious").unwrap();
    }
    let path = directory.path().join("Cargo");
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    make_table(&path, &rules, Precision::F64, Options::default(), &Unattended).unwrap();
    assert!(path.exists() && ends.iter().all(|end| fs::read(file(end)).unwrap() == b"precious"));
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 4);
}
