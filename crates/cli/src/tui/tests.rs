//! Frames and keys, from a start to a finished game.

mod cube;
mod stage;
mod windows;

use std::fs;
use std::time::Duration;

use puabi_server::Language;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::state::{Dialog, Exit, Screen, Values};
use super::update::{self, input};
use crate::output::text;
use crate::play::keeper::read_file;
use crate::play::{DiceBy, WaitsFor};
use crate::style::{Names, Signs, Style};
use stage::{SCENE, Scene, Stage};

#[test]
fn the_start_is_drawn_in_windows_of_all_sizes() {
    let mut stage = SCENE.set();
    insta::assert_snapshot!("start_80x24", stage.frame(80, 24));
    insta::assert_snapshot!("start_120x40", stage.frame(120, 40));
    insta::assert_snapshot!("start_60x20", stage.frame(60, 20));
    insta::assert_snapshot!("start_40x10", stage.frame(40, 10));
    let mut stage = Scene {
        style: Style { signs: Signs { ascii: true, ..SCENE.style.signs }, ..SCENE.style },
        ..SCENE
    }
    .set();
    insta::assert_snapshot!("start_ascii", stage.frame(80, 24));
}

#[test]
fn no_window_is_too_small_or_too_large_to_draw_in() {
    let mut stage = SCENE.set();
    stage.reach_a_choice();
    for keys in ["", "?", "r", "?", "e", "?"] {
        stage.typed(keys);
        for width in [1, 2, 5, 20, 59, 60, 79, 80, 131, 300] {
            for height in [1, 2, 7, 19, 20, 23, 24, 25, 60, 100] {
                assert!(!stage.frame(width, height).is_empty());
            }
        }
        stage.press(KeyCode::Esc);
    }
}

#[test]
fn moves_are_shown_with_their_numbers_and_with_their_values_when_asked() {
    let mut stage = SCENE.set();
    stage.reach_a_choice();
    insta::assert_snapshot!("moves_80x24", stage.frame(80, 24));
    stage.typed("h");
    insta::assert_snapshot!("hint_80x24", stage.frame(80, 24));
    insta::assert_snapshot!("hint_60x20", stage.frame(60, 20));
    insta::assert_snapshot!("hint_120x40", stage.frame(120, 40));
}

#[test]
fn other_boards_are_drawn_too() {
    let scene = Scene { is_solved: false, ..SCENE };
    for (name, rules) in [
        ("murray", "murray"),
        ("skiriuk", "skiriuk-path"),
        ("aseb", "aseb"),
        ("bridge", "../../examples/rules/bridge.toml"),
        ("serpent", "../../examples/rules/serpent.toml"),
    ] {
        let mut stage = Scene { rules, ..scene }.set();
        stage.play(9);
        stage.wait();
        insta::assert_snapshot!(format!("{name}_80x24"), stage.frame(80, 24));
    }
}

#[test]
fn a_board_too_large_for_frames_is_drawn_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.toml");
    for (name, columns, lanes) in [("wide", 31, 3), ("high", 15, 12)] {
        let mut board = vec![".".repeat(columns); lanes];
        board[1].replace_range(3..4, "*");
        let shared: Vec<_> = (1..=columns).map(|column| format!("B{column}")).collect();
        let text = format!(
            "name = \"{name}\"\n[path]\nboard = {board:?}\nlight = {shared:?}\ndark = {shared:?}\n"
        );
        fs::write(&path, text).unwrap();
        let scene = Scene { rules: path.to_str().unwrap(), is_solved: false, ..SCENE };
        let mut stage = scene.set();
        stage.play(7);
        stage.wait();
        insta::assert_snapshot!(format!("{name}_80x24"), stage.frame(80, 24));
    }
}

