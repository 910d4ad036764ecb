//! No command replaces or removes a file that it has not made, takes one table for another, or succeeds after something has
//! failed.

use std::fs;
use std::path::Path;

use crate::{output, play, ur};

const NOTES: &str = "notes of my own\n";

/// Checks that a command ends with code 2, prints the expected text, and leaves the notes unchanged.
#[track_caller]
fn refused(data: &Path, notes: &Path, args: &str, expected: &str) {
    let output = output(data, args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args}: {said}");
    assert!(said.contains(expected), "{args}: {said}");
    assert_eq!(fs::read_to_string(notes).unwrap(), NOTES, "{args}");
}

#[test]
fn files_of_others_are_neither_removed_nor_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (data, notes) = (folder.path(), folder.path().join("notes.txt"));
    fs::write(&notes, NOTES).unwrap();
    let refused = |args: &str, expected: &str| refused(data, &notes, args, expected);
    let (place, here) = (notes.display(), data.display());
    refused(&format!("table rm {place} --yes"), "is not a table");
    refused(&format!("exploit finkel:1 random --out {place}"), "is not a response");
    refused(&format!("train td finkel:1 --games 10 --out {place}"), "is not a trained player");
    assert!(!data.join("notes.txt.training").exists());
    // A file of another program with such a name is not a file that a solve has left.
    let part = data.join("notes.txt.part");
    fs::write(&part, NOTES).unwrap();
    refused(&format!("table rm {place} --yes"), "is not a table");
    assert!(part.exists());
    let play = "play finkel:1 --light greedy --dark greedy --plain --save";
    refused(&format!("{play} {place}"), "holds something that is not a game");
    refused(&format!("{play} {here}"), "is not a file");
    refused(&format!("{play} {here}/game.rgn"), "expected a name that ends with .urg");
    refused(&format!("solve finkel:1 --force --out {here}"), "is not a file");
    refused(&format!("solve finkel:1 --spill {here}/no"), "there is no folder");
    let pocket = "table pocket finkel:1 --loss 0.5 --out";
    refused(&format!("{pocket} {here}"), "is a folder");
    refused(&format!("{pocket} {place}"), "is not a pocket");
    refused(&format!("{pocket} {here}/game.urg"), "is named as a game");
    refused(&format!("{pocket} -"), "is stdout");
    refused(&format!("solve finkel:1 --force --out {place}"), "is not a table");
    let train = format!("train td finkel:1 --games 10 --out {here}/player");
    refused(&format!("{train} --plot {here}/./player"), "over itself");
    refused(&format!("{train} --plot {here}/chart.urt"), "is named as a table");
    // An empty file is not a table either, unless it is named as one.
    let empty = data.join("empty");
    fs::write(&empty, "").unwrap();
    refused(&format!("table rm {} --yes", empty.display()), "expected a table");
    assert!(empty.exists());
}

#[test]
fn games_of_an_earlier_match_are_not_mixed_with_others() {
    let data = tempfile::tempdir().unwrap();
    let games = data.path().join("games");
    let play = |seed: u64, number: u64| {
        let options = format!("--games {number} --seed {seed} --records {}", games.display());
        output(data.path(), &format!("match finkel:1 greedy random {options}"))
    };
    // The same match goes on where it was stopped.
    assert!([2, 4, 2].into_iter().all(|number| play(1, number).status.success()));
    let other = play(2, 2);
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("is of another match"));
    // No game is written before the games in the folder are compared: they are of another match.
    fs::remove_file(games.join("000001.urg")).unwrap();
    assert_eq!(play(2, 40).status.code(), Some(2));
    assert_eq!(fs::read_dir(&games).unwrap().count(), 3);
    for option in ["--records other", "--sprt"] {
        let exact = output(data.path(), &format!("match finkel:1 greedy random {option}"));
        assert_eq!(exact.status.code(), Some(2), "{option}");
        assert!(String::from_utf8_lossy(&exact.stderr).contains("the result is exact"), "{option}");
    }
}

