//! A learner: weights for the numbers of a basis.

use puabi_core::{Afterstate, Decision, Position};

use super::basis::Basis;

/// Weights that are being learnt: the log-odds of a position are the numbers of its basis, each times its weight.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Brain;
/// use puabi_study::{Learner, Pairs};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let learner = Learner::of(Pairs::new(&rules), &Brain::start(&rules));
/// assert!(learner.log_odds(rules.start()) > 0.0, "the roll is worth something");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Learner<B> {
    basis: B,
    pub(super) weights: Vec<f32>,
}

impl<B: Basis> Learner<B> {
    /// Returns a learner with the weights of `player`.
    pub fn of(basis: B, player: &B::Player) -> Self {
        let weights = basis.weights(player);
        Self { basis, weights }
    }

    /// Returns a learner with these weights; `None` if their number is wrong.
    pub fn with_weights(basis: B, weights: Vec<f32>) -> Option<Self> {
        (weights.len() == basis.len()).then_some(Self { basis, weights })
    }

    /// Returns the basis: the numbers that the weights belong to.
    pub const fn basis(&self) -> &B {
        &self.basis
    }

    /// Returns the weights, in log-odds for each number of the basis.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Returns the player with the present weights, each multiplied by `times`.
    ///
    /// The factor changes the chances, and never the order of two positions.
    pub fn player(&self, times: f32, origin: &str) -> B::Player {
        let weights: Vec<_> = self.weights.iter().map(|weight| weight * times).collect();
        self.basis.player(&weights, origin)
    }

    /// Returns the log-odds of the player about to roll.
    #[inline]
    pub fn log_odds(&self, position: Position) -> f32 {
        let mut sum = 0.0;
        self.basis.visit(position, |at, number| sum += number * self.weights[at]);
        sum
    }

    /// Returns the log-odds of the player who moved; `None` if that player has won.
    #[inline]
    pub(super) fn lead(&self, after: Afterstate) -> Option<f32> {
        Some(sign(after) * self.log_odds(after.position()?))
    }

    /// Adds `step` times the slope of the lead to `gradient`.
    #[inline]
    pub(super) fn slope(&self, after: Afterstate, step: f32, gradient: &mut [f32]) {
        let Some(position) = after.position() else { return };
        let step = sign(after) * step;
        self.basis.visit(position, |at, number| gradient[at] += step * number);
    }

    /// Returns what follows the move that the learner likes best.
    pub(super) fn choose(&self, decision: &Decision<'_>) -> Afterstate {
        let options = decision.afterstates().map(|(_, after)| {
            let lead = self.lead(after).unwrap_or(f32::INFINITY);
            (lead, after)
        });
        let best = options.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.expect("a decision has at least one move").1
    }
}

/// Returns 1 if the position is seen by the player who moved, and -1 if by the opponent.
fn sign(after: Afterstate) -> f32 {
    if after.rolls_again() { 1.0 } else { -1.0 }
}
