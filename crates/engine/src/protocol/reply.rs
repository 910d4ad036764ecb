//! What an engine answers to a controller.

use std::fmt;
use std::str::FromStr;

use puabi_core::Move;
use puabi_core::wording::excerpt;

use crate::protocol::error::{ErrorCode, ProtocolError};
use crate::protocol::words::first_word;

/// A line that an engine answers.
///
/// ```
/// use puabi_engine::protocol::Reply;
/// let reply: Reply = "bestmove 8-9".parse()?;
/// assert_eq!(reply, Reply::BestMove("8-9".parse()?));
/// assert!("hello".parse::<Reply>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The end of the answer to `ubgi`.
    UbgiOk,
    /// The engine is ready.
    ReadyOk,
    /// The move that it plays.
    BestMove(Move),
    /// An error line: the engine cannot do what the controller said.
    Error(ProtocolError),
    /// Any other information: a line that begins with `id`, `proto`, `key`, `value` or `info`.
    Information(String),
}

/// The first words of lines that give information.
const INFORMATION_WORDS: [&str; 5] = ["id", "proto", "key", "value", "info"];

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UbgiOk => f.write_str("ubgiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::BestMove(action) => write!(f, "bestmove {action}"),
            Self::Error(error) => write!(f, "error {error}"),
            Self::Information(line) => f.write_str(line),
        }
    }
}

impl FromStr for Reply {
    type Err = ReplyError;

    fn from_str(line: &str) -> Result<Self, ReplyError> {
        let found = || ReplyError { found: excerpt(line.trim()).into_owned() };
        match first_word(line) {
            ("ubgiok", "") => Ok(Self::UbgiOk),
            ("readyok", "") => Ok(Self::ReadyOk),
            ("bestmove", action) => action.parse().map(Self::BestMove).map_err(|_| found()),
            ("error", rest) => {
                let (code, detail) = first_word(rest);
                let code = ErrorCode::named(code).ok_or_else(found)?;
                Ok(Self::Error(code.of(detail)))
            }
            (word, _) if INFORMATION_WORDS.contains(&word) => {
                Ok(Self::Information(line.trim().to_owned()))
            }
            _ => Err(found()),
        }
    }
}

/// The error of a line that is not an answer of an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{found}` is not an answer: expected bestmove with a move, readyok, ubgiok, info, id, proto, key, value or error"
)]
pub struct ReplyError {
    found: String,
}
