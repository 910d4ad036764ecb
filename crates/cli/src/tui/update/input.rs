//! Keys and clicks, and what they do on each screen.

use std::path::Path;

use puabi_core::{Player, Setup};
use puabi_engine::{Seat, ValueSource};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::{doubles, turns};
use crate::output::text::t;
use crate::play::WaitsFor;
use crate::tui::state::{App, Dialog, Entry, Exit, Explorer, Purpose, ReviewState, Screen};
use crate::tui::view::hits;
use crate::{errors, notation};

/// Returns whether an event is Ctrl-Z.
#[cfg(unix)]
pub(crate) fn suspends(event: &Event) -> bool {
    let pressed = |key: &KeyEvent| {
        key.kind != KeyEventKind::Release
            && key.code == KeyCode::Char('z')
            && key.modifiers.contains(KeyModifiers::CONTROL)
    };
    event.as_key_event().is_some_and(|key| pressed(&key))
}

/// Takes an event of the keyboard or the mouse.
pub(crate) fn handle(app: &mut App, event: &Event) {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => press(app, *key),
        // A mouse event means nothing while nothing is shown.
        Event::Mouse(mouse) if !hits::is_nothing_shown(app) => point(app, *mouse),
        _ => {}
    }
}

/// Takes a mouse event: the wheel scrolls the explorer, and acts as an arrow key elsewhere.
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
    match &mut app.screen {
        _ if app.dialog.is_some() => {}
        Screen::Game => select(app, lines.into()),
        Screen::Review(review) => review.step(lines.into()),
        Screen::Explorer(explorer) => explorer.scroll_by(lines, most),
    }
}

/// Takes a key.
pub(super) fn press(app: &mut App, key: KeyEvent) {
    let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
    if has_control && key.code == KeyCode::Char('c') {
        app.exit = Some(Exit::Interrupted);
    }
    // A key must not answer a question that is not shown.
    if has_control || key.modifiers.contains(KeyModifiers::ALT) || hits::is_nothing_shown(app) {
        return;
    }
    clear_message(app);
    if let Some(dialog) = app.dialog.take() {
        return answer(app, dialog, key.code);
    }
    if needs_values(&app.screen, key.code) && app.values.judge().is_none() && !find_judge(app) {
        app.waiting_key = Some(key);
        return;
    }
    match key.code {
        KeyCode::Char('?') => app.dialog = Some(Dialog::Help),
        KeyCode::Char('g') => app.dialog = Some(Dialog::Guide(0)),
        KeyCode::Char('q') => quit(app),
        KeyCode::Char('s') => {
            app.dialog = Some(Dialog::entry(Purpose::File, app.local.file_name()));
        }
        KeyCode::Char('r') if !matches!(app.screen, Screen::Review(_)) => review(app),
        code => match app.screen {
            Screen::Game => in_game(app, code),
            Screen::Review(_) => in_review(app, code),
            Screen::Explorer(_) => in_explorer(app, code),
        },
    }
}

/// Requests the values of the game. Returns whether there is a judge of positions already, and if so, shows which one.
fn find_judge(app: &mut App) -> bool {
    app.values.request(app.local.game().rules());
    let Some(judge) = app.values.judge() else { return false };
    let language = app.language();
    let message = match judge.source() {
        ValueSource::Pocket { within } => t!(
            language,
            "the pocket player judges, within {within} of perfect play, until the game is solved",
            within
        ),
        _ => t!(
            language,
            "the game is too large to be solved here: all chances are estimates by a search"
        ),
    };
    app.update_answer();
    app.say(message);
    true
}

/// Clears the message, and forgets the key that waits for the values, because there is a new key or click.
fn clear_message(app: &mut App) {
    app.message = None;
    app.waiting_key = None;
}

/// Returns whether a key needs the values of the game.
const fn needs_values(screen: &Screen, code: KeyCode) -> bool {
    match screen {
        Screen::Game => matches!(code, KeyCode::Char('h' | 'v' | 't' | 'r')),
        Screen::Explorer(_) => matches!(code, KeyCode::Char('v' | 'r')),
        Screen::Review(_) => false,
    }
}

/// Goes back to the game; leaves the game after a question.
fn quit(app: &mut App) {
    match app.screen {
        Screen::Game if app.local.session.turn().is_none() => app.exit = Some(Exit::Kept),
        Screen::Game => app.dialog = Some(Dialog::Quit),
        Screen::Review(_) | Screen::Explorer(_) => app.screen = Screen::Game,
    }
}

