//! Kept sublayers: a solve that was killed goes on, and never from wrong values.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
#[cfg(unix)]
use std::time::Duration;

use puabi_core::{Indexer, RuleSet, Rules};
use puabi_solve::{Checkpoint, Facts, Options, SolveError, Unattended, Watch};
use puabi_tables::{
    FileCheckpoint, Precision, SolveLock, Table, TableError, make_table, remove_leftovers,
};
use tempfile::tempdir;

use crate::table::{names, overwrite};

/// Returns the game with one or two pieces.
fn finkel(pieces: u8) -> &'static (Rules, Indexer) {
    static GAMES: LazyLock<[(Rules, Indexer); 2]> = LazyLock::new(|| {
        [1, 2].map(|pieces| {
            let rules = RuleSet::FINKEL.with_pieces(pieces).compile().unwrap();
            let indexer = Indexer::new(&rules).unwrap();
            (rules, indexer)
        })
    });
    &GAMES[usize::from(pieces) - 1]
}

/// Returns values as a solve might find them, different ones for each sublayer.
fn sublayer(indexer: &Indexer, at: usize) -> (Vec<f64>, Facts) {
    let base = indexer.sublayers()[at].base;
    let values = (base..base + indexer.sublayers()[at].len()).map(|index| index as f64 * 1e-6);
    (values.collect(), Facts { sweeps: u32::try_from(at).unwrap() })
}

/// Keeps a sublayer, and checks that its values read as they were.
fn save(checkpoint: &FileCheckpoint, at: usize, values: &[f64], facts: Facts) {
    let kept = checkpoint.save(at, Arc::new(Box::<[f64]>::from(values)), facts).unwrap();
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    kept.release_pages();
    assert_eq!(bits(kept.values()), bits(values));
}

fn load(checkpoint: &FileCheckpoint, at: usize) -> Option<(Vec<f64>, Facts)> {
    let (values, facts) = checkpoint.load(at).unwrap()?;
    Some((values.values().to_vec(), facts))
}

/// Keeps every sublayer, the last first.
fn keep_all(table: &Path) {
    let (rules, indexer) = finkel(1);
    let checkpoint = FileCheckpoint::open(table, rules, indexer, 4.5e-16).unwrap();
    for at in (0..indexer.sublayers().len()).rev() {
        let (values, facts) = sublayer(indexer, at);
        save(&checkpoint, at, &values, facts);
    }
}

/// Returns the number of sublayers that are loaded, each of which must be as it was saved.
fn loaded(table: &Path) -> usize {
    let (rules, indexer) = finkel(1);
    let checkpoint = FileCheckpoint::open(table, rules, indexer, 4.5e-16).unwrap();
    let all = 0..indexer.sublayers().len();
    let loads = all.filter_map(|at| Some((at, load(&checkpoint, at)?)));
    loads.inspect(|(at, kept)| assert_eq!(*kept, sublayer(indexer, *at), "{at}")).count()
}

#[test]
fn a_journal_that_ends_anywhere_keeps_every_whole_record() {
    let directory = tempdir().unwrap();
    let table = directory.path().join("a.urt");
    let journal = directory.path().join("a.urt.journal");
    keep_all(&table);
    let whole = fs::read(&journal).unwrap();
    let (_, indexer) = finkel(1);
    assert_eq!(whole.len(), 32 + 60 * indexer.sublayers().len());
    for length in 0..=whole.len() {
        overwrite(&journal, &whole[..length]);
        let expected = length.saturating_sub(32) / 60;
        assert_eq!(loaded(&table), expected, "{length}");
    }
}

#[test]
fn a_record_after_a_torn_one_is_kept_again() {
    let directory = tempdir().unwrap();
    let table = directory.path().join("a.urt");
    let journal = directory.path().join("a.urt.journal");
    keep_all(&table);
    let whole = fs::read(&journal).unwrap();
    fs::write(&journal, &whole[..whole.len() - 1]).unwrap();
    keep_all(&table);
    assert_eq!(loaded(&table), finkel(1).1.sublayers().len());
}

