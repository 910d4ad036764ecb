//! The answers to shells that ask for the possible values of an argument.

use std::path::Path;

use super::{output, ur};

/// Returns the candidates that bash gets for the last of `words`.
fn completed(data: &Path, words: &str) -> Vec<String> {
    let words: Vec<_> = words.split(' ').collect();
    let mut command = ur(data);
    command.env("UR_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string());
    command.env("_CLAP_IFS", "\n").arg("--").args(words);
    let told = command.output().unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    String::from_utf8(told.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn completions_know_rules_agents_tables_games_and_topics() {
    let data = tempfile::tempdir().unwrap();
    let asked = |words: &str| completed(data.path(), words);
    assert_eq!(asked("ur table verify f"), [""; 0], "there is no table yet");
    assert_eq!(asked("ur games show 1"), [""; 0], "there is no game yet");
    assert!(!data.path().join("games.sqlite").exists(), "asking makes nothing");
    assert!(output(data.path(), "solve finkel:1").status.success());
    let game = data.path().join("game.urg").display().to_string();
    let play = format!("play finkel:1 --light greedy --dark random --seed 1 --plain --save {game}");
    for command in [play, format!("games add {game}")] {
        assert!(output(data.path(), &command).status.success(), "{command}");
    }

    assert_eq!(asked("ur solve mast"), ["masters", "masters-4d"]);
    assert_eq!(asked("ur value blitz:")[..2], ["blitz:1", "blitz:2"]);
    assert_eq!(asked("ur match finkel gre"), ["greedy"]);
    assert!(asked("ur play --against hum").contains(&"human".to_owned()));
    assert_eq!(asked("ur table verify f"), ["finkel:1"]);
    assert_eq!(asked("ur convert f"), ["finkel:1"]);
    assert_eq!(asked("ur train fit finkel --from fink"), [""; 0], "players lie in files");
    assert_eq!(asked("ur games show 1"), ["1"]);
    assert_eq!(asked("ur play --resume 1"), ["1"]);
    assert_eq!(asked("ur review 1"), ["1"]);
    assert_eq!(asked("ur help pos"), ["positions"]);
    assert_eq!(asked("ur rules show --tiles "), ["lanes", "chess"]);
}

#[test]
fn every_shell_has_a_script_that_asks_the_program() {
    let data = tempfile::tempdir().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = output(data.path(), &format!("completions {shell}"));
        assert!(script.status.success());
        assert!(String::from_utf8(script.stdout).unwrap().contains("UR_COMPLETE"), "{shell}");
    }
}

/// Returns what bash offers for the last word of `line`, which it splits into `words`.
#[cfg(unix)]
fn offered_by_bash(data: &Path, line: &str, words: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_ur"));
    let script = format!(
        "PATH={}:$PATH; source <(ur completions bash); COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}; \
         COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         _ur_with_colons ur '' ''; echo \"${{COMPREPLY[*]}}\"",
        program.parent().unwrap().display()
    );
    let mut bash = std::process::Command::new("bash");
    bash.args(["--norc", "-c", &script]).env("UR_DATA_DIR", data);
    String::from_utf8(bash.output().unwrap().stdout).unwrap().trim().to_owned()
}

#[cfg(unix)]
#[test]
fn bash_completes_words_with_colons() {
    let data = tempfile::tempdir().unwrap();
    let offered = |line, words| offered_by_bash(data.path(), line, words);
    assert_eq!(offered("ur solve mast", "ur solve mast"), "masters masters-4d");
    assert_eq!(offered("ur solve blitz:", "ur solve blitz :"), "1 2 3 4 5");
    assert_eq!(offered("ur solve blitz:3", "ur solve blitz : 3"), "3");
    assert_eq!(offered("ur match blitz:3 rand", "ur match blitz : 3 rand"), "random");
}
