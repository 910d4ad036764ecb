//! Damaged checkpoints: a solve goes on from values as they were kept, or without them.

#![no_main]

use std::fs;
use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use puabi_core::{Indexer, RuleSet, Rules};
use puabi_fuzz::{Damage, write_damaged};
use puabi_solve::{Checkpoint, Facts};
use puabi_tables::FileCheckpoint;
use tempfile::TempDir;

/// A folder, and the bytes of the two files of a checkpoint in it.
static SOUND: LazyLock<(TempDir, [Vec<u8>; 2])> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    let checkpoint = open(&directory);
    for at in 0..GAME.1.sublayers().len() {
        let (values, facts) = sublayer(at);
        checkpoint.save(at, Arc::new(values), facts).unwrap();
    }
    drop(checkpoint);
    let files = FILES.map(|name| fs::read(directory.path().join(name)).unwrap());
    (directory, files)
});

static GAME: LazyLock<(Rules, Indexer)> = LazyLock::new(|| {
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let indexer = Indexer::new(&rules).unwrap();
    (rules, indexer)
});

const FILES: [&str; 2] = ["a.urt.part", "a.urt.journal"];

fuzz_target!(|damage: [Damage; 2]| {
    let (directory, files) = &*SOUND;
    for ((name, sound), damage) in FILES.iter().zip(files).zip(&damage) {
        write_damaged(&directory.path().join(name), sound, damage);
    }
    let checkpoint = open(directory);
    for at in 0..GAME.1.sublayers().len() {
        if let Some(kept) = checkpoint.load(at).unwrap() {
            let (expected, facts) = sublayer(at);
            assert_eq!((kept.0.values(), kept.1), (&*expected, facts));
        }
    }
});

fn open(directory: &TempDir) -> FileCheckpoint {
    FileCheckpoint::open(&directory.path().join("a.urt"), &GAME.0, &GAME.1, 4.5e-16).unwrap()
}

/// Values as a solve might find them, told apart by sublayer.
fn sublayer(at: usize) -> (Box<[f64]>, Facts) {
    let sublayer = &GAME.1.sublayers()[at];
    let values = (sublayer.base..sublayer.base + sublayer.len()).map(|index| index as f64 * 1e-6);
    (values.collect(), Facts { sweeps: at as u32 })
}
