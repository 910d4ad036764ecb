//! Learning: by evolution, by temporal difference, and by fitting to exact values.
//!
//! A [`Basis`] sees a position as numbers, and a [`Learner`] has a weight for each: [`Pairs`] make a
//! [`Brain`](puabi_engine::Brain) of them, [`Named`] a [`Linear`](puabi_engine::Linear) model. [`Fit`] and [`TemporalDifference`]
//! teach a learner; [`Evolution`] breeds brains. All three are [`Trainer`]s: they go on step by step, can be kept between
//! any two steps, and come to the same result for any number of threads. [`AgainstExact`] measures the strength of
//! what they have learnt.

mod adam;
mod basis;
mod descent;
mod duel;
mod evaluation;
mod evolution;
mod fit;
mod learner;
mod log_odds;
mod samples;
mod temporal;
mod trainer;

pub use basis::{Basis, Named, Pairs};
pub use duel::{Chooser, duel};
pub use evaluation::{AgainstExact, Standing};
pub use evolution::{Evolution, EvolutionOptions};
pub use fit::{Fit, FitOptions};
pub use learner::Learner;
pub use samples::{Sample, Samples};
pub use temporal::{TemporalDifference, TemporalOptions};
pub use trainer::{Milestone, Trainer};
