//! The options of every way of training.

use std::path::PathBuf;

use anyhow::{Error, Result};
use puabi_core::Rules;

use crate::files;
use crate::options::Threads;

/// The options of every way of training.
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    /// The rule set
    pub(super) rules: String,
    /// The file for the player
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// The player to start from [default: one set by hand]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The seed of all random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    /// Continues an earlier run with the same --out and with its options
    #[arg(long)]
    pub(super) resume: bool,
    /// Draws strength by step
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,
    /// Steps from one measurement of strength to the next
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) measure: Option<u64>,
    #[command(flatten)]
    pub(super) threads: Threads,
    /// Prints JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Common {
    /// Returns the player to start from: the one that `read` makes of the file, or else `usual`.
    pub(super) fn start<P, E: Into<Error>>(
        &self,
        rules: &Rules,
        usual: fn(&Rules) -> P,
        read: fn(&str, &Rules) -> Result<P, E>,
    ) -> Result<P> {
        let Some(path) = &self.from else { return Ok(usual(rules)) };
        let player = read(&files::read(path)?, rules);
        player.map_err(|error| error.into().context(path.display().to_string()))
    }
}
