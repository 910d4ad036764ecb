//! Verifying a table of another program: its keys, and every backup under the rules that it states.

use std::fmt;
use std::path::Path;

use anyhow::Result;
use puabi_formats::{ForeignTableError, ValueType};
use puabi_solve::{Bounds, Values, bound, certify};
use serde::Serialize;

use super::verdict::Verdict;
use crate::errors::{self, Advise};
use crate::output::{Out, text};
use crate::progress::Bar;
use crate::tables;
use crate::tables::foreign::{self, ForeignTable};

/// The facts that a table states about itself.
#[derive(Debug, Serialize)]
struct PublishedFacts<'a> {
    #[serde(serialize_with = "text::shown")]
    table: &'a Path,
    rules: String,
    values: ValueType,
    keys: String,
    maps: Vec<u32>,
    entries: u64,
    quirks: Vec<String>,
}

impl<'a> PublishedFacts<'a> {
    fn of(path: &'a Path, table: &ForeignTable) -> Self {
        Self {
            table: path,
            rules: table.rules().rule_set().to_string(),
            values: table.value_type(),
            keys: table.layout().war_table().to_string(),
            maps: table.maps().to_vec(),
            entries: table.len(),
            quirks: table.quirks(),
        }
    }
}

impl fmt::Display for PublishedFacts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, maps) = (text::count(self.entries), text::list(&self.maps));
        writeln!(f, "entries      {entries} in maps of {maps}")?;
        writeln!(f, "values       {}", self.values)?;
        writeln!(f, "keys         {}", self.keys)?;
        self.quirks.iter().try_for_each(|quirk| writeln!(f, "quirk        {quirk}"))
    }
}

/// Describes a table without reading its values.
pub(super) fn info(path: &Path, json: bool, out: &mut Out) -> Result<()> {
    let facts = PublishedFacts::of(path, &foreign::open(path)?);
    if json {
        return out.json(&facts);
    }
    writeln!(out, "{}: {}", path.display(), facts.rules)?;
    write!(out, "{facts}")?;
    Ok(())
}

/// The result of a verification.
#[derive(Debug, Serialize)]
struct PublishedVerdict<'a> {
    #[serde(flatten)]
    facts: PublishedFacts<'a>,
    holds: bool,
    missing: u64,
    start_value: f64,
    residual: f64,
    bound: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
}

/// Returns the largest residual that rounding alone can leave, because it changes both a value and its backup.
fn most_by_rounding(values: ValueType) -> f64 {
    match values {
        ValueType::Percent16 => 1.0 / 65535.0,
        ValueType::F32 => f64::from(f32::EPSILON),
        // The change at which solvers with double precision stop: RoyalUr's is 1e-12 percent or coarser.
        ValueType::F64 => 1e-9,
    }
}

pub(super) fn verify(
    path: &Path,
    (threads, bounds): (usize, bool),
    json: bool,
    out: &mut Out,
) -> Result<()> {
    let (table, loaded) = match read(path) {
        Err(error) => return damaged(path, error, json, out),
        Ok(read) => read,
    };
    let verdict = judge(path, &table, loaded, (threads, bounds))?;
    out.print(&verdict, json)?;
    errors::answer(verdict.holds)
}

/// The values of a table, and the number of values that it lacks.
type Loaded = (Values, u64);

fn read(path: &Path) -> Result<(ForeignTable, Loaded)> {
    let mut table = foreign::open(path)?;
    let name = table.rules().rule_set().to_string();
    let loaded = foreign::load(&mut table, &name).doing("verifying", path.display())?;
    Ok((table, loaded))
}

/// Prints that a damaged table does not hold, as the answer no. Returns `error` itself if it says nothing about the table.
fn damaged(path: &Path, error: anyhow::Error, json: bool, out: &mut Out) -> Result<()> {
    let found = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(
            error @ (ForeignTableError::Malformed(_)
            | ForeignTableError::Settings(_)
            | ForeignTableError::Rules(_)),
        ) => Some(error.to_string()),
        _ => None,
    });
    let Some(found) = found else { return Err(error) };
    out.print(&Verdict::damaged(path, found), json)?;
    errors::answer(false)
}

fn judge<'a>(
    path: &'a Path,
    table: &ForeignTable,
    (loaded, missing): Loaded,
    (threads, bounds): (usize, bool),
) -> Result<PublishedVerdict<'a>> {
    let rules = table.rules();
    let name = rules.rule_set();
    let residual = if missing == 0 {
        let bar = Bar::new(format!("backing up {name}"));
        certify(rules, &loaded, threads, &bar)?.residual
    } else {
        f64::NAN
    };
    let most = most_by_rounding(table.value_type());
    let bounds = (bounds && missing == 0).then(|| {
        let bar = Bar::new(format!("bounding {name}"));
        bound(rules, &loaded, threads, &bar, (&|_, _, _| {}, &|held| held))
    });
    Ok(PublishedVerdict {
        facts: PublishedFacts::of(path, table),
        holds: residual <= most,
        missing,
        start_value: rules.start_value(|position| loaded.value(position)),
        residual,
        bound: most,
        bounds: bounds.transpose()?,
    })
}

impl fmt::Display for PublishedVerdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = text::exact_percent(self.start_value);
        writeln!(f, "{}: the first player wins {value}", self.facts.rules)?;
        write!(f, "{}", self.facts)?;
        if self.missing > 0 {
            writeln!(f, "missing      {}", text::counted(self.missing, "position", "positions"))?;
        }
        if self.missing == 0 {
            let (residual, bound) = (self.residual, self.bound);
            writeln!(f, "residual     {residual:.2e}, at most {bound:.2e} by rounding")?;
        }
        if let Some(bounds) = self.bounds {
            writeln!(f, "{}", tables::bounds_text(bounds))?;
        }
        let holds = if self.holds { "holds" } else { "does not hold" };
        writeln!(f, "{} {holds}", self.facts.table.display())
    }
}
