//! Trainers: learning that goes on step by step.

use puabi_engine::Model;
use serde::{Deserialize, Serialize};

use super::evaluation::Standing;

/// Learning that goes on step by step, and that can be kept between any two steps.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Brain, Model};
/// use puabi_study::{Trainer, Evolution, EvolutionOptions};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let options = EvolutionOptions { population: 4, games: 4, ..EvolutionOptions::default() };
/// let start = Brain::start(&rules);
/// let mut trainer = Evolution::new(&rules, &start, options);
/// trainer.step();
/// let kept = trainer.keep()?;
/// trainer.step();
/// let mut resumed = Evolution::new(&rules, &start, options);
/// resumed.resume(&kept)?;
/// resumed.step();
/// assert_eq!(resumed.player(), trainer.player());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Trainer {
    /// The player that plays with the learnt weights.
    type Player: Model;

    /// Returns the number of steps done.
    fn done(&self) -> u64;

    /// Does one step.
    fn step(&mut self);

    /// Returns the player with the weights learnt so far.
    fn player(&self) -> Self::Player;

    /// Returns the whole state that the next step depends on, as text.
    ///
    /// # Errors
    ///
    /// Returns an error if the state cannot be written.
    fn keep(&self) -> serde_json::Result<String>;

    /// Restores the state and the options that [`Trainer::keep`] returned.
    ///
    /// # Errors
    ///
    /// Returns an error if the text does not come from a trainer of this kind and size; the trainer stays as before.
    fn resume(&mut self, kept: &str) -> serde_json::Result<()>;
}

/// The strength of a trainer's player after some steps.
///
/// ```
/// use puabi_study::{Milestone, Standing};
/// let milestone = Milestone { step: 10, strength: Standing { regret: 0.004, wins: 0.42 } };
/// assert_eq!(milestone.step, 10);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Milestone {
    /// Steps done.
    pub step: u64,
    /// The strength after them.
    pub strength: Standing,
}

/// Returns an error if a kept state has another number of weights than these rules ask for.
pub(super) fn ensure_size(found: usize, expected: usize) -> serde_json::Result<()> {
    let error = || {
        let text = format!("the kept state has {found} weights: these rules need {expected}");
        <serde_json::Error as serde::de::Error>::custom(text)
    };
    if found == expected { Ok(()) } else { Err(error()) }
}