#[test]
fn a_game_is_played_by_keys_to_its_end_and_kept_after_every_ply() {
    let mut stage = SCENE.set();
    let path = stage.folder.path().join("game.urg");
    while stage.app.local.waits_for() != WaitsFor::Nothing {
        stage.play(stage.plies() + 1);
        assert_eq!(read_file(&path).unwrap().game, *stage.app.local.game());
    }
    insta::assert_snapshot!("over_80x24", stage.frame(80, 24));
    stage.typed("r");
    insta::assert_snapshot!("review_80x24", stage.frame(80, 24));
    insta::assert_snapshot!("review_120x40", stage.frame(120, 40));
    insta::assert_snapshot!("review_60x20", stage.frame(60, 20));
    stage.press(KeyCode::Home);
    stage.typed("n");
    insta::assert_snapshot!("slip_80x24", stage.frame(80, 24));
    stage.typed("qq");
    assert_eq!(stage.app.exit, Some(Exit::Kept));
    assert!(stage.app.local.kept(Language::English).starts_with("the record is kept in "));
}

#[test]
fn the_review_steps_through_the_plies_and_stops_at_both_ends() {
    let mut stage = SCENE.set();
    stage.play(6);
    stage.typed("r");
    let at = |stage: &Stage| match &stage.app.screen {
        Screen::Review(review) => review.ply().number,
        _ => 0,
    };
    let count = stage.plies();
    assert_eq!(at(&stage), count);
    stage.press(KeyCode::Right);
    assert_eq!(at(&stage), count);
    stage.press(KeyCode::Left);
    assert_eq!(at(&stage), count - 1);
    stage.press(KeyCode::Home);
    stage.press(KeyCode::PageUp);
    assert_eq!(at(&stage), 1);
    stage.press(KeyCode::Esc);
    assert!(matches!(stage.app.screen, Screen::Game));
}

#[test]
fn undo_goes_back_to_the_last_choice_with_the_same_roll() {
    let mut stage = SCENE.set();
    stage.reach_a_choice();
    let before = stage.app.local.game().clone();
    stage.typed("1");
    stage.wait();
    assert_ne!(*stage.app.local.game(), before);
    stage.typed("u");
    assert_eq!(*stage.app.local.game(), before);
}

#[test]
fn no_values_of_an_earlier_position_are_shown() {
    let mut stage = SCENE.set();
    assert!(stage.app.answer.is_some());
    stage.app.values = Values::Unknown;
    stage.typed(" ");
    assert_eq!(stage.app.answer, None);
}

#[test]
fn a_game_is_saved_over_itself_and_over_no_other() {
    let mut stage = SCENE.set();
    let (mine, other) = (stage.folder.path().join("game.urg"), stage.folder.path().join("b.urg"));
    stage.play(4);
    fs::copy(&mine, &other).unwrap();
    stage.play(6);
    assert!(
        stage.app.local.save(&other, Language::English).is_ok(),
        "it was this game four plies in"
    );
    assert_eq!(read_file(&other).unwrap(), read_file(&mine).unwrap());
    let text =
        fs::read_to_string(&other).unwrap().replace("rules: finkel:2", "rules: finkel:2\nseed: 8");
    fs::write(&other, &text).unwrap();
    let refused = stage.app.local.save(&other, Language::English).unwrap_err();
    assert!(refused.to_string().contains("holds another game"), "{refused}");
    assert_eq!(fs::read_to_string(&other).unwrap(), text);
    assert!(stage.app.local.save(&mine, Language::English).is_ok());
}

#[test]
fn the_tutor_warns_before_a_costly_move_and_asks_again() {
    let mut stage = SCENE.set();
    stage.typed("t");
    while !matches!(stage.app.dialog, Some(Dialog::Costly(_))) {
        stage.reach_a_choice();
        let before = stage.plies();
        let last = stage.app.local.moves().len();
        stage.typed(&last.to_string());
        assert!(stage.plies() > before || stage.app.dialog.is_some());
    }
    let before = stage.plies();
    insta::assert_snapshot!("tutor_80x24", stage.frame(80, 24));
    stage.typed("n");
    assert_eq!((stage.plies(), &stage.app.dialog), (before, &None));
    stage.typed(&(stage.app.selected + 1).to_string());
    stage.typed("y");
    assert_eq!(stage.plies(), before + 1);
}