#[test]
fn no_damaged_byte_gives_a_wrong_sublayer() {
    let directory = tempdir().unwrap();
    let table = directory.path().join("a.urt");
    keep_all(&table);
    let (_, indexer) = finkel(1);
    let all = indexer.sublayers().len();
    for (name, step) in [("a.urt.journal", 1), ("a.urt.part", 11)] {
        let path = directory.path().join(name);
        let whole = fs::read(&path).unwrap();
        // The part has room for the front of the table before the values.
        let values = 8 * usize::try_from(indexer.len()).unwrap();
        let first = if name == "a.urt.part" { whole.len() - values } else { 0 };
        let journal = fs::read(directory.path().join("a.urt.journal")).unwrap();
        for at in (first..whole.len()).step_by(step) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            overwrite(&directory.path().join("a.urt.journal"), &journal);
            overwrite(&path, &damaged);
            assert!(loaded(&table) < all, "{name} {at}");
        }
        overwrite(&directory.path().join("a.urt.journal"), &journal);
        overwrite(&path, &whole);
        assert_eq!(loaded(&table), all);
    }
}

#[test]
fn a_kept_sublayer_with_wrong_values_and_right_hashes_becomes_no_table() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("a.urt");
    let (rules, indexer) = finkel(1);
    let options = Options::default();
    let last = indexer.sublayers().len() - 1;
    let keep = |wrong: f64| {
        let len = usize::try_from(indexer.sublayers()[last].len()).unwrap();
        let checkpoint = FileCheckpoint::open(&path, rules, indexer, options.tolerance).unwrap();
        save(&checkpoint, last, &vec![wrong; len], Facts::default());
    };
    keep(0.25);
    let error = make_table(&path, rules, Precision::F64, options, &Unattended).unwrap_err();
    assert!(matches!(error, TableError::WrongSolve { .. }), "{error}");
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0, "nothing of it is left");
    // Values that are not chances are not taken from the checkpoint at all.
    for wrong in [f64::NAN, -0.5, 1.5] {
        keep(wrong);
        let report = make_table(&path, rules, Precision::F64, options, &Unattended).unwrap();
        assert!(report.residual <= options.tolerance);
    }
}

#[test]
fn a_game_that_cannot_be_solved_takes_no_disk() {
    let directory = tempdir().unwrap();
    let (path, rules) = (directory.path().join("a.urt"), RuleSet::SKIRIUK.compile().unwrap());
    let error = make_table(&path, &rules, Precision::F64, Options::default(), &Unattended);
    let error = error.unwrap_err();
    assert!(matches!(error, TableError::Solve(SolveError::TooManyValues { .. })), "{error}");
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
}

#[test]
fn a_game_that_the_disk_has_no_room_for_leaves_nothing_there() {
    let directory = tempdir().unwrap();
    let rules = "murray:7".parse::<RuleSet>().unwrap().compile().unwrap();
    let (path, indexer) = (directory.path().join("a.urt"), Indexer::new(&rules).unwrap());
    let error = FileCheckpoint::open(&path, &rules, &indexer, 1e-15).unwrap_err();
    assert!(matches!(error, TableError::NoSpace { .. }), "{error}");
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
}

#[test]
fn a_part_is_as_long_as_the_table_that_it_becomes() {
    let directory = tempdir().unwrap();
    let [table, other] = ["a.urt", "b.urt"].map(|name| directory.path().join(name));
    for rules in ["finkel:1", "finkel:2", "blitz:1", "skiriuk:1"] {
        let rules = rules.parse::<RuleSet>().unwrap().compile().unwrap();
        let options = Options::default();
        make_table(&table, &rules, Precision::F64, options, &Unattended).unwrap();
        let indexer = Indexer::new(&rules).unwrap();
        FileCheckpoint::open(&other, &rules, &indexer, options.tolerance).unwrap();
        let part = directory.path().join("b.urt.part");
        assert_eq!(fs::metadata(&part).unwrap().len(), fs::metadata(&table).unwrap().len());
        fs::remove_file(part).unwrap();
    }
}

