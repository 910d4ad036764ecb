//! Keeping the games of a terminal: nothing else is replaced or removed, and the games of a match form one sequence.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use puabi_core::{Record, Roll};
use puabi_server::BlockingArchive;

use crate::{json, output, play, ur};

/// A match between people, in which dark passes the first double.
const PASSED: &str = "play finkel:1 --match 2 --light human --dark human --seed 1 --plain";

/// Returns the names of the files in a folder that end with `end`.
fn names(folder: &Path, end: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = entries.map(|name| name.into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(end)).collect();
    names.sort_unstable();
    names
}

#[test]
fn results_replace_neither_their_inputs_nor_files_of_other_kinds() {
    let data = tempfile::tempdir().unwrap();
    let file = |name: &str| data.path().join(name).display().to_string();
    let game = "format: urg 1\nrules: finkel:1\n\nL 0 pass\n";
    let rules = "name = \"Mine\"\npath = \"bell\"\npieces = 1\n";
    let before = [("g.urg", game), ("plain", game), ("my.toml", rules), ("t.urt", "table")];
    for (name, text) in before {
        fs::write(file(name), text).unwrap();
    }
    assert!(output(data.path(), &format!("games add {}", file("g.urg"))).status.success());
    for (command, to) in [
        (format!("lab {} --svg", file("my.toml")), "my.toml"),
        (format!("review {} --html", file("g.urg")), "g.urg"),
        (format!("review {} --svg", file("plain")), "plain"),
        (format!("review {} --html", file("g.urg")), "my.toml"),
        (format!("review {} --html {} --svg", file("g.urg"), file("both")), "both"),
        (format!("convert {} --to urg", file("g.urg")), "my.toml"),
        (format!("convert {}", file("g.urg")), "g.urg"),
        ("games export 1 --to".to_owned(), "my.toml"),
        ("games export 1 --to".to_owned(), "t.urt"),
    ] {
        let output = output(data.path(), &format!("{command} {}", file(to)));
        assert_eq!(output.status.code(), Some(2), "{command} {to}: {output:?}");
    }
    for (name, text) in before {
        assert_eq!(fs::read_to_string(file(name)).unwrap(), text, "{name}");
    }
}

#[test]
fn games_of_a_match_lie_side_by_side_and_over_no_other_file() {
    let data = tempfile::tempdir().unwrap();
    let begin = |name: &str| format!("{PASSED} --save {}", data.path().join(name).display());
    for name in ["my.match", "board-games", "b-game7"] {
        play(data.path(), &begin(&format!("{name}.urg")), "d\np\n\n");
    }
    let expected = [
        "b-game7.urg",
        "b-game8.urg",
        "board-games-game2.urg",
        "board-games.urg",
        "my.match-game2.urg",
        "my.match.urg",
    ];
    assert_eq!(names(data.path(), ".urg"), expected);
    // A file that already has the name of the next game has another game, and stays.
    let other = data.path().join("five-game2.urg");
    fs::copy(data.path().join("my.match.urg"), &other).unwrap();
    let text = fs::read_to_string(&other).unwrap();
    play(data.path(), &begin("five.urg"), "d\np\n\n");
    assert_eq!(fs::read_to_string(&other).unwrap(), text);
    assert!(data.path().join("five-game3.urg").exists());
}

#[test]
fn a_match_goes_on_with_the_game_that_has_begun() {
    let data = tempfile::tempdir().unwrap();
    let records = || {
        let archive = BlockingArchive::open(data.path()).unwrap();
        let games = json(data.path(), "games list --json");
        let numbers = games.as_array().unwrap().iter().rev().map(|game| game["id"].as_i64());
        numbers.map(|id| archive.record(id.unwrap()).unwrap()).collect::<Vec<Record>>()
    };
    let links = |records: &[Record]| records.iter().map(Record::next_game).collect::<Vec<_>>();
    // A game that the user does not keep leaves the previous game unchanged.
    play(data.path(), PASSED, "d\np\n\nq\nn\n");
    assert_eq!(links(&records()), [None]);
    let said = play(data.path(), "play --resume 1 --plain", "\n");
    assert!(said.contains("the next game, "), "{said}");
    assert_eq!(links(&records()), [Some(3), None]);
    let before = records();
    let said = play(data.path(), "play --resume 1 --plain", "\n");
    assert!(said.contains("has begun before and is kept in the archive as game 3"), "{said}");
    let after = records();
    assert_eq!((links(&after), &after[0]), (vec![Some(3), None], &before[0]));
    assert!(after[1].to_string().starts_with(before[1].to_string().trim_end()));

    // In files too.
    let file = data.path().join("a.urg");
    let place = file.display();
    play(data.path(), &format!("{PASSED} --save {place}"), "d\np\n\n");
    play(data.path(), &format!("play --resume {place} --plain"), "\n");
    assert_eq!(names(data.path(), ".urg"), ["a-game2.urg", "a.urg"]);
}

