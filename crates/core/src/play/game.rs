//! Games: plies played one after the other, from a start to a winner.

use std::sync::Arc;

use crate::{
    Afterstate, Decision, IllegalMove, Move, Player, Position, PositionError, Roll, Rules, Setup,
};

/// One roll and the move made with it.
///
/// ```
/// use puabi_core::{Game, Move, Roll, RuleSet};
/// let mut game = Game::new(RuleSet::FINKEL.compile()?);
/// game.roll(Roll::new(0))?;
/// game.play(Move::Pass)?;
/// let ply = game.plies()[0];
/// assert_eq!((ply.player.letter(), ply.roll.steps(), ply.action), ('L', 0, Move::Pass));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ply {
    /// The player who rolled and moved.
    pub player: Player,
    /// The roll.
    pub roll: Roll,
    /// The move made with the roll.
    pub action: Move,
    /// The position before the roll, seen by `player`.
    pub before: Position,
}

/// A game from its start to where it stands.
///
/// ```
/// use puabi_core::{Game, Roll, RuleSet};
/// let mut game = Game::new(RuleSet::FINKEL.compile()?);
/// game.roll(Roll::new(4))?;
/// let action = game.decision().expect("a roll is known").moves()[0];
/// assert!(game.play(action)?.rolls_again());
/// assert_eq!(game.setup().to_string(), "4:-:L");
/// game.undo();
/// assert_eq!(game.setup().to_string(), "-:-:L");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    rules: Arc<Rules>,
    start: Setup,
    plies: Vec<Ply>,
    /// The player who rolls or moves next, if the game is not over.
    player: Player,
    /// The position before the next or pending roll, seen by `player`.
    position: Position,
    stage: Stage,
}

/// What a game waits for.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    /// A roll.
    Roll,
    /// A move with this roll.
    Move(Roll),
    /// Nothing, since the game is over: the winner, or `None` if neither player can ever move and the game is drawn.
    Over(Option<Player>),
}

/// The reason why a game refuses a roll or a move.
///
/// ```
/// use puabi_core::{Game, Roll, RuleSet};
/// let error = Game::new(RuleSet::MASTERS.compile()?).roll(Roll::new(0)).unwrap_err();
/// assert_eq!(error.to_string(), "a roll of 0 cannot be thrown: expected one of 1, 2, 3, 4");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The game is over, and there is a winner.
    #[error("the game is over: {winner} has won")]
    Over {
        /// The winner.
        winner: Player,
    },
    /// The game is over without a winner: neither player can ever move.
    #[error("the game is over: neither player can ever move, and nobody has won")]
    Dead,
    /// The roll is known already.
    #[error("{player} has thrown {roll}: expected a move")]
    Rolled {
        /// The player whose turn it is.
        player: Player,
        /// The roll.
        roll: Roll,
    },
    /// The roll is not known yet.
    #[error("{player} has not rolled: expected a roll before the move")]
    NotRolled {
        /// The player whose turn it is.
        player: Player,
    },
    /// The dice cannot show this roll.
    #[error("a roll of {found} cannot be thrown: expected one of {rolls}")]
    Roll {
        /// The roll.
        found: Roll,
        /// The rolls that can be thrown.
        rolls: String,
    },
    /// The rules forbid the move.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}

impl Game {
    /// Returns a game at its start, light about to roll.
    pub fn new(rules: impl Into<Arc<Rules>>) -> Self {
        let rules = rules.into();
        let (start, position) = (usual_start(&rules), rules.start());
        Self::begun(rules, start, position)
    }

    /// Returns a game that starts from `start`. If `start` names a roll, the first move is made with that roll.
    ///
    /// # Errors
    ///
    /// Returns an error if `start` breaks the rules or describes a finished game.
    pub fn from_setup(rules: impl Into<Arc<Rules>>, start: Setup) -> Result<Self, PositionError> {
        let rules = rules.into();
        let position = rules.position(&start)?;
        Ok(Self::begun(rules, start, position))
    }

    /// Returns the game at its start; `position` is what `start` describes.
    fn begun(rules: Arc<Rules>, start: Setup, position: Position) -> Self {
        let (player, stage) = (start.turn, Stage::of_start(&start));
        Self { rules, start, plies: Vec::new(), player, position, stage }
    }

    /// Returns the rules in force.
    pub const fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Returns the setup that the game started from.
    pub const fn start(&self) -> &Setup {
        &self.start
    }

