//! Many games side by side: the decision in each of them, and steps that play a move in each.

use std::sync::Arc;

use puabi_core::{Afterstate, Decision, Move, Player, Position, Roll, Rules};

use puabi_engine::{DiceRng, GameState};
use puabi_tables::{Table, TableError};

use crate::features;

/// Games that are played side by side, with dice from one seed.
///
/// Each waits for a move. A game that ends is followed by a new one in its place.
#[derive(Debug)]
pub(crate) struct Games {
    rules: Arc<Rules>,
    dice: DiceRng,
    places: Vec<Place>,
}

/// A game that waits for a move.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    state: GameState,
    roll: Roll,
    /// The number, evenly distributed in 0..1, by which an agent draws its move.
    number: f64,
    moves: puabi_core::Moves,
}

/// What a step did to one game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    /// 1 if the player who moved has won, -1 if the other has, else 0.
    pub(crate) reward: f32,
    /// Whether that ended the game.
    pub(crate) is_done: bool,
}

impl Games {
    /// Returns `count` games at their start.
    pub(crate) fn new(rules: Arc<Rules>, count: usize, seed: u64) -> Self {
        let mut games = Self { rules, dice: DiceRng::new(seed), places: Vec::new() };
        let state = GameState::new(&games.rules);
        games.places.resize_with(count, || Place {
            state,
            roll: Roll::new(0),
            number: 0.0,
            moves: puabi_core::Moves::new(),
        });
        games
    }

    /// Begins every game anew. A game takes its roll from `rolls`, if that has one for it.
    pub(crate) fn begin(&mut self, rolls: Option<&[Option<Roll>]>) {
        let Self { rules, dice, places } = self;
        for (at, place) in places.iter_mut().enumerate() {
            place.state = GameState::new(rules);
            place.throw(rules, dice, rolls.and_then(|rolls| rolls[at]));
        }
    }

    /// Returns the rules in force.
    pub(crate) fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Returns the games.
    pub(crate) fn places(&self) -> &[Place] {
        &self.places
    }

    /// Returns the decision in each game.
    pub(crate) fn decisions(&self) -> impl ExactSizeIterator<Item = Decision<'_>> {
        self.places.iter().map(|place| place.decision(&self.rules))
    }

    /// Plays a move in each game, then throws the next roll or, if `rolls` has one for the game, takes that.
    ///
    /// The dice are thrown in any case, so that a given roll does not change the rolls after it.
    pub(crate) fn step(
        &mut self,
        moves: &[Move],
        rolls: Option<&[Option<Roll>]>,
        mut see: impl FnMut(usize, Outcome, &Place),
    ) {
        let Self { rules, dice, places } = self;
        for (at, (place, &action)) in places.iter_mut().zip(moves).enumerate() {
            let outcome = place.play(rules, action);
            place.throw(rules, dice, rolls.and_then(|rolls| rolls[at]));
            see(at, outcome, place);
        }
    }

    /// Returns the chance of the player to move after each legal move of each game, one after the other, by a table.
    ///
    /// Games without a choice have NaN if `needs_choice`.
    pub(crate) fn judge(&self, table: &Table, needs_choice: bool) -> Result<Vec<f64>, TableError> {
        let count = self.places.iter().map(|place| place.moves.len()).sum();
        let (mut values, mut open, mut positions) =
            (Vec::with_capacity(count), Vec::new(), Vec::new());
        for (place, decision) in self.places.iter().zip(self.decisions()) {
            if needs_choice && place.moves.len() == 1 {
                values.push(f64::NAN);
                continue;
            }
            for &action in &place.moves {
                let after = decision.after(action);
                if let Some(position) = after.position() {
                    open.push((values.len(), after));
                    positions.push(position);
                }
                values.push(1.0);
            }
        }
        let mut found = vec![0.0; positions.len()];
        table.with_values(|values| values.evaluate(&positions, &mut found))?;
        for ((at, after), found) in open.into_iter().zip(found) {
            values[at] = after.value(|_| found);
        }
        Ok(values)
    }
}

impl Place {
    /// Returns the player to move.
    pub(crate) fn mover(&self) -> Player {
        self.state.mover()
    }

    /// Returns the position before the roll, seen by the player to move.
    pub(crate) fn position(&self) -> Position {
        self.state.position()
    }

    /// Returns the roll.
    pub(crate) fn roll(&self) -> Roll {
        self.roll
    }

    /// Returns the number by which an agent draws a move.
    pub(crate) fn number(&self) -> f64 {
        self.number
    }

    /// Returns the legal moves.
    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the decision of the player to move.
    pub(crate) fn decision<'r>(&self, rules: &'r Rules) -> Decision<'r> {
        rules.decision(self.state.position(), self.roll).by(self.state.mover())
    }

    /// Returns the legal move with this code.
    #[inline]
    pub(crate) fn named(&self, rules: &Rules, code: i64) -> Option<Move> {
        let is_named = |action: &Move| i64::from(features::code(rules, *action)) == code;
        self.moves.iter().copied().find(is_named)
    }

    /// Writes the observation of the player to move, and which actions are legal.
    #[inline]
    pub(crate) fn observe(&self, rules: &Rules, row: &mut [u8], mask: &mut [bool]) {
        features::observe(rules, self.position(), self.roll, row);
        mask.fill(false);
        for &action in &self.moves {
            mask[usize::from(features::code(rules, action))] = true;
        }
    }

    #[inline]
    fn play(&mut self, rules: &Rules, action: Move) -> Outcome {
        let mover = self.state.mover();
        let after: Afterstate = self.decision(rules).after(action);
        match self.state.follow(rules, after) {
            None => Outcome { reward: 0.0, is_done: false },
            Some(ending) => {
                self.state = GameState::new(rules);
                let reward = ending.half_points(mover) as f32 - 1.0;
                Outcome { reward, is_done: true }
            }
        }
    }

    #[inline]
    fn throw(&mut self, rules: &Rules, dice: &mut DiceRng, given: Option<Roll>) {
        let thrown = dice.throw(rules.rule_set().dice);
        self.roll = self.state.take_first_roll().or(given).unwrap_or(thrown);
        self.number = dice.number();
        self.moves = self.decision(rules).moves();
    }
}
