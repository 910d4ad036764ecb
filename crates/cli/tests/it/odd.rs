//! Tables and games that are sound but not what a user may expect.

use std::fs;
use std::path::Path;

use crate::output;

/// Rules under which no piece can ever move: all squares are for veterans alone, and none ever becomes one.
const DEAD: &str = r#"name = "dead"
dice = "2d"
pieces = 2
path = { board = ["VVVV"], light = "A1 A2 A3 A4" }
"#;

/// Returns what a command says that ends well and in time.
#[track_caller]
fn said(data: &Path, args: &str) -> String {
    let run = output(data, args);
    let [said, told] = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(run.status.success(), "{args}: {told}");
    said
}

#[test]
fn games_in_which_nobody_can_move_end() {
    let data = tempfile::tempdir().unwrap();
    let rules = data.path().join("dead.toml");
    fs::write(&rules, DEAD).unwrap();
    let (rules, said) = (rules.display(), |args: &str| said(data.path(), args));
    assert!(said(&format!("league {rules} --games 2 --agents greedy,random")).contains("50"));
    let regret = said(&format!("match {rules} perfect random --regret"));
    assert!(regret.contains("random gives away 0.0000 points"), "{regret}");
    let sampled = said(&format!("match {rules} greedy random --games 10 --sprt"));
    assert!(sampled.contains("without winner   10, half a point each"), "{sampled}");
    let pocket = data.path().join("dead.pocket");
    let pocket = format!("--loss 1e-2 --steps 20 --units 16,16 --out {}", pocket.display());
    assert!(said(&format!("table pocket {rules} {pocket}")).contains("exceptions   0"));
}

#[test]
fn a_drawn_game_is_not_called_unfinished() {
    let data = tempfile::tempdir().unwrap();
    let record = "format: urg 1\nrules: simple-ur\nlight: Ann\nstart: 15,16,17,18+3:4,5,6,7,8,9+1:L\n\n\
                  L 2 pass\ndrawn\n";
    fs::write(data.path().join("1.urg"), record).unwrap();
    let folder = data.path().display();
    let game = said(data.path(), &format!("review {folder}/1.urg"));
    assert!(game.starts_with("simple-ur: Ann against dark, 1 ply\n"), "{game}");
    assert!(game.contains("drawn; light began with "), "{game}");
    let games = said(data.path(), &format!("review {folder} --player Ann"));
    assert!(games.contains(" drawn ") && !games.contains("unfinished"), "{games}");
}

#[test]
fn a_table_that_lies_where_another_belongs_is_not_taken_for_it() {
    let data = tempfile::tempdir().unwrap();
    said(data.path(), "solve finkel:1");
    let tables = data.path().join("tables");
    fs::copy(tables.join("finkel-1.urt"), tables.join("finkel-2.urt")).unwrap();
    for args in ["table verify finkel:2", "table info finkel:2", "convert finkel:2 a.rgu"] {
        let refused = output(data.path(), args);
        assert_eq!(refused.status.code(), Some(2), "{args}");
        let told = String::from_utf8_lossy(&refused.stderr);
        assert!(told.contains("expected one of finkel:2"), "{args}: {told}");
    }
}

#[test]
fn training_names_its_rules_with_any_seed() {
    let data = tempfile::tempdir().unwrap();
    let player = data.path().join("player.txt");
    let train = |seed: u64| {
        let options = format!("--games 4 --positions 50 --passes 1 --seed {seed}");
        let args = format!("train fit finkel:1 {options} --json --out {}", player.display());
        serde_json::from_str::<serde_json::Value>(&said(data.path(), &args)).unwrap()
    };
    assert_eq!(train(0)["rules"], "finkel:1");
    assert_eq!(train(1)["rules"], "finkel:1");
}

#[test]
fn a_pocket_of_rules_without_a_choice_has_no_decisions_to_measure() {
    let data = tempfile::tempdir().unwrap();
    let pocket = data.path().join("one.pocket");
    let options = format!("--loss 0.01 --steps 10 --units 16,16 --out {}", pocket.display());
    said(data.path(), &format!("table pocket finkel:1 {options}"));
    let refused = output(data.path(), &format!("bench pocket {}", pocket.display()));
    assert_eq!(refused.status.code(), Some(2));
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(told.contains("finkel:1 leaves no choice: 0 decisions"), "{told}");
}
