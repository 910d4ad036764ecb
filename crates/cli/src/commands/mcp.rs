//! `ur mcp`: the API as tools for language models.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use puabi_server::{Limits, Mode, Options, serve_mcp};

use crate::output::log_to_stderr;
use crate::tables;

/// Arguments of `ur mcp`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/mcp.txt"))]
pub(crate) struct McpArgs {}

/// How long a tool may take: reviews and values may have a small game solved first.
const ANSWER: Duration = Duration::from_mins(10);

pub(crate) fn run(McpArgs {}: &McpArgs) -> Result<()> {
    log_to_stderr();
    let mode = Mode::Mine;
    let options = Options {
        // Nothing listens at this address: the tools call the API within the process.
        address: ([127, 0, 0, 1], 0).into(),
        data: tables::data_directory()?,
        names: Vec::new(),
        solve: None,
        memory: puabi_tables::available_memory,
        mode,
        proxy: None,
        limits: Limits { answer: ANSWER, ..Limits::of(mode) },
        hosted: Arc::default(),
    };
    Ok(serve_mcp(&options)?)
}
