//! Decisions: the legal moves for a roll, and what follows each.

use crate::position::order::Order;
use crate::rules::landing::Landing;
use crate::{Afterstate, Move, Moves, Player, Position, Roll, RuleSet, Rules, Square, Squares};

/// A position and a roll: what a player has to decide on.
///
/// ```
/// use puabi_core::{Move, Roll, RuleSet};
/// let rules = RuleSet::FINKEL.compile()?;
/// let decision = rules.decision(rules.start(), Roll::new(0));
/// assert_eq!(decision.moves().as_slice(), [Move::Pass]);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Decision<'r> {
    rules: &'r Rules,
    position: Position,
    roll: Roll,
    mover: Player,
}

/// The error of playing a move that the rules do not allow.
///
/// ```
/// use puabi_core::{Move, Roll, RuleSet};
/// let rules = RuleSet::FINKEL.compile()?;
/// let error = rules.decision(rules.start(), Roll::new(3)).play(Move::Pass).unwrap_err();
/// assert_eq!(error.to_string(), "pass is not legal with a roll of 3: legal is only 0-3");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found} is not legal with a roll of {roll}: legal {legal}")]
pub struct IllegalMove {
    found: Move,
    roll: Roll,
    legal: String,
}

impl<'r> Decision<'r> {
    /// Returns the rules in force.
    pub const fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// Returns the position before the roll.
    pub const fn position(&self) -> Position {
        self.position
    }

    /// Returns the roll thrown.
    pub const fn roll(&self) -> Roll {
        self.roll
    }

    /// Returns the player who is to move: light, unless [`by`](Self::by) was called with dark.
    ///
    /// The rules do not depend on it. It exists for the few agents that see a colour.
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// Returns the same decision for `mover` to make.
    ///
    /// ```
    /// use puabi_core::{Player, Roll, RuleSet};
    /// let rules = RuleSet::FINKEL.compile()?;
    /// let decision = rules.decision(rules.start(), Roll::new(1));
    /// assert_eq!(decision.mover(), Player::Light);
    /// assert_eq!(decision.by(Player::Dark).mover(), Player::Dark);
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    #[must_use]
    pub const fn by(self, mover: Player) -> Self {
        Self { mover, ..self }
    }