    /// Returns whether the game started as [`Game::new`] does.
    ///
    /// ```
    /// use puabi_core::{Game, Roll, RuleSet};
    /// let thrown = RuleSet { name: "thrown".into(), first_roll: Some(Roll::new(3)), ..RuleSet::FINKEL };
    /// let rules = thrown.compile()?;
    /// assert!(Game::new(rules.clone()).starts_as_usual());
    /// assert!(!Game::from_setup(rules, "-:-:L".parse()?)?.starts_as_usual());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn starts_as_usual(&self) -> bool {
        self.start == usual_start(&self.rules)
    }

    /// Returns the plies played, the first one first.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Returns the player who rolls or moves next; `None` if the game is over.
    pub const fn turn(&self) -> Option<Player> {
        if self.is_over() { None } else { Some(self.player) }
    }

    /// Returns the position before the next or pending roll, seen by the player who throws it; `None` if the game is
    /// over.
    pub const fn position(&self) -> Option<Position> {
        if self.is_over() { None } else { Some(self.position) }
    }

    /// Returns the roll that has been thrown and waits for its move.
    pub const fn pending(&self) -> Option<Roll> {
        match self.stage {
            Stage::Move(roll) => Some(roll),
            Stage::Roll | Stage::Over(_) => None,
        }
    }

    /// Returns the roll that has been thrown since the start and waits for its move. A roll that the start names does not count.
    pub fn thrown(&self) -> Option<Roll> {
        self.pending().filter(|_| self.start.roll.is_none() || !self.plies.is_empty())
    }

    /// Returns the error of a roll or move in this game if the game is over; `None` if it goes on.
    pub fn over(&self) -> Option<GameError> {
        match self.stage {
            Stage::Over(winner) => Some(over_error(winner)),
            Stage::Roll | Stage::Move(_) => None,
        }
    }

    /// Returns whether the game is over: won, or dead.
    pub const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// Returns the winner. It is also `None` if the game is over without a winner, see [`Game::is_over`].
    pub const fn winner(&self) -> Option<Player> {
        match self.stage {
            Stage::Over(winner) => winner,
            Stage::Roll | Stage::Move(_) => None,
        }
    }

    /// Returns the decision for the roll that waits for its move; `None` if no roll waits.
    pub fn decision(&self) -> Option<Decision<'_>> {
        self.pending().map(|roll| self.rules.decision(self.position, roll).by(self.player))
    }

    /// Returns the current board, the player whose turn it is and the pending roll. For a finished game it is the final board,
    /// with the turn of the winner, or of the player who moved last if there is no winner.
    pub fn setup(&self) -> Setup {
        match self.stage {
            Stage::Over(winner) => self.final_setup(winner),
            Stage::Roll | Stage::Move(_) => {
                Setup { roll: self.pending(), ..self.rules.setup(self.position, self.player) }
            }
        }
    }

    fn final_setup(&self, winner: Option<Player>) -> Setup {
        let Some(last) = self.plies.last() else { return self.start.clone() };
        let decision = self.rules.decision(last.before, last.roll);
        let board = decision.board_after(last.action, None);
        match winner.unwrap_or(last.player) {
            player if player == last.player => self.rules.setup(board, player),
            player => self.rules.setup(board.flipped(), player),
        }
    }

    /// Throws `roll` for the player whose turn it is, and returns the decision that follows.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, a roll waits for its move, or the dice cannot show this roll.
    #[inline]
    pub fn roll(&mut self, roll: Roll) -> Result<Decision<'_>, GameError> {
        match self.stage {
            Stage::Roll => {}
            Stage::Move(roll) => return Err(GameError::Rolled { player: self.player, roll }),
            Stage::Over(winner) => return Err(over_error(winner)),
        }
        if !self.rules.can_roll(roll) {
            return Err(GameError::Roll { found: roll, rolls: self.rules.roll_list() });
        }
        self.stage = Stage::Move(roll);
        Ok(self.rules.decision(self.position, roll).by(self.player))
    }

    /// Plays `action` with the roll that has been thrown, and returns what follows it.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, no roll has been thrown, or the move is not legal.
    #[inline]
    pub fn play(&mut self, action: Move) -> Result<Afterstate, GameError> {
        let roll = match self.stage {
            Stage::Move(roll) => roll,
            Stage::Roll => return Err(GameError::NotRolled { player: self.player }),
            Stage::Over(winner) => return Err(over_error(winner)),
        };
        let (player, before) = (self.player, self.position);
        let after = self.rules.decision(before, roll).play(action)?;
        self.plies.push(Ply { player, roll, action, before });
        self.stage = Stage::Roll;
        match after {
            Afterstate::Won => self.stage = Stage::Over(Some(player)),
            Afterstate::RollsAgain(position) => self.position = position,
            Afterstate::TurnPasses(position) => {
                (self.player, self.position) = (player.opponent(), position);
                // A game ends in a dead position only with a pass, so no other move needs the check.
                if action == Move::Pass && self.rules.is_dead(position) {
                    self.stage = Stage::Over(self.rules.dead_winner(position, self.player));
                }
            }
        }
        Ok(after)
    }

    /// Takes back the last ply with its roll, after a pending roll if there is one, and returns the ply.
    ///
    /// A roll that the start names is not taken back.
    pub fn undo(&mut self) -> Option<Ply> {
        let ply = self.plies.pop()?;
        (self.player, self.position) = (ply.player, ply.before);
        let is_start = self.plies.is_empty();
        self.stage = if is_start { Stage::of_start(&self.start) } else { Stage::Roll };
        Some(ply)
    }

    /// Takes back the roll that waits for its move, unless the start names it.
    pub fn undo_roll(&mut self) {
        if self.thrown().is_some() {
            self.stage = Stage::Roll;
        }
    }
}

/// Returns the setup that a game starts from unless it names another.
fn usual_start(rules: &Rules) -> Setup {
    let first = rules.setup(rules.start(), Player::Light);
    Setup { roll: rules.rule_set().first_roll, ..first }
}

fn over_error(winner: Option<Player>) -> GameError {
    winner.map_or(GameError::Dead, |winner| GameError::Over { winner })
}

impl Stage {
    /// Returns what a game that starts from `setup` waits for.
    fn of_start(setup: &Setup) -> Self {
        setup.roll.map_or(Self::Roll, Self::Move)
    }
}
