//! What a controller says to an engine.

use std::fmt;
use std::str::FromStr;

use puabi_core::wording::excerpt;
use puabi_core::{Roll, Setup};

use crate::protocol::error::{ErrorCode, ProtocolError};
use crate::protocol::words::first_word;

/// A line that a controller says to an engine.
///
/// ```
/// use puabi_engine::protocol::Command;
/// let command: Command = "set game.variant finkel:3".parse()?;
/// assert_eq!(command.to_string(), "set game.variant finkel:3");
/// let error = "dice four".parse::<Command>().unwrap_err();
/// assert_eq!(error.to_string(), "bad_value `four` is not a roll: expected a number from 0 to 15");
/// # Ok::<(), puabi_engine::protocol::ProtocolError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Asks the engine for its name and author.
    Ubgi,
    /// Asks whether the engine is ready to play, and waits until it is.
    IsReady,
    /// Begins another game.
    NewGame,
    /// Sets the position to decide in.
    Position(Setup),
    /// Sets the roll to decide with.
    Dice(Roll),
    /// Asks for a move.
    Go,
    /// Sets the value of a key.
    Set {
        /// The key.
        key: String,
        /// Its value.
        value: String,
    },
    /// Asks for the value of a key.
    Get(String),
    /// Asks for all keys.
    Keys,
    /// Ends the engine.
    Quit,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ubgi => f.write_str("ubgi"),
            Self::IsReady => f.write_str("isready"),
            Self::NewGame => f.write_str("newgame"),
            Self::Position(setup) => write!(f, "position ur {setup}"),
            Self::Dice(roll) => write!(f, "dice {roll}"),
            Self::Go => f.write_str("go"),
            Self::Set { key, value } => write!(f, "set {key} {value}"),
            Self::Get(key) => write!(f, "get {key}"),
            Self::Keys => f.write_str("keys"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl FromStr for Command {
    type Err = ProtocolError;

    fn from_str(line: &str) -> Result<Self, ProtocolError> {
        let (word, rest) = first_word(line);
        let simple =
            |command| if rest.is_empty() { Ok(command) } else { Err(needless(word, rest)) };
        match word {
            "ubgi" => simple(Self::Ubgi),
            "isready" => simple(Self::IsReady),
            "newgame" => simple(Self::NewGame),
            "keys" => simple(Self::Keys),
            "quit" => simple(Self::Quit),
            "position" => position(rest),
            "dice" => dice(rest),
            "go" => go(rest),
            "set" => set(rest),
            "setoption" => set_option(rest),
            "get" => get(rest),
            _ => Err(ErrorCode::BadCommand.of(format!("`{}` is not a command", excerpt(word)))),
        }
    }
}

fn needless(word: &str, found: &str) -> ProtocolError {
    let found = excerpt(found);
    ErrorCode::BadCommand.of(format!("`{word}` takes nothing after it: found `{found}`"))
}

fn position(rest: &str) -> Result<Command, ProtocolError> {
    match first_word(rest) {
        ("ur", "") | ("", _) => {
            Err(ErrorCode::BadCommand.of("expected a position, as in `position ur -:-:L`"))
        }
        ("ur", text) => {
            let setup = text.parse().map_err(|error| ErrorCode::BadValue.of(error))?;
            Ok(Command::Position(setup))
        }
        (notation, _) => {
            let notation = excerpt(notation);
            Err(ErrorCode::Unsupported.of(format!("position {notation}: expected position ur")))
        }
    }
}

fn dice(rest: &str) -> Result<Command, ProtocolError> {
    if rest.split_whitespace().count() != 1 {
        return Err(ErrorCode::BadCommand.of("expected one roll, as in `dice 3`"));
    }
    let wrong = || {
        let found = excerpt(rest);
        ErrorCode::BadValue.of(format!("`{found}` is not a roll: expected a number from 0 to 15"))
    };
    Roll::read(rest).map(Command::Dice).ok_or_else(wrong)
}

fn go(rest: &str) -> Result<Command, ProtocolError> {
    match rest {
        "" | "chequer" => Ok(Command::Go),
        "cube" | "turn" => Err(ErrorCode::Unsupported.of(format!("go {rest}"))),
        _ => Err(needless("go", rest)),
    }
}

fn set(rest: &str) -> Result<Command, ProtocolError> {
    match first_word(rest) {
        (_, "") => Err(ErrorCode::BadCommand.of("expected: set <key> <value>")),
        (key, value) => Ok(Command::Set { key: key.to_owned(), value: value.to_owned() }),
    }
}

/// Reads the older form of `set`, whose names lack the part before the point.
fn set_option(rest: &str) -> Result<Command, ProtocolError> {
    let named = rest.strip_prefix("name ").and_then(|rest| rest.split_once(" value "));
    let Some((name, value)) = named.map(|(name, value)| (name.trim(), value.trim())) else {
        return Err(ErrorCode::BadCommand.of("expected: setoption name <name> value <value>"));
    };
    if name.contains(char::is_whitespace) || name.is_empty() || value.is_empty() {
        return Err(ErrorCode::BadCommand.of("expected: setoption name <name> value <value>"));
    }
    let name = name.to_ascii_lowercase();
    let key = match name.as_str() {
        whole if whole.contains('.') => name,
        "variant" => "game.variant".to_owned(),
        _ => format!("engine.{name}"),
    };
    Ok(Command::Set { key, value: value.to_owned() })
}

fn get(rest: &str) -> Result<Command, ProtocolError> {
    match first_word(rest) {
        ("", _) => Err(ErrorCode::BadCommand.of("expected: get <key>")),
        (key, "") => Ok(Command::Get(key.to_owned())),
        (_, found) => Err(needless("get", found)),
    }
}
