//! The trained players that come with the program.

use puabi_core::{Agent, RuleSet, Rules};
use puabi_engine::{Brain, Greedy, Linear, Model};
use puabi_study::Samples;

use crate::solved;

/// Checks that a trained player has less regret than the greedy one and than the start of its learning, over every decision of
/// two pieces.
fn is_better(rules: &Rules, trained: &(impl Agent + Sync), start: &(impl Agent + Sync)) {
    let samples = Samples::all(rules, &solved(rules)).unwrap();
    let regret = samples.regret(trained);
    assert!(regret < samples.regret(&Greedy), "{}", rules.rule_set());
    assert!(regret < samples.regret(start), "{}", rules.rule_set());
}

#[test]
fn every_preset_has_a_trained_player_that_beats_greedy_and_what_it_started_from() {
    for preset in RuleSet::PRESETS {
        let rules = preset.with_pieces(2).compile().unwrap();
        match (Brain::shipped(&rules), Linear::shipped(&rules)) {
            (Some(brain), None) => is_better(&rules, &brain, &Brain::start(&rules)),
            (None, Some(model)) => is_better(&rules, &model, &Linear::start(&rules)),
            found => panic!("{}: {found:?}", rules.rule_set()),
        }
    }
}
