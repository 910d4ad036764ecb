//! Table files: what is written is read, and what is damaged is found.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use puabi_core::{Roll, RuleSet};
use puabi_solve::{Options, Report, Unattended, Values, certify};
use puabi_tables::{
    Header, MemoryTable, Precision, StoredValues, Table, TableError, TableWriter, make_table,
};
use tempfile::{TempDir, tempdir};

use crate::solved::{Solved, drawn};

impl Solved {
    fn write(&self, path: &Path, precision: Precision, threads: usize) -> String {
        let options = Options { threads, ..Options::default() };
        let writer = TableWriter::new(&self.rules, precision, options);
        writer.write(path, &self.values, &self.report).unwrap().to_string()
    }

    fn file(&self, precision: Precision) -> Vec<u8> {
        let directory = tempdir().unwrap();
        let path = directory.path().join("a.urt");
        self.write(&path, precision, 2);
        fs::read(path).unwrap()
    }
}

static FINKEL_1: LazyLock<Solved> = LazyLock::new(|| Solved::new(&RuleSet::FINKEL.with_pieces(1)));
static FINKEL_2: LazyLock<Solved> = LazyLock::new(|| Solved::new(&RuleSet::FINKEL.with_pieces(2)));

/// Opens a table with these bytes.
fn opened(bytes: &[u8]) -> (TempDir, Result<Table, TableError>) {
    let directory = tempdir().unwrap();
    let path = directory.path().join("a.urt");
    fs::write(&path, bytes).unwrap();
    let table = Table::open(&path);
    (directory, table)
}

/// Opens a table with these bytes and reads every value.
fn read_all(bytes: &[u8]) -> Result<Vec<f64>, TableError> {
    thread_local! {
        static DIRECTORY: TempDir = tempdir().unwrap();
    }
    DIRECTORY.with(|directory| {
        let path = directory.path().join("a.urt");
        overwrite(&path, bytes);
        let table = Table::open(&path)?;
        (0..table.header().indexer().len()).map(|index| table.value_at(index)).collect()
    })
}

/// Overwrites a file in place. This is much faster than `fs::write`, whose truncation to nothing makes ext4 wait for the disk.
pub(crate) fn overwrite(path: &Path, bytes: &[u8]) {
    let mut file = fs::File::options().write(true).create(true).truncate(false).open(path).unwrap();
    file.write_all(bytes).unwrap();
    file.set_len(bytes.len() as u64).unwrap();
}

fn all(values: &Values) -> Vec<f64> {
    values.chunks().flatten().copied().collect()
}

#[test]
fn values_by_index_and_as_stored_are_those_of_single_look_ups() {
    for precision in Precision::ALL {
        let (_directory, table) = opened(&FINKEL_2.file(precision));
        let table = table.unwrap();
        let indices: Vec<u64> = (0..table.header().indexer().len()).rev().collect();
        let mut values = vec![0.0; indices.len()];
        table.values_at(&indices, &mut values).unwrap();
        let single = |&index: &u64| table.value_at(index).unwrap();
        assert_eq!(values, indices.iter().map(single).collect::<Vec<_>>());
        values.reverse();
        let stored: Vec<f64> = match table.stored_values() {
            StoredValues::F64(values) => values.to_vec(),
            StoredValues::F32(values) => values.iter().map(|&it| f64::from(it)).collect(),
            StoredValues::U16(values) => values.iter().map(|&it| f64::from(it) / 65535.0).collect(),
        };
        assert_eq!(stored, values, "{precision}");
    }
}

#[test]
fn a_table_gives_back_the_values_it_was_given() {
    let [_, drawn] = drawn();
    let presets = RuleSet::PRESETS.map(|preset| preset.with_pieces(1));
    for rule_set in
        presets.into_iter().chain([drawn.with_pieces(1), RuleSet::FINKEL.with_pieces(2)])
    {
        let solved = Solved::new(&rule_set);
        for precision in Precision::ALL {
            let expected = all(&solved.values).into_iter().map(|value| precision.quantised(value));
            let file = solved.file(precision);
            assert_eq!(
                read_all(&file).unwrap(),
                expected.collect::<Vec<_>>(),
                "{rule_set} {precision}"
            );
            let (_directory, table) = opened(&file);
            let table = table.unwrap();
            assert_eq!(table.header().rules().rule_set(), &rule_set);
            assert_eq!(table.header().report(), solved.report);
            assert_eq!(table.header().bytes(), file.len() as u64);
            table.verify(2, &Unattended).unwrap();
        }
    }
}

