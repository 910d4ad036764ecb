//! Games whose rules give the first roll: what they are worth to the player who begins.

use puabi_core::{Agent, Decision, Player, Policy, Roll, RuleSet};
use puabi_solve::{GameLength, Options, Seat, Solver, Unattended, WinChance};

use crate::solved::Solved;

const FIRST: Roll = Roll::new(1);

fn games() -> [RuleSet; 2] {
    [RuleSet::FINKEL.with_pieces(2), RuleSet::SKIRIUK.with_pieces(1)].map(|rule_set| RuleSet {
        name: "given".into(),
        first_roll: Some(FIRST),
        ..rule_set
    })
}

/// Returns the value of the best move of the first roll.
fn after_the_roll(solved: &Solved) -> f64 {
    let decision = solved.rules.decision(solved.rules.start(), FIRST);
    let worths = decision.afterstates().map(|(_, after)| after.value(|it| solved.values.value(it)));
    worths.fold(0.0, f64::max)
}

#[test]
fn who_begins_wins_as_often_as_after_the_roll_that_is_given() {
    for rule_set in games() {
        let solved = Solved::new(&rule_set);
        assert_eq!(solved.report.start_value.to_bits(), after_the_roll(&solved).to_bits());
        let thrown = Solved::new(&RuleSet { first_roll: None, ..rule_set });
        assert!((solved.report.start_value - thrown.report.start_value).abs() > 1e-3);
        // The roll is given in the first turn of a game only; the values of positions are the same without it.
        for position in solved.positions() {
            let values = [&solved, &thrown].map(|it| it.values.value(position).to_bits());
            assert_eq!(values[0], values[1], "{position:?}");
        }
    }
}

/// Plays the move of the least advanced piece as often as all others together.
struct Rear;

impl Agent for Rear {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let others = decision.moves().len() - 1;
        let rest = if others == 0 { 0.0 } else { 0.5 / others as f64 };
        (0..=others).map(|at| if at > 0 { rest } else { 1.0 - rest * others as f64 }).collect()
    }
}

#[test]
fn contests_begin_with_the_roll_that_is_given() {
    for rule_set in games() {
        let solved = Solved::new(&rule_set);
        let contest = Solver::new(&solved.rules, Options::default()).unwrap();
        let best = contest.evaluate([Seat::Best; 2], &WinChance, &Unattended).unwrap().outcome;
        let start = solved.report.start_value;
        assert!((best.light_first - start).abs() < 1e-12, "{best:?} {start}");
        assert!((best.dark_first - (1.0 - start)).abs() < 1e-12, "{best:?} {start}");
        let rules = &solved.rules;
        let seats = [Seat::Plays(&Rear), Seat::Plays(&Rear)];
        let rolls = contest.evaluate(seats, &GameLength, &Unattended).unwrap();
        let after = rules.decision(rules.start(), FIRST).afterstates().next().unwrap().1;
        let next = if after.rolls_again() { Player::Light } else { Player::Dark };
        let expected = 1.0 + rolls.rolled_by(next).value(after.position().unwrap());
        assert!((rolls.outcome.light_first - expected).abs() < 1e-9, "{rolls:?}");
        let ([met], _) = contest.meet([&Rear, &Rear], [&GameLength], &Unattended).unwrap();
        assert!((met.light_first - expected).abs() < 1e-9, "{met:?}");
    }
}
