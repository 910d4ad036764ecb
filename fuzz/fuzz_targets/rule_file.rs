//! Rule files: what reads compiles, is written as one canonical text, can be drawn, and counted or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use puabi_core::{Charset, Indexer, Picture, Player, RuleSet};

fuzz_target!(|text: &str| {
    let Ok(rule_set) = RuleSet::from_toml(text) else { return };
    let canonical = rule_set.to_toml();
    assert_eq!(RuleSet::from_toml(&canonical).as_ref(), Ok(&rule_set));
    let rules = rule_set.compile().unwrap();
    for line in Picture::path(&rules, Player::Dark, Charset::Ascii).to_string().lines() {
        assert!(line.len() <= Picture::MAX_WIDTH);
    }
    if let Ok(indexer) = Indexer::new(&rules) {
        for index in [0, indexer.len() / 2, indexer.len() - 1] {
            let position = indexer.position(index).unwrap();
            assert_eq!(indexer.rank(position), index);
        }
    }
});