#[test]
fn a_checked_table_judges_as_the_solve_did() {
    let (_directory, table) = opened(&FINKEL_2.file(Precision::F64));
    let table = table.unwrap();
    table.check(3, &Unattended).unwrap();
    let indexer = FINKEL_2.values.indexer();
    let positions: Vec<_> =
        (0..indexer.len()).filter_map(|index| indexer.position(index)).collect();
    let mut judged = vec![0.0; positions.len()];
    table.with_values(|values| values.evaluate(&positions, &mut judged)).unwrap();
    assert_eq!(judged, all(&FINKEL_2.values));
    assert_eq!(all(&table.load(2, &Unattended).unwrap()), judged);
}

#[test]
fn the_stored_residual_is_that_of_the_values_as_stored() {
    for (precision, most) in [(Precision::F32, 1.2e-7), (Precision::U16, 1.6e-5)] {
        let (_directory, table) = opened(&FINKEL_2.file(precision));
        let table = table.unwrap();
        let values = table.load(1, &Unattended).unwrap();
        let stored = table.header().stored_residual();
        assert!(stored > 0.0 && stored <= most, "{precision}: {stored}");
        assert_eq!(
            stored.to_bits(),
            certify(&FINKEL_2.rules, &values, 1, &Unattended).unwrap().residual.to_bits()
        );
    }
}

#[test]
fn a_table_has_the_same_bytes_for_any_number_of_threads() {
    let directory = tempdir().unwrap();
    for precision in Precision::ALL {
        let files = [1, 2, 7].map(|threads| {
            let solver_options = Options { threads, ..Options::default() };
            let path = directory.path().join(format!("{threads}.urt"));
            make_table(&path, &FINKEL_2.rules, precision, solver_options, &Unattended).unwrap();
            fs::read(path).unwrap()
        });
        assert!(files[0] == files[1] && files[1] == files[2], "{precision}");
    }
}

#[test]
fn tables_have_the_hashes_that_they_always_had() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("a.urt");
    let hashes = [
        "21b4ebafb26a48a08cade7e92bbd08a0489e76f5c7527d1c7e76ff2d03737e32",
        "6577ef4895a814dd13dfa8264921dd1ee18152c4189df6943ad86a3f133c0b18",
        "4b85097bf8fb2fb0e9f297014c1ed4e1965dadda10f8f012465d1d8eb1c3494e",
    ];
    for (precision, hash) in Precision::ALL.into_iter().zip(hashes) {
        assert_eq!(FINKEL_2.write(&path, precision, 2), hash, "{precision}");
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let file = FINKEL_1.file(Precision::U16);
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        let error = read_all(&damaged).expect_err(&format!("byte {at}"));
        let values_at = file.len() - 2 * all(&FINKEL_1.values).len();
        let is_right = match &error {
            TableError::Foreign | TableError::CopiedAsText => at < 8,
            TableError::Newer { .. } => (8..12).contains(&at),
            TableError::Block { block: 0, bytes } => {
                at >= values_at && bytes.contains(&(at as u64))
            }
            TableError::Header { .. } => (8..values_at).contains(&at),
            TableError::Truncated { .. } => (12..16).contains(&at),
            _ => false,
        };
        assert!(is_right, "byte {at}: {error}");
    }
}