#[test]
fn arrows_select_a_move_and_enter_plays_it() {
    let mut stage = SCENE.set();
    stage.reach_a_choice();
    let last = *stage.app.local.moves().last().unwrap();
    stage.press(KeyCode::Up);
    stage.press(KeyCode::Enter);
    assert_eq!(stage.app.local.game().plies().last().unwrap().action, last);
}

#[test]
fn a_click_throws_and_a_click_on_a_tile_or_a_row_plays_its_move() {
    let mut stage = SCENE.set();
    stage.frame(80, 24);
    stage.click(55, 2);
    // The seed's first roll is 3, and the only move enters on A2, the second tile.
    assert_eq!(stage.app.local.waits_for(), WaitsFor::PersonMoves);
    stage.click(11, 5);
    assert_eq!(stage.plies(), 1);
    stage.reach_a_choice();
    let (plies, second) = (stage.plies(), stage.app.local.moves()[1]);
    stage.click(55, 6);
    assert_eq!(stage.app.local.game().plies()[plies].action, second);
}

#[test]
fn rolls_thrown_by_hand_are_typed() {
    let mut stage = Scene { dice: DiceBy::Manual, ..SCENE }.set();
    stage.typed("9");
    assert!(stage.app.message.as_ref().unwrap().starts_with("a roll of 9 cannot be thrown"));
    stage.typed("4");
    assert_eq!(stage.app.local.game().pending().unwrap().steps(), 4);
}

#[test]
fn bots_play_by_themselves_and_wait_while_paused() {
    let mut stage = Scene { light: "first-move", dark: "random", ..SCENE }.set();
    let wait = stage.app.pace.wait();
    update::tick(&mut stage.app, wait / 2);
    assert_eq!(stage.app.local.game().pending(), None);
    update::tick(&mut stage.app, wait);
    assert!(stage.app.local.game().pending().is_some());
    stage.typed("p");
    let paused = stage.app.local.game().clone();
    update::tick(&mut stage.app, Duration::from_secs(9));
    assert_eq!(*stage.app.local.game(), paused);
    insta::assert_snapshot!("paused_80x24", stage.frame(80, 24));
    stage.typed(" ");
    stage.wait();
    assert_eq!(
        (stage.plies(), stage.app.local.game().pending()),
        (1, None),
        "one step and no more"
    );
    stage.typed("p");
    stage.wait();
    assert!(stage.app.local.game().winner().is_some());
}

#[test]
fn the_explorer_sets_up_a_position_and_tells_every_move_of_every_roll() {
    let mut stage = SCENE.set();
    stage.typed("e");
    stage.typed("l");
    stage.press(KeyCode::Down);
    stage.typed("dDt");
    let Screen::Explorer(explorer) = &stage.app.screen else { panic!("this is the explorer") };
    assert_eq!(explorer.setup.to_string(), "1:8+1:D");
    insta::assert_snapshot!("explorer_80x24", stage.frame(80, 24));
    insta::assert_snapshot!("explorer_120x40", stage.frame(120, 40));
    stage.typed("D");
    stage.typed("d");
    insta::assert_snapshot!("explorer_empty_80x24", stage.frame(80, 24));
}

#[test]
fn the_explorer_takes_a_typed_position_and_says_what_is_wrong_with_it() {
    let mut stage = SCENE.set();
    stage.typed("e:");
    stage.press(KeyCode::Delete);
    stage.typed("5:5:L");
    stage.press(KeyCode::Enter);
    insta::assert_snapshot!("entry_80x24", stage.frame(80, 24));
    stage.press(KeyCode::Backspace);
    stage.press(KeyCode::Backspace);
    stage.press(KeyCode::Backspace);
    stage.typed("6:D");
    stage.press(KeyCode::Enter);
    let Screen::Explorer(explorer) = &stage.app.screen else { panic!("this is the explorer") };
    assert_eq!((explorer.setup.to_string().as_str(), &stage.app.dialog), ("5:6:D", &None));
}

