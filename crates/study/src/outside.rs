//! Outside engines: other programs as agents, by the engine protocol.
//!
//! An engine may end, hang, or answer nonsense. Whatever it does, it is asked on a thread that waits for a limited time
//! only; then it gives the game up, with a reason and a log that tell what happened, and another process of it plays on.

mod connection;
mod engines;
mod fault;
mod journal;
mod process;

pub use engines::{EngineError, Engines};
