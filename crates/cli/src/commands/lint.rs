//! `ur lint`: what is wrong with a game record, and where.

use std::fmt;

use anyhow::Result;
use puabi_core::RecordError;
use puabi_formats::Reading;
use serde::Serialize;

use crate::errors;
use crate::files::{self, records};
use crate::options::RecordRules;
use crate::output::{Out, text};

/// Arguments of `ur lint`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/lint.txt"))]
pub(crate) struct LintArgs {
    /// The record; - is stdin
    file: String,
    #[command(flatten)]
    rules: RecordRules,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// The error and the remarks of a record.
#[derive(Debug, Serialize)]
struct Findings<'a> {
    file: &'a str,
    notation: &'static str,
    plies: usize,
    error: Option<RecordError>,
    remarks: Vec<RecordError>,
    /// The number of further remarks, which are left out.
    more_remarks: usize,
}

pub(crate) fn run(args: &LintArgs, out: &mut Out) -> Result<()> {
    let source = files::read(&args.file)?;
    let notation = records::notation_of(&args.file, &source);
    let rules = args.rules.rule_set()?;
    let (file, name) = (&*args.file, notation.extension());
    let findings = match notation.read(&source, rules.as_ref()) {
        Ok(Reading { record, remarks, more_remarks }) => {
            let plies = record.game.plies().len();
            Findings { file, notation: name, plies, error: None, remarks, more_remarks }
        }
        Err(error) => {
            let (error, remarks) = (Some(error), Vec::new());
            Findings { file, notation: name, plies: 0, error, remarks, more_remarks: 0 }
        }
    };
    out.print(&findings, args.json)?;
    errors::answer(findings.error.is_none())
}

impl fmt::Display for Findings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file;
        for remark in &self.remarks {
            let (line, column, what) = (remark.line(), remark.column(), remark.message());
            writeln!(f, "{file}:{line}:{column}: remark: {what}")?;
        }
        if self.more_remarks > 0 {
            writeln!(f, "{file}: {}", records::more(self.more_remarks))?;
        }
        if let Some(error) = &self.error {
            let (line, column, what) = (error.line(), error.column(), error.message());
            return writeln!(f, "{file}:{line}:{column}: error: {what}");
        }
        let plies = text::counted(self.plies as u64, "ply", "plies");
        writeln!(f, "{file}: {plies}, read as {}", self.notation)
    }
}
