//! `ur lint`: what is wrong with a game record, and where.

use std::fmt;
use std::io::Write;

use anyhow::Result;
use puabi_formats::Remark;
use serde::Serialize;

use crate::files::records;
use crate::options::RecordRules;
use crate::output::{self, Outcome};

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
    error: Option<Finding>,
    remarks: Vec<Finding>,
}

#[derive(Debug, Serialize)]
struct Finding {
    line: usize,
    column: usize,
    what: String,
}

pub(crate) fn run(args: &LintArgs, out: &mut dyn Write) -> Result<Outcome> {
    let source = records::text(&args.file)?;
    let notation = records::notation_of(&args.file, &source);
    let rules = args.rules.rule_set()?;
    let (plies, error, remarks) = match notation.read(&source, rules.as_ref()) {
        Ok(reading) => (reading.record.game.plies().len(), None, reading.remarks),
        Err(error) => {
            let (line, column, what) = (error.line(), error.column(), error.problem().to_string());
            (0, Some(Finding { line, column, what }), Vec::new())
        }
    };
    let finding = |Remark { line, column, what }| Finding { line, column, what };
    let remarks = remarks.into_iter().map(finding).collect();
    let (file, notation) = (&*args.file, notation.extension());
    let findings = Findings { file, notation, plies, error, remarks };
    output::print(&findings, args.json, out)?;
    Ok(Outcome::of(findings.error.is_none()))
}

impl fmt::Display for Findings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file;
        for remark in &self.remarks {
            writeln!(f, "{file}:{}:{}: remark: {}", remark.line, remark.column, remark.what)?;
        }
        match &self.error {
            Some(Finding { line, column, what }) => {
                writeln!(f, "{file}:{line}:{column}: error: {what}")
            }
            None => writeln!(f, "{file}: {} plies, read as {}", self.plies, self.notation),
        }
    }
}
