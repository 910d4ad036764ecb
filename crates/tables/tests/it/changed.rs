//! Table files that another program changes while they are open.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use puabi_core::RuleSet;
use puabi_solve::{Options, Unattended};
use puabi_tables::{Precision, Table, TableError, TableWriter};
use tempfile::{TempDir, tempdir};

use crate::solved::Solved;

static FINKEL_2: LazyLock<Solved> = LazyLock::new(|| Solved::new(&RuleSet::FINKEL.with_pieces(2)));

/// Writes a table of several blocks and many pages, and returns its directory and path.
fn written() -> (TempDir, PathBuf) {
    let directory = tempdir().unwrap();
    let path = directory.path().join("finkel-2.urt");
    let writer = TableWriter::new(&FINKEL_2.rules, Precision::F64, Options::default());
    writer.write(&path, &FINKEL_2.values, &FINKEL_2.report).unwrap();
    (directory, path)
}

#[test]
fn work_with_the_values_of_a_file_that_another_program_changes_is_refused() {
    type Change = fn(&Path);
    let cut: Change = |path| File::options().write(true).open(path).unwrap().set_len(10).unwrap();
    let write: Change = |path| {
        let mut file = File::options().write(true).open(path).unwrap();
        file.seek(SeekFrom::End(-1)).unwrap();
        file.write_all(&[0x3F]).unwrap();
    };
    let grow: Change = |path| {
        let mut file = File::options().append(true).open(path).unwrap();
        file.write_all(b"more").unwrap();
    };
    for change in [cut, write, grow] {
        for is_read_before in [false, true] {
            let (_directory, path) = written();
            let table = Table::open(&path).unwrap();
            let last = table.header().indexer().len() - 1;
            if is_read_before {
                table.check(1, &Unattended).unwrap();
            }
            change(&path);
            // A page that is gone reads as zeros: a single value may be wrong, and the checks before and after work find that.
            let _ = table.value_at(last);
            let read = table.with_values(|_| ());
            assert!(matches!(read, Err(TableError::Changed)), "{read:?}");
            assert!(table.check(2, &Unattended).is_err());
            assert!(table.load(2, &Unattended).is_err());
            assert!(!table.is_current());
        }
    }
}

#[test]
fn a_file_that_is_cut_while_it_is_read_gives_an_error() {
    let (_directory, path) = written();
    let table = Table::open(&path).unwrap();
    let start = FINKEL_2.rules.start();
    let read = table.with_values(|values| {
        File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
        let mut value = [0.0];
        values.evaluate(&[start], &mut value);
    });
    assert!(matches!(read, Err(TableError::Changed)), "{read:?}");
}

#[test]
fn a_table_whose_file_is_replaced_or_removed_keeps_its_values_and_knows_it() {
    let (_directory, path) = written();
    let table = Table::open(&path).unwrap();
    let start = table.value(FINKEL_2.rules.start()).unwrap();
    assert!(table.is_current());
    let other = path.with_extension("other");
    fs::copy(&path, &other).unwrap();
    fs::rename(&other, &path).unwrap();
    assert!(!table.is_current());
    table.check(2, &Unattended).unwrap();
    let again = Table::open(&path).unwrap();
    assert!(again.is_current());
    fs::remove_file(&path).unwrap();
    assert!(!again.is_current());
    assert_eq!(again.value(FINKEL_2.rules.start()).unwrap().to_bits(), start.to_bits());
}
