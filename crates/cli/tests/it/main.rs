//! The command as users meet it: sessions with their output, exit codes, pipes and JSON.

mod completions;
mod engine;
mod keeping;
mod mcp;
mod odd;
mod options;
mod others;
mod serve;
mod spilling;
mod training;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn ur(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ur"));
    command.env("UR_DATA_DIR", data).env("UR_LANGUAGE", "en").env_remove("CLICOLOR_FORCE");
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
    let cases = sessions(data.path());
    cases.case("tests/cmd/*.trycmd").case("tests/cmd/*.toml").case("../../README.md");
    // Its output has the numbers of games, so it needs an archive of its own.
    cases.skip("tests/cmd/games.trycmd");
}

#[test]
fn sessions_with_the_archive_read_as_written_down() {
    let data = tempfile::tempdir().unwrap();
    sessions(data.path()).case("tests/cmd/games.trycmd");
}

fn sessions(data: &Path) -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases.env("UR_DATA_DIR", data.to_str().unwrap()).env("COLUMNS", "100");
    cases.env("UR_LANGUAGE", "en");
    cases.insert_var("[DATA]", data.display().to_string()).unwrap();
    cases
}

#[test]
fn the_language_is_that_of_the_option_or_of_the_environment() {
    let data = tempfile::tempdir().unwrap();
    let first = |args: &str, environment: [(&str, &str); 3]| {
        let mut command = ur(data.path());
        command.args(args.split(' ')).stdin(Stdio::null()).envs(environment);
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        output.lines().next().unwrap_or_default().to_owned()
    };
    let show = "rules show finkel:1";
    let german = [("UR_LANGUAGE", ""), ("LC_ALL", ""), ("LC_MESSAGES", "de_CH.UTF-8")];
    assert_eq!(first(show, german), "finkel:1, Weg von Hell:");
    let english = [("UR_LANGUAGE", ""), ("LC_ALL", "C.UTF-8"), ("LC_MESSAGES", "de_CH.UTF-8")];
    assert_eq!(first(show, english), "finkel:1, light's path:");
    let arabic = [("UR_LANGUAGE", "ar"), ("LC_ALL", "C.UTF-8"), ("LC_MESSAGES", "de_CH.UTF-8")];
    assert!(first(show, arabic).ends_with("مسار الفاتح:"));
    assert_eq!(first(&format!("{show} --language de"), arabic), "finkel:1, Weg von Hell:");
    let arabic_help = first("help positions", arabic);
    assert_eq!(arabic_help, first("help positions", english), "help is English");
}

