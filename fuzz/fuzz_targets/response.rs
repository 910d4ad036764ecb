//! Best responses: no bytes under a right hash make reading them panic, and what reads is written and read again the same.

#![no_main]

use std::fs;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puabi_core::Player;
use puabi_tables::Response;
use tempfile::TempDir;

static DIRECTORY: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

fuzz_target!(|bytes: &[u8]| {
    let path = DIRECTORY.path().join("a.urr");
    fs::write(&path, [bytes, blake3::hash(bytes).as_bytes()].concat()).unwrap();
    let Ok(response) = Response::read(&path) else { return };
    let chances = |it: &Response| Player::BOTH.map(|mover| it.chance(mover, it.rules().start()));
    response.write(&path).unwrap();
    let again = Response::read(&path).unwrap();
    assert_eq!((again.against(), chances(&again)), (response.against(), chances(&response)));
});
