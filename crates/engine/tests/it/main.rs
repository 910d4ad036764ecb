//! Laws of the agents.

mod brains;
mod levels;
mod matches;
mod pocket;
mod protocol;
mod race;
mod review;
mod search;
mod specs;

use puabi_core::{Agent, Decision, Indexer, Move, Position, Roll, RuleSet, Rules};
use puabi_engine::{Answer, Argmax, Greedy, move_values};
use puabi_solve::{Options, Solver, Unattended, Values};

pub(crate) fn solved(rules: &Rules) -> Values {
    let solver = Solver::new(rules, Options::default()).unwrap();
    solver.solve(&Unattended, &Unattended).unwrap().0
}

fn every_decision(rules: &Rules, mut check: impl FnMut(Position, Roll)) {
    let indexer = Indexer::new(rules).unwrap();
    for position in (0..indexer.len()).filter_map(|index| indexer.position(index)) {
        for &(roll, _) in rules.rolls() {
            check(position, roll);
        }
    }
}

/// Calls `check` with the decisions of positions that are spread evenly over the index of a game.
fn sample(rules: &Rules, count: u64, mut check: impl FnMut(&Decision<'_>)) {
    let indexer = Indexer::new(rules).unwrap();
    // Steps of the golden ratio.
    let spread = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % indexer.len();
    for i in 0..count {
        let position = indexer.position(spread(i)).unwrap();
        let (roll, _) = rules.rolls()[usize::try_from(i).unwrap() % rules.rolls().len()];
        check(&rules.decision(position, roll));
    }
}

fn greedy_move(position: &str, roll: u8) -> String {
    let rules = RuleSet::FINKEL.compile().unwrap();
    let position = rules.position(&position.parse().unwrap()).unwrap();
    let decision = rules.decision(position, Roll::new(roll));
    let policy = Greedy.policy(&decision);
    let at = policy.iter().position(|&chance| chance > 0.5).unwrap();
    decision.moves()[at].to_string()
}

#[test]
fn perfect_play_keeps_the_value_of_every_position() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let values = solved(&rules);
    let perfect = Argmax(values.clone());
    let indexer = values.indexer();
    for position in (0..indexer.len()).filter_map(|index| indexer.position(index)) {
        let mean: f64 = rules
            .rolls()
            .iter()
            .map(|&(roll, chance)| {
                let decision = rules.decision(position, roll);
                let moves = move_values(&decision, &values);
                let policy = perfect.policy(&decision);
                let value: f64 =
                    moves.iter().zip(&policy).map(|(it, share)| it.value * share).sum();
                chance * value
            })
            .sum();
        assert!((mean - values.value(position)).abs() < 1e-14);
    }
}

#[test]
fn greedy_captures_before_all() {
    assert_eq!(greedy_move("3,6:7:L", 1), "6-7");
}

#[test]
fn greedy_lands_on_a_rosette_rather_than_advance() {
    assert_eq!(greedy_move("3,10:-:L", 1), "3-4");
}

#[test]
fn greedy_moves_its_most_advanced_piece_otherwise() {
    assert_eq!(greedy_move("3,9:-:L", 2), "9-11");
    assert_eq!(greedy_move("3,14:-:L", 1), "3-4");
    assert_eq!(greedy_move("2,14:-:L", 1), "14-off");
}

#[test]
fn passes_are_played_where_nothing_can_move() {
    assert_eq!(greedy_move("3:-:L", 0), Move::Pass.to_string());
}

#[test]
fn an_answer_in_json_has_the_keys_that_programs_rely_on() {
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let position = rules.position(&"13:-:L".parse().unwrap()).unwrap();
    let asked = (position, puabi_core::Player::Light);
    let answer = Answer::new(&rules, asked, Some(Roll::new(2)), &solved(&rules));
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(
        json["rolls"],
        serde_json::json!([{"roll": 2, "chance": 0.375, "moves": [
            {"move": "13-off", "after": null, "capture": false, "again": false, "value": 1.0, "best": true},
        ]}])
    );
    assert_eq!((&json["rules"], &json["position"]), (&"finkel:1".into(), &"13:-:L2".into()));
}