#[test]
fn a_table_of_another_precision_or_tolerance_is_not_what_was_asked_for() {
    let data = tempfile::tempdir().unwrap();
    let table = data.path().join("a.urt");
    let solve = |options: &str| {
        let args = format!("solve finkel:1 --out {} {options}", table.display());
        output(data.path(), args.trim_end())
    };
    assert!(solve("--tolerance 1e-13").status.success());
    assert!(solve("--tolerance 2e-13").status.success());
    // Without the option a solve goes as far as it can.
    for options in ["", "--store u16", "--tolerance 1e-14"] {
        let found = solve(options);
        assert_eq!(found.status.code(), Some(2), "{options}");
        assert!(String::from_utf8_lossy(&found.stderr).contains("--force"), "{options}");
    }
    // A link leads to the same table even after the table is made anew.
    #[cfg(unix)]
    {
        let link = data.path().join("link.urt");
        std::os::unix::fs::symlink(&table, &link).unwrap();
        let args = format!("solve finkel:1 --store u16 --force --out {}", link.display());
        assert!(output(data.path(), &args).status.success());
        assert!(link.is_symlink() && solve("--store u16").status.success());
        let kept = data.path().join("tables/finkel-1.urt");
        assert!(output(data.path(), "solve finkel:1").status.success());
        fs::rename(&kept, data.path().join("kept.urt")).unwrap();
        std::os::unix::fs::symlink("../kept.urt", &kept).unwrap();
        assert!(output(data.path(), "solve finkel:1 --force").status.success());
        assert!(kept.is_symlink());
    }
}

#[test]
fn a_coarse_table_of_another_program_is_no_solve_and_replaces_no_other_game() {
    let data = tempfile::tempdir().unwrap();
    let [exact, theirs, ours, other] = ["exact.urt", "a.rgu", "ours.urt", "other.urt"]
        .map(|name| data.path().join(name).display().to_string());
    let code = |args: &str| output(data.path(), args).status.code();
    assert_eq!(code(&format!("solve finkel:1 --out {exact}")), Some(0));
    assert_eq!(code(&format!("convert {exact} {theirs} --values percent16")), Some(0));
    assert_eq!(code(&format!("convert {theirs} {ours}")), Some(0));
    for store in ["f64", "f32", "u16"] {
        let found = output(data.path(), &format!("solve finkel:1 --store {store} --out {ours}"));
        let said = String::from_utf8_lossy(&found.stderr);
        assert!(found.status.code() == Some(2) && said.contains("settled to"), "{said}");
    }
    assert_eq!(code(&format!("solve finkel:2 --out {other}")), Some(0));
    assert_eq!(code("cube finkel:1 --cap 2"), Some(0));
    let mut cubes = fs::read_dir(data.path().join("tables/finkel-1.cube")).unwrap();
    let cube = cubes.next().unwrap().unwrap().path().display().to_string();
    for kept in [other, cube] {
        let before = fs::read(&kept).unwrap();
        assert_eq!(code(&format!("convert {theirs} {kept}")), Some(2));
        assert!(fs::read(&kept).unwrap() == before, "{kept}");
    }
}

#[cfg(unix)]
#[test]
fn a_game_that_cannot_be_kept_is_an_error() {
    let data = tempfile::tempdir().unwrap();
    let mut command = ur(data.path());
    // No folder can be made there.
    command.env("UR_DATA_DIR", "/proc/no").args(["play", "finkel:1", "--plain"]);
    let found = command.args(["--light", "greedy", "--dark", "greedy"]).output().unwrap();
    let said = String::from_utf8_lossy(&found.stderr);
    assert_eq!((found.status.code(), said.matches("not kept").count()), (Some(2), 1), "{found:?}");
}

