//! `ur table`: the tables that are kept.

mod diff;
mod published;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use puabi_solve::Options;
use puabi_tables::{StoredTable, Table, TableError, remove_table};
use serde::Serialize;

use crate::complaint::Advise;
use crate::watch::Bar;
use crate::{Outcome, foreign, notation, tables, talk, text};

/// Arguments of `ur table`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A table is named by its file, or by its rules where it lies in the data directory.

Examples:
  ur table list
  ur table verify finkel
  ur table rm finkel:3 --yes")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Lists the tables in the data directory
    #[command(after_help = "Example:\n  ur table list --json")]
    List {
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Tells what a table says of itself
    #[command(after_help = "Example:\n  ur table info masters.urt")]
    Info {
        /// The file of the table, or its rules
        #[arg(value_name = "FILE")]
        table: String,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Recomputes every checksum, the hash and every backup, also of a published .rgu; exit code 1 where they do not hold
    #[command(after_help = "Example:\n  ur table verify finkel")]
    Verify {
        /// The file of the table, or its rules
        #[arg(value_name = "FILE")]
        table: String,
        /// Threads that work [default: one a processor]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        threads: Option<u16>,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Compares the values of two tables of one game: .urt, .rgu, or rules
    #[command(after_help = "Example:\n  ur table diff finkel published.rgu")]
    Diff {
        /// The first table
        first: String,
        /// The second table
        second: String,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Removes the tables of a rule set, or one file, and what unfinished solves left
    #[command(after_help = "Example:\n  ur table rm finkel:3 --yes")]
    Rm {
        /// The file of the table, or its rules
        #[arg(value_name = "RULES|FILE")]
        table: String,
        /// Does not ask
        #[arg(long, short)]
        yes: bool,
    },
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    match &args.action {
        Action::List { json } => list(*json, out),
        Action::Info { table, json } => info(&tables::locate(table)?, *json, out),
        Action::Verify { table, threads, json } => {
            let threads = threads.map_or(Options::default().threads, usize::from);
            let path = tables::locate(table)?;
            if foreign::is_foreign(&path) {
                published::verify(&path, threads, *json, out)
            } else {
                verify(&path, threads, *json, out)
            }
        }
        Action::Diff { first, second, json } => diff::run([first, second], *json, out),
        Action::Rm { table, yes } => remove(table, *yes, out),
    }
}

/// What a table says of itself, in JSON.
#[derive(Debug, Serialize)]
struct Facts<'a> {
    table: &'a Path,
    rules: String,
    positions: u64,
    store: String,
    bytes: u64,
    start_value: f64,
    residual: f64,
    stored_residual: f64,
    sweeps_max: u32,
    dead_positions: u64,
    tolerance: f64,
    hash: String,
}

impl<'a> Facts<'a> {
    fn new(path: &'a Path, table: &Table) -> Self {
        let (header, report) = (table.header(), table.header().report());
        Self {
            table: path,
            rules: header.rules().rule_set().to_string(),
            positions: report.positions,
            store: header.precision().to_string(),
            bytes: header.bytes(),
            start_value: report.start_value,
            residual: report.residual,
            stored_residual: header.stored_residual(),
            sweeps_max: report.sweeps_max,
            dead_positions: report.dead_positions,
            tolerance: header.tolerance(),
            hash: table.hash().to_hex().to_string(),
        }
    }
}

fn list(json: bool, out: &mut dyn Write) -> Result<Outcome> {
    let library = tables::library()?;
    let store = library.store();
    let directory = store.directory().display();
    let stored = store.list().with_context(|| format!("reading {directory}"))?;
    for StoredTable { path, table } in &stored {
        if let Err(error) = table {
            talk(&format!("{} is left out: {error}", path.display()));
        }
    }
    let opened = || stored.iter().filter_map(|it| Some((&*it.path, it.table.as_ref().ok()?)));
    if json {
        let facts: Vec<_> = opened().map(|(path, table)| Facts::new(path, table)).collect();
        text::write_json(&facts, out)?;
        return Ok(Outcome::Done);
    }
    for (path, table) in opened() {
        let facts = Facts::new(path, table);
        let (count, bytes) = (text::count(facts.positions), text::bytes(facts.bytes));
        let value = text::percent(facts.start_value);
        let (rules, store) = (facts.rules, facts.store);
        let columns = format!("{rules:<14} {count:>15} {store:>4} {bytes:>10} {value:>9}");
        writeln!(out, "{columns}  {}", path.display())?;
    }
    if stored.is_empty() {
        talk(&format!("there are no tables in {directory}; `ur solve finkel` makes one"));
    }
    Ok(Outcome::Done)
}

fn info(path: &Path, json: bool, out: &mut dyn Write) -> Result<Outcome> {
    let table = tables::open(path)?;
    if json {
        text::write_json(&Facts::new(path, &table), out)?;
    } else {
        tables::describe(&table, path, out)?;
    }
    Ok(Outcome::Done)
}

/// What came of a verification, in JSON.
#[derive(Debug, Serialize)]
struct Verdict<'a> {
    table: &'a Path,
    holds: bool,
    error: Option<String>,
}

fn verify(path: &Path, threads: usize, json: bool, out: &mut dyn Write) -> Result<Outcome> {
    let found = recompute(path, threads);
    let error = match found {
        Err(error) if is_of_the_system(&error) => {
            return Err(error).with_context(|| format!("verifying {}", path.display()));
        }
        found => found.err().map(|error| error.to_string()),
    };
    if json {
        let verdict = Verdict { table: path, holds: error.is_none(), error: error.clone() };
        text::write_json(&verdict, out)?;
    } else if let Some(error) = &error {
        writeln!(out, "{} does not hold: {error}", path.display())?;
    } else {
        writeln!(out, "{} holds: checksums, hash and every backup", path.display())?;
    }
    Ok(if error.is_none() { Outcome::Done } else { Outcome::No })
}

fn recompute(path: &Path, threads: usize) -> Result<(), TableError> {
    let table = Table::open(path)?;
    let bar = Bar::new(format!("verifying {}", table.header().rules().rule_set()));
    table.verify(threads, &bar)
}

/// Returns whether `error` says nothing about the table.
fn is_of_the_system(error: &TableError) -> bool {
    matches!(error, TableError::Unreadable(_) | TableError::Stopped | TableError::Newer { .. })
}

fn remove(text: &str, yes: bool, out: &mut dyn Write) -> Result<Outcome> {
    let paths = targets(text)?;
    if paths.is_empty() {
        bail!("there is no table of {text}");
    }
    if !yes && !confirmed(&paths)? {
        talk(&"nothing is removed");
        return Ok(Outcome::No);
    }
    for path in paths {
        remove_table(&path).with_context(|| format!("removing {}", path.display()))?;
        writeln!(out, "removed {}", path.display())?;
    }
    Ok(Outcome::Done)
}

/// Returns the files that `text` names and that are there.
fn targets(text: &str) -> Result<Vec<PathBuf>> {
    if tables::is_table_file(text) {
        let path = PathBuf::from(text);
        path.metadata().with_context(|| format!("removing {text}"))?;
        return Ok(vec![path]);
    }
    let (library, rule_set) = (tables::library()?, notation::rule_set(text)?);
    Ok(library.store().paths(&rule_set).collect())
}

fn confirmed(paths: &[PathBuf]) -> Result<bool> {
    if !io::stdin().is_terminal() {
        return Err(anyhow::anyhow!("nobody can be asked whether to remove"))
            .hint(|| "--yes does not ask");
    }
    for path in paths {
        talk(&path.display());
    }
    talk(&"remove? y or n");
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "yes"))
}
