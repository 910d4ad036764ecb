//! Named features: numbers that say what a person would say about a side of a position.

use std::array;

use puabi_core::{Decision, Move, Position, Rules, Square, Squares};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::agents::thumb::exposure::{capture_chance, reach};

/// A number that says something about one side of a position.
///
/// What a side *threatens* is the exposure of the other side.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Feature;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"6:4:L".parse()?)?;
/// let values = Feature::of(&rules, position);
/// // Dark hits square 6 with a 2, which comes 6 times in 16.
/// assert_eq!(values[Feature::Exposure as usize], 0.375);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Feature {
    /// The distance that all pieces have travelled, in lengths of the path: a piece at home has travelled one.
    Progress,
    /// Pieces home.
    Home,
    /// Pieces not yet entered.
    Hand,
    /// The sum, over the squares with pieces, of the chance that the opponent's next throw can capture there.
    Exposure,
    /// The same sum, with each chance times the part of the path that a piece there would lose.
    Risk,
    /// Pieces on rosettes.
    Rosettes,
    /// Pieces that cannot be captured on squares that the opponent also crosses.
    Refuge,
    /// Pieces that have only squares left to cross on which the opponent never stands.
    Homestretch,
    /// The mean number of moves with the opponent's next throw that safe pieces forbid.
    Blocking,
    /// The chance that the next throw allows a move.
    Freedom,
}

impl Feature {
    /// All features.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the name by which files call the feature.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the features of the player about to roll, in the order of [`Feature::ALL`].
    ///
    /// Those of the opponent are the features of [`Position::flipped`].
    pub fn of(rules: &Rules, position: Position) -> [f64; Self::ALL.len()] {
        let view = View { rules, position };
        array::from_fn(|at| match Self::ALL[at] {
            Self::Progress => view.progress(),
            Self::Home => position.mine().score().into(),
            Self::Hand => rules.hand(position.mine()).into(),
            Self::Exposure => view.exposed().map(|(_, chance)| chance).sum(),
            Self::Risk => view.exposed().map(|(square, chance)| chance * view.part(square)).sum(),
            Self::Rosettes => (position.mine().squares() & rules.rosettes()).len().into(),
            Self::Refuge => view.count(|square| view.is_refuge(square)),
            Self::Homestretch => view.count(|square| view.is_stretch(square)),
            Self::Blocking => view.blocking(),
            Self::Freedom => view.freedom(),
        })
    }
}

/// A position under its rules.
#[derive(Debug, Clone, Copy)]
struct View<'r> {
    rules: &'r Rules,
    position: Position,
}

impl<'r> View<'r> {
    fn progress(self) -> f64 {
        let mine = self.position.mine();
        let on_board: f64 = mine.pieces().map(|square| self.part(square)).sum();
        on_board + f64::from(mine.score())
    }

    /// Returns the part of the path (0..=1) that a piece on `square` has behind it.
    fn part(self, square: Square) -> f64 {
        f64::from(square.number()) / f64::from(self.rules.length() + 1)
    }

    fn count(self, counts: impl Fn(Square) -> bool) -> f64 {
        self.position.mine().pieces().filter(|&square| counts(square)).count() as f64
    }

    fn is_refuge(self, square: Square) -> bool {
        self.rules.is_safe(square) && !self.rules.theirs_on_same_tile(square).is_empty()
    }

    /// Returns whether the opponent crosses none of the squares from `square` on.
    fn is_stretch(self, square: Square) -> bool {
        let rest = square.number()..=self.rules.length();
        rest.filter_map(Square::new).all(|square| self.rules.theirs_on_same_tile(square).is_empty())
    }

    /// Returns each square with pieces of the mover, and the chance of a capture there if the next throw were the opponent's.
    fn exposed(self) -> impl Iterator<Item = (Square, f64)> + use<'r> {
        let (rules, theirs) = (self.rules, self.position.flipped());
        let squares = self.position.mine().squares();
        squares
            .iter()
            .map(move |square| (square, capture_chance(rules, theirs, Squares::EMPTY.with(square))))
    }

    fn blocking(self) -> f64 {
        let mine = self.position.mine().squares();
        let is_blocked = |&target: &Square| mine.meets(self.rules.blockers(target));
        let path = (1..=self.rules.length()).filter_map(Square::new);
        let blocked: Squares = path.filter(is_blocked).collect();
        let theirs = self.position.flipped();
        let forbidden = |roll| f64::from((reach(self.rules, theirs, roll) & blocked).len());
        self.rules.rolls().iter().map(|&(roll, chance)| chance * forbidden(roll)).sum()
    }

    fn freedom(self) -> f64 {
        let moves = |decision: Decision<'_>| decision.moves()[0] != Move::Pass;
        let rolls = self.rules.rolls().iter();
        let free = rolls.filter(|&&(roll, _)| moves(self.rules.decision(self.position, roll)));
        free.map(|(_, chance)| chance).sum()
    }
}
