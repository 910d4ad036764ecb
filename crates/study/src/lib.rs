//! Studies: what agents and rule sets are worth, exactly or game by game, on all processors.
//!
//! A [`Matchup`] is the exact value of one agent against another, an [`Exploit`] that of its best response. A
//! [`Simulation`] plays two agents against each other, a [`League`] every one against every other. A [`Lab`] measures
//! what kind of game a rule set makes. [`Fit`], [`TemporalDifference`] and [`Evolution`] train players.

mod contestant;
mod flight;
mod lab;
mod league;
mod matchup;
mod rating;
mod simulate;
mod tally;
mod train;

pub use contestant::Contestant;
pub use lab::figure::Figure;
pub use lab::profile::{Lab, Method, Profile};
pub use lab::scatter::Scatter;
pub use lab::sweep::Sweep;
pub use league::{Conduct, Crosstable, League};
pub use matchup::{Audit, Exploit, Matchup, Regret, Responder, SharedAgent, Shares};
pub use rating::{Anchor, Rating, ratings};
pub use simulate::{Pairing, Simulation};
pub use tally::{Interval, Tally};
pub use train::{
    AgainstExact, Basis, Chart, ChartError, Chooser, Course, Evolution, EvolutionOptions, Exercise,
    Exercises, Fit, FitOptions, Learner, Milestone, Named, Pairs, Standing, TemporalDifference,
    TemporalOptions, Yardstick, duel,
};
