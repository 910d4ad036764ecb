//! The squares that lie on a tile, and moves as RGN names them.

use std::ops::RangeInclusive;

use puabi_core::{
    Decision, Move, Path, Player, Roll, Route, RuleSet, Rules, Square, Squares, Tile,
};

use crate::records::problem::{Problem, excerpt};

/// For each player the squares on each tile, by lane and column.
pub(super) struct Tiles([Vec<Squares>; 2]);

/// The places of each lane, A to Z: columns count from 1 to 32.
const COLUMNS: usize = 33;

impl Tiles {
    pub(super) fn new(rules: &Rules) -> Self {
        Self(Player::BOTH.map(|player| {
            let mut squares = vec![Squares::EMPTY; 26 * COLUMNS];
            for &tile in rules.board().path(player) {
                squares[index(tile)] = rules.board().squares_on(tile, player);
            }
            squares
        }))
    }

    fn squares(&self, player: Player, tile: Tile) -> Squares {
        self.0[usize::from(player == Player::Dark)][index(tile)]
    }

    /// Returns the move that `text` names for `player`, whose pieces stand on `mine`, and the roll that it takes: `stated` if a
    /// move by that name can take it, otherwise the shortest roll that can be thrown.
    pub(super) fn parse(
        &self,
        rules: &Rules,
        (player, mine): (Player, Squares),
        text: &str,
        stated: Option<Roll>,
    ) -> Result<(Roll, Move), Problem> {
        let parts = Parts::new(text).ok_or_else(|| no_action(text))?;
        let from = match parts.from {
            None => None,
            Some(tile) => Some(
                (self.squares(player, tile) & mine)
                    .first()
                    .ok_or_else(|| no_piece(rules, player, tile, mine))?,
            ),
        };
        let start = from.map_or(0, Square::number);
        match (from, parts.to) {
            (Some(from), None) => {
                let home = home(rules, start).map(|steps| (Roll::new(steps), Move::Score { from }));
                Ok(choose(rules, &home.collect::<Vec<_>>(), stated).expect("a way home"))
            }
            (from, Some(tile)) => {
                let ahead = self.squares(player, tile).iter().filter(|to| to.number() > start);
                let moves = ahead.map(|to| {
                    let action = from.map_or(Move::Enter { to }, |from| Move::Advance { from, to });
                    (Roll::new(to.number() - start), action)
                });
                choose(rules, &moves.collect::<Vec<_>>(), stated).ok_or_else(|| {
                    Problem::expected(
                        format!("a move to {tile}"),
                        format!("a tile of {player}'s path further on than the piece stands"),
                    )
                })
            }
            (None, None) => Err(no_action(text)),
        }
    }
}

/// Returns the rolls that bring a piece home from a square. Without exact exits they include longer ones than needed, since a
/// piece may win with these.
fn home(rules: &Rules, start: u8) -> RangeInclusive<u8> {
    let needed = rules.length() + 1 - start;
    let RuleSet { exact_exit, dice, .. } = rules.rule_set();
    needed..=if *exact_exit { needed } else { needed.max(dice.longest().steps()) }
}

/// Returns the move with the stated roll, otherwise the first move with a roll that can be thrown. If there is none, returns
/// the first move, so that the roll is reported as the mistake.
fn choose(rules: &Rules, moves: &[(Roll, Move)], stated: Option<Roll>) -> Option<(Roll, Move)> {
    let stated = moves.iter().find(|&&(roll, _)| Some(roll) == stated);
    let found = stated.or_else(|| moves.iter().find(|&&(roll, _)| rules.can_roll(roll)));
    found.or(moves.first()).copied()
}

/// The tiles of an action without its marks; `None` means the hand or home.
struct Parts {
    from: Option<Tile>,
    to: Option<Tile>,
}

impl Parts {
    fn new(text: &str) -> Option<Self> {
        let (from, rest) = end(text, b'@')?;
        let (to, rest) = end(rest, b'+')?;
        rest.is_empty().then_some(Self { from, to })
    }
}

/// Reads one end of a move: a tile, or a lane and `sign`, which means no tile. Returns it and the text after it.
fn end(text: &str, sign: u8) -> Option<(Option<Tile>, &str)> {
    let bytes = text.as_bytes();
    let lane = *bytes.first().filter(|lane| lane.is_ascii_uppercase())?;
    if bytes.get(1) == Some(&sign) {
        return Some((None, &text[2..]));
    }
    let digit =
        |at: usize| bytes.get(at).filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
    let (column, length) = match (digit(1)?, digit(2)) {
        (tens, Some(ones)) => (10 * tens + ones, 3),
        (ones, None) => (ones, 2),
    };
    Some((Some(Tile::new(lane - b'A', column)?), &text[length..]))
}

fn index(tile: Tile) -> usize {
    usize::from(tile.row()) * COLUMNS + usize::from(tile.column())
}

fn no_action(text: &str) -> Problem {
    let expected = "a move such as `A@A4`, `B3B5x` or `A8A+`, or a roll without a move, `0 --`";
    Problem::expected(excerpt(text), expected)
}

fn no_piece(rules: &Rules, player: Player, tile: Tile, mine: Squares) -> Problem {
    let tiles: Vec<_> = mine.iter().map(|it| rules.tile(player, it).to_string()).collect();
    let expected = match tiles.len() {
        0 => format!("a piece from the hand: {player} has none on the board"),
        _ => format!("one of {player}'s pieces, which are on {}", tiles.join(", ")),
    };
    Problem::expected(format!("a move from {tile}"), expected)
}

/// Returns a move as RGN names it, without marks; an empty text for a pass.
pub(super) fn name(rules: &Rules, player: Player, action: Move) -> String {
    let tile = |square| rules.tile(player, square);
    let lane = |square| char::from(b'A' + tile(square).row());
    match action {
        Move::Pass => String::new(),
        Move::Enter { to } => format!("{}@{}", lane(to), tile(to)),
        Move::Advance { from, to } => format!("{}{}", tile(from), tile(to)),
        Move::Score { from } => format!("{}{}+", tile(from), finish(rules, player)),
    }
}

/// Returns the lane in which a player's path ends beyond the board: the lane of its last tile, but the player's own lane on the
/// board of twenty squares.
fn finish(rules: &Rules, player: Player) -> char {
    match (&rules.rule_set().path, player) {
        (Path::Named(Route::Aseb), Player::Light) => 'A',
        (Path::Named(Route::Aseb), Player::Dark) => 'C',
        _ => {
            let last = rules.board().path(player).last().map_or(0, |tile| tile.row());
            char::from(b'A' + last)
        }
    }
}

/// Returns whether a move captures and whether it lands on a rosette.
pub(super) fn marks(decision: &Decision<'_>, action: Move) -> (bool, bool) {
    let on_rosette = |square| decision.rules().rosettes().contains(square);
    (decision.captures(action).is_some(), action.to().is_some_and(on_rosette))
}
