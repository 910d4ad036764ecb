//! Agents that requests may ask for. A request can name no file, no program but those of the server, and no agent that thinks for
//! long.

use std::io;

use puabi_core::wording::nearest;
use puabi_core::{Agent, Decision, Policy, Rules};
use puabi_engine::{AgentSpec, AgentSpecError, BuildError, Roster};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ApiResult};

/// The most moves that an agent may look ahead.
const MAX_DEPTH: u8 = 4;
/// The names of the trained players that ship with the program, and of those that learning starts from. Any other name is that of
/// a file.
const LEARNT: [&str; 2] = ["trained", "start"];

/// Reads the agent that `text` in the field names. `programs` are the other programs that requests may name.
///
/// # Errors
///
/// Returns an error if the text is not an agent, or if the agent would read a file, start a program that is not among `programs`,
/// or think for long.
pub fn parse_agent(field: &str, text: &str, programs: &[AgentSpec]) -> ApiResult<AgentSpec> {
    let spec: AgentSpec = text.parse().map_err(|error| not_an_agent_error(field, text, &error))?;
    if spec.command().is_some() && !programs.contains(&spec) {
        return Err(ApiError::field(field, text, "programs cannot be named over the network")
            .expected("an agent that GET /api/{rules}/agents lists"));
    }
    if spec.learnt().is_some_and(|name| !LEARNT.contains(&name)) {
        return Err(ApiError::field(field, text, "files cannot be named over the network")
            .expected("a name that ends in trained or start, as brain:trained"));
    }
    if spec.pocket_file().is_some() {
        return Err(ApiError::field(field, text, "files cannot be named over the network")
            .expected("pocket alone, which plays by the file that ships"));
    }
    if spec.depth().is_some_and(|depth| depth > MAX_DEPTH) {
        return Err(ApiError::field(field, text, "that would think for too long")
            .expected(format!("a depth of at most {MAX_DEPTH}")));
    }
    Ok(spec)
}

/// Returns the error of a text that is not an agent. The agents that it lists do not include programs.
fn not_an_agent_error(field: &str, text: &str, error: &AgentSpecError) -> ApiError {
    let forms = || AgentSpec::forms().filter(|form| !form.starts_with("engine:"));
    let message = match error {
        AgentSpecError::Unknown { found, .. } => {
            let names = forms().map(|form| form.split([':', '[']).next().unwrap_or(form));
            let meant = nearest(found, names).map(|name| format!(": did you mean `{name}`?"));
            format!("`{found}` is not an agent{}", meant.unwrap_or_default())
        }
        error => error.to_string(),
    };
    ApiError::field(field, text, message).expected(forms().collect::<Vec<_>>().join(", "))
}

/// An agent with a fixed policy.
#[derive(Debug)]
pub struct FixedPolicy(pub Policy);

impl Agent for FixedPolicy {
    fn policy(&self, _: &Decision<'_>) -> Policy {
        self.0.clone()
    }
}

/// Reads the agent that `text` in the field names, and checks that it can play these rules.
///
/// # Errors
///
/// Returns the errors of [`parse_agent`], and an error if the agent cannot play these rules.
pub(crate) fn parse_agent_for(
    field: &str,
    text: &str,
    rules: &Rules,
    programs: &[AgentSpec],
) -> ApiResult<AgentSpec> {
    let spec = parse_agent(field, text, programs)?;
    let no_file = |_: &str| Err(io::ErrorKind::Unsupported.into());
    spec.check(rules, &no_file).map_err(|error| unsuitable_agent_error(field, &spec, &error))?;
    Ok(spec)
}

/// Returns the error of an agent in the field that cannot play these rules.
pub fn unsuitable_agent_error(field: &str, spec: &AgentSpec, error: &BuildError) -> ApiError {
    ApiError::field(field, &spec.to_string(), error)
        .expected("an agent that plays these rules, as GET /api/{rules}/agents lists them")
}

/// An agent in the list.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgentView {
    /// The text by which requests name it.
    #[schema(example = "elo:1400")]
    spec: String,
    /// What people call it.
    title: String,
    /// How it thinks.
    how: String,
    /// Whether it plays by the table of the solved game.
    needs_table: bool,
    /// Its rating under Finkel's rules, if it was measured; the perfect player has 2000.
    elo: Option<f64>,
    /// Of agents with a chosen rating: the lowest that can be asked for under these rules.
    weakest: Option<u16>,
}

/// Returns the agents of the roster and the `programs` that can play these rules.
pub fn roster(rules: &Rules, programs: &[AgentSpec]) -> Vec<AgentView> {
    let fits =
        |spec: &AgentSpec| parse_agent_for("agent", &spec.to_string(), rules, programs).is_ok();
    let own = Roster::everyone();
    let fitting = own.iter().chain(programs).filter(|spec| fits(spec));
    fitting.map(|spec| view(spec, rules)).collect()
}

fn view(spec: &AgentSpec, rules: &Rules) -> AgentView {
    let text = spec.to_string();
    AgentView {
        title: match spec.command() {
            Some(command) => command.to_owned(),
            None => {
                text.replace([':', '-'], " ").replace('+', ", then ").replace('@', ", judging by ")
            }
        },
        how: spec.thinking(),
        needs_table: spec.needs_values(),
        elo: spec.finkel_elo(),
        weakest: AgentSpec::weakest_elo(rules).filter(|_| spec.chosen_elo().is_some()),
        spec: text,
    }
}
