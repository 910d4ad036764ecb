//! Compiled rules: what a rule set says, as masks per square.

use crate::board::{Board, BoardError};
use crate::decision::Decision;
use crate::dice::Roll;
use crate::player::Player;
use crate::position::{Position, Side};
use crate::ruleset::RuleSet;
use crate::setup::{PositionError, Setup, SideSetup};
use crate::squares::{Square, Squares};
use crate::tile::Tile;

/// A checked, compiled rule set; shared, never changed.
///
/// ```
/// use puabi_core::{Roll, RuleSet};
/// let rules = RuleSet::FINKEL.compile()?;
/// assert_eq!(rules.length(), 14);
/// let decision = rules.decision(rules.start(), Roll::new(4));
/// assert_eq!(decision.moves().len(), 1);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    rule_set: RuleSet,
    board: Board,
    length: u8,
    rolls: Vec<(Roll, f64)>,
    rosettes: Squares,
    meets: [Squares; 32],
    twins: [Squares; 32],
}

/// What keeps a rule set from being a game.
///
/// ```
/// use puabi_core::RuleSet;
/// let error = RuleSet::FINKEL.with_pieces(16).compile().unwrap_err();
/// assert_eq!(error.to_string(), "16 pieces: expected 1 to 15");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// The name is none.
    #[error(
        "{found:?} is no name: expected 1 to {max} characters, no control character, no space at either end",
        max = RuleSet::MAX_NAME
    )]
    Name {
        /// The name.
        found: String,
    },
    /// The name is a preset's, but the rules are not.
    #[error(
        "the name `{found}` would be taken for the preset `{preset}`, whose rules differ: expected another name"
    )]
    PresetName {
        /// The name.
        found: String,
        /// The preset that it would be taken for.
        preset: String,
    },
    /// The number of pieces is out of range.
    #[error("{found} pieces: expected 1 to {max}", max = RuleSet::MAX_PIECES)]
    Pieces {
        /// The number asked for.
        found: u8,
    },
    /// A roll can be longer than the path.
    #[error(
        "the path has {length} squares, but a roll can be {longest}: expected a path at least as long as the longest roll"
    )]
    ShortPath {
        /// Squares of the path.
        length: usize,
        /// The longest roll.
        longest: Roll,
    },
    /// The board is none.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl RuleSet {
    /// Checks these rules and returns their compiled form.
    ///
    /// # Errors
    ///
    /// Where the name is none or is that of a preset with other rules, where there are no pieces or too many, or where
    /// a roll can be longer than the path.
    pub fn compile(&self) -> Result<Rules, RuleError> {
        Rules::new(self.clone())
    }
}

impl Rules {
    fn new(rule_set: RuleSet) -> Result<Self, RuleError> {
        rule_set.check_name()?;
        let board = rule_set.path.board().into_owned();
        if !(1..=RuleSet::MAX_PIECES).contains(&rule_set.pieces) {
            return Err(RuleError::Pieces { found: rule_set.pieces });
        }
        let (length, longest) = (board.length(), rule_set.dice.longest());
        if length < longest.steps() {
            return Err(RuleError::ShortPath { length: length.into(), longest });
        }
        let mut meets = [Squares::EMPTY; 32];
        let mut twins = [Squares::EMPTY; 32];
        let mut rosettes = Squares::EMPTY;
        for (square, &tile) in Squares::range(1, length).iter().zip(board.light()) {
            meets[square.index()] = board.squares_on(tile, Player::Dark);
            twins[square.index()] = board.squares_on(tile, Player::Light).without(square);
            if board.is_rosette(tile) {
                rosettes = rosettes.with(square);
            }
        }
        let rolls = rule_set.dice.rolls().collect();
        Ok(Self { rule_set, board, length, rolls, rosettes, meets, twins })
    }

    /// Returns the rules as data.
    pub fn rule_set(&self) -> &RuleSet {
        &self.rule_set
    }

    /// Returns the board with both players' paths.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the number of pieces of each player.
    pub fn pieces(&self) -> u8 {
        self.rule_set.pieces
    }

    /// Returns the number of squares of a path.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// Returns every roll, ascending, with its chance (0..=1); the chances sum to one.
    pub fn rolls(&self) -> &[(Roll, f64)] {
        &self.rolls
    }

    /// Returns the squares that are rosettes, the same for both players.
    pub fn rosettes(&self) -> Squares {
        self.rosettes
    }

    /// Returns the opponent's squares that lie on the same tile as the owner's `square`.
    pub fn meets(&self, square: Square) -> Squares {
        self.meets[square.index()]
    }

    /// Returns the owner's other squares that lie on the same tile as `square`.
    pub fn twins(&self, square: Square) -> Squares {
        self.twins[square.index()]
    }

    /// Returns whether nobody but the owner ever stands on `square`'s tile, and the owner only on this step.
    pub fn is_private(&self, square: Square) -> bool {
        self.meets(square).is_empty() && self.twins(square).is_empty()
    }

    /// Returns whether a piece on `square` cannot be captured.
    pub fn is_safe(&self, square: Square) -> bool {
        self.meets(square).is_empty()
            || self.rule_set.safe_rosettes && self.rosettes.contains(square)
    }

