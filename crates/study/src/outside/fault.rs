//! What an outside engine does wrong.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use puabi_core::Move;
use puabi_core::wording::excerpt;
use puabi_engine::protocol::{ProtocolError, ReplyError};

/// What an outside engine does wrong.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("it cannot be started: {0}")]
    Start(io::Error),
    #[error("it ended{}", .0.map(|status| format!(" ({status})")).unwrap_or_default())]
    Ended(Option<ExitStatus>),
    #[error("no answer within {} s to `{asked}`", .limit.as_secs_f64())]
    Silent { limit: Duration, asked: String },
    #[error("a line of its answer is longer than {0} bytes")]
    Endless(u64),
    #[error(transparent)]
    Nonsense(#[from] ReplyError),
    #[error("it answers `{said}`: expected {expected}")]
    Unexpected { said: String, expected: &'static str },
    #[error("it says `{0}` before it is asked")]
    Unasked(String),
    #[error("it does not read what it is told")]
    Deaf,
    #[error("it refuses `{asked}`: {error}")]
    Refuses { asked: String, error: ProtocolError },
    #[error("`{action}` is not a legal move after `{asked}`")]
    Illegal { action: Move, asked: String },
}

impl Fault {
    /// Returns the fault of an answer that is not the expected one.
    pub(super) fn unexpected(said: &str, expected: &'static str) -> Self {
        Self::Unexpected { said: excerpt(said).into_owned(), expected }
    }
}
