//! The linear model: a weight for each named feature of both sides.

use std::array;
use std::collections::BTreeMap;
use std::fmt;

use puabi_core::{Agent, Decision, Evaluator, LocatedError, Policy, Position, Rules};
use serde::Deserialize;

use crate::agents::valued::Argmax;
use crate::models::features::Feature;
use crate::models::model::{Model, logistic, narrow};

/// Weights of the features of one side, in the order of [`Feature::ALL`].
type Weights = [f64; Feature::ALL.len()];

/// A linear model: judges positions by [`Feature`]s, and plays the move after which it likes the position best.
///
/// The log-odds of the player about to roll are the worth of the roll, plus each side's features times their weights. The text
/// form is TOML; a feature that is left out has weight 0.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Feature, Linear, Model};
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

/// A weight in a file. Its size is limited, so that sums of weights stay finite.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(try_from = "f64")]
struct Weight(f64);

impl TryFrom<f64> for Weight {
    type Error = String;

    fn try_from(number: f64) -> Result<Self, String> {
        const LARGEST: f64 = 1e6;
        let error =
            || format!("{number} is not a weight: expected a number from -{LARGEST} to {LARGEST}");
        (number.abs() <= LARGEST).then_some(Self(number)).ok_or_else(error)
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

    /// Returns the log-odds of the player about to roll.
    pub fn log_odds(&self, position: Position) -> f64 {
        let side = |weights: &Weights, position| -> f64 {
            let features = Feature::of(&self.rules, position);
            features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
        };
        self.roll + side(&self.mine, position) + side(&self.theirs, position.flipped())
    }
}

impl Model for Linear {
    const NAME: &'static str = "linear model";
    const ADVICE: &'static str =
        "`ur train` makes one with `--model linear`, and `linear:FILE` plays by it";
    const SHIPPED: &'static [(&'static str, &'static str)] = &[
        ("murray", include_str!("../../brains/murray.toml")),
        ("skiriuk-path", include_str!("../../brains/skiriuk-path.toml")),
        ("simple-ur", include_str!("../../brains/simple-ur.toml")),
        ("dmytro", include_str!("../../brains/dmytro.toml")),
    ];

    /// Returns a model set by hand, from which learning starts. Only progress and the roll have a weight.
    fn start(rules: &Rules) -> Self {
        let progress = |worth: f64| {
            array::from_fn(|at| if at == Feature::Progress as usize { worth } else { 0.0 })
        };
        Self::new(rules, progress(1.0), progress(-1.0), 0.25).with_origin("set by hand")
    }

    fn read(text: &str, rules: &Rules) -> Result<Self, LocatedError> {
        let file: File = toml::from_str(text).map_err(|error| {
            LocatedError::at(text, error.span().map_or(0, |span| span.start), &error.message())
        })?;
        if file.mine.is_empty() && file.theirs.is_empty() {
            let message =
                "there is no weight: expected features of `mine` or `theirs`, each with its weight";
            return Err(LocatedError::at(text, 0, &message));
        }
        let weights = |side: &BTreeMap<Feature, Weight>| {
            array::from_fn(|at| side.get(&Feature::ALL[at]).copied().unwrap_or_default().0)
        };
        let model = Self::new(rules, weights(&file.mine), weights(&file.theirs), file.roll.0);
        Ok(model.with_origin(file.origin))
    }

    fn count(_: &Rules) -> usize {
        2 * Feature::ALL.len() + 1
    }

    #[inline]
    fn visit(rules: &Rules, position: Position, mut number: impl FnMut(usize, f32)) {
        let count = Feature::ALL.len();
        number(2 * count, 1.0);
        for (first, position) in [(0, position), (count, position.flipped())] {
            let values = Feature::of(rules, position);
            for (at, value) in values.into_iter().enumerate().filter(|(_, value)| *value != 0.0) {
                number(first + at, narrow(value));
            }
        }
    }

    fn weights(&self) -> Vec<f32> {
        let sides = self.mine.iter().chain(&self.theirs);
        sides.chain([&self.roll]).map(|&weight| narrow(weight)).collect()
    }

    fn from_weights(rules: &Rules, weights: &[f32], origin: &str) -> Self {
        let count = Feature::ALL.len();
        let side = |first: usize| array::from_fn(|at| weights[first + at].into());
        Self::new(rules, side(0), side(count), weights[2 * count].into()).with_origin(origin)
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
        Argmax(self).policy(decision)
    }
}

impl fmt::Display for Linear {
    /// Writes the text from which [`Model::read`] reads the same model.
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
