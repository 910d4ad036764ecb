//! The rolls that move pieces. A roll of zero only passes the turn, so nothing is listed for it.

use puabi_core::{Roll, Rules};

/// The rolls of a game that move pieces, ascending; a roll's number is its place among them.
#[derive(Debug)]
pub(crate) struct MovingRolls {
    rolls: Vec<Roll>,
    chances: Vec<f64>,
    still: f64,
}

impl MovingRolls {
    pub(crate) fn new(rules: &Rules) -> Self {
        let (moving, still): (Vec<_>, Vec<_>) =
            rules.rolls().iter().copied().partition(|(roll, _)| roll.steps() > 0);
        let (rolls, chances) = moving.into_iter().unzip();
        Self { rolls, chances, still: still.iter().map(|(_, chance)| chance).sum() }
    }

    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.rolls.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Roll> + '_ {
        self.rolls.iter().copied()
    }

    /// Returns the chance of each.
    pub(crate) fn chances(&self) -> &[f64] {
        &self.chances
    }

    /// Returns the chance of a roll that moves no piece.
    pub(crate) fn still(&self) -> f64 {
        self.still
    }
}

#[cfg(test)]
mod tests {
    use puabi_core::RuleSet;

    use super::*;

    #[test]
    fn a_roll_of_zero_is_not_listed_but_its_chance_is_known() {
        let rolls = |rules: RuleSet| {
            let rolls = MovingRolls::new(&rules.compile().unwrap());
            let steps: Vec<_> = rolls.iter().map(Roll::steps).collect();
            (steps, rolls.chances().to_vec(), rolls.still())
        };
        // Four binary dice, and three of which zero counts as four.
        let murray = (vec![1, 2, 3, 4], vec![0.25, 0.375, 0.25, 0.0625], 0.0625);
        assert_eq!(rolls(RuleSet::MURRAY), murray);
        let skiriuk = (vec![1, 2, 3, 4], vec![0.375, 0.375, 0.125, 0.125], 0.0);
        assert_eq!(rolls(RuleSet::SKIRIUK), skiriuk);
    }
}
