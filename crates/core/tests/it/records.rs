//! Game records: what is written reads back, and errors say where the fault is.

use proptest::prelude::*;
use puabi_core::{AbandonReason, Ending, Game, Note, Player, Record, Roll, RuleSet};

use crate::boards;

fn error(text: &str) -> String {
    text.parse::<Record>().unwrap_err().to_string()
}

proptest! {
    #[test]
    fn records_read_back(game in boards::games(), name in "[^\\p{C}\\p{Z}]{0,20}", seed in any::<u64>()) {
        let mut record = Record::new(game);
        record.set_header("light", &name).unwrap();
        record.set_header("seed", &seed.to_string()).unwrap();
        record.set_header("event", "Ur: \"#1\"").unwrap();
        let text = record.to_string();
        let read: Record = text.parse().unwrap();
        prop_assert_eq!(read.seed(), Some(seed));
        prop_assert_eq!(&read, &record);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn notes_tags_and_endings_read_back(game in boards::games(), notes in notes(), ending in ending()) {
        let mut record = Record::new(game);
        record.tags.set("Round \"2\"", "a\nb ");
        let moments = record.game.plies().len() + 2;
        for (at, note) in notes {
            record.set_note(at % moments, note);
        }
        record.ending = ending.filter(|_| !record.game.is_over());
        let text = record.to_string();
        let read: Record = text.parse().unwrap();
        prop_assert_eq!(&read, &record, "{}", text);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn no_text_makes_the_reader_panic(rest in "[LD0-9a-f #:|\\-\n]{0,60}") {
        let _ = format!("format: urg 1\n{rest}").parse::<Record>();
        let _ = format!("format: urg 1\nrules: finkel\n\n{rest}").parse::<Record>();
    }
}

/// Notes of some moments.
fn notes() -> impl Strategy<Value = Vec<(usize, Note)>> {
    let note = (0..9_u64, "[ a#@\"\n]{0,9}", proptest::option::of(".{0,5}"));
    let note = note.prop_map(|(millis, comment, tag)| {
        let mut note = Note::new(millis * 500).with_comment(&comment);
        if let Some(tag) = tag {
            note.tags.set(tag.clone(), tag);
        }
        note
    });
    proptest::collection::vec((any::<usize>(), note), 0..9)
}

fn ending() -> impl Strategy<Value = Option<Ending>> {
    let (by, reason) = (Some(Player::Dark), AbandonReason::PlayerLeft);
    proptest::option::of(prop_oneof![
        Just(Ending::Resigned(Player::Light)),
        Just(Ending::Abandoned { by, reason }),
        Just(Ending::Abandoned { by: None, reason: AbandonReason::External }),
    ])
}

#[test]
fn what_is_said_stands_with_what_it_is_said_of() {
    let text = "format: urg 1\nrules: finkel:1\n\"Event\": \"Final\"\n# first words\n\n\
                # of the start\nL 4 0-4 @1500 # well\n\n# played\n\"Win\": \"61.2\"\nL 1 4-5\nresigned D @9000";
    let record: Record = text.parse().unwrap();
    assert_eq!(record.tags.get("Event"), Some("Final"));
    let note = |moment| record.note(moment).unwrap();
    assert_eq!(note(0).comment(), "first words\nof the start");
    assert_eq!((note(1).comment(), note(1).millis()), ("well\nplayed", 1_500));
    assert_eq!(note(1).tags.get("Win"), Some("61.2"));
    assert_eq!(record.note(2), None);
    assert_eq!(note(3).millis(), 9_000);
    assert_eq!(record.ending, Some(Ending::Resigned(Player::Dark)));
}

#[test]
fn what_is_said_of_a_roll_that_waits_is_kept_beside_what_is_said_of_the_ending() {
    let head = "format: urg 1\nrules: finkel:1\n\n";
    let text =
        format!("{head}L 4 @900 # well\n\"A\": \"1\"\nresigned L @950 # enough\n\"B\": \"2\"\n");
    let record: Record = text.parse().unwrap();
    let tags = "\"A\": \"1\"\n\"B\": \"2\"\n";
    let expected = format!("{head}L 4\nresigned L @950 # well\n# enough\n{tags}");
    assert_eq!(record.to_string(), expected);
    assert_eq!(expected.parse(), Ok(record));
}

#[test]
fn nothing_is_said_of_an_end_that_a_double_puts_off() {
    let text = "format: urg 1\nrules: finkel\nstakes: cube 1 to 64\n\nL 4 0-4\nL doubles\n";
    let mut record: Record = text.parse().unwrap();
    record.set_note(2, Note::new(900).with_comment("later"));
    assert_eq!(record.to_string(), text);
}

#[test]
fn a_game_given_up_while_a_double_waits_is_over_and_counts_what_it_did_before() {
    for player in Player::BOTH {
        let text = "format: urg 1\nrules: finkel\nstakes: cube 1 to 64\n\nL 4 0-4\nL doubles\n";
        let mut record: Record = text.parse().unwrap();
        assert_eq!(record.answering(), Some(Player::Dark));
        record.ending = Some(Ending::Resigned(player));
        record.set_note(2, Note::new(900).with_comment("enough"));
        let text = format!("{text}resigned {} @900 # enough\n", player.letter());
        assert_eq!(record.to_string(), text);
        let mut read: Record = text.parse().unwrap();
        assert_eq!(read, record);
        assert_eq!((read.winner(), read.answering()), (Some(player.opponent()), None));
        assert_eq!(read.stakes().unwrap().to_string(), "cube 1 to 64");
        assert!(format!("{text}D takes\n").parse::<Record>().is_err());
        assert!(read.reopen() && read.answering() == Some(Player::Dark));
    }
}

#[test]
fn a_rule_file_stands_within_the_record() {
    let rule_set = RuleSet::from_toml("name = \"Ours\"\npath = \"bell\"\npieces = 1").unwrap();
    let text = Record::new(Game::new(rule_set.compile().unwrap())).to_string();
    assert!(
        text.starts_with("format: urg 1\nrules: |\n| name = \"Ours\"\n| path = \"bell\"\n"),
        "{text}"
    );
    let read: Record = text.parse().unwrap();
    assert_eq!(*read.game.rules().rule_set(), rule_set);
}

#[test]
fn a_start_without_the_first_roll_of_the_rules_is_written() {
    let rule_set =
        RuleSet { name: "thrown".into(), first_roll: Some(Roll::new(3)), ..RuleSet::FINKEL };
    let rules = rule_set.compile().unwrap();
    for start in ["-:-:L", "-:-:L2", "-:-:D3"] {
        let game = Game::from_setup(rules.clone(), start.parse().unwrap()).unwrap();
        let record = Record::new(game);
        assert!(record.to_string().contains(&format!("\nstart: {start}\n")), "{record}");
        assert_eq!(record.to_string().parse(), Ok(record));
    }
    let usual = Record::new(Game::new(rules));
    assert!(!usual.to_string().contains("start:"), "{usual}");
    assert_eq!(usual.to_string().parse(), Ok(usual));
}

#[test]
fn comments_blank_lines_and_line_ends_of_any_kind_are_read() {
    let text = "# a game\r\nformat: urg 1\r\nrules: finkel:2\r\n# names\r\ndark: Enheduanna #2\r\n\r\n\
                # opening\r\nL 4 0-4 # rosette\r\n\r\n  L  1  pass#no\r\n";
    assert_eq!(
        error(text),
        "line 10, column 9: pass is not legal with a roll of 1: legal are 0-1, 4-5"
    );
    let record: Record = text.replace("pass#no", "4-5#yes").parse().unwrap();
    assert_eq!(record.header("dark"), Some("Enheduanna #2"));
    assert_eq!(record.game.setup().to_string(), "5:-:D");
}

#[test]
fn errors_say_where_and_what_would_be_right() {
    let head = "format: urg 1\nrules: finkel:1\n";
    let cases = [
        (
            "",
            "line 1, column 1: found nothing: expected `format: urg 1` as the first line of a game record",
        ),
        (
            "format: urg 2",
            "line 1, column 1: found `format: urg 2`: expected `format: urg 1` as the first line of a game record",
        ),
        (
            "format: urg 1\n\n",
            "line 1, column 1: the header `rules` is missing: expected `rules: finkel`, another preset, or `rules: |` and a rule file",
        ),
        (
            "format: urg 1\nrules: |\n| path = \"bell\"\n# note\n| dice = 4",
            "line 5, column 10: `dice` is the number 4: expected a text such as \"4d\" or \"3d0=4\"",
        ),
        (
            "format: urg 1\nrules: |\n\n",
            "line 2, column 1: `path` is missing: expected \"bell\", \"masters\", \"aseb\", \"murray\", \"skiriuk\", \"forgotten\", \"simple\", \"dmytro\", or a table [path] that draws a board",
        ),
        (
            &format!("{head}L 3 0-3"),
            "line 3, column 1: `L 3 0-3` is not a header: expected `key: value`, or a blank line before the first ply",
        ),
        (
            &format!("{head}seed: -1\n"),
            "line 3, column 1: `-1` is not a seed: expected a whole number from 0 to 18446744073709551615",
        ),
        (
            &format!("{head}light: a\nlight: b\n"),
            "line 4, column 1: a second header `light`: expected one",
        ),
        (
            &format!("{head}Light: a\n"),
            "line 3, column 1: `Light` cannot be a header: expected up to 40 of a to z, 0 to 9 and -, and none of format, rules, start, stakes",
        ),
        (
            &format!("{head}start: 15:-:L\n"),
            "line 3, column 8: light has a piece on square 15, but the path has 14 squares",
        ),
        (
            &format!("{head}\nL x\n"),
            "line 4, column 3: `x` is not a ply: expected player, roll and move, as in `L 3 0-3`",
        ),
        (
            &format!("{head}\nL 3 0-3 3-6\n"),
            "line 4, column 9: `3-6` is not a ply: expected player, roll and move, as in `L 3 0-3`",
        ),
        (
            &format!("{head}\nD 3 0-3\n"),
            "line 4, column 1: found a ply of dark: expected one of light, whose turn it is",
        ),
        (
            &format!("{head}\nL 5 0-5\n"),
            "line 4, column 3: a roll of 5 cannot be thrown: expected one of 0, 1, 2, 3, 4",
        ),
        (
            &format!("{head}\nL 3 0-4\n"),
            "line 4, column 5: 0-4 is not legal with a roll of 3: legal is only 0-3",
        ),
        (
            &format!("{head}\nL 3 3\n"),
            "line 4, column 5: `3` is not a move: expected `0-4` (enter), `3-7`, `14-off` or `pass`",
        ),
        (
            &format!("{head}\nL 3\nL 3 0-3"),
            "line 4, column 1: this line has no move, but the record goes on: expected a move, as in `L 3 0-3`, on every ply but the last",
        ),
        (
            &format!("{head}start: 14:-:L1\n\nL 1 14-off\nD 0 pass"),
            "line 6, column 3: the game is over: light has won",
        ),
        (
            &format!("{head}\nwon L"),
            "line 4, column 5: light has not won: expected `won` only after the piece that wins is home",
        ),
        (
            &format!("{head}\nresigned X"),
            "line 4, column 1: `resigned X` is not an ending: expected `resigned L`, `abandoned player_left`, `abandoned D external` or the like",
        ),
        (
            &format!("{head}\nresigned L\nL 0 pass"),
            "line 4, column 1: this line has no move, but the record goes on: expected a move, as in `L 3 0-3`, on every ply but the last",
        ),
        (
            &format!("{head}\n\"Event: 3"),
            "line 4, column 1: `\"Event: 3` is not a tag: expected a key and a value in quotes, as in `\"Event\": \"Final\"`",
        ),
        (
            &format!("{head}start: 14:-:L1\n\nL 2 0-2"),
            "line 5, column 3: found a roll of 2: expected 1, with which the game starts",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn parts_of_lines_and_numbers_that_mean_nothing_are_refused() {
    for (lines, expected) in [
        ("\nresigned L @12 junk", "`resigned L @12 junk` is not an ending: expected"),
        ("\nresigned L@5", "`resigned L@5` is not an ending: expected"),
        ("\n- @5\n- @7\nL 0 pass", "line 5, column 1: `-` is not a ply: expected"),
        (
            "seed: 007",
            "`007` is not a seed: expected a whole number from 0 to 18446744073709551615",
        ),
        (
            "next: abc",
            "`abc` is not a number of a game: expected a whole number from 0 to 9223372036854775807",
        ),
        ("start: 14+6:-:L\n\nL 1 14-off\nD", "line 6, column 1: the game is over: light has won"),
    ] {
        let said = refused(lines);
        assert!(said.contains(expected), "{lines:?}: {said}");
    }
}

#[test]
fn headers_that_cannot_be_read_back_are_refused() {
    let mut record = Record::new(Game::new(RuleSet::FINKEL.compile().unwrap()));
    for (key, value) in [
        ("rules", "x"),
        ("", "x"),
        ("a b", "x"),
        ("light", "a\nb"),
        ("light", " a"),
        ("light", "a\u{202e}b"),
        ("seed", "1.5"),
    ] {
        assert!(record.set_header(key, value).is_err(), "{key}: {value}");
    }
    record.set_header("light", "Ann").unwrap();
    record.set_header("light", "Bea").unwrap();
    assert_eq!(record.headers().collect::<Vec<_>>(), [("light", "Bea")]);
}

#[test]
fn what_turns_the_direction_of_text_is_left_out_of_names() {
    let text = "format: urg 1\nrules: finkel\nlight: \u{2066} a\u{202e}b\u{2066}\n\nL 0 pass # c\u{202e}d\n";
    let record: Record = text.parse().unwrap();
    assert_eq!(record.header("light"), Some("ab"));
    assert_eq!(record.note(1).unwrap().comment(), "c d");
    let turned = RuleSet { name: "a\u{202e}b".into(), ..RuleSet::FINKEL };
    assert!(turned.compile().is_err());
}

#[test]
fn a_record_of_any_length_is_refused_at_once() {
    let text = "#".repeat(Record::MAX_BYTES + 1);
    assert!(error(&text).contains("67108865 bytes: expected a record of at most 67108864"));
}

#[test]
fn a_long_record_is_read_in_linear_time() {
    // 400,000 plies; a quadratic reader would take hours.
    let text =
        format!("format: urg 1\nrules: finkel\n\n{}", "L 0 pass\nD 0 pass\n".repeat(200_000));
    assert_eq!(text.parse::<Record>().unwrap().game.plies().len(), 400_000);
    let remarks = format!("format: urg 1\nrules: finkel\n\n{}", "# so\n".repeat(400_000));
    assert_eq!(remarks.parse::<Record>().unwrap().note(0).unwrap().comment().len(), 1_199_999);
    let tags: Vec<_> = (0..100_000).map(|n| format!("\"{n}\": \"\"")).collect();
    let tags = format!("format: urg 1\nrules: finkel\n{}\n", tags.join("\n"));
    assert_eq!(tags.parse::<Record>().unwrap().tags.iter().count(), 100_000);
}

#[test]
fn errors_name_what_they_are_about() {
    for (lines, expected) in [
        (
            "\nL 3 0-3 @-1",
            "line 4, column 9: `@-1` is not a time: expected milliseconds after `@`, as in `L 3 0-3 @1500`",
        ),
        (
            "\nL 3 0-3\n\"a\": \"b\"\n\"a\": \"c\"",
            "line 6, column 1: a second tag `a`: expected one",
        ),
        (
            "stakes: cube 1 to 63",
            "line 3, column 9: a cube that goes up to 63: expected a power of two from 1 to 65536",
        ),
    ] {
        assert_eq!(refused(lines), expected);
    }
    let own = "format: urg 1\nrules: my.toml\n".parse::<Record>().unwrap_err().to_string();
    assert!(
        own.starts_with("line 2, column 8: `my.toml` is not a preset: expected one of finkel, "),
        "{own}"
    );
    assert!(own.ends_with("or `rules: |` and a rule file"), "{own}");
}

/// Returns the error of a record of `finkel` with these lines after its rules.
fn refused(lines: &str) -> String {
    let text = format!("format: urg 1\nrules: finkel\n{lines}\n");
    text.parse::<Record>().unwrap_err().to_string()
}

#[test]
fn stakes_and_doubles_that_cannot_be_are_refused_with_what_would_be_right() {
    for (lines, expected) in [
        ("stakes: cube 16:light, match 3-5", "a cube at 16 in a match at 3-5: expected 8 at most"),
        ("stakes: cube 8:light to 4", "a cube at 8: expected 4 at most, its cap"),
        ("stakes: cube 1 to +64", "`cube 1 to +64` are not stakes"),
        ("stakes: cube 3 to 64", "is not a cube: expected a value and its owner"),
        ("stakes: cube 1, match 0-5", "a player who needs 0 points: expected 1 to 99"),
        ("stakes: cube 1, match 3-100", "a player who needs 100 points: expected 1 to 99"),
        ("stakes: cube 1, match 2-5:crawford", "expected a player who needs one point"),
        ("stakes: cube 2:dark, match 1-5:crawford", "expected none until this game is over"),
        ("\nL doubles", "a double in a game without a cube"),
        ("stakes: cube 1 to 64\n\nD doubles", "dark doubles: expected light, whose turn it is"),
        ("stakes: cube 1 to 64\n\nD takes", "an answer without a double"),
        ("stakes: cube 1 to 64\n\nL doubles\nL 2 0-2", "dark has to answer a double"),
        ("stakes: cube 1 to 64\n\nL doubles\nL takes", "light takes: expected dark"),
        (
            "stakes: cube 1 to 64\n\nL doubles\nD takes\nL doubles",
            "a second double before one roll",
        ),
        (
            "stakes: cube 1 to 64\n\nL doubles\nD takes\nL 2 0-2\nD 2 0-2\nL doubles",
            "a double by light: expected dark, who owns the cube at 2",
        ),
        ("stakes: cube 2:light to 2\n\nL doubles", "a double of a cube at 2: expected none"),
        ("stakes: cube 1, match 1-5:crawford\n\nL doubles", "a double in the Crawford game"),
        ("stakes: cube 1 to 64\n\nL doubles\nD passes\nL 2 0-2", "the record goes on"),
    ] {
        let said = refused(lines);
        assert!(said.contains(expected), "{lines:?}: {said}");
    }
    // After the Crawford game light may need one point and own a cube that dark has doubled: this is not refused.
    let head = "format: urg 1\nrules: finkel\nstakes: cube 2:light, match 1-9\n";
    assert!(head.parse::<Record>().is_ok());
}
