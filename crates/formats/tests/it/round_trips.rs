//! What is written reads back.

use std::sync::Arc;

use proptest::prelude::*;
use puabi_core::{Game, Move, Note, Player, Record, Roll, RuleSet, Setup};
use puabi_formats::{Notation, PositionCode};

use crate::games::{foreign_presets, games, presets, records};

fn read_back(notation: Notation, record: &Record) -> Record {
    let written = notation.write(record).unwrap();
    let reading = notation.read(&written.text, None);
    let reading = reading.unwrap_or_else(|error| panic!("{error}\n{}", written.text));
    assert_eq!(reading.remarks, [], "{}", written.text);
    reading.record
}

/// Returns the record without the parts that a notation says it loses.
fn without_losses(notation: Notation, record: &Record) -> Record {
    let lost = notation.write(record).unwrap().lost;
    let mut game = record.game.clone();
    let keeps = |what| !lost.contains(&what);
    if !keeps("that dark begins") {
        let start = Setup { turn: Player::Light, ..game.start().clone() };
        game = Game::from_setup(Arc::clone(game.rules()), start).unwrap();
    }
    if !keeps("that the pass of the last roll is still to be played") {
        game.play(Move::Pass).unwrap();
    }
    let mut kept = Record::new(game);
    let keeps_names = keeps("the names") && keeps("the name of one player");
    for (key, value) in record.headers() {
        let is_name = ["light", "dark"].contains(&key);
        let is_kept = if is_name { keeps_names } else { keeps("the headers other than the names") };
        if is_kept {
            kept.set_header(key, value).unwrap();
        }
    }
    if keeps("the tags") {
        kept.tags = record.tags.clone();
    }
    if !keeps("tags whose names our own tags use") {
        let is_rgn = notation == Notation::Rgn;
        let light = record.header("light").map(|_| "Light");
        let taken = if is_rgn { &["Rules", "Start", "End"][..] } else { &["Rules"] };
        taken.iter().copied().chain(light).for_each(|name| kept.tags.remove(name));
    }
    kept.ending = record.ending.filter(|_| keeps("how the game ended"));
    let end = record.game.plies().len() + 1;
    for (moment, note) in record.notes() {
        let millis = if keeps("the times") { note.millis() } else { 0 };
        let on_end = moment == end && !keeps("the comment on the end");
        let mut left = Note::new(millis).with_comment(if on_end { "" } else { note.comment() });
        if keeps("the tags of plies") {
            left.tags = note.tags.clone();
            if !left.comment().is_empty() {
                left.tags.remove("Comment");
            }
        }
        kept.set_note(moment, left);
    }
    kept
}