#[test]
fn a_part_that_lost_its_end_is_no_error() {
    let directory = tempdir().unwrap();
    let table = directory.path().join("a.urt");
    keep_all(&table);
    fs::remove_file(directory.path().join("a.urt.part")).unwrap();
    assert_eq!(loaded(&table), 0);
}

#[test]
fn what_another_solve_kept_is_not_used() {
    let directory = tempdir().unwrap();
    let table = directory.path().join("a.urt");
    let (rules, indexer) = finkel(1);
    keep_all(&table);
    let sublayers = FileCheckpoint::open(&table, rules, indexer, 4.5e-16).unwrap().kept();
    let other = FileCheckpoint::open(&table, rules, indexer, 1e-12).unwrap();
    assert_eq!((other.kept(), other.discarded()), (0, sublayers));
    drop(other);
    assert_eq!(FileCheckpoint::open(&table, rules, indexer, 1e-12).unwrap().discarded(), 0);
    keep_all(&table);
    let (rules, indexer) = finkel(2);
    assert_eq!(FileCheckpoint::open(&table, rules, indexer, 4.5e-16).unwrap().kept(), 0);
}

/// Ends a solve when `stop` was called a given number of times.
struct Impatient {
    patience: AtomicUsize,
}

impl Watch for Impatient {
    fn progress(&self, _done: u64, _total: u64) {}

    fn stop(&self) -> bool {
        let left = self.patience.load(Ordering::Relaxed);
        self.patience.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

#[test]
fn a_solve_stopped_again_and_again_gives_the_same_bytes() {
    let directory = tempdir().unwrap();
    let (rules, _) = finkel(2);
    let undisturbed = directory.path().join("undisturbed.urt");
    let disturbed = directory.path().join("disturbed.urt");
    let options = Options { threads: 2, ..Options::default() };
    make_table(&undisturbed, rules, Precision::F64, options, &Unattended).unwrap();
    for patience in 1.. {
        let watch = Impatient { patience: AtomicUsize::new(8 * patience) };
        match make_table(&disturbed, rules, Precision::F64, options, &watch) {
            Ok(_) => break,
            Err(TableError::Solve(SolveError::Stopped)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert!(fs::read(&undisturbed).unwrap() == fs::read(&disturbed).unwrap());
    assert_eq!(names(directory.path()), ["disturbed.urt", "undisturbed.urt"]);
}

#[test]
fn two_solves_of_one_table_do_not_spoil_each_other() {
    let directory = tempdir().unwrap();
    let table = directory.path().join("finkel.urt");
    let lock = SolveLock::acquire(&table).unwrap();
    let (rules, _) = finkel(1);
    let options = Options::default();
    let error = make_table(&table, rules, Precision::F64, options, &Unattended).unwrap_err();
    let process = std::process::id();
    assert!(matches!(error, TableError::Locked { process: Some(id), .. } if id == process));
    let expected = format!("another solve of finkel.urt is running (process {process})");
    assert!(error.to_string().starts_with(&expected), "{error}");
    drop(lock);
    make_table(&table, rules, Precision::F64, options, &Unattended).unwrap();
    assert_eq!(names(directory.path()), ["finkel.urt"]);
}

#[test]
fn a_lock_taken_clears_what_killed_writers_left() {
    let directory = tempdir().unwrap();
    for name in ["a.urt.x7Yz01.tmp", "a.urt.mine.tmp", "b.urt.x7Yz01.tmp", "a.urt"] {
        fs::write(directory.path().join(name), "").unwrap();
    }
    drop(SolveLock::acquire(&directory.path().join("a.urt")).unwrap());
    assert_eq!(names(directory.path()), ["a.urt", "a.urt.mine.tmp", "b.urt.x7Yz01.tmp"]);
}

#[test]
fn a_lock_is_never_held_twice() {
    let directory = tempdir().unwrap();
    let table = directory.path().join("a.urt");
    let holders = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..300 {
                    if let Ok(lock) = SolveLock::acquire(&table) {
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        holders.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                }
            });
        }
    });
}

/// Makes the table that the environment names; run in a process of its own by the tests below.
#[test]
#[ignore = "a part of other tests"]
fn make_the_table_that_the_environment_names() {
    let table = std::env::var_os("PUABI_TEST_TABLE").unwrap();
    let (rules, _) = finkel(2);
    let options = Options { threads: 2, ..Options::default() };
    make_table(Path::new(&table), rules, Precision::F64, options, &Unattended).unwrap();
}

/// Returns a process that makes `table`; the shell first runs `shell`, and then becomes the process.
#[cfg(unix)]
fn maker(table: &Path, shell: &str) -> Command {
    let test = "checkpoint::make_the_table_that_the_environment_names";
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{shell} exec \"$0\" --exact {test} --ignored")]);
    command.arg(std::env::current_exe().unwrap()).env("PUABI_TEST_TABLE", table);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Makes `table` in another process that can write no file longer than `blocks` times 512 bytes.
