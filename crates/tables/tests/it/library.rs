//! The library: where the values of a game come from.

use std::path::Path;

use puabi_core::{Indexer, RuleSet};
use puabi_solve::{SolveError, Unattended};
use puabi_tables::{DiskUse, Library, Precision, Source, TableError};
use tempfile::tempdir;

#[test]
fn values_come_from_a_table_else_from_a_solve_that_fits_else_from_a_search() {
    let directory = tempdir().unwrap();
    let directory = directory.path().join("deep/in");
    let (library, poor) = (Library::new(&directory, || None), Library::new(&directory, || Some(0)));
    let [tiny, full] = [RuleSet::FINKEL.with_pieces(1), RuleSet::FINKEL];
    let [tiny, full] = [tiny, full].map(|rule_set| rule_set.compile().unwrap());
    assert!(matches!(library.source(&tiny), Source::Solve { is_small: true }));
    assert!(matches!(library.source(&full), Source::Solve { is_small: false }));
    assert!(matches!(poor.source(&tiny), Source::Search));
    let solved = library.solve(&tiny, &Unattended).unwrap();
    for library in [&library, &poor] {
        assert!(matches!(library.source(&tiny), Source::Table(path) if path == solved.path()));
    }
    let found = library.find(tiny.rule_set()).unwrap();
    assert_eq!(found.table.unwrap().hash(), solved.hash());
    assert!(library.find(full.rule_set()).is_none());
}

#[test]
fn no_table_is_kept_of_a_game_that_goes_on_for_ever() {
    let directory = tempdir().unwrap();
    let library = Library::new(directory.path(), || None);
    let rules = "name = \"Loop\"\ndice = \"1d0=1\"\npieces = 1\n[path]\nboard = [\"..\"]\nlight = \"A1 A2\"\ndark = \"A1 A2\"\n";
    let rules = RuleSet::from_toml(rules).unwrap().compile().unwrap();
    for _ in 0..2 {
        let error = library.solve(&rules, &Unattended).unwrap_err();
        assert!(matches!(error, TableError::Solve(SolveError::Unbounded { .. })), "{error}");
        assert!(library.find(rules.rule_set()).is_none());
    }
}

#[test]
fn a_table_in_the_wrong_place_is_found_with_what_is_wrong() {
    let directory = tempdir().unwrap();
    let library = Library::new(directory.path(), || None);
    let [rules, other] = [1, 2].map(|pieces| RuleSet::FINKEL.with_pieces(pieces));
    let table = library.solve(&rules.compile().unwrap(), &Unattended).unwrap();
    let path = directory.path().join("finkel-2.urt");
    std::fs::rename(table.path(), &path).unwrap();
    let found = library.find(&other).unwrap();
    assert_eq!(found.path, path);
    assert!(matches!(found.table, Err(TableError::OtherRules { .. })));
}

/// No user can make files in `/sys`, not even the superuser, who may write in every other directory.
#[cfg(target_os = "linux")]
#[test]
fn a_game_is_solved_for_this_run_if_its_directory_may_only_be_read() {
    let library = Library::new("/sys/puabi", || None);
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    assert!(library.find(rules.rule_set()).is_none());
    let table = library.solve(&rules, &Unattended).unwrap();
    assert!(table.value(rules.start()).unwrap() > 0.5);
    let path = table.path().to_owned();
    assert!(path.is_file() && !path.starts_with("/sys"));
    assert!(matches!(library.source(&rules), Source::Table(found) if found == path));
    let again = library.clone().find(rules.rule_set()).unwrap();
    assert!(again.table.unwrap().is_current());
    drop(library);
    assert!(!path.exists());
    assert!(table.value(rules.start()).unwrap() > 0.5);
}

#[test]
fn a_table_that_is_longer_than_a_file_can_be_is_told_as_that() {
    let tiles: Vec<_> = (1..=31).map(|column| format!("A{column}")).collect();
    let (board, tiles) = ("C".repeat(31), tiles.join(" "));
    let text = format!(
        "name = \"Camps\"\ndice = \"4d\"\npieces = 11\n[path]\nboard = [\"{board}\"]\nlight = \"{tiles}\"\ndark = \"{tiles}\""
    );
    let rules = RuleSet::from_toml(&text).unwrap().compile().unwrap();
    let indexer = Indexer::new(&rules).unwrap();
    let error = DiskUse::new(Path::new("a.urt"), &rules, &indexer, Precision::F64).unwrap_err();
    assert!(matches!(error, TableError::FitsNoFile { positions } if positions == indexer.len()));
    assert!(error.to_string().starts_with("a table of 2"), "{error}");
}