#[test]
fn a_damaged_block_is_named_and_the_others_are_read() {
    let mut file = FINKEL_2.file(Precision::F64);
    let (_directory, table) = opened(&file);
    assert!(table.unwrap().header().blocks() > 1);
    *file.last_mut().unwrap() ^= 1;
    let (_directory, table) = opened(&file);
    let table = table.unwrap();
    let last = table.header().blocks() - 1;
    assert!(table.value_at(0).is_ok());
    let error = table.value_at(table.header().indexer().len() - 1).unwrap_err();
    assert!(matches!(&error, TableError::Block { block, .. } if *block == last), "{error}");
    let text = error.to_string();
    assert!(
        text.contains(&format!("block {last} ")) && text.contains(&(file.len() - 1).to_string())
    );
    let indexer = table.header().indexer();
    let [first, end] = [0, indexer.len() - 1].map(|index| indexer.position(index).unwrap());
    let ask = |position| table.with_values(|values| values.evaluate(&[position], &mut [0.0]));
    assert!(ask(first).is_ok());
    assert!(matches!(ask(end), Err(TableError::Block { block, .. }) if block == last));
    assert!(matches!(table.check(2, &Unattended), Err(TableError::Block { .. })));
    assert!(matches!(table.load(2, &Unattended), Err(TableError::Block { .. })));
}

#[test]
fn every_truncation_is_found_and_so_is_a_tail() {
    let mut file = FINKEL_1.file(Precision::U16);
    for length in 0..file.len() {
        let error = read_all(&file[..length]).expect_err(&format!("length {length}"));
        assert!(
            matches!(error, TableError::Truncated { found, expected }
                if found == length as u64 && expected > found),
            "length {length}: {error}"
        );
    }
    file.push(0);
    let error = read_all(&file).unwrap_err();
    assert!(matches!(error, TableError::TooLong { found, expected } if found == expected + 1));
}

#[test]
fn what_is_no_table_is_said_to_be_none() {
    let file = FINKEL_1.file(Precision::F64);
    assert!(matches!(read_all(b"PK\x03\x04 an archive"), Err(TableError::Foreign)));
    let mut seven_bits = file.clone();
    seven_bits[0] &= 0x7f;
    assert!(matches!(read_all(&seven_bits), Err(TableError::CopiedAsText)));
    let unix_ends = [b"\x89URT\n\x1a\n", &file[8..]].concat();
    assert!(matches!(read_all(&unix_ends), Err(TableError::CopiedAsText)));
    let utf8 = String::from_utf8_lossy(&file).into_owned();
    assert!(matches!(read_all(utf8.as_bytes()), Err(TableError::CopiedAsText)));
    let mut newer = file;
    newer[8] = 2;
    assert!(matches!(read_all(&newer), Err(TableError::Newer { found: 2 })));
    let missing = Table::open(Path::new("no such directory/a.urt"));
    assert!(matches!(missing, Err(TableError::Unreadable(_))));
    let directory = tempdir().unwrap();
    let error = Table::open(directory.path()).unwrap_err();
    assert!(matches!(&error, TableError::Unreadable(it) if it.to_string().contains("a folder")));
}

#[test]
fn a_table_of_another_game_is_refused() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("a.urt");
    FINKEL_1.write(&path, Precision::F64, 1);
    assert!(Table::open_for(&path, FINKEL_1.rules.rule_set()).is_ok());
    let error = Table::open_for(&path, &RuleSet::FINKEL).unwrap_err();
    assert_eq!(error.to_string(), "the table is of finkel:1, expected one of finkel");
    let namesake = RuleSet { name: "finkel:1".into(), ..RuleSet::BLITZ };
    let error = Table::open_for(&path, &namesake).unwrap_err().to_string();
    assert!(error.ends_with("with other rules under the same name"), "{error}");
}

