//! Response files: damage is found.

use std::fs;

use puabi_core::{Agent, Decision, Policy, RuleSet, Rules};
use puabi_solve::{Evaluation, Options, Seat, Solver, Unattended, WinChance};
use puabi_tables::Response;

use crate::table::overwrite;

/// Plays every legal move equally often.
struct Even;

impl Agent for Even {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        moves.iter().map(|_| 1.0 / moves.len() as f64).collect()
    }
}

fn finkel() -> Rules {
    RuleSet::FINKEL.with_pieces(1).compile().unwrap()
}

/// Returns the best response to [`Even`].
fn even() -> (Rules, Evaluation) {
    let rules = finkel();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let seats = [Seat::Best, Seat::Plays(&Even)];
    let found = solver.evaluate(seats, &WinChance, &Unattended).unwrap();
    (rules, found)
}

#[test]
fn a_response_has_the_bytes_that_the_format_describes() {
    let (rules, found) = even();
    let json = serde_json::json!({
        "rules": rules.rule_set().to_toml(),
        "against": "even",
        "positions": found.report.positions,
        "residual": found.report.residual,
    });
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("even.urr");
    let values: Vec<f64> =
        found.values.iter().flat_map(|it| it.chunks().flatten()).copied().collect();
    let hash = Response::new(rules, "even", found).write(&path).unwrap();
    let file = std::fs::read(&path).unwrap();
    assert_eq!(file[..12], *b"\x89URR\r\n\x1a\n\x01\0\0\0");
    let (front, rest) =
        file.split_at(16 + u32::from_le_bytes(*file[12..].first_chunk().unwrap()) as usize);
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&front[16..]).unwrap(), json);
    let (body, end) = file.split_last_chunk::<32>().unwrap();
    assert_eq!((blake3::hash(body), hash.as_bytes()), (hash, end));
    let bytes = values.iter().flat_map(|value| value.clamp(0.0, 1.0).to_le_bytes());
    assert_eq!(rest[..rest.len() - 32], bytes.collect::<Vec<_>>());
}

#[test]
fn a_damaged_response_is_refused() {
    let (rules, found) = even();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("even.urr");
    Response::new(rules, "even", found).write(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(Response::read(&path).unwrap().against(), "even");
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        overwrite(&path, &bytes);
        assert!(Response::read(&path).is_err(), "byte {at}");
    }
    let mut long = whole.clone();
    long[12..16].copy_from_slice(&(1_u32 << 20).to_le_bytes());
    overwrite(&path, &long);
    let error = Response::read(&path).unwrap_err();
    assert!(error.to_string().contains("expected 524288 at most"), "{error}");
    for length in [0, 8, 20, whole.len() - 1] {
        overwrite(&path, &whole[..length]);
        assert!(Response::read(&path).is_err(), "{length} bytes");
    }
}

#[test]
fn errors_of_a_response_speak_of_it_and_of_no_other_file() {
    let (rules, found) = even();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("even.urr");
    Response::new(rules, "even", found.clone()).write(&path).unwrap();
    // Impossible rules, with a hash that is right.
    let mut file = fs::read(&path).unwrap();
    let at = file.windows(10).position(|it| it == b"pieces = 1").unwrap();
    file[at + 9] = b'0';
    let end = file.len() - 32;
    let hash = blake3::hash(&file[..end]);
    file[end..].copy_from_slice(hash.as_bytes());
    overwrite(&path, &file);
    let (no_rules, none) = (Response::read(&path), Response::read(&directory.path().join("none")));
    let long = Response::new(finkel(), "a".repeat(1 << 19), found.clone()).write(&path).map(drop);
    let lost = Response::new(finkel(), "even", found).write(&directory.path().join("no/even.urr"));
    for error in [no_rules.err(), none.err(), long.err(), lost.err()] {
        let error = error.unwrap();
        let source = std::error::Error::source(&error).map(ToString::to_string);
        let said = format!("{error}: {}", source.unwrap_or_default());
        assert!(said.contains("response") && !said.contains("table"), "{said}");
        assert!(!said.contains(".tmp"), "{said}");
    }
}
