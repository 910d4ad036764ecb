//! Pockets: bytes that read are written to the same bytes and play legal moves; damaged ones do not read.

#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use puabi_core::{Agent, Roll, RuleSet};
use puabi_engine::{
    CLASSES, Equation, Layers, NEVER, Net, Pocket, PocketFacts, PocketParts, Shape,
};
use puabi_fuzz::{Damage, damaged};
use puabi_study::ribbon;

/// The bytes of a sound pocket.
static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let bits = |part: u8| ribbon((0..500).map(|key| (Equation::new(key, part), key % 3 == 0)).collect());
    let facts = PocketFacts {
        rules: rules.rule_set().to_toml(),
        loss: 0.01,
        off_by: 0.001,
        found: "a test".to_owned(),
        exploitability: None,
        exceptions: 500,
        protected: 0,
        backups: 1,
        origin: "a test".to_owned(),
        filter_bits: (0..CLASSES).map(|class| if class % 2 == 0 { 1 } else { NEVER }).collect(),
    };
    let net = Net::new(&rules, &Layers::drawn(Shape::new(&rules, 16, 16), 1));
    let parts = PocketParts { facts, net, filter: bits(0), verdicts: bits(NEVER) };
    Pocket::new(Arc::new(rules), parts).unwrap().to_bytes()
});

fuzz_target!(|input: (Vec<u8>, Damage)| {
    let (raw, damage) = input;
    for bytes in [raw, damaged(&SOUND, &damage)] {
        let Ok(pocket) = Pocket::read(&bytes) else { continue };
        assert_eq!(pocket.to_bytes(), *SOUND, "only what is sound reads");
        for roll in 0..=4 {
            let decision = pocket.rules().decision(pocket.rules().start(), Roll::new(roll));
            assert!(decision.allows(pocket.choose(&decision, 0.0)));
        }
    }
});
