//! Brains as `RoyalGameOfUrReloaded` plays by them: both players see the board as light does.

use puabi_core::{Agent, Decision, LocatedError, Move, Player, Policy, Rules};

use super::grid::Grid;
use super::text;
use crate::agents::thumb::simple::certainly;

/// A quadratic brain that sees light's pieces as light's whichever player is to roll. Light plays for a high score, dark for a
/// low one.
///
/// The score is that of the C++ program `RoyalGameOfUrReloaded` (`player::getValue`): in the rows of light's places only the
/// columns of light's places count, and in dark's rows and the turn's row the columns of both sides do, on both sides of the
/// diagonal. The turn's row counts if dark is to roll, and not if light is. The corner is added if dark is to roll, and
/// subtracted if light is. Of equal moves the first is played.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::{AbsoluteBrain, Brain, Model};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let brain = AbsoluteBrain::read(&Brain::start(&rules).to_string(), &rules)?;
/// let position = rules.position(&"2,9:-:L".parse()?)?;
/// assert_eq!(brain.choose(&rules.decision(position, Roll::new(2)), 0.0), "2-4".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsoluteBrain {
    /// The number of places of one side.
    side: usize,
    /// The whole square, row by row.
    square: Box<[i16]>,
}

impl AbsoluteBrain {
    /// Returns the brain with these weights up to the diagonal and zeros above it.
    pub fn new(grid: &Grid) -> Self {
        let places = 0..grid.size();
        let row = |row| places.clone().map(move |column| grid.get(row, column));
        let square = places.clone().flat_map(row).collect();
        Self { side: Grid::side_of(grid.length()), square }
    }

    /// Returns the brain in `text`, a square of weights in the form that [`Brain`](super::Brain) has. Weights above the diagonal
    /// that a row leaves out are zero.
    ///
    /// # Errors
    ///
    /// Returns an error, with line and column, if the text is not such a square.
    pub fn read(text: &str, rules: &Rules) -> Result<Self, LocatedError> {
        let square = text::read(text, rules)?.square.into();
        Ok(Self { side: Grid::side_of(rules.length()), square })
    }

    /// Returns the score after `action`; a high score is good for light.
    fn score(&self, decision: &Decision<'_>, action: Move) -> i32 {
        let (after, mover) = (decision.board(action), decision.mover());
        let (board, next) = match mover {
            Player::Light => (after, Player::Dark),
            Player::Dark => (after.flipped(), Player::Light),
        };
        let next = if decision.rolls_again(action) { mover } else { next };
        let mut counts = vec![0; 2 * self.side];
        Grid::occupied(decision.rules(), board, |place, count| counts[place] = i32::from(count));
        let turn = 2 * self.side;
        let corner = i32::from(self.square[turn * turn + 2 * turn]);
        let rows = counts.iter().enumerate().map(|(row, &count)| count * self.row(row, &counts));
        rows.sum::<i32>()
            + match next {
                Player::Light => -corner,
                Player::Dark => self.row(turn, &counts) + corner,
            }
    }

    /// Returns the sum of a row over the columns that count for it.
    fn row(&self, row: usize, counts: &[i32]) -> i32 {
        let columns = if row < self.side { self.side } else { 2 * self.side };
        let weights = &self.square[row * (2 * self.side + 1)..][..columns];
        weights.iter().zip(counts).map(|(&weight, count)| i32::from(weight) * count).sum()
    }
}

impl Agent for AbsoluteBrain {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        certainly(decision, self.choose(decision, 0.0))
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        let worth = |action| match decision.mover() {
            Player::Light => self.score(decision, action),
            Player::Dark => -self.score(decision, action),
        };
        let moves = decision.moves();
        let scored = moves.iter().map(|&action| (worth(action), action));
        let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map_or(Move::Pass, |(_, action)| action)
    }
}
