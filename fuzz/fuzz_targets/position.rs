//! Position texts: what reads is written the same, and every position that obeys the rules has an index and moves.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puabi_core::{Indexer, RuleSet, Rules, Setup};

static GAMES: LazyLock<Vec<(Rules, Indexer)>> = LazyLock::new(|| {
    let names = ["finkel", "blitz:3", "masters", "aseb:15", "murray", "skiriuk-path:1", "skiriuk", "dmytro:4"];
    let game = |name: &str| {
        let rules = name.parse::<RuleSet>().unwrap().compile().unwrap();
        let indexer = Indexer::new(&rules).unwrap();
        (rules, indexer)
    };
    names.map(game).into()
});

fuzz_target!(|text: &str| {
    let Ok(setup) = text.parse::<Setup>() else { return };
    assert_eq!(setup.to_string(), text);
    for (rules, indexer) in GAMES.iter() {
        let Ok(position) = rules.position(&setup) else { continue };
        assert_eq!(indexer.position(indexer.rank(position)), Some(position));
        assert_eq!(rules.position(&rules.setup(position, setup.turn)), Ok(position));
        for &(roll, _) in rules.rolls() {
            assert!(rules.decision(position, roll).afterstates().count() > 0);
        }
    }
});
