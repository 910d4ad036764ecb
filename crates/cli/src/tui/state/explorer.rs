//! The explorer: any position, and what every move of it is worth.

use puabi_core::{Board, Player, Roll, Rules, Setup, SideSetup, Square, Tile};

/// A position that the user sets up, and the tile for the next piece.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Explorer {
    /// The position, whether or not the rules allow it.
    pub(crate) setup: Setup,
    /// The tile for the next piece.
    pub(crate) cursor: Tile,
    /// The number of lines of the moves above the window.
    pub(crate) scroll: u16,
}

impl Explorer {
    /// Returns the explorer with `setup` on the board.
    pub(crate) fn new(board: &Board, setup: Setup) -> Self {
        Self { setup, cursor: board.light()[0], scroll: 0 }
    }

    /// Scrolls the moves on, or back if `lines` is negative, up to `most` lines.
    pub(crate) fn scroll_by(&mut self, lines: i16, most: u16) {
        self.scroll = self.scroll.saturating_add_signed(lines).min(most);
    }

    /// Returns the number of lines of its rolls and their moves; 0 if the rules do not allow the position.
    pub(crate) fn lines(&self, rules: &Rules) -> usize {
        let Ok(position) = rules.position(&self.setup) else { return 0 };
        let is_shown = |roll: &Roll| self.setup.roll.is_none_or(|known| known == *roll);
        let rolls = rules.rolls().iter().map(|&(roll, _)| roll).filter(is_shown);
        rolls.map(|roll| 1 + rules.decision(position, roll).moves().len()).sum()
    }

    /// Sets up another position.
    pub(crate) fn set(&mut self, setup: Setup) {
        self.setup = setup;
        self.scroll = 0;
    }

    /// Moves the cursor to the next tile across or down, over gaps; a negative step goes left or up.
    pub(crate) fn go(&mut self, board: &Board, across: i16, down: i16) {
        let (row, column) = (self.cursor.row(), self.cursor.column());
        let sign = |from: u8, to: u8| (i16::from(to) - i16::from(from)).signum();
        let is_ahead = |tile: &&Tile| {
            sign(row, tile.row()) == down && (down != 0 || sign(column, tile.column()) == across)
        };
        let distance = |tile: &&Tile| (tile.row().abs_diff(row), tile.column().abs_diff(column));
        let next = board.tiles().iter().filter(is_ahead).min_by_key(distance);
        self.cursor = next.copied().unwrap_or(self.cursor);
    }

    /// Puts a piece of `player` on the cursor's tile.
    ///
    /// A piece that is there goes on to the next square of that tile, and from the last square off the board.
    pub(crate) fn toggle(&mut self, board: &Board, player: Player) {
        let squares: Vec<Square> = board.squares_on(self.cursor, player).iter().collect();
        let cursor = self.cursor;
        self.setup.stacks.retain(|stack| stack.tile != cursor);
        let side = self.side_mut(player);
        let stands = squares.iter().position(|square| side.squares.contains(square));
        side.squares.retain(|square| !squares.contains(square));
        let next = stands.map_or(0, |at| at + 1);
        if let Some(&square) = squares.get(next) {
            side.squares.push(square);
            side.squares.sort_unstable();
            self.lift(board, player.opponent());
        }
        self.scroll = 0;
    }

    /// Removes every piece from the cursor's tile.
    pub(crate) fn clear(&mut self, board: &Board) {
        for player in Player::BOTH {
            self.lift(board, player);
        }
        self.scroll = 0;
    }

    /// Removes every piece from the board and from home.
    pub(crate) fn empty(&mut self) {
        let turn = self.setup.turn;
        let (light, dark) = (SideSetup::default(), SideSetup::default());
        self.set(Setup { light, dark, turn, roll: None, stacks: Vec::new() });
    }

    /// Brings one more piece of `player` home; after the last one, none is home.
    pub(crate) fn score(&mut self, rules: &Rules, player: Player) {
        let side = self.side_mut(player);
        let taken = side.squares.len() + usize::from(side.score);
        let has_room = taken < usize::from(rules.pieces()) && side.score < rules.goal();
        side.score = if has_room { side.score + 1 } else { 0 };
        self.scroll = 0;
    }

    /// Gives the turn to the other player.
    pub(crate) fn pass(&mut self) {
        self.setup.turn = self.setup.turn.opponent();
        self.setup.roll = None;
        self.scroll = 0;
    }

    fn lift(&mut self, board: &Board, player: Player) {
        let (squares, cursor) = (board.squares_on(self.cursor, player), self.cursor);
        self.setup.stacks.retain(|stack| stack.tile != cursor);
        self.side_mut(player).squares.retain(|&square| !squares.contains(square));
    }

    fn side_mut(&mut self, player: Player) -> &mut SideSetup {
        match player {
            Player::Light => &mut self.setup.light,
            Player::Dark => &mut self.setup.dark,
        }
    }
}
