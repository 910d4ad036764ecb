//! Players and judgement: agents that choose moves, seeded dice, and decisions seen through an evaluator.
//!
//! An [`Agent`](puabi_core::Agent) gives a distribution over the legal moves of a decision. [`AgentSpec`] reads one from
//! text and builds it: rules of thumb ([`Greedy`], [`Principles`], [`Levelled`]), searches ([`Expectimax`], [`Likely`])
//! over any [`Evaluator`](puabi_core::Evaluator), and players by the values of a solved game ([`Perfect`], [`Softmax`]).
//!
//! [`judge`] tells what each move is worth, [`Answer`] all there is to know of a position. A [`DiceRng`] throws dice
//! and lets agents choose, the same for ever for one seed.
//!
//! ```
//! use puabi_core::RuleSet;
//! use puabi_engine::{Greedy, DiceRng};
//!
//! let rules = RuleSet::FINKEL.compile()?;
//! let mut thrower = DiceRng::new(7);
//! let decision = rules.decision(rules.start(), thrower.throw(rules.rule_set().dice));
//! let action = thrower.choose(&decision, &Greedy);
//! assert!(decision.moves().contains(&action));
//! # Ok::<(), puabi_core::RuleError>(())
//! ```

mod agents;
mod analysis;
mod models;
mod play;
mod serial;

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
pub use analysis::answer::{Answer, MoveAnswer, RollAnswer};
pub use analysis::move_values::{Judged, Judgement, MOVES, best, judge};
pub use analysis::review::{
    Class, Classes, Estimate, Judge, Kind, Leak, Lookahead, Phase, PlayedGame, PlayerReport,
    PlyReview, Reason, Review, Strength, Totals,
};
pub use models::brain::{Brain, BrainError, Grid};
pub use models::features::Feature;
pub use models::linear::{Linear, LinearError};
pub use play::dice::DiceRng;
pub use play::playout::{Ending, Playout};
pub use play::seat::{Seat, SeatError};
pub use play::session::Sitting;
pub use serial::Pair;
