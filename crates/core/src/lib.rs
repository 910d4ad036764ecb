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

pub mod ascii;
mod board;
mod contents;
mod decision;
mod dice;
mod evaluator;
mod game;
mod ground;
mod index;
mod lane;
mod order;
mod perft;
mod picture;
mod player;
mod position;
mod quote;
mod record;
mod rulefile;
mod rules;
mod ruleset;
mod setup;
mod squares;
mod stacking;
mod straight;
mod sublayer;
mod tile;
mod ways;
pub mod wording;
mod zones;

pub use board::{Board, BoardError, Route};
pub use decision::{Afterstate, Decision, IllegalMove, Move, MoveError, Moves};
pub use dice::{Dice, DiceError, Roll};
pub use evaluator::{Agent, Evaluator, Policy};
pub use game::{Game, GameError, Ply};
pub use ground::Ground;
pub use index::{Indexer, Place, TooManyPositions};
pub use lane::PreLane;
pub use perft::perft;
pub use picture::{Charset, Ink, Patch, Picture};
pub use player::Player;
pub use position::{Position, Side};
pub use record::{
    Departure, Ending, EndingError, HeaderError, Note, Record, RecordError, RecordProblem, Tags,
};
pub use rulefile::{RuleFileError, RuleFileProblem};
pub use rules::{RuleError, Rules};
pub use ruleset::{Path, PresetError, RuleSet};
pub use setup::{PositionError, Setup, SetupError, SideSetup, Stack};
pub use squares::{Square, Squares};
pub use stacking::{DeadPosition, StackOrder, Stacks, Turning, TurnsOn};
pub use sublayer::Sublayer;
pub use tile::{Tile, TileError};
pub use zones::{SideState, Zones};
