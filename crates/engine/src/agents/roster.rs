//! Groups of agents: those that play a league, and those that people choose among.

use std::fmt;
use std::str::FromStr;

use crate::agents::error::AgentSpecError;
use crate::agents::spec::AgentSpec;

/// The agents of a league: a group by its name, or a list.
///
/// ```
/// use puabi_engine::Roster;
/// let roster: Roster = "greedy,random,level:5".parse()?;
/// assert_eq!(roster.agents().len(), 3);
/// assert!("all".parse::<Roster>()?.is_group());
/// # Ok::<(), puabi_engine::RosterError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Roster(Choice);

#[derive(Debug, Clone, PartialEq, Default)]
enum Choice {
    /// Every notable agent, principle and level.
    #[default]
    All,
    Cheap,
    Levels,
    Listed(Vec<AgentSpec>),
}

/// The agents to choose among: one of every kind, the stronger kinds first; the difficulties, the principles and the levels.
const AGENTS: &str = include_str!("../../strengths/agents.txt");

impl Roster {
    /// Returns the agents. A rule set may lack some agents of a group.
    pub fn agents(&self) -> Vec<AgentSpec> {
        match &self.0 {
            Choice::All => all().collect(),
            Choice::Cheap => all().filter(AgentSpec::is_cheap).collect(),
            Choice::Levels => all().filter(|spec| spec.to_string().starts_with("level:")).collect(),
            Choice::Listed(agents) => agents.clone(),
        }
    }

    /// Returns every agent to choose among, the strongest kinds first: those of the group `all`, and the four difficulties,
    /// which are levels by other names.
    pub fn everyone() -> Vec<AgentSpec> {
        everyone().collect()
    }

    /// Returns whether the roster is a group. Callers leave out the agents of a group that a rule set lacks.
    pub fn is_group(&self) -> bool {
        !matches!(self.0, Choice::Listed(_))
    }
}

fn everyone() -> impl Iterator<Item = AgentSpec> {
    AGENTS.lines().map(|name| name.parse().expect("a name of an agent"))
}

fn all() -> impl Iterator<Item = AgentSpec> {
    everyone().filter(|spec| spec.difficulty().is_none())
}

impl fmt::Display for Roster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Choice::All => f.pad("all"),
            Choice::Cheap => f.pad("cheap"),
            Choice::Levels => f.pad("levels"),
            Choice::Listed(agents) => {
                let names: Vec<_> = agents.iter().map(ToString::to_string).collect();
                f.pad(&names.join(","))
            }
        }
    }
}

/// The error of a text that is not a roster.
///
/// ```
/// use puabi_engine::Roster;
/// let error = "greedy,greedy".parse::<Roster>().unwrap_err();
/// assert_eq!(error.to_string(), "`greedy` is named twice");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RosterError {
    /// A name does not name an agent.
    #[error("{0}; or one of the groups all, cheap and levels")]
    Agent(AgentSpecError),
    /// An agent is named twice.
    #[error("`{0}` is named twice")]
    Twice(String),
    /// The list holds one agent only.
    #[error("`{0}` has nobody to play against: expected two agents or more, with commas between")]
    Alone(String),
}

impl FromStr for Roster {
    type Err = RosterError;

    fn from_str(text: &str) -> Result<Self, RosterError> {
        let choice = match text {
            "all" => Choice::All,
            "cheap" => Choice::Cheap,
            "levels" => Choice::Levels,
            list => Choice::Listed(listed(list)?),
        };
        Ok(Self(choice))
    }
}

fn listed(list: &str) -> Result<Vec<AgentSpec>, RosterError> {
    let agents: Result<Vec<AgentSpec>, _> = list.split(',').map(str::parse).collect();
    let agents = agents.map_err(RosterError::Agent)?;
    for (at, agent) in agents.iter().enumerate() {
        if agents[..at].contains(agent) {
            return Err(RosterError::Twice(agent.to_string()));
        }
    }
    match &*agents {
        [only] => Err(RosterError::Alone(only.to_string())),
        _ => Ok(agents),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::thumb::levels::Level;
    use crate::agents::thumb::principles::Principle;

    #[test]
    fn everyone_has_every_principle_and_level() {
        let principles = Principle::ALL.iter().map(ToString::to_string);
        let mut names = principles.chain(Level::all().map(|level| format!("level:{level}")));
        let found: Vec<_> = everyone().map(|spec| spec.to_string()).collect();
        assert!(names.all(|name| found.contains(&name)));
    }
}
