//! Keys and clicks, and what they do in each room.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use puabi_core::Player;

use super::app::{App, Departure, Room};
use super::dialog::{Asks, Dialog, Entry};
use super::explorer::Direction;
use super::turns::Waits;
use super::view::hits;
use crate::commands::play::DiceBy;

/// Takes what came from the keyboard or the mouse.
pub(super) fn handle(app: &mut App, event: &Event) {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => press(app, *key),
        Event::Mouse(mouse) => point(app, *mouse),
        _ => {}
    }
}

/// Takes what the mouse does: the wheel scrolls the explorer and is an arrow elsewhere.
fn point(app: &mut App, mouse: MouseEvent) {
    let lines = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            return click(app, Position::new(mouse.column, mouse.row));
        }
        MouseEventKind::ScrollUp => -1,
        MouseEventKind::ScrollDown => 1,
        _ => return,
    };
    let most = hits::most_scroll(app);
    match &mut app.room {
        _ if app.dialog.is_some() => {}
        Room::Game => select(app, lines.into()),
        Room::Review(room) => room.step(lines.into()),
        Room::Explorer(explorer) => explorer.scroll_by(lines, most),
    }
}

/// Takes a key.
pub(super) fn press(app: &mut App, key: KeyEvent) {
    let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
    if has_control && key.code == KeyCode::Char('c') {
        return app.leave(Departure::Stopped);
    }
    if has_control || key.modifiers.contains(KeyModifiers::ALT) {
        return;
    }
    app.forget();
    if let Some(dialog) = app.dialog.take() {
        return answer(app, dialog, key.code);
    }
    if takes_values(&app.room, key.code) && !app.has_values(key) {
        return;
    }
    match key.code {
        KeyCode::Char('?') => app.dialog = Some(Dialog::Help),
        KeyCode::Char('q') => quit(app),
        KeyCode::Char('s') => {
            let path = app.file.path().display().to_string();
            app.dialog = Some(Dialog::Entry(Entry::new(Asks::File, path)));
        }
        KeyCode::Char('r') if !matches!(app.room, Room::Review(_)) => app.review(),
        code => match app.room {
            Room::Game => in_game(app, code),
            Room::Review(_) => in_review(app, code),
            Room::Explorer(_) => in_explorer(app, code),
        },
    }
}

/// Returns whether a key asks for something that takes the values of the game.
const fn takes_values(room: &Room, code: KeyCode) -> bool {
    match room {
        Room::Game => matches!(code, KeyCode::Char('h' | 'v' | 't' | 'r')),
        Room::Explorer(_) => matches!(code, KeyCode::Char('v' | 'r')),
        Room::Review(_) => false,
    }
}

/// Leaves a room for the game, and the game after a question.
fn quit(app: &mut App) {
    match app.room {
        Room::Game if app.game().is_over() => app.leave(Departure::Kept),
        Room::Game => app.dialog = Some(Dialog::Quit),
        Room::Review(_) | Room::Explorer(_) => app.room = Room::Game,
    }
}

/// Takes a key while `dialog` lies over the board.
fn answer(app: &mut App, dialog: Dialog, code: KeyCode) {
    match (dialog, code) {
        (Dialog::Help | Dialog::Notice(_), _) | (_, KeyCode::Esc) => {}
        (Dialog::Quit, KeyCode::Char('y') | KeyCode::Enter) => {
            app.keep();
            app.leave(Departure::Kept);
        }
        (Dialog::Quit, KeyCode::Char('n')) => app.drop_game(),
        (Dialog::Costly(costly), KeyCode::Char('y')) => app.play(costly.action),
        (Dialog::Costly(costly), KeyCode::Char('n') | KeyCode::Enter) => {
            app.say(format!("not played: {}", costly.action));
        }
        (Dialog::Entry(entry), code) => type_line(app, entry, code),
        (dialog, _) => app.dialog = Some(dialog),
    }
}

fn type_line(app: &mut App, mut entry: Entry, code: KeyCode) {
    match code {
        KeyCode::Enter => match take_line(app, entry.asks, entry.text.trim()) {
            Ok(()) => return,
            Err(problem) => entry.problem = Some(problem),
        },
        KeyCode::Backspace => drop(entry.text.pop()),
        KeyCode::Delete => entry.text.clear(),
        KeyCode::Char(letter) => entry.text.push(letter),
        _ => {}
    }
    app.dialog = Some(Dialog::Entry(entry));
}

fn take_line(app: &mut App, asks: Asks, text: &str) -> Result<(), String> {
    match asks {
        Asks::File => app.save(text),
        Asks::Position => {
            let setup = text.parse().map_err(|error| format!("{error}"))?;
            app.sitting.rules().position(&setup).map_err(|error| error.to_string())?;
            if let Room::Explorer(explorer) = &mut app.room {
                explorer.set(setup);
            }
            Ok(())
        }
    }
}

