//! Game records: what reads is written as one canonical text, and every ply can be taken back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use puabi_core::{Record, Setup};

fuzz_target!(|text: &str| {
    let Ok(mut record) = text.parse::<Record>() else { return };
    let canonical = record.to_string();
    let read: Record = canonical.parse().unwrap();
    assert_eq!(read, record);
    assert_eq!(read.to_string(), canonical);
    while let Some(ply) = record.game.undo() {
        let setup = Setup { roll: None, ..record.game.setup() };
        assert_eq!(setup, record.game.rules().setup(ply.before, ply.player));
    }
});
