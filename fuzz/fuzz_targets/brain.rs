//! Texts of brains and linear models: what reads is written to a text that reads the same, and plays.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puabi_core::{Agent, RuleSet, Rules};
use puabi_engine::{Brain, Linear, Model};

static GAMES: LazyLock<Vec<Rules>> = LazyLock::new(|| {
    let rules = ["finkel:1", "masters"].map(|name| name.parse::<RuleSet>().unwrap().compile());
    rules.map(Result::unwrap).into()
});

fuzz_target!(|text: &str| {
    for rules in GAMES.iter() {
        let decision = rules.decision(rules.start(), puabi_core::Roll::new(2));
        if let Ok(brain) = Brain::read(text, rules) {
            assert_eq!(Brain::read(&brain.to_string(), rules), Ok(brain.clone()));
            assert_eq!(brain.policy(&decision).len(), 1);
        }
        if let Ok(model) = Linear::read(text, rules) {
            let again = Linear::read(&model.to_string(), rules).unwrap();
            assert_eq!(again.to_string(), model.to_string());
        }
    }
});
