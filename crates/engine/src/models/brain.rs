//! The quadratic brain: a weight for each pair of places, learnt or set by hand.
//!
//! A position is seen as the counts of its places: light's hand, squares and home, the same of dark, and the turn. Light is the
//! player about to roll. The score is the sum over rows and columns of the lower triangle of *(count of the row) x (count of the
//! column) x weight*. A square counts its pieces, at most one if the rules have no stacks. (The square distinguishes novices from
//! veterans; the order of pieces in a stack is not seen.) Hand and home count their pieces, as in the C++ program that this form
//! comes from. So by the turn's row seven pieces at home are worth seven times one piece, and the weights of pairs let the worth
//! grow or fade with the count. The turn says that *dark* is to roll, as in that program. Since light always is, the turn counts
//! -1 as a row, and 1 as a column, which only the corner has. So what the turn's row adds is linear in the counts, and the corner
//! is the worth of the roll with its sign changed.
//!
//! The player about to roll is always light, so both players are judged alike, and the weights
//! of *mine before theirs* and *theirs before mine* need not mirror each other: the next roll matters in every pair.

mod absolute;
mod grid;
mod sums;
mod text;

use std::fmt;

use arrayvec::ArrayVec;
use puabi_core::{
    Agent, Decision, Evaluator, LocatedError, Move, Policy, Position, RuleSet, Rules, Square,
};

pub use absolute::AbsoluteBrain;
pub use grid::Grid;
use sums::Sums;

use crate::agents::thumb::simple::certainly;
use crate::models::model::{Model, logistic, narrow};

/// A quadratic brain: judges positions, and plays the move after which it likes the position best.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::{Brain, Model};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let brain = Brain::shipped(&rules).expect("finkel has a brain");
/// let position = rules.position(&"2,9:-:L".parse()?)?;
/// // 2-4 lands on a rosette and rolls again; 9-11 does not.
/// assert_eq!(brain.policy(&rules.decision(position, Roll::new(2))).as_slice(), [1.0, 0.0]);
/// assert_eq!(Brain::read(&brain.to_string(), &rules)?, brain);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Brain {
    rules: String,
    grid: Grid,
    scale: f64,
    origin: String,
    sums: Sums,
}

impl Brain {
    /// Returns the brain with these weights; `scale` score points are one unit of log-odds.
    ///
    /// # Panics
    ///
    /// Panics if the grid is for paths of another length than `rules` have.
    pub fn new(rules: &Rules, grid: Grid, scale: f64) -> Self {
        assert_eq!(grid.length(), rules.length(), "a brain is for paths of one length");
        let sums = Sums::new(&grid, rules);
        Self { rules: rules.rule_set().to_string(), grid, scale, origin: String::new(), sums }
    }

    /// Returns the same brain with a line on its origin.
    #[must_use]
    pub fn with_origin(self, origin: impl Into<String>) -> Self {
        let origin: String = origin.into();
        Self { origin: origin.split_whitespace().collect::<Vec<_>>().join(" "), ..self }
    }

    /// Returns the weights.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the number of score points that are one unit of log-odds.
    pub const fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns what a brain for `rules` sees of `position`: the count of each place in the order of a [`Grid`]'s rows, and -1 for
    /// the turn.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// use puabi_engine::Brain;
    /// let rules = RuleSet::FINKEL.compile()?;
    /// let inputs = Brain::inputs(&rules, rules.start());
    /// assert_eq!((inputs.len(), inputs[0], inputs[16], inputs[32]), (33, 7, 7, -1));
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    pub fn inputs(rules: &Rules, position: Position) -> Vec<i8> {
        let mut inputs = vec![0; Grid::size_of(rules.length())];
        Grid::occupied(rules, position, |place, count| {
            inputs[place] = i8::try_from(count).unwrap_or(i8::MAX);
        });
        inputs[Grid::size_of(rules.length()) - 1] = -1;
        inputs
    }

    /// Returns the score of `position` for the player about to roll; higher is better for that player.
    ///
    /// # Panics
    ///
    /// May panic if `position` is not one of the brain's rules.
    #[inline]
    pub fn score(&self, position: Position) -> i32 {
        self.sums.score(position.mine(), position.theirs())
    }
}

/// The places that can be occupied at once: a hand and a home each, and every piece of both sides.
const OCCUPIED: usize = 2 * (RuleSet::MAX_PIECES as usize + 2);

/// The largest weight of a brain that was learnt: half of the range of 16 bits, which leaves room for edits.
const LARGEST: f32 = 16_383.0;

/// The finest scale of a brain that was learnt, which keeps the numbers short enough to read.
const FINEST: f32 = 8192.0;

