//! The Royal Game of Ur itself: rules as data, positions, moves, a perfect index and notation.
//!
//! A [`RuleSet`] is plain data, from a preset or a file. [`RuleSet::compile`] checks it and gives [`Rules`], from which
//! everything follows: a [`Position`] and a [`Roll`] make a [`Decision`], whose moves lead to [`Afterstate`]s.
//! Positions are seen by the player about to roll; colours exist in texts ([`Setup`]) and on boards only.
//!
//! ```
//! use puabi_core::{Afterstate, Move, Roll, RuleSet, Setup};
//!
//! let rules = RuleSet::FINKEL.compile()?;
//! let setup: Setup = "4,8:5,9:L1".parse()?;
//! let decision = rules.decision(rules.position(&setup)?, Roll::new(1));
//! let capture: Move = "8-9".parse()?;
//! assert!(decision.captures(capture).is_some());
//! assert!(matches!(decision.play(capture)?, Afterstate::TurnPasses(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod board;
mod eval;
mod index;
mod play;
mod position;
mod record;
mod rules;
mod stakes;
mod text;

pub use board::player::Player;
pub use board::route::Route;
pub use board::squares::{Square, Squares};
pub use board::tile::{Tile, TileError, TileNames};
pub use board::tile_kind::TileKind;
pub use board::{Board, BoardError};
pub use eval::{Agent, Evaluator, Forfeit, Policy};
pub use index::pre_index::PreIndex;
pub use index::sublayer::Sublayer;
pub use index::zones::{SideState, Zones};
pub use index::{Indexer, RankParts, TooManyPositions};
pub use play::action::{Move, MoveError, Moves};
pub use play::afterstate::Afterstate;
pub use play::decision::{Decision, IllegalMove};
pub use play::game::{Game, GameError, Ply};
pub use play::perft::{MAX_PERFT_DEPTH, perft, perft_from};
pub use position::error::PositionError;
pub use position::setup::{Setup, SetupError, SideSetup, Stack};
pub use position::{Position, Side};
pub use record::Record;
pub use record::double::{Double, DoubleError};
pub use record::note::{AbandonReason, Ending, EndingError, Note, Tags};
pub use record::problem::HeaderError;
pub use rules::Rules;
pub use rules::dice::{Dice, DiceError, Roll};
pub use rules::error::RuleError;
pub use rules::rule_set::{Path, PresetError, RuleSet};
pub use rules::stacking::{DeadPosition, StackOrder, Stacks, Turning, TurnsOn};
pub use rules::way_of_play::Chapter;
pub use stakes::away::{Away, AwayError};
pub use stakes::cube::{Cube, CubeError};
pub use stakes::evaluator::CubeEvaluator;
pub use stakes::seat::CubeSeat;
pub use stakes::{Stakes, StakesError};
pub use text::located::{LocatedError, RecordError, RuleFileError};
pub use text::picture::{Charset, Ink, Look, Patch, Picture};
pub use text::{ascii, wording};