#[cfg(unix)]
fn make_limited(table: &Path, blocks: u64, signal: &str) -> bool {
    maker(table, &format!("{signal}; ulimit -f {blocks};")).status().unwrap().success()
}

#[cfg(unix)]
#[test]
fn a_solve_killed_at_any_moment_resumes_to_the_same_bytes() {
    let directory = tempdir().unwrap();
    let (rules, _) = finkel(2);
    let [expected, table] = ["expected.urt", "a.urt"].map(|name| directory.path().join(name));
    make_table(&expected, rules, Precision::F64, Options::default(), &Unattended).unwrap();
    for wait in 1.. {
        let mut process = maker(&table, "").spawn().unwrap();
        std::thread::sleep(Duration::from_millis(4 * wait));
        let _ = process.kill();
        if process.wait().unwrap().success() {
            break;
        }
    }
    assert!(fs::read(&table).unwrap() == fs::read(&expected).unwrap());
    drop(SolveLock::acquire(&table).unwrap());
    assert_eq!(names(directory.path()), ["a.urt", "expected.urt"]);
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_or_a_kill_while_writing_leaves_the_old_table_and_what_resumes() {
    let directory = tempdir().unwrap();
    let (rules, _) = finkel(2);
    let table = directory.path().join("a.urt");
    let expected = directory.path().join("expected.urt");
    make_table(&expected, rules, Precision::F64, Options::default(), &Unattended).unwrap();
    let bytes = fs::read(&expected).unwrap();
    let all = bytes.len() as u64 / 512 + 1;
    fs::write(&table, "old").unwrap();
    // If the signal is ignored, a write beyond the limit fails, as on a full disk; else the signal kills as SIGKILL does.
    let part = finkel(2).1.len() * 8 / 512 + 1;
    for (blocks, signal) in [(1, "trap '' XFSZ"), (part, "trap '' XFSZ"), (1, ":"), (part, ":")] {
        assert!(!make_limited(&table, blocks, signal), "{blocks} {signal}");
        assert_eq!(fs::read(&table).unwrap(), b"old");
    }
    assert!(make_limited(&table, all, "trap '' XFSZ"));
    assert!(fs::read(&table).unwrap() == bytes);
    assert_eq!(names(directory.path()), ["a.urt", "expected.urt"]);
}

#[test]
fn sublayers_are_kept_from_several_threads_at_once() {
    let directory = tempdir().unwrap();
    let (rules, indexer) = finkel(2);
    let open =
        || FileCheckpoint::open(&directory.path().join("a.urt"), rules, indexer, 4.5e-16).unwrap();
    let checkpoint = open();
    let count = indexer.sublayers().len();
    std::thread::scope(|scope| {
        for first in 0..4 {
            let checkpoint = &checkpoint;
            scope.spawn(move || {
                for at in (first..count).step_by(4) {
                    let (values, facts) = sublayer(indexer, at);
                    save(checkpoint, at, &values, facts);
                }
            });
        }
    });
    drop(checkpoint);
    let kept = open();
    let all: HashMap<_, _> = (0..count).filter_map(|at| Some((at, load(&kept, at)?))).collect();
    assert_eq!(all, (0..count).map(|at| (at, sublayer(indexer, at))).collect());
}

/// Returns the names of the files that `remove_leftovers` leaves beside a table of `finkel(1)`, if its solve had left a
/// checkpoint of `kept` sublayers.
fn names_after_leftovers(kept: usize, has_part: bool) -> Vec<String> {
    let directory = tempdir().unwrap();
    let path = directory.path().join("a.urt");
    let (rules, indexer) = finkel(1);
    let options = Options::default();
    make_table(&path, rules, Precision::F64, options, &Unattended).unwrap();
    let checkpoint = FileCheckpoint::open(&path, rules, indexer, options.tolerance).unwrap();
    for at in 0..kept {
        let (values, facts) = sublayer(indexer, at);
        save(&checkpoint, at, &values, facts);
    }
    drop(checkpoint);
    if !has_part {
        fs::remove_file(directory.path().join("a.urt.part")).unwrap();
    }
    fs::write(directory.path().join("a.urt.x7Yz01.tmp"), "").unwrap();
    fs::write(directory.path().join("a.urt.lock"), "1").unwrap();
    remove_leftovers(&Table::open(&path).unwrap()).unwrap();
    names(directory.path())
}

#[test]
fn what_a_kill_after_the_table_was_whole_leaves_is_removed() {
    let all = finkel(1).1.sublayers().len();
    assert_eq!(names_after_leftovers(all, true), ["a.urt"]);
    assert_eq!(names_after_leftovers(all, false), ["a.urt"]);
    // The part became the table, and its journal was left.
    assert_eq!(names_after_leftovers(1, false), ["a.urt"]);
    // A solve that was stopped may go on.
    assert_eq!(names_after_leftovers(1, true), ["a.urt", "a.urt.journal", "a.urt.part"]);
}

#[test]
fn what_a_solve_of_another_game_beside_a_table_goes_on_from_stays() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("a.urt");
    let (rules, indexer) = finkel(1);
    make_table(&path, rules, Precision::F64, Options::default(), &Unattended).unwrap();
    let all = indexer.sublayers().len();
    // More sublayers than the table has, and all those of a coarser solve of its game.
    for (pieces, tolerance, kept) in [(2, Options::TOLERANCE, all + 1), (1, 1e-13, all)] {
        let (rules, indexer) = finkel(pieces);
        let open = || FileCheckpoint::open(&path, rules, indexer, tolerance).unwrap();
        let checkpoint = open();
        for at in 0..kept {
            let (values, facts) = sublayer(indexer, at);
            save(&checkpoint, at, &values, facts);
        }
        drop(checkpoint);
        remove_leftovers(&Table::open(&path).unwrap()).unwrap();
        assert_eq!(open().kept(), kept, "finkel:{pieces} to {tolerance}");
    }
}

