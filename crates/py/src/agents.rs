//! Agents for Python: ours by their names, and functions.

use std::fs::File;
use std::sync::Arc;

use numpy::PyArray1;
use puabi_core::{Policy, Record, Rules as Compiled};
use puabi_engine::{AgentSpec, BoxedAgent};
use puabi_tables::read_text;
use pyo3::prelude::*;

use crate::decision::{Decision, Move};
use crate::errors::{Refuse, of_agent, of_table};
use crate::rules::Rules;
use crate::running::{Work, run};
use crate::table::{Table, obtain};

/// A player of given rules: one of ours by its name (`"greedy"`, `"expectimax:2"`, `"perfect"`), or a function.
///
/// A function is given a `Decision` and returns a legal move (a `Move`, its text or its code), or the chance of each
/// of `decision.moves` (floats that sum to one); whoever is to move is light there. A player by exact values has its
/// game solved first if there is no table.
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
    Ready(BoxedAgent<'static>),
    ByValues(AgentSpec, Table),
    Asked(Py<PyAny>),
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ready(_) => "Ready",
            Self::ByValues(..) => "ByValues",
            Self::Asked(_) => "Asked",
        })
    }
}

#[pymethods]
impl Agent {
    #[new]
    fn new(py: Python<'_>, agent: &Bound<'_, PyAny>, rules: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(py, agent, &Rules::of(rules)?)
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

    /// Returns the move that it plays; `number`, even in 0..1, draws it if the agent plays by chance.
    #[pyo3(signature = (decision, number=0.5))]
    fn choose(&self, py: Python<'_>, decision: &Decision, number: f64) -> PyResult<Move> {
        let decision = decision.of_rules(&self.rules)?;
        let action = self.alone(py, |agent| agent.choose(&decision, number))?;
        Ok(Move::of(&decision, action))
    }

    /// Returns the chance of each of `decision.moves`: float64, shape (moves,); they sum to one.
    fn policy<'py>(
        &self,
        py: Python<'py>,
        decision: &Decision,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let decision = decision.of_rules(&self.rules)?;
        let policy = self.alone(py, |agent| agent.policy(&decision))?;
        Ok(PyArray1::from_slice(py, &policy))
    }

    fn __repr__(&self) -> String {
        format!("<Agent {} of {}>", self.name, self.rules.rules.rule_set())
    }
}

/// An agent that any thread may ask.
pub(crate) type AnyAgent<'a> = dyn puabi_core::Agent + Sync + 'a;

impl Agent {
    /// Returns the agent that a Python value gives: its name, or a function.
    pub(crate) fn of(py: Python<'_>, given: &Bound<'_, PyAny>, rules: &Rules) -> PyResult<Self> {
        let rules = rules.clone();
        if let Ok(agent) = given.cast::<Self>() {
            return agent.get().again(py, &rules);
        }
        if let Ok(name) = given.extract::<String>() {
            let spec: AgentSpec = name.parse().or_raise(of_agent)?;
            let kind = Kind::named(py, spec, &rules)?;
            return Ok(Self { rules, name, kind });
        }
        if !given.is_callable() {
            let found = given.get_type().to_string();
            return Err(of_agent(format!(
                "{found} found: expected the name of an agent, or a function"
            )));
        }
        let name = given.getattr("__name__").and_then(|name| name.extract());
        let (name, kind) = (name.unwrap_or_else(|_| "python".into()), given.clone().unbind());
        Ok(Self { rules, name, kind: Kind::Asked(kind) })
    }

    /// Returns the same agent for these rules, which must be its own.
    fn again(&self, py: Python<'_>, rules: &Rules) -> PyResult<Self> {
        if self.rules != *rules {
            let (found, expected) = (self.rules.rules.rule_set(), rules.rules.rule_set());
            return Err(of_agent(format!(
                "{} plays {found}: expected an agent of {expected}",
                self.name
            )));
        }
        let kind = match &self.kind {
            Kind::Ready(_) => {
                let spec: AgentSpec = self.name.parse().or_raise(of_agent)?;
                Kind::named(py, spec, rules)?
            }
            Kind::ByValues(spec, table) => Kind::ByValues(spec.clone(), table.clone()),
            Kind::Asked(call) => Kind::Asked(call.clone_ref(py)),
        };
        Ok(Self { rules: self.rules.clone(), name: self.name.clone(), kind })
    }

