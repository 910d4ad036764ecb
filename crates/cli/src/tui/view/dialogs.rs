//! Questions and help, over the board.

use puabi_core::Picture;
use ratatui::prelude::*;
use ratatui::symbols::border;
use ratatui::widgets::{Block, Clear, Padding, Paragraph, Wrap};

use super::board::grid::ASCII;
use crate::tui::state::{App, Costly, DIM, Dialog, Entry, Purpose, STRONG, Screen};

/// Draws `dialog` over the board.
pub(super) fn draw(app: &App, dialog: &Dialog, frame: &mut Frame<'_>) {
    let (title, text) = match dialog {
        Dialog::Help => ("help", help(app)),
        Dialog::Guide(chapter) => ("guide", guide(app, *chapter)),
        Dialog::Quit => {
            ("quit", Text::from("keep the game?\n\ny  keep it    n  drop it    Esc  play on"))
        }
        Dialog::Notice(problem) => ("", Text::from(problem.as_str())),
        Dialog::Costly(costly) => ("tutor", warning(app, costly)),
        Dialog::Entry(entry) => (name(entry.purpose), line(app, entry)),
    };
    let border = if app.theme.is_ascii() { ASCII } else { border::ROUNDED };
    let block = Block::bordered().border_set(border).padding(Padding::horizontal(1)).title(title);
    // Sentences are easier to read in short lines.
    let widest = if matches!(dialog, Dialog::Guide(_)) { 58 } else { u16::MAX };
    let area = place(&text, frame.area(), widest);
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }).block(block), area);
}

/// Returns the middle of `screen`, as large as `text` needs, but no wider than `widest`.
fn place(text: &Text<'_>, screen: Rect, widest: u16) -> Rect {
    let fit = |needed: usize, most: u16| u16::try_from(needed).unwrap_or(most).min(most);
    let width = fit(text.width() + 4, screen.width.min(widest));
    let inside = Paragraph::new(text.clone()).wrap(Wrap { trim: false });
    let rows = inside.line_count(width.saturating_sub(4).max(1));
    let height = fit(rows + 2, screen.height);
    screen.centered(Constraint::Length(width), Constraint::Length(height))
}

fn help(app: &App) -> Text<'static> {
    let screen = match app.screen {
        Screen::Game => include_str!("../../../help/keys-game.txt"),
        Screen::Review(_) => include_str!("../../../help/keys-review.txt"),
        Screen::Explorer(_) => include_str!("../../../help/keys-explorer.txt"),
    };
    let everywhere = include_str!("../../../help/keys-everywhere.txt").trim_end();
    let legend = Picture::legend(app.rules().board());
    let legend = legend.map_or_else(String::new, |legend| format!("{legend}\n"));
    let text = format!("{screen}\n{legend}{everywhere}");
    Text::from(if app.theme.is_ascii() { text.replace('×', "x") } else { text })
}

/// Returns a chapter of the way of play, and what to press for it.
fn guide(app: &App, number: usize) -> Text<'static> {
    let chapters = app.rules().way_of_play();
    let Some(chapter) = chapters.get(number) else { return Text::default() };
    let (first, last) = (number == 0, number + 1 == chapters.len());
    let heading = format!("{} of {}  {}", number + 1, chapters.len(), chapter.title);
    let mut lines = vec![Line::styled(heading, STRONG), Line::default()];
    lines.extend(chapter.sentences.iter().map(|told| Line::from(told.clone())));
    let keys = match chapter.title {
        "Throwing and moving" if app.has_real_dice() => Some(
            "Type the number that your dice show. The digit on a tile plays the move that ends there.",
        ),
        "Throwing and moving" => Some(
            "Space throws. The digit on a tile plays the move that ends there; so does a click.",
        ),
        _ if last => Some(
            "h shows what every move is worth, u takes a move back, ? lists all keys, g is this guide.",
        ),
        _ => None,
    };
    lines.extend(keys.into_iter().flat_map(|keys| [Line::default(), Line::from(keys)]));
    let next = if last { "space  play" } else { "space  next" };
    let back = if first { "" } else { "    Left  back" };
    lines.extend([Line::default(), Line::styled(format!("{next}{back}    Esc  leave"), DIM)]);
    Text::from(lines)
}

fn warning(app: &App, costly: &Costly) -> Text<'static> {
    let Some(player) = app.local.game().turn() else { return Text::default() };
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
