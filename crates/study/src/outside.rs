//! Outside engines: other programs as agents, by the engine protocol.
//!
//! An engine may end, hang, or answer nonsense. Whatever it does, the thread that asks it waits for a limited time only. Then the
//! engine gives the game up, with a reason and a log that say what happened, and another process of it plays on.

mod connection;
mod engine_log;
mod engines;
mod fault;
mod process;

pub use engines::{EngineError, Engines};
