//! No bytes make reading a foreign table panic, and every entry that is read has the key of its state.

#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use puabi_formats::TableReader;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut reader) = TableReader::new(Cursor::new(bytes)) else { return };
    let layout = reader.layout().clone();
    let _ = reader.each(|entry| {
        assert_eq!(layout.key(entry.state), entry.key);
        Ok(())
    });
    let _ = reader.quirks();
});
