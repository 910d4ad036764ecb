//! Openings: what a game is worth at its start. The rules may give the first roll.

use puabi_core::{Player, Roll};

use super::cells::Cells;
use super::choices::Destination;
use super::contest::{Contest, Units, index};
use super::rows::{Lead, Measured};

impl<const N: usize> Contest<'_, N> {
    /// Returns what the game is worth to light if `mover` begins.
    pub(super) fn opening(&self, mover: Player, settled: &Units<N>) -> Measured<N> {
        match self.rules.rule_set().first_roll {
            Some(roll) if !self.rules.is_dead(self.rules.start()) => {
                self.opening_with(roll, mover, settled)
            }
            _ => self.start(mover, settled),
        }
    }

    /// Returns what the start is worth before `mover` throws.
    fn start(&self, mover: Player, settled: &Units<N>) -> Measured<N> {
        let parts = self.indexer.rank_parts(self.rules.start());
        let unit = settled[Self::unit(parts.mine, parts.theirs)].as_ref();
        unit.expect("the last unit is held").0.values()[index(parts.offset)][mover as usize]
    }

    /// Returns what the start is worth with the roll that the rules give.
    fn opening_with(&self, roll: Roll, mover: Player, settled: &Units<N>) -> Measured<N> {
        let mut choices = Vec::new();
        let decision = self.rules.decision(self.rules.start(), roll);
        self.choose(mover, &decision, |choice| {
            let values = match choice.lead {
                Destination::End(values) => values,
                // At the start both players see the same board.
                Destination::Pass => self.start(mover.opponent(), settled),
                Destination::Board { unit, offset, next } => {
                    let (held, _) =
                        settled[unit].as_ref().expect("what the last unit leads to is held");
                    held.values()[offset][next as usize]
                }
            };
            choices.push(choice.to(Lead::Out(values)));
        });
        let mut rows = self.rows(mover, 1);
        rows.push();
        rows.add_roll(1.0, &choices);
        rows.sum(0, &Cells::new(0, [0.0; N]))
    }
}
