//! The opening book: the choices that perfect players meet first, how often, and what each move costs.

use std::collections::BTreeMap;

use puabi_core::{Position, Roll, Rules};
use puabi_engine::{MoveValue, SharedEvaluator, best, move_values};

/// The choices in the first plies of games between perfect players.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Solver, Unattended};
/// use puabi_study::Book;
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let book = Book::new(&rules, &values, 4, 0.0);
/// // A choice comes with the second piece at the earliest, so the first ply has none.
/// assert_eq!(book.covered, 1.0);
/// assert!(book.choices[0].often >= book.choices[1].often);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Book {
    /// The choices, the most frequent first.
    pub choices: Vec<Choice>,
    /// The share (0..=1) of games that stay among the positions that were followed.
    pub covered: f64,
}

/// A position and a roll that leave a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The position before the roll, seen by the player who rolls.
    pub position: Position,
    /// The roll.
    pub roll: Roll,
    /// How often a game meets it in its first plies, on average, whichever player rolls.
    pub often: f64,
    /// The moves, the best first, with the chance (0..=1) of the player who moves.
    pub moves: Vec<MoveValue>,
}

/// Positions, each with the chance that a game is there.
type Chances = BTreeMap<Position, f64>;

impl Book {
    /// Returns the choices in the first `plies` plies of a game between players who follow `values`, those of the solved
    /// game, and take the first of equal moves. Positions that a game reaches at a ply with a chance below `least` are not
    /// followed.
    pub fn new(rules: &Rules, values: SharedEvaluator<'_>, plies: u32, least: f64) -> Self {
        let (mut here, mut met) = (Chances::from([(rules.start(), 1.0)]), BTreeMap::new());
        let mut covered = 1.0;
        for ply in 0..plies {
            let lost: f64 = here.values().filter(|&&chance| chance < least).sum();
            covered -= lost;
            here.retain(|_, chance| *chance >= least);
            let given = rules.rule_set().first_roll.filter(|_| ply == 0);
            let mut next = Chances::new();
            for (&position, &chance) in &here {
                let given = given.map(|roll| (roll, 1.0));
                let rolls = given.as_ref().map_or(rules.rolls(), std::slice::from_ref);
                for &(roll, share) in rolls {
                    let judged = move_values(&rules.decision(position, roll), values);
                    if judged.len() > 1 {
                        *met.entry((position, roll)).or_insert(0.0) += chance * share;
                    }
                    if let Some(after) = best(&judged).after.position() {
                        *next.entry(after).or_insert(0.0) += chance * share;
                    }
                }
            }
            here = next;
        }
        let choice = |((position, roll), often)| Choice {
            position,
            roll,
            often,
            moves: best_first(rules, position, roll, values),
        };
        let mut choices: Vec<_> = met.into_iter().map(choice).collect();
        choices.sort_by(|a, b| b.often.total_cmp(&a.often));
        // What was lost in many small parts may add up to more than there was, by rounding.
        Self { choices, covered: f64::max(covered, 0.0) }
    }
}

impl Choice {
    /// Returns what a move gives away (0..=1): the best move's value less its own.
    pub fn cost(&self, judged: &MoveValue) -> f64 {
        self.moves[0].value - judged.value
    }
}

fn best_first(
    rules: &Rules,
    position: Position,
    roll: Roll,
    values: SharedEvaluator<'_>,
) -> Vec<MoveValue> {
    let mut moves = move_values(&rules.decision(position, roll), values).to_vec();
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
    moves
}
