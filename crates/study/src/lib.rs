//! Studies: what agents and rule sets are worth, exactly or game by game, on all processors.
//!
//! A [`Matchup`] is the exact value of one agent against another, an [`Exploit`] that of its best response. A
//! [`Simulation`] plays two agents against each other, a [`League`] every one against every other. A [`Lab`] measures
//! what kind of game a rule set makes. [`Fit`], [`TemporalDifference`] and [`Evolution`] train players.

mod chart;
mod contestant;
mod gathered;
mod lab;
mod league;
mod lockstep;
mod match_score;
mod matchup;
mod rating;
mod simulate;
mod train;

pub use chart::{ChartError, learning_curve};
pub use contestant::Contestant;
pub use lab::figure::Figure;
pub use lab::profile::{Lab, Method, Profile};
pub use lab::scatter_plot::scatter_plot;
pub use lab::sweep::Sweep;
pub use league::{Conduct, Crosstable, League};
pub use match_score::{Interval, MatchScore};
pub use matchup::{Audit, Exploit, Matchup, Regret, SharedAgent, Shares};
pub use rating::{Anchor, Rating, ratings};
pub use simulate::{Pairing, Simulation};
pub use train::{
    Evolution, EvolutionOptions, Fit, FitOptions, Milestone, Sample, Samples, Standing,
    TemporalDifference, TemporalOptions, Trainer, duel, standing,
};
