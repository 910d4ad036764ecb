//! The explorer: any position, set up by hand, and what every move of it is worth.

use puabi_core::{
    Board, Evaluator, Player, PositionError, Roll, Rules, Setup, SideSetup, Square, Tile,
};
use puabi_engine::Answer;

/// A position that is set up, and the tile where the next piece goes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Explorer {
    setup: Setup,
    cursor: Tile,
    scroll: u16,
}

/// A direction on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Explorer {
    /// Returns the explorer with `setup` on the board.
    pub(super) fn new(board: &Board, setup: Setup) -> Self {
        Self { setup, cursor: board.light()[0], scroll: 0 }
    }

    /// Returns the position as it is set up, whether or not the rules allow it.
    pub(super) const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the tile where the next piece goes.
    pub(super) const fn cursor(&self) -> Tile {
        self.cursor
    }

    /// Returns what `evaluator` knows of the position.
    pub(super) fn answer<E: Evaluator + ?Sized>(
        &self,
        rules: &Rules,
        evaluator: &E,
    ) -> Result<Answer, PositionError> {
        let Setup { turn, roll, .. } = self.setup;
        Ok(Answer::new(rules, (rules.position(&self.setup)?, turn), roll, evaluator))
    }

    /// Returns how many lines of the moves are scrolled away.
    pub(super) const fn scroll(&self) -> u16 {
        self.scroll
    }

    /// Scrolls the moves so many lines on, or back, up to `most`.
    pub(super) fn scroll_by(&mut self, lines: i16, most: u16) {
        self.scroll = self.scroll.saturating_add_signed(lines).min(most);
    }

    /// Returns how many lines its rolls and their moves take; none where the rules do not allow the position.
    pub(super) fn lines(&self, rules: &Rules) -> usize {
        let Ok(position) = rules.position(&self.setup) else { return 0 };
        let asked = |roll: &Roll| self.setup.roll.is_none_or(|known| known == *roll);
        let rolls = rules.rolls().iter().map(|&(roll, _)| roll).filter(asked);
        rolls.map(|roll| 1 + rules.decision(position, roll).moves().len()).sum()
    }

    /// Sets up another position.
    pub(super) fn set(&mut self, setup: Setup) {
        self.setup = setup;
        self.scroll = 0;
    }

    /// Puts the cursor on `tile`.
    pub(super) fn point(&mut self, tile: Tile) {
        self.cursor = tile;
    }

    /// Moves the cursor to the next tile in `direction`, over gaps; stays where there is none.
    pub(super) fn go(&mut self, board: &Board, direction: Direction) {
        let (row, column) = (self.cursor.row(), self.cursor.column());
        let aside = |tile: &Tile| tile.column().abs_diff(column);
        let tiles = || board.tiles().iter().copied();
        let next = match direction {
            Direction::Left => tiles().rfind(|t| t.row() == row && t.column() < column),
            Direction::Right => tiles().find(|t| t.row() == row && t.column() > column),
            Direction::Up => {
                tiles().filter(|t| t.row() < row).min_by_key(|tile| (row - tile.row(), aside(tile)))
            }
            Direction::Down => {
                tiles().filter(|t| t.row() > row).min_by_key(|tile| (tile.row() - row, aside(tile)))
            }
        };
        self.cursor = next.unwrap_or(self.cursor);
    }

    /// Puts a piece of `player` on the cursor's tile; where one stands, it goes on to the next square of that tile, and
    /// from the last one it is taken away.
    pub(super) fn toggle(&mut self, board: &Board, player: Player) {
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

    /// Takes every piece from the cursor's tile.
    pub(super) fn clear(&mut self, board: &Board) {
        for player in Player::BOTH {
            self.lift(board, player);
        }
        self.scroll = 0;
    }

    /// Takes every piece from the board and every piece from home.
    pub(super) fn empty(&mut self) {
        let turn = self.setup.turn;
        let (light, dark) = (SideSetup::default(), SideSetup::default());
        self.set(Setup { light, dark, turn, roll: None, stacks: Vec::new() });
    }

    /// Brings one piece more of `player` home, and takes all of them away after the last.
    pub(super) fn score(&mut self, rules: &Rules, player: Player) {
        let side = self.side_mut(player);
        let taken = side.squares.len() + usize::from(side.score);
        let has_room = taken < usize::from(rules.pieces()) && side.score < rules.goal();
        side.score = if has_room { side.score + 1 } else { 0 };
        self.scroll = 0;
    }

    /// Gives the turn to the other player.
    pub(super) fn pass(&mut self) {
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
