//! `ur table`: the tables that are kept.

mod diff;
mod pocket;
mod published;
mod remove;
mod verdict;

use std::path::Path;

use anyhow::{Result, anyhow};
use clap::Subcommand;
use puabi_tables::{StoredTable, Table, TableError};
use serde::Serialize;

use crate::errors::{self, Advise};
use crate::options::Threads;
use crate::output::{Out, status, text};
use crate::progress::Bar;
use crate::tables::{self, foreign, pockets};
use verdict::{Unproved, Verdict};

/// What `ur table` does.
#[derive(Debug, Subcommand)]
pub(crate) enum TableAction {
    /// Lists the tables in the data directory
    #[command(after_help = "Example:\n  ur table list --json")]
    List {
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Describes a table, whether our own or a published .rgu, or a .pocket
    #[command(after_help = "Example:\n  ur table info masters.urt")]
    Info {
        /// The file of the table, or its rules
        #[arg(value_name = "FILE")]
        table: String,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Recomputes every checksum, the hash and every value, also of a published .rgu; exit code 1 if one is wrong
    #[command(
        after_help = "Examples:\n  ur table verify finkel\n  ur table verify finkel --bounds"
    )]
    Verify {
        /// The file of the table, or its rules
        #[arg(value_name = "FILE")]
        table: String,
        /// Also computes bounds on both sides of the exact values, and prints how far the table is from them
        #[arg(long)]
        bounds: bool,
        #[command(flatten)]
        threads: Threads,
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
    /// Makes a pocket, a player in a small file: a small net, and the decisions in which the net is wrong
    #[command(after_help = include_str!("../../help/pocket.txt"))]
    Pocket(pocket::PocketArgs),
    /// Removes the tables of a rule set (with a cube, too) or one file, and the files of unfinished solves
    #[command(after_help = "Example:\n  ur table rm finkel:3 --yes")]
    Rm {
        /// The file of the table, or its rules
        #[arg(value_name = "RULES|FILE")]
        table: String,
        /// Removes without a question
        #[arg(long, short)]
        yes: bool,
    },
}

pub(crate) fn run(action: &TableAction, out: &mut Out) -> Result<()> {
    match action {
        TableAction::List { json } => list(*json, out),
        TableAction::Info { table, json } if pockets::is_pocket(table) => {
            pocket::info(table, *json, out)
        }
        TableAction::Pocket(args) => pocket::run(args, out),
        TableAction::Info { table, json } => {
            let path = tables::locate(table)?;
            let info = if foreign::is_foreign(&path) { published::info } else { info };
            info(&path, *json, out)
        }
        TableAction::Verify { table, .. } if pockets::is_pocket(table) => {
            Err(anyhow!("{table} is a pocket player: expected a table"))
                .hint(|| "`ur table info` says what it loses, and `ur match` finds that")
        }
        TableAction::Verify { table, bounds, threads, json } => {
            let path = tables::locate(table)?;
            let verify = if foreign::is_foreign(&path) { published::verify } else { verify };
            verify(&path, (threads.count(), *bounds), *json, out)
        }
        TableAction::Diff { first, second, json } => diff::run([first, second], *json, out),
        TableAction::Rm { table, yes } => remove::run(table, *yes, out),
    }
}

/// The facts of a table, from its header.
#[derive(Debug, Serialize)]
struct Facts<'a> {
    #[serde(serialize_with = "text::shown")]
    table: &'a Path,
    rules: String,
    positions: u64,
    store: String,
    bytes: u64,
    /// The level of a game with a cube that the table is for. Its values are (1 + equity) / 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<String>,
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
            cube: header.cube().map(|cube| cube.to_string()),
            start_value: report.start_value,
            residual: report.residual,
            stored_residual: header.stored_residual(),
            sweeps_max: report.sweeps_max,
            dead_positions: report.dead_positions,
            tolerance: header.tolerance(),
            hash: table.hash().to_hex().to_string(),
        }
    }

    /// Returns the folder of the cube's tables, if this is one of them.
    fn folder(&self) -> Option<&Path> {
        self.cube.as_ref().and_then(|_| self.table.parent())
    }
}

fn list(json: bool, out: &mut Out) -> Result<()> {
    let library = tables::library()?;
    let store = library.store();
    let directory = store.directory().display();
    let mut stored = store.list().doing("reading", &directory)?;
    stored.extend(store.list_cubes().doing("reading", &directory)?);
    let mut tables = Vec::new();
    for StoredTable { path, table } in &stored {
        match table {
            Ok(table) => tables.push(Facts::new(path, table)),
            Err(error) => {
                let why = errors::chain(error);
                status(format_args!("{} is left out: {why}", path.display()));
            }
        }
    }
    if json {
        return out.json(&tables);
    }
    let is_same = |a: &Facts<'_>, b: &Facts<'_>| a.folder().is_some() && a.folder() == b.folder();
    for tables in tables.chunk_by(is_same) {
        write_row(tables, out)?;
    }
    if stored.is_empty() {
        status(format_args!("there are no tables in {directory}; `ur solve finkel` makes one"));
    }
    Ok(())
}

/// Writes the row of a table, or of all tables in the folder of a cube.
fn write_row(tables: &[Facts<'_>], out: &mut Out) -> Result<()> {
    let Facts { table, rules, positions, store, start_value, .. } = &tables[0];
    let count = text::count(*positions).to_string();
    let bytes = text::bytes(tables.iter().map(|table| table.bytes).sum());
    let (value, place) = match tables[0].folder() {
        Some(folder) => (text::counted(tables.len() as u64, "table", "tables"), folder),
        None => (text::percent(*start_value), *table),
    };
    let place = place.display();
    writeln!(out, "{rules:<14} {count:>15} {store:>4} {bytes:>10} {value:>9}  {place}")?;
    Ok(())
}

fn info(path: &Path, json: bool, out: &mut Out) -> Result<()> {
    let table = Table::open_any(path).doing("opening", path.display())?;
    if json {
        return out.json(&Facts::new(path, &table));
    }
    tables::describe(&table, path, out)
}

fn verify(path: &Path, (threads, bounds): (usize, bool), json: bool, out: &mut Out) -> Result<()> {
    let (unproved, error) = match recompute(path, threads) {
        Err(error) if is_no_verdict(&error) => {
            return Err(error).doing("verifying", path.display());
        }
        Ok(unproved) => (Some(unproved), None),
        Err(error) => (None, Some(errors::chain(&error))),
    };
    let bounds = if bounds && error.is_none() {
        Some(tables::bound(&tables::open(path)?, threads, &|_, _, _| {})?)
    } else {
        None
    };
    let verdict = Verdict { table: path, holds: error.is_none(), error, bounds, unproved };
    out.print(&verdict, json)?;
    errors::answer(verdict.holds)
}

fn recompute(path: &Path, threads: usize) -> Result<Unproved, TableError> {
    let table = Table::open(path)?;
    let header = table.header();
    let bar = Bar::new(format!("verifying {}", header.rules().rule_set()));
    table.verify(threads, &bar)?;
    Ok(Unproved { tolerance: header.tolerance(), sweeps_max: header.report().sweeps_max })
}

/// Returns whether `error` leaves open whether the table holds.
fn is_no_verdict(error: &TableError) -> bool {
    matches!(
        error,
        TableError::Unreadable(_)
            | TableError::Stopped
            | TableError::Newer { .. }
            // The values of a cube follow from those in other files.
            | TableError::Cube { .. }
            | TableError::Solve(_)
    )
}
