//! Damaged tables: every value that is read is that of the sound table.

#![no_main]

use std::fs;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puabi_core::RuleSet;
use puabi_fuzz::{Damage, write_damaged};
use puabi_solve::{Options, Unattended};
use puabi_tables::{Precision, Table, make_table};
use tempfile::TempDir;

/// A folder, and the bytes and values of a table of each precision.
static SOUND: LazyLock<(TempDir, [(Vec<u8>, Vec<f64>); 3])> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let tables = Precision::ALL.map(|precision| {
        let path = directory.path().join(precision.name());
        make_table(&path, &rules, precision, Options::default(), &Unattended).unwrap();
        let table = Table::open(&path).unwrap();
        let values = (0..table.header().indexer().len()).map(|at| table.value_at(at).unwrap());
        (fs::read(&path).unwrap(), values.collect())
    });
    (directory, tables)
});

fuzz_target!(|input: (u8, Damage)| {
    let (which, damage) = input;
    let (directory, tables) = &*SOUND;
    let (sound, values) = &tables[usize::from(which) % tables.len()];
    let path = directory.path().join("damaged.urt");
    write_damaged(&path, sound, &damage);
    let Ok(table) = Table::open(&path) else { return };
    for (at, value) in values.iter().enumerate() {
        if let Ok(found) = table.value_at(at as u64) {
            assert_eq!(found, *value);
        }
    }
    let is_sound = fs::read(&path).unwrap() == *sound;
    assert_eq!(table.check(1, &Unattended).is_ok(), is_sound);
});
