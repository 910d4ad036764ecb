//! The command as users meet it: sessions with their output, exit codes, pipes and JSON.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn ur(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ur"));
    command.env("UR_DATA_DIR", data).env_remove("CLICOLOR_FORCE");
    command
}

fn output(data: &Path, args: &str) -> Output {
    ur(data).args(args.split(' ')).stdin(Stdio::null()).output().unwrap()
}

fn json(data: &Path, args: &str) -> Value {
    let output = output(data, args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Runs `ur` with `typed` on stdin and returns what it writes.
fn play(data: &Path, args: &str, typed: &str) -> String {
    let mut command = ur(data);
    command.args(args.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn sessions_read_as_written_down() {
    let data = tempfile::tempdir().unwrap();
    for rules in ["finkel:1", "finkel:2"] {
        assert!(output(data.path(), &format!("solve {rules}")).status.success());
    }
    let cases = trycmd::TestCases::new();
    cases.env("UR_DATA_DIR", data.path().to_str().unwrap()).env("COLUMNS", "100");
    cases.insert_var("[DATA]", data.path().display().to_string()).unwrap();
    cases.case("tests/cmd/*.trycmd").case("tests/cmd/*.toml").case("../../README.md");
}

#[test]
fn a_solve_in_json_has_the_keys_that_programs_rely_on() {
    let data = tempfile::tempdir().unwrap();
    let report = json(data.path(), "solve finkel:1 --threads 1 --json");
    let expected = [
        "cpu_seconds",
        "dead_positions",
        "hash",
        "layers",
        "peak_bytes",
        "positions",
        "residual",
        "rules",
        "seconds",
        "start_value",
        "sublayers",
        "sweeps_max",
        "table",
        "threads",
    ];
    assert_eq!(keys(&report), expected);
    assert_eq!((&report["positions"], &report["threads"]), (&217.into(), &1.into()));
    assert!(Path::new(report["table"].as_str().unwrap()).is_file());
}

#[test]
fn numbers_in_json_read_back_equal() {
    let data = tempfile::tempdir().unwrap();
    let solved = json(data.path(), "solve finkel:1 --json");
    let answer = json(data.path(), "value finkel:1 -:-:L --json");
    assert_eq!(solved["start_value"].as_f64(), answer["value"].as_f64());
    assert_eq!(keys(&answer), ["position", "rolls", "rules", "value"]);
}

#[test]
fn a_table_is_the_same_however_many_threads_solve() {
    let data = tempfile::tempdir().unwrap();
    let hash = |threads| {
        let args = format!("solve finkel:2 --force --json --threads {threads}");
        json(data.path(), &args)["hash"].as_str().unwrap().to_owned()
    };
    assert_eq!(hash(1), hash(3));
}

#[test]
fn a_damaged_table_does_not_hold() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("one.urt");
    let file = path.to_str().unwrap();
    assert!(output(data.path(), &format!("solve finkel:1 --out {file}")).status.success());
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let verified = output(data.path(), &format!("table verify {file}"));
    assert_eq!(verified.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&verified.stdout).contains("does not hold"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let data = tempfile::tempdir().unwrap();
    let mut command = ur(data.path());
    command.args(["play", "finkel", "--light", "random", "--dark", "random", "--seed", "1"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""));
}

#[test]
fn a_game_that_was_left_goes_on_with_the_same_dice() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("game.urg");
    let file = file.to_str().unwrap();
    let begin = "play finkel:1 --light human --dark human --seed 11";
    // Enter rolls and plays the only move of a player with one piece.
    let whole = play(data.path(), begin, &"\n".repeat(500));
    play(data.path(), &format!("{begin} --save {file}"), "\n\n\n");
    let rest = play(data.path(), &format!("play --resume {file}"), &"\n".repeat(500));
    assert!(whole.contains(" wins, 1 to 0, after "));
    let ending = |text: &str| text.lines().rev().nth(1).unwrap().to_owned();
    assert_eq!(ending(&whole), ending(&rest));
}

#[test]
fn bots_of_one_seed_play_one_game() {
    let data = tempfile::tempdir().unwrap();
    let record = |name: &str| {
        let file = data.path().join(name);
        let args =
            format!("play finkel --light random --dark greedy --seed 5 --save {}", file.display());
        assert!(output(data.path(), &args).status.success());
        std::fs::read_to_string(file).unwrap()
    };
    assert_eq!(record("first.urg"), record("second.urg"));
}

#[test]
fn no_line_is_wider_than_a_console() {
    let data = tempfile::tempdir().unwrap();
    for rules in ["finkel", "blitz", "masters", "masters-4d", "aseb", "murray", "skiriuk-path"] {
        let shown = output(data.path(), &format!("rules show {rules}"));
        let text = String::from_utf8(shown.stdout).unwrap();
        for line in
            text.lines().filter(|line| !line.starts_with("light") && !line.starts_with("dark"))
        {
            assert!(line.chars().count() <= 80, "{rules}: {line}");
        }
    }
}