#[cfg(unix)]
#[test]
fn what_an_unfinished_solve_left_can_be_removed() {
    let data = tempfile::tempdir().unwrap();
    let tables = data.path().join("tables");
    fs::create_dir(&tables).unwrap();
    for name in ["finkel-4.urt.part", "finkel-4.urt.journal"] {
        fs::write(tables.join(name), "").unwrap();
    }
    let removed = output(data.path(), "table rm finkel:4 --yes");
    assert!(removed.status.success(), "{removed:?}");
    assert!(String::from_utf8_lossy(&removed.stdout).contains("an unfinished solve left"));
    assert_eq!(
        fs::read_dir(&tables)
            .unwrap()
            .filter(|it| {
                let name = it.as_ref().unwrap().file_name();
                !name.to_string_lossy().ends_with(".lock")
            })
            .count(),
        0
    );
    assert_eq!(output(data.path(), "table rm finkel:4 --yes").status.code(), Some(2));
}

#[test]
fn values_have_as_many_digits_as_their_table() {
    for (store, digits) in [("f64", 10), ("f32", 5), ("u16", 3)] {
        let data = tempfile::tempdir().unwrap();
        assert!(output(data.path(), &format!("solve finkel:1 --store {store}")).status.success());
        let value = |option: &str| {
            let found = output(data.path(), format!("value finkel:1 {option}").trim_end());
            String::from_utf8(found.stdout).unwrap()
        };
        let text = value("");
        let line = text.lines().find(|line| line.contains("wins")).unwrap();
        let (_, fraction) = line.trim_end_matches(" %").split_once('.').unwrap();
        assert_eq!(fraction.len(), digits, "{line}");
        assert_eq!(value("--json").contains("precision"), store != "f64");
    }
}

#[test]
fn what_is_written_goes_where_a_link_leads_and_a_device_stays() {
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| data.path().join(name);
    let play = format!(
        "play finkel:1 --light greedy --dark greedy --plain --seed 1 --save {}",
        at("a.urg").display()
    );
    assert!(output(data.path(), &play).status.success());
    fs::write(at("there.rgn"), NOTES).unwrap();
    std::os::unix::fs::symlink("there.rgn", at("link.rgn")).unwrap();
    let convert = |to: &Path| {
        output(data.path(), &format!("convert {} {}", at("a.urg").display(), to.display()))
    };
    assert!(convert(&at("link.rgn")).status.success());
    assert!(at("link.rgn").is_symlink());
    assert_ne!(fs::read_to_string(at("there.rgn")).unwrap(), NOTES);
    fs::write(at("there.urr"), "").unwrap();
    std::os::unix::fs::symlink("there.urr", at("link.urr")).unwrap();
    let exploit = format!("exploit finkel:1 random --out {}", at("link.urr").display());
    assert!(output(data.path(), &exploit).status.success());
    assert!(at("link.urr").is_symlink() && fs::metadata(at("there.urr")).unwrap().len() > 0);
    std::os::unix::fs::symlink("/dev/full", at("full.rgn")).unwrap();
    let full = convert(&at("full.rgn"));
    assert_eq!(full.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&full.stderr).contains("writing"));
    assert!(at("full.rgn").is_symlink() && Path::new("/dev/full").exists());
}

