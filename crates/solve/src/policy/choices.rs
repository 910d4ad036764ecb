//! The moves that a player may make, how often the player makes them, and where they lead.

use puabi_core::{Afterstate, Decision, Move, Player, Position};

use super::contest::{Contest, MAX_MOVES, Pair, index};
use super::rows::{Lead, Measured, PolicyMove, Rows, add};
use super::seat::Seat;
use crate::drive::engine::Finished;
use crate::general::places::Places;
use crate::memory::prefetch::prefetch;

/// Where a move leads, before the values there are looked up.
#[derive(Debug, Clone, Copy)]
pub(super) enum Destination<const N: usize> {
    /// To the end of the game, which is worth this.
    End(Measured<N>),
    /// To a board of a unit, with `next` about to roll.
    Board { unit: usize, offset: usize, next: Player },
    /// To the same board with the other player about to roll. A pass is the only move of its roll.
    Pass,
}

/// The unit that is worked on, the places of its values, and the units that it leads to.
pub(super) struct Surroundings<'s, const N: usize> {
    pub(super) unit: usize,
    pub(super) places: &'s Places<u32>,
    pub(super) finished: &'s dyn Finished<Pair<N>>,
}

impl<const N: usize> Surroundings<'_, N> {
    /// Prefetches what [`Surroundings::lead`] reads. This is a hint to the processor and does nothing else.
    fn prefetch(&self, to: &Destination<N>) {
        if let Destination::Board { unit, offset, .. } = *to
            && unit != self.unit
        {
            prefetch(&raw const self.finished.sublayer(unit)[offset]);
        }
    }

    fn lead(&self, to: Destination<N>) -> Lead<N> {
        match to {
            Destination::End(values) => Lead::Out(values),
            Destination::Pass => Lead::Pass,
            Destination::Board { unit, offset, next } if unit == self.unit => {
                let (place, _) = self.places.find(offset);
                let cell = u32::try_from(place + next as usize);
                Lead::In(cell.expect("a unit has fewer than 2^31 boards"))
            }
            Destination::Board { unit, offset, next } => {
                Lead::Out(self.finished.sublayer(unit)[offset][next as usize])
            }
        }
    }
}

/// The choices of one turn, roll by roll.
///
/// The values of all choices are prefetched before the first one is looked up, so that the processor waits for memory once.
#[derive(Debug)]
pub(super) struct TurnChoices<const N: usize> {
    choices: Vec<PolicyMove<N, Destination<N>>>,
    /// By roll: one past its last choice.
    ends: Vec<usize>,
    /// The choices of a roll with what they lead to.
    found: Vec<PolicyMove<N>>,
}

impl<const N: usize> TurnChoices<N> {
    pub(super) const fn new() -> Self {
        Self { choices: Vec::new(), ends: Vec::new(), found: Vec::new() }
    }
}

impl<const N: usize> Contest<'_, N> {
    /// Adds every roll of `mover` in a position to the last row, and what its moves gather to `gathered`. Returns whether the
    /// position is dead.
    pub(super) fn fill(
        &self,
        around: &Surroundings<'_, N>,
        (mover, position): (Player, Position),
        turn: &mut TurnChoices<N>,
        (rows, gathered): (&mut Rows<N>, &mut Measured<N>),
    ) -> bool {
        if self.rules.is_dead(position) {
            let lead = Lead::Out(self.end(self.rules.dead_winner(position, mover)));
            rows.add_roll(1.0, &[PolicyMove { chance: 1.0, gain: [0.0; N], lead }]);
            return true;
        }
        let TurnChoices { choices, ends, found } = turn;
        choices.clear();
        ends.clear();
        for &(roll, _) in self.rules.rolls() {
            self.choose(mover, &self.rules.decision(position, roll).by(mover), |choice| {
                around.prefetch(&choice.lead);
                choices.push(choice);
            });
            ends.push(choices.len());
        }
        let mut start = 0;
        for (&(_, chance), &end) in self.rules.rolls().iter().zip(&*ends) {
            found.clear();
            found.extend(
                choices[start..end].iter().map(|choice| choice.to(around.lead(choice.lead))),
            );
            for choice in &*found {
                add(gathered, chance * choice.chance, choice.gain);
            }
            rows.add_roll(chance, found);
            start = end;
        }
        false
    }

    /// Calls `take` with each move of a decision that `by`, its player, may make.
    #[inline]
    pub(super) fn choose(
        &self,
        by: Player,
        decision: &Decision<'_>,
        mut take: impl FnMut(PolicyMove<N, Destination<N>>),
    ) {
        let moves = decision.moves();
        let policy = match self.seats[by as usize] {
            // Agents need not be asked about the only move.
            Seat::Plays(agent) if moves.len() > 1 => Some(agent.policy(decision)),
            _ => None,
        };
        let mut gained = [[0.0; MAX_MOVES]; N];
        for (gained, measure) in gained.iter_mut().zip(self.measures) {
            measure.gather(by, decision, &mut gained[..moves.len()]);
        }
        for (at, &action) in moves.iter().enumerate() {
            let chance = policy.as_ref().map_or(1.0, |policy| policy[at]);
            if chance > 0.0 {
                let gain = gained.map(|gained| gained[at]);
                let lead = match action {
                    Move::Pass => Destination::Pass,
                    _ => self.destination(by, decision.after(action)),
                };
                take(PolicyMove { chance, gain, lead });
            }
        }
    }

    /// Returns where a move of `mover` leads.
    fn destination(&self, mover: Player, after: Afterstate) -> Destination<N> {
        let Some(position) = after.position() else {
            return Destination::End(self.end(Some(mover)));
        };
        let next = if after.rolls_again() { mover } else { mover.opponent() };
        let parts = self.indexer.rank_parts(seen_by(next, position));
        let unit = Self::unit(parts.mine, parts.theirs);
        Destination::Board { unit, offset: index(parts.offset), next }
    }
}

/// Turns a position that a player sees into the board that light sees, or back.
pub(super) fn seen_by(player: Player, position: Position) -> Position {
    match player {
        Player::Light => position,
        Player::Dark => position.flipped(),
    }
}
