//! Races that are won with fewer than all pieces at home: every player, judge and learner knows when they are won.

use puabi_core::{Agent, Game, Move, Record, Roll, RuleSet, Rules};
use puabi_engine::{AgentSpec, Brain, DiceRng, Greedy, Linear, Model, Review, move_values};

use crate::solved;

fn race(rule_set: RuleSet, pieces: u8, goal: u8) -> Rules {
    RuleSet { name: "race".into(), pieces, goal: Some(goal), ..rule_set }.compile().unwrap()
}

/// Returns a game that an agent has played against itself.
fn played(rules: &Rules, agent: &dyn Agent, seed: u64) -> Game {
    let (mut game, mut thrower) = (Game::new(rules.clone()), DiceRng::new(seed));
    while !game.is_over() {
        let roll = thrower.throw(rules.rule_set().dice);
        let action = thrower.choose(&game.roll(roll).unwrap(), agent);
        game.play(action).unwrap();
    }
    game
}

#[test]
fn every_kind_of_agent_plays_until_the_goal_is_home() {
    for rules in [race(RuleSet::FINKEL, 5, 3), race(RuleSet::DMYTRO, 7, 5)] {
        for spec in ["random", "greedy", "last-move", "level:7", "pips", "expectimax:2@material"] {
            let agent = spec.parse::<AgentSpec>().unwrap().build(&rules, None).unwrap();
            let game = played(&rules, &*agent, 7);
            let (setup, winner) = (game.setup(), game.winner().unwrap());
            assert_eq!(setup.side(winner).score, rules.goal(), "{spec} {setup}");
            assert!(setup.side(winner.opponent()).score < rules.goal(), "{spec} {setup}");
        }
    }
}

#[test]
fn players_with_weights_bring_the_piece_home_that_wins() {
    let rules = race(RuleSet::FINKEL, 7, 5);
    let position = rules.position(&"3,4,14+4:5,8+4:L".parse().unwrap()).unwrap();
    let decision = rules.decision(position, Roll::new(1));
    let wins = decision.moves().iter().position(|it| matches!(it, Move::Score { .. })).unwrap();
    for agent in [&Brain::start(&rules) as &dyn Agent, &Linear::start(&rules)] {
        assert!(agent.policy(&decision)[wins] > 0.99);
    }
}

#[test]
fn luck_and_errors_account_for_the_result_of_a_race() {
    let rules = race(RuleSet::FINKEL, 3, 1);
    let values = solved(&rules);
    for seed in 0..10 {
        let record = Record::new(played(&rules, &Greedy, seed));
        let review = Review::new(&record, &values);
        let balance: f64 =
            review.plies.iter().map(|ply| ply.light_luck() - ply.light_error()).sum();
        assert!((review.result - review.start - balance).abs() < 1e-12);
        let last = review.plies.last().unwrap();
        assert_eq!(last.value.to_bits(), 1.0_f64.to_bits());
    }
}

#[test]
fn a_piece_that_wins_a_race_is_worth_a_won_game() {
    let rules = race(RuleSet::FINKEL, 3, 1);
    let values = solved(&rules);
    let position = rules.position(&"3,14:13:L".parse().unwrap()).unwrap();
    let moves = move_values(&rules.decision(position, Roll::new(1)), &values);
    let home = moves.iter().find(|it| matches!(it.action, Move::Score { .. })).unwrap();
    assert_eq!(home.value.to_bits(), 1.0_f64.to_bits());
    assert!(moves.iter().filter(|it| it.action != home.action).all(|it| it.value < 1.0));
}