fn losses_are_all_that_is_lost(notation: Notation, record: &Record) {
    // As texts, which a failure can show; by the first of the laws below they are as good as the records.
    let (found, expected) = (read_back(notation, record), without_losses(notation, record));
    let (found, expected) = (found.to_string(), expected.to_string());
    let lines = found.lines().zip(expected.lines());
    lines.for_each(|(found, expected)| assert_eq!(found, expected));
    assert_eq!(found.lines().count(), expected.lines().count());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn our_own_records_lose_nothing(record in records(presets())) {
        let read = read_back(Notation::Urg, &record);
        prop_assert!(read == record, "{}", record);
    }

    #[test]
    fn json_loses_what_it_says(record in records(foreign_presets())) {
        let lost = Notation::Json.write(&record).unwrap().lost;
        let few = ["that the pass of the last roll is still to be played", "tags whose names our own tags use"];
        prop_assert!(lost.iter().all(|what| few.contains(what)));
        losses_are_all_that_is_lost(Notation::Json, &record);
    }

    #[test]
    fn rgn_loses_what_it_says(record in records(foreign_presets())) {
        losses_are_all_that_is_lost(Notation::Rgn, &record);
    }

    #[test]
    fn logs_lose_what_they_say(record in records(Just(RuleSet::FINKEL))) {
        let lost = Notation::Log.write(&record).unwrap().lost;
        prop_assume!(!lost.contains(&"that the first roll is given"));
        losses_are_all_that_is_lost(Notation::Log, &record);
    }

    #[test]
    fn position_codes_read_back(game in games(Just(RuleSet::FINKEL))) {
        for ply in game.plies() {
            let code = PositionCode::new(ply.before);
            let [mine, theirs] = code.sides().unwrap();
            prop_assert_eq!(mine, ply.before.mine().into());
            prop_assert_eq!(theirs, ply.before.theirs().into());
            prop_assert_eq!(code.to_string().parse(), Ok(code));
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[-\\[\\]{}\"#:/@+*.,0-9A-Za-z \\n]{0,80}") {
        for notation in Notation::ALL {
            for head in ["", "[Rules finkel]\n\n1. ", "Board: \"MoX5A\"\nX: 1 e\n", "{\"notation_version\":2,"] {
                let _ = notation.read(&format!("{head}{text}"), Some(&RuleSet::MURRAY));
            }
        }
    }
}

#[test]
fn a_start_without_the_first_roll_of_the_rules_is_written() {
    let first_roll = Some(Roll::new(3));
    let rule_set = RuleSet { name: "thrown".into(), first_roll, ..RuleSet::FINKEL };
    let start = "-:-:L".parse().unwrap();
    let game = Game::from_setup(rule_set.compile().unwrap(), start).unwrap();
    for game in [game, Game::new(rule_set.compile().unwrap())] {
        let text = Notation::Rgn.write(&Record::new(game.clone())).unwrap().text;
        assert_eq!(Notation::Rgn.read(&text, Some(&rule_set)).unwrap().record.game, game);
    }
}

#[test]
fn rgn_names_a_roll_that_the_move_does_not_tell() {
    let twice = r#"dice = "4d"
pieces = 2
[path]
board = ["....", "....", "...."]
light = "A1 A2 A3 A2 A4"
dark = "C1 C2 C3 C2 C4""#;
    let [over, far] = ["2d", "1d0=4"]
        .map(|dice| format!("dice = \"{dice}\"\npieces = 1\npath = \"bell\"\nexact_exit = false"));
    for (rules, start, lines, expected) in [
        (twice, "-:-:L", "L 4 0-4\nD 2 0-2", "1. 4:A@A2 / C@C2"),
        (twice, "-:-:L4", "L 4 0-4\nD 0 pass", "1. 4:A@A2 / 0 --"),
        (&over, "14:-:L", "L 2 14-off", "1. 2:A7A+#"),
        (&far, "12:-:L", "L 4 12-off", "1. B8A+#"),
    ] {
        let rule_set = RuleSet::from_toml(&format!("name = \"Clear\"\n{rules}")).unwrap();
        let setup = start.parse().unwrap();
        let game = Game::from_setup(rule_set.compile().unwrap(), setup).unwrap();
        let text = Record::new(game).to_string();
        let head = text.split("\n\n").next().unwrap();
        let record: Record = format!("{head}\n\n{lines}").parse().unwrap();
        let rgn = Notation::Rgn.write(&record).unwrap().text;
        assert!(rgn.ends_with(&format!("{expected}\n")), "{rgn}");
        let read = Notation::Rgn.read(&rgn, Some(&rule_set)).unwrap();
        assert_eq!((read.record, read.remarks), (record, Vec::new()), "{rgn}");
    }
}

#[test]
fn games_with_stacks_are_refused_by_the_dialects_with_the_reason() {
    let record = Record::new(Game::new(RuleSet::SKIRIUK.compile().unwrap()));
    let refusal = |notation: Notation| notation.write(&record).unwrap_err().to_string();
    assert_eq!(refusal(Notation::Rgn), "skiriuk: RGN holds games of one piece a tile only");
    assert_eq!(
        refusal(Notation::Json),
        "skiriuk has a board or rules of its own: RoyalUr's settings name the paths bell, aseb, masters, murray and \
         skiriuk, with one piece a square, only"
    );
}

#[test]
fn long_texts_are_read_in_linear_time() {
    // Some 400,000 plies each; a quadratic reader would take hours.
    let turns: Vec<_> = (1..=100_000).map(|n| format!("{n}. 0 -- / 0 --")).collect();
    let rgn = turns.join("\n");
    let reading = Notation::Rgn.read(&rgn, Some(&RuleSet::FINKEL)).unwrap();
    assert_eq!(reading.record.game.plies().len(), 200_000);
    for notation in Notation::ALL {
        let text = notation.write(&reading.record).unwrap().text;
        let plies = notation.read(&text, None).unwrap().record.game.plies().len();
        assert_eq!(plies, 200_000);
    }
    let comments = format!("[Rules finkel]\n\n{}", "{so}".repeat(200_000));
    let reading = Notation::Rgn.read(&comments, None).unwrap();
    assert_eq!(reading.record.note(0).unwrap().comment().len(), 599_999);
}

#[test]
fn a_text_of_any_length_is_refused_at_once() {
    let text = " ".repeat(Record::MAX_BYTES + 1);
    for notation in Notation::ALL {
        let error = notation.read(&text, None).unwrap_err().to_string();
        assert!(error.contains("67108865 bytes: expected a record of at most 67108864"), "{error}");
    }
}
