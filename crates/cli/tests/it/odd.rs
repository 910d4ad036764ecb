//! Tables and games that are sound but not what a user may expect.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{output, ur};

/// Rules under which no piece can ever move: all squares are for veterans alone, and no piece ever becomes a veteran.
const DEAD: &str = r#"name = "dead"
dice = "2d"
pieces = 2
path = { board = ["VVVV"], light = "A1 A2 A3 A4" }
"#;

/// Runs a command, which must succeed, and returns its stdout.
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
fn a_game_that_may_go_on_for_ever_is_said_to_and_has_no_table_unless_it_is_asked_for() {
    // Each entry captures the other's piece.
    ensure_endless(
        "name = \"endless\"\ndice = \"1d0=1\"\npieces = 1\n\
         path = { board = [\"..\"], light = \"A1 A2\", dark = \"A1 A2\" }\n",
    );
    // A piece that reached the last square would be a veteran, and the tile is for novices. Bounds of this game drift faster.
    ensure_endless(
        "name = \"endless\"\ndice = \"1d\"\npieces = 2\nrosettes_grant_rolls = false\nlast_protects_novices = true\n\
         turning_square = 4\nturning_on = \"landing\"\nstack_cap = 3\nstack_order = \"free\"\n\
         [path]\nboard = [\"H..LV\", \"...N \", \"H..LV\"]\nlight = \"A1 B1 B2 B4\"\ndark = \"C1 B1 B2 B4\"\n",
    );
}