impl Model for Brain {
    const NAME: &'static str = "brain";
    const ADVICE: &'static str = "`ur train` makes one, and `brain:FILE` plays by it";
    const SHIPPED: &'static [(&'static str, &'static str)] = &[
        ("finkel", include_str!("../../brains/finkel.txt")),
        ("blitz", include_str!("../../brains/blitz.txt")),
        ("masters", include_str!("../../brains/masters.txt")),
        ("masters-4d", include_str!("../../brains/masters-4d.txt")),
        ("aseb", include_str!("../../brains/aseb.txt")),
        ("skiriuk", include_str!("../../brains/skiriuk.txt")),
    ];

    /// Returns a brain set by hand, from which learning starts.
    ///
    /// A piece is worth the squares it has travelled, and three more on a rosette. The roll is worth four squares. One unit of
    /// log-odds is as many squares as the path is long.
    fn start(rules: &Rules) -> Self {
        const SQUARE: i16 = 100;
        let mut grid = Grid::new(rules.length());
        let (side, turn) = (Grid::side_of(rules.length()), grid.size() - 1);
        for (place, number) in (1..side).zip(1_u8..) {
            let on_rosette = |square| rules.rosettes().contains(square);
            let rosette = Square::new(number).is_some_and(on_rosette);
            let worth = SQUARE * (i16::from(number) + 3 * i16::from(rosette));
            // The turn's row counts -1.
            grid.set(turn, place, -worth);
            grid.set(turn, side + place, worth);
        }
        grid.set(turn, turn, -4 * SQUARE);
        let scale = f64::from(SQUARE) * f64::from(rules.length());
        Self::new(rules, grid, scale).with_origin("set by hand")
    }

    /// Returns the brain in `text`: a grid of whole numbers separated by white space, one row on each line.
    ///
    /// A row has as many numbers as there are rows, or ends at the diagonal. Numbers above the diagonal are read and ignored. `#`
    /// and `//` begin comments; `# scale: N` gives the score points of one unit of log-odds, and `# origin: TEXT` the origin of
    /// the brain.
    fn read(text: &str, rules: &Rules) -> Result<Self, LocatedError> {
        let source = text::read(text, rules)?;
        Ok(Self::new(rules, source.grid(rules), source.scale).with_origin(source.origin))
    }

    fn count(rules: &Rules) -> usize {
        Grid::at(Grid::size_of(rules.length()), 0)
    }

    #[inline]
    fn visit(rules: &Rules, position: Position, mut number: impl FnMut(usize, f32)) {
        let mut places = ArrayVec::<(usize, f32), OCCUPIED>::new();
        Grid::occupied(rules, position, |place, count| places.push((place, count.into())));
        let turn = Grid::size_of(rules.length()) - 1;
        for (above, &(row, count)) in places.iter().enumerate() {
            for &(column, other) in &places[..=above] {
                number(Grid::at(row, column), count * other);
            }
            number(Grid::at(turn, row), -count);
        }
        number(Grid::at(turn, turn), -1.0);
    }

    fn weights(&self) -> Vec<f32> {
        let scale = narrow(self.scale);
        self.grid.weights().iter().map(|&weight| f32::from(weight) / scale).collect()
    }

    /// The scale is the largest power of two up to 8192 with which the largest weight stays below 16384.
    fn from_weights(rules: &Rules, weights: &[f32], origin: &str) -> Self {
        let largest = weights.iter().fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
        let mut scale = FINEST;
        while largest * scale > LARGEST {
            scale /= 2.0;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the largest is below 16384")]
        let rounded = |&weight: &f32| (weight * scale).round() as i16;
        let rounded = weights.iter().map(rounded).collect();
        let grid = Grid::from_weights(rules.length(), rounded);
        let grid = grid.expect("a weight for each pair");
        Self::new(rules, grid, f64::from(scale)).with_origin(origin)
    }
}

impl Evaluator for Brain {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = logistic(f64::from(self.score(position)) / self.scale);
        }
    }
}

impl Agent for Brain {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        certainly(decision, self.sums.best(decision))
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        self.sums.best(decision)
    }
}

impl fmt::Display for Brain {
    /// Writes the text from which [`Model::read`] reads the same brain: a header, then the whole square.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = &self.grid;
        writeln!(f, "# rules: {}", self.rules)?;
        writeln!(f, "# scale: {}", self.scale)?;
        if !self.origin.is_empty() {
            writeln!(f, "# origin: {}", self.origin)?;
        }
        let width = grid.weights().iter().map(|weight| weight.to_string().len()).max();
        let width = width.unwrap_or_default();
        for row in 0..grid.size() {
            for column in 0..grid.size() {
                let gap = if column == 0 { "" } else { " " };
                write!(f, "{gap}{:>width$}", grid.get(row, column))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