/// Shows the review of the game.
fn review(app: &mut App) {
    let Some(judge) = app.values.judge() else { return };
    match judge.review(app.local.session.record()).map(ReviewState::new) {
        Ok(Some(review)) => app.screen = Screen::Review(Box::new(review)),
        Ok(None) => app.say(t!(app.language(), "nothing has been played yet")),
        Err(error) => app.warn_no_values(&error),
    }
}

/// Shows the explorer with `setup` on the board.
fn explore(app: &mut App, setup: Setup) {
    let setup = Setup { roll: None, ..setup };
    app.screen = Screen::Explorer(Explorer::new(app.rules().board(), setup));
}

/// Takes a key while `dialog` is over the board.
fn answer(app: &mut App, dialog: Dialog, code: KeyCode) {
    match (dialog, code) {
        (Dialog::Help | Dialog::Notice(_), _) | (_, KeyCode::Esc) => {}
        (Dialog::Guide(chapter), code) => turn_page(app, chapter, code),
        (Dialog::Quit, KeyCode::Char('y' | 'j') | KeyCode::Enter) => {
            app.keep();
            app.exit = Some(Exit::Kept);
        }
        (Dialog::Quit, KeyCode::Char('n')) => match app.local.remove() {
            Ok(()) => app.exit = Some(Exit::Dropped),
            Err(error) => app.warn(app.language().translate(errors::line(&error))),
        },
        (Dialog::Costly(costly), KeyCode::Char('y' | 'j')) => turns::play(app, costly.action),
        (Dialog::Costly(costly), KeyCode::Char('n') | KeyCode::Enter) => {
            app.say(t!(app.language(), "not played: {action}", action = costly.action));
        }
        (Dialog::Entry(entry), code) => type_line(app, entry, code),
        (dialog, _) => app.dialog = Some(dialog),
    }
}

/// Goes to another chapter of the guide; after the last one it ends.
fn turn_page(app: &mut App, chapter: usize, code: KeyCode) {
    let last = app.rules().way_of_play().len() - 1;
    app.dialog = match code {
        KeyCode::Left | KeyCode::Up | KeyCode::Backspace => {
            Some(Dialog::Guide(chapter.saturating_sub(1)))
        }
        KeyCode::Char(' ') | KeyCode::Enter | KeyCode::Right | KeyCode::Down if chapter < last => {
            Some(Dialog::Guide(chapter + 1))
        }
        KeyCode::Char(' ' | 'q' | 'g') | KeyCode::Enter => None,
        _ => Some(Dialog::Guide(chapter)),
    };
}

