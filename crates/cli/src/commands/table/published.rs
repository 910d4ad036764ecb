//! Verifying a table of another program: its keys, and every backup under the rules that it states.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use puabi_formats::ValueType;
use puabi_solve::residual;
use serde::Serialize;

use crate::watch::Bar;
use crate::{Outcome, foreign, text};

/// What was found, in JSON.
#[derive(Debug, Serialize)]
struct Verdict<'a> {
    table: &'a Path,
    holds: bool,
    rules: String,
    values: ValueType,
    keys: String,
    maps: Vec<u32>,
    entries: u64,
    missing: u64,
    start_value: f64,
    residual: f64,
    bound: f64,
    quirks: Vec<String>,
}

/// Returns the residual that rounding alone can leave: that of a value, and that of its backup.
fn bound(values: ValueType) -> f64 {
    match values {
        ValueType::Percent16 => 1.0 / 65535.0,
        ValueType::F32 => f64::from(f32::EPSILON),
        // What solvers of double precision stop at: RoyalUr at 1e-12 percent or coarser.
        ValueType::F64 => 1e-9,
    }
}

pub(super) fn verify(
    path: &Path,
    threads: usize,
    json: bool,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let mut table = foreign::open(path)?;
    let rules = table.rules().clone();
    let name = rules.rule_set().to_string();
    let loaded = foreign::load(&mut table, &name);
    let loaded = loaded.with_context(|| format!("verifying {}", path.display()))?;
    let residual = if loaded.missing == 0 {
        residual(&rules, &loaded.values, threads, &Bar::new(format!("backing up {name}")))?
    } else {
        f64::NAN
    };
    let bound = bound(table.value_type());
    let verdict = Verdict {
        table: path,
        holds: residual <= bound,
        rules: name,
        values: table.value_type(),
        keys: table.layout().war_table().to_string(),
        maps: table.maps().to_vec(),
        entries: table.len(),
        missing: loaded.missing,
        start_value: rules.start_value(|position| loaded.values.value(position)),
        residual,
        bound,
        quirks: table.quirks(),
    };
    if json {
        text::write_json(&verdict, out)?;
    } else {
        write_verdict(&verdict, out)?;
    }
    Ok(if verdict.holds { Outcome::Done } else { Outcome::No })
}

fn write_verdict(verdict: &Verdict<'_>, out: &mut dyn Write) -> Result<()> {
    let value = text::exact_percent(verdict.start_value);
    writeln!(out, "{}: the first player wins {value}", verdict.rules)?;
    let maps: Vec<_> = verdict.maps.iter().map(ToString::to_string).collect();
    writeln!(out, "entries      {} in maps of {}", text::count(verdict.entries), maps.join(", "))?;
    writeln!(out, "values       {}", verdict.values)?;
    writeln!(out, "keys         {}", verdict.keys)?;
    for quirk in &verdict.quirks {
        writeln!(out, "quirk        {quirk}")?;
    }
    if verdict.missing > 0 {
        writeln!(out, "missing      {} positions", text::count(verdict.missing))?;
    }
    let (residual, bound) = (verdict.residual, verdict.bound);
    writeln!(out, "residual     {residual:.2e}, at most {bound:.2e} by rounding")?;
    let holds = if verdict.holds { "holds" } else { "does not hold" };
    writeln!(out, "{} {holds}", verdict.table.display())?;
    Ok(())
}