fn in_game(app: &mut App, code: KeyCode) {
    match code {
        KeyCode::Char(' ') | KeyCode::Enter => app.go_on(),
        KeyCode::Char(digit) if digit.is_ascii_digit() => number(app, digit),
        KeyCode::Up | KeyCode::Left => select(app, -1),
        KeyCode::Down | KeyCode::Right | KeyCode::Tab => select(app, 1),
        KeyCode::Char('u') => app.undo(),
        KeyCode::Char(letter @ ('h' | 'v' | 't')) => aid(app, letter),
        KeyCode::Char('e') => app.explore(app.game().setup()),
        KeyCode::Char('p') => app.pause(),
        KeyCode::Char('+' | '=') => set_pace(app, app.pace.faster()),
        KeyCode::Char('-') => set_pace(app, app.pace.slower()),
        _ => {}
    }
}

/// Turns a help to players on or off.
fn aid(app: &mut App, letter: char) {
    let aids = &mut app.aids;
    match letter {
        'h' => aids.hint = !aids.hint,
        'v' => aids.chances = !aids.chances,
        _ => {
            aids.tutor = !aids.tutor;
            app.say(if app.aids.tutor {
                "the tutor warns of moves that cost 2 points or more"
            } else {
                "the tutor is silent"
            });
        }
    }
}

fn set_pace(app: &mut App, pace: super::pace::Pace) {
    app.pace = pace;
    app.say(format!("the pace of bots is {}", pace.name()));
}

fn number(app: &mut App, digit: char) {
    match app.waits() {
        Waits::Roll if app.dice == DiceBy::Manual => app.type_digit(digit),
        Waits::Choice => match digit.to_digit(10) {
            Some(number @ 1..) => app.pick(number as usize - 1),
            _ => app.say("the moves are counted from 1"),
        },
        _ => {}
    }
}

fn select(app: &mut App, by: isize) {
    let count = app.moves().len();
    if app.waits() == Waits::Choice {
        app.selected = (app.selected + count).saturating_add_signed(by) % count;
    }
}

fn in_review(app: &mut App, code: KeyCode) {
    let Room::Review(room) = &mut app.room else { return };
    match code {
        KeyCode::Left | KeyCode::Up => room.step(-1),
        KeyCode::Right | KeyCode::Down | KeyCode::Char(' ') => room.step(1),
        KeyCode::PageUp => room.step(-10),
        KeyCode::PageDown => room.step(10),
        KeyCode::Home => room.step(isize::MIN),
        KeyCode::End => room.step(isize::MAX),
        KeyCode::Char('n') => room.next_slip(),
        KeyCode::Char('b') => room.previous_slip(),
        KeyCode::Char('e') => {
            let setup = room.ply().position.clone();
            app.explore(setup);
        }
        KeyCode::Esc | KeyCode::Char('r') => app.room = Room::Game,
        _ => {}
    }
}

fn in_explorer(app: &mut App, code: KeyCode) {
    let start = app.sitting.rules().setup(app.sitting.rules().start(), Player::Light);
    let most = hits::most_scroll(app);
    let Room::Explorer(explorer) = &mut app.room else { return };
    let rules = app.sitting.rules();
    let board = rules.board();
    match code {
        KeyCode::Up => explorer.go(board, Direction::Up),
        KeyCode::Down => explorer.go(board, Direction::Down),
        KeyCode::Left => explorer.go(board, Direction::Left),
        KeyCode::Right => explorer.go(board, Direction::Right),
        KeyCode::Char('l') => explorer.toggle(board, Player::Light),
        KeyCode::Char('d') => explorer.toggle(board, Player::Dark),
        KeyCode::Char('L') => explorer.score(rules, Player::Light),
        KeyCode::Char('D') => explorer.score(rules, Player::Dark),
        KeyCode::Char('x') | KeyCode::Delete => explorer.clear(board),
        KeyCode::Char('t') => explorer.pass(),
        KeyCode::Char('c') => explorer.empty(),
        KeyCode::Char('0') => explorer.set(start),
        KeyCode::PageDown | KeyCode::Char(' ') => explorer.scroll_by(5, most),
        KeyCode::PageUp => explorer.scroll_by(-5, most),
        KeyCode::Char(':' | '/') => {
            let text = explorer.setup().to_string();
            app.dialog = Some(Dialog::Entry(Entry::new(Asks::Position, text)));
        }
        KeyCode::Esc | KeyCode::Char('e') => app.room = Room::Game,
        _ => {}
    }
}

/// Takes a click: on a move, on a tile that one move leaves or reaches, on the dice, on a tile of the explorer.
fn click(app: &mut App, at: Position) {
    if app.dialog.is_some() {
        return;
    }
    app.forget();
    let tile = hits::tile(app, at);
    if let Room::Explorer(explorer) = &mut app.room {
        return tile.into_iter().for_each(|tile| explorer.point(tile));
    }
    if !matches!(app.room, Room::Game) {
        return;
    }
    match app.waits() {
        Waits::Choice => {
            let meant = || tile.and_then(|tile| hits::choice(app, tile));
            if let Some(index) = hits::row(app, at).or_else(meant) {
                app.pick(index);
            }
        }
        Waits::Roll if app.dice == DiceBy::Auto && hits::dice(app, at) => app.go_on(),
        _ => {}
    }
}
