//! Learning: by evolution, by temporal difference, and by fitting to exact values.
//!
//! A [`Basis`] sees a position as numbers, and a [`Learner`] has a weight for each: [`Pairs`] make a
//! [`Brain`](puabi_engine::Brain) of them, [`Named`] a [`Linear`](puabi_engine::Linear) model. [`Fit`] and [`TemporalDifference`]
//! teach a learner; [`Evolution`] breeds brains. All three are [`Course`]s: they go on step by step, can be kept between
//! any two steps, and come to the same result for any number of threads. A [`Yardstick`] tells how strong what they have
//! taught is.

mod adam;
mod basis;
pub(crate) mod chart;
mod course;
mod descent;
mod duel;
mod evolution;
mod exercises;
mod fit;
mod learner;
mod temporal;
mod yardstick;

pub use basis::{Basis, Named, Pairs};
pub use chart::{Chart, ChartError};
pub use course::{Course, Milestone};
pub use duel::{Chooser, duel};
pub use evolution::{Evolution, EvolutionOptions};
pub use exercises::{Exercise, Exercises};
pub use fit::{Fit, FitOptions};
pub use learner::Learner;
pub use temporal::{TemporalDifference, TemporalOptions};
pub use yardstick::{AgainstExact, Standing, Yardstick};
