//! Programs that requests may ask to play: only those that the person who runs the server has named.

use puabi_core::Rules;
use puabi_engine::{AgentSpec, BoxedAgent};
use puabi_study::{EngineError, Engines};

/// The programs that requests may ask to play; by default there are none.
#[derive(Debug, Default)]
pub struct HostedPrograms {
    specs: Vec<AgentSpec>,
    engines: Option<Engines>,
}

impl HostedPrograms {
    /// Returns these agents of the form `engine:COMMAND`, to be started by `engines`.
    pub fn new(specs: Vec<AgentSpec>, engines: Engines) -> Self {
        Self { specs, engines: Some(engines) }
    }

    /// Returns the agents.
    pub(crate) fn specs(&self) -> &[AgentSpec] {
        &self.specs
    }

    /// Returns whether requests may ask for this program.
    pub(crate) fn has(&self, spec: &AgentSpec) -> bool {
        self.specs.contains(spec)
    }

    /// Returns the agent, ready to play, if it is one of these programs.
    pub(crate) fn agent(
        &self,
        spec: &AgentSpec,
        rules: &Rules,
    ) -> Option<Result<BoxedAgent<'static>, EngineError>> {
        let command = spec.command().filter(|_| self.has(spec))?;
        self.engines.as_ref().map(|engines| engines.agent(command, rules))
    }
}
