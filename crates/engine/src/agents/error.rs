//! The errors of texts that name no agent, and of agents that cannot play.

use std::io;

use puabi_core::{LocatedError, RuleSet};

use crate::agents::ladder::LadderError;
use crate::agents::thumb::levels::LevelError;
use crate::agents::thumb::unfit::UnfitError;
use crate::pocket::PocketError;

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
    #[error("`{found}` is not an agent: {expected}")]
    Unknown {
        /// The name in the text.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A word in a list with `+` is not a rule of thumb.
    #[error("`{found}` in `{agent}`, where `+` joins rules of thumb: {expected}")]
    Joined {
        /// The word.
        found: String,
        /// The whole text.
        agent: String,
        /// What was expected.
        expected: String,
    },
    /// A parameter is missing.
    #[error("`{agent}` lacks {expected}, as in `{example}`")]
    Lacks {
        /// The agent.
        agent: String,
        /// What it lacks.
        expected: &'static str,
        /// An agent that has it.
        example: &'static str,
    },
    /// An agent has a parameter that it does not take.
    #[error("`{agent}` takes nothing after it: found `{found}`")]
    Needless {
        /// The agent.
        agent: String,
        /// The text after the name.
        found: String,
    },
    /// A parameter is out of range or has the wrong form.
    #[error("`{found}` in `{agent}`: expected {expected}")]
    Parameter {
        /// The parameter.
        found: String,
        /// The whole text.
        agent: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The level is not one of the nine.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// The error of an agent that cannot play a game.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::AgentSpec;
/// let rules = RuleSet::FINKEL.compile()?;
/// let error = AgentSpec::PERFECT.build(&rules, None).err().unwrap();
/// assert_eq!(error.to_string(), "`perfect` needs the values of the solved game finkel, which are not available");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The agent plays by the values of the solved game, and the caller gave none.
    #[error("`{agent}` needs the values of the solved game {rules}, which are not available")]
    NoValues {
        /// The agent.
        agent: String,
        /// The rules.
        rules: RuleSet,
    },
    /// The agent is another program, which has to be started.
    #[error("`{agent}` is another program, which cannot be started here")]
    Outside {
        /// The agent.
        agent: String,
    },
    /// No trained model of this kind ships for the rules.
    #[error("no trained {what} ships for {rules}: {advice}")]
    NotShipped {
        /// The kind of model.
        what: &'static str,
        /// The rules.
        rules: RuleSet,
        /// How to get one.
        advice: &'static str,
    },
    /// The file of a brain or linear model cannot be read.
    #[error("`{name}` is not a {what}: expected `trained`, `start`, or a file that can be read")]
    Unreadable {
        /// What it should hold.
        what: &'static str,
        /// The name of the file.
        name: String,
        /// The reason.
        #[source]
        source: io::Error,
    },
    /// The file of a model does not hold one.
    #[error("`{name}` does not contain a {what}")]
    Model {
        /// What it should hold.
        what: &'static str,
        /// The name of the file.
        name: String,
        /// The reason.
        #[source]
        source: LocatedError,
    },
    /// The file of a pocket cannot be read.
    #[error("`{name}` is not a pocket: expected a file that can be read")]
    UnreadablePocket {
        /// The name of the file.
        name: String,
        /// The reason.
        #[source]
        source: io::Error,
    },
    /// The file of a pocket does not hold one.
    #[error("`{name}` does not contain a pocket")]
    Pocket {
        /// The name of the file.
        name: String,
        /// The reason.
        #[source]
        source: Box<PocketError>,
    },
    /// The pocket is for other rules.
    #[error("`{name}` is a pocket of {found}: expected a pocket of {expected}")]
    OtherRules {
        /// The name of the file.
        name: String,
        /// The rules of the pocket.
        found: String,
        /// The rules of the game.
        expected: String,
    },
    /// The rules lack what an agent by rule of thumb needs.
    #[error(transparent)]
    Unfit(#[from] UnfitError),
    /// Ratings are not fitted for these rules.
    #[error(transparent)]
    Ladder(#[from] LadderError),
}
