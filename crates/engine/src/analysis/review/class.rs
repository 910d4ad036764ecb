//! The classes of moves by what they cost.

use serde::Serialize;
use strum::VariantArray;

/// How good a move is, by the chance to win that it gives away.
///
/// The bounds are those of GNU Backgammon for doubtful, bad and very bad moves: 0.04, 0.08 and 0.16 of equity. Equity runs from
/// -1 to 1, so these are 2, 4 and 8 points of a chance.
///
/// ```
/// use puabi_engine::Class;
/// assert_eq!(Class::of(0.0), Class::Best);
/// assert_eq!(Class::of(0.045), Class::Mistake);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Class {
    /// There was one legal move, or none.
    Forced,
    /// Costs less than a thousandth of a point, a difference that the coarsest tables do not resolve.
    Best,
    /// Costs less than 2 points.
    Good,
    /// Costs 2 points or more.
    Inaccuracy,
    /// Costs 4 points or more.
    Mistake,
    /// Costs 8 points or more.
    Blunder,
}

impl Class {
    /// All classes, best first.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The least error (of a chance, 0..=1) of each class from [`Class::Good`] on, the largest first.
    const BOUNDS: [(f64, Self); 4] = [
        (0.08, Self::Blunder),
        (0.04, Self::Mistake),
        (0.02, Self::Inaccuracy),
        (1e-5, Self::Good),
    ];

    /// Returns the class of a move that costs `error` of a chance (0..=1) and was not forced.
    pub fn of(error: f64) -> Self {
        let bound = Self::BOUNDS.into_iter().find(|&(bound, _)| error >= bound);
        bound.map_or(Self::Best, |(_, class)| class)
    }

    /// Returns the name: `best`, `good`, `inaccuracy`, `mistake`, `blunder`, or `forced`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns whether a move of this class is a slip, for which a review gives a reason.
    pub fn is_slip(self) -> bool {
        self >= Self::Inaccuracy
    }
}

/// How many moves of each class a player made.
///
/// ```
/// use puabi_engine::{Class, Classes};
/// let classes: Classes = [Class::Best, Class::Blunder, Class::Best].into_iter().collect();
/// assert_eq!((classes.best, classes.blunder), (2, 1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Classes {
    /// Forced moves.
    pub forced: u32,
    /// Best moves.
    pub best: u32,
    /// Good moves.
    pub good: u32,
    /// Inaccuracies.
    pub inaccuracy: u32,
    /// Mistakes.
    pub mistake: u32,
    /// Blunders.
    pub blunder: u32,
}

impl FromIterator<Class> for Classes {
    fn from_iter<I: IntoIterator<Item = Class>>(classes: I) -> Self {
        let mut found = Self::default();
        for class in classes {
            *match class {
                Class::Forced => &mut found.forced,
                Class::Best => &mut found.best,
                Class::Good => &mut found.good,
                Class::Inaccuracy => &mut found.inaccuracy,
                Class::Mistake => &mut found.mistake,
                Class::Blunder => &mut found.blunder,
            } += 1;
        }
        found
    }
}
