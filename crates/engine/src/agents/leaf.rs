//! What a search judges positions by when it ends, and the models by their names.

use std::{fmt, fs};

use puabi_core::Rules;

use crate::agents::error::BuildError;
use crate::models::brain::Brain;
use crate::models::linear::Linear;

/// What a search judges positions by when it ends; of the agents that do not search, the model by which they play.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Leaf {
    Pips,
    Material,
    Brain(String),
    Linear(String),
}

impl Leaf {
    /// Returns the name of the brain or linear model, if it is one.
    pub(crate) fn model(&self) -> Option<&str> {
        match self {
            Self::Brain(name) | Self::Linear(name) => Some(name),
            Self::Pips | Self::Material => None,
        }
    }

    /// Returns the name of the brain or linear model; empty if it is none.
    pub(crate) fn name(&self) -> &str {
        self.model().unwrap_or_default()
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

/// Returns the brain of this name: `trained` is the one that ships, `start` the one that learning starts from, anything
/// else is a file.
pub(crate) fn brain(name: &str, rules: &Rules) -> Result<Brain, BuildError> {
    match name {
        "trained" => Brain::shipped(rules)
            .ok_or_else(|| BuildError::NoBrain { rules: rules.rule_set().clone() }),
        "start" => Ok(Brain::start(rules)),
        file => Brain::read(&read(file, "brain")?, rules)
            .map_err(|source| BuildError::Brain { name: file.to_owned(), source }),
    }
}

/// Returns the linear model of this name, in the same way.
pub(crate) fn linear(name: &str, rules: &Rules) -> Result<Linear, BuildError> {
    match name {
        "trained" => Linear::shipped(rules)
            .ok_or_else(|| BuildError::NoLinear { rules: rules.rule_set().clone() }),
        "start" => Ok(Linear::start(rules)),
        file => Linear::read(&read(file, "linear model")?, rules)
            .map_err(|source| BuildError::Linear { name: file.to_owned(), source }),
    }
}

fn read(file: &str, what: &'static str) -> Result<String, BuildError> {
    let name = || file.to_owned();
    fs::read_to_string(file).map_err(|source| BuildError::Unreadable { what, name: name(), source })
}
