//! What fits into a window, and what a key does in a window that is too small.

use puabi_core::Record;
use puabi_engine::Session;
use puabi_server::Language;

use super::stage::{SCENE, Scene, Stage};
use crate::style::Style;
use crate::tui::state::Exit;

/// Puts another record and another seed on the stage.
fn set(stage: &mut Stage, record: Record, seed: u64) {
    let seats = stage.app.local.session.seats().clone();
    stage.app.local.session = Session::new(record, seats, seed);
}

#[test]
fn a_key_or_click_answers_nothing_that_is_not_shown() {
    let mut stage = SCENE.set();
    stage.reach_a_choice();
    let plies = stage.plies();
    for (width, height) in [(59, 24), (80, 19)] {
        stage.frame(width, height);
        stage.typed("1 qn");
        stage.click(11, 5);
        assert_eq!((stage.plies(), stage.app.exit, &stage.app.dialog), (plies, None, &None));
    }
    stage.frame(60, 20);
    stage.typed("qn");
    assert_eq!(stage.app.exit, Some(Exit::Dropped));
}

#[test]
fn title_and_message_have_room_in_every_window() {
    let mut stage = Scene { rules: "skiriuk:3", is_solved: false, ..SCENE }.set();
    let record = stage.app.local.session.record().clone();
    set(&mut stage, record, u64::MAX);
    stage.typed("e");
    let first = |frame: String| frame.lines().next().unwrap_or_default().to_owned();
    assert!(first(stage.frame(60, 20)).contains("skiriuk:3: explorer         "));
    assert!(first(stage.frame(80, 24)).contains("seed 18446744073709551615"));
    let message = "nobody can ever move: nobody wins after 10 rolls; r reviews the game, u takes back, q leaves";
    for (width, height) in [(60, 20), (80, 24)] {
        stage.app.say(message);
        let frame = stage.frame(width, height);
        assert!(message.split(' ').all(|word| frame.contains(word)), "{frame}");
    }
}

#[test]
fn names_of_people_are_no_words_of_the_program() {
    let style = Style { language: Language::German, ..SCENE.style };
    let mut stage = Scene { style, ..SCENE }.set();
    let mut record = stage.app.local.session.record().clone();
    record.set_header("light", "hand").unwrap();
    set(&mut stage, record, 7);
    let frame = stage.frame(80, 24);
    assert!(frame.contains("  hand") && frame.contains("  gierig"), "{frame}");
}
