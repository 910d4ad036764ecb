//! Goals: where moves lead, before the values there are looked up.

use puabi_core::Player;

use super::field::Units;
use super::rows::{Lanes, Lead};
use super::unit::Unit;
use crate::memory::prefetch::prefetch;

/// Where a move leads.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Goal<const N: usize> {
    /// To the end of the game, which is worth this.
    End(Lanes<N>),
    /// To a board of a unit, with `next` about to roll.
    Board { unit: usize, offset: usize, next: Player },
    /// To the same board with the other player about to roll; such a move is the only one.
    Pass,
}

/// The unit that is worked on, its place among all units, and those that are settled.
pub(crate) struct Surroundings<'s, const N: usize> {
    pub(crate) unit: &'s Unit,
    pub(crate) place: usize,
    pub(crate) settled: &'s Units<N>,
}

impl<const N: usize> Surroundings<'_, N> {
    /// Asks for what [`Surroundings::lead`] reads; a hint that does nothing else.
    #[inline]
    pub(crate) fn prefetch(&self, goal: &Goal<N>) {
        if let Goal::Board { unit, offset, .. } = *goal {
            if unit == self.place {
                self.unit.prefetch(offset);
            } else if let Some(values) = self.settled[unit].as_ref() {
                prefetch(&raw const values[offset]);
            }
        }
    }

    /// Returns what a goal comes to.
    #[inline]
    pub(crate) fn lead(&self, goal: Goal<N>) -> Lead<N> {
        match goal {
            Goal::End(values) => Lead::Out(values),
            Goal::Pass => Lead::Pass,
            Goal::Board { unit, offset, next } if unit == self.place => {
                Lead::In(cell(self.unit.slot(offset), next))
            }
            Goal::Board { unit, offset, next } => {
                let settled = self.settled[unit].as_ref();
                let settled = settled.expect("a unit is swept after those it leads to");
                Lead::Out(settled[offset][next as usize])
            }
        }
    }
}

/// Returns the cell of a board with `mover` about to roll.
#[expect(clippy::cast_possible_truncation, reason = "a unit has fewer than 2^31 boards")]
fn cell(slot: usize, mover: Player) -> u32 {
    (2 * slot + mover as usize) as u32
}
