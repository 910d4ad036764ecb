//! The game that is played: the board, the dice, the moves and the last plies.

use puabi_core::{Dice, Move, Player, Ply, Rules, Tile};
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::prelude::*;
use ratatui::widgets::Paragraph;

use super::areas::Areas;
use super::board::{BoardArea, Faces};
use super::{chances, moves};
use crate::output::text::{self, t};
use crate::play::WaitsFor;
use crate::style::Effect;
use crate::tui::state::{App, DIM, STRONG, Theme};

/// The least number of rows below the board: a gap, the chances, and a ply.
const BELOW: u16 = 3;
/// The least width at which a ply is written in full.
const WIDE: u16 = 50;

/// Returns the places of the board and its players.
pub(super) fn board<'a>(app: &'a App, areas: &Areas) -> BoardArea<'a> {
    BoardArea::new(app, areas.left, BELOW)
}

/// Returns the places of the dice and of the moves.
pub(super) fn panel(areas: &Areas) -> [Rect; 2] {
    Layout::vertical([Length(4), Fill(1)]).areas(areas.panel)
}

/// Draws the game.
pub(super) fn draw(app: &App, areas: &Areas, buffer: &mut Buffer) {
    let board = board(app, areas);
    board.draw(app, &app.local.game().setup(), &faces(app), buffer);
    let [_, bar, rest] = Layout::vertical([Length(1), Length(1), Fill(1)]).areas(board.below);
    chances::draw(app, bar, buffer);
    draw_plies(app, rest, buffer);
    let [dice, moves] = panel(areas);
    draw_dice(app, dice, buffer);
    moves::draw(app, moves, buffer);
}

fn faces(app: &App) -> Faces {
    let rules = app.rules();
    let mut faces = Faces::new(rules, &app.local.game().setup());
    let Some(player) = app.local.game().turn() else { return faces };
    if app.local.waits_for() == WaitsFor::PersonMoves {
        let options = app.local.moves();
        for (number, &action) in ('1'..='9').zip(&options) {
            faces.label(goal(rules, player, action), number);
        }
        mark(&mut faces, rules, player, options[app.selected]);
    }
    faces
}

/// Marks the tiles that a move leaves and reaches.
pub(super) fn mark(faces: &mut Faces, rules: &Rules, player: Player, action: Move) {
    for square in [action.from(), action.to()].into_iter().flatten() {
        faces.mark(rules.tile(player, square));
    }
}

/// Returns the tile for the label of a move: its last one, or the first one of a piece that goes home.
///
/// # Panics
///
/// Panics if the move is a pass, which has no tile.
pub(super) fn goal(rules: &Rules, player: Player, action: Move) -> Tile {
    let square = action.to().or(action.from()).expect("a choice moves a piece");
    rules.tile(player, square)
}

/// Draws the turn and the dice.
fn draw_dice(app: &App, area: Rect, buffer: &mut Buffer) {
    let second = match app.local.game().pending() {
        Some(roll) => dice(app.theme, app.rules().rule_set().dice, roll.steps()),
        None => Line::styled(invitation(app), STRONG),
    };
    Paragraph::new(vec![heading(app), second]).render(area, buffer);
}

fn heading(app: &App) -> Line<'static> {
    let (game, session, language) = (app.local.game(), &app.local.session, app.language());
    let (player, words) = match (session.turn(), session.record().winner(), game.pending()) {
        (_, Some(winner), _) => {
            (winner, t!(language, "{player} has won", player = app.player(winner)))
        }
        (Some(player), _, Some(roll)) => {
            (player, t!(language, "{player} has thrown {roll}", player = app.player(player), roll))
        }
        (Some(player), _, None) if session.record().answering().is_some() => {
            let value = 2 * session.stakes().map_or(1, |stakes| stakes.cube.value());
            let name = app.player(player);
            (player, t!(language, "{player} has doubled to {value}", player = name, value))
        }
        (Some(player), _, None) => {
            (player, t!(language, "{player} is to throw", player = app.player(player)))
        }
        (None, None, _) => return Line::from(t!(language, "nobody has won")),
    };
    Line::styled(words, app.theme.player(player))
}

/// Returns how a person throws.
fn invitation(app: &App) -> String {
    match app.local.waits_for() {
        WaitsFor::PersonRolls if app.has_real_dice() => {
            t!(app.language(), "type the roll: {typed}_", typed = app.typed)
        }
        WaitsFor::PersonRolls => t!(app.language(), "space or click here"),
        _ => String::new(),
    }
}

/// Returns the dice; only their sum is known, so those with a marked tip up come first.
fn dice(theme: Theme, dice: Dice, steps: u8) -> Line<'static> {
    // If a roll of blank sides only counts more than there are dice, no tip is up.
    let up = if steps > dice.count() { 0 } else { steps };
    let down = dice.count().saturating_sub(up);
    Line::from(vec![
        Span::styled(theme.sign("▲ ", "* ").repeat(up.into()), STRONG),
        Span::styled(theme.sign("△ ", ". ").repeat(down.into()), DIM),
        Span::raw(format!(" {steps}")),
    ])
}

/// Draws the last plies, as many as there is room for.
fn draw_plies(app: &App, area: Rect, buffer: &mut Buffer) {
    let plies = app.local.game().plies();
    let first = plies.len().saturating_sub(usize::from(area.height));
    let line = |(at, ply)| ply_line(app, at, ply, area.width);
    let lines: Vec<_> = (first + 1..).zip(&plies[first..]).map(line).collect();
    Paragraph::new(lines).render(area, buffer);
}

fn ply_line(app: &App, number: usize, ply: &Ply, width: u16) -> Line<'static> {
    let (theme, player) = (app.theme, ply.player);
    let decision = app.rules().decision(ply.before, ply.roll);
    let action = if width < WIDE {
        let tiles = theme.style.tiles(decision.rules(), player, ply.action);
        format!(
            "{} {}",
            text::left(&tiles, 9),
            moves::signs(Effect::of(&decision, ply.action), theme)
        )
    } else {
        theme.style.action(&decision, player, ply.action)
    };
    Line::from(vec![
        Span::styled(format!("{number:>3} "), DIM),
        Span::styled(
            format!("{} {}", theme.style.player(player), theme.piece(player)),
            theme.player(player),
        ),
        Span::raw(format!(" {}  {action}", ply.roll)),
    ])
}
