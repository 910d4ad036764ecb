//! Converts our tables to those of other programs and back.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use puabi_core::RuleSet;
use puabi_engine::SharedEvaluator;
use puabi_formats::{
    ForeignTableError, Metadata, TableWriter as ForeignWriter, ValueType, WarTable,
};
use puabi_solve::{Certificate, Options, Report, certify};
use puabi_tables::{Precision, SolveLock, Table, TableError, TableWriter, directory, ensure_space};

use crate::errors::Advise;
use crate::output::{status, text};
use crate::progress::Bar;
use crate::tables::foreign::{self, AnyTable, ForeignTable};
use crate::{files, tables};

/// Converts the table that `from` names to the file at `to`.
pub(super) fn convert(from: &str, to: &Path, values: Option<ValueType>) -> Result<()> {
    files::ensure_other(to, &[tables::locate(from)?.to_string_lossy().into_owned()])?;
    if foreign::is_foreign(to) {
        files::ensure_replaceable(to, "table of other programs", Metadata::begins)?;
    }
    match AnyTable::open(from)? {
        AnyTable::Ours(table) if foreign::is_foreign(to) => write_foreign(&table, to, values),
        AnyTable::Ours(_) => bail!(
            "both tables are ours: expected a file ending in .rgu, or `ur solve --store` for another precision"
        ),
        AnyTable::Foreign(mut table) if foreign::is_foreign(to) => rewrite(&mut table, to, values),
        AnyTable::Foreign(mut table) => write_ours(&mut table, to, values),
    }
}

fn write_foreign(table: &Table, to: &Path, values: Option<ValueType>) -> Result<()> {
    let header = table.header();
    let value_type = no_finer(values, value_type(header.precision()))?;
    // Checks that the other format can name the rules, before the hash of a large table is computed.
    Metadata::new(header.rules().rule_set(), value_type, &[])?;
    let precision = format!("{:e}", header.report().residual * 100.0);
    let hash = format!("\"{}\"", table.hash().to_hex());
    let fields = [("author", "\"Puabi\""), ("training-precision", &*precision), ("table", &*hash)];
    let metadata = Metadata::new(header.rules().rule_set(), value_type, &fields)?;
    let writer = ForeignWriter::new(&metadata, WarTable::OwnPieces)?;
    save(to, &metadata, &writer, value_type, |file, total| {
        let bar = Bar::new(format!("writing {}", to.display()));
        let write = |values: SharedEvaluator<'_>| {
            writer.write_values(file, &values, |done| bar.step(done, total).is_break())
        };
        Ok(tables::with_values(table, write)??)
    })
}

/// Writes a table in another program's format if the disk has room for it; `write` gets the number of entries.
fn save(
    to: &Path,
    metadata: &Metadata,
    writer: &ForeignWriter,
    value_type: ValueType,
    write: impl FnOnce(&mut BufWriter<&mut File>, u64) -> Result<()>,
) -> Result<()> {
    let entries: u64 = writer.maps().iter().map(|&count| u64::from(count)).sum();
    let bytes = metadata.json().len() as u64 + entries * (4 + value_type.bytes() as u64);
    let path = to.display();
    ensure_space(directory(to), bytes).doing("writing", &path)?;
    files::write_with(to, |file| write(file, entries))?;
    let (entries, bytes) = (text::count(entries), text::bytes(bytes));
    status(format_args!("{path}: {entries} entries, {value_type}, {bytes}"));
    Ok(())
}

/// Rewrites a table of another program with the same keys and perhaps another type of values.
fn rewrite(table: &mut ForeignTable, to: &Path, values: Option<ValueType>) -> Result<()> {
    let value_type = no_finer(values, table.value_type())?;
    let metadata = table.metadata().with_value_type(value_type)?;
    let writer = ForeignWriter::new(&metadata, table.layout().war_table())?;
    let total = table.len();
    save(to, &metadata, &writer, value_type, |file, entries| {
        if entries != total {
            bail!("the table has {total} entries: expected {entries} under its rules");
        }
        let bar = Bar::new(format!("writing {}", to.display()));
        let mut done = 0;
        Ok(writer.write(file, |states| {
            if bar.step(done, total).is_break() {
                return Err(ForeignTableError::Stopped);
            }
            let percents = table.percents(done, states)?;
            done += states.len() as u64;
            Ok(percents)
        })?)
    })
}

