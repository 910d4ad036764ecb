//! The source of a review's values: the solved game, or a search if there is no table.

use std::fmt;
use std::sync::Arc;

use puabi_core::{Evaluator, Position, Rules};

use crate::agents::search::expectimax::Expectimax;
use crate::agents::spec::AgentSpec;
use crate::models::brain::Brain;
use crate::models::model::Model;

/// The source of the values of a review.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Lookahead;
/// let source = Lookahead::new(RuleSet::MURRAY.compile()?, 2).source();
/// assert!(source.to_string().starts_with("expectimax:2@brain:"));
/// assert!(source.is_estimate());
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum ValueSource {
    /// The values of the solved game.
    Table,
    /// A search, named as the agent that plays by it.
    Search(AgentSpec),
}

impl ValueSource {
    /// Returns whether the chances are estimates.
    pub const fn is_estimate(&self) -> bool {
        matches!(self, Self::Search(_))
    }

    /// Returns the caveat of a search: its method, and that its chances are estimates.
    pub fn caveat(&self) -> Option<String> {
        match self {
            Self::Table => None,
            Self::Search(agent) => Some(format!(
                "Judged by a search, {agent} ({}): all chances are estimates, not those of the solved game.",
                agent.thinking()
            )),
        }
    }
}

impl fmt::Display for ValueSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table => f.pad("table"),
            Self::Search(agent) => agent.fmt(f),
        }
    }
}

/// Estimates the values of games that are not solved, by a search over the brain of the rules: the trained one
/// if one ships and else the one set by hand.
///
/// ```
/// use puabi_core::{Evaluator, RuleSet};
/// use puabi_engine::Lookahead;
/// let rules = RuleSet::MURRAY.compile()?;
/// let ahead = rules.position(&"7,13:-:L".parse()?)?;
/// let mut values = [0.0, 0.0];
/// Lookahead::new(rules, 1).evaluate(&[ahead, ahead.flipped()], &mut values);
/// assert!(values[0] > 0.5 && values[1] < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Lookahead {
    rules: Arc<Rules>,
    search: Expectimax<Brain>,
    leaf: &'static str,
}

impl Lookahead {
    /// The number of moves that are looked ahead by default.
    pub const DEPTH: u8 = 2;

    /// Returns the search that looks `depth` moves ahead, at least 1.
    pub fn new(rules: impl Into<Arc<Rules>>, depth: u8) -> Self {
        let rules = rules.into();
        let (leaf, brain) = match Brain::shipped(&rules) {
            Some(brain) => ("trained", brain),
            None => ("start", Brain::start(&rules)),
        };
        Self { rules, search: Expectimax { depth: depth.max(1), leaf: brain }, leaf }
    }

    /// Returns the name of this source of values.
    pub fn source(&self) -> ValueSource {
        ValueSource::Search(AgentSpec::search(self.search.depth, self.leaf))
    }
}

impl Evaluator for Lookahead {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        self.search.evaluate(&self.rules, positions, values);
    }
}
