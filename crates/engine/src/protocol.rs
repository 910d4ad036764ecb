//! The engine protocol: the lines that a controller says to an engine, and the lines that the engine answers.
//!
//! The grammar is that of UBGI 0.2, the interface of backgammon engines, with positions, rolls and moves of this game.
//! `docs/protocol.md` describes it.

mod command;
mod engine;
mod error;
mod reply;
mod words;

pub use command::Command;
pub use engine::{ProtocolEngine, Reaction, ReadRules, ReadyAgent};
pub use error::{ErrorCode, ProtocolError};
pub use reply::{Reply, ReplyError};
