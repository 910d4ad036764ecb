//! Exact values: every position's chance to win under best play, and the certificate of these values.
//!
//! A value is the mean over the rolls of the best move's value, which makes one equation for each position. [`Solver`] sweeps
//! over the positions, backs each up from the values one ply on, and does so until nothing changes. Scores and pieces on the last
//! private squares only ever advance, so positions fall into *sublayers*: moves lead from one to another in one direction only.
//! Each sublayer is swept to its fixed point after those that it leads to:
//!
//! ```text
//!  sublayers, the last first        one sublayer: slabs, one for each shared mask of the junior
//!
//!   0-0 ─> 0-1 ─> 1-1 ─> ...        junior   slab  ┌───────┬───────┬───────┐  level by level:
//!             └─> 0-2 ─> ...        furthest   0   │ block │ block │ block │  the junior's moves
//!                   │                          1   ├───────┼───────┼───────┤  lead up, so do its
//!   solved already  │                          2   │ block │ ...   │       │  captures; only the
//!   └─ external ────┘               in hand    3   └───────┴───────┴───────┘  senior's lead down
//!      successors                                   senior furthest ─> in hand
//!
//!  one block: a configuration of the shared squares      one sweep of a block
//!
//!            slots: the senior's pre squares              1 read the inputs: blocks that shared
//!  rows:     ┌──┬──┬──┬──┬──┬──┬──┬──┐                      moves, entries and captures lead to
//!  the       │  │  │  │  │  │  │  │  │ one vector         2 reduce them to the best by throw
//!  junior's  ├──┼──┼──┼──┼──┼──┼──┼──┤                    3 row by row: add moves of pre pieces,
//!  pre       │  │  │  │  │  │  │  │  │                      sum the rolls, solve the pass pair
//!  squares   └──┴──┴──┴──┴──┴──┴──┴──┘                    4 note whether anything changed
//! ```
//!
//! Each board has two values, one with each side about to roll. Both are the *senior's* chance to win: the senior is the side
//! further on in the game. Every fourth sweep extrapolates the values. The dense engine sweeps in single precision first. A last
//! pass over the final values measures the largest difference between a value and its backup. The dense engine makes this pass at
//! the end of the solve. The general engine, and solves by several ranks, make it as soon as a sublayer is settled.
//!
//! Where to start reading: `solver` is the entry point. `drive` decides which sublayer is swept when, and when to stop. It works
//! with two engines: `dense` is the one in the picture, for one piece a square; `general` takes any rules. In `dense`, read
//! `engine` first, then `layout` (where values are stored), `successors` (what leads where) and `backup` (steps 1 to 3). `policy`
//! computes the values of games between given players. `docs/method.md` has the mathematics.
//!
//! Without the feature `threads`, all work runs on the caller's thread, in memory from the allocator.

mod bounds;
mod cube;
mod dense;
mod drive;
mod general;
mod memory;
mod mover;
mod offer;
mod offers;
mod parallel;
mod plan;
mod policy;
mod simd;
mod solver;
mod types;
mod values;

// The threads that stand for ranks in tests. The integration tests share this file, so it imports the crate by its name.
#[cfg(test)]
extern crate self as puabi_solve;
#[cfg(test)]
#[path = "../tests/it/threads.rs"]
mod threads;

pub use bounds::{HoldBounds, SeeBounds, bound};
pub use cube::{CubeLevel, MatchTable, MoneyValues, ScoreValues};
pub use drive::exchange::{Alone, Exchange, Packets, Traffic};
pub use memory::prefetch::prefetch;
#[cfg(feature = "threads")]
pub use memory::spill::Rooms;
pub use memory::spill::Store;
pub use offer::{Offer, OfferReport};
pub use parallel::{PoolError, on_threads};
pub use plan::spread::RankPlan;
pub use policy::{ContestReport, Evaluation, GameLength, Measure, Outcome, Seat, WinChance};
pub use simd::select::{InstructionSet, InstructionSetError};
pub use solver::{Solver, certify};
pub use types::{
    Bounds, Certificate, Checkpoint, Facts, Options, PartWatch, Plan, Report, SolveError, Sweep,
    Unattended, Watch,
};
pub use values::{Held, Values};