#[test]
fn the_moves_of_the_explorer_scroll_as_far_as_there_are_any() {
    let mut stage = Scene { rules: "finkel", is_solved: false, ..SCENE }.set();
    stage.frame(80, 24);
    stage.typed("e");
    let scroll = |stage: &mut Stage, code| {
        (0..9).for_each(|_| stage.press(code));
        let Screen::Explorer(explorer) = &stage.app.screen else { panic!("this is the explorer") };
        explorer.scroll
    };
    assert_eq!(scroll(&mut stage, KeyCode::PageDown), 0, "ten lines need no scrolling");
    let Screen::Explorer(explorer) = &mut stage.app.screen else { panic!("this is the explorer") };
    explorer.set("1,2,6,7,12:-:L".parse().unwrap());
    let lines = explorer.lines(stage.app.local.session.rules());
    assert_eq!(usize::from(scroll(&mut stage, KeyCode::PageDown)), lines - 21);
    assert_eq!(scroll(&mut stage, KeyCode::PageUp), 0);
}

#[test]
fn several_pieces_on_a_tile_are_counted() {
    let mut stage = Scene { rules: "finkel:7", is_solved: false, ..SCENE }.set();
    stage.typed("e");
    let Screen::Explorer(explorer) = &mut stage.app.screen else { panic!("this is the explorer") };
    explorer.set("2,4,4,4:6,6:L".parse().unwrap());
    insta::assert_snapshot!("stacks_80x24", stage.frame(80, 24));
    insta::assert_snapshot!("stacks_60x20", stage.frame(60, 20));
}

#[test]
fn stacks_show_their_order_and_tiles_their_kind() {
    let signs = Signs { tiles: Names::Chess, ..Signs::default() };
    let style = Style { signs, ..Style::default() };
    let mut stage = Scene { rules: "skiriuk:7", style, is_solved: false, ..SCENE }.set();
    stage.typed("e");
    let Screen::Explorer(explorer) = &mut stage.app.screen else { panic!("not the explorer") };
    explorer.set("1,1,1,11,17+1:4,10,18,18:L:B6=D10.D18.D18,B7=L17.L11".parse().unwrap());
    for (width, height) in [(120, 40), (80, 24), (60, 20)] {
        insta::assert_snapshot!(format!("forgotten_{width}x{height}"), stage.frame(width, height));
    }
}

#[test]
fn the_guide_tells_the_way_of_play_of_these_rules() {
    let mut stage = Scene { rules: "skiriuk:3", is_solved: false, ..SCENE }.set();
    stage.typed("g");
    insta::assert_snapshot!("guide_80x24", stage.frame(80, 24));
    for _ in 1..stage.app.rules().way_of_play().len() {
        stage.typed(" ");
        assert!(stage.frame(60, 20).contains("guide"));
    }
    insta::assert_snapshot!("guide_last_60x20", stage.frame(60, 20));
    stage.press(KeyCode::Left);
    assert!(stage.frame(80, 24).contains("Rosettes"));
    stage.typed("  ");
    assert!(stage.app.dialog.is_none());
}

#[test]
fn help_tells_the_keys_of_each_room() {
    let mut stage = SCENE.set();
    stage.typed("?");
    insta::assert_snapshot!("help_80x24", stage.frame(80, 24));
    insta::assert_snapshot!("help_60x20", stage.frame(60, 20));
    stage.typed("xe?");
    insta::assert_snapshot!("help_explorer_80x24", stage.frame(80, 24));
}

#[test]
fn quitting_asks_and_drops_the_game_only_when_told() {
    let mut stage = SCENE.set();
    stage.reach_a_choice();
    let path = stage.folder.path().join("game.urg");
    stage.typed("q");
    insta::assert_snapshot!("quit_80x24", stage.frame(80, 24));
    stage.press(KeyCode::Esc);
    assert_eq!((stage.app.exit, path.exists()), (None, true));
    stage.typed("qn");
    assert_eq!((stage.app.exit, path.exists()), (Some(Exit::Dropped), false));
}

