//! The directory of tables.

use std::fs;

use puabi_core::RuleSet;
use puabi_solve::{Options, Unattended};
use puabi_tables::{
    CubeTables, Precision, Table, TableError, TableStore, make_cube_tables, make_table,
    remove_table,
};
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

#[test]
fn tables_of_a_cube_are_made_and_removed_together_and_taken_for_no_others() {
    let directory = tempdir().unwrap();
    let store = TableStore::new(directory.path());
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let (rule_set, how) = (rules.rule_set(), (Precision::F32, Options::default()));
    let path = store.path(rule_set, Precision::F64);
    make_table(&path, &rules, Precision::F64, how.1, &Unattended).unwrap();
    let cubeless = Table::open(&path).unwrap();
    let folder = CubeTables::folder(&store, rule_set);
    let left = folder.join("2-owned.f32.urt.a1B2c3.tmp");
    fs::create_dir(&folder).unwrap();
    fs::write(&left, "what a killed run has left").unwrap();
    make_cube_tables(&store, &cubeless, 2, how, &Unattended, &mut |_| {}).unwrap();
    assert!(!left.exists());
    let paths = CubeTables::paths(&store, rule_set).unwrap();
    assert_eq!(paths.len(), 4);
    for path in &paths {
        assert!(matches!(Table::open(path), Err(TableError::Cube { .. })));
        assert!(Table::open_any(path).unwrap().header().cube().is_some());
    }
    // Tables of another precision replace these, and none are made from rounded values.
    let coarse = store.path(rule_set, Precision::U16);
    make_table(&coarse, &rules, Precision::U16, how.1, &Unattended).unwrap();
    let coarse = Table::open(&coarse).unwrap();
    let made = make_cube_tables(&store, &coarse, 2, how, &Unattended, &mut |_| {});
    assert!(matches!(made, Err(TableError::Coarse { found: Precision::U16 })));
    let how = (Precision::U16, how.1);
    make_cube_tables(&store, &cubeless, 2, how, &Unattended, &mut |_| {}).unwrap();
    let paths = CubeTables::paths(&store, rule_set).unwrap();
    assert_eq!(paths.len(), 4);
    assert_eq!(CubeTables::remove(&store, rule_set).unwrap(), paths);
    assert!(!folder.exists() && path.exists());
    // Nothing is left to remove.
    assert!(CubeTables::remove(&store, rule_set).unwrap().is_empty());
    assert!(!folder.exists());
}
