//! The state that a training keeps: nothing of it is lost, and a later run goes on with all of it.

use std::fs;
use std::path::Path;

use crate::output;

/// Runs a training of `player.txt`; returns its exit code and what it says on stderr.
fn train(data: &Path, args: &str) -> (Option<i32>, String) {
    let file = data.join("player.txt");
    let output = output(data, &format!("train {args} --out {}", file.display()));
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn kept(data: &Path) -> String {
    fs::read_to_string(data.join("player.txt.training")).unwrap()
}

#[test]
fn what_a_training_has_kept_is_replaced_only_after_its_end() {
    let data = tempfile::tempdir().unwrap();
    let (data, file) = (data.path(), data.path().join("player.txt.training"));
    let brief = "td finkel:1 --games 64";
    assert_eq!(train(data, brief).0, Some(0));
    // The first training has ended, so the second one loses nothing.
    assert_eq!(train(data, brief).0, Some(0));
    let begun = kept(data).replace("\"is_finished\":true", "\"is_finished\":false");
    for (there, expected) in [(&*begun, "that has not ended"), ("notes", "is not a saved training")]
    {
        fs::write(&file, there).unwrap();
        let (code, said) = train(data, brief);
        assert!(code == Some(2) && said.contains(expected), "{said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), there);
    }
}

#[test]
fn what_a_training_has_kept_is_not_believed_if_it_is_damaged() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    assert_eq!(train(data, "td finkel:1 --games 64").0, Some(0));
    let whole = kept(data);
    for (old, new) in [("\\\"done\\\":1", "\\\"done\\\":0"), ("\"step\":0", "\"step\":7")] {
        let damaged = whole.replacen(old, new, 1);
        assert_ne!(damaged, whole);
        fs::write(data.join("player.txt.training"), damaged).unwrap();
        let (code, said) = train(data, "td finkel:1 --games 128 --resume");
        assert!(code == Some(2) && said.contains("does not match its hash"), "{said}");
    }
}

#[test]
fn a_fit_goes_on_with_the_decisions_that_it_began_with() {
    let data = tempfile::tempdir().unwrap();
    let decisions = || {
        let player = fs::read_to_string(data.path().join("player.txt")).unwrap();
        let line = player.lines().find(|line| line.contains("passes over")).unwrap();
        line.split_once("passes over").unwrap().1.to_owned()
    };
    let begin = "fit finkel:2 --games 5 --positions 700 --passes 1 --seed 3";
    assert_eq!(train(data.path(), begin).0, Some(0));
    let before = decisions();
    assert!(before.ends_with("seed 3"), "{before}");
    assert_eq!(train(data.path(), "fit finkel:2 --passes 2 --resume").0, Some(0));
    assert_eq!(decisions(), before);
}

#[test]
fn a_training_goes_on_with_steps_of_as_many_games() {
    let data = tempfile::tempdir().unwrap();
    assert_eq!(train(data.path(), "td finkel:1 --games 64").0, Some(0));
    let (code, said) = train(data.path(), "td finkel:1 --games 128 --step 8 --resume");
    assert!(
        code == Some(2) && said.contains("the kept training has 64 games a step: expected 8"),
        "{said}"
    );
    assert_eq!(train(data.path(), "td finkel:1 --games 128 --resume").0, Some(0));
}

#[test]
fn a_training_of_another_kind_is_named() {
    let data = tempfile::tempdir().unwrap();
    assert_eq!(train(data.path(), "td finkel:1 --games 64").0, Some(0));
    for (other, expected) in [
        ("brain finkel:1 --generations 1 --population 4 --games 4", "`ur train brain`"),
        ("td finkel:1 --games 128 --model linear", "`ur train td --model linear`"),
    ] {
        let (code, said) = train(data.path(), &format!("{other} --resume"));
        let found = "the saved training is of `ur train td`: expected one of ";
        assert!(code == Some(2) && said.contains(&format!("{found}{expected}")), "{said}");
    }
}
