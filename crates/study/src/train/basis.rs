//! Positions as numbers that weights are learnt for.

use std::fmt::Display;

use arrayvec::ArrayVec;
use puabi_core::{Agent, Evaluator, Position, RuleSet, Rules};
use puabi_engine::{Brain, Feature, Grid, Linear};

use super::duel::Chooser;
use super::log_odds::narrow;

/// Sees a position as numbers: the log-odds of the player about to roll are their sum, each times its weight.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Brain;
/// use puabi_study::{Basis, Pairs};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let pairs = Pairs::new(&rules);
/// assert_eq!(pairs.len(), 561);
/// // The weights of a brain and its numbers of the start make its score.
/// let (brain, mut score) = (Brain::start(&rules), 0.0);
/// pairs.visit(rules.start(), |at, number| score += number * f32::from(brain.grid().weights()[at]));
/// assert_eq!(score as i32, brain.score(rules.start()));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub trait Basis: Sync {
    /// The player that plays with the learnt weights.
    type Player: Evaluator + Agent + Chooser + Display + Sync;

    /// Returns the number of weights.
    fn len(&self) -> usize;

    /// Returns whether there is nothing to learn.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the rules of the game.
    fn rules(&self) -> &Rules;

    /// Calls `number` with the place and the value of every number that is not zero.
    fn visit(&self, position: Position, number: impl FnMut(usize, f32));

    /// Returns the weights of a player, in log-odds.
    fn weights(&self, player: &Self::Player) -> Vec<f32>;

    /// Returns the player with these weights in log-odds, rounded to what it stores, that comes from `origin`.
    fn player(&self, weights: &[f32], origin: &str) -> Self::Player;
}

/// Every pair of occupied places, for a [`Brain`].
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Brain;
/// use puabi_study::{Basis, Pairs};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let pairs = Pairs::new(&rules);
/// let brain = pairs.player(&pairs.weights(&Brain::start(&rules)), "set by hand");
/// assert!(brain.scale() >= 1024.0);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    rules: Rules,
}

/// The places that can be occupied at once: a hand and a home each, and every piece of both sides.
const OCCUPIED: usize = 2 * (RuleSet::MAX_PIECES as usize + 2);

/// The largest weight of a brain that was learnt: half of what 16 bits hold leaves room to edit.
const LARGEST: f32 = 16_383.0;

/// The finest scale of a brain that was learnt: the numbers stay short enough to read.
const FINEST: f32 = 8192.0;

impl Pairs {
    /// Returns the pairs of places under `rules`.
    pub fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone() }
    }
}

impl Basis for Pairs {
    type Player = Brain;

    fn len(&self) -> usize {
        Grid::at(Grid::size_of(self.rules.length()), 0)
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn visit(&self, position: Position, mut number: impl FnMut(usize, f32)) {
        let mut places = ArrayVec::<(usize, f32), OCCUPIED>::new();
        Grid::occupied(&self.rules, position, |place, count| places.push((place, count.into())));
        let turn = Grid::size_of(self.rules.length()) - 1;
        for (above, &(row, count)) in places.iter().enumerate() {
            for &(column, other) in &places[..=above] {
                number(Grid::at(row, column), count * other);
            }
            number(Grid::at(turn, row), -count);
        }
        number(Grid::at(turn, turn), -1.0);
    }

    fn weights(&self, brain: &Brain) -> Vec<f32> {
        let scale = narrow(brain.scale());
        brain.grid().weights().iter().map(|&weight| f32::from(weight) / scale).collect()
    }

    /// The scale is the largest power of two up to 8192 with which the largest weight stays below 16384.
    fn player(&self, weights: &[f32], origin: &str) -> Brain {
        let largest = weights.iter().fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
        let mut scale = FINEST;
        while largest * scale > LARGEST {
            scale /= 2.0;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the largest is below 16384")]
        let rounded = |&weight: &f32| (weight * scale).round() as i16;
        let rounded = weights.iter().map(rounded).collect();
        let grid = Grid::from_weights(self.rules.length(), rounded);
        let grid = grid.expect("a weight for each pair");
        Brain::new(&self.rules, grid, f64::from(scale)).with_origin(origin)
    }
}

/// The named [`Feature`]s of both sides, for a [`Linear`] model.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Feature;
/// use puabi_study::{Basis, Named};
///
/// let named = Named::new(&RuleSet::FINKEL.compile()?);
/// assert_eq!(named.len(), 2 * Feature::ALL.len() + 1);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    rules: Rules,
}

impl Named {
    /// Returns the named features under `rules`.
    pub fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone() }
    }
}

impl Basis for Named {
    type Player = Linear;

    fn len(&self) -> usize {
        2 * Feature::ALL.len() + 1
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn visit(&self, position: Position, mut number: impl FnMut(usize, f32)) {
        let count = Feature::ALL.len();
        number(2 * count, 1.0);
        for (first, position) in [(0, position), (count, position.flipped())] {
            let values = Feature::of(&self.rules, position);
            for (at, value) in values.into_iter().enumerate().filter(|(_, value)| *value != 0.0) {
                number(first + at, narrow(value));
            }
        }
    }

    fn weights(&self, model: &Linear) -> Vec<f32> {
        let sides = model.mine().iter().chain(model.theirs());
        sides.chain([&model.roll()]).map(|&weight| narrow(weight)).collect()
    }

    fn player(&self, weights: &[f32], origin: &str) -> Linear {
        let wide: Vec<_> = weights.iter().map(|&weight| f64::from(weight)).collect();
        let (mine, rest) = wide.split_at(Feature::ALL.len());
        let (theirs, roll) = rest.split_at(Feature::ALL.len());
        let side = |weights: &[f64]| weights.try_into().expect("a weight for each feature");
        Linear::new(&self.rules, side(mine), side(theirs), roll[0]).with_origin(origin)
    }
}
