//! Makes pockets: finds what a net gets wrong, how much each error costs, and which errors a file should correct.
//!
//! [`PocketBuilder`] takes the values of a solved game and a net. It finds how often perfect players meet each position (`flow`),
//! asks the net about the positions that follow (`leads`), lists the challenges of all decisions with what each is worth
//! (`survey`), chooses those whose worth exceeds the price of their bits (`plan`), and solves for the bits (`equations`). See
//! "The pocket" in `docs/method.md`.

mod builder;
mod equations;
mod flow;
mod leads;
mod plan;
mod survey;

pub use builder::{PocketBuildError, PocketBuilder, PocketGoal};
pub use equations::ribbon;
pub use flow::{Flow, Played};
pub use leads::PocketModel;
