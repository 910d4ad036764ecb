//! The insides of agents: one whose work may be ended, and one that calls a function of Python.

use std::sync::Arc;

use puabi_core::{Agent, Decision, Forfeit, Move, Player, Policy, Rules};
use puabi_solve::Watch;
use pyo3::prelude::*;

use crate::decision;
use crate::errors::of_agent;
use crate::running::Work;

/// An agent that any thread may ask.
pub(crate) type AnyAgent<'a> = dyn Agent + Sync + 'a;

/// An agent that stops deciding once its work is to end: a search may take seconds for each decision.
pub(super) struct StoppableAgent<'a> {
    pub(super) agent: &'a AnyAgent<'a>,
    pub(super) watch: &'a Work,
}

impl Agent for StoppableAgent<'_> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        if self.watch.stop() { even(decision) } else { self.agent.policy(decision) }
    }

    fn try_policy(&self, decision: &Decision<'_>) -> Result<Policy, Forfeit> {
        if self.watch.stop() { Ok(even(decision)) } else { self.agent.try_policy(decision) }
    }

    fn choose(&self, decision: &Decision<'_>, number: f64) -> Move {
        if self.watch.stop() { decision.moves()[0] } else { self.agent.choose(decision, number) }
    }

    fn play(&self, decision: &Decision<'_>, number: f64) -> Result<Move, Forfeit> {
        if self.watch.stop() {
            return Err(Forfeit::new("the work was ended"));
        }
        self.agent.play(decision, number)
    }

    fn play_each(&self, asked: &[(Decision<'_>, f64)], played: &mut Vec<Result<Move, Forfeit>>) {
        if self.prefers_batches() {
            return self.agent.play_each(asked, played);
        }
        played.extend(asked.iter().map(|(decision, number)| self.play(decision, *number)));
    }

    fn prefers_batches(&self) -> bool {
        self.agent.prefers_batches()
    }
}

/// A function as an agent.
pub(super) struct FunctionAgent<'a> {
    pub(super) call: &'a Py<PyAny>,
    pub(super) rules: &'a Arc<Rules>,
    pub(super) watch: &'a Work,
}

impl Agent for FunctionAgent<'_> {
    /// Returns the policy of the function. If the function fails, all moves get the same chance: the work is about to end.
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        Python::attach(|py| self.ask(py, decision)).unwrap_or_else(|error| {
            self.watch.fail(error);
            even(decision)
        })
    }
}

fn even(decision: &Decision<'_>) -> Policy {
    let moves = decision.moves().len();
    std::iter::repeat_n(1.0 / moves as f64, moves).collect()
}

impl FunctionAgent<'_> {
    fn ask(&self, py: Python<'_>, decision: &Decision<'_>) -> PyResult<Policy> {
        let (at, roll) = (decision.position(), decision.roll());
        // A policy depends on no colour: the mover is shown as light.
        let asked = decision::Decision::new(self.rules.clone(), at, Player::Light, roll);
        let answer = self.call.bind(py).call1((asked,))?;
        let moves = decision.moves();
        if let Ok(chances) = answer.extract::<Vec<f64>>() {
            return policy(&chances, moves.len());
        }
        let action = decision::Move::read(&answer, decision)?;
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