#[test]
fn a_game_that_was_there_stays_as_it_was_if_nobody_wants_to_keep_it() {
    let data = tempfile::tempdir().unwrap();
    let (file, text) = (data.path().join("keepme.urg"), "# mine\n");
    let begin = "play finkel:1 --light human --dark human --seed 3 --plain";
    play(data.path(), &format!("{begin} --save {}", file.display()), "\n\n");
    play(data.path(), begin, "\n\n");
    fs::write(&file, fs::read_to_string(&file).unwrap() + text).unwrap();
    let of_file = || fs::read_to_string(&file).unwrap();
    let of_archive = || BlockingArchive::open(data.path()).unwrap().record(1).unwrap();
    let (in_file, in_archive) = (of_file(), of_archive());
    for typed in ["q\nn\n", "?\nq\nn\n", "\n\nq\nn\n"] {
        play(data.path(), &format!("play --resume {} --plain", file.display()), typed);
        assert_eq!(of_file(), in_file, "{typed:?}");
        play(data.path(), "play --resume 1 --plain", typed);
        assert_eq!(of_archive(), in_archive, "{typed:?}");
    }
}

/// Plays in `folder` with `typed` on stdin, and returns what is said.
fn said(folder: &Path, args: &[&str], typed: &str) -> String {
    fs::write(folder.join("typed"), typed).unwrap();
    let typed = fs::File::open(folder.join("typed")).unwrap();
    let mut command = ur(folder);
    let output = command.current_dir(folder).args(args).stdin(Stdio::from(typed)).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_is_told_of_a_file_can_be_typed() {
    let data = tempfile::tempdir().unwrap();
    let begin = ["play", "finkel:1", "--dark", "human", "--seed", "3", "--plain"];
    for (name, place) in [("12", "./12"), ("my game.urg", "'my game.urg'"), ("a'b", "'a'\\''b'")] {
        let left = said(data.path(), &[&begin[..], &["--save", name]].concat(), "\n\n");
        assert!(left.contains(&format!("`ur play --resume {place}`")), "{left}");
    }
    let rest = said(data.path(), &["play", "--resume", "./12", "--plain"], "");
    assert!(rest.contains("the seed is 3"), "{rest}");
}

#[test]
fn moves_and_games_do_not_both_come_from_stdin() {
    let data = tempfile::tempdir().unwrap();
    for args in ["play --resume -", "play finkel:1 --save -"] {
        let refused = output(data.path(), args);
        assert_eq!(refused.status.code(), Some(2), "{args}");
        assert!(!Path::new("-").exists(), "{args}");
    }
}

#[cfg(unix)]
#[test]
fn a_game_is_kept_where_a_link_leads() {
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| data.path().join(name);
    fs::write(at("there.urg"), "").unwrap();
    std::os::unix::fs::symlink("there.urg", at("link.urg")).unwrap();
    let begin = "play finkel:1 --light human --dark human --seed 3 --plain --save";
    play(data.path(), &format!("{begin} {}", at("link.urg").display()), "\n\n");
    assert!(at("link.urg").is_symlink());
    assert!(fs::read_to_string(at("there.urg")).unwrap().contains("seed: 3"));
}

#[test]
fn a_game_is_saved_over_no_other_and_a_pass_is_called_a_pass() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("other.urg");
    let begin = "play finkel:1 --light human --dark human --plain --seed";
    play(data.path(), &format!("{begin} 3 --save {}", file.display()), "\n\n");
    let text = fs::read_to_string(&file).unwrap();
    let told = play(data.path(), &format!("{begin} 4"), &format!("\ns {}\n", file.display()));
    assert!(told.contains("holds another game"), "{told}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);

    let told = play(data.path(), PASSED, "d\np\nq\ny\n");
    assert!(told.contains("dark passes; light wins, 0 to 0"), "{told}");
    let review = output(data.path(), "review 2");
    let review = String::from_utf8(review.stdout).unwrap();
    assert!(review.contains("human passes, human won"), "{review}");
}

/// Plays a ply at `place`, calls `change` to change the kept game once `is_kept` returns true, plays on, and returns the output.
fn changed_in_between(
    data: &Path,
    place: &str,
    is_kept: impl Fn() -> bool,
    change: impl FnOnce(),
) -> String {
    let begin = format!("play finkel:1 --light human --dark human --seed 11 --plain{place}");
    let mut command = ur(data);
    command.args(begin.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut typed = child.stdin.take().unwrap();
    typed.write_all(b"\n").unwrap();
    while !is_kept() {
        std::thread::sleep(Duration::from_millis(10));
    }
    change();
    typed.write_all(b"\n\n").unwrap();
    drop(typed);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_game_that_another_program_has_changed_is_kept_beside_it() {
    let data = tempfile::tempdir().unwrap();
    let archive = BlockingArchive::open(data.path()).unwrap();
    let changed = || {
        let record = archive.record(1).unwrap();
        let mut changed = record.clone();
        changed.set_header("light", "Ann").unwrap();
        archive.update(1, &record, &changed).unwrap();
    };
    let told = changed_in_between(data.path(), "", || archive.record(1).is_ok(), changed);
    let said =
        "another program has changed this game: yours is kept in the archive as game 2 from now on";
    assert!(told.contains(said) && told.contains("`ur play --resume 2`"), "{told}");
    let [theirs, ours] = [1, 2].map(|id| archive.record(id).unwrap());
    assert_eq!((theirs.header("light"), theirs.game.plies().len()), (Some("Ann"), 0));
    assert_eq!((ours.header("light"), ours.game.plies().len()), (Some("human"), 1));

    let removed = || archive.remove(3).unwrap();
    let told = changed_in_between(data.path(), "", || archive.record(3).is_ok(), removed);
    assert!(told.contains("as game 4 from now on"), "{told}");

    let at = |name: &str| data.path().join(name);
    let changed = || fs::write(at("a.urg"), "mine").unwrap();
    fs::write(at("a-2.urg"), "other").unwrap();
    let place = format!(" --save {}", at("a.urg").display());
    let told = changed_in_between(data.path(), &place, || at("a.urg").exists(), changed);
    assert!(told.contains("a-3.urg from now on"), "{told}");
    let texts = ["a.urg", "a-2.urg"].map(|name| fs::read_to_string(at(name)).unwrap());
    assert_eq!(texts, ["mine", "other"]);
    let ours: Record = fs::read_to_string(at("a-3.urg")).unwrap().parse().unwrap();
    assert_eq!(ours.game.plies().len(), 1);
}

#[test]
fn what_is_taken_back_at_the_start_is_not_kept() {
    let data = tempfile::tempdir().unwrap();
    let begin = "play finkel:1 --match 3 --light human --dark human --seed 1 --plain";
    for (typed, number) in [("d\nu\n", 1), ("d\nt\nu\nu\n", 2)] {
        play(data.path(), begin, typed);
        let record = BlockingArchive::open(data.path()).unwrap().record(number).unwrap();
        assert_eq!(record.doubles().count(), 0, "{typed:?}");
    }
    let real = "play finkel:2 --dice manual --against random --seed 1 --plain";
    let told = play(data.path(), real, "3\nu\n4\n");
    assert!(told.contains("light rolls 3") && told.contains("light rolls 4"), "{told}");
    let record = BlockingArchive::open(data.path()).unwrap().record(3).unwrap();
    assert_eq!(record.game.pending(), Some(Roll::new(4)));
}

#[test]
fn a_game_that_is_only_looked_at_stays_as_it_is() {
    let data = tempfile::tempdir().unwrap();
    let head = "format: urg 1\nrules: finkel:1\n";
    let [over, begun, named] =
        ["start: 14:-:L\n\nL 1 14-off\n", "\nL 4 0-4\n", "light: Ann\ndark: easy\n\nL 4 0-4\n"];
    for (name, rest) in [("over", over), ("begun", begun), ("named", named)] {
        let (path, text) = (data.path().join(format!("{name}.urg")), format!("{head}{rest}"));
        fs::write(&path, &text).unwrap();
        play(data.path(), &format!("play --resume {} --plain", path.display()), "q\ny\n");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{name}");
    }
    // The record names the players who go on, but no seed, because dice were thrown before.
    let path = data.path().join("begun.urg");
    play(data.path(), &format!("play --resume {} --plain --dark human", path.display()), "\n\n");
    let record: Record = fs::read_to_string(&path).unwrap().parse().unwrap();
    assert_eq!((record.header("dark"), record.seed()), (Some("human"), None));
}