    /// Returns the number of pieces that `side` has not yet entered.
    pub fn hand(&self, side: Side) -> u8 {
        self.pieces() - side.score() - side.on_board()
    }

    /// Returns the squares that `side`'s pieces still have to travel, all together.
    pub fn pips(&self, side: Side) -> u32 {
        let all = u32::from(self.length()) + 1;
        let left: u32 = side.squares().iter().map(|square| all - u32::from(square.number())).sum();
        left + all * u32::from(self.hand(side))
    }

    /// Returns the position at the start of a game.
    pub fn start(&self) -> Position {
        Position::default()
    }

    /// Returns the position that `setup` describes.
    ///
    /// # Errors
    ///
    /// Where it breaks these rules: too many pieces, a square off the path, two pieces on one tile, a finished game.
    pub fn position(&self, setup: &Setup) -> Result<Position, PositionError> {
        let light = self.side(Player::Light, &setup.light)?;
        let dark = self.side(Player::Dark, &setup.dark)?;
        self.check_meeting(light, dark)?;
        for (player, side) in [(Player::Light, light), (Player::Dark, dark)] {
            if side.score() == self.pieces() {
                return Err(PositionError::Finished { player });
            }
        }
        if let Some(roll) = setup.roll
            && !self.can_roll(roll)
        {
            return Err(PositionError::Roll { found: roll, rolls: self.roll_list() });
        }
        Ok(setup.turn.mover_first(light, dark))
    }

    /// Returns the position in which the mover and the opponent hold these squares and have so many pieces home.
    ///
    /// The quick door beside [`Rules::position`], for whoever reads positions by the million: `None` where they break
    /// these rules.
    ///
    /// ```
    /// use puabi_core::{RuleSet, Squares};
    /// let rules = RuleSet::FINKEL.compile()?;
    /// let (four, five) = (Squares::range(4, 4), Squares::range(5, 5));
    /// assert_eq!(rules.arrange((four, 0), (five, 2)), rules.position(&"4:5+2:L".parse()?).ok());
    /// assert_eq!(rules.arrange((five, 0), (five, 0)), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn arrange(&self, mine: (Squares, u8), theirs: (Squares, u8)) -> Option<Position> {
        let on_path = Squares::range(1, self.length);
        let fits = |(squares, score): (Squares, u8)| {
            let (taken, outside) = (squares.len().checked_add(score), squares & !on_path);
            let has_room = taken.is_some_and(|taken| taken <= self.pieces());
            has_room && score < self.pieces() && outside.is_empty()
        };
        let meets = |square| theirs.0.meets(self.meets(square)) || mine.0.meets(self.twins(square));
        let doubled = |square| theirs.0.meets(self.twins(square));
        if !fits(mine) || !fits(theirs) || mine.0.iter().any(meets) || theirs.0.iter().any(doubled)
        {
            return None;
        }
        Some(Position::new(Side::new(mine.0, mine.1), Side::new(theirs.0, theirs.1)))
    }

    fn side(&self, player: Player, setup: &SideSetup) -> Result<Side, PositionError> {
        let mut squares = Squares::EMPTY;
        for &square in &setup.squares {
            if square.number() > self.length() {
                return Err(PositionError::OffPath { player, square, length: self.length() });
            }
            if squares.contains(square) {
                return Err(PositionError::Stack { player, square });
            }
            if let Some(twin) = self.twins(square).iter().find(|&twin| squares.contains(twin)) {
                let tile = self.tile(player, square);
                return Err(PositionError::Twin { player, first: twin, second: square, tile });
            }
            squares = squares.with(square);
        }
        let found = setup.squares.len() + usize::from(setup.score);
        if found > usize::from(self.pieces()) {
            return Err(PositionError::TooMany { player, found, pieces: self.pieces() });
        }
        Ok(Side::new(squares, setup.score))
    }

    fn check_meeting(&self, light: Side, dark: Side) -> Result<(), PositionError> {
        for square in light.squares().iter() {
            if let Some(other) = (self.meets(square) & dark.squares()).iter().next() {
                let tile = self.tile(Player::Light, square);
                return Err(PositionError::Shared { tile, light: square, dark: other });
            }
        }
        Ok(())
    }

    /// Returns whether the dice can show `roll`.
    pub fn can_roll(&self, roll: Roll) -> bool {
        self.rolls.iter().any(|&(known, _)| known == roll)
    }

    pub(crate) fn roll_list(&self) -> String {
        let rolls: Vec<_> = self.rolls.iter().map(|(roll, _)| roll.to_string()).collect();
        rolls.join(", ")
    }

    /// Returns the tile of `square` on `player`'s path, the same as [`Board::path`] has there.
    ///
    /// # Panics
    ///
    /// Where the path is shorter than that.
    pub fn tile(&self, player: Player, square: Square) -> Tile {
        self.board.path(player)[usize::from(square.number()) - 1]
    }

    /// Returns the decision of the player about to roll in `position`, having thrown `roll`.
    pub fn decision(&self, position: Position, roll: Roll) -> Decision<'_> {
        Decision::new(self, position, roll)
    }
}
