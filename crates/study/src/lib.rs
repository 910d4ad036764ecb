//! Studies: what agents and rule sets are worth, exactly or game by game, on all processors.
//!
//! A [`Matchup`] is the exact value of one agent against another, an [`Exploit`] that of its best response. A [`Simulation`]
//! plays two agents against each other, a [`League`] plays every agent against every other. A [`Lab`] measures what kind of game
//! a rule set makes, a [`Book`] has the choices that perfect players meet first. [`Engines`] are other programs as players.
//! [`Fit`], [`TemporalDifference`] and [`Evolution`] train players.

mod book;
mod chart;
mod decision_list;
mod games;
mod lab;
mod matchup;
mod move_measure;
mod outside;
mod pocket;
mod train;

pub use book::{Book, Choice};
pub use chart::{ChartError, learning_curve};
pub use decision_list::{DecisionList, ListRule, Worth};
pub use games::adjusted::Adjusted;
pub use games::contestant::Contestant;
pub use games::league::{Crosstable, League, SelfPlayReport};
pub use games::match_score::{Interval, MatchScore};
pub use games::rating::{Anchor, Rating, ratings};
pub use games::sharing::map_among;
pub use games::simulate::{Keep, Pairing, Simulation};
pub use lab::figure::Figure;
pub use lab::lengths::Lengths;
pub use lab::openings::{Opening, OpeningValue};
pub use lab::perfect::PerfectPlay;
pub use lab::profile::{Lab, Method, Profile};
pub use lab::scatter_plot::scatter_plot;
pub use lab::variations::Variations;
pub use matchup::{Audit, Exploit, Matchup, Regret, SharedAgent, Shares};
pub use outside::{EngineError, Engines};
pub use pocket::{Flow, Played, PocketBuildError, PocketBuilder, PocketGoal, PocketModel, ribbon};
pub use train::{
    Evolution, EvolutionOptions, Fit, FitOptions, Milestone, NetFit, NetOptions, Sample, Samples,
    Standing, TemporalDifference, TemporalOptions, Trainer, duel, standing,
};