    /// Returns what `work` makes of the agent; a failure of its function ends the watched work.
    pub(crate) fn with<T>(
        &self,
        watch: &Work,
        work: impl FnOnce(&AnyAgent<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        match &self.kind {
            Kind::Ready(agent) => work(&**agent),
            Kind::Asked(call) => work(&Asked { call, rules: &self.rules.rules, watch }),
            Kind::ByValues(spec, table) => {
                let found = table.table.with_values(|values| {
                    let agent = spec.build(&self.rules.rules, Some(values)).or_raise(of_agent)?;
                    work(&*agent)
                });
                found.or_raise(of_table)?
            }
        }
    }

    /// Returns what `work` makes of the agent, on this thread.
    pub(crate) fn alone<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&AnyAgent<'_>) -> T + Send,
    ) -> PyResult<T> {
        let watch = Work::default();
        let found = py.detach(|| self.with(&watch, |agent| Ok(work(agent))));
        watch.failed().map_or(found, Err)
    }
}

impl Kind {
    fn named(py: Python<'_>, spec: AgentSpec, rules: &Rules) -> PyResult<Self> {
        let read = |file: &str| match spec.pocket_file() {
            Some(_) => std::fs::read(file),
            None => Ok(read_text(File::open(file)?, Record::MAX_BYTES)?.into_bytes()),
        };
        if spec.needs_values() {
            spec.check(&rules.rules, &read).or_raise(of_agent)?;
            let table = run(py, None, |work| obtain(rules, work))?;
            return Ok(Self::ByValues(spec, table));
        }
        spec.build_reading(&rules.rules, None, &read).or_raise(of_agent).map(Self::Ready)
    }
}

/// A function as an agent.
struct Asked<'a> {
    call: &'a Py<PyAny>,
    rules: &'a Arc<Compiled>,
    watch: &'a Work,
}

impl puabi_core::Agent for Asked<'_> {
    /// Once the function has failed, every move is as good as any: the work is about to end.
    fn policy(&self, decision: &puabi_core::Decision<'_>) -> Policy {
        let moves = decision.moves();
        let asked = || Python::attach(|py| self.ask(py, decision));
        let found = if puabi_solve::Watch::stop(self.watch) { None } else { Some(asked()) };
        match found {
            Some(Ok(policy)) => policy,
            Some(Err(error)) => {
                self.watch.fail(error);
                even(moves.len())
            }
            None => even(moves.len()),
        }
    }
}

fn even(moves: usize) -> Policy {
    std::iter::repeat_n(1.0 / moves as f64, moves).collect()
}

impl Asked<'_> {
    fn ask(&self, py: Python<'_>, decision: &puabi_core::Decision<'_>) -> PyResult<Policy> {
        let (at, roll) = (decision.position(), decision.roll());
        // A policy depends on no colour: the mover is shown as light.
        let asked = Decision::new(self.rules.clone(), at, puabi_core::Player::Light, roll);
        let answer = self.call.bind(py).call1((asked,))?;
        let moves = decision.moves();
        if let Ok(chances) = answer.extract::<Vec<f64>>() {
            return policy(&chances, moves.len());
        }
        let action = Move::read(&answer, decision)?;
        Ok(moves.iter().map(|&it| f64::from(it == action)).collect())
    }
}

fn policy(chances: &[f64], moves: usize) -> PyResult<Policy> {
    let sum: f64 = chances.iter().sum();
    let are_chances = chances.iter().all(|chance| (0.0..=1.0).contains(chance));
    if chances.len() != moves || !are_chances || (sum - 1.0).abs() > 1e-6 {
        return Err(of_agent(format!(
            "{} chances with the sum {sum} found: expected one from 0 to 1 for each of {moves} moves, with the sum 1",
            chances.len()
        )));
    }
    Ok(chances.iter().map(|chance| chance / sum).collect())
}