#[test]
fn leftovers_of_a_solve_that_is_under_way_stay() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("a.urt");
    make_table(&path, &finkel(1).0, Precision::F64, Options::default(), &Unattended).unwrap();
    let _lock = SolveLock::acquire(&path).unwrap();
    fs::write(directory.path().join("a.urt.journal"), "").unwrap();
    remove_leftovers(&Table::open(&path).unwrap()).unwrap();
    assert_eq!(names(directory.path()), ["a.urt", "a.urt.journal", "a.urt.lock"]);
}

#[cfg(unix)]
#[test]
fn files_beside_a_table_are_never_links() {
    for name in ["a.urt.lock", "a.urt.part", "a.urt.journal"] {
        let directory = tempdir().unwrap();
        let other = directory.path().join("other");
        fs::write(&other, "of somebody else").unwrap();
        std::os::unix::fs::symlink(&other, directory.path().join(name)).unwrap();
        let path = directory.path().join("a.urt");
        let (rules, options) = (&finkel(1).0, Options::default());
        let error = make_table(&path, rules, Precision::F64, options, &Unattended).unwrap_err();
        let text = error.source().unwrap().to_string();
        assert!(text.contains(name) && text.contains("symbolic link"), "{text}");
        assert_eq!(fs::read_to_string(&other).unwrap(), "of somebody else");
    }
}
