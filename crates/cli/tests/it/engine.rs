//! Engines: `ur engine` for other programs, and other programs as agents, also if they fail.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{json, play, ur};

/// Returns the agent that is our program as an outside engine, which plays as `agent`.
fn ours(agent: &str) -> String {
    format!("engine:{} engine finkel:2 --agent {agent}", env!("CARGO_BIN_EXE_ur"))
}

/// Returns the JSON that `ur` prints, and its stderr.
fn json_and_stderr(data: &Path, args: &[&str]) -> (Value, String) {
    let output = ur(data).args(args).arg("--json").stdin(Stdio::null()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {stderr}");
    (serde_json::from_slice(&output.stdout).unwrap(), stderr)
}

/// Checks that `ur` refuses `args`, and returns its stderr.
fn refused(data: &Path, args: &[&str]) -> String {
    let output = ur(data).args(args).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Returns the sessions in a document, as input and output: blocks in which lines after `> ` go to the engine and the others are
/// its answers.
fn sessions(document: &str) -> Vec<(String, String)> {
    let blocks = document.split("```").skip(1).step_by(2);
    let sessions = blocks.filter_map(|block| block.strip_prefix("ubgi\n"));
    let split = |session: &str| {
        let (commands, said): (Vec<_>, Vec<_>) =
            session.lines().partition(|line| line.starts_with("> "));
        let commands: Vec<_> = commands.iter().map(|line| &line[2..]).collect();
        (commands.join("\n") + "\n", said.join("\n") + "\n")
    };
    sessions.map(split).collect()
}

#[test]
fn the_protocol_goes_as_the_document_says() {
    let data = tempfile::tempdir().unwrap();
    json(data.path(), "solve finkel:2 --json");
    let sessions = sessions(include_str!("../../../../docs/protocol.md"));
    assert!(!sessions.is_empty());
    for (commands, said) in sessions {
        let version = env!("CARGO_PKG_VERSION");
        let answers = play(data.path(), "engine finkel:2 --agent perfect --seed 1", &commands);
        assert_eq!(answers.replace(version, "VERSION"), said);
    }
}

#[test]
fn what_a_controller_says_wrongly_is_answered_and_the_engine_goes_on() {
    let data = tempfile::tempdir().unwrap();
    let long = "x".repeat(200_000);
    let commands = format!(
        "\u{feff}{long}\nub\0gi\nposition ur 99:-:L\nset engine.agent engine:ur\nset engine.agent level:8\nset game.variant masters\n\
         isready\nset game.variant god\ngo\nset engine.agent greedy\nisready\n"
    );
    let answers = play(data.path(), "engine", &commands);
    let codes: Vec<_> =
        answers.lines().map(|line| line.split(' ').nth(1).unwrap_or(line)).collect();
    let expected = [
        "bad_command",
        "bad_command",
        "bad_value",
        "bad_value",
        "bad_state",
        "bad_value",
        "bad_state",
        "readyok",
    ];
    assert_eq!(codes, expected, "{answers}");
}

#[test]
fn an_engine_reads_no_rules_from_where_its_controller_speaks() {
    let data = tempfile::tempdir().unwrap();
    let answers =
        play(data.path(), "engine", "set game.variant -\nset engine.agent greedy\nisready\n");
    assert!(answers.contains("error bad_value") && answers.ends_with("readyok\n"), "{answers}");
    assert!(refused(data.path(), &["engine", "-"]).contains("cannot come from stdin"));
}

#[test]
fn a_league_through_the_protocol_has_the_same_numbers_as_inside() {
    let data = tempfile::tempdir().unwrap();
    let league = |agents: &str| {
        let args = ["league", "finkel:2", "--agents", agents, "--games", "200", "--seed", "5"];
        let (report, stderr) = json_and_stderr(data.path(), &args);
        assert_eq!(stderr, "");
        let row = |entry: &Value| (entry["elo"].clone(), entry["mean"].clone());
        let rows: Vec<_> = report["agents"].as_array().unwrap().iter().map(row).collect();
        (rows, report["matrix"].clone())
    };
    assert_eq!(league(&format!("{},random,pips", ours("greedy"))), league("greedy,random,pips"));
}

#[test]
fn a_match_through_the_protocol_has_the_same_numbers_as_inside() {
    let data = tempfile::tempdir().unwrap();
    let found = |a: &str, b: &str| {
        let args = ["match", "finkel:2", a, b, "--games", "300", "--seed", "9"];
        let (report, _) = json_and_stderr(data.path(), &args);
        (report["a_mean"].clone(), report["interval"].clone(), report["mean_rolls"].clone())
    };
    // The records are of the games that were counted.
    let records = data.path().join("records");
    let args = ["match", "finkel:2", &ours("random"), "random", "--games", "40", "--records"];
    let (report, _) =
        json_and_stderr(data.path(), &[&args, &[records.to_str().unwrap()][..]].concat());
    let wins = |number: u64| {
        let text = std::fs::read_to_string(records.join(format!("{number:06}.urg"))).unwrap();
        let record: puabi_core::Record = text.parse().unwrap();
        let ours =
            if number % 2 == 1 { puabi_core::Player::Light } else { puabi_core::Player::Dark };
        u32::from(record.winner() == Some(ours))
    };
    let won: u32 = (1..=40).map(wins).sum();
    assert_eq!(report["a_mean"], f64::from(won) / 40.0);
    // The perfect player answers many games at once, but the engine answers each by itself.
    assert_eq!(found(&ours("greedy"), "perfect"), found("greedy", "perfect"));
    assert_eq!(found("greedy", &ours("perfect")), found("greedy", "perfect"));
}

#[test]
fn a_rule_set_of_ones_own_goes_through_the_protocol() {
    let data = tempfile::tempdir().unwrap();
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/rules/bridge.toml");
    let found = |a: &str| {
        let args = ["match", rules, a, "random", "--games", "20", "--seed", "3"];
        json_and_stderr(data.path(), &args).0["a_mean"].clone()
    };
    assert_eq!(found(&ours("greedy")), found("greedy"));
    let left: Vec<_> = std::fs::read_dir(data.path().join("engines")).unwrap().collect();
    assert!(left.is_empty(), "the rules that were written for the engine are removed");
}

#[test]
fn no_exact_result_can_be_had_with_an_engine() {
    let data = tempfile::tempdir().unwrap();
    let engine = ours("greedy");
    let (report, stderr) = json_and_stderr(data.path(), &["match", "finkel:1", &engine, "random"]);
    assert_eq!((&report["exact"], &report["games"]), (&false.into(), &1000.into()));
    assert!(stderr.contains("no exact result can be had with `engine:"), "{stderr}");
    for (args, expected) in [
        (vec!["match", "finkel:1", &engine, "random", "--regret"], "regret is exact"),
        (vec!["exploit", "finkel:1", &engine], "the best response is exact"),
        (vec!["engine", "--agent", &engine], "an engine cannot start another program"),
        (vec!["match", "finkel:1", "engine:./no such thing", "random"], "it cannot be started"),
        (vec!["match", "finkel:1", "engine:'x", "random"], "a quotation mark is not closed"),
        (vec!["match", "finkel:1", "engine: ", "random"], "expected the command that starts"),
        (vec!["serve", "--engine", "greedy"], "expected engine:COMMAND"),
        (
            vec!["serve", "--port", "0", "--engine", "engine:./no such thing"],
            "it cannot be started",
        ),
        (vec!["serve", "--port", "0", "--engine", "engine:true"], "does not start: it ended"),
        (
            vec!["serve", "--port", "0", "--engine", "engine:true", "--move-time", "30"],
            "may think for 30 seconds and an answer take 30",
        ),
    ] {
        let stderr = refused(data.path(), &args);
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
    }
}

#[test]
fn a_record_starts_no_program() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("game.urg");
    let file = file.to_str().unwrap();
    let touched = data.path().join("touched");
    let engine = format!("engine:touch {}", touched.display());
    play(
        data.path(),
        &format!("play finkel:1 --light human --dark human --seed 11 --save {file}"),
        "\n\n",
    );
    let record = std::fs::read_to_string(file).unwrap();
    std::fs::write(file, record.replace("dark: human", &format!("dark: {engine}"))).unwrap();
    assert!(std::fs::read_to_string(file).unwrap().contains(&engine));
    let stderr = refused(data.path(), &["play", "--resume", file]);
    assert!(stderr.contains("a record starts no program"), "{stderr}");
    assert!(!touched.exists());
}

/// Engines that fail, as scripts of a shell. Each introduces itself first.
#[cfg(unix)]
mod failing {
    use super::*;

    /// Writes a script that introduces itself as an engine and then does `body` for each line that it reads; returns it as an
    /// agent.
    fn script(data: &Path, body: &str) -> String {
        let file = data.join("engine.sh");
        let script = format!(
            "echo started >&2\nwhile read line; do\ncase \"$line\" in\nubgi) echo ubgiok;;\nisready) echo readyok;;\n\
             {body}\nesac\ndone\n"
        );
        std::fs::write(&file, script).unwrap();
        format!("engine:sh {}", file.display())
    }

    /// Plays a match of a few games against a script, which must give up all of them, and returns the stderr of `ur`.
    fn fails(body: &str, more: &[&str]) -> String {
        let data = tempfile::tempdir().unwrap();
        let engine = script(data.path(), body);
        let args = ["match", "finkel:3", &engine, "random", "--games", "4", "--threads", "1"];
        let (report, stderr) = json_and_stderr(data.path(), &[&args, more].concat());
        assert_eq!(
            (&report["a_mean"], &report["forfeits"][0]),
            (&0.0.into(), &4.into()),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), 4, "{stderr}");
        let (_, log) = stderr.lines().next().unwrap().rsplit_once("its log is ").unwrap();
        let log = std::fs::read_to_string(log).unwrap();
        assert!(log.contains("started") && log.contains("position ur "), "{log}");
        stderr
    }

    #[test]
    fn an_engine_that_is_killed_gives_the_game_up() {
        let stderr = fails("go) kill -9 $$;;", &[]);
        assert!(stderr.contains("gives a game up: it ended (signal: 9"), "{stderr}");
        assert!(fails("go) exit 3;;", &[]).contains("it ended (exit status: 3)"));
    }

    #[test]
    fn an_engine_that_says_garbage_gives_the_game_up() {
        assert!(
            fails("go) echo hello;;", &[]).contains("`hello` is not an answer: expected bestmove")
        );
        assert!(fails("go) printf '\\377\\0\\n';;", &[]).contains("is not an answer"));
        assert!(
            fails("go) echo bestmove e2e4;;", &[]).contains("`bestmove e2e4` is not an answer")
        );
        assert!(
            fails("go) echo bestmove 14-off;;", &[]).contains("`14-off` is not a legal move after")
        );
        assert!(fails("go) echo error bad_state no;;", &[]).contains("it refuses `position ur "));
        assert!(
            fails("go) echo readyok;;", &[]).contains("it answers `readyok`: expected bestmove")
        );
    }

    #[test]
    fn an_engine_that_never_ends_a_line_gives_the_game_up() {
        let stderr = fails("go) tr '\\0' x < /dev/zero;;", &[]);
        assert!(stderr.contains("a line of its answer is longer than 65536 bytes"), "{stderr}");
    }

    #[test]
    fn an_engine_that_does_not_answer_in_time_gives_the_game_up() {
        let began = Instant::now();
        let stderr = fails("go) sleep 1000;;", &["--move-time", "0.1"]);
        assert!(stderr.contains("no answer within 0.1 s to `position ur "), "{stderr}");
        let chatter = "go) while echo info depth 1; do :; done;;";
        assert!(fails(chatter, &["--move-time", "0.1"]).contains("no answer within 0.1 s"));
        let flood = "go) yes info;;";
        assert!(fails(flood, &["--move-time", "0.1"]).contains("no answer within 0.1 s"));
        assert!(began.elapsed() < Duration::from_mins(1));
    }

    #[test]
    fn an_engine_that_speaks_unasked_gives_the_game_up() {
        // The first answer is legal; whatever comes second was not asked for, however late it comes.
        let body =
            "position*) ;;\ndice*) d=${line#dice };;\ngo) echo bestmove 0-$d; echo bestmove 0-$d;;";
        let data = tempfile::tempdir().unwrap();
        let engine = script(data.path(), body);
        let args = ["match", "finkel:3", &engine, "random", "--games", "2", "--seed", "1"];
        let (report, stderr) = json_and_stderr(data.path(), &args);
        assert_eq!(report["forfeits"][0], 2, "{stderr}");
        assert_eq!(stderr.matches("before it is asked").count(), 2, "{stderr}");
    }

    #[test]
    fn an_engine_that_always_fails_is_not_started_for_ever() {
        let data = tempfile::tempdir().unwrap();
        let engine = script(data.path(), "go) exit;;");
        let args = ["match", "finkel:3", &engine, "random", "--games", "200", "--threads", "1"];
        let (report, stderr) = json_and_stderr(data.path(), &args);
        assert_eq!(report["forfeits"][0], 200);
        assert_eq!(stderr.lines().count(), 11, "{stderr}");
        assert!(stderr.ends_with("it is not started again, and gives all other games up\n"));
    }

    /// Starts a match without end against an engine that writes the lines that it reads to `heard`, waits until it has read `go`,
    /// and returns the process of the match.
    fn endless(data: &Path, engine: &str) -> std::process::Child {
        use std::os::unix::process::CommandExt;
        let mut command = ur(data);
        command.args(["match", "finkel:2", engine, "random", "--games", "1000000", "--json"]);
        command.process_group(0).stdout(Stdio::piped());
        let child = command.spawn().unwrap();
        let heard = || std::fs::read_to_string(data.join("heard")).unwrap_or_default();
        while !heard().contains("go\n") {
            std::thread::sleep(Duration::from_millis(10));
        }
        child
    }

    /// Sends the signal of Ctrl-C to a program and all others of its group, as a terminal does.
    fn interrupt(child: &std::process::Child) {
        let group = nix::unistd::Pid::from_raw(child.id().try_into().unwrap());
        nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGINT).unwrap();
    }

    #[test]
    fn ctrl_c_ends_an_engine_that_solves() {
        let data = tempfile::tempdir().unwrap();
        let mut command = ur(data.path());
        command.args(["engine", "finkel:5", "--agent", "perfect"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"isready\n").unwrap();
        // From here on, Ctrl-C is for the solve.
        while !data.path().join("tables/finkel-5.urt.part").exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let engine = nix::unistd::Pid::from_raw(child.id().try_into().unwrap());
        nix::sys::signal::kill(engine, nix::sys::signal::Signal::SIGINT).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        drop(stdin);
    }

    #[test]
    fn ctrl_c_ends_a_match_and_is_no_fault_of_an_engine() {
        let data = tempfile::tempdir().unwrap();
        let (heard, ours) = (data.path().join("heard"), ours("greedy"));
        let ours = ours.strip_prefix("engine:").unwrap();
        let engine = format!("engine:sh -c 'tee {} | {ours}'", heard.display());
        let child = endless(data.path(), &engine);
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["forfeits"], Value::Null, "{report}");
    }

    #[test]
    fn an_engine_that_thinks_ends_with_the_program() {
        let data = tempfile::tempdir().unwrap();
        let [heard, ticks] = ["heard", "ticks"].map(|name| data.path().join(name));
        let think = format!(
            "echo go > {}; while :; do echo >> {}; sleep 0.01; done;;",
            heard.display(),
            ticks.display()
        );
        let child = endless(data.path(), &script(data.path(), &format!("go) {think}")));
        // The first Ctrl-C asks for the result so far, so the program goes on for now.
        interrupt(&child);
        std::thread::sleep(Duration::from_millis(100));
        interrupt(&child);
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
        let length = || std::fs::read(&ticks).unwrap().len();
        let before = length();
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(length(), before);
    }

    #[test]
    fn an_engine_that_never_gets_ready_ends_with_the_program() {
        let data = tempfile::tempdir().unwrap();
        let pid = data.path().join("pid");
        let engine = format!("engine:sh -c 'echo $$ > {}; exec sleep 1000'", pid.display());
        let played = ["play", "finkel:2", "--plain", "--dark", &engine];
        for args in [&["match", "finkel:2", &engine, "random"][..], &played] {
            let _ = std::fs::remove_file(&pid);
            let mut command = ur(data.path());
            command.args(args).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            let engine = loop {
                let text = std::fs::read_to_string(&pid).unwrap_or_default();
                match text.trim().parse() {
                    Ok(pid) => break nix::unistd::Pid::from_raw(pid),
                    Err(_) => std::thread::sleep(Duration::from_millis(5)),
                }
            };
            let ours = nix::unistd::Pid::from_raw(child.id().try_into().unwrap());
            nix::sys::signal::kill(ours, nix::sys::signal::Signal::SIGINT).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(130), "{args:?}");
            // It has been killed; whoever reaps it does so soon.
            let is_there = || nix::sys::signal::kill(engine, None).is_ok();
            let began = Instant::now();
            while is_there() && began.elapsed() < Duration::from_secs(10) {
                std::thread::sleep(Duration::from_millis(5));
            }
            assert!(!is_there(), "{args:?}");
        }
    }

    #[test]
    fn a_game_against_an_engine_that_fails_is_won() {
        let data = tempfile::tempdir().unwrap();
        let engine = script(data.path(), "go) exit;;");
        let file = data.path().join("game.urg");
        let mut command = ur(data.path());
        command.args(["play", "finkel:3", "--light", "random", "--dark", &engine, "--seed", "2"]);
        let output = command.arg("--save").arg(&file).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(") gives the game up: it ended"), "{text}");
        assert!(text.contains("dark resigned; light wins, "), "{text}");
        let record: puabi_core::Record = std::fs::read_to_string(file).unwrap().parse().unwrap();
        assert_eq!(record.winner(), Some(puabi_core::Player::Light));
    }

    /// The engine in 40 lines plays a league; it has a moment for each of its moves.
    #[test]
    fn an_engine_in_forty_lines_of_python_plays_a_league() {
        const SOURCE: &str = include_str!("../engine/foremost.py");
        assert!(SOURCE.lines().count() <= 40);
        let Ok(python) = std::process::Command::new("python3").arg("--version").output() else {
            return;
        };
        assert!(python.status.success());
        let data = tempfile::tempdir().unwrap();
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/foremost.py");
        let agents = format!("engine:python3 {file},last-move,random");
        let args = ["league", "finkel:2", "--agents", &agents, "--games", "500", "--seed", "4"];
        let (report, stderr) = json_and_stderr(data.path(), &args);
        assert_eq!(stderr, "");
        let of = |name: &str| {
            let rows = report["agents"].as_array().unwrap();
            let row = rows.iter().find(|row| row["agent"].as_str().unwrap().starts_with(name));
            row.unwrap()["mean"].as_f64().unwrap()
        };
        // The engine plays as `last-move` does: with the same dice, the two win alike against each other and against a third
        // agent.
        assert!((of("engine:") - of("last-move")).abs() < 1e-12);
    }
}
