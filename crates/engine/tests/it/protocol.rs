//! Laws of the engine protocol: what is read is written alike, and every line is answered by lines of the protocol.

use proptest::prelude::*;
use puabi_core::{RuleSet, Rules};
use puabi_engine::Greedy;
use puabi_engine::protocol::{Command, ProtocolEngine, Reaction, ReadyAgent, Reply};

fn preset(name: &str) -> Result<Rules, String> {
    let rule_set: RuleSet = name.parse().map_err(|_| format!("`{name}` is not a rule set"))?;
    rule_set.compile().map_err(|error| error.to_string())
}

/// Returns what an engine that is always ready to play answers to `lines`, one after the other.
fn answers(lines: &[&str]) -> Vec<String> {
    let mut engine =
        ProtocolEngine::new(preset("finkel").unwrap(), "greedy".parse().unwrap(), 1, &preset);
    let mut said = Vec::new();
    for line in lines {
        let ready = ReadyAgent { agent: &Greedy, values: None };
        if let Reaction::Replies(replies) = engine.react(line, Some(ready)) {
            said.extend(replies.iter().map(ToString::to_string));
        }
    }
    said
}

#[test]
fn a_move_needs_a_position_and_a_roll_that_the_dice_show() {
    let none = "error bad_state no position is set: expected `position ur -:-:L` before `go`";
    assert_eq!(answers(&["dice 1", "go"]), [none]);
    for wrong in ["dice", "dice 1 2"] {
        assert!(answers(&[wrong])[0].starts_with("error bad_command expected one roll"), "{wrong}");
    }
    assert!(answers(&["position ur 8:-:L", "go"])[0].starts_with("error bad_state no roll is set"));
    assert!(answers(&["position ur 8:-:L9"])[0].starts_with("error bad_value a roll of 9"));
    assert!(
        answers(&["dice 5"])[0]
            .starts_with("error bad_value a roll of 5 cannot be thrown: expected")
    );
    assert_eq!(answers(&["position ur 8:-:L", "dice 1", "go"]), ["bestmove 8-9"]);
    assert_eq!(answers(&["position ur 8:-:L0", "go"]), ["bestmove pass"]);
    // A new position needs a new roll, and new rules need a new position.
    assert!(answers(&["dice 1", "position ur 8:-:L", "go"])[0].starts_with("error bad_state"));
    let changed = answers(&["position ur 8:-:L1", "set game.variant finkel:2", "go"]);
    assert!(changed[0].starts_with("error bad_state no position"));
}

#[test]
fn keys_are_set_by_either_form_and_read_back() {
    let lines = ["setoption name Variant value finkel:3", "get game.variant", "set engine.seed 7"];
    assert_eq!(answers(&lines), ["value game.variant finkel:3"]);
    for (line, expected) in [
        ("set engine.seed -1", "error bad_value engine.seed: expected a whole number"),
        ("set engine.info yes", "error bad_value engine.info: expected true or false"),
        ("set engine.depth 3", "error unsupported `engine.depth` is not a key: expected one of"),
        ("set engine.agent god", "error bad_value engine.agent: `god` is not an agent"),
        ("set engine.seed", "error bad_command expected: set <key> <value>"),
        ("go now", "error bad_command `go` takes nothing after it: found `now`"),
        ("position", "error bad_command expected a position"),
    ] {
        assert!(answers(&[line])[0].starts_with(expected), "{line}: {:?}", answers(&[line]));
    }
}

proptest! {
    #[test]
    fn what_is_read_reads_back_as_it_is_written(
        line in "(ubgi|go|go turn|set|get|dice|position ur|bestmove|error|info|key|setoption name x value)[ a-z0-9:,+._-]{0,16}"
    ) {
        if let Ok(command) = line.parse::<Command>() {
            prop_assert_eq!(command.to_string().parse(), Ok(command));
        }
        if let Ok(reply) = line.parse::<Reply>() {
            prop_assert_eq!(reply.to_string().parse(), Ok(reply));
        }
    }

    #[test]
    fn an_engine_answers_whatever_it_hears_by_the_protocol(lines in prop::collection::vec(".{0,40}", 1..8)) {
        let lines: Vec<_> = lines.iter().map(String::as_str).collect();
        for said in answers(&lines) {
            prop_assert!(said.parse::<Reply>().is_ok() && said.lines().count() == 1, "{}", said);
        }
    }
}
