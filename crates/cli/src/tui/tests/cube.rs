//! The cube: doubles, answers, and what they are worth.

use puabi_server::Language;
use puabi_solve::{Options, Solver, Unattended};
use ratatui::crossterm::event::KeyCode;

use super::stage::{SCENE, Scene};
use crate::notation;
use crate::play::{DiceBy, WaitsFor};
use crate::style::Style;
use crate::tables::cube::CubeValues;
use crate::tui::state::Exit;

#[test]
fn a_match_is_played_with_the_cube_by_keys_game_after_game() {
    let scene = Scene { dark: "human", stakes: Some("cube 1, match 2-2"), ..SCENE };
    let mut stage = scene.set();
    insta::assert_snapshot!("cube_80x24", stage.frame(80, 24));
    stage.typed("d");
    assert_eq!(stage.app.local.waits_for(), WaitsFor::PersonAnswers);
    insta::assert_snapshot!("doubled_80x24", stage.frame(80, 24));
    // A throw, a move or another double must wait.
    stage.typed(" 1d");
    assert_eq!((stage.app.local.waits_for(), stage.plies()), (WaitsFor::PersonAnswers, 0));
    stage.typed("y");
    assert_eq!(stage.app.local.session.stakes().unwrap().to_string(), "cube 2:dark, match 2-2");
    stage.typed("d");
    assert!(stage.frame(80, 24).contains("a second double before one roll"));
    stage.typed("u");
    let mut stage = scene.set();
    stage.typed("dn");
    insta::assert_snapshot!("passed_80x24", stage.frame(80, 24));
    assert_eq!(stage.app.answer, None, "a game that has ended has no chances any more");
    stage.typed("n");
    let stakes = stage.app.local.session.stakes().unwrap();
    assert_eq!(stakes.to_string(), "cube 1, match 1-2:crawford");
    stage.typed("d");
    assert!(stage.frame(80, 24).contains("a double in the Crawford game"));
    for (language, name) in [(Language::German, "cube_de"), (Language::Arabic, "cube_ar")] {
        let style = Style { language, ..SCENE.style };
        let mut stage = Scene { style, ..scene }.set();
        stage.typed("d");
        insta::assert_snapshot!(name, stage.frame(80, 24));
    }
}

#[test]
fn a_game_that_ended_by_a_pass_is_left_without_a_question() {
    let mut stage = Scene { dark: "human", stakes: Some("cube 1 to 4"), ..SCENE }.set();
    stage.typed("dnq");
    assert_eq!(stage.app.exit, Some(Exit::Kept));
}

#[test]
fn a_person_does_not_double_for_an_agent() {
    let scene = Scene { light: "greedy", dark: "human", stakes: Some("cube 1 to 4"), ..SCENE };
    for dice in [DiceBy::Auto, DiceBy::Manual] {
        let mut stage = Scene { dice, ..scene }.set();
        stage.typed("d");
        assert_eq!(stage.app.local.session.record().doubles().count(), 0);
    }
}

#[test]
fn an_agent_doubles_when_it_is_far_ahead_and_answers_doubles() {
    let mut stage = Scene { stakes: Some("cube 1 to 4"), ..SCENE }.set();
    stage.typed("d");
    assert_eq!(stage.app.local.waits_for(), WaitsFor::AgentAnswers);
    stage.wait();
    // The players' chances are about even at the start, so the agent takes.
    assert_eq!(stage.app.local.session.stakes().unwrap().to_string(), "cube 2:dark to 4");
    let scene = Scene { light: "greedy", dark: "greedy", stakes: Some("cube 1 to 4"), ..SCENE };
    let mut stage = scene.set();
    stage.play(1000);
    let doubles = stage.app.local.session.record().doubles().count();
    assert!(doubles > 0 && stage.app.local.waits_for() == WaitsFor::Nothing);
    let frame = stage.frame(80, 24);
    assert!(frame.contains("; r review, u takes back"), "{frame}");
}

/// Returns the values of the game of solved scenes with a cube up to 4.
fn cube_to_four() -> CubeValues {
    let rules = notation::rules(SCENE.rules).unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let cubeless = solver.solve(&Unattended, &Unattended).unwrap().0;
    CubeValues::Money(solver.solve_money(cubeless, 2, &Unattended).unwrap().into())
}

#[test]
fn explorer_and_review_tell_what_the_cube_is_worth_and_what_errors_with_it_cost() {
    let mut stage = Scene { stakes: Some("cube 1 to 4"), ..SCENE }.set();
    stage.typed("eh");
    assert!(stage.frame(80, 24).contains("this game is not solved with its cube"));
    stage.app.local.cube = Some(cube_to_four());
    stage.typed("h");
    insta::assert_snapshot!("cube_explorer_80x24", stage.frame(80, 24));
    stage.typed(" ld:");
    stage.press(KeyCode::Esc);
    // A doubled game, so that the review has something to show.
    stage.press(KeyCode::Esc);
    stage.typed("d");
    stage.wait();
    stage.play(1000);
    stage.typed("rh");
    insta::assert_snapshot!("cube_review_80x24", stage.frame(80, 24));
    // Without a cube there is nothing to show.
    let mut stage = SCENE.set();
    stage.typed("eh");
    assert!(stage.app.dialog.is_none() && stage.app.message.is_none());
}
