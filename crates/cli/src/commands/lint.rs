//! `ur lint`: what is wrong with a game record, and where.

use std::fmt;
use std::io::Write;

use anyhow::Result;
use puabi_formats::{Notation, ReadError, Remark};
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

impl From<&ReadError> for Finding {
    fn from(error: &ReadError) -> Self {
        Self { line: error.line(), column: error.column(), what: error.problem().to_string() }
    }
}

impl From<Remark> for Finding {
    fn from(remark: Remark) -> Self {
        Self { line: remark.line, column: remark.column, what: remark.what }
    }
}

pub(crate) fn run(args: &LintArgs, out: &mut dyn Write) -> Result<Outcome> {
    let source = records::text(&args.file)?;
    let notation = records::notation_of(&args.file, &source);
    let findings = findings(args, notation, &source)?;
    output::print(&findings, args.json, out)?;
    Ok(Outcome::of(findings.error.is_none()))
}

fn findings<'a>(args: &'a LintArgs, notation: Notation, source: &str) -> Result<Findings<'a>> {
    let rules = args.rules.rule_set()?;
    let blank = Findings {
        file: &args.file,
        notation: notation.extension(),
        plies: 0,
        error: None,
        remarks: Vec::new(),
    };
    Ok(match notation.read(source, rules.as_ref()) {
        Err(error) => Findings { error: Some((&error).into()), ..blank },
        Ok(reading) => Findings {
            plies: reading.record.game.plies().len(),
            remarks: reading.remarks.into_iter().map(Finding::from).collect(),
            ..blank
        },
    })
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