fn write_ours(table: &mut ForeignTable, to: &Path, wanted: Option<ValueType>) -> Result<()> {
    let rules = table.rules().clone();
    let name = rules.rule_set();
    let to = &*files::followed(to)?;
    ensure_replaced(to, name)?;
    let _lock = SolveLock::acquire(to).doing("writing", to.display())?;
    let values = foreign::load_all(table, &name.to_string())?;
    let options = Options::default();
    let bar = Bar::new(format!("backing up {name}"));
    let Certificate { residual, dead_positions } = certify(&rules, &values, options.threads, &bar)?;
    drop(bar);
    let precision = fitting(wanted, table.value_type(), residual)?;
    let indexer = values.indexer();
    let report = Report {
        positions: indexer.len(),
        layers: indexer.layers(),
        sublayers: indexer.sublayers().len(),
        // Nothing was swept here.
        sweeps_max: 0,
        residual,
        start_value: rules.start_value(|position| values.value(position)),
        dead_positions,
    };
    let writer = TableWriter::new(&rules, precision, Options { tolerance: residual, ..options });
    let path = to.display();
    writer.write(to, &values, &report).doing("writing", &path)?;
    let positions = text::count(report.positions);
    status(format_args!("{path}: {positions} positions, {precision}, residual {residual:.2e}"));
    Ok(())
}

/// Checks that the file at `path`, if there is one, is a table of these rules: no other file is replaced.
fn ensure_replaced(path: &Path, rules: &RuleSet) -> Result<()> {
    match Table::open_for(path, rules) {
        Err(
            error @ (TableError::OtherRules { .. } | TableError::Cube { .. } | TableError::Foreign),
        ) => Err(error)
            .doing("writing", path.display())
            .hint(|| "name another file, or move that one away"),
        // A damaged file may be a table of these rules.
        _ => Ok(()),
    }
}

/// Returns the wanted type of values, or else that of the table. Rounded values in a finer type would say more than is known.
fn no_finer(wanted: Option<ValueType>, found: ValueType) -> Result<ValueType> {
    let wanted = wanted.unwrap_or(found);
    if wanted.bytes() <= found.bytes() {
        return Ok(wanted);
    }
    Err(anyhow!(
        "the values are rounded to {found}: expected no finer type than that, not {wanted}"
    ))
    .hint(|| "`ur solve` finds exact values")
}

/// Returns the precision of a table of ours for values with this residual: that of `wanted`, or else that of `found`. If the
/// residual is too large for `found`, it is the finest precision whose bound allows the residual.
///
/// Returns an error if the residual is too large for `wanted`, or for every precision.
fn fitting(wanted: Option<ValueType>, found: ValueType, residual: f64) -> Result<Precision> {
    let fits = |precision: &Precision| residual <= precision.bound();
    let first = precision(wanted.unwrap_or(found));
    if fits(&first) {
        return Ok(first);
    }
    let (off, bound) = (format!("{residual:.1e}"), first.bound());
    let Some(finest) = Precision::ALL.into_iter().find(fits) else {
        bail!(
            "the values are not a solution: a value differs from its backup by {off}, expected at most {bound:.1e}"
        );
    };
    let why = format!(
        "a value differs from its backup by {off}, and in a table of {first} at most by {bound:.1e}"
    );
    if wanted.is_some() {
        return Err(anyhow!(why)).hint(|| format!("--values {} fits", value_type(finest)));
    }
    status(format_args!("stored as {finest}: {why}"));
    Ok(finest)
}

/// Returns how our tables store what others store as `values`.
const fn precision(values: ValueType) -> Precision {
    match values {
        ValueType::Percent16 => Precision::U16,
        ValueType::F32 => Precision::F32,
        ValueType::F64 => Precision::F64,
    }
}

/// Returns how other programs' tables store what ours store as `precision`.
const fn value_type(precision: Precision) -> ValueType {
    match precision {
        Precision::U16 => ValueType::Percent16,
        Precision::F32 => ValueType::F32,
        Precision::F64 => ValueType::F64,
    }
}
