//! Questions and help, over the board.

use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph, Wrap};

use crate::tui::app::{App, Room};
use crate::tui::dialog::{Asks, Costly, Dialog, Entry};

/// The keys of every room.
const EVERYWHERE: &str = "\
r  review of the game: its graph, luck and errors
s  save the game to a file
Ctrl-C  leave at once; the game is kept";

/// The keys of the game.
const GAME: &str = "\
space Enter  throw; play the selected move; do not wait
1-9          play the move of that number
arrows       select a move; the mouse does so too
h  hint: what every move is worth, best marked
v  value: each player's chance to win
u  undo: back to your decision before this one
t  tutor: warns before a costly move
e  explorer: any position and all its moves
p  pause      + -  pace of the bots
q  quit
+ rolls again  × captures  thick frame: the selection";

/// The keys of the review.
const REVIEW: &str = "\
left right   one ply back, one on
PgUp PgDn    ten plies      Home End  first, last
n b          the next slip, the one before
e            explore this position
r q Esc      back to the game
thick frames: the move played    ! the best one";

/// The keys of the explorer.
const EXPLORER: &str = "\
arrows  the cursor; a click does so too
l d     a piece of light, of dark; to its next square
L D     one more piece of light, of dark home
x       nothing there        c  nothing at all
t       the other turn       0  the start of a game
:       type a position, as in 4,8:5+1:D
v       solve the game       PgUp PgDn  scroll the moves
e q Esc back to the game";

/// Draws `dialog` over everything else.
pub(super) fn draw(app: &App, dialog: &Dialog, frame: &mut Frame<'_>) {
    let (title, text) = match dialog {
        Dialog::Help => ("help", help(app)),
        Dialog::Quit => {
            ("quit", Text::from("keep the game?\n\ny  keep it    n  drop it    Esc  play on"))
        }
        Dialog::Notice(problem) => ("", Text::from(problem.as_str())),
        Dialog::Costly(costly) => ("tutor", warning(app, costly)),
        Dialog::Entry(entry) => (name(entry.asks), line(app, entry)),
    };
    let border = if app.look.is_ascii() { BorderType::Plain } else { BorderType::Rounded };
    let mut block =
        Block::bordered().border_type(border).padding(Padding::horizontal(1)).title(title);
    if app.look.is_ascii() {
        block = block.border_set(super::grid::ASCII);
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
    let room = match app.room {
        Room::Game => GAME,
        Room::Review(_) => REVIEW,
        Room::Explorer(_) => EXPLORER,
    };
    let text = format!("{room}\n\n{EVERYWHERE}");
    Text::from(if app.look.is_ascii() { text.replace('×', "x") } else { text })
}

fn warning(app: &App, costly: &Costly) -> Text<'static> {
    let rules = app.sitting.rules();
    let Some(player) = app.game().turn() else { return Text::default() };
    let [chosen, best] =
        [costly.action, costly.best].map(|action| app.look.pen.tiles(rules, player, action));
    let points = format!("{chosen} costs {:.2} points; {best} is best", costly.error * 100.0);
    Text::from(vec![
        Line::styled(points, app.look.warning()),
        Line::default(),
        Line::from("y  play it all the same    n  choose again"),
    ])
}

const fn name(asks: Asks) -> &'static str {
    match asks {
        Asks::File => "save the game to",
        Asks::Position => "position",
    }
}

fn line(app: &App, entry: &Entry) -> Text<'static> {
    let mut lines = vec![Line::from(format!("{}_", entry.text)), Line::default()];
    lines.extend(entry.problem.clone().map(|problem| Line::styled(problem, app.look.warning())));
    lines.push(Line::styled("Enter  done    Delete  empty    Esc  leave", app.look.dim()));
    Text::from(lines)
}
