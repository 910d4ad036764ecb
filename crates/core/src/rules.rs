//! Compiled rules: what a rule set says, as masks per square.

mod arranging;
mod landing;

use crate::board::{Board, BoardError};
use crate::decision::Decision;
use crate::dice::Roll;
use crate::ground::Ground;
use crate::order::Order;
use crate::player::Player;
use crate::position::{Position, Side};
use crate::ruleset::RuleSet;
use crate::squares::{Square, Squares};
use crate::stacking::{DeadPosition, Stacks};
use crate::tile::Tile;

pub(crate) use landing::Landing;
use landing::Landings;

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
    goal: u8,
    rolls: Vec<(Roll, f64)>,
    rosettes: Squares,
    veterans: Squares,
    landings: Landings,
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
    /// The number of pieces to bring home is out of range.
    #[error("{found} pieces to bring home: expected 1 to {pieces}, the pieces of each player")]
    Goal {
        /// The number asked for.
        found: u8,
        /// Pieces of each player.
        pieces: u8,
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
    /// The turning square is not on the path.
    #[error("pieces turn on square {found}: expected one of the path's {length} squares")]
    Turning {
        /// The square.
        found: u8,
        /// Squares of the path.
        length: u8,
    },
    /// The cap of stacks is out of range.
    #[error("stacks of {found} pieces: expected 1 to {max}", max = Stacks::MAX_CAP)]
    StackCap {
        /// The cap.
        found: u8,
    },
    /// The first roll cannot be thrown.
    #[error("the first roll is {found}: expected one of {rolls}")]
    FirstRoll {
        /// The roll.
        found: Roll,
        /// The rolls that can be thrown.
        rolls: String,
    },
    /// The order of a stack counts on a tile that the players reach on different steps.
    #[error(
        "pieces that differ lie on each other on {tile}, which the players do not reach on the same steps: expected a \
         tile that they do, or stacks whose order is free"
    )]
    SkewStack {
        /// The tile.
        tile: Tile,
    },
    /// The order of stacks counts on too many tiles.
    #[error("{tile} is one tile too many on which the order of pieces counts: expected at most {max}", max = Order::MAX_TILES)]
    ManyStacks {
        /// The tile.
        tile: Tile,
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
    /// Where the name is none or is that of a preset with other rules, where there are no pieces or too many or more to
    /// bring home than there are, or where a roll can be longer than the path.
    pub fn compile(&self) -> Result<Rules, RuleError> {
        Rules::new(self.clone())
    }
}

