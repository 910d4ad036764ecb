//! Agents as people ask for them.

use std::fmt;
use std::str::FromStr;

/// An agent by name, before it has what it needs to play.
///
/// ```
/// use puabi_engine::AgentSpec;
/// let spec: AgentSpec = "greedy".parse()?;
/// assert_eq!(spec, AgentSpec::Greedy);
/// assert_eq!(spec.to_string(), "greedy");
/// # Ok::<(), puabi_engine::AgentSpecError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AgentSpec {
    /// [`Perfect`](crate::Perfect) by the table of the game.
    Perfect,
    /// [`Greedy`](crate::Greedy).
    Greedy,
    /// [`Random`](crate::Random).
    Random,
}

impl AgentSpec {
    /// All agents, strongest first.
    pub const ALL: [Self; 3] = [Self::Perfect, Self::Greedy, Self::Random];

    /// Returns the name by which this agent is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Perfect => "perfect",
            Self::Greedy => "greedy",
            Self::Random => "random",
        }
    }

    /// Returns whether the agent plays by the values of the solved game.
    pub const fn needs_values(self) -> bool {
        matches!(self, Self::Perfect)
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of a text that names no agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no agent: expected perfect, greedy or random")]
pub struct AgentSpecError {
    found: String,
}

impl FromStr for AgentSpec {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<Self, AgentSpecError> {
        let named = Self::ALL.into_iter().find(|spec| spec.name() == text);
        named.ok_or_else(|| AgentSpecError { found: text.to_owned() })
    }
}
