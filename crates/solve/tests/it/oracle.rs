//! Golden data: the values of an independent solver, for positions and for every move in them.

use std::collections::BTreeMap;
use std::fs;

use puabi_core::{Path, Position, Roll, Route, RuleSet};
use serde::Deserialize;

use crate::solved::Solved;

/// The golden values are right to about 1e-15, ours too.
const CLOSE: f64 = 1e-12;

#[derive(Deserialize)]
struct Header {
    variant: String,
    rules: OracleRules,
    start_value: f64,
}

#[derive(Deserialize)]
struct OracleRules {
    path: String,
    pieces: u8,
    dice: String,
    safe_rosettes: bool,
    rosettes_grant_rolls: bool,
    captures_grant_rolls: bool,
}

#[derive(Deserialize)]
struct Entry {
    position: String,
    value: f64,
    #[serde(default)]
    rolls: BTreeMap<u8, Vec<OracleMove>>,
}

#[derive(Deserialize)]
struct OracleMove {
    value: f64,
}

impl Header {
    fn rule_set(&self) -> RuleSet {
        RuleSet {
            name: self.variant.clone().into(),
            path: Path::Named(Route::named(&self.rules.path).unwrap()),
            dice: self.rules.dice.parse().unwrap(),
            pieces: self.rules.pieces,
            safe_rosettes: self.rules.safe_rosettes,
            rosettes_grant_rolls: self.rules.rosettes_grant_rolls,
            captures_grant_rolls: self.rules.captures_grant_rolls,
            ..RuleSet::FINKEL
        }
    }
}

/// What was compared in a file.
#[derive(Default)]
struct Tally {
    positions: usize,
    moves: usize,
}

fn check_moves(solved: &Solved, position: Position, roll: u8, moves: &[OracleMove]) {
    let decision = solved.rules.decision(position, Roll::new(roll));
    assert_eq!(decision.moves().len(), moves.len(), "{position:?} {roll}");
    // Both list moves ascending by the square they leave.
    for ((action, after), expected) in decision.afterstates().zip(moves) {
        let found = after.value(|next| solved.values.value(next));
        let expected = expected.value;
        assert!(
            (found - expected).abs() <= CLOSE,
            "{position:?} {roll} {action}: {found} {expected}"
        );
    }
}

fn check_file(text: &str) -> Tally {
    let mut lines = text.lines();
    let header: Header = serde_json::from_str(lines.next().unwrap()).unwrap();
    let solved = Solved::new(&header.rule_set());
    let start = solved.report.start_value;
    assert!((start - header.start_value).abs() <= CLOSE, "{}: {start}", header.variant);
    let mut tally = Tally::default();
    for line in lines {
        let entry: Entry = serde_json::from_str(line).unwrap();
        let position = solved.rules.position(&entry.position.parse().unwrap()).unwrap();
        let found = solved.values.value(position);
        let name = format!("{} {}", header.variant, entry.position);
        assert!((found - entry.value).abs() <= CLOSE, "{name}: {found} {}", entry.value);
        for (&roll, moves) in &entry.rolls {
            check_moves(&solved, position, roll, moves);
            tally.moves += moves.len();
        }
        tally.positions += 1;
    }
    tally
}

#[test]
fn every_position_and_every_move_is_worth_what_an_independent_solver_found() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/oracle");
    let mut tallies = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        tallies.push(check_file(&fs::read_to_string(file.unwrap().path()).unwrap()));
    }
    assert_eq!(tallies.len(), 15);
    // 201 positions a file; 60 of them with 4 or 5 rolls of at least one move each.
    assert!(tallies.iter().all(|tally| tally.positions == 201 && tally.moves >= 60 * 4));
}