    /// Returns the legal moves: [`Move::Pass`] alone if no piece can move.
    ///
    /// A roll longer than the path moves nothing.
    #[inline]
    pub fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        let steps = self.roll.steps();
        if (1..=self.rules.length()).contains(&steps) {
            let mine = self.position.mine();
            if self.rules.hand(mine) > 0 && self.can_land(Square::new_in_range(steps)) {
                moves.push(Move::Enter { to: Square::new_in_range(steps) });
            }
            // An explicit loop, for speed: every ply of every simulated game goes through here.
            for from in self.rules.movable(self.position).iter() {
                if let Some(action) = self.advance(from) {
                    moves.push(action);
                }
            }
        }
        if moves.is_empty() {
            moves.push(Move::Pass);
        }
        moves
    }

    #[inline]
    fn advance(&self, from: Square) -> Option<Move> {
        let (to, off) = (from.number() + self.roll.steps(), self.rules.length() + 1);
        if to >= off {
            return (to == off || self.may_overshoot(from)).then_some(Move::Score { from });
        }
        let to = Square::new_in_range(to);
        self.can_land(to).then_some(Move::Advance { from, to })
    }

    /// Returns whether the piece on `from` may leave with a roll longer than needed: the rules allow it, the piece wins the
    /// game, and no other piece of the mover is farther along.
    #[cold]
    fn may_overshoot(&self, from: Square) -> bool {
        let (mine, length) = (self.position.mine(), self.rules.length());
        let wins = mine.score() + 1 == self.rules.goal();
        let farther = Squares::range(from.number() + 1, length);
        !self.rules.rule_set().exact_exit && wins && !mine.squares().meets(farther)
    }

    #[inline]
    fn can_land(&self, to: Square) -> bool {
        let (mine, theirs) = (self.position.mine(), self.position.theirs());
        let landing = self.rules.landing(to);
        let is_barred =
            theirs.squares().meets(landing.blockers) || mine.squares().meets(landing.own_blockers);
        !is_barred && (!landing.stacks() || landing.pieces_on_tile(to, mine, theirs) < landing.room)
    }

    /// Returns whether any piece can move, without listing the moves.
    pub(crate) fn can_move(&self) -> bool {
        let steps = self.roll.steps();
        if !(1..=self.rules.length()).contains(&steps) {
            return false;
        }
        let can_enter = || {
            self.rules.hand(self.position.mine()) > 0 && self.can_land(Square::new_in_range(steps))
        };
        let mut pieces = self.rules.movable(self.position).iter();
        pieces.any(|from| self.advance(from).is_some()) || can_enter()
    }

    /// Returns every legal move with what follows it.
    pub fn afterstates(&self) -> impl ExactSizeIterator<Item = (Move, Afterstate)> {
        self.moves().into_iter().map(|action| (action, self.after(action)))
    }

    /// Returns the square of the opponent's piece that `action` captures, if it captures one.
    #[inline]
    pub fn captures(&self, action: Move) -> Option<Square> {
        (self.rules.captures(action.to()?) & self.position.theirs().squares()).first()
    }

    /// Returns the square of the opponent's piece that `action` covers, so that the piece cannot move.
    ///
    /// ```
    /// use puabi_core::{Roll, RuleSet};
    /// let rules = RuleSet::SKIRIUK.compile()?;
    /// let position = rules.position(&"3:7:L".parse()?)?;
    /// let covered = rules.decision(position, Roll::new(4)).covers("3-7".parse()?);
    /// assert_eq!(covered.map(|square| square.number()), Some(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn covers(&self, action: Move) -> Option<Square> {
        let ordered_tile = self.rules.landing(action.to()?).ordered_tile;
        if ordered_tile == Landing::UNORDERED {
            return None;
        }
        let top = self.position.order().top(ordered_tile).filter(|piece| piece.is_theirs)?;
        self.rules.landings().square(ordered_tile, top)
    }

    /// Returns what follows `action`.
    ///
    /// # Errors
    ///
    /// Returns an error that lists the legal moves if `action` is not one of them.
    #[inline]
    pub fn play(&self, action: Move) -> Result<Afterstate, IllegalMove> {
        if self.allows(action) { Ok(self.after(action)) } else { Err(self.illegal(action)) }
    }

    #[cold]
    fn illegal(&self, action: Move) -> IllegalMove {
        let moves = self.moves();
        let names: Vec<_> = moves.iter().map(Move::to_string).collect();
        let legal = match names.len() {
            1 => format!("is only {}", names[0]),
            _ => format!("are {}", names.join(", ")),
        };
        IllegalMove { found: action, roll: self.roll, legal }
    }

    /// Returns whether `action` is legal, without listing the moves.
    #[inline]
    pub fn allows(&self, action: Move) -> bool {
        let (steps, mine) = (self.roll.steps(), self.position.mine());
        let is_step = (1..=self.rules.length()).contains(&steps);
        match action {
            Move::Pass => !self.can_move(),
            Move::Enter { to } => {
                is_step && to.number() == steps && self.rules.hand(mine) > 0 && self.can_land(to)
            }
            Move::Advance { from, .. } | Move::Score { from } => {
                is_step
                    && self.rules.movable(self.position).contains(from)
                    && self.advance(from) == Some(action)
            }
        }
    }

    /// Returns what follows one of [`Decision::moves`]; the result for another move is arbitrary.
    ///
    /// It is quicker than [`Decision::play`], for callers that have listed the moves.
    ///
    /// ```
    /// use puabi_core::{Roll, RuleSet};
    /// let rules = RuleSet::FINKEL.compile()?;
    /// let decision = rules.decision(rules.start(), Roll::new(3));
    /// assert_eq!(Ok(decision.after(decision.moves()[0])), decision.play("0-3".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn after(&self, action: Move) -> Afterstate {
        let captured = self.captures(action);
        let board = self.board_after(action, captured);
        if self.rules.has_won(board.mine()) {
            return Afterstate::Won;
        }
        if self.grants_roll(action, captured.is_some()) {
            Afterstate::RollsAgain(board)
        } else {
            Afterstate::TurnPasses(board.flipped())
        }
    }

    /// Returns the board after a legal `action`, seen by the player who moved. If `action` wins the game, it is the final board.
    #[inline]
    pub fn board(&self, action: Move) -> Position {
        self.board_after(action, self.captures(action))
    }

    /// Returns the board after a legal `action` that captures the piece on `captured`, seen by the player who moved. If
    /// `action` wins the game, it is the final board.
    #[inline]
    pub(crate) fn board_after(&self, action: Move, captured: Option<Square>) -> Position {
        let (mine, theirs) = (self.position.mine(), self.position.theirs());
        let theirs = captured.map_or(theirs, |square| theirs.lift(square));
        let mine = match action {
            Move::Pass => mine,
            Move::Enter { to } => mine.enter(to),
            Move::Advance { from, to } => mine.lift(from).enter(to),
            Move::Score { from } => mine.bring_home(from),
        };
        Position::new(mine, theirs, self.order_after(action))
    }

    /// Returns the stacks after a legal `action`.
    #[inline]
    fn order_after(&self, action: Move) -> Order {
        let order = self.position.order();
        let is_ordered =
            |square: &Square| self.rules.landing(*square).ordered_tile != Landing::UNORDERED;
        let order = action
            .from()
            .filter(is_ordered)
            .map_or(order, |from| order.pop(self.rules.landing(from).ordered_tile));
        action.to().filter(is_ordered).map_or(order, |to| {
            order.push(self.rules.landing(to).ordered_tile, self.rules.landings().piece(to, false))
        })
    }

    /// Returns whether the mover rolls again after a legal `action`, provided that it does not win the game.
    ///
    /// ```
    /// use puabi_core::{Roll, RuleSet};
    /// let rules = RuleSet::FINKEL.compile()?;
    /// assert!(rules.decision(rules.start(), Roll::new(4)).rolls_again("0-4".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn rolls_again(&self, action: Move) -> bool {
        self.grants_roll(action, self.captures(action).is_some())
    }

    #[inline]
    fn grants_roll(&self, action: Move, captures: bool) -> bool {
        let RuleSet { rosettes_grant_rolls, captures_grant_rolls, .. } = *self.rules.rule_set();
        let on_rosette = action.to().is_some_and(|to| self.rules.rosettes().contains(to));
        on_rosette && rosettes_grant_rolls || captures && captures_grant_rolls
    }

    /// Returns the chance (0..=1) that the mover wins with the best move, given the value of each position one ply on.
    pub fn best_value(&self, value: impl Fn(Position) -> f64) -> f64 {
        self.afterstates().map(|(_, after)| after.value(&value)).fold(0.0, f64::max)
    }
}

impl Rules {
    /// Returns the decision of the player about to roll in `position`, having thrown `roll`.
    pub fn decision(&self, position: Position, roll: Roll) -> Decision<'_> {
        Decision { rules: self, position, roll, mover: Player::Light }
    }

    /// Returns whether neither player can ever move in `position`: no roll moves a piece of either.
    pub fn is_dead(&self, position: Position) -> bool {
        let is_stuck = |position| {
            self.rolls().iter().all(|&(roll, _)| !self.decision(position, roll).can_move())
        };
        is_stuck(position) && is_stuck(position.flipped())
    }

    /// Returns the chance (0..=1) that the player who begins a game wins it, given the value of each position.
    ///
    /// If the rules give the first roll, it is the chance with the best move for that roll.
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
        match self.rule_set().first_roll {
            Some(roll) => self.decision(self.start(), roll).best_value(value),
            None => value(self.start()),
        }
    }
}
