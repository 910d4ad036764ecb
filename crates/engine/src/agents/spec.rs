//! Agents as people ask for them. `docs/notation.md` has the grammar.

mod reading;

use std::fmt;

use puabi_core::Rules;

use crate::agents::difficulty::Difficulty;
use crate::agents::ladder;
use crate::agents::levels::{Level, LevelError};
use crate::agents::principles::Principle;

/// An agent as text, before it has what it needs to play; [`AgentSpec::build`] makes it play.
///
/// ```
/// use puabi_engine::AgentSpec;
/// let spec: AgentSpec = "expectimax:3@material".parse()?;
/// assert_eq!(spec.to_string(), "expectimax:3@material");
/// let error = "greddy".parse::<AgentSpec>().unwrap_err();
/// assert!(error.to_string().ends_with("did you mean `greedy`?"));
/// # Ok::<(), puabi_engine::AgentSpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AgentSpec(pub(crate) Kind);

/// The kinds of agents; what they hold is in range, since reading is the only way in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Random,
    FirstMove,
    LastMove,
    Greedy,
    Principles(Vec<Principle>),
    Level(Level),
    Humanised(Level),
    Difficulty(Difficulty),
    Pips,
    Expectimax { depth: u8, leaf: Leaf },
    Likely { depth: u8, least: f64, leaf: Leaf },
    Brain(String),
    Linear(String),
    Perfect,
    Worst,
    Epsilon(f64),
    Softmax(f64),
    Accuracy(f64),
    Elo(u16),
}

/// What a search judges positions by where it ends.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Leaf {
    Pips,
    Material,
    Brain(String),
    Linear(String),
}

impl AgentSpec {
    /// The perfect player.
    pub const PERFECT: Self = Self(Kind::Perfect);
    /// The greedy player.
    pub const GREEDY: Self = Self(Kind::Greedy);
    /// The random player.
    pub const RANDOM: Self = Self(Kind::Random);

    /// The most moves that a search looks ahead.
    pub const MAX_DEPTH: u8 = 8;
    /// The rating of the perfect player, the highest there is.
    pub const PERFECT_ELO: u16 = 2000;

    /// Returns the lowest N of `elo:N` under these rules, where ratings are fitted for them.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// use puabi_engine::AgentSpec;
    /// assert!(AgentSpec::weakest_elo(&RuleSet::FINKEL.compile()?).is_some_and(|elo| elo < 1000));
    /// assert_eq!(AgentSpec::weakest_elo(&RuleSet::SKIRIUK.compile()?), None);
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    pub fn weakest_elo(rules: &Rules) -> Option<u16> {
        ladder::weakest(rules)
    }

    /// Returns whether it is an agent of a chosen rating, `elo:N`.
    pub const fn is_rated(&self) -> bool {
        matches!(self.0, Kind::Elo(_))
    }

    /// Returns whether the agent plays by the values of the solved game.
    pub fn needs_values(&self) -> bool {
        matches!(
            self.0,
            Kind::Perfect
                | Kind::Worst
                | Kind::Epsilon(_)
                | Kind::Softmax(_)
                | Kind::Accuracy(_)
                | Kind::Elo(_)
        )
    }

    /// Returns whether a decision takes it well below a millisecond: it looks at the moves alone and not beyond.
    ///
    /// Such an agent can be asked about every position of a game.
    pub fn is_cheap(&self) -> bool {
        match self.0 {
            Kind::Expectimax { depth, .. } | Kind::Likely { depth, .. } => depth == 1,
            _ => true,
        }
    }

    /// Returns how many moves it looks ahead, where it searches.
    pub const fn depth(&self) -> Option<u8> {
        match self.0 {
            Kind::Expectimax { depth, .. } | Kind::Likely { depth, .. } => Some(depth),
            _ => None,
        }
    }

    /// Returns the name of the brain or linear model that it plays or judges by; a name may be that of a file.
    pub fn learnt(&self) -> Option<&str> {
        match &self.0 {
            Kind::Brain(name) | Kind::Linear(name) => Some(name),
            Kind::Expectimax { leaf, .. } | Kind::Likely { leaf, .. } => leaf.learnt(),
            _ => None,
        }
    }

