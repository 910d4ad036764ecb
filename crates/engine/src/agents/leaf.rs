//! The evaluators at the end of a search, and the models by their names.

use std::{fmt, io};

use puabi_core::{Evaluator, LocatedError, Rules};

use crate::agents::error::BuildError;
use crate::agents::search::leaves::{Material, Pips};
use crate::models::brain::{AbsoluteBrain, Brain};
use crate::models::linear::Linear;
use crate::models::model::Model;
use crate::pocket::Pocket;

/// The evaluator by which a search judges positions at its end; for an agent that does not search, the model by which it plays.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Leaf {
    Pips,
    Material,
    Brain(String),
    Linear(String),
}

impl Leaf {
    /// Returns the name of the brain or linear model; `None` for another leaf.
    pub(crate) fn model(&self) -> Option<&str> {
        match self {
            Self::Brain(name) | Self::Linear(name) => Some(name),
            Self::Pips | Self::Material => None,
        }
    }

    /// Returns the name of the brain or linear model; an empty text for another leaf.
    pub(crate) fn name(&self) -> &str {
        self.model().unwrap_or_default()
    }
}

impl Leaf {
    /// Returns the evaluator for these rules.
    pub(crate) fn evaluator(
        &self,
        rules: &Rules,
        read: ReadFile<'_>,
    ) -> Result<Box<dyn Evaluator + Send + Sync>, BuildError> {
        Ok(match self {
            Self::Pips => Box::new(Pips::new(rules)),
            Self::Material => Box::new(Material::new(rules)),
            Self::Brain(name) => Box::new(model::<Brain>(name, rules, read)?),
            Self::Linear(name) => Box::new(model::<Linear>(name, rules, read)?),
        })
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

/// A function that reads the file of a model or a pocket; the library itself reads no files.
pub type ReadFile<'f> = &'f dyn Fn(&str) -> io::Result<Vec<u8>>;

/// Returns the pocket in this file, or the one that ships for the rules if no file is named.
///
/// # Errors
///
/// Returns an error if no pocket ships for these rules, or if the file cannot be read or is not a pocket for these rules.
pub(crate) fn pocket(
    file: Option<&str>,
    rules: &Rules,
    read: ReadFile<'_>,
) -> Result<Pocket, BuildError> {
    let Some(file) = file else {
        return Pocket::shipped(rules).ok_or_else(|| BuildError::NotShipped {
            what: "pocket",
            rules: rules.rule_set().clone(),
            advice: "`ur table pocket` makes one, and `pocket:FILE` plays by it",
        });
    };
    let name = || file.to_owned();
    let bytes =
        read(file).map_err(|source| BuildError::UnreadablePocket { name: name(), source })?;
    let pocket = Pocket::read(&bytes)
        .map_err(|source| BuildError::Pocket { name: name(), source: source.into() })?;
    let found = pocket.rules().rule_set();
    if found != rules.rule_set() {
        let (found, expected) = (found.to_string(), rules.rule_set().to_string());
        return Err(BuildError::OtherRules { name: name(), found, expected });
    }
    Ok(pocket)
}

/// Returns the model of this name: `trained` is the model that ships, `start` the one that learning starts from, and any other
/// name that of a file.
///
/// # Errors
///
/// Returns an error if no model ships for these rules, or if the file cannot be read or does not hold such a model.
pub fn model<M: Model>(name: &str, rules: &Rules, read: ReadFile<'_>) -> Result<M, BuildError> {
    match name {
        "trained" => M::shipped(rules).ok_or_else(|| BuildError::NotShipped {
            what: M::NAME,
            rules: rules.rule_set().clone(),
            advice: M::ADVICE,
        }),
        "start" => Ok(M::start(rules)),
        file => in_file(M::NAME, file, read, |text| M::read(text, rules)),
    }
}

/// Returns the brain of a name that [`model`] takes, as one that plays by light's view of the board.
pub(crate) fn absolute(
    name: &str,
    rules: &Rules,
    read: ReadFile<'_>,
) -> Result<AbsoluteBrain, BuildError> {
    match name {
        "trained" | "start" => {
            model::<Brain>(name, rules, read).map(|brain| AbsoluteBrain::new(brain.grid()))
        }
        file => in_file(Brain::NAME, file, read, |text| AbsoluteBrain::read(text, rules)),
    }
}

fn in_file<M>(
    what: &'static str,
    file: &str,
    read: ReadFile<'_>,
    parse: impl Fn(&str) -> Result<M, LocatedError>,
) -> Result<M, BuildError> {
    let name = file.to_owned();
    let text = read(file).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
    match text.map(|text| parse(&text)) {
        Ok(Ok(model)) => Ok(model),
        Ok(Err(source)) => Err(BuildError::Model { what, name, source }),
        Err(source) => Err(BuildError::Unreadable { what, name, source }),
    }
}
