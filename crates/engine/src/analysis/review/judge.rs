//! What a review judges by: the values of the solved game, or a search where there are none.

use std::fmt;
use std::sync::Arc;

use puabi_core::{Evaluator, Position, Rules};

use crate::agents::expectimax::Expectimax;
use crate::agents::spec::{AgentSpec, Kind, Leaf};
use crate::models::brain::Brain;

/// What a review judges by.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Lookahead;
/// let judge = Lookahead::new(RuleSet::MURRAY.compile()?, 2).judge();
/// assert!(judge.to_string().starts_with("expectimax:2@brain:"));
/// assert!(judge.is_estimate());
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Judge {
    /// The values of the solved game.
    Table,
    /// A search, named as the agent that plays by it.
    Search(AgentSpec),
}

impl Judge {
    /// Returns whether the chances are estimates.
    pub const fn is_estimate(&self) -> bool {
        matches!(self, Self::Search(_))
    }

    /// Returns what is to be said of a search: how it goes about it, and that its chances are estimates.
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

impl fmt::Display for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table => f.pad("table"),
            Self::Search(agent) => agent.fmt(f),
        }
    }
}

/// Judges positions of games that are not solved: looks some moves ahead and asks the brain of the rules, the trained one
/// where one ships and else the one set by hand.
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
    /// The moves that are looked ahead where nobody says how many.
    pub const DEPTH: u8 = 2;

    /// Returns the judge that looks `depth` moves ahead, at least 1.
    pub fn new(rules: impl Into<Arc<Rules>>, depth: u8) -> Self {
        let rules = rules.into();
        let (leaf, brain) = match Brain::shipped(&rules) {
            Some(brain) => ("trained", brain),
            None => ("start", Brain::start(&rules)),
        };
        Self { rules, search: Expectimax { depth: depth.max(1), leaf: brain }, leaf }
    }

    /// Returns how it judges.
    pub fn judge(&self) -> Judge {
        let leaf = Leaf::Brain(self.leaf.to_owned());
        Judge::Search(AgentSpec(Kind::Expectimax { depth: self.search.depth, leaf }))
    }
}

impl Evaluator for Lookahead {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        self.search.evaluate(&self.rules, positions, values);
    }
}
