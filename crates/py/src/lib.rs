//! The Royal Game of Ur for Python: the module `puabi`.
//!
//! A thin layer over the other crates: classes hold their types, arrays are numpy's, errors are exceptions. It has no rules of its
//! own. During long work, other threads can use the interpreter, and Ctrl-C ends the work.

mod agents;
mod arrays;
mod batch;
mod decision;
mod env;
mod errors;
mod features;
mod game;
mod matches;
mod review;
mod rules;
mod running;
mod table;

use pyo3::prelude::*;

/// The Royal Game of Ur: rules, exact values, environments, matches and reviews.
#[pymodule]
mod _puabi {
    #[pymodule_export]
    use super::agents::Agent;
    #[pymodule_export]
    use super::decision::{Decision, Move};
    #[pymodule_export]
    use super::env::VecEnv;
    #[pymodule_export]
    use super::errors::{
        AgentError, Error, MoveError, PositionError, RecordError, RulesError, TableError,
    };
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::matches::{LeagueResult, Match, league, play_match};
    #[pymodule_export]
    use super::review::review_json;
    #[pymodule_export]
    use super::rules::Rules;
    #[pymodule_export]
    use super::table::{Table, solve};
}
