//! Compiled rules: what a rule set says, as masks per square.

pub(crate) mod dice;
pub(crate) mod error;
pub(crate) mod file;
pub(crate) mod landing;
pub(crate) mod rule_set;
pub(crate) mod stacking;
pub(crate) mod way_of_play;

use crate::position::order::Order;
use crate::text::wording::{excerpt, is_control};
use crate::{
    Board, DeadPosition, Player, Position, Roll, RuleError, RuleSet, Side, Square, Squares, Stacks,
    Tile, TileKind,
};

use crate::rules::landing::{Landing, Landings};

/// A checked, compiled rule set. It is shared and never changed.
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

impl RuleSet {
    /// Checks these rules and returns their compiled form.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is malformed or belongs to a preset with other rules, if a number is out of range, if a roll
    /// can be longer than the path, or if pieces can stand on a tile in more ways than can be counted.
    pub fn compile(&self) -> Result<Rules, RuleError> {
        Rules::new(self.clone())
    }
}

impl Rules {
    fn new(mut rule_set: RuleSet) -> Result<Self, RuleError> {
        let pieces = rule_set.pieces;
        let goal = rule_set.goal.unwrap_or(pieces);
        // A goal of all pieces is the same as no goal.
        rule_set.goal = rule_set.goal.filter(|&goal| goal != pieces);
        check_name(&rule_set)?;
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
        let can_be_first = |roll: Roll| roll > Roll::new(0) && rules.can_roll(roll);
        match rules.rule_set.first_roll.filter(|&roll| !can_be_first(roll)) {
            Some(found) => Err(RuleError::FirstRoll { found, rolls: rules.list(can_be_first) }),
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

    /// Returns whether `side` has brought home the pieces that it takes to win.
    #[inline]
    pub fn has_won(&self, side: Side) -> bool {
        side.score() >= self.goal
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
    pub fn theirs_on_same_tile(&self, square: Square) -> Squares {
        self.landing(square).theirs_on_same_tile
    }

    /// Returns the owner's other squares that lie on the same tile as `square`.
    pub fn own_on_same_tile(&self, square: Square) -> Squares {
        self.landing(square).own_on_same_tile
    }

    /// Returns the opponent's squares whose pieces are captured by a piece that lands on `square`.
    pub fn captures(&self, square: Square) -> Squares {
        self.landing(square).captures
    }

    /// Returns the opponent's squares on which a landing piece captures a piece on `square`.
    pub fn captors(&self, square: Square) -> Squares {
        self.landing(square).captors
    }

    /// Returns the opponent's squares whose pieces make landing on `square` illegal.
    pub fn blockers(&self, square: Square) -> Squares {
        self.landing(square).blockers
    }

    /// Returns the kind of the tile of `square`, the same for both players.
    pub fn tile_kind(&self, square: Square) -> TileKind {
        let tile = self.tile(Player::Light, square);
        self.board.tile_kind(tile).unwrap_or(TileKind::Plain)
    }

    /// Returns whether several pieces may stand on some square.
    pub fn has_stacks(&self) -> bool {
        self.landings.squares.iter().any(Landing::stacks)
    }

    /// Returns whether only the owner ever stands on `square`'s tile, and only on this step.
    pub fn is_private(&self, square: Square) -> bool {
        self.theirs_on_same_tile(square).is_empty() && self.own_on_same_tile(square).is_empty()
    }

    /// Returns whether a piece on `square` cannot be captured.
    pub fn is_safe(&self, square: Square) -> bool {
        self.captors(square).is_empty()
    }

    /// Returns the mover's squares whose pieces are not buried in a stack.
    #[inline]
    pub fn movable(&self, position: Position) -> Squares {
        let (squares, order) = (position.mine().squares(), position.order());
        if order.is_empty() { squares } else { squares & !self.buried(order) }
    }

    /// Returns the mover's squares on tiles whose order counts, except those whose piece lies on top.
    fn buried(&self, order: Order) -> Squares {
        self.ordered_tiles().fold(Squares::EMPTY, |buried, tile| {
            let top = order.top(tile).filter(|layer| !layer.is_theirs);
            let square = top.and_then(|layer| self.landings.square(tile, layer));
            let squares = self.landings.ordered_tiles[usize::from(tile)];
            buried | square.map_or(squares, |square| squares.without(square))
        })
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

    /// Returns the winner of a dead position with `mover` about to roll, if there is one.
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

    /// Returns the number of squares that `side` still has to travel to win with the pieces that are farthest along.
    pub fn pips(&self, side: Side) -> u32 {
        let all = u32::from(self.length()) + 1;
        let needed = self.goal - side.score();
        let idle = side.on_board().saturating_sub(needed);
        let racing = side.pieces().skip(idle.into());
        let left: u32 = racing.map(|square| all - u32::from(square.number())).sum();
        left + all * u32::from(needed - (side.on_board() - idle))
    }

    /// Formats a number of pieces home: `3`, or `3 of 5` if a player needs fewer than all to win.
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

    /// Returns the position in which each side holds these squares and has this number of pieces home.
    ///
    /// It is faster than [`Rules::position`], for readers of tables with millions of positions. Returns `None` if the pieces
    /// break these rules, or stand on tiles that hold stacks.
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
        let meets = |square| {
            theirs.0.meets(self.theirs_on_same_tile(square))
                || mine.0.meets(self.own_on_same_tile(square))
        };
        let doubled = |square| theirs.0.meets(self.own_on_same_tile(square));
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

    /// Returns the error message for a roll that the dice cannot show.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// let rules = RuleSet::FINKEL.compile()?;
    /// assert_eq!(rules.cannot_roll(5), "a roll of 5 cannot be thrown: expected one of 0, 1, 2, 3, 4");
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    pub fn cannot_roll(&self, roll: impl std::fmt::Display) -> String {
        format!("a roll of {roll} cannot be thrown: expected one of {}", self.roll_list())
    }

    /// Returns the rolls that the dice can show, with commas between.
    pub fn roll_list(&self) -> String {
        self.list(|_| true)
    }

    /// Lists the rolls for which `is_listed` returns true.
    fn list(&self, is_listed: impl Fn(Roll) -> bool) -> String {
        let rolls = self.rolls.iter().map(|&(roll, _)| roll).filter(|&roll| is_listed(roll));
        rolls.map(|roll| roll.to_string()).collect::<Vec<_>>().join(", ")
    }

    /// Returns the tile of `square` on `player`'s path, the same as in [`Board::path`].
    ///
    /// # Panics
    ///
    /// Panics if the path has no such square.
    pub fn tile(&self, player: Player, square: Square) -> Tile {
        self.board.path(player)[usize::from(square.number()) - 1]
    }
}

/// Returns an error if the name is malformed, or is a preset's name for other rules.
fn check_name(rule_set: &RuleSet) -> Result<(), RuleError> {
    let found = || excerpt(&rule_set.name).into_owned();
    let length = rule_set.name.chars().count();
    let is_name = (1..=RuleSet::MAX_NAME).contains(&length)
        && rule_set.name.trim() == rule_set.name
        && !rule_set.name.contains(is_control);
    if !is_name {
        return Err(RuleError::Name { found: found() });
    }
    let asks_for = rule_set.name.split(':').next().unwrap_or_default();
    let same_name = |preset: &RuleSet| preset.name.eq_ignore_ascii_case(asks_for);
    match RuleSet::PRESETS.into_iter().find(same_name) {
        Some(preset) if rule_set.preset().is_none() => {
            Err(RuleError::PresetName { found: found(), preset: preset.name.into_owned() })
        }
        _ => Ok(()),
    }
}
