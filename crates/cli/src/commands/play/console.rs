//! Questions and answers in lines of text.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Result;

/// The commands of every prompt.
pub(super) const HELP: &str = "  h  hint: what every move is worth, best first
  v  value: each player's chance to win
  u  undo: back to your decision before this one
  s  save the game; `s FILE` saves it there
  q  quit
  ?  this help";

/// A line that the user typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// Asks for the values of the moves.
    Hint,
    /// Asks for the value of the position.
    Value,
    /// Takes a move back.
    Undo,
    /// Saves the game, perhaps to another file.
    Save(Option<PathBuf>),
    /// Ends the game.
    Quit,
    /// Asks for help.
    Help,
    /// Any other text.
    Text(String),
    /// The end of the input.
    End,
}

/// The input and output of a game in lines of text.
pub(super) struct Console<'a> {
    input: Box<dyn BufRead + 'a>,
    out: &'a mut dyn Write,
    echoes: bool,
}

impl<'a> Console<'a> {
    /// Returns the console of `input` and `out`, which echoes the input unless it comes from a keyboard.
    pub(super) fn new(input: impl BufRead + 'a, out: &'a mut dyn Write) -> Self {
        Self { input: Box::new(input), out, echoes: !io::stdin().is_terminal() }
    }

    /// Returns the output.
    pub(super) fn out(&mut self) -> &mut dyn Write {
        self.out
    }

    /// Writes a line.
    pub(super) fn say(&mut self, line: impl Display) -> Result<()> {
        Ok(writeln!(self.out, "{line}")?)
    }

    /// Asks `question` and returns the answer.
    pub(super) fn ask(&mut self, question: &str) -> Result<Line> {
        write!(self.out, "{question} > ")?;
        self.out.flush()?;
        // A line that is not UTF-8 is an answer like any other, not an error.
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
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
