//! Players and judgement: agents that choose moves, seeded dice, and decisions seen through an evaluator.
//!
//! An [`Agent`](puabi_core::Agent) gives a distribution over the legal moves of a decision. [`Perfect`] plays the best
//! move by any [`Evaluator`](puabi_core::Evaluator), [`Greedy`] and [`Random`] need none. [`judge`] tells what each
//! move is worth, [`Answer`] all there is to know of a position. A [`Thrower`] throws dice and draws from policies, the
//! same for ever for one seed.
//!
//! ```
//! use puabi_core::{Agent, RuleSet};
//! use puabi_engine::{Greedy, Thrower};
//!
//! let rules = RuleSet::FINKEL.compile()?;
//! let mut thrower = Thrower::new(7);
//! let decision = rules.decision(rules.start(), thrower.throw(rules.rule_set().dice));
//! let action = thrower.draw(&decision, &Greedy.policy(&decision));
//! assert!(decision.moves().contains(&action));
//! # Ok::<(), puabi_core::RuleError>(())
//! ```

mod agents;
mod answer;
mod judgement;
mod spec;
mod thrower;

pub use agents::{Greedy, Perfect, Random};
pub use answer::{Answer, MoveAnswer, RollAnswer};
pub use judgement::{Judged, judge};
pub use spec::{AgentSpec, AgentSpecError};
pub use thrower::Thrower;