#[test]
fn the_game_is_saved_where_told() {
    let mut stage = SCENE.set();
    stage.reach_a_choice();
    let path = stage.folder.path().join("copy.urg");
    stage.typed("s");
    stage.press(KeyCode::Delete);
    stage.press(KeyCode::Enter);
    assert!(stage.frame(80, 24).contains("expected the name of a file"));
    stage.typed(path.to_str().unwrap());
    stage.press(KeyCode::Enter);
    assert_eq!(read_file(&path).unwrap().game, *stage.app.local.game());
}

#[test]
fn that_the_game_cannot_be_kept_is_said_once_and_hinders_nobody() {
    let mut stage = SCENE.set();
    // A file takes the place of the game's folder.
    fs::remove_dir_all(stage.folder.path()).unwrap();
    fs::write(stage.folder.path(), "").unwrap();
    stage.typed(" ");
    assert!(matches!(&stage.app.dialog, Some(Dialog::Notice(text)) if text.contains("not kept")));
    assert!(stage.frame(60, 20).contains("the game is not kept"));
    stage.press(KeyCode::Esc);
    stage.play(5);
    assert_eq!((stage.plies(), &stage.app.dialog), (5, &None));
}

#[test]
fn control_c_leaves_at_once() {
    let mut stage = SCENE.set();
    stage.typed("?");
    let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    input::handle(&mut stage.app, &Event::Key(key));
    assert_eq!(stage.app.exit, Some(Exit::Interrupted));
}

/// Plays a game in a language and returns the frames that a player sees.
fn frames_in(language: Language) -> String {
    let mut stage = Scene { style: Style { language, ..SCENE.style }, ..SCENE }.set();
    let mut frames = vec![stage.frame(80, 24)];
    stage.reach_a_choice();
    for keys in ["", "h", "?", " q", "xng", " ", " q"] {
        stage.typed(keys);
        frames.push(stage.frame(60, 20));
    }
    stage.press(KeyCode::Esc);
    while stage.app.local.waits_for() != WaitsFor::Nothing {
        stage.play(stage.plies() + 1);
    }
    frames.push(stage.frame(80, 24));
    stage.typed("r");
    stage.press(KeyCode::Home);
    stage.typed("n");
    frames.push(stage.frame(80, 24));
    stage.typed("e");
    frames.push(stage.frame(80, 24));
    frames.join("\n")
}

#[test]
fn the_screen_is_german_or_arabic_if_the_user_wants_that() {
    for language in [Language::German, Language::Arabic] {
        insta::assert_snapshot!(language.code(), frames_in(language));
    }
}

#[test]
fn arabic_parts_of_a_row_are_kept_apart_and_moves_are_read_from_the_left() {
    let mut stage =
        Scene { style: Style { language: Language::Arabic, ..SCENE.style }, ..SCENE }.set();
    stage.reach_a_choice();
    let frame = stage.frame(80, 24);
    assert!(frame.contains(" \u{2066}1 اليد→A4\u{2069} "), "{frame}");
    assert!(frame.contains("  \u{2068}البيت 0\u{2069} "), "{frame}");
    assert_eq!(frame, stage.frame(80, 24));
}

#[test]
fn columns_of_arabic_are_as_wide_as_those_of_english() {
    for text in ["تحطّ", "سكّة", "best", ""] {
        let [left, right] = [text::left(text, 9), text::right(text, 9)];
        let width = |text: &str| Line::from(text.to_owned()).width();
        assert_eq!([width(&left), width(&right)], [9, 9], "{text}");
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
        buffer.set_string(0, 0, format!("{left}|"), ratatui::style::Style::new());
        assert_eq!(buffer[(9, 0)].symbol(), "|", "{text}");
    }
}