fn ensure_endless(text: &str) {
    let data = tempfile::tempdir().unwrap();
    let rules = data.path().join("endless.toml");
    fs::write(&rules, text).unwrap();
    let solve = |args: &str| output(data.path(), &format!("solve {} {args}", rules.display()));
    let table = data.path().join("endless.urt");
    let out = format!("--out {}", table.display());
    for _ in 0..2 {
        let run = solve(&out);
        let told = String::from_utf8(run.stderr).unwrap();
        assert!(told.contains("by these rules a game may go on for ever"), "{told}");
        assert!(run.status.code() == Some(2) && !table.exists());
    }
    assert!(solve(&format!("{out} --no-bounds")).status.success() && table.exists());
    // A table that was kept is not removed.
    assert!(!solve(&format!("{out} --bounds")).status.success() && table.exists());
    assert!(!solve(&format!("{out} --force")).status.success() && table.exists());
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

#[test]
fn a_damaged_table_of_another_program_does_not_hold() {
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| data.path().join(name);
    said(data.path(), "solve finkel:1");
    said(data.path(), &format!("convert finkel:1 {}", at("whole.rgu").display()));
    let whole = fs::read(at("whole.rgu")).unwrap();
    // The keys come before the values, which take twice as many bytes.
    let mut flipped = whole.clone();
    flipped[whole.len() / 4] ^= 0xff;
    let cases = [
        ("cut", &whole[..whole.len() / 2]),
        ("flipped", &flipped),
        ("empty", &[]),
        ("text", b"hello\n"),
    ];
    for (name, bytes) in cases {
        let table = at(&format!("{name}.rgu"));
        fs::write(&table, bytes).unwrap();
        let found = output(data.path(), &format!("table verify {} --json", table.display()));
        assert_eq!(found.status.code(), Some(1), "{name}: {found:?}");
        let verdict: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
        assert_eq!(verdict["holds"], false);
        assert!(verdict["error"].is_string(), "{name}: {verdict}");
    }
    // A table that cannot be read may hold.
    let missing = output(data.path(), &format!("table verify {}", at("no.rgu").display()));
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn one_thing_is_not_said_to_be_several() {
    let data = tempfile::tempdir().unwrap();
    let game = data.path().join("a.ur");
    fs::write(&game, "X: 0\n").unwrap();
    let lint = format!("lint {}", game.display());
    assert!(said(data.path(), &lint).ends_with(": 1 ply, read as ur\n"));
    let solved = said(data.path(), "solve finkel:1 --threads 1");
    assert!(solved.contains(", 1 thread, "), "{solved}");
    let book = said(data.path(), "book finkel:1 --plies 1");
    assert!(book.contains("in the first ply\n"), "{book}");
    said(data.path(), &format!("games add {}", game.display()));
    for (language, expected) in [
        ("en", "dark's turn, after one ply"),
        ("de", "Dunkel ist am Zug, nach einem Halbzug"),
        ("ar", "بعد نقلة واحدة"),
    ] {
        let shown = said(data.path(), &format!("games show 1 --language {language}"));
        assert!(shown.contains(expected), "{shown}");
    }
}

#[test]
fn long_names_leave_tables_their_columns() {
    let data = tempfile::tempdir().unwrap();
    let name = "n".repeat(200);
    let brain = data.path().join("brain.txt");
    fs::copy("tests/plain-brain.txt", &brain).unwrap();
    let folder = "./".repeat(60) + &data.path().display().to_string()[1..];
    let agents = format!("random,brain:/{folder}/brain.txt");
    let league = said(data.path(), &format!("league finkel:1 --games 2 --agents {agents}"));
    assert!(league.lines().all(|line| line.chars().count() <= 80), "{league}");
    let games = data.path().join("games");
    let played = format!("match finkel:2 greedy random --games 2 --records {}", games.display());
    said(data.path(), &played);
    let game = games.join("000001.urg");
    let text = fs::read_to_string(&game).unwrap();
    fs::write(&game, text.replace("light: greedy", &format!("light: {name}"))).unwrap();
    said(data.path(), &format!("games add {}", game.display()));
    let listed = said(data.path(), "games list");
    let head = listed.lines().next().unwrap().find("outcome").unwrap();
    assert!(listed.lines().all(|line| line[head..].len() < 20), "{listed}");
    let review = said(data.path(), &format!("review {}", game.display()));
    let width = |line: &str| line.chars().count();
    let totals: Vec<&str> = review.lines().skip_while(|line| !line.is_empty()).skip(1).collect();
    let rows = totals.iter().take_while(|line| !line.is_empty());
    assert!(totals[0].contains("nnn") && totals[0].ends_with(" random"), "{review}");
    assert!(rows.clone().count() > 5, "{review}");
    assert!(rows.clone().all(|line| width(line) == width(totals[0])), "{review}");
    assert!(width(totals[0]) <= 80, "{review}");
}

#[test]
fn nothing_is_given_away_without_a_sign() {
    let data = tempfile::tempdir().unwrap();
    let player = data.path().join("player.txt");
    // One piece a side leaves nothing to decide.
    let train = format!("train td finkel:1 --games 10 --out {}", player.display());
    for args in [&*train, "match finkel:1 greedy random --regret", "league finkel:1 --games 2"] {
        let said = said(data.path(), args);
        assert!(said.contains("0.000") && !said.contains("-0.0"), "{args}: {said}");
    }
}

#[test]
fn a_command_does_its_work_and_answers_although_nobody_reads() {
    let data = tempfile::tempdir().unwrap();
    let unread = |args: &str| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = ur(data.path());
        command.args(args.split(' ')).stdin(Stdio::null()).stdout(writer).output().unwrap()
    };
    for store in ["f64", "f32", "u16"] {
        said(data.path(), &format!("solve finkel:1 --store {store}"));
    }
    let removed = unread("table rm finkel:1 --yes");
    assert_eq!((removed.status.code(), &*removed.stderr), (Some(0), &b""[..]));
    assert_eq!(fs::read_dir(data.path().join("tables")).unwrap().count(), 0);
    let wrong = data.path().join("wrong.urg");
    fs::write(&wrong, "format: urg 1\nrules: finkel\n\nL 9 pass\n").unwrap();
    let answer = unread(&format!("lint {}", wrong.display()));
    assert_eq!((answer.status.code(), &*answer.stderr), (Some(1), &b""[..]));
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error() {
    let data = tempfile::tempdir().unwrap();
    for args in ["--help", "rules"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = ur(data.path()).arg(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn json_names_a_file_whose_name_is_no_text() {
    use std::os::unix::ffi::OsStrExt;

    let data = tempfile::tempdir().unwrap();
    let table = data.path().join(std::ffi::OsStr::from_bytes(b"a\xff.urt"));
    let solve = ["solve", "finkel:1", "--json", "--out"];
    let output = ur(data.path()).args(solve).arg(&table).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let solved: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(solved["table"].as_str().unwrap().ends_with("a\u{fffd}.urt"), "{solved}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_subcommand_that_is_no_text_is_a_wrong_one() {
    use std::os::unix::ffi::OsStrExt;

    let data = tempfile::tempdir().unwrap();
    for group in [&["rules"][..], &[]] {
        let output =
            ur(data.path()).args(group).arg(std::ffi::OsStr::from_bytes(b"\xff")).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("unrecognized subcommand"), "{said}");
    }
}

#[test]
fn what_is_written_to_stdout_is_what_is_written_to_a_file() {
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| data.path().join(name).display().to_string();
    fs::write(
        at("odd.rgn"),
        "[Rules finkel:2]\n[Site \"a\x1bXb \x1b[31m \x7f\"]\n\n1. A@A4 / C@C4\n",
    )
    .unwrap();
    for notation in ["rgn", "json", "urg"] {
        let file = at(&format!("out.{notation}"));
        said(data.path(), &format!("convert {} {file}", at("odd.rgn")));
        let stdout = said(data.path(), &format!("convert {} - --to {notation}", at("odd.rgn")));
        assert_eq!(stdout, fs::read_to_string(file).unwrap());
    }
}

#[test]
fn games_that_differ_by_what_only_some_notations_hold_are_no_copies() {
    let data = tempfile::tempdir().unwrap();
    let games = data.path().join("games");
    fs::create_dir(&games).unwrap();
    let head = "format: urg 1\nrules: finkel:2\nlight: Ann\ndark: Bea\n";
    let passed = "\nL doubles\nD passes\n";
    let game =
        |name: &str, rest: &str| fs::write(games.join(name), format!("{head}{rest}")).unwrap();
    game("1.urg", &format!("seed: 11\nstakes: cube 1, match 5-5\n{passed}"));
    game("2.urg", &format!("seed: 12\nstakes: cube 1, match 4-5\n{passed}"));
    game("3.urg", &format!("stakes: cube 1, match 4-5\n{passed}"));
    let run = output(data.path(), &format!("review {} --player Ann", games.display()));
    let [said, told] = [run.stdout, run.stderr].map(|it| String::from_utf8(it).unwrap());
    assert!(said.contains("Ann: 2 games, 2 won"), "{said}{told}");
    assert!(told.contains("3.urg is left out") && told.contains("2.urg"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_pipe_among_tables_is_told_and_not_waited_for() {
    let data = tempfile::tempdir().unwrap();
    said(data.path(), "solve finkel:1");
    let pipe = |name: &str| {
        let path = data.path().join("tables").join(name);
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        path
    };
    let (ours, foreign) = (pipe("pipe.urt"), pipe("pipe.rgu"));
    assert!(said(data.path(), "table list").contains("finkel:1"));
    for args in ["info", "verify"] {
        for path in [&ours, &foreign] {
            let refused = output(data.path(), &format!("table {args} {}", path.display()));
            let told = String::from_utf8_lossy(&refused.stderr);
            assert_eq!(refused.status.code(), Some(2), "{args}: {told}");
            assert!(told.contains("expected a file"), "{args}: {told}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_an_error_and_what_ignores_a_hang_up_goes_on() {
    let data = tempfile::tempdir().unwrap();
    let shell = |script: &str| {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", script])
            .env("UR", env!("CARGO_BIN_EXE_ur"))
            .env("UR_DATA_DIR", data.path());
        shell.env("UR_LANGUAGE", "en").current_dir(data.path()).output().unwrap()
    };
    let small = shell("ulimit -f 100; exec \"$UR\" solve finkel:2 --out small.urt");
    let told = String::from_utf8_lossy(&small.stderr);
    assert_eq!(small.status.code(), Some(2), "{told}");
    assert!(told.contains("File too large"), "{told}");
    let hung = shell(
        "trap '' HUP; \"$UR\" solve finkel:3 --no-bounds --threads 1 & sleep 0.3; kill -HUP $!; wait $!",
    );
    assert!(hung.status.success(), "{}", String::from_utf8_lossy(&hung.stderr));
}

#[test]
fn a_folder_with_the_name_of_rules_does_not_hide_their_table() {
    let data = tempfile::tempdir().unwrap();
    said(data.path(), "solve finkel:1");
    for folder in ["finkel:1", "other"] {
        fs::create_dir(data.path().join(folder)).unwrap();
    }
    let info = |what: &str| {
        ur(data.path()).args(["table", "info", what]).current_dir(data.path()).output().unwrap()
    };
    assert!(info("finkel:1").status.success());
    assert!(String::from_utf8_lossy(&info("other").stderr).contains("other is a folder"));
}
