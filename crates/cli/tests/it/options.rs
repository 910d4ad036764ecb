//! Options are obeyed or refused: no option is ignored, no size makes the program crash, and files are known by their names.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{json, output, ur};

const GAME: &str = "format: urg 1\nrules: finkel:1\n\nL 0 pass\n";

/// Runs a command, which must end with this code, and returns its output on both streams.
#[track_caller]
fn said(data: &Path, args: &str, code: i32) -> String {
    let mut command = ur(data);
    let run = command.current_dir(data).args(args.split(' ')).output().unwrap();
    let told = [run.stdout, run.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert_eq!(run.status.code(), Some(code), "{args}: {told:?}");
    told.concat()
}

#[test]
fn what_cannot_be_done_is_refused_before_any_work() {
    let data = tempfile::tempdir().unwrap();
    fs::write(data.path().join("g.urg"), GAME).unwrap();
    for (args, expected) in [
        ("perft finkel:1 1000000", "100"),
        ("train fit finkel:1 --positions 1000000000000 --out p", "10000000"),
        ("train fit finkel:1 --games 18446744073709551615 --out p", "100000"),
        ("value finkel:1 --brain trained --cube 1", "cannot be used with"),
        ("value finkel:1 --brain trained --match 1-1", "cannot be used with"),
        ("convert g.urg o.rgn --values f32", "for tables"),
        ("convert finkel:1 o.rgu --to json", "for games"),
        ("convert finkel:1 o.rgu --rules finkel", "for games"),
        ("review g.urg --player Nobody", "for a folder"),
        ("review g.urg --json --html -", "would go to stdout"),
        ("table pocket finkel:1 --loss 0.5 --out p --from q --steps 7", "cannot be used with"),
        ("lab finkel:1 --fair --seed 5", "cannot be used with"),
        ("serve --name", "a value is required"),
        ("value 4-pieces.toml", "4-pieces.toml"),
        ("games rm 1 1 --yes", "no game 1"),
    ] {
        let code = if expected == "no game 1" { 1 } else { 2 };
        let said = said(data.path(), args, code);
        assert!(said.contains(expected), "{args}: {said}");
    }
    for name in ["", ".", "a b", "ur.example.org:8470", "bücher.example"] {
        let serve = ur(data.path()).args(["serve", "--name", name]).output().unwrap();
        assert_eq!(serve.status.code(), Some(2), "{name:?}");
    }
    assert!(!data.path().join("tables").exists(), "nothing is solved");
}

#[test]
fn a_number_is_a_game_of_the_archive_although_a_file_has_that_name() {
    let data = tempfile::tempdir().unwrap();
    fs::write(data.path().join("12"), GAME).unwrap();
    assert!(said(data.path(), "review 12", 1).contains("no game 12"));
    assert!(said(data.path(), "review ./12", 0).contains("finkel:1"));
    // A game that is named twice is removed once.
    said(data.path(), "games add ./12", 0);
    said(data.path(), "games rm 1 1 --yes", 0);
}

#[test]
fn capital_letters_end_names_as_small_ones_do() {
    let data = tempfile::tempdir().unwrap();
    let rules = "name = \"Mine\"\npath = \"bell\"\npieces = 1\n";
    fs::write(data.path().join("B.TOML"), rules).unwrap();
    assert!(said(data.path(), "rules check B.TOML", 0).contains("Mine"));
    // Its records name rules that other notations do not know.
    assert!(said(data.path(), "bench read B.TOML --games 2", 0).contains("urg"));
    said(data.path(), "solve finkel:1", 0);
    said(data.path(), "convert finkel:1 X.RGU", 0);
    assert!(said(data.path(), "table info X.RGU", 0).contains("finkel:1"));
    assert!(said(data.path(), "convert X.RGU ./X.RGU", 2).contains("over itself"));
}

#[test]
fn a_pocket_is_known_by_the_names_that_agents_have() {
    let data = tempfile::tempdir().unwrap();
    assert!(said(data.path(), "table info pocket", 0).contains("the pocket player of finkel"));
    let options = "--loss 0.5 --steps 1 --units 16,16 --out one.POCKET";
    said(data.path(), &format!("table pocket finkel:1 {options}"), 0);
    for name in ["one.POCKET", "pocket:one.POCKET"] {
        assert!(said(data.path(), &format!("table info {name}"), 0).contains("finkel:1"));
    }
}

#[test]
fn a_cube_is_solved_from_exact_values() {
    let equity = |found: &Value| found["levels"][0]["equity"].clone();
    let data = tempfile::tempdir().unwrap();
    let exact = equity(&json(data.path(), "cube finkel:1 --cap 2 --json"));
    assert!(exact.is_number(), "{exact}");
    let worth = json(data.path(), "value finkel:1 --cube 1 --json")["worth"].clone();
    let verified = said(data.path(), "table verify tables/finkel-1.cube/1-centred.f32.urt", 2);
    assert!(verified.contains("the table is of a cube that"), "{verified}");
    let listed = said(data.path(), "table list", 0);
    let [table, cube] = *listed.lines().collect::<Vec<_>>() else { panic!("{listed}") };
    assert!(table.contains(" % ") && table.ends_with("finkel-1.urt"), "{listed}");
    assert!(cube.contains(" 1 table ") && cube.ends_with("finkel-1.cube"), "{listed}");
    assert_eq!(json(data.path(), "table list --json").as_array().unwrap().len(), 2);

    let data = tempfile::tempdir().unwrap();
    said(data.path(), "solve finkel:1 --store u16", 0);
    let matched = output(data.path(), "match finkel:1 perfect greedy");
    let told = String::from_utf8_lossy(&matched.stderr).into_owned();
    assert!(told.contains("kept as u16"), "{told}");
    assert_eq!(json(data.path(), "value finkel:1 --cube 1 --json")["worth"], worth);
    assert_eq!(equity(&json(data.path(), "cube finkel:1 --cap 2 --json")), exact);
    let stores = ["f64", "u16"].map(|store| {
        said(data.path(), &format!("cube finkel:1 --cap 2 --store {store}"), 0);
        fs::read_dir(data.path().join("tables/finkel-1.cube")).unwrap().count()
    });
    assert_eq!(stores, [1, 1]);
}

#[test]
fn one_man_page_has_all_commands() {
    let data = tempfile::tempdir().unwrap();
    let page = said(data.path(), "man", 0);
    for name in ["UR SOLVE", "UR TABLE VERIFY", "UR GAMES ADD", "UR TRAIN FIT", "UR BENCH READ"] {
        assert!(page.contains(&format!(".SH \"{name}\"")), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_match_that_is_stopped_says_so_and_what_it_found() {
    let data = tempfile::tempdir().unwrap();
    let mut command = ur(data.path());
    command.args(["match", "finkel", "greedy", "random", "--games", "100000000"]);
    let (out, told) = (std::process::Stdio::piped(), std::process::Stdio::piped());
    let playing = command.stdout(out).stderr(told).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    let pid = playing.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let found = playing.wait_with_output().unwrap();
    assert_eq!(found.status.code(), Some(130), "{found:?}");
    assert_eq!(String::from_utf8_lossy(&found.stderr), "stopped\n");
    assert!(String::from_utf8_lossy(&found.stdout).contains("95 % interval"));
}