impl Rules {
    fn new(mut rule_set: RuleSet) -> Result<Self, RuleError> {
        let pieces = rule_set.pieces;
        let goal = rule_set.goal.unwrap_or(pieces);
        // All of them is what a rule set without a goal says.
        rule_set.goal = rule_set.goal.filter(|&goal| goal != pieces);
        rule_set.check_name()?;
        let board = rule_set.path.board().into_owned();
        if !(1..=RuleSet::MAX_PIECES).contains(&pieces) {
            return Err(RuleError::Pieces { found: pieces });
        }
        if !(1..=pieces).contains(&goal) {
            return Err(RuleError::Goal { found: goal, pieces });
        }
        let (length, longest) = (board.length(), rule_set.dice.longest());
        if length < longest.steps() {
            return Err(RuleError::ShortPath { length: length.into(), longest });
        }
        let turns_at = rule_set.turning.map(|turning| turning.square);
        if let Some(found) = turns_at.filter(|square| !(1..=length).contains(square)) {
            return Err(RuleError::Turning { found, length });
        }
        if !(1..=Stacks::MAX_CAP).contains(&rule_set.stacks.cap) {
            return Err(RuleError::StackCap { found: rule_set.stacks.cap });
        }
        let path = Squares::range(1, length);
        let is_rosette = |&(_, tile): &(Square, &Tile)| board.is_rosette(*tile);
        let rosettes =
            path.iter().zip(board.light()).filter(is_rosette).map(|(it, _)| it).collect();
        let veterans = rule_set
            .turning
            .map_or(Squares::EMPTY, |turning| Squares::range(turning.first_veteran(), length));
        let landings = Landings::new(&rule_set, &board)?;
        let rolls = rule_set.dice.rolls().collect();
        let rules = Self { rule_set, board, length, goal, rolls, rosettes, veterans, landings };
        match rules.rule_set.first_roll.filter(|&roll| !rules.can_roll(roll)) {
            Some(found) => Err(RuleError::FirstRoll { found, rolls: rules.roll_list() }),
            None => Ok(rules),
        }
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

    /// Returns the number of pieces that a player must bring home to win.
    #[inline]
    pub fn goal(&self) -> u8 {
        self.goal
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

    /// Returns the squares on which a piece is a veteran, the same for both players.
    pub fn veterans(&self) -> Squares {
        self.veterans
    }

    #[inline]
    pub(crate) fn landing(&self, square: Square) -> &Landing {
        &self.landings.squares[square.index()]
    }

    pub(crate) fn landings(&self) -> &Landings {
        &self.landings
    }

    /// Returns the opponent's squares that lie on the same tile as the owner's `square`.
    pub fn meets(&self, square: Square) -> Squares {
        self.landing(square).meets
    }

    /// Returns the owner's other squares that lie on the same tile as `square`.
    pub fn twins(&self, square: Square) -> Squares {
        self.landing(square).twins
    }

    /// Returns the opponent's squares whose pieces one that lands on `square` captures.
    pub fn captures(&self, square: Square) -> Squares {
        self.landing(square).captures
    }

    /// Returns the opponent's squares on which a landing piece captures one on `square`.
    pub fn captors(&self, square: Square) -> Squares {
        self.landing(square).captors
    }

    /// Returns the opponent's squares whose pieces make landing on `square` illegal.
    pub fn blockers(&self, square: Square) -> Squares {
        self.landing(square).blockers
    }

    /// Returns what the tile of `square` is, the same for both players.
    pub fn ground(&self, square: Square) -> Ground {
        let tile = self.tile(Player::Light, square);
        self.board.ground(tile).unwrap_or(Ground::Plain)
    }

    /// Returns whether several pieces may stand on some square.
    pub fn has_stacks(&self) -> bool {
        self.landings.squares.iter().any(Landing::stacks)
    }

    /// Returns whether a piece that stops a piece of the other player may be one that it cannot capture and that is not
    /// safe there: so in games where only like captures like.
    pub fn has_kinds(&self) -> bool {
        let path = || Squares::range(1, self.length).iter();
        path().any(|square| {
            let landing = self.landing(square);
            !landing.blockers.is_empty() && !landing.captures.is_empty()
        })
    }

    /// Returns whether nobody but the owner ever stands on `square`'s tile, and the owner only on this step.
    pub fn is_private(&self, square: Square) -> bool {
        self.meets(square).is_empty() && self.twins(square).is_empty()
    }

    /// Returns whether a piece on `square` cannot be captured.
    pub fn is_safe(&self, square: Square) -> bool {
        self.captors(square).is_empty()
    }

    /// Returns the squares whose pieces may move as far as the stacks they lie in let them: the mover's of `position`.
    #[inline]
    pub fn movable(&self, position: Position) -> Squares {
        let (squares, order) = (position.mine().squares(), position.order());
        if order.is_empty() { squares } else { squares & !self.buried(order) }
    }

    /// The mover's squares on tiles whose order counts, but for those that lie on top.
    fn buried(&self, order: Order) -> Squares {
        self.piles().fold(Squares::EMPTY, |buried, pile| {
            let top = order.top(pile).filter(|layer| !layer.is_theirs);
            let square = top.and_then(|layer| self.landings.square(pile, layer));
            let squares = self.landings.piles[usize::from(pile)];
            buried | square.map_or(squares, |square| squares.without(square))
        })
    }

    /// Returns whether neither player can ever move in `position`: no roll moves a piece of either.
    pub fn is_dead(&self, position: Position) -> bool {
        let is_stuck = |position| {
            self.rolls.iter().all(|&(roll, _)| !self.decision(position, roll).can_move())
        };
        is_stuck(position) && is_stuck(position.flipped())
    }

    /// Returns the value of a dead position for the player about to roll.
    pub fn dead_value(&self, position: Position) -> f64 {
        let (mine, theirs) = (position.mine().score(), position.theirs().score());
        match self.rule_set.dead_position {
            DeadPosition::MoreHome if mine > theirs => 1.0,
            DeadPosition::MoreHome if mine < theirs => 0.0,
            _ => 0.5,
        }
    }

    /// Returns who wins in a dead position with `mover` about to roll, if anybody does.
    pub fn dead_winner(&self, position: Position, mover: Player) -> Option<Player> {
        match self.dead_value(position) {
            value if value > 0.5 => Some(mover),
            value if value < 0.5 => Some(mover.opponent()),
            _ => None,
        }
    }

    /// Returns the number of pieces that `side` has not yet entered.
    pub fn hand(&self, side: Side) -> u8 {
        self.pieces() - side.score() - side.on_board()
    }

    /// Returns the squares that `side` still has to travel to win, with the pieces that are farthest along.
    pub fn pips(&self, side: Side) -> u32 {
        let all = u32::from(self.length()) + 1;
        let needed = self.goal - side.score();
        let idle = side.on_board().saturating_sub(needed);
        let racing = side.pieces().skip(idle.into());
        let left: u32 = racing.map(|square| all - u32::from(square.number())).sum();
        left + all * u32::from(needed - (side.on_board() - idle))
    }

    /// Returns so many pieces home as people are told: `3`, or `3 of 5` where fewer than all are to be brought home.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// let race = RuleSet { name: "race".into(), goal: Some(5), ..RuleSet::FINKEL };
    /// assert_eq!(race.compile()?.home_count(3), "3 of 5");
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    pub fn home_count(&self, score: u8) -> String {
        if self.goal == self.pieces() {
            score.to_string()
        } else {
            format!("{score} of {}", self.goal)
        }
    }

    /// Returns the position at the start of a game.
    pub fn start(&self) -> Position {
        Position::default()
    }

    /// Returns the chance (0..=1) that who begins a game wins it, given the value of a position for who rolls in it: with
    /// the best move where the rules give the first roll, before any roll where it is thrown.
    ///
    /// ```
    /// use puabi_core::{Roll, RuleSet};
    /// let thrown = RuleSet::FINKEL.compile()?;
    /// let first_roll = Some(Roll::new(1));
    /// let given = RuleSet { name: "given".into(), first_roll, ..RuleSet::FINKEL }.compile()?;
    /// assert_eq!(thrown.start_value(|_| 0.25), 0.25);
    /// assert_eq!(given.start_value(|_| 0.25), 0.75);
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    pub fn start_value(&self, value: impl Fn(Position) -> f64) -> f64 {
        match self.rule_set.first_roll {
            Some(roll) => self.decision(self.start(), roll).best_value(value),
            None => value(self.start()),
        }
    }

    /// Returns the position in which the mover and the opponent hold these squares and have so many pieces home.
    ///
    /// The quick door beside [`Rules::position`], for whoever reads positions by the million: `None` where they break
    /// these rules, or stand where pieces lie on each other.
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
            has_room && score < self.goal && outside.is_empty()
        };
        let stacks = |squares: Squares| squares.iter().any(|square| self.landing(square).stacks());
        let meets = |square| theirs.0.meets(self.meets(square)) || mine.0.meets(self.twins(square));
        let doubled = |square| theirs.0.meets(self.twins(square));
        if stacks(mine.0) || stacks(theirs.0) {
            return None;
        }
        if !fits(mine) || !fits(theirs) || mine.0.iter().any(meets) || theirs.0.iter().any(doubled)
        {
            return None;
        }
        Some(Position::new(
            Side::new(mine.0, mine.1),
            Side::new(theirs.0, theirs.1),
            Order::default(),
        ))
    }

    /// Returns whether the dice can show `roll`.
    #[inline]
    pub fn can_roll(&self, roll: Roll) -> bool {
        self.rule_set.dice.can_show(roll)
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
