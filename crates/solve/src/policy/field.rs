//! Field: the game, its two players and what is measured; and the rows of a strip of boards.

use std::ops::Range;

use puabi_core::{Afterstate, Decision, Indexer, Move, Player, Position, RuleSet, Rules, Sublayer};

use super::Seat;
use super::goal::{Goal, Surroundings};
use super::measure::Measure;
use super::rows::{Choice, Lanes, Lead, Rows, add};
use super::turn::Turn;
use super::unit::Unit;
use crate::values::Values;

/// The values of a unit's boards by offset: with light about to roll, and with dark.
pub(crate) type Settled<const N: usize> = Box<[[Lanes<N>; 2]]>;

/// The units that are settled and kept, by light's side state and then by dark's.
pub(crate) type Units<const N: usize> = Vec<Option<Settled<N>>>;

/// The most moves of a decision.
const MOVES: usize = RuleSet::MAX_PIECES as usize + 1;

/// What is to be evaluated.
pub(crate) struct Field<'a, const N: usize> {
    pub(crate) rules: &'a Rules,
    pub(crate) indexer: &'a Indexer,
    seats: [Seat<'a>; 2],
    measures: [&'a dyn Measure; N],
}

/// The rows of a strip of boards: light's turns and dark's.
#[derive(Debug)]
pub(crate) struct Strip<const N: usize> {
    /// The slots of its boards.
    pub(crate) slots: Range<usize>,
    /// By who is about to roll.
    pub(crate) rows: [Rows<N>; 2],
    /// What is gathered in one roll, added up over the boards and who is about to roll.
    pub(crate) gathered: Lanes<N>,
}

impl<'a, const N: usize> Field<'a, N> {
    pub(crate) fn new(
        rules: &'a Rules,
        indexer: &'a Indexer,
        seats: [Seat<'a>; 2],
        measures: [&'a dyn Measure; N],
    ) -> Self {
        Self { rules, indexer, seats, measures }
    }

    /// Returns the place among all units of that with these side states.
    pub(crate) fn unit(&self, mine: usize, theirs: usize) -> usize {
        mine * self.indexer.side_states().len() + theirs
    }

    /// Returns what the game is worth to light when it ends.
    pub(crate) fn end(&self, winner: Option<Player>) -> Lanes<N> {
        self.measures.map(|measure| measure.end(winner))
    }

    /// Asks the players for all their moves on a strip of boards.
    pub(crate) fn strip(&self, unit: &Unit, slots: Range<usize>, settled: &Units<N>) -> Strip<N> {
        let place = self.unit(unit.mine, unit.theirs);
        let around = Surroundings { unit, place, settled };
        let (mut gathered, mut turn) = ([0.0; N], Turn::new());
        let rows = Player::BOTH.map(|mover| {
            let mut rows = self.rows(mover, slots.len());
            for board in &unit.boards[slots.clone()] {
                let scene =
                    Scene { around: &around, position: seen_by(mover, board.position), mover };
                rows.push();
                self.fill(&scene, &mut turn, &mut rows, &mut gathered);
            }
            rows.shrink();
            rows
        });
        Strip { slots, rows, gathered }
    }

    /// Returns room for so many rows of a player.
    pub(crate) fn rows(&self, mover: Player, rows: usize) -> Rows<N> {
        match self.seats[mover as usize] {
            Seat::Best => Rows::best(rows, mover),
            Seat::Plays(_) => Rows::given(rows),
        }
    }

    /// Adds every roll of a turn to the last row.
    fn fill(
        &self,
        scene: &Scene<'_, N>,
        turn: &mut Turn<N>,
        rows: &mut Rows<N>,
        gathered: &mut Lanes<N>,
    ) {
        let Scene { around, position, mover } = *scene;
        if self.rules.is_dead(position) {
            let lead = Lead::Out(self.end(self.rules.dead_winner(position, mover)));
            rows.add_roll(1.0, &[Choice { chance: 1.0, gain: [0.0; N], lead }]);
            return;
        }
        turn.clear();
        for &(roll, _) in self.rules.rolls() {
            self.choose(mover, &self.rules.decision(position, roll), |choice| {
                around.prefetch(&choice.lead);
                turn.push(choice);
            });
            turn.end_roll();
        }
        for (&(_, chance), choices) in self.rules.rolls().iter().zip(turn.rolls(around)) {
            for choice in choices {
                add(gathered, chance * choice.chance, choice.gain);
            }
            rows.add_roll(chance, choices);
        }
    }

    /// Calls `take` with each move of a decision that `by`, its player, may make.
    #[inline]
    pub(crate) fn choose(
        &self,
        by: Player,
        decision: &Decision<'_>,
        mut take: impl FnMut(Choice<N, Goal<N>>),
    ) {
        let moves = decision.moves();
        let policy = match self.seats[by as usize] {
            // Nobody need be asked about the only move.
            Seat::Plays(agent) if moves.len() > 1 => Some(agent.policy(decision)),
            _ => None,
        };
        let mut gained = [[0.0; MOVES]; N];
        for (gained, measure) in gained.iter_mut().zip(self.measures) {
            measure.gather(by, decision, &mut gained[..moves.len()]);
        }
        for (at, &action) in moves.iter().enumerate() {
            let chance = policy.as_ref().map_or(1.0, |policy| policy[at]);
            if chance > 0.0 {
                let gain = std::array::from_fn(|lane| gained[lane][at]);
                let lead = match action {
                    Move::Pass => Goal::Pass,
                    _ => self.goal(by, decision.after(action)),
                };
                take(Choice { chance, gain, lead });
            }
        }
    }

    /// Returns where a move of `mover` leads.
    fn goal(&self, mover: Player, after: Afterstate) -> Goal<N> {
        let Some(position) = after.position() else { return Goal::End(self.end(Some(mover))) };
        let next = if after.rolls_again() { mover } else { mover.opponent() };
        let place = self.indexer.place(seen_by(next, position));
        let unit = self.unit(place.mine, place.theirs);
        Goal::Board { unit, offset: index(place.offset), next }
    }

    /// Returns the first measure of every position, seen by who is about to roll: light, and then dark.
    pub(crate) fn values(&self, settled: &Units<N>) -> [Values; 2] {
        Player::BOTH.map(|mover| {
            let sublayers = self.indexer.sublayers().iter();
            let values = sublayers.map(|sublayer| self.sublayer(sublayer, mover, settled));
            Values::new(self.indexer.clone(), values.collect())
        })
    }

    fn sublayer(&self, sublayer: &Sublayer, mover: Player, settled: &Units<N>) -> Box<[f64]> {
        let mut values = Vec::with_capacity(index(sublayer.len()));
        self.copy_half((sublayer.senior, sublayer.junior), mover, settled, &mut values);
        if !sublayer.is_mirror() {
            self.copy_half((sublayer.junior, sublayer.senior), mover, settled, &mut values);
        }
        values.into()
    }

    /// Copies the first measure of the positions with these side states of who is about to roll and of the other.
    fn copy_half(
        &self,
        (mine, theirs): (usize, usize),
        mover: Player,
        settled: &Units<N>,
        values: &mut Vec<f64>,
    ) {
        let unit = match mover {
            Player::Light => self.unit(mine, theirs),
            Player::Dark => self.unit(theirs, mine),
        };
        let settled = settled[unit].as_ref().expect("all units are kept");
        let first = self.indexer.first_of(mine, theirs);
        let board = |offset: usize| match mover {
            // Boards with unequal states have the same offset, whoever sees them.
            Player::Dark if mine == theirs => {
                let position = self.indexer.position(first + offset as u64);
                let position = position.expect("an index below the length");
                index(self.indexer.place(position.flipped()).offset)
            }
            _ => offset,
        };
        values.extend((0..settled.len()).map(|offset| settled[board(offset)][mover as usize][0]));
    }
}

/// Who is to move in which position, and what is known of the boards around.
struct Scene<'s, const N: usize> {
    around: &'s Surroundings<'s, N>,
    position: Position,
    mover: Player,
}

/// Turns a position that the player about to roll sees into the board that light sees, or back.
fn seen_by(mover: Player, position: Position) -> Position {
    match mover {
        Player::Light => position,
        Player::Dark => position.flipped(),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "below the length of a slice")]
pub(crate) fn index(offset: u64) -> usize {
    offset as usize
}
