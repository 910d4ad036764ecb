//! The moves of a roll, and what they are worth.

use puabi_core::{Decision, Move, Player, Rules};
use puabi_engine::MoveAnswer;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::effect::Effect;
use crate::tui::app::App;
use crate::tui::look::Look;
use crate::tui::turns::Waits;

/// Columns from which on a value stands beside what it costs.
const WIDE: u16 = 28;

/// Draws the moves that a person chooses from, a row a move; what a bot or a pass waits for otherwise.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let Some(decision) = app.game().decision() else { return };
    let Some(player) = app.game().turn() else { return };
    let lines: Vec<_> = match app.waits() {
        Waits::Choice => {
            let row = |(index, action)| row(app, &decision, player, (index, action), area.width);
            decision.moves().into_iter().enumerate().map(row).collect()
        }
        Waits::Pass => vec![Line::from("no piece can move")],
        Waits::Reply(spec) => vec![Line::styled(format!("{spec} thinks"), app.look.dim())],
        Waits::Roll | Waits::Throw | Waits::Over => Vec::new(),
    };
    Paragraph::new(lines).render(area, buffer);
}

/// Returns the row of a move: its number, where it goes, what it does, and with a hint its value.
fn row(
    app: &App,
    decision: &Decision<'_>,
    player: Player,
    (index, action): (usize, Move),
    width: u16,
) -> Line<'static> {
    let look = app.look;
    let is_selected = index == app.selected;
    let number =
        format!("{}{:>2} ", if is_selected { look.sign("▸", ">") } else { " " }, index + 1);
    let tiles = look.pen.tiles(decision.rules(), player, action);
    let effect = Effect::of(decision, action);
    let style = if is_selected { look.selected() } else { Style::new() };
    let mut spans = vec![Span::styled(format!("{number}{tiles:<9}"), style)];
    match hint(app, action) {
        Some((option, best)) => {
            spans.push(Span::raw(format!("{:<3}", effect.signs(look))));
            spans.extend(worth(option, best, look, width >= WIDE));
        }
        None if width >= WIDE => spans.push(Span::raw(effect.words())),
        None => spans.push(Span::raw(effect.signs(look))),
    }
    Line::from(spans)
}

/// Returns what `action` is worth, and the best value, where a hint is asked for.
fn hint(app: &App, action: Move) -> Option<(&MoveAnswer, f64)> {
    let answer = app.answer.as_ref().filter(|_| app.aids.hint)?;
    let options = &answer.rolls.first()?.moves;
    let option = options.iter().find(|option| option.action == action)?;
    Some((option, options.first()?.value))
}

/// Returns a row of a list of moves that nobody chooses from: where it goes, what it does, its value.
pub(super) fn option_row(
    rules: &Rules,
    player: Player,
    option: &MoveAnswer,
    best: f64,
    (look, width): (Look, u16),
) -> Line<'static> {
    let tiles = look.pen.tiles(rules, player, option.action);
    let signs = Effect { captures: option.capture, again: option.again }.signs(look);
    let mut spans = vec![Span::raw(format!("{tiles:<9} {signs:<3}"))];
    spans.extend(worth(option, best, look, width >= WIDE));
    Line::from(spans)
}

/// Returns the value in percent and what the move costs against `best`, or only that where it is narrow.
fn worth(option: &MoveAnswer, best: f64, look: Look, is_wide: bool) -> Vec<Span<'static>> {
    let value = if is_wide || option.best {
        format!("{:6.2}", option.value * 100.0)
    } else {
        String::new()
    };
    let cost = (best - option.value) * 100.0;
    let (cost, style) = if option.best {
        (format!("{:>6}", "best"), look.best())
    } else {
        (format!("{:>6}", format!("-{cost:.2}")), Style::new())
    };
    let has_room = is_wide || !option.best;
    vec![Span::raw(value), Span::styled(if has_room { cost } else { "*".to_owned() }, style)]
}
