//! Where results and messages go: results to stdout, messages to stderr.

pub(crate) mod asking;
pub(crate) mod machine;
pub(crate) mod text;

pub(crate) use machine::{Cost, Start};

use std::env;
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use ratatui::crossterm::terminal::size;
use serde::Serialize;

/// Stdout, where results go; it takes colours only if it is a terminal.
///
/// Once the reader of a pipe has gone, as `head` does, further output is dropped: the command does the rest of its work and has
/// its own exit code.
#[derive(Debug)]
pub struct Out(Option<anstream::Stdout>);

impl Default for Out {
    fn default() -> Self {
        Self::new()
    }
}

impl Out {
    /// Returns stdout, or an output that drops everything if this process is silent.
    pub fn new() -> Self {
        Self((!is_silent()).then(anstream::stdout))
    }

    /// Returns whether output is still written and not dropped.
    pub(crate) const fn is_read(&self) -> bool {
        self.0.is_some()
    }

    fn write(&mut self, write: impl FnOnce(&mut anstream::Stdout) -> io::Result<()>) -> Result<()> {
        let Some(out) = &mut self.0 else { return Ok(()) };
        match write(out) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.0 = None;
                Ok(())
            }
            written => Ok(written?),
        }
    }

    /// Prints text; `write!` and `writeln!` call it.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written, as on a full disk.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<()> {
        self.write(|out| out.write_fmt(text))
    }

    /// Prints `bytes` as they are: data lose nothing that looks like a colour.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(|_| io::stdout().write_all(bytes))
    }

    /// Prints a report as text, or as JSON if the user wants that.
    pub(crate) fn print(&mut self, report: &(impl Serialize + Display), json: bool) -> Result<()> {
        if json { self.json(report) } else { write!(self, "{report}") }
    }

    /// Prints `value` as a line of JSON; each number has the shortest digits that read back equal.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<()> {
        // The text is made first, so that an error does not leave half a line.
        self.bytes(format!("{}\n", serde_json::to_string(value)?).as_bytes())
    }

    /// Writes out what was printed so far.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written, as on a full disk.
    pub fn flush(&mut self) -> Result<()> {
        self.write(Write::flush)
    }
}

static IS_SILENT: AtomicBool = AtomicBool::new(false);

/// Makes this process silent from now on: if several processes share a command, one prints for all of them.
pub fn silence() {
    IS_SILENT.store(true, Ordering::Relaxed);
}

/// Returns whether this process prints nothing.
pub(crate) fn is_silent() -> bool {
    IS_SILENT.load(Ordering::Relaxed)
}

/// Writes the log of a server to stderr. Once the reader of stderr has gone, the log is dropped.
pub(crate) fn log_to_stderr() {
    let log = tracing_subscriber::fmt().with_ansi(false).without_time();
    // A failure to log would itself be printed to stderr, which panics.
    log.log_internal_errors(false).with_writer(io::stderr).init();
}

/// Writes a status line to stderr, unless this process is silent. At a terminal, a long line is broken between words.
pub fn status(line: impl Display) {
    if is_silent() {
        return;
    }
    let mut line = line.to_string();
    if io::stderr().is_terminal() {
        line = wrapped(&line);
    }
    // If stderr is closed, there is nowhere left to report that.
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "{line}");
}

/// Returns sentences in lines that fit into the terminal, as far as their words allow.
pub(crate) fn wrapped(text: &str) -> String {
    let options = textwrap::Options::new(columns()).break_words(false);
    textwrap::fill(text, options.word_splitter(textwrap::WordSplitter::NoHyphenation))
}

/// Returns the width for text, from 40 to 100 columns, which is still easy to read: that of the terminal, or else `COLUMNS`, or
/// else 80.
pub(crate) fn columns() -> usize {
    let named = || env::var("COLUMNS").ok()?.parse().ok();
    let seen = || size().ok().map(|(columns, _)| columns.into());
    let columns = if io::stdout().is_terminal() { seen().or_else(named) } else { named() };
    columns.unwrap_or(80).clamp(40, 100)
}
