//! No bytes make reading a table's header panic, and a header that is read states itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use puabi_tables::Header;

fuzz_target!(|bytes: &[u8]| {
    // As a whole file, whose checksums stop nearly everything, and as the JSON behind them.
    for header in [Header::from_file(bytes), Header::from_json(bytes)].into_iter().flatten() {
        let again = Header::from_json(header.json()).expect("a header that was read");
        assert_eq!(again.report(), header.report());
        assert_eq!(again.rules().rule_set(), header.rules().rule_set());
        assert!(header.indexer().position(header.indexer().len() - 1).is_some());
    }
});
