//! Agents for Python: ours by their names, functions, and other programs.

mod inside;

use std::fs::File;
use std::process;
use std::sync::Arc;
use std::time::Duration;

use numpy::PyArray1;
use puabi_core::Record;
use puabi_engine::{AgentSpec, BoxedAgent, Pocket};
use puabi_study::Engines;
use puabi_tables::{data_directory, read_bytes, read_text};
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;

pub(crate) use crate::agents::inside::AnyAgent;
use crate::agents::inside::{FunctionAgent, StoppableAgent};
use crate::arrays::array_of;
use crate::decision::{Decision, Move};
use crate::errors::{OrRaise, of_agent, of_table, unusable};
use crate::rules::Rules;
use crate::running::{Work, run};
use crate::table::{Table, obtain, require_data_directory};

/// A player of given rules: one of ours by its name (`"greedy"`, `"expectimax:2"`, `"perfect"`), a function, or another
/// program that speaks the engine protocol (`"engine:./mine --fast"`).
///
/// A function is given a `Decision` and returns a legal move (a `Move`, its text or its code), or the chance of each
/// of `decision.moves` (floats that sum to one); the player to move is always shown as light. For an agent that plays by
/// exact values, the game is solved first if there is no table. A program that fails, or thinks for more than `move_time`
/// seconds (10) about a move, gives its game up with a `RuntimeWarning`; the program ends with the agent.
#[pyclass(frozen, module = "puabi")]
#[derive(Debug)]
pub(crate) struct Agent {
    rules: Rules,
    /// Its name.
    #[pyo3(get)]
    pub(crate) name: String,
    kind: Kind,
}

enum Kind {
    Named(AgentSpec, Arc<BoxedAgent<'static>>),
    ByValues(AgentSpec, Table),
    Function(Py<PyAny>),
    Outside(Program),
}

/// Another program as an agent.
#[derive(Clone)]
struct Program {
    agent: Arc<BoxedAgent<'static>>,
    /// Keeps the file of the rules, which the program may read.
    engines: Arc<Engines>,
    /// The process that started the program: a forked process would interrupt the conversation with it.
    started_by: u32,
}

impl Drop for Program {
    fn drop(&mut self) {
        if self.started_by != process::id() {
            // The program belongs to the process that forked: ending it here would end it there, and its rules would be gone.
            std::mem::forget((self.agent.clone(), self.engines.clone()));
        }
    }
}

/// The default of the time that another program may think about a move, in seconds.
const MOVE_TIME: f64 = 10.0;

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Named(..) => "Named",
            Self::ByValues(..) => "ByValues",
            Self::Function(_) => "Function",
            Self::Outside(..) => "Outside",
        })
    }
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (agent, rules, move_time=None))]
    fn new(
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        rules: &Bound<'_, PyAny>,
        move_time: Option<f64>,
    ) -> PyResult<Self> {
        Self::read(py, agent, &Rules::of(rules)?, move_time)
    }

    /// The names of all kinds of agents, with the forms of their arguments.
    #[staticmethod]
    fn forms() -> Vec<&'static str> {
        AgentSpec::forms().collect()
    }

    /// The rules that it plays.
    #[getter]
    fn rules(&self) -> Rules {
        self.rules.clone()
    }

    /// Returns the move that it plays; `number` (0 to below 1) draws it if the agent plays by chance.
    #[pyo3(signature = (decision, number=0.5))]
    fn choose(&self, py: Python<'_>, decision: &Decision, number: f64) -> PyResult<Move> {
        if !(0.0..1.0).contains(&number) {
            return Err(unusable(format!("number {number}: expected 0 to below 1")));
        }
        let decision = decision.of_rules(&self.rules)?;
        let played = self.alone(py, |agent| agent.play(&decision, number))?;
        Ok(Move::of(&decision, played.or_raise(of_agent)?))
    }

    /// Returns the chance of each of `decision.moves`: float64, shape (moves,); they sum to one. Raises `AgentError` if another
    /// program fails.
    fn policy<'py>(
        &self,
        py: Python<'py>,
        decision: &Decision,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let decision = decision.of_rules(&self.rules)?;
        let policy = self.alone(py, |agent| agent.try_policy(&decision))?;
        array_of(py, policy.or_raise(of_agent)?)
    }

    fn __repr__(&self) -> String {
        format!("<Agent {} of {}>", self.name, self.rules.rules.rule_set())
    }
}

impl Agent {
    /// Returns the agent for a Python value: the name of an agent, a function, or an `Agent` of these rules.
    pub(crate) fn of(py: Python<'_>, given: &Bound<'_, PyAny>, rules: &Rules) -> PyResult<Self> {
        Self::read(py, given, rules, None)
    }

    fn read(
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
        rules: &Rules,
        move_time: Option<f64>,
    ) -> PyResult<Self> {
        let rules = rules.clone();
        if let Ok(agent) = given.cast::<Self>() {
            return agent.get().clone_for(py, &rules);
        }
        if let Ok(name) = given.extract::<String>() {
            let spec: AgentSpec = name.parse().or_raise(of_agent)?;
            let kind = match (spec.command(), move_time) {
                (Some(command), time) => {
                    Kind::outside(py, command, &rules, time.unwrap_or(MOVE_TIME))?
                }
                (None, None) => Kind::named(py, spec, &rules)?,
                (None, Some(_)) => return Err(needless_time(&name)),
            };
            return Ok(Self { rules, name, kind });
        }
        if !given.is_callable() {
            let found = given.get_type().to_string();
            return Err(of_agent(format!(
                "{found} found: expected the name of an agent or a function"
            )));
        }
        if move_time.is_some() {
            return Err(needless_time("a function"));
        }
        let name = given.getattr("__name__").and_then(|name| name.extract());
        let (name, kind) = (name.unwrap_or_else(|_| "python".into()), given.clone().unbind());
        Ok(Self { rules, name, kind: Kind::Function(kind) })
    }