#[test]
fn an_earlier_game_stays_until_another_one_is_played_over_it() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("old.urg");
    let place = file.display();
    let begin = format!("play finkel:1 --seed 1 --plain --save {place} --light");
    assert!(output(data.path(), &format!("{begin} greedy --dark greedy")).status.success());
    let old = fs::read_to_string(&file).unwrap();
    // The user leaves before the first roll, with or without keeping the game.
    for input in ["q\nn\n", "q\ny\n", ""] {
        let said = play(data.path(), &format!("{begin} human --dark human"), input);
        assert!(!said.contains("go on with"), "{said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), old, "{input:?}");
    }
    // The game that was played over the old one is dropped, and the old one comes back.
    play(data.path(), &format!("{begin} human --dark human"), "\n\nq\nn\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), old);
    play(data.path(), &format!("{begin} human --dark human"), "\n\n");
    assert_ne!(fs::read_to_string(&file).unwrap(), old);
}

#[test]
fn a_table_takes_no_name_of_another_kind_of_file() {
    let data = tempfile::tempdir().unwrap();
    for name in ["a.rgu", "a.POCKET", "a.urr", "a.toml", "a.urg", "a.json", "-"] {
        let place = data.path().join(name);
        let named = if name == "-" { name.into() } else { place.display().to_string() };
        let refused = output(data.path(), &format!("solve finkel:1 --out {named}"));
        assert_eq!(refused.status.code(), Some(2), "{name}");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(said.contains("expected") && said.contains("finkel.urt"), "{said}");
        assert!(!place.exists() && !Path::new("-").exists());
    }
    let folder = data.path().join("new/folder/a.urt");
    let made = output(data.path(), &format!("solve finkel:1 --out {}", folder.display()));
    assert!(made.status.success() && folder.is_file());
}

#[test]
fn what_a_command_has_made_it_makes_again() {
    let data = tempfile::tempdir().unwrap();
    for command in [
        "exploit finkel:1 random",
        "train td finkel:1 --games 10",
        "train td finkel:1 --games 10 --model linear",
    ] {
        let made = tempfile::NamedTempFile::new_in(data.path()).unwrap();
        let args = format!("{command} --out {}", made.path().display());
        for _ in 0..2 {
            let again = output(data.path(), &args);
            assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
            assert!(made.path().metadata().unwrap().len() > 0, "{args}");
        }
    }
}

#[test]
fn a_folder_is_told_from_a_table() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("a.urt");
    fs::create_dir(&folder).unwrap();
    for command in ["verify", "info"] {
        let args = format!("table {command} {}", folder.display());
        let refused = output(data.path(), &args);
        assert_eq!(refused.status.code(), Some(2), "{command}");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(said.contains("it is a folder: expected a file"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn an_error_names_the_file_that_was_asked_for() {
    let data = tempfile::tempdir().unwrap();
    // No file can be made there.
    let refused = output(data.path(), "lab finkel:1 --svg /proc/x.svg");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("/proc/x.svg") && !said.contains(".tmp"), "{said}");
}

#[test]
fn a_place_that_takes_no_file_is_told_before_the_work() {
    let data = tempfile::tempdir().unwrap();
    let here = data.path().display();
    for command in [
        "lab finkel:1 --svg",
        "exploit finkel:1 random --out",
        "train td finkel:1 --games 10 --out",
        "train td finkel:1 --games 10 --out a.txt --plot",
    ] {
        for (place, expected) in [
            ("-".to_owned(), "expected the name of a file"),
            (here.to_string(), "is a folder"),
            (format!("{here}/no/a"), "there is no folder"),
        ] {
            let refused = output(data.path(), &format!("{command} {place}"));
            assert_eq!(refused.status.code(), Some(2), "{command} {place}");
            let said = String::from_utf8_lossy(&refused.stderr);
            assert!(said.contains(expected) && refused.stdout.is_empty(), "{said}");
        }
    }
    assert!(!Path::new("-").exists() && !Path::new("a.txt").exists());
}

#[test]
fn a_player_who_has_both_sides_of_a_game_is_judged_for_both() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("games");
    let games =
        format!("match finkel:2 greedy greedy --games 4 --seed 2 --records {}", folder.display());
    assert!(output(data.path(), &games).status.success());
    let report = output(data.path(), &format!("review {} --json", folder.display()));
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    let sides: Vec<_> =
        report["games"].as_array().unwrap().iter().map(|it| &it["player"]).collect();
    let light = sides.iter().filter(|it| **it == "light").count();
    assert_eq!((light * 2, report["won"].as_u64()), (sides.len(), Some(light as u64)), "{report}");
}