fn type_line(app: &mut App, mut entry: Entry, code: KeyCode) {
    match code {
        KeyCode::Enter => match take_line(app, entry.purpose, entry.text.trim()) {
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

fn take_line(app: &mut App, purpose: Purpose, text: &str) -> Result<(), String> {
    let language = app.language();
    match purpose {
        Purpose::File if text.is_empty() => {
            return Err(t!(language, "expected the name of a file"));
        }
        Purpose::File => {
            let saved = app.local.save(Path::new(text), language);
            app.say(saved.map_err(|error| language.translate(errors::line(&error)))?);
        }
        Purpose::Position => {
            let setup = notation::setup(text).map_err(|error| language.translate(error))?;
            app.rules().position(&setup).map_err(|error| language.translate(error))?;
            if let Screen::Explorer(explorer) = &mut app.screen {
                explorer.set(setup);
            }
        }
    }
    Ok(())
}

fn in_game(app: &mut App, code: KeyCode) {
    match code {
        KeyCode::Char(letter) if doubles::key(app, letter) => {}
        // Agents double by themselves.
        KeyCode::Char('d') if app.local.session.seated() != Some(&Seat::Human) => {}
        KeyCode::Char('d') => doubles::double(app),
        KeyCode::Char('h') if doubles::hint(app) => {}
        KeyCode::Char(' ') | KeyCode::Enter => turns::go_on(app),
        KeyCode::Char(digit) if digit.is_ascii_digit() => number(app, digit),
        KeyCode::Up | KeyCode::Left => select(app, -1),
        KeyCode::Down | KeyCode::Right | KeyCode::Tab => select(app, 1),
        KeyCode::Char('u') => turns::undo(app),
        KeyCode::Char('h') => app.aids.hint = !app.aids.hint,
        KeyCode::Char('v') => app.aids.chances = !app.aids.chances,
        KeyCode::Char('t') => {
            app.aids.tutor = !app.aids.tutor;
            app.say(if app.aids.tutor {
                t!(app.language(), "the tutor warns of moves that cost 2 points or more")
            } else {
                t!(app.language(), "the tutor is silent")
            });
        }
        KeyCode::Char('e') => explore(app, app.local.game().setup()),
        KeyCode::Char('p') => turns::pause(app),
        KeyCode::Char('+' | '=') => set_pace(app, 1),
        KeyCode::Char('-') => set_pace(app, -1),
        _ => {}
    }
}

fn set_pace(app: &mut App, faster: isize) {
    app.pace = app.pace.faster(faster);
    let pace = app.language().translate(app.pace.name());
    app.say(t!(app.language(), "the pace of bots is {pace}", pace));
}

fn number(app: &mut App, digit: char) {
    match app.local.waits_for() {
        WaitsFor::PersonRolls if app.has_real_dice() => turns::type_digit(app, digit),
        WaitsFor::PersonMoves => match digit.to_digit(10) {
            Some(number @ 1..) => turns::pick(app, number as usize - 1),
            _ => app.say(t!(app.language(), "the moves are counted from 1")),
        },
        _ => {}
    }
}

fn select(app: &mut App, by: isize) {
    let count = app.local.moves().len();
    if app.local.waits_for() == WaitsFor::PersonMoves {
        app.selected = (app.selected + count).saturating_add_signed(by) % count;
    }
}

fn in_review(app: &mut App, code: KeyCode) {
    if code == KeyCode::Char('h') {
        doubles::hint(app);
    }
    let Screen::Review(review) = &mut app.screen else { return };
    match code {
        KeyCode::Left | KeyCode::Up => review.step(-1),
        KeyCode::Right | KeyCode::Down | KeyCode::Char(' ') => review.step(1),
        KeyCode::PageUp => review.step(-10),
        KeyCode::PageDown => review.step(10),
        KeyCode::Home => review.step(isize::MIN),
        KeyCode::End => review.step(isize::MAX),
        KeyCode::Char('n') => review.next_slip(),
        KeyCode::Char('b') => review.previous_slip(),
        KeyCode::Char('e') => {
            let setup = review.ply().position.clone();
            explore(app, setup);
        }
        KeyCode::Esc | KeyCode::Char('r') => app.screen = Screen::Game,
        _ => {}
    }
}

fn in_explorer(app: &mut App, code: KeyCode) {
    if code == KeyCode::Char('h') {
        doubles::hint(app);
    }
    let most = hits::most_scroll(app);
    let Screen::Explorer(explorer) = &mut app.screen else { return };
    let rules = app.local.session.rules();
    let board = rules.board();
    match code {
        KeyCode::Up => explorer.go(board, 0, -1),
        KeyCode::Down => explorer.go(board, 0, 1),
        KeyCode::Left => explorer.go(board, -1, 0),
        KeyCode::Right => explorer.go(board, 1, 0),
        KeyCode::Char('l') => explorer.toggle(board, Player::Light),
        KeyCode::Char('d') => explorer.toggle(board, Player::Dark),
        KeyCode::Char('L') => explorer.score(rules, Player::Light),
        KeyCode::Char('D') => explorer.score(rules, Player::Dark),
        KeyCode::Char('x') | KeyCode::Delete => explorer.clear(board),
        KeyCode::Char('t') => explorer.pass(),
        KeyCode::Char('c') => explorer.empty(),
        KeyCode::Char('0') => explorer.set(rules.setup(rules.start(), Player::Light)),
        KeyCode::PageDown | KeyCode::Char(' ') => explorer.scroll_by(5, most),
        KeyCode::PageUp => explorer.scroll_by(-5, most),
        KeyCode::Char(':' | '/') => {
            let text = explorer.setup.to_string();
            app.dialog = Some(Dialog::entry(Purpose::Position, text));
        }
        KeyCode::Esc | KeyCode::Char('e') => app.screen = Screen::Game,
        _ => {}
    }
}

/// Takes a click on a move, on a tile that a move leaves or reaches, on the dice, or on a tile of the explorer.
fn click(app: &mut App, at: Position) {
    if app.dialog.is_some() {
        return;
    }
    clear_message(app);
    let tile = hits::tile(app, at);
    match &mut app.screen {
        Screen::Game => {}
        Screen::Review(_) => return,
        Screen::Explorer(explorer) => {
            explorer.cursor = tile.unwrap_or(explorer.cursor);
            return;
        }
    }
    match app.local.waits_for() {
        WaitsFor::PersonMoves => {
            let on_tile = || tile.and_then(|tile| hits::choice(app, tile));
            if let Some(index) = hits::row(app, at).or_else(on_tile) {
                turns::pick(app, index);
            }
        }
        WaitsFor::PersonRolls if !app.has_real_dice() && hits::dice(app, at) => turns::go_on(app),
        _ => {}
    }
}
