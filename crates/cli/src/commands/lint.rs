//! `ur lint`: what is wrong with a game record, and where.

use std::io::Write;

use anyhow::Result;
use puabi_formats::{Notation, ReadError, Remark};
use serde::Serialize;

use crate::games::Rules;
use crate::{Outcome, games, text};

/// Arguments of `ur lint`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The notation is told by how the name ends: .urg, .rgn, .json or .ur; of other names and of stdin by the text. A record
that cannot be played through is an error, exit code 1; what is only odd is a remark.

Examples:
  ur lint game.rgn
  ur lint old.rgn --rules finkel:5")]
pub(crate) struct Args {
    /// The record; - is stdin
    file: String,
    #[command(flatten)]
    rules: Rules,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// What was found, in JSON.
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

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let source = games::text(&args.file)?;
    let notation = games::notation_of(&args.file, &source);
    let findings = findings(args, notation, &source)?;
    if args.json {
        text::write_json(&findings, out)?;
    } else {
        write_findings(&findings, out)?;
    }
    Ok(if findings.error.is_some() { Outcome::No } else { Outcome::Done })
}

fn findings<'a>(args: &'a Args, notation: Notation, source: &str) -> Result<Findings<'a>> {
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

fn write_findings(findings: &Findings<'_>, out: &mut dyn Write) -> Result<()> {
    let file = findings.file;
    for Finding { line, column, what } in &findings.remarks {
        writeln!(out, "{file}:{line}:{column}: remark: {what}")?;
    }
    match &findings.error {
        Some(Finding { line, column, what }) => {
            writeln!(out, "{file}:{line}:{column}: error: {what}")?;
        }
        None => writeln!(out, "{file}: {} plies, read as {}", findings.plies, findings.notation)?,
    }
    Ok(())
}
