//! Players and analysis: agents that choose moves, seeded dice, games, and the values of moves.
//!
//! An [`Agent`](puabi_core::Agent) gives a distribution over the legal moves of a decision. [`AgentSpec`] reads one from
//! text and builds it: rules of thumb ([`Greedy`], [`Principles`], [`LevelPlayer`]), searches ([`Expectimax`], [`Likely`])
//! over any [`Evaluator`](puabi_core::Evaluator), and players by the values of a solved game ([`Argmax`], [`Softmax`]).
//!
//! [`move_values`] returns the value of each move of a decision, and an [`Answer`] has the values of all rolls of a position. A
//! [`DiceRng`] throws dice and lets agents choose; one seed gives the same results for ever.
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
mod pocket;
pub mod protocol;
mod serial;

pub use agents::error::{AgentSpecError, BuildError};
pub use agents::ladder::LadderError;
pub use agents::leaf::{ReadFile, model};
pub use agents::registry::{BoxedAgent, SharedEvaluator};
pub use agents::roster::{Roster, RosterError};
pub use agents::search::expectimax::Expectimax;
pub use agents::search::leaves::{Material, Pips};
pub use agents::search::likely::Likely;
pub use agents::spec::AgentSpec;
pub use agents::thumb::exposure::capture_chance;
pub use agents::thumb::levels::{Level, LevelError, LevelPlayer, Manner};
pub use agents::thumb::principles::{Principle, Principles};
pub use agents::thumb::simple::{FirstMove, Greedy, LastMove, Random};
pub use agents::thumb::unfit::UnfitError;
pub use agents::valued::{Accuracy, Argmax, Epsilon, Softmax, Worst};
pub use analysis::answer::{Answer, MoveAnswer, RollAnswer};
pub use analysis::cube::{CubeAction, CubeAnswer, CubeChoice, DoubleAnswer, best_with_cube};
pub use analysis::cube_review::{CubeError, CubeErrorKind, CubeErrors, CubeReview};
pub use analysis::length::perfect_length;
pub use analysis::move_values::{MAX_MOVES, MoveValue, MoveValues, best, move_values};
pub use analysis::review::{
    Class, Classes, Estimate, Kind, KnownError, Leak, Lookahead, Phase, PlayedGame, PlayerReport,
    PlyReview, Reason, Review, Strength, Totals, ValueSource,
};
pub use models::brain::{AbsoluteBrain, Brain, Grid};
pub use models::features::Feature;
pub use models::linear::Linear;
pub use models::model::Model;
pub use models::net::{ActiveInputs, Gradient, Hidden, Inputs, Layers, Net, NetError, Shape};
pub use play::dice::DiceRng;
pub use play::doubling::CubeJudge;
pub use play::playout::{GameEnd, GameState, Playout};
pub use play::seat::{Seat, SeatError};
pub use play::session::Session;
pub use pocket::{
    CLASSES, Challenge, Equation, NEVER, Pocket, PocketError, PocketFacts, PocketParts, RankedMove,
    Ribbon, Shard, backed_up, challenges, ranked,
};
pub use serial::Pair;
