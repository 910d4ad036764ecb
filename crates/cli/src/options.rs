//! Options that several commands share.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use puabi_core::RuleSet;
use puabi_engine::AgentSpec;
use puabi_solve::{InstructionSet, Options, on_threads};
use puabi_study::Engines;

use crate::progress::interrupt;
use crate::{notation, tables};

/// Reads a number of bytes: 800M, 4G, 1.5T, or a number alone.
///
/// # Errors
///
/// Returns what was expected if the text is anything else.
pub fn bytes(text: &str) -> Result<u64, String> {
    let units = [("K", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)];
    let upper = text.to_ascii_uppercase();
    let split = |(unit, bytes): (&str, f64)| Some((upper.strip_suffix(unit)?, bytes));
    let (number, unit) = units.into_iter().find_map(split).unwrap_or((&upper, 1.0));
    let bytes = number.parse().ok().map(|number: f64| number * unit);
    let bytes = bytes.filter(|bytes| (1.0..=1e18).contains(bytes));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 1e18")]
    bytes.map(|bytes| bytes as u64).ok_or_else(|| "expected a size such as 800M or 4G".to_owned())
}

/// The rule set of a record that does not name its own.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RecordRules {
    /// The rules of an RGN record that names no rules, or unknown ones; other records name theirs
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

impl RecordRules {
    /// Returns whether the user gave a rule set.
    pub(crate) const fn is_given(&self) -> bool {
        self.rules.is_some()
    }

    /// Returns the rule set, if the user gave one.
    pub(crate) fn rule_set(&self) -> Result<Option<RuleSet>> {
        self.rules.as_deref().map(notation::rule_set).transpose()
    }
}

/// The most threads: thousands of them would spend their time waiting for each other.
pub const MOST_THREADS: i64 = 1024;

/// How many threads work.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Threads {
    /// Threads to use; the result is the same for any number [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,
}

impl Threads {
    /// Returns the number of threads.
    pub(crate) fn count(self) -> usize {
        self.threads.map_or(Options::default().threads, usize::from)
    }

    /// Runs `work` on a pool of this many threads.
    pub(crate) fn run<T: Send>(self, work: impl FnOnce() -> T + Send) -> Result<T> {
        Ok(on_threads(self.count(), work)?)
    }
}

/// How outside engines play, agents of the form engine:COMMAND.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct EngineSettings {
    /// How long an engine, an agent of the form engine:COMMAND, may think about a move
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = thinking_time)]
    pub(crate) move_time: Duration,
}

fn thinking_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    let seconds = seconds.ok_or("expected a number of seconds from 0.001 to 3600")?;
    Ok(Duration::from_secs_f64(seconds))
}

impl EngineSettings {
    /// Returns the engines without starting any, which Ctrl-C ends with this program even while they start.
    pub(crate) fn engines<'s>(
        self,
        agents: impl IntoIterator<Item = &'s AgentSpec>,
        tell: fn(&str),
    ) -> Result<Engines> {
        interrupt::listen();
        self.engines_of_server(agents, tell)
    }

    /// Returns the engines of a server, which hears signals itself, without starting any. Their logs are in the data directory,
    /// which is needed only if one of `agents` is an engine. `tell` is called with the text of each fault.
    pub(crate) fn engines_of_server<'s>(
        self,
        agents: impl IntoIterator<Item = &'s AgentSpec>,
        tell: fn(&str),
    ) -> Result<Engines> {
        let folder = if agents.into_iter().any(|agent| agent.command().is_some()) {
            tables::data_directory()?.join("engines")
        } else {
            PathBuf::new()
        };
        Ok(Engines::new(self.move_time, folder, tell))
    }
}

/// How to solve a game.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct SolveSettings {
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Processor instructions to use: avx512, avx2 or portable; the values are the same [default: the fastest there are]
    #[arg(long, value_name = "SET")]
    instructions: Option<InstructionSet>,
}

impl SolveSettings {
    /// Returns the options of the solver.
    pub(crate) fn options(self) -> Options {
        let usual = Options::default();
        let instructions = self.instructions.unwrap_or(usual.instructions);
        Options { threads: self.threads.count(), instructions, ..usual }
    }
}
