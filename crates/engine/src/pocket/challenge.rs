//! Challenges: each of the next best moves of a decision, as the model ranks them, against the best.

use arrayvec::ArrayVec;
use puabi_core::{Afterstate, Decision, Move, Position, Roll, Rules};

use super::ribbon::mixed;
use crate::analysis::move_values::MAX_MOVES;

/// A move with its lead: the chance to win that the model gives the player who makes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedMove {
    /// The move.
    pub action: Move,
    /// Its place in [`Decision::moves`].
    pub place: usize,
    /// The lead; infinite if the move wins.
    pub lead: f32,
    /// Whether the same player rolls again.
    pub rolls_again: bool,
}

/// Returns the moves of a decision in the order of their leads, the best first, and equal ones in the order of
/// [`Decision::moves`].
///
/// `chance` returns the chance (0..=1) of the player about to roll in a position.
#[inline]
pub fn ranked(
    decision: &Decision<'_>,
    mut chance: impl FnMut(Position) -> f32,
) -> ArrayVec<RankedMove, MAX_MOVES> {
    let judge = |(place, (action, after)): (usize, (Move, Afterstate))| {
        let rolls_again = after.rolls_again();
        let lead = match after {
            Afterstate::Won => f32::INFINITY,
            after => chance_after(after, &mut chance),
        };
        RankedMove { action, place, lead, rolls_again }
    };
    let mut ranked: ArrayVec<_, MAX_MOVES> =
        decision.afterstates().enumerate().map(judge).collect();
    ranked.sort_by(|a, b| b.lead.total_cmp(&a.lead));
    ranked
}

/// Returns the chance (0..=1) of the player who has moved; `chance` returns that of the player about to roll.
#[inline]
fn chance_after(after: Afterstate, chance: impl FnOnce(Position) -> f32) -> f32 {
    match after {
        Afterstate::Won => 1.0,
        Afterstate::RollsAgain(next) => chance(next),
        Afterstate::TurnPasses(next) => 1.0 - chance(next),
    }
}

/// A challenge: the question whether one of the next best moves by the model is better than the model's best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Challenge {
    /// The move that challenges.
    pub action: Move,
    /// Its rank by the model, 1 to [`Challenge::ALTERNATIVES`].
    pub rank: usize,
    /// The class, an index below [`CLASSES`]; challenges of one class succeed about equally often.
    pub class: usize,
    /// The number by which ribbons know it.
    pub key: u64,
}

impl Challenge {
    /// The largest number of moves that challenge the best.
    pub const ALTERNATIVES: usize = 3;
}

/// Returns the chance (0..=1) of the player about to roll, backed up once: the mean over the rolls of the best move's chance.
///
/// `chance` returns the chance in a position by the net. All arithmetic is f32 in a fixed order, so the result has the same bits
/// everywhere.
#[inline]
pub fn backed_up(rules: &Rules, position: Position, chance: impl Fn(Position) -> f32) -> f32 {
    let best = |roll| {
        let decision = rules.decision(position, roll);
        let chances = decision.afterstates().map(|(_, after)| chance_after(after, &chance));
        chances.fold(0.0_f32, f32::max)
    };
    #[expect(clippy::cast_possible_truncation, reason = "seven digits of a chance suffice")]
    let weighted = |&(roll, weight): &(Roll, f64)| weight as f32 * best(roll);
    rules.rolls().iter().map(weighted).sum()
}

/// The limits that divide margins by their width. A margin is the difference of two leads; one below the first limit is the
/// narrowest.
const MARGINS: [f32; 15] = [
    0.0005, 0.001, 0.0015, 0.0022, 0.003, 0.004, 0.0053, 0.007, 0.009, 0.0115, 0.015, 0.02, 0.027,
    0.038, 0.06,
];

/// The number of steps into which the pieces at home, of both sides together, are divided.
const STAGES: usize = 4;

/// The number of classes.
pub const CLASSES: usize = Challenge::ALTERNATIVES * 2 * STAGES * (MARGINS.len() + 1);

/// The number of filter bits of a class whose challenges never succeed.
pub const NEVER: u8 = u8::MAX;

/// Returns the challenges of a decision, in the order in which they are asked; `index` is that of its position.
#[inline]
pub fn challenges<'a>(
    ranked: &'a [RankedMove],
    index: u64,
    decision: &Decision<'_>,
) -> impl Iterator<Item = Challenge> + use<'a> {
    let (position, goal) = (decision.position(), usize::from(decision.rules().goal()));
    let home = usize::from(position.mine().score() + position.theirs().score());
    let stage = home * STAGES / (2 * goal - 1).max(1);
    let base = mixed(index << 8 | u64::from(decision.roll().steps()));
    let best = ranked[0];
    ranked[1..].iter().take(Challenge::ALTERNATIVES).zip(1..).map(move |(other, rank)| {
        let margin = best.lead - other.lead;
        let width = MARGINS.partition_point(|&limit| limit <= margin);
        let kind = usize::from(best.rolls_again != other.rolls_again);
        let class = (((rank - 1) * 2 + kind) * STAGES + stage) * (MARGINS.len() + 1) + width;
        Challenge { action: other.action, rank, class, key: base.wrapping_add(rank as u64) }
    })
}
