//! Evaluators that count squares or pieces, for searches that have no better one.

use std::sync::Arc;

use puabi_core::{Evaluator, Position, Rules, Side};

/// Judges by the race alone: the value is one half plus a share of the lead in squares still to travel.
///
/// A lead of the way that a whole side has to travel is worth the other half. So the value is linear in the lead and lies in
/// 0..=1.
///
/// ```
/// use puabi_core::{Evaluator, RuleSet};
/// use puabi_engine::Pips;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let ahead = rules.position(&"7:-:L".parse()?)?;
/// let mut values = [0.0];
/// Pips::new(&rules).evaluate(&[ahead], &mut values);
/// assert_eq!(values, [0.5 + 7.0 / 210.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pips {
    rules: Arc<Rules>,
    share: f64,
}

impl Pips {
    /// Returns the evaluator of the race under these rules.
    pub fn new(rules: &Rules) -> Self {
        let whole = f64::from(rules.pips(rules.start().mine()));
        Self { rules: Arc::new(rules.clone()), share: 0.5 / whole }
    }
}

impl Evaluator for Pips {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (position, value) in positions.iter().zip(values) {
            let [mine, theirs] = [position.mine(), position.theirs()];
            let lead = f64::from(self.rules.pips(theirs)) - f64::from(self.rules.pips(mine));
            *value = 0.5 + lead * self.share;
        }
    }
}

/// Judges by pieces: a piece at home counts two, a piece on the board counts one.
///
/// ```
/// use puabi_core::{Evaluator, RuleSet};
/// use puabi_engine::Material;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let ahead = rules.position(&"7+1:3:L".parse()?)?;
/// let mut values = [0.0];
/// Material::new(&rules).evaluate(&[ahead], &mut values);
/// assert_eq!(values, [0.5 + 2.0 / 28.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Material {
    share: f64,
}

impl Material {
    /// Returns the evaluator by pieces under these rules.
    pub fn new(rules: &Rules) -> Self {
        Self { share: 0.25 / f64::from(rules.pieces()) }
    }
}

impl Evaluator for Material {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        let count = |side: Side| f64::from(2 * side.score() + side.on_board());
        for (position, value) in positions.iter().zip(values) {
            *value = 0.5 + (count(position.mine()) - count(position.theirs())) * self.share;
        }
    }
}
