//! `ur mcp`: the API as tools for language models.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use puabi_server::{Limits, Mode, Options, speak};

use crate::tables;

/// Arguments of `ur mcp`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/mcp.txt"))]
pub(crate) struct McpArgs {}

/// How long a tool may take: reviews and values may have a small game solved first.
const ANSWER: Duration = Duration::from_mins(10);

pub(crate) fn run(McpArgs {}: &McpArgs) -> Result<()> {
    tracing_subscriber::fmt().with_ansi(false).without_time().with_writer(std::io::stderr).init();
    let mode = Mode::Mine;
    let options = Options {
        // Nothing listens: the tools ask from within.
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
    Ok(speak(&options)?)
}
