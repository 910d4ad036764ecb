//! The linear model: a weight for each named feature of both sides.

use std::array;
use std::collections::BTreeMap;
use std::fmt;

use puabi_core::{Agent, Decision, Evaluator, Policy, Position, Rules};
use serde::Deserialize;

use crate::analysis::move_values::{best, move_values};
use crate::models::brain::logistic;
use crate::models::features::Feature;
use crate::models::shipped;

/// Weights of the features of one side, in the order of [`Feature::ALL`].
type Weights = [f64; Feature::ALL.len()];

/// A linear model: judges positions by [`Feature`]s, and plays the move after which it likes the position best.
///
/// The log-odds of the player about to roll are what the roll is worth, and each side's features times their weights.
/// The text form is TOML; a feature that is left out weighs nothing.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Feature, Linear};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let model = Linear::read("roll = 0.1\n[mine]\nprogress = 2\n[theirs]\nprogress = -2\n", &rules)?;
/// assert_eq!(model.mine()[Feature::Progress as usize], 2.0);
/// assert_eq!(Linear::read(&model.to_string(), &rules)?, model);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    rules: Rules,
    mine: Weights,
    theirs: Weights,
    roll: f64,
    origin: String,
}

/// Why a text is no linear model.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Linear;
/// let error = Linear::read("[mine]\nprogres = 1", &RuleSet::FINKEL.compile()?).unwrap_err();
/// assert!(error.to_string().starts_with("line 2, column 1: unknown variant `progres`"));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct LinearError {
    line: usize,
    column: usize,
    problem: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "rules")]
    _rules: String,
    #[serde(default)]
    origin: String,
    #[serde(default)]
    roll: Weight,
    #[serde(default)]
    mine: BTreeMap<Feature, Weight>,
    #[serde(default)]
    theirs: BTreeMap<Feature, Weight>,
}

/// A weight in a file: a finite number.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(try_from = "f64")]
struct Weight(f64);

impl TryFrom<f64> for Weight {
    type Error = String;

    fn try_from(number: f64) -> Result<Self, String> {
        let error = || format!("{number} is no weight: expected a finite number");
        number.is_finite().then_some(Self(number)).ok_or_else(error)
    }
}

impl Linear {
    /// Returns the model with these weights, in log-odds; `roll` is what it is worth to roll next.
    pub fn new(rules: &Rules, mine: Weights, theirs: Weights, roll: f64) -> Self {
        Self { rules: rules.clone(), mine, theirs, roll, origin: String::new() }
    }

    /// Returns the same model with a line on its origin.
    #[must_use]
    pub fn with_origin(self, origin: impl Into<String>) -> Self {
        Self { origin: origin.into(), ..self }
    }

    /// Returns the model in `text`.
    ///
    /// # Errors
    ///
    /// Returns an error, with line and column, if the text is no TOML or holds an unknown key.
    pub fn read(text: &str, rules: &Rules) -> Result<Self, LinearError> {
        let file: File = toml::from_str(text).map_err(|error| LinearError::new(text, &error))?;
        let weights = |side: &BTreeMap<Feature, Weight>| {
            array::from_fn(|at| side.get(&Feature::ALL[at]).copied().unwrap_or_default().0)
        };
        let model = Self::new(rules, weights(&file.mine), weights(&file.theirs), file.roll.0);
        Ok(model.with_origin(file.origin))
    }

    /// Returns the trained model that comes with the program, for a preset with any number of pieces.
    ///
    /// # Panics
    ///
    /// Never: a test reads them all.
    pub fn shipped(rules: &Rules) -> Option<Self> {
        let text = shipped::linear(&rules.rule_set().preset()?.name)?;
        Some(Self::read(text, rules).expect("a shipped model is sound"))
    }

    /// Returns a model set by hand, from which learning starts: progress alone.
    pub fn start(rules: &Rules) -> Self {
        let progress = |worth: f64| {
            array::from_fn(|at| if at == Feature::Progress as usize { worth } else { 0.0 })
        };
        Self::new(rules, progress(1.0), progress(-1.0), 0.25).with_origin("set by hand")
    }

    /// Returns the weights of the features of the player about to roll, in the order of [`Feature::ALL`].
    pub const fn mine(&self) -> &Weights {
        &self.mine
    }

    /// Returns the weights of the opponent's features.
    pub const fn theirs(&self) -> &Weights {
        &self.theirs
    }

    /// Returns what it is worth to roll next.
    pub const fn roll(&self) -> f64 {
        self.roll
    }

    /// Returns the origin of the model; empty if it has none.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the log-odds of the player about to roll.
    pub fn log_odds(&self, position: Position) -> f64 {
        let side = |weights: &Weights, position| -> f64 {
            let features = Feature::of(&self.rules, position);
            features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
        };
        self.roll + side(&self.mine, position) + side(&self.theirs, position.flipped())
    }
}

impl Evaluator for Linear {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = logistic(self.log_odds(position));
        }
    }
}

impl Agent for Linear {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let judged = move_values(decision, self);
        let chosen = best(&judged);
        judged.iter().map(|judged| f64::from(judged.action == chosen.action)).collect()
    }
}

impl fmt::Display for Linear {
    /// Writes what [`Linear::read`] reads to the same model.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |text: &str| toml::Value::from(text).to_string();
        writeln!(f, "rules = {}", text(&self.rules.rule_set().to_string()))?;
        writeln!(f, "origin = {}", text(&self.origin))?;
        writeln!(f, "roll = {:?}", self.roll)?;
        for (side, weights) in [("mine", &self.mine), ("theirs", &self.theirs)] {
            writeln!(f, "\n[{side}]")?;
            for (feature, weight) in Feature::ALL.iter().zip(weights) {
                writeln!(f, "{feature} = {weight:?}")?;
            }
        }
        Ok(())
    }
}

impl LinearError {
    fn new(text: &str, error: &toml::de::Error) -> Self {
        let before = &text[..error.span().map_or(0, |span| span.start)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: error.message().to_owned(),
        }
    }
}
