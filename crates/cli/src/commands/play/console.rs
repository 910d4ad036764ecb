//! Questions and answers in lines of text.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};

use crate::output::Out;

use anyhow::Result;

/// The input and output of a game in lines of text.
pub(super) struct Console<'a> {
    input: Box<dyn BufRead + 'a>,
    out: &'a mut Out,
    echoes: bool,
}

impl<'a> Console<'a> {
    /// Returns the console of `input` and `out`, which echoes the input unless it comes from a keyboard.
    pub(super) fn new(input: impl BufRead + 'a, out: &'a mut Out) -> Self {
        Self { input: Box::new(input), out, echoes: !io::stdin().is_terminal() }
    }

    /// Returns the output.
    pub(super) fn out(&mut self) -> &mut Out {
        self.out
    }

    /// Writes a line.
    pub(super) fn say(&mut self, line: impl Display) -> Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Asks `question` and returns the answer, or `None` at the end of the input.
    pub(super) fn ask(&mut self, question: &str) -> Result<Option<String>> {
        write!(self.out, "{question} > ")?;
        self.out.flush()?;
        // A line that is not UTF-8 is an answer like any other, not an error.
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            writeln!(self.out)?;
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        if self.echoes {
            writeln!(self.out, "{text}")?;
        }
        Ok(Some(text))
    }
}