#[test]
fn a_solve_in_json_has_the_keys_that_programs_rely_on() {
    let data = tempfile::tempdir().unwrap();
    let report = json(data.path(), "solve finkel:1 --threads 1 --json");
    let expected = [
        "bounds",
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
fn a_plan_in_json_has_the_keys_that_programs_rely_on() {
    let data = tempfile::tempdir().unwrap();
    let plan = json(data.path(), "solve skiriuk --plan --threads 1 --json");
    let expected = [
        "can_be_solved",
        "cpu_seconds",
        "disk",
        "disk_free",
        "disk_reads",
        "disk_taken",
        "disk_writes",
        "largest_sublayer",
        "layers",
        "memory",
        "memory_limit",
        "positions",
        "rules",
        "seconds",
        "sublayers",
        "sweep_reads",
        "sweep_writes",
        "table",
        "table_bytes",
        "threads",
        "values_on_disk",
    ];
    assert_eq!(keys(&plan), expected);
    assert_eq!(plan["rules"].as_str(), Some("skiriuk"));
    assert_eq!(plan["positions"].as_u64(), Some(1_072_022_880_769));
    assert!(
        !Path::new(plan["table"].as_str().unwrap()).parent().unwrap().exists(),
        "nothing is made"
    );
}

#[test]
fn numbers_in_json_read_back_equal() {
    let data = tempfile::tempdir().unwrap();
    let solved = json(data.path(), "solve finkel:1 --json");
    let answer = json(data.path(), "value finkel:1 -:-:L --json");
    assert_eq!(solved["start_value"].as_f64(), answer["value"].as_f64());
    assert_eq!(keys(&answer), ["judge", "position", "rolls", "rules", "value"]);
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

#[cfg(unix)]
#[test]
fn files_without_an_end_are_refused() {
    let data = tempfile::tempdir().unwrap();
    let rules = data.path().join("endless.toml");
    std::os::unix::fs::symlink("/dev/zero", &rules).unwrap();
    for args in [
        format!("rules check {}", rules.display()),
        "match finkel:1 brain:/dev/zero random --games 2".to_owned(),
        "lint /dev/zero".to_owned(),
    ] {
        let refused = output(data.path(), &args);
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{args}: {text}");
        assert!(text.contains("longer than the 67108864 bytes allowed"), "{args}: {text}");
    }
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
    let foreign = data.path().join("one.rgu");
    for args in
        [format!("convert {file} {}", foreign.display()), format!("table diff {file} {file}")]
    {
        let refused = output(data.path(), &args);
        assert_eq!(refused.status.code(), Some(2), "{args}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("block 0 "), "{args}");
    }
    assert!(!foreign.exists());
}

#[test]
fn bounds_say_how_far_tables_are_from_the_exact_values() {
    let data = tempfile::tempdir().unwrap();
    let solved = json(data.path(), "solve finkel:2 --bounds --json");
    let number = |report: &serde_json::Value, key: &str| report["bounds"][key].as_f64().unwrap();
    let width = number(&solved, "width");
    assert!(width > 0.0 && width < 1e-12, "{width:e}");
    let published = data.path().join("two.rgu");
    let convert = format!(
        "convert {} {} --values percent16",
        solved["table"].as_str().unwrap(),
        published.display()
    );
    assert!(output(data.path(), &convert).status.success());
    // Rounded values keep their precision: they are not stored with a finer one.
    let ours = data.path().join("two.urt");
    let back = format!("convert {} {}", published.display(), ours.display());
    let refused = output(data.path(), &format!("{back} --values f64"));
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("--values percent16 fits") && !ours.exists(), "{error}");
    assert!(output(data.path(), &back).status.success());
    assert!(output(data.path(), &format!("table verify {}", ours.display())).status.success());
    let found = json(data.path(), &format!("table verify {} --bounds --json", published.display()));
    // The same bounds from values that are rounded to 100/65535 percent.
    assert!((number(&found, "width") - width).abs() < width / 2.0);
    let error = number(&found, "error");
    assert!(error > 1e-6 && error <= 0.5 / 65535.0 + width, "{error:e}");
    let answer = json(data.path(), "value finkel:2 4:1+1:L --bounds --json");
    let [value, lower, upper] = [&answer["value"], &answer["bounds"][0], &answer["bounds"][1]]
        .map(|number| number.as_f64().unwrap());
    assert!(lower <= value && value <= upper && upper - lower <= width);
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
fn games_of_the_terminal_are_in_the_archive_with_their_names() {
    let data = tempfile::tempdir().unwrap();
    let begin = "play finkel:1 --light human --dark human --seed 11 --name Ann --name Bea";
    // The same seed twice: two games.
    let left = play(data.path(), begin, "\n\n\n");
    assert!(left.contains("finkel:1: light is Ann, dark is Bea"), "{left}");
    let kept = "the game is kept in the archive as game 1: go on with `ur play --resume 1`";
    assert!(left.contains(kept), "{left}");
    play(data.path(), begin, "\n");
    assert_eq!(play(data.path(), begin, "\n\nq\nn\n").matches("archive").count(), 0);
    let games = json(data.path(), "games list --json");
    let games = games.as_array().unwrap();
    assert_eq!(games.len(), 2, "a game that nobody wants to keep goes");
    assert_eq!((&games[1]["light"], &games[1]["dark"]), (&"Ann".into(), &"Bea".into()));

    let rest = play(data.path(), "play --resume 1", &"\n".repeat(500));
    let judged = "the record is kept in the archive as game 1: `ur review 1` judges it";
    assert!(rest.contains(judged), "{rest}");
    assert_eq!(json(data.path(), "review 1 --json")["names"]["light"], "Ann");
    let missing = output(data.path(), "play --resume 77");
    assert_eq!(missing.status.code(), Some(1));
    for name in ["perfect", " Ann"] {
        let mut command = ur(data.path());
        command.args(["play", "--name", name]).stdin(Stdio::null());
        assert_eq!(command.output().unwrap().status.code(), Some(2), "{name}");
    }
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
fn training_goes_on_where_it_was_and_comes_to_the_same() {
    let data = tempfile::tempdir().unwrap();
    let train = |name: &str, more: &str| {
        let file = data.path().join(name);
        let args = "train brain finkel:1 --population 4 --games 4 --measure 2 --seed 9";
        let report = json(data.path(), &format!("{args} --out {} --json {more}", file.display()));
        assert_eq!(report["milestones"][0]["step"], 0);
        std::fs::read_to_string(file).unwrap()
    };
    let plot = data.path().join("whole.svg");
    let whole =
        train("whole.txt", &format!("--generations 6 --threads 1 --plot {}", plot.display()));
    train("parts.txt", "--generations 3 --threads 3");
    let parts = train("parts.txt", "--generations 6 --threads 3 --resume");
    // The measurement after generation 3 may have found a stronger one.
    let state = |name: &str| {
        let file = data.path().join(format!("{name}.txt.training"));
        let kept: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        kept["course"].clone()
    };
    assert_eq!(state("whole"), state("parts"));
    assert!(whole.contains("# rules: finkel:1") && parts.contains("# scale: "));
    assert!(std::fs::read_to_string(plot).unwrap().starts_with("<svg"));
}

#[test]
fn training_that_was_kept_for_other_rules_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("brain.txt");
    let train = |rules: &str, more: &str| {
        let args = format!("train td {rules} --games 64 --out {}{more}", file.display());
        output(data.path(), &args)
    };
    let refused = |rules: &str, expected: &str| {
        let refused = train(rules, " --resume");
        assert_eq!(refused.status.code(), Some(2));
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(said.contains(expected), "{said}");
    };
    assert!(train("finkel:1", "").status.success());
    refused("finkel:2", "the saved training is for finkel:1, not for finkel:2");
    // The same name is not the same rules.
    let mine = data.path().join("mine.toml");
    let keep = |dice: &str| {
        let path = r#"{ board = ["...."], light = "A1 A2 A3 A4", dark = "A1 A2 A3 A4" }"#;
        let text = format!("name = \"mine\"\npath = {path}\npieces = 1\ndice = \"{dice}\"\n");
        std::fs::write(&mine, text).unwrap();
    };
    keep("2d");
    assert!(train(&mine.display().to_string(), "").status.success());
    keep("3d");
    refused(&mine.display().to_string(), "other rules of the name mine");
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

#[test]
fn a_match_in_json_has_the_keys_that_programs_rely_on() {
    let data = tempfile::tempdir().unwrap();
    let found = json(data.path(), "match finkel:1 greedy random --regret --json");
    assert_eq!((&found["a"], &found["b"]), (&"greedy".into(), &"random".into()));
    assert_eq!(found["exact"], true);
    let [first, second, mean] = ["a_first", "a_second", "a_mean"].map(|key| found[key].as_f64());
    assert!((first.unwrap() + second.unwrap() - 2.0 * mean.unwrap()).abs() < 1e-15);
    assert_eq!(found["regrets"][1]["a_move"], 0.0);
}

#[test]
fn a_response_is_kept_where_it_is_asked_for() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("greedy.urr");
    let args = format!("exploit finkel:1 greedy --json --out {}", path.display());
    let found = json(data.path(), &args);
    // One piece a side leaves nothing to decide.
    assert!((0.0..1e-12).contains(&found["exploitability"].as_f64().unwrap()));
    assert!(path.is_file() && found["hash"].as_str().unwrap().len() == 64);
}

#[test]
fn a_match_and_a_league_in_json_have_the_keys_that_programs_rely_on() {
    let data = tempfile::tempdir().unwrap();
    let report = json(data.path(), "match finkel:2 greedy random --games 200 --json");
    let expected = [
        "a",
        "a_first",
        "a_mean",
        "a_second",
        "b",
        "exact",
        "games",
        "interval",
        "mean_rolls",
        "rules",
        "seed",
        "unfinished",
    ];
    assert_eq!(keys(&report), expected);
    let league = json(data.path(), "league finkel:2 --agents greedy,random --games 200 --json");
    let expected =
        ["agents", "games_a_pairing", "games_to_lead", "luck", "matrix", "rules", "seed"];
    assert_eq!(keys(&league), expected);
    let expected = ["agent", "elo", "elo_error", "mean", "microseconds", "regret"];
    assert_eq!(keys(&league["agents"][0]), expected);
}

#[test]
fn every_game_of_a_match_can_be_kept_and_read() {
    let data = tempfile::tempdir().unwrap();
    let records = data.path().join("records");
    let args = format!("match finkel:2 greedy random --games 6 --records {}", records.display());
    assert!(output(data.path(), &args).status.success());
    let mut names: Vec<_> =
        std::fs::read_dir(&records).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    assert_eq!(names.len(), 6);
    let record: puabi_core::Record = std::fs::read_to_string(&names[1]).unwrap().parse().unwrap();
    assert_eq!((record.header("light"), record.header("dark")), (Some("random"), Some("greedy")));
    assert!(record.game.winner().is_some());
}

#[test]
fn the_laboratory_in_json_has_the_keys_that_programs_rely_on_and_draws_a_picture() {
    let data = tempfile::tempdir().unwrap();
    let picture = data.path().join("games.svg");
    let args = format!("lab finkel:1 finkel:2 --json --svg {}", picture.display());
    let rows = json(data.path(), &args);
    let expected = [
        "dead_positions",
        "draws",
        "first_edge",
        "forced",
        "greedy_skill",
        "lead_changes",
        "options",
        "positions",
        "random_elo",
        "residual",
        "rolls",
        "rules",
        "stakes",
    ];
    assert_eq!(keys(&rows[1]), expected);
    assert_eq!(rows[0]["forced"], serde_json::json!({"value": 1.0, "interval": null}));
    assert_eq!(rows[0]["options"], Value::Null);
    let svg = std::fs::read_to_string(picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("finkel:2"));
}
