//! Response files: damage is found.

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

/// Returns the best response to [`Even`].
fn even() -> (Rules, Evaluation) {
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
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
    for length in [0, 8, 20, whole.len() - 1] {
        overwrite(&path, &whole[..length]);
        assert!(Response::read(&path).is_err(), "{length} bytes");
    }
}
