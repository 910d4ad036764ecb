//! The directory of tables.

use std::fs;

use puabi_core::RuleSet;
use puabi_solve::{Options, Unattended};
use puabi_tables::{Precision, Table, TableError, TableStore, make_table, remove_table};
use tempfile::tempdir;

use crate::table::names;

fn name(rule_set: &RuleSet) -> String {
    let path = TableStore::new("").path(rule_set, Precision::F64);
    path.into_os_string().into_string().unwrap()
}

#[test]
fn presets_give_their_tables_their_names() {
    assert_eq!(name(&RuleSet::FINKEL), "finkel.urt");
    assert_eq!(name(&RuleSet::MASTERS_4D.with_pieces(3)), "masters-4d-3.urt");
}

#[test]
fn rule_sets_of_one_name_have_tables_of_their_own() {
    let mine = RuleSet { name: "../My rules: Ω?".into(), ..RuleSet::FINKEL };
    let other = RuleSet { safe_rosettes: false, ..mine.clone() };
    let (first, second) = (name(&mine), name(&other));
    assert!(first.starts_with("my-rules-") && first.len() == "my-rules-.urt".len() + 12, "{first}");
    assert_ne!(first, second);
    let disguised = RuleSet { captures_grant_rolls: true, ..RuleSet::FINKEL };
    assert!(name(&disguised).starts_with("finkel-") && name(&disguised).len() == 23);
    let nameless = RuleSet { name: "…".into(), ..RuleSet::FINKEL };
    assert!(name(&nameless).starts_with("rules-"));
    let wordy = RuleSet { name: "x".repeat(1000).into(), ..RuleSet::FINKEL };
    assert_eq!(name(&wordy).len(), 40 + 1 + 12 + 4);
}

#[test]
fn a_store_finds_the_finest_table_and_lists_and_removes() {
    let directory = tempdir().unwrap();
    let store = TableStore::new(directory.path().join("deep/in"));
    let rule_set = RuleSet::FINKEL.with_pieces(1);
    let rules = rule_set.compile().unwrap();
    assert_eq!(store.paths(&rule_set).next(), None);
    assert!(store.list().unwrap().is_empty());
    store.create().unwrap();
    for precision in [Precision::U16, Precision::F64] {
        let path = store.path(&rule_set, precision);
        make_table(&path, &rules, precision, Options::default(), &Unattended).unwrap();
        assert_eq!(store.paths(&rule_set).next(), Some(path.clone()));
        assert_eq!(Table::open_for(&path, &rule_set).unwrap().header().precision(), precision);
    }
    fs::write(store.directory().join("notes.txt"), "").unwrap();
    fs::write(store.directory().join("damaged.urt"), "nothing").unwrap();
    let list = store.list().unwrap();
    let listed: Vec<_> = list.iter().map(|stored| stored.path.file_name().unwrap()).collect();
    assert_eq!(listed, ["damaged.urt", "finkel-1.u16.urt", "finkel-1.urt"]);
    assert!(matches!(list[0].table, Err(TableError::Foreign)));
    assert!(list[1..].iter().all(|stored| stored.table.is_ok()));
    assert_eq!(store.paths(&rule_set).count(), 2);
    for path in store.paths(&rule_set) {
        assert!(remove_table(&path).unwrap());
    }
    assert_eq!(names(store.directory()), ["damaged.urt", "notes.txt"]);
}
