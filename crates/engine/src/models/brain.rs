//! The quadratic brain: a weight for each pair of places, learnt or set by hand.
//!
//! A position is seen as counts of places: light's hand, squares and home, dark's the same, and the turn; light is the
//! player about to roll. The score is the sum over rows and columns of the lower triangle of
//! *(count of the row) x (count of the column) x weight*. A square counts its pieces, one at most if nothing stacks
//! (the square tells novices from veterans; who lies on whom is not seen); hand and home count theirs, as in the C++
//! program that this form comes from: seven pieces at home are then worth seven times one piece by their row with the
//! turn, and their pairs let a weight grow or fade with the count. The turn says that *dark* is to roll, as it does there;
//! light always is, so as a row it counts -1, and as a column (of the corner alone) 1. What the turn's row adds is thus
//! linear in the counts, and the corner is what the roll is worth to the opponent.
//!
//! The player about to roll is always light, so both players are judged alike, and the weights
//! of *mine before theirs* and *theirs before mine* need not mirror each other: the next roll matters in every pair.

mod grid;
mod sums;
mod text;

use std::fmt;

use puabi_core::{Afterstate, Agent, Decision, Evaluator, Move, Policy, Position, Rules, Square};

pub use grid::Grid;
use sums::Sums;
pub use text::BrainError;

use crate::agents::thumb::simple::certainly;
use crate::models::shipped;

/// A quadratic brain: judges positions, and plays the move after which it likes the position best.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::Brain;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let brain = Brain::shipped(&rules).expect("finkel has a brain");
/// let position = rules.position(&"2,9:-:L".parse()?)?;
/// // 2-4 lands on a rosette and rolls again; 9-11 does not.
/// assert_eq!(brain.policy(&rules.decision(position, Roll::new(2))).as_slice(), [1.0, 0.0]);
/// assert_eq!(Brain::read(&brain.to_string(), &rules)?, brain);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Brain {
    rules: String,
    grid: Grid,
    scale: f64,
    origin: String,
    sums: Sums,
}

impl PartialEq for Brain {
    fn eq(&self, other: &Self) -> bool {
        let plain = |brain: &Self| (brain.rules.clone(), brain.origin.clone(), brain.scale);
        self.grid == other.grid && plain(self) == plain(other)
    }
}

impl Brain {
    /// Score points to one unit of log-odds if a text names none; small weights, such as people write, suit it.
    pub const PLAIN_SCALE: f64 = text::PLAIN_SCALE;

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

    /// Returns the brain in `text`: a grid of whole numbers parted by white space, a row a line.
    ///
    /// A row has as many numbers as there are rows, or ends at the diagonal; what stands above the diagonal is read and
    /// left out. `#` and `//` begin comments; `# scale: N` gives the score points to one unit of log-odds and
    /// `# origin: TEXT` the origin of the brain.
    ///
    /// # Errors
    ///
    /// Returns an error, with line and column, if a word is no weight or if rows are too many, too few or of the wrong width.
    pub fn read(text: &str, rules: &Rules) -> Result<Self, BrainError> {
        let (grid, scale, origin) = text::read(text, rules)?;
        Ok(Self::new(rules, grid, scale).with_origin(origin))
    }

    /// Returns the trained brain that comes with the program, for a preset with any number of pieces.
    ///
    /// # Panics
    ///
    /// Never: a test reads them all.
    pub fn shipped(rules: &Rules) -> Option<Self> {
        let preset = rules.rule_set().preset()?;
        let text = shipped::brain(&preset.name)?;
        Some(Self::read(text, rules).expect("a shipped brain is sound"))
    }

    /// Returns a brain set by hand, from which learning starts.
    ///
    /// A piece is worth the squares it has travelled, a rosette three squares more, and the roll four; one unit of
    /// log-odds is a path's length of squares.
    pub fn start(rules: &Rules) -> Self {
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

    /// Returns the name of the rules that the brain was made for.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Returns the origin of the brain in one line; empty if it has none.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the weights.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the score points that are one unit of log-odds.
    pub const fn scale(&self) -> f64 {
        self.scale
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

    /// Returns the move after which the brain likes the position best, the first of several equal ones, with what
    /// follows it.
    ///
    /// # Panics
    ///
    /// May panic if the position is not one of the brain's rules.
    pub fn best(&self, decision: &Decision<'_>) -> (Move, Afterstate) {
        let action = self.sums.best(decision);
        (action, decision.after(action))
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
    /// Writes what [`Brain::read`] reads to the same brain: a header, then the whole square.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = self.grid();
        writeln!(f, "# rules: {}", self.rules())?;
        writeln!(f, "# scale: {}", self.scale())?;
        if !self.origin().is_empty() {
            writeln!(f, "# origin: {}", self.origin())?;
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

/// Returns the chance (0..=1) that log-odds stand for.
pub(crate) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
