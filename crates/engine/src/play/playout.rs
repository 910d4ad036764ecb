//! One game from the start to its end: how a game goes on and ends, for all code that plays games.

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
    state: GameState,
}

/// The state of a game that is played to its end: the position, and what the ending depends on.
///
/// It borrows neither rules nor dice, so that a caller can keep many games that share them.
///
/// ```
/// use puabi_core::{Player, Roll, RuleSet};
/// use puabi_engine::GameState;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let mut state = GameState::new(&rules);
/// let decision = rules.decision(state.position(), Roll::new(1));
/// let ending = state.follow(&rules, decision.after(decision.moves()[0]));
/// assert_eq!((ending, state.mover()), (None, Player::Dark));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameState {
    position: Position,
    mover: Player,
    plies: u64,
    first_roll: Option<Roll>,
}

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameEnd {
    /// The winner; `None` if the game is a draw or was cut off.
    pub winner: Option<Player>,
    /// The number of rolls of the game.
    pub plies: u64,
    /// Whether the last ply was the first pass in a dead position.
    pub is_dead: bool,
    /// Whether the loser gave the game up.
    pub is_forfeit: bool,
}

impl GameEnd {
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

impl GameState {
    /// Returns the start of a game, light about to roll.
    pub fn new(rules: &Rules) -> Self {
        let (position, first_roll) = (rules.start(), rules.rule_set().first_roll);
        Self { position, mover: Player::Light, plies: 0, first_roll }
    }

    /// Returns the player about to roll.
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// Returns the position before the roll.
    pub const fn position(&self) -> Position {
        self.position
    }

    /// Returns the first roll of the game, once, if the rules give it.
    #[inline]
    pub const fn take_first_roll(&mut self) -> Option<Roll> {
        self.first_roll.take()
    }

    /// Continues from `after`, the result of the chosen move, and returns the ending if the move ends the game.
    #[inline]
    pub fn follow(&mut self, rules: &Rules, after: Afterstate) -> Option<GameEnd> {
        self.plies += 1;
        match after {
            Afterstate::Won => return Some(self.ending(Some(self.mover), false)),
            Afterstate::RollsAgain(next) => self.position = next,
            Afterstate::TurnPasses(next) => {
                let before = std::mem::replace(&mut self.position, next);
                self.mover = self.mover.opponent();
                // Only a pass leaves the board as it was. To look for dead positions at every ply would cost too much.
                if next == before.flipped() && rules.is_dead(next) {
                    return Some(self.ending(rules.dead_winner(next, self.mover), true));
                }
            }
        }
        (self.plies == Playout::MAX_PLIES).then(|| self.ending(None, false))
    }

    /// Returns the ending of a game that the mover gives up after the roll.
    pub const fn forfeit(&self) -> GameEnd {
        let winner = Some(self.mover.opponent());
        GameEnd { winner, plies: self.plies + 1, is_dead: false, is_forfeit: true }
    }

    const fn ending(&self, winner: Option<Player>, is_dead: bool) -> GameEnd {
        GameEnd { winner, plies: self.plies, is_dead, is_forfeit: false }
    }
}

impl<'r> Playout<'r> {
    /// The number of plies after which a game is cut off and counts as a draw.
    ///
    /// Some agents go round in circles for ever, such as two that never capture.
    pub const MAX_PLIES: u64 = 1 << 20;

    /// Returns a game that light is about to begin with `dice`.
    pub fn new(rules: &'r Rules, dice: DiceRng) -> Self {
        Self { rules, dice, state: GameState::new(rules) }
    }

    /// Returns a new game, whose dice go on from here.
    #[must_use]
    pub fn again(self) -> Self {
        Self::new(self.rules, self.dice)
    }

    /// Returns the player about to roll.
    pub const fn mover(&self) -> Player {
        self.state.mover()
    }

    /// Returns the position before the roll.
    pub const fn position(&self) -> Position {
        self.state.position()
    }

    /// Throws the dice, unless the rules give the first roll, and returns the decision of the mover.
    #[inline]
    pub fn roll(&mut self) -> Decision<'r> {
        // Each ply takes its numbers from the seed, whether they are used or not.
        let thrown = self.dice.throw(self.rules.rule_set().dice);
        let roll = self.state.take_first_roll().unwrap_or(thrown);
        self.rules.decision(self.state.position(), roll).by(self.state.mover())
    }

    /// Returns the number, uniform in 0..1, by which the mover draws a move.
    #[inline]
    pub fn number(&self) -> f64 {
        self.dice.number()
    }

    /// Plays one ply, and returns the decision, the move of `agent`, and the ending if the move ends the game.
    ///
    /// The agent must move. A caller asks an agent that may give the game up by [`Agent::play`] instead.
    ///
    /// # Panics
    ///
    /// Panics if the agent plays a move that is not legal.
    #[inline]
    pub fn ply<A: Agent + ?Sized>(&mut self, agent: &A) -> (Decision<'r>, Move, Option<GameEnd>) {
        let decision = self.roll();
        let action = agent.choose(&decision, self.number());
        let after = decision.play(action).expect("an agent plays a legal move");
        (decision, action, self.follow(after))
    }

    /// Continues from `after`, the result of the chosen move, and returns the ending if the move ends the game.
    #[inline]
    pub fn follow(&mut self, after: Afterstate) -> Option<GameEnd> {
        self.state.follow(self.rules, after)
    }

    /// Returns the ending of a game that the mover gives up after the roll.
    pub const fn forfeit(&self) -> GameEnd {
        self.state.forfeit()
    }
}
