//! One game from the start to its end: the only game loop there is.

use puabi_core::{Afterstate, Agent, Decision, Move, Player, Position, Roll, Rules};

use crate::play::dice::DiceRng;

/// A game that agents play to its end.
///
/// The game begins with the first roll that the rules give, if they give one. It ends when a player has won, when
/// neither player can ever move again, or after [`Playout::MAX_PLIES`] plies.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{DiceRng, Greedy, Playout};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let mut playout = Playout::new(&rules, DiceRng::new(7));
/// let ending = loop {
///     let (_, _, ending) = playout.ply(&Greedy);
///     if let Some(ending) = ending {
///         break ending;
///     }
/// };
/// assert!(ending.winner.is_some() && ending.plies > 14);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Playout<'r> {
    rules: &'r Rules,
    dice: DiceRng,
    position: Position,
    mover: Player,
    plies: u64,
    given: Option<Roll>,
}

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The winner; `None` if the game is a draw or was cut off.
    pub winner: Option<Player>,
    /// The number of rolls of the game.
    pub plies: u64,
    /// Whether the last ply was the first pass in a dead position.
    pub is_dead: bool,
}

impl Ending {
    /// Returns the half points of `player`: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(&self, player: Player) -> usize {
        match self.winner {
            Some(winner) if winner == player => 2,
            Some(_) => 0,
            None => 1,
        }
    }

    /// Returns the result for `player`: 1, 1/2 or 0.
    pub fn result(&self, player: Player) -> f64 {
        self.half_points(player) as f64 / 2.0
    }
}

impl<'r> Playout<'r> {
    /// The number of plies after which a game is cut off and counts as a draw.
    ///
    /// Some agents go round in circles for ever, such as two that never capture.
    pub const MAX_PLIES: u64 = 1 << 20;

    /// Returns a game that light is about to begin with `dice`.
    pub fn new(rules: &'r Rules, dice: DiceRng) -> Self {
        let (position, given) = (rules.start(), rules.rule_set().first_roll);
        Self { rules, dice, position, mover: Player::Light, plies: 0, given }
    }

    /// Returns a new game with the same dice, which go on from here.
    #[must_use]
    pub fn again(self) -> Self {
        Self::new(self.rules, self.dice)
    }

    /// Returns the player about to roll.
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// Returns the position before the roll.
    pub const fn position(&self) -> Position {
        self.position
    }

    /// Throws the dice, unless the rules give the first roll, and returns the decision of the mover.
    #[inline]
    pub fn throw(&mut self) -> Decision<'r> {
        let dice = self.rules.rule_set().dice;
        let roll = self.given.take().unwrap_or_else(|| self.dice.throw(dice));
        self.rules.decision(self.position, roll)
    }

    /// Returns the number, uniform in 0..1, by which the mover draws a move.
    #[inline]
    pub fn number(&self) -> f64 {
        self.dice.number()
    }

    /// Plays one ply: returns the decision, the move of `agent`, and the ending if that ends the game.
    ///
    /// # Panics
    ///
    /// Panics if the agent plays a move that is not legal.
    #[inline]
    pub fn ply<A: Agent + ?Sized>(&mut self, agent: &A) -> (Decision<'r>, Move, Option<Ending>) {
        let decision = self.throw();
        let action = agent.choose(&decision, self.number());
        let after = decision.play(action).expect("an agent plays a legal move");
        (decision, action, self.follow(after))
    }

    /// Continues from `after`, the result of the chosen move; returns the ending if that ends the game.
    #[inline]
    pub fn follow(&mut self, after: Afterstate) -> Option<Ending> {
        self.plies += 1;
        match after {
            Afterstate::Won => return Some(self.ending(Some(self.mover), false)),
            Afterstate::RollsAgain(next) => self.position = next,
            Afterstate::TurnPasses(next) => {
                let before = std::mem::replace(&mut self.position, next);
                self.mover = self.mover.opponent();
                // A board that stays as it was is that of a pass; to look for dead positions at every ply costs too much.
                if next == before.flipped() && self.rules.is_dead(next) {
                    return Some(self.ending(self.rules.dead_winner(next, self.mover), true));
                }
            }
        }
        (self.plies == Self::MAX_PLIES).then(|| self.ending(None, false))
    }

    fn ending(&self, winner: Option<Player>, is_dead: bool) -> Ending {
        Ending { winner, plies: self.plies, is_dead }
    }
}
