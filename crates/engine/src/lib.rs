//! Players and judgement: agents that choose moves, seeded dice, and decisions seen through an evaluator.
//!
//! An [`Agent`](puabi_core::Agent) gives a distribution over the legal moves of a decision. [`AgentSpec`] reads one from
//! text and builds it: rules of thumb ([`Greedy`], [`Principles`], [`Levelled`]), searches ([`Expectimax`], [`Likely`])
//! over any [`Evaluator`](puabi_core::Evaluator), and players by the values of a solved game ([`Perfect`], [`Softmax`]).
//! A [`Simulation`] plays two of them against each other, a [`League`] every one against every other.
//!
//! [`judge`] tells what each move is worth, [`Answer`] all there is to know of a position. A [`Thrower`] throws dice
//! and lets agents choose, the same for ever for one seed.
//!
//! ```
//! use puabi_core::RuleSet;
//! use puabi_engine::{Greedy, Thrower};
//!
//! let rules = RuleSet::FINKEL.compile()?;
//! let mut thrower = Thrower::new(7);
//! let decision = rules.decision(rules.start(), thrower.throw(rules.rule_set().dice));
//! let action = thrower.choose(&decision, &Greedy);
//! assert!(decision.moves().contains(&action));
//! # Ok::<(), puabi_core::RuleError>(())
//! ```

mod agents;
mod answer;
mod arena;
mod judgement;
mod lab;
mod learning;
mod review;
mod seat;
mod serial;
mod sitting;
mod thrower;

pub use agents::build::{BoxedAgent, BuildError, SharedEvaluator};
pub use agents::difficulty::Difficulty;
pub use agents::expectimax::Expectimax;
pub use agents::exposure::capture_chance;
pub use agents::ladder::LadderError;
pub use agents::leaves::{Material, Pips};
pub use agents::levels::{Level, LevelError, Levelled, Manner};
pub use agents::likely::Likely;
pub use agents::principles::{Principle, PrincipleError, Principles};
pub use agents::roster::{Roster, RosterError};
pub use agents::simple::{FirstMove, Greedy, LastMove, Random};
pub use agents::spec::{AgentSpec, AgentSpecError};
pub use agents::valued::{Accuracy, Epsilon, Perfect, Softmax, Worst};
pub use answer::{Answer, MoveAnswer, RollAnswer};
pub use arena::bout::Contestant;
pub use arena::league::{Conduct, Crosstable, League};
pub use arena::matchup::{Audit, Exploit, Matchup, Regret, Responder, SharedAgent, Shares};
pub use arena::rating::{Anchor, Rating, ratings};
pub use arena::simulation::{Pairing, Simulation};
pub use arena::tally::{Interval, Tally};
pub use judgement::{Judged, Judgement, judge};
pub use lab::figure::Figure;
pub use lab::profile::{Lab, Method, Profile};
pub use lab::scatter::Scatter;
pub use lab::sweep::Sweep;
pub use learning::brain::{Brain, BrainError, Grid};
pub use learning::features::Feature;
pub use learning::linear::{Linear, LinearError};
pub use learning::training::{
    AgainstExact, Basis, Chart, ChartError, Chooser, Course, Evolution, EvolutionOptions, Exercise,
    Exercises, Fit, FitOptions, Learner, Milestone, Named, Pairs, Standing, TemporalDifference,
    TemporalOptions, Yardstick, duel,
};
pub use review::{
    Class, Classes, Estimate, Graph, Judge, Kind, Leak, Lookahead, Page, Phase, PlayedGame,
    PlayerPage, PlayerReport, PlyReview, Reason, Review, Strength, Totals,
};
pub use seat::{Seat, SeatError};
pub use serial::Pair;
pub use sitting::Sitting;
pub use thrower::Thrower;
