//! Options that several commands share.

use anyhow::Result;
use puabi_core::RuleSet;
use puabi_solve::{InstructionSet, Options};

use crate::notation;

/// The rule set of a record that does not name its own.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RecordRules {
    /// The rules of a record that names none, or none that are known
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

impl RecordRules {
    /// Returns the rule set, if the user gave one.
    pub(crate) fn rule_set(&self) -> Result<Option<RuleSet>> {
        self.rules.as_deref().map(notation::rule_set).transpose()
    }
}

/// How many threads work.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Threads {
    /// Threads to use; the result is the same for any number [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Threads {
    /// Returns the number of threads.
    pub(crate) fn count(self) -> usize {
        self.threads.map_or(Options::default().threads, usize::from)
    }

    /// Runs `work` on a pool of this many threads.
    pub(crate) fn run<T: Send>(self, work: impl FnOnce() -> T + Send) -> Result<T> {
        Ok(rayon::ThreadPoolBuilder::new().num_threads(self.count()).build()?.install(work))
    }
}

/// How to solve a game.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct SolveSettings {
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Instructions to sweep with: avx512, avx2 or portable; the values are the same [default: the fastest there is]
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
