//! Texts of brains and linear models: what reads is written to a text that reads the same, and plays.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puabi_core::{Agent, Indexer, RuleSet, Rules};
use puabi_engine::{Brain, Linear, Model};

static GAMES: LazyLock<Vec<(Rules, Indexer)>> = LazyLock::new(|| {
    let rules = ["finkel:2", "masters"].map(|name| name.parse::<RuleSet>().unwrap().compile());
    let indexed = |rules: Rules| {
        let indexer = Indexer::new(&rules).unwrap();
        (rules, indexer)
    };
    rules.map(Result::unwrap).map(indexed).into()
});

fuzz_target!(|text: &str| {
    for (rules, indexer) in GAMES.iter() {
        if let Ok(brain) = Brain::read(text, rules) {
            assert_eq!(Brain::read(&brain.to_string(), rules), Ok(brain.clone()));
            // In decisions with a choice, other ones for other texts.
            let place =
                text.bytes().fold(0, |place: u64, byte| place * 31 % (1 << 32) + u64::from(byte));
            let positions = (0..).map_while(|at| indexer.position((place + at) % indexer.len()));
            let decisions = positions
                .flat_map(|position| rules.rolls().iter().map(move |&(roll, _)| (position, roll)))
                .map(|(position, roll)| rules.decision(position, roll));
            for decision in decisions.filter(|decision| decision.moves().len() > 1).take(8) {
                assert_eq!(brain.policy(&decision).len(), decision.moves().len());
                assert!(decision.allows(brain.choose(&decision, 0.0)));
            }
        }
        if let Ok(model) = Linear::read(text, rules) {
            let again = Linear::read(&model.to_string(), rules).unwrap();
            assert_eq!(again.to_string(), model.to_string());
        }
    }
});
