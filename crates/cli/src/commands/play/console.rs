//! Questions and answers.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Result;

/// What can be typed at every prompt.
pub(crate) const HELP: &str = "  h  hint: what every move is worth, best first
  v  value: each player's chance to win
  u  undo: back to your decision before this one
  s  save the game; `s FILE` saves it there
  q  quit
  ?  this help";

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// Asks for what the moves are worth.
    Hint,
    /// Asks for the value of the position.
    Value,
    /// Takes back.
    Undo,
    /// Saves, maybe to a file of its own.
    Save(Option<PathBuf>),
    /// Ends the game.
    Quit,
    /// Asks for help.
    Help,
    /// Anything else.
    Text(String),
    /// Nothing more will be typed.
    End,
}

/// Where the game is shown and the players type.
pub(crate) struct Console<'a> {
    input: Box<dyn BufRead + 'a>,
    out: &'a mut dyn Write,
    echoes: bool,
}

impl<'a> Console<'a> {
    /// Returns the console of `input` and `out`; what does not come from a keyboard is echoed.
    pub(crate) fn new(input: impl BufRead + 'a, out: &'a mut dyn Write) -> Self {
        Self { input: Box::new(input), out, echoes: !io::stdin().is_terminal() }
    }

    /// Returns where to write.
    pub(crate) fn out(&mut self) -> &mut dyn Write {
        self.out
    }

    /// Writes a line.
    pub(crate) fn say(&mut self, line: impl std::fmt::Display) -> Result<()> {
        Ok(writeln!(self.out, "{line}")?)
    }

    /// Asks `question` and returns what was typed.
    pub(crate) fn ask(&mut self, question: &str) -> Result<Line> {
        write!(self.out, "{question} > ")?;
        self.out.flush()?;
        let mut bytes = Vec::new();
        let count = self.input.read_until(b'\n', &mut bytes)?;
        if count == 0 {
            writeln!(self.out)?;
            return Ok(Line::End);
        }
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        if self.echoes {
            writeln!(self.out, "{text}")?;
        }
        Ok(Line::read(&text))
    }
}

impl Line {
    fn read(text: &str) -> Self {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match (word, rest.trim()) {
            ("h" | "hint", "") => Self::Hint,
            ("v" | "value", "") => Self::Value,
            ("u" | "undo", "") => Self::Undo,
            ("s" | "save", "") => Self::Save(None),
            ("s" | "save", path) => Self::Save(Some(path.into())),
            ("q" | "quit", "") => Self::Quit,
            ("?" | "help", "") => Self::Help,
            _ => Self::Text(text.to_owned()),
        }
    }
}
