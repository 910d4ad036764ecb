//! Races to fewer than all pieces home, solved by either engine.

use std::collections::HashMap;

use puabi_core::{Position, RuleSet, Rules};
use puabi_solve::{InstructionSet, Options, Seat, Solver, Unattended, WinChance};

use crate::solved::Solved;

fn race(rule_set: RuleSet, pieces: u8, goal: u8) -> RuleSet {
    RuleSet { name: "race".into(), pieces, goal: Some(goal), ..rule_set }
}

/// Returns a game of four squares and throws of up to four: pieces may overshoot from squares that no other player crosses.
fn short() -> RuleSet {
    let text = "name = \"Short\"\ndice = \"4d\"\npieces = 3\nexact_exit = false\n[path]\n\
                board = [\"...\", \".  \", \"...\"]\nlight = \"A3 A2 A1 B1\"";
    RuleSet::from_toml(text).unwrap()
}

/// Races for the dense engine, and for the general one: with stacks, and with longer rolls that bring the winning piece home.
fn races() -> Vec<RuleSet> {
    let loose = |rule_set| RuleSet { exact_exit: false, ..rule_set };
    vec![
        race(RuleSet::FINKEL, 2, 1),
        race(RuleSet::BLITZ, 2, 1),
        race(RuleSet::DMYTRO, 2, 1),
        race(RuleSet::SKIRIUK, 2, 1),
        race(loose(RuleSet::FINKEL), 2, 1),
        race(loose(RuleSet::SKIRIUK), 2, 1),
        race(short(), 3, 1),
        race(short(), 3, 2),
    ]
}

/// What a move leads to: the end, or the place of a position and whether the mover still rolls.
type Lead = Option<(usize, bool)>;

/// The values of all positions that play can reach, computed from the rules alone.
#[derive(Default)]
struct Plain {
    places: HashMap<Position, usize>,
    positions: Vec<Position>,
    /// By position and roll: the chance, and what each move leads to.
    rolls: Vec<Vec<(f64, Vec<Lead>)>>,
    values: Vec<f64>,
}

impl Plain {
    fn new(rules: &Rules) -> Self {
        let mut plain = Self::default();
        plain.place(rules.start());
        while let Some(&position) = plain.positions.get(plain.rolls.len()) {
            let rolls = rules.rolls().iter().map(|&(roll, chance)| {
                let decision = rules.decision(position, roll);
                let leads = decision.afterstates().map(|(_, after)| {
                    after.position().map(|next| (plain.place(next), after.rolls_again()))
                });
                (chance, leads.collect())
            });
            let rolls = rolls.collect();
            plain.rolls.push(rolls);
        }
        plain.values = vec![0.5; plain.positions.len()];
        while plain.sweep() > 1e-15 {}
        plain
    }

    fn place(&mut self, position: Position) -> usize {
        let place = *self.places.entry(position).or_insert(self.positions.len());
        if place == self.positions.len() {
            self.positions.push(position);
        }
        place
    }

    /// Backs up every value, the last ones found first; returns the largest change.
    fn sweep(&mut self) -> f64 {
        let mut change = 0.0;
        for at in (0..self.values.len()).rev() {
            let worth = |lead: &Lead| match *lead {
                None => 1.0,
                Some((next, true)) => self.values[next],
                Some((next, false)) => 1.0 - self.values[next],
            };
            let best = |leads: &[Lead]| leads.iter().map(worth).fold(0.0, f64::max);
            let backup: f64 = self.rolls[at].iter().map(|(chance, it)| chance * best(it)).sum();
            change = f64::max(change, (backup - self.values[at]).abs());
            self.values[at] = backup;
        }
        change
    }
}

#[test]
fn every_value_is_that_of_plain_iteration_over_the_rules() {
    for rule_set in races().into_iter().chain([race(RuleSet::FINKEL, 3, 2)]) {
        let solved = Solved::new(&rule_set);
        let plain = Plain::new(&solved.rules);
        for (&position, expected) in plain.positions.iter().zip(&plain.values) {
            let found = solved.values.value(position);
            assert!((found - expected).abs() < 1e-12, "{rule_set:?} {position:?}: {found}");
        }
        assert!(solved.report.residual <= 4.5e-16, "{rule_set:?}: {:e}", solved.report.residual);
    }
}

#[test]
fn every_value_is_that_of_a_contest_between_two_best_players() {
    for rule_set in races() {
        let solved = Solved::new(&rule_set);
        let contest = Solver::new(&solved.rules, Options::default()).unwrap();
        let best = contest.evaluate([Seat::Best; 2], &WinChance, &Unattended).unwrap();
        for position in solved.positions() {
            let (found, expected) = (best.values[0].value(position), solved.values.value(position));
            assert!((found - expected).abs() < 1e-12, "{rule_set:?} {position:?}: {found}");
        }
    }
}

#[test]
fn a_race_for_all_pieces_has_the_bits_of_the_game_itself() {
    let bits = |rule_set: &RuleSet| {
        let solved = Solved::new(rule_set);
        let values = solved.values.chunks().flatten().map(|value| value.to_bits());
        (values.collect::<Vec<_>>(), solved.report)
    };
    let whole = RuleSet::FINKEL.with_pieces(2);
    assert!(bits(&RuleSet { goal: Some(2), ..whole.clone() }) == bits(&whole));
}

#[test]
fn a_race_has_the_same_bits_for_any_threads_and_instructions() {
    for rule_set in [race(RuleSet::FINKEL, 2, 1), race(RuleSet::DMYTRO, 2, 1)] {
        let bits = |threads, instructions| {
            let options = Options { threads, instructions, ..Options::default() };
            let values = Solved::with(&rule_set, options).values;
            values.chunks().flatten().map(|value| value.to_bits()).collect::<Vec<_>>()
        };
        let expected = bits(1, InstructionSet::Portable);
        assert!(bits(2, InstructionSet::best()) == expected, "{rule_set:?}");
        assert!(bits(7, InstructionSet::Portable) == expected, "{rule_set:?}");
    }
}

#[test]
fn fewer_pieces_to_bring_home_leave_more_to_the_first_roll() {
    let edges = [2, 1].map(|goal| {
        let solved = Solved::new(&race(RuleSet::FINKEL, 2, goal));
        solved.report.start_value - 0.5
    });
    assert!(edges.is_sorted() && edges[0] > 0.0, "{edges:?}");
}
