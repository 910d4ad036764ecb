//! Learning: by evolution, by temporal difference, and by fitting to exact values.
//!
//! [`Fit`] and [`TemporalDifference`] change the weights of a [`Model`](puabi_engine::Model); [`Evolution`] breeds brains. All
//! three are [`Trainer`]s: they go on step by step, can be kept between any two steps, and give the same result for any number of
//! threads. [`standing`] measures the strength of what they have learnt.

mod adam;
mod descent;
mod duel;
mod evaluation;
mod evolution;
mod fit;
mod log_odds;
mod net;
mod samples;
mod temporal;
mod trainer;

pub use duel::duel;
pub use evaluation::{Standing, standing};
pub use evolution::{Evolution, EvolutionOptions};
pub use fit::{Fit, FitOptions};
pub use net::{NetFit, NetOptions};
pub use samples::{Sample, Samples};
pub use temporal::{TemporalDifference, TemporalOptions};
pub use trainer::{Milestone, Trainer};
