//! Makes pockets: finds what a net gets wrong, how much each error costs, and which errors a file should correct.
//!
//! [`PocketBuilder`] takes the values of a solved game and a net. It finds how often perfect players meet each position (`flow`),
//! asks the net about the positions that follow (`chance_cache`), lists the challenges of all decisions with what each is worth
//! (`survey`), chooses those whose worth exceeds the price of their bits (`plan`), and solves for the bits (`equations`). See
//! "The pocket" in `docs/method.md`.

mod builder;
mod chance_cache;
mod equations;
mod flow;
mod plan;
mod survey;

pub use builder::{PocketBuildError, PocketBuilder, PocketGoal};
pub use chance_cache::PocketModel;
pub use equations::ribbon;
pub use flow::{Flow, Played};
