//! Where results and messages go: results to stdout, messages to stderr.

pub(crate) mod asking;
pub(crate) mod machine;
pub(crate) mod text;

pub(crate) use machine::Cost;

use std::env;
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use ratatui::crossterm::terminal::size;
use serde::Serialize;

/// Stdout, where results go; it takes colours only if it is a terminal.
#[derive(Debug)]
pub(crate) struct Out(anstream::Stdout);

impl Out {
    /// Returns stdout.
    pub(crate) fn new() -> Self {
        Self(anstream::stdout())
    }

    /// Prints text; `write!` and `writeln!` call it.
    pub(crate) fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<()> {
        Ok(self.0.write_fmt(text)?)
    }

    /// Prints `bytes` as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.0.write_all(bytes)?)
    }

    /// Prints a report as text, or as JSON if the user wants that.
    pub(crate) fn print(&mut self, report: &(impl Serialize + Display), json: bool) -> Result<()> {
        if json { self.json(report) } else { write!(self, "{report}") }
    }

    /// Prints `value` as a line of JSON; each number has the shortest digits that read back equal.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.0, value)?;
        writeln!(self)
    }

    /// Lets the reader see what was printed so far.
    pub(crate) fn flush(&mut self) -> Result<()> {
        Ok(self.0.flush()?)
    }
}

/// Writes a status line to stderr; at a terminal its edge cuts no word.
pub(crate) fn status(line: impl Display) {
    let mut line = line.to_string();
    if io::stderr().is_terminal() {
        line = told(&line);
    }
    // If stderr is closed, there is nowhere left to report that.
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "{line}");
}

/// Returns sentences in lines that fit into the terminal, as far as their words allow.
pub(crate) fn told(text: &str) -> String {
    let options = textwrap::Options::new(columns()).break_words(false);
    textwrap::fill(text, options.word_splitter(textwrap::WordSplitter::NoHyphenation))
}

/// Returns how wide text is to be: as the terminal, but no wider than is easily read; `COLUMNS` names another width.
pub(crate) fn columns() -> usize {
    let named = || env::var("COLUMNS").ok()?.parse().ok();
    let seen = || size().ok().map(|(columns, _)| columns.into());
    let columns = if io::stdout().is_terminal() { seen().or_else(named) } else { named() };
    columns.unwrap_or(80).clamp(40, 100)
}
