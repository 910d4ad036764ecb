//! The source of a review's values: the solved game, or a pocket or a search if there is no table.

use std::fmt;
use std::sync::Arc;

use puabi_core::{Evaluator, Position, Rules};

use crate::agents::leaf::Leaf;
use crate::agents::search::expectimax::Expectimax;
use crate::agents::spec::AgentSpec;
use crate::models::brain::Brain;
use crate::models::linear::Linear;
use crate::models::model::Model;
use crate::pocket::Pocket;

/// The source of the values of a review.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Lookahead;
/// let source = Lookahead::new(RuleSet::MURRAY.compile()?, 2).source();
/// assert_eq!(source.to_string(), "expectimax:2@linear:trained");
/// assert!(source.is_estimate());
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum ValueSource {
    /// The values of the solved game.
    Table,
    /// A pocket.
    Pocket {
        /// The most that its moves give away in a game, as people read it: `0.3 %`.
        within: String,
    },
    /// A search.
    Search {
        /// The agent that plays by it.
        agent: AgentSpec,
        /// How far its values are from exact ones, if that was measured.
        error: Option<KnownError>,
    },
}

/// How far a search was from exact values in a game that is solved. A point is a hundredth of a chance to win.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownError {
    /// The game in which it was measured: the largest of its rule set that was solved for that purpose.
    pub rules: &'static str,
    /// The root of the mean square of the error of the chances before a roll, in points.
    pub points: f64,
    /// What the best move by the search gives away on average, in points, over decisions that leave a choice.
    pub cost: f64,
}

impl ValueSource {
    /// Returns `pocket` as a source of values.
    pub fn pocket(pocket: &Pocket) -> Self {
        Self::Pocket { within: pocket.within() }
    }

    /// Returns whether the chances are estimates.
    pub const fn is_estimate(&self) -> bool {
        !matches!(self, Self::Table)
    }

    /// Returns the caveat about a pocket or a search: its method, that its chances are estimates, and how good they are if that
    /// is known; `None` for the solved game.
    pub fn caveat(&self) -> Option<String> {
        let (agent, error) = match self {
            Self::Table => return None,
            Self::Search { agent, error } => (agent, error),
            Self::Pocket { within } => {
                return Some(format!(
                    "Judged by the pocket player, whose moves are within {within} of perfect play in a game: all chances are estimates, not those of the solved game."
                ));
            }
        };
        let thinking = agent.thinking();
        let error = error.map_or_else(String::new, |KnownError { rules, points, cost }| {
            format!(
                " In {rules}, which is solved, these chances are off by {points} points (root mean square), and the move they rank first costs {cost} points on average."
            )
        });
        Some(format!(
            "Judged by a search, {agent} ({thinking}): all chances are estimates, not those of the solved game.{error}"
        ))
    }
}

impl fmt::Display for ValueSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table => f.pad("table"),
            Self::Pocket { .. } => f.pad("pocket"),
            Self::Search { agent, .. } => agent.fmt(f),
        }
    }
}

/// The measured errors of searches two moves ahead: for each rule set, the error in its largest game that was solved for that
/// purpose (docs/results.md, "Reviews by search").
const ERRORS: [(&str, KnownError); 9] = [
    ("finkel", KnownError { rules: "finkel", points: 4.7, cost: 0.03 }),
    ("blitz", KnownError { rules: "blitz:4", points: 5.2, cost: 0.07 }),
    ("masters", KnownError { rules: "masters:3", points: 7.1, cost: 0.05 }),
    ("aseb", KnownError { rules: "aseb", points: 6.7, cost: 0.04 }),
    ("skiriuk", KnownError { rules: "skiriuk:3", points: 17.9, cost: 0.63 }),
    ("dmytro", KnownError { rules: "dmytro:3", points: 10.6, cost: 0.2 }),
    ("simple-ur", KnownError { rules: "simple-ur:3", points: 15.5, cost: 0.23 }),
    ("skiriuk-path", KnownError { rules: "skiriuk-path:3", points: 20.5, cost: 0.21 }),
    ("murray", KnownError { rules: "murray:3", points: 21.5, cost: 0.24 }),
];

/// An evaluator for games that are not solved. It searches ahead and judges by the model that ships for the rules, or by the
/// brain set by hand if no model ships.
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
    search: Expectimax<Shipped>,
}

/// A model that comes with the program.
#[derive(Debug)]
enum Shipped {
    Brain(Brain),
    Linear(Box<Linear>),
    /// The brain set by hand, if no trained model ships.
    ByHand(Brain),
}

impl Shipped {
    fn of(rules: &Rules) -> Self {
        let brain = Brain::shipped(rules).map(Self::Brain);
        let trained = brain.or_else(|| Linear::shipped(rules).map(|it| Self::Linear(it.into())));
        trained.unwrap_or_else(|| Self::ByHand(Brain::start(rules)))
    }

    fn leaf(&self) -> Leaf {
        match self {
            Self::Brain(_) => Leaf::Brain("trained".to_owned()),
            Self::Linear(_) => Leaf::Linear("trained".to_owned()),
            Self::ByHand(_) => Leaf::Brain("start".to_owned()),
        }
    }
}

impl Evaluator for Shipped {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        match self {
            Self::Brain(brain) | Self::ByHand(brain) => brain.evaluate(positions, values),
            Self::Linear(linear) => linear.evaluate(positions, values),
        }
    }
}

impl Lookahead {
    /// The number of moves that are looked ahead by default.
    pub const DEPTH: u8 = 2;

    /// Returns the search that looks `depth` moves ahead, at least 1.
    pub fn new(rules: impl Into<Arc<Rules>>, depth: u8) -> Self {
        let rules = rules.into();
        let leaf = Shipped::of(&rules);
        Self { rules, search: Expectimax { depth: depth.max(1), leaf } }
    }

    /// Returns the name of this source of values.
    pub fn source(&self) -> ValueSource {
        let depth = self.search.depth;
        let preset = self.rules.rule_set().preset();
        let known = preset.filter(|_| depth == Self::DEPTH).and_then(|preset| {
            ERRORS.iter().find(|(name, _)| *name == preset.name).map(|(_, error)| *error)
        });
        let agent = AgentSpec::search(depth, self.search.leaf.leaf());
        ValueSource::Search { agent, error: known }
    }
}

impl Evaluator for Lookahead {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        self.search.evaluate(&self.rules, positions, values);
        // The value of a dead position is known exactly.
        for (value, &position) in values.iter_mut().zip(positions) {
            if self.rules.is_dead(position) {
                *value = self.rules.dead_value(position);
            }
        }
    }
}
