//! Questions and help, over the board.

use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph, Wrap};

use crate::tui::state::app::{App, Screen};
use crate::tui::state::dialog::{Costly, Dialog, Entry, Purpose};
use crate::tui::state::theme::DIM;

/// The keys of every screen.
const EVERYWHERE: &str = include_str!("../../../help/keys-everywhere.txt");

/// The keys of the game.
const GAME: &str = include_str!("../../../help/keys-game.txt");

/// The keys of the review.
const REVIEW: &str = include_str!("../../../help/keys-review.txt");

/// The keys of the explorer.
const EXPLORER: &str = include_str!("../../../help/keys-explorer.txt");

/// Draws `dialog` over the board.
pub(super) fn draw(app: &App, dialog: &Dialog, frame: &mut Frame<'_>) {
    let (title, text) = match dialog {
        Dialog::Help => ("help", help(app)),
        Dialog::Quit => {
            ("quit", Text::from("keep the game?\n\ny  keep it    n  drop it    Esc  play on"))
        }
        Dialog::Notice(problem) => ("", Text::from(problem.as_str())),
        Dialog::Costly(costly) => ("tutor", warning(app, costly)),
        Dialog::Entry(entry) => (name(entry.purpose), line(app, entry)),
    };
    let border = if app.theme.is_ascii() { BorderType::Plain } else { BorderType::Rounded };
    let mut block =
        Block::bordered().border_type(border).padding(Padding::horizontal(1)).title(title);
    if app.theme.is_ascii() {
        block = block.border_set(super::board::grid::ASCII);
    }
    let area = place(&text, frame.area());
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }).block(block), area);
}

/// Returns the middle of `screen`, as large as `text` needs.
fn place(text: &Text<'_>, screen: Rect) -> Rect {
    let fit = |needed: usize, most: u16| u16::try_from(needed).unwrap_or(most).min(most);
    let width = fit(text.width() + 4, screen.width);
    let inside = usize::from(width.saturating_sub(4)).max(1);
    let rows: usize = text.lines.iter().map(|line| line.width().div_ceil(inside).max(1)).sum();
    let height = fit(rows + 2, screen.height);
    screen.centered(Constraint::Length(width), Constraint::Length(height))
}

fn help(app: &App) -> Text<'static> {
    let screen = match app.screen {
        Screen::Game => GAME,
        Screen::Review(_) => REVIEW,
        Screen::Explorer(_) => EXPLORER,
    };
    let text = format!("{screen}\n{}", EVERYWHERE.trim_end());
    Text::from(if app.theme.is_ascii() { text.replace('×', "x") } else { text })
}

fn warning(app: &App, costly: &Costly) -> Text<'static> {
    let Some(player) = app.game().turn() else { return Text::default() };
    let [chosen, best] = [costly.action, costly.best]
        .map(|action| app.theme.style.tiles(app.rules(), player, action));
    let points = format!("{chosen} costs {:.2} points; {best} is best", costly.error * 100.0);
    Text::from(vec![
        Line::styled(points, app.theme.warning()),
        Line::default(),
        Line::from("y  play it all the same    n  choose again"),
    ])
}

const fn name(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::File => "save the game to",
        Purpose::Position => "position",
    }
}

fn line(app: &App, entry: &Entry) -> Text<'static> {
    let mut lines = vec![Line::from(format!("{}_", entry.text)), Line::default()];
    lines.extend(entry.problem.clone().map(|problem| Line::styled(problem, app.theme.warning())));
    lines.push(Line::styled("Enter  done    Delete  empty    Esc  leave", DIM));
    Text::from(lines)
}
