//! The pruned search and the plain one.

use puabi_core::{Agent, Evaluator, Position, Roll, RuleSet, Rules};
use puabi_engine::{AgentSpec, BoxedAgent, Expectimax, Likely, Material, Pips, move_values};

use crate::{sample, solved};

fn built(name: &str, rules: &Rules) -> BoxedAgent<'static> {
    name.parse::<AgentSpec>().unwrap().build(rules, None).unwrap()
}

fn agree<E: Evaluator + Clone>(rules: &Rules, leaf: E, depth: u8, count: u64) {
    let (pruned, plain) =
        (Expectimax { depth, leaf: leaf.clone() }, Likely { depth, least: 0.0, leaf });
    sample(rules, count, |decision| {
        let (found, expected) = (pruned.choose(decision, 0.0), plain.choose(decision, 0.0));
        assert_eq!(found, expected, "{:?} {}", decision.position(), decision.roll());
    });
}

/// Judges by a hash of the position: values that no rule of thumb foresees.
#[derive(Debug, Clone, Copy)]
struct Noise;

impl Evaluator for Noise {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (position, value) in positions.iter().zip(values) {
            let (mine, theirs) = (position.mine(), position.theirs());
            let sides = u64::from(mine.squares().bits()) << 32 | u64::from(theirs.squares().bits());
            let scores = u64::from(mine.score()) << 5 | u64::from(theirs.score());
            let hash = (sides ^ scores).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            *value = (hash >> 11) as f64 / (1_u64 << 53) as f64;
        }
    }
}

#[test]
fn pruned_search_plays_the_move_of_plain_search_on_10_000_positions() {
    let rules = RuleSet::FINKEL.compile().unwrap();
    agree(&rules, Pips::new(&rules), 3, 10_000);
}

#[test]
fn pruned_search_agrees_for_other_rules_leaves_and_depths() {
    for preset in [RuleSet::BLITZ, RuleSet::MASTERS, RuleSet::SKIRIUK_PATH] {
        let rules = preset.compile().unwrap();
        agree(&rules, Noise, 3, 500);
        agree(&rules, Material::new(&rules), 2, 2_000);
    }
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    agree(&rules, Noise, 4, 300);
    agree(&rules, Noise, 1, 2_000);
}

#[test]
fn pruned_search_agrees_where_many_moves_are_worth_the_same() {
    let few = |pieces| RuleSet::FINKEL.with_pieces(pieces).compile().unwrap();
    agree(&few(2), Pips::new(&few(2)), 4, 3_000);
    agree(&few(2), Pips::new(&few(2)), 5, 400);
    agree(&few(3), Material::new(&few(3)), 4, 1_000);
    // These decisions were once wrong, because rounding had brought bounds inside a window.
    let rules = few(2);
    let (leaf, depth) = (Pips::new(&rules), 5);
    let pruned = Expectimax { depth, leaf: leaf.clone() };
    let plain = Likely { depth, least: 0.0, leaf };
    for (position, roll) in [("4,13:-:L", 2), ("-:5,13:D", 2), ("7,13:10+1:L", 1)] {
        let position = rules.position(&position.parse().unwrap()).unwrap();
        let decision = rules.decision(position, Roll::new(roll));
        assert_eq!(pruned.choose(&decision, 0.0), plain.choose(&decision, 0.0));
    }
}

#[test]
fn a_search_over_exact_values_plays_perfectly_at_any_depth() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let values = solved(&rules);
    for depth in 1..=3 {
        let agent = Expectimax { depth, leaf: &values };
        sample(&rules, 500, |decision| {
            let moves = move_values(decision, &values);
            let best = moves.iter().map(|it| it.value).fold(0.0, f64::max);
            let action = agent.choose(decision, 0.0);
            let chosen = moves.iter().find(|it| it.action == action).unwrap();
            assert!(chosen.value > best - 1e-12);
        });
    }
}

#[test]
fn a_search_that_finds_every_line_too_unlikely_looks_one_move_ahead() {
    let rules = RuleSet::FINKEL.compile().unwrap();
    let leaf = Pips::new(&rules);
    let (near, far) = (
        Likely { depth: 1, least: 0.0, leaf: leaf.clone() },
        Likely { depth: 3, least: 1.1, leaf },
    );
    sample(&rules, 1_000, |decision| {
        assert_eq!(near.choose(decision, 0.0), far.choose(decision, 0.0));
    });
}

#[test]
fn pips_is_a_search_one_move_ahead() {
    for preset in RuleSet::PRESETS {
        let rules = preset.with_pieces(3).compile().unwrap();
        let [one, other] = ["pips", "expectimax:1"].map(|name| built(name, &rules));
        sample(&rules, 2_000, |decision| {
            assert_eq!(one.choose(decision, 0.0), other.choose(decision, 0.0), "{decision:?}");
        });
    }
}

/// Without captures all moves give the same lead in the race.
#[test]
fn equal_moves_are_chosen_by_their_appeal() {
    let rules = RuleSet::FINKEL.compile().unwrap();
    for (position, roll, expected) in [
        ("2,5:-:L", 2, "2-4"),
        ("1,6:-:L", 2, "6-8"),
        ("7,11:-:L", 2, "11-13"),
        ("5,9:-:L", 2, "0-2"),
        ("5,9:11:L", 2, "9-11"),
    ] {
        let position = rules.position(&position.parse().unwrap()).unwrap();
        for agent in ["pips", "expectimax:1", "likely:1/0"] {
            let decision = rules.decision(position, Roll::new(roll));
            assert_eq!(
                built(agent, &rules).choose(&decision, 0.0).to_string(),
                expected,
                "{agent}"
            );
        }
    }
}