/// Returns the error of the header of finkel:1 with `from` replaced by `to`.
fn edited(from: &str, to: &str) -> String {
    let (rules, indexer) = (&FINKEL_1.rules, FINKEL_1.values.indexer());
    let header =
        Header::new(rules, indexer, &FINKEL_1.report, Precision::F64, 4.5e-16, 0.0).unwrap();
    let json = String::from_utf8(header.json().to_vec()).unwrap();
    assert!(json.contains(from), "{json}");
    Header::from_json(json.replace(from, to).as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_header_whose_numbers_do_not_fit_its_rules_is_refused() {
    let positions = FINKEL_1.report.positions;
    let stated = format!("\"positions\":{positions}");
    let one_more = edited(&stated, &format!("\"positions\":{}", positions + 1));
    assert!(
        one_more.ends_with(&format!("{} positions, but its rules give {positions}", positions + 1))
    );
    assert!(
        edited(&stated, "\"positions\":18446744073709551615").contains("more than a file holds")
    );
    assert!(
        edited(&stated, "\"positions\":2305843009213693951").contains("more than a file holds")
    );
    assert!(edited(&stated, "\"positions\":-1").contains("invalid value"));
    assert!(edited("\"block_bytes\":65536", "\"block_bytes\":0").contains("power of two"));
    assert!(edited("\"block_bytes\":65536", "\"block_bytes\":2147483648").contains("power of two"));
    assert!(edited("\"block_bytes\":65536", "\"block_bytes\":65537").contains("power of two"));
    assert!(edited("\"stored_residual\":0.0", "\"stored_residual\":2").contains("expected 0 to 1"));
    assert!(edited("\"stored_residual\":0.0", "\"stored_residual\":1e999").contains("number"));
    assert!(edited("\"dead_positions\":0", "\"dead_positions\":99999999").contains("dead"));
    assert!(edited("\"store\":\"f64\"", "\"store\":\"f16\"").contains("unknown variant"));
    assert!(edited("pieces = 1", "pieces = 200").contains("cannot be read"));
    assert!(edited("{\"rules\"", "{\"date\":1,\"rules\"").contains("unknown field"));
    assert!(Header::from_json(&vec![b' '; 1 << 20]).unwrap_err().to_string().contains("at most"));
}

#[test]
fn the_header_that_fuzzing_starts_from_is_one() {
    let json = include_bytes!("../../../../fuzz/seeds/table_header/finkel-1.json");
    assert_eq!(Header::from_json(json).unwrap().report().positions, FINKEL_1.report.positions);
}

#[test]
fn a_table_whose_values_are_no_solution_does_not_verify() {
    let mut parts: Vec<Box<[f64]>> = FINKEL_1.values.chunks().map(Box::from).collect();
    parts[0][0] += 1e-9;
    let one_off = Values::new(FINKEL_1.values.indexer().clone(), parts);
    let halves = FINKEL_1.values.chunks().map(|part| vec![0.5; part.len()].into()).collect();
    let halves = Values::new(FINKEL_1.values.indexer().clone(), halves);
    for values in [one_off, halves] {
        // The header is true of these values, and the hashes are right.
        let found = certify(&FINKEL_1.rules, &values, 1, &Unattended).unwrap();
        let start_value = values.value(FINKEL_1.rules.start());
        let report = Report { residual: found.residual, start_value, ..FINKEL_1.report };
        for precision in Precision::ALL {
            let wrong = Solved { rules: FINKEL_1.rules.clone(), values: values.clone(), report };
            let (_directory, table) = opened(&wrong.file(precision));
            let error = table.unwrap().verify(1, &Unattended);
            if found.residual < precision.bound() {
                error.unwrap();
            } else {
                let error = error.unwrap_err();
                assert!(matches!(error, TableError::Inexact { .. }), "{precision}: {error}");
            }
        }
    }
}

#[test]
fn a_header_that_says_what_is_not_so_does_not_verify() {
    let report = FINKEL_1.report;
    let start_value = report.start_value + 1e-15;
    for (report, what) in [
        (Report { residual: 1e-16, ..report }, "residual"),
        (Report { start_value, ..report }, "start"),
        (Report { dead_positions: 7, ..report }, "dead"),
    ] {
        let (rules, values) = (FINKEL_1.rules.clone(), FINKEL_1.values.clone());
        let (_directory, table) = opened(&Solved { rules, values, report }.file(Precision::F64));
        let error = table.unwrap().verify(1, &Unattended).unwrap_err();
        assert!(matches!(error, TableError::Mismatch { .. }), "{error}");
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn a_value_that_is_no_chance_is_never_given_out() {
    for found in [f64::NAN, 1.5, -1e-300, f64::INFINITY] {
        let mut parts: Vec<Box<[f64]>> = FINKEL_1.values.chunks().map(Box::from).collect();
        parts[1][2] = found;
        let index = FINKEL_1.values.indexer().sublayers()[1].base + 2;
        let values = Values::new(FINKEL_1.values.indexer().clone(), parts);
        let wrong = Solved { rules: FINKEL_1.rules.clone(), values, report: FINKEL_1.report };
        let file = wrong.file(Precision::F64);
        let (_directory, table) = opened(&file);
        let error = table.unwrap().check(1, &Unattended).unwrap_err();
        assert!(matches!(error, TableError::Value { index: at, .. } if at == index), "{error}");
        let error = MemoryTable::open(file).unwrap_err();
        assert!(matches!(error, TableError::Value { index: at, .. } if at == index), "{error}");
    }
}

#[test]
fn a_table_that_cannot_be_written_leaves_nothing_behind() {
    let directory = tempdir().unwrap();
    let taken = directory.path().join("a.urt");
    fs::create_dir_all(taken.join("in the way")).unwrap();
    let writer = TableWriter::new(&FINKEL_1.rules, Precision::F64, Options::default());
    for path in [taken.clone(), directory.path().join("no such directory").join("a.urt")] {
        let error = writer.write(&path, &FINKEL_1.values, &FINKEL_1.report).unwrap_err();
        assert!(matches!(error, TableError::Unwritable(_)), "{error}");
    }
    assert_eq!(names(directory.path()), ["a.urt"]);
}

#[test]
fn a_full_disk_is_an_error_with_what_is_needed_and_free() {
    let directory = tempdir().unwrap();
    let error = puabi_tables::ensure_space(directory.path(), 1 << 62).unwrap_err().to_string();
    assert!(error.starts_with("needs 4.6 EB on /") && error.ends_with("B are free"), "{error}");
    puabi_tables::ensure_space(directory.path(), 1).unwrap();
}

/// Returns the names of the files in a directory, in order.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

proptest! {
    #[test]
    fn no_bytes_make_a_header_panic(
        at in any::<prop::sample::Index>(),
        removed in 0..4_usize,
        bytes in prop::collection::vec(any::<u8>(), 0..4),
    ) {
        static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| FINKEL_1.file(Precision::U16));
        let json = Header::from_file(&FILE).unwrap().json().to_vec();
        for mut sound in [FILE.clone(), json.clone()] {
            let start = at.index(json.len());
            sound.splice(start..(start + removed).min(json.len()), bytes.iter().copied());
            let _ = Header::from_file(&sound);
            let _ = Header::from_json(&sound);
        }
    }

    #[test]
    fn no_damage_gives_a_wrong_number(
        at in any::<prop::sample::Index>(),
        damage in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| FINKEL_1.file(Precision::F32));
        let mut file = FILE.clone();
        let start = at.index(file.len());
        for (byte, damage) in file[start..].iter_mut().zip(damage) {
            *byte = damage;
        }
        if let Ok(values) = read_all(&file) {
            let stored = all(&FINKEL_1.values).into_iter().map(|v| Precision::F32.quantised(v));
            prop_assert_eq!(values, stored.collect::<Vec<_>>());
        }
    }
}

#[test]
fn tables_keep_what_the_start_is_worth_and_are_verified_by_it() {
    let solved = Solved::new(&RuleSet {
        name: "given".into(),
        first_roll: Some(Roll::new(1)),
        ..RuleSet::FINKEL.with_pieces(2)
    });
    let directory = tempfile::tempdir().unwrap();
    for precision in Precision::ALL {
        let path = directory.path().join(precision.name());
        let writer = TableWriter::new(&solved.rules, precision, Options::default());
        writer.write(&path, &solved.values, &solved.report).unwrap();
        let table = Table::open(&path).unwrap();
        let stated = table.header().report().start_value;
        assert_eq!(stated.to_bits(), solved.report.start_value.to_bits());
        table.verify(2, &Unattended).unwrap();
        // A table is refused if its header states the value before the first roll instead.
        let mut wrong = solved.report;
        wrong.start_value = solved.values.value(solved.rules.start());
        writer.write(&path, &solved.values, &wrong).unwrap();
        let error = Table::open(&path).unwrap().verify(2, &Unattended).unwrap_err();
        assert!(error.to_string().contains("value of the start"), "{error}");
    }
}