    /// Returns the same agent for these rules, which must be its own.
    fn clone_for(&self, py: Python<'_>, rules: &Rules) -> PyResult<Self> {
        if self.rules != *rules {
            let (found, expected) = (self.rules.rules.rule_set(), rules.rules.rule_set());
            return Err(of_agent(format!(
                "{} plays {found}: expected an agent of {expected}",
                self.name
            )));
        }
        let (rules, name) = (self.rules.clone(), self.name.clone());
        Ok(Self { rules, name, kind: self.kind.clone_ref(py) })
    }

    /// Raises an error if no exact result can be had with the agent.
    pub(crate) fn ensure_exact(&self) -> PyResult<()> {
        let why = match &self.kind {
            Kind::Named(spec, _) if spec.sees_colours() => "plays light otherwise than dark",
            Kind::Outside(..) => "is another program",
            _ => return Ok(()),
        };
        Err(of_agent(format!(
            "{} {why}, so no exact result can be had: expected games=, a number of games",
            self.name
        )))
    }

    /// Returns the result of `work` with the agent, which gives its games up once the work is to end. A failure of the agent's
    /// function ends the work.
    pub(crate) fn with<T>(
        &self,
        watch: &Work,
        work: impl FnOnce(&AnyAgent<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let work = |agent: &AnyAgent<'_>| work(&StoppableAgent { agent, watch });
        match &self.kind {
            Kind::Named(_, agent) => work(&***agent),
            Kind::Outside(program) if program.started_by == process::id() => work(&**program.agent),
            Kind::Outside(_) => Err(of_agent(format!(
                "{} was started by another process: expected an agent that is made in this one",
                self.name
            ))),
            Kind::Function(call) => work(&FunctionAgent { call, rules: &self.rules.rules, watch }),
            Kind::ByValues(spec, table) => {
                let found = table.table.with_values(|values| {
                    let agent = spec.build(&self.rules.rules, Some(values)).or_raise(of_agent)?;
                    work(&*agent)
                });
                found.or_raise(of_table)?
            }
        }
    }

    /// Returns the result of `work` with the agent, on this thread.
    pub(crate) fn alone<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&AnyAgent<'_>) -> T + Send,
    ) -> PyResult<T> {
        let watch = Work::default();
        let found = py.detach(|| self.with(&watch, |agent| Ok(work(agent))));
        watch.into_failure().map_or(found, Err)
    }
}

impl Kind {
    fn named(py: Python<'_>, spec: AgentSpec, rules: &Rules) -> PyResult<Self> {
        let read = |file: &str| match spec.pocket_file() {
            Some(_) => read_bytes(File::open(file)?, Pocket::MAX_BYTES),
            None => Ok(read_text(File::open(file)?, Record::MAX_BYTES)?.into_bytes()),
        };
        if spec.needs_values() {
            py.detach(|| spec.check(&rules.rules, &read)).or_raise(of_agent)?;
            let table = run(py, None, |work| obtain(rules, work))?;
            return Ok(Self::ByValues(spec, table));
        }
        let agent = py.detach(|| spec.build_reading(&rules.rules, None, &read));
        let agent = agent.or_raise(of_agent)?;
        Ok(Self::Named(spec, Arc::new(agent)))
    }

    /// Starts another program as an agent.
    fn outside(py: Python<'_>, command: &str, rules: &Rules, move_time: f64) -> PyResult<Self> {
        if !(0.001..=3600.0).contains(&move_time) {
            return Err(unusable(format!(
                "move_time {move_time}: expected seconds, 0.001 to 3600"
            )));
        }
        let limit = Duration::from_secs_f64(move_time);
        let folder = require_data_directory(data_directory())?.join("engines");
        let engines = Engines::new(limit, folder, warn);
        let agent = py.detach(|| engines.agent(command, &rules.rules)).or_raise(of_agent)?;
        Ok(Self::Outside(Program {
            agent: Arc::new(agent),
            engines: Arc::new(engines),
            started_by: process::id(),
        }))
    }

    fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Self::Named(spec, agent) => Self::Named(spec.clone(), agent.clone()),
            Self::ByValues(spec, table) => Self::ByValues(spec.clone(), table.clone()),
            Self::Function(call) => Self::Function(call.clone_ref(py)),
            Self::Outside(program) => Self::Outside(program.clone()),
        }
    }
}

fn needless_time(agent: &str) -> PyErr {
    unusable(format!("move_time for {agent}: expected it for \"engine:COMMAND\" alone"))
}

/// Warns of a fault of another program, from any thread.
fn warn(fault: &str) {
    Python::attach(|py| {
        let text =
            std::ffi::CString::new(fault.replace('\0', "\\0")).expect("there is no NUL in it");
        if let Err(error) = PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1) {
            // The user has turned warnings into errors, and there is no call here that could raise one.
            error.write_unraisable(py, None);
        }
    });
}
