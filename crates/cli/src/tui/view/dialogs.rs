//! Questions and help, over the board.

use puabi_core::Picture;
use puabi_server::Language;
use ratatui::prelude::*;
use ratatui::symbols::border;
use ratatui::widgets::{Block, Clear, Padding, Paragraph, Wrap};
use textwrap::core::display_width;

use super::board::grid::ASCII;
use crate::output::text::t;
use crate::tui::state::{App, Costly, DIM, Dialog, Entry, Purpose, STRONG, Screen};

/// Draws `dialog` over the board.
pub(super) fn draw(app: &App, dialog: &Dialog, frame: &mut Frame<'_>) {
    let language = app.language();
    let (title, text) = match dialog {
        Dialog::Help => (t!(language, "help"), help(app)),
        Dialog::Guide(chapter) => (t!(language, "guide"), guide(app, *chapter)),
        Dialog::Quit => (t!(language, "quit"), farewell(language)),
        Dialog::Notice(problem) => (String::new(), Text::from(problem.as_str())),
        Dialog::Costly(costly) => (t!(language, "tutor"), warning(app, costly)),
        Dialog::Entry(entry) => (name(entry.purpose, language), line(app, entry)),
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
    // The width counts letter by letter, as cells are filled: Arabic letters that join take a cell each.
    let longest = text.lines.iter().map(|line| display_width(&line.to_string())).max();
    let width = fit(longest.unwrap_or(0) + 4, screen.width.min(widest));
    let inside = Paragraph::new(text.clone()).wrap(Wrap { trim: false });
    let rows = inside.line_count(width.saturating_sub(4).max(1));
    let height = fit(rows + 2, screen.height);
    screen.centered(Constraint::Length(width), Constraint::Length(height))
}

fn farewell(language: Language) -> Text<'static> {
    let keys = t!(language, "y  keep it    n  drop it    Esc  play on");
    Text::from(vec![Line::from(t!(language, "keep the game?")), Line::default(), Line::from(keys)])
}

fn help(app: &App) -> Text<'static> {
    let screen = match app.screen {
        Screen::Game => include_str!("../../../help/keys-game.txt"),
        Screen::Review(_) => include_str!("../../../help/keys-review.txt"),
        Screen::Explorer(_) => include_str!("../../../help/keys-explorer.txt"),
    };
    let everywhere = include_str!("../../../help/keys-everywhere.txt").trim_end();
    let legend = Picture::legend(app.rules().board());
    let legend =
        legend.map_or_else(String::new, |legend| format!("{}\n", app.theme.style.words(&legend)));
    let [screen, everywhere] = [screen, everywhere].map(|keys| app.language().lines(keys));
    let language = app.language();
    let cube = app.local.session.stakes().map(|_| match &app.screen {
        Screen::Game => t!(language, "d  doubles; y takes a double, n passes; h judges them"),
        Screen::Review(_) => t!(language, "h  what doubling, taking and moving gave away"),
        Screen::Explorer(_) => t!(language, "h  what a double, a take and a pass are worth"),
    });
    let cube = cube.map_or_else(String::new, |keys| format!("{keys}\n"));
    let text = format!("{screen}{cube}\n{legend}{everywhere}");
    Text::from(if app.theme.is_ascii() { text.replace('×', "x") } else { text })
}

/// Returns a chapter of the way of play, with the keys that belong to it.
fn guide(app: &App, number: usize) -> Text<'static> {
    let (chapters, language) = (app.rules().way_of_play(), app.language());
    let Some(chapter) = chapters.get(number) else { return Text::default() };
    let (first, last) = (number == 0, number + 1 == chapters.len());
    let at = t!(language, "{at} of {count}", at = number + 1, count = chapters.len());
    let heading = format!("{at}  {}", language.translate(chapter.title));
    let mut lines = vec![Line::styled(heading, STRONG), Line::default()];
    lines.extend(chapter.sentences.iter().map(|text| Line::from(app.theme.style.sentence(text))));
    let keys = match chapter.title {
        "Throwing and moving" if app.has_real_dice() => Some(t!(
            language,
            "Type the number that your dice show. The digit on a tile plays the move that ends there."
        )),
        "Throwing and moving" => Some(t!(
            language,
            "Space throws. The digit on a tile plays the move that ends there; so does a click."
        )),
        _ if last => Some(t!(
            language,
            "h shows what every move is worth, u takes a move back, ? lists all keys, g is this guide."
        )),
        _ => None,
    };
    lines.extend(keys.into_iter().flat_map(|keys| [Line::default(), Line::from(keys)]));
    let next = if last { t!(language, "space  play") } else { t!(language, "space  next") };
    let back = t!(language, "Left  back");
    let back = if first { String::new() } else { format!("    {back}") };
    let leave = t!(language, "Esc  leave");
    lines.extend([Line::default(), Line::styled(format!("{next}{back}    {leave}"), DIM)]);
    Text::from(lines)
}

fn warning(app: &App, costly: &Costly) -> Text<'static> {
    let Some(player) = app.local.game().turn() else { return Text::default() };
    let [chosen, best] = [costly.action, costly.best]
        .map(|action| app.theme.style.tiles(app.rules(), player, action));
    let language = app.language();
    let points = language.number(format!("{:.2}", costly.error * 100.0));
    let cost = t!(language, "{chosen} costs {points} points; {best} is best", chosen, points, best);
    Text::from(vec![
        Line::styled(cost, app.theme.warning()),
        Line::default(),
        Line::from(t!(language, "y  play it all the same    n  choose again")),
    ])
}

fn name(purpose: Purpose, language: Language) -> String {
    match purpose {
        Purpose::File => t!(language, "save the game to"),
        Purpose::Position => t!(language, "position"),
    }
}

fn line(app: &App, entry: &Entry) -> Text<'static> {
    let mut lines = vec![Line::from(format!("{}_", entry.text)), Line::default()];
    lines.extend(entry.problem.clone().map(|problem| Line::styled(problem, app.theme.warning())));
    let keys = t!(app.language(), "Enter  done    Delete  empty    Esc  leave");
    lines.push(Line::styled(keys, DIM));
    Text::from(lines)
}
