//! Golden data: the moves of an independent implementation in thousands of positions.

use std::collections::BTreeMap;
use std::fs;

use puabi_core::{Move, Path, Roll, Route, RuleSet, Rules};
use serde::Deserialize;

#[derive(Deserialize)]
struct Header {
    variant: String,
    rules: OracleRules,
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
    #[serde(default)]
    rolls: BTreeMap<u8, Vec<OracleMove>>,
}

/// A move, or a pass if it has no squares.
#[derive(Deserialize)]
struct OracleMove {
    from: Option<u8>,
    to: Option<u8>,
    #[serde(default)]
    capture: bool,
    #[serde(default)]
    again: bool,
}

impl Header {
    fn rules(&self) -> Rules {
        let rule_set = RuleSet {
            name: self.variant.clone().into(),
            path: Path::Named(Route::named(&self.rules.path).unwrap()),
            dice: self.rules.dice.parse().unwrap(),
            pieces: self.rules.pieces,
            safe_rosettes: self.rules.safe_rosettes,
            rosettes_grant_rolls: self.rules.rosettes_grant_rolls,
            captures_grant_rolls: self.rules.captures_grant_rolls,
            ..RuleSet::FINKEL
        };
        rule_set.compile().unwrap()
    }
}

/// The squares of a move as the golden data write them, whether it captures and whether the mover rolls again.
type Facts = (Option<u8>, Option<u8>, bool, bool);

fn facts(rules: &Rules, position: &str, roll: u8) -> Vec<Facts> {
    let position = rules.position(&position.parse().unwrap()).unwrap();
    let decision = rules.decision(position, Roll::new(roll));
    let facts = decision.afterstates().map(|(action, after)| {
        let number = |square: puabi_core::Square| square.number();
        let (from, to) = match action {
            Move::Pass => (None, None),
            Move::Enter { to } => (Some(0), Some(number(to))),
            Move::Advance { from, to } => (Some(number(from)), Some(number(to))),
            Move::Score { from } => (Some(number(from)), Some(rules.length() + 1)),
        };
        (from, to, decision.captures(action).is_some(), after.rolls_again())
    });
    facts.collect()
}

#[test]
fn moves_captures_and_extra_rolls_are_those_of_an_independent_implementation() {
    let (mut files, mut rolls_checked) = (0, 0);
    for file in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/oracle")).unwrap()
    {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let mut lines = text.lines();
        let header: Header = serde_json::from_str(lines.next().unwrap()).unwrap();
        let rules = header.rules();
        for line in lines {
            let entry: Entry = serde_json::from_str(line).unwrap();
            rules.position(&entry.position.parse().unwrap()).unwrap();
            for (&roll, moves) in &entry.rolls {
                let expected: Vec<Facts> =
                    moves.iter().map(|m| (m.from, m.to, m.capture, m.again)).collect();
                let found = facts(&rules, &entry.position, roll);
                assert_eq!(found, expected, "{} {}{roll}", header.variant, entry.position);
                rolls_checked += 1;
            }
        }
        files += 1;
    }
    assert_eq!(files, 15);
    // 60 positions a file, with 4 or 5 rolls each.
    assert!(rolls_checked >= 15 * 60 * 4, "{rolls_checked}");
}