    /// Returns how the agent thinks, in a few words.
    pub fn thinking(&self) -> String {
        match &self.0 {
            Kind::Random => "any legal move, each equally often".into(),
            Kind::FirstMove => "the piece furthest back; enters where it can".into(),
            Kind::LastMove => "the piece furthest along".into(),
            Kind::Greedy => {
                "captures, else lands on a rosette, else moves the foremost piece".into()
            }
            Kind::Principles(chain) => {
                let wishes: Vec<_> = chain.iter().map(|principle| principle.wish()).collect();
                format!("keeps the moves that {}", wishes.join(", then those that "))
            }
            Kind::Level(level) => format!("the rules of level {level} of nine, in their order"),
            Kind::Humanised(level) => {
                format!("the rules of level {level}, half of the time from a later segment on")
            }
            Kind::Difficulty(difficulty) => difficulty.thinking(),
            Kind::Pips => "the move after which the lead in the race is largest".into(),
            Kind::Expectimax { depth, leaf } => {
                format!("looks {depth} {} ahead, judges by {leaf}", moves(*depth))
            }
            Kind::Likely { depth, least, leaf } => format!(
                "looks {depth} {} ahead along rolls of chance {least} or more, judges by {leaf}",
                moves(*depth)
            ),
            Kind::Brain(name) => format!("the move that the brain `{name}` likes best"),
            Kind::Linear(name) => {
                format!("the move after which the linear model `{name}` likes the position best")
            }
            Kind::Perfect | Kind::Elo(Self::PERFECT_ELO) => {
                "the best move of the solved game".into()
            }
            Kind::Worst => "the worst move of the solved game".into(),
            Kind::Epsilon(chance) => format!("any move with chance {chance}, else the best"),
            Kind::Softmax(temperature) => {
                format!("better moves more often: by exp(value / {temperature})")
            }
            Kind::Accuracy(percent) => format!("the best move in {percent} of 100 choices"),
            Kind::Elo(elo) => format!("softmax of such a temperature that it is {elo} Elo strong"),
        }
    }
}

fn moves(depth: u8) -> &'static str {
    if depth == 1 { "move" } else { "moves" }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match &self.0 {
            Kind::Random => "random".into(),
            Kind::FirstMove => "first-move".into(),
            Kind::LastMove => "last-move".into(),
            Kind::Greedy => "greedy".into(),
            Kind::Principles(chain) => {
                chain.iter().map(|principle| principle.name()).collect::<Vec<_>>().join("+")
            }
            Kind::Level(level) => format!("level:{level}"),
            Kind::Humanised(level) => format!("humanised:{level}"),
            Kind::Difficulty(difficulty) => difficulty.name().into(),
            Kind::Pips => "pips".into(),
            Kind::Expectimax { depth, leaf } => format!("expectimax:{depth}{}", leaf.suffix()),
            Kind::Likely { depth, least, leaf } => {
                format!("likely:{depth}/{least}{}", leaf.suffix())
            }
            Kind::Brain(name) => format!("brain:{name}"),
            Kind::Linear(name) => format!("linear:{name}"),
            Kind::Perfect => "perfect".into(),
            Kind::Worst => "worst".into(),
            Kind::Epsilon(chance) => format!("epsilon:{chance}"),
            Kind::Softmax(temperature) => format!("softmax:{temperature}"),
            Kind::Accuracy(percent) => format!("accuracy:{percent}"),
            Kind::Elo(elo) => format!("elo:{elo}"),
        })
    }
}

impl Leaf {
    /// The name of the brain or linear model, where it is one.
    fn learnt(&self) -> Option<&str> {
        match self {
            Self::Brain(name) | Self::Linear(name) => Some(name),
            Self::Pips | Self::Material => None,
        }
    }

    /// How the leaf stands behind a search; nothing for the usual one.
    fn suffix(&self) -> String {
        if *self == Self::Pips { String::new() } else { format!("@{self}") }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pips => f.pad("pips"),
            Self::Material => f.pad("material"),
            Self::Brain(name) => write!(f, "brain:{name}"),
            Self::Linear(name) => write!(f, "linear:{name}"),
        }
    }
}

/// The error of a text that names no agent.
///
/// ```
/// use puabi_engine::AgentSpec;
/// let error = "elo:2400".parse::<AgentSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "`2400` in `elo:2400`: expected a rating from 0 to 2000");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentSpecError {
    /// No agent has this name.
    #[error("`{found}` is no agent: expected one of {known}{hint}")]
    Unknown {
        /// The name that was asked for.
        found: String,
        /// What would be right.
        known: String,
        /// The nearest name.
        hint: String,
    },
    /// A parameter is not there.
    #[error("`{agent}` lacks {expected}, as in `{example}`")]
    Lacks {
        /// The agent.
        agent: String,
        /// What it lacks.
        expected: &'static str,
        /// How it would be right.
        example: &'static str,
    },
    /// An agent has a parameter that it does not take.
    #[error("`{agent}` takes nothing after it: found `{found}`")]
    Needless {
        /// The agent.
        agent: String,
        /// What follows it.
        found: String,
    },
    /// A parameter is out of range or no number.
    #[error("`{found}` in `{agent}`: expected {expected}")]
    Parameter {
        /// The parameter.
        found: String,
        /// The whole text.
        agent: String,
        /// What would be right.
        expected: &'static str,
    },
    /// The level is none.
    #[error(transparent)]
    Level(#[from] LevelError),
}
