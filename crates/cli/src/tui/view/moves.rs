//! The moves of a roll, and their values.

use puabi_core::{Decision, Move, Player};
use puabi_engine::MoveAnswer;
use ratatui::prelude::*;
use ratatui::widgets::Paragraph;

use crate::output::text::{self, t};
use crate::play::WaitsFor;
use crate::style::Effect;
use crate::tui::state::{App, DIM, SELECTED, Theme};

/// The least width for a value beside its loss.
const WIDE: u16 = 28;

/// Draws the moves that a person chooses from, or else what the game waits for.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let Some((decision, player)) = app.local.game().decision().zip(app.local.game().turn()) else {
        return;
    };
    let lines: Vec<_> = match app.local.waits_for() {
        WaitsFor::PersonMoves => {
            let row = |(index, action)| row(app, &decision, player, (index, action), area.width);
            decision.moves().into_iter().enumerate().map(row).collect()
        }
        WaitsFor::ForcedPass => vec![Line::from(t!(app.language(), "no piece can move"))],
        WaitsFor::AgentMoves(spec) => {
            vec![Line::styled(
                t!(app.language(), "{agent} thinks", agent = app.language().translate(spec)),
                DIM,
            )]
        }
        WaitsFor::PersonRolls
        | WaitsFor::AgentRolls
        | WaitsFor::PersonAnswers
        | WaitsFor::AgentAnswers
        | WaitsFor::Nothing => Vec::new(),
    };
    Paragraph::new(lines).render(area, buffer);
}

/// Returns a move that can be chosen: its number, its tiles, its effect, and its value if there is a hint.
fn row(
    app: &App,
    decision: &Decision<'_>,
    player: Player,
    (index, action): (usize, Move),
    width: u16,
) -> Line<'static> {
    let theme = app.theme;
    let (sign, style) = if index == app.selected {
        (theme.sign("▸", ">"), SELECTED)
    } else {
        (" ", Style::new())
    };
    let tiles = text::left(&theme.style.tiles(decision.rules(), player, action), 9);
    let effect = Effect::of(decision, action);
    let mut spans = vec![Span::styled(format!("{sign}{:>2} {tiles}", index + 1), style)];
    match hint(app, action) {
        Some((option, best)) => {
            spans.push(Span::raw(format!("{:<3}", signs(effect, theme))));
            spans.extend(worth(option, best, theme, width));
        }
        None if width >= WIDE => {
            let words = [
                t!(app.language(), "captures"),
                t!(app.language(), "again"),
                t!(app.language(), "captures, again"),
            ];
            spans.push(Span::raw(effect.choose(words)));
        }
        None => spans.push(Span::raw(signs(effect, theme))),
    }
    Line::from(spans)
}

/// Returns the value of `action` and the best value, if there is a hint.
fn hint(app: &App, action: Move) -> Option<(&MoveAnswer, f64)> {
    let answer = app.answer.as_ref().filter(|_| app.aids.hint)?;
    let options = &answer.rolls.first()?.moves;
    let option = options.iter().find(|option| option.action == action)?;
    Some((option, options.first()?.value))
}

/// Returns the effect of a move in short.
pub(super) fn signs(effect: Effect, theme: Theme) -> &'static str {
    effect.choose([theme.sign("×", "x"), "+", theme.sign("×+", "x+")])
}

/// Returns a move that is only shown: its tiles, its effect and its value.
pub(super) fn option_row(
    app: &App,
    player: Player,
    option: &MoveAnswer,
    best: f64,
    width: u16,
) -> Line<'static> {
    let tiles = text::left(&app.theme.style.tiles(app.rules(), player, option.action), 9);
    let signs = signs(Effect::from(option), app.theme);
    let mut spans = vec![Span::raw(format!("{tiles} {signs:<3}"))];
    spans.extend(worth(option, best, app.theme, width));
    Line::from(spans)
}

/// Returns the value in percent and the loss against `best`; if there is no room for both, the loss, or the best value.
fn worth(option: &MoveAnswer, best: f64, theme: Theme, width: u16) -> [Span<'static>; 2] {
    let is_wide = width >= WIDE;
    let value = theme.style.language.number(format!("{:6.2}", option.value * 100.0));
    let loss = theme.style.loss(option, best);
    let loss = if option.best {
        // A word that fills the column must not touch the value.
        format!(" {}", text::right(&loss, 5))
    } else {
        text::right(&loss, 6)
    };
    match (is_wide, option.best) {
        (true, true) => [Span::raw(value), Span::styled(loss, theme.best())],
        (true, false) => [Span::raw(value), Span::raw(loss)],
        (false, true) => [Span::raw(value), Span::styled("*", theme.best())],
        (false, false) => [Span::raw(""), Span::raw(loss)],
    }
}
