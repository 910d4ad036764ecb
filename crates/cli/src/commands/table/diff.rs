//! Comparing the values of two tables.

use std::io::Write;

use anyhow::{Result, bail};
use puabi_core::Player;
use puabi_formats::{Difference, Histogram};
use serde::Serialize;

use crate::foreign::AnyTable;
use crate::{Outcome, text};

/// What was found, in JSON.
#[derive(Debug, Serialize)]
struct Comparison {
    rules: String,
    positions: u64,
    largest: f64,
    mean: f64,
    place: Option<Place>,
    histogram: Histogram,
}

/// Where the difference is largest.
#[derive(Debug, Serialize)]
struct Place {
    position: String,
    first: f64,
    second: f64,
}

pub(super) fn run(tables: [&String; 2], json: bool, out: &mut dyn Write) -> Result<Outcome> {
    let (mut first, mut second) = (AnyTable::open(tables[0])?, AnyTable::open(tables[1])?);
    let rule_set = first.rule_set().clone();
    if rule_set != *second.rule_set() {
        bail!("the tables are of {rule_set} and of {}: expected one game", second.rule_set());
    }
    let rules = rule_set.compile()?;
    let mut difference = Difference::default();
    first.with_values(|values| {
        second.each(|position, value| {
            let mut other = [0.0];
            values.evaluate(&[position], &mut other);
            difference.add(position, other[0], value);
        })
    })??;
    let comparison = Comparison {
        rules: rule_set.to_string(),
        positions: difference.count,
        largest: difference.largest,
        mean: difference.mean(),
        place: difference.place.map(|(position, first, second)| Place {
            position: rules.setup(position, Player::Light).to_string(),
            first,
            second,
        }),
        histogram: difference.histogram,
    };
    if json {
        text::write_json(&comparison, out)?;
    } else {
        write_comparison(&comparison, out)?;
    }
    Ok(Outcome::Done)
}

fn write_comparison(comparison: &Comparison, out: &mut dyn Write) -> Result<()> {
    let count = text::count(comparison.positions);
    writeln!(out, "{}: {count} positions", comparison.rules)?;
    writeln!(out, "largest      {:.3e}", comparison.largest)?;
    if let Some(Place { position, first, second }) = &comparison.place {
        writeln!(out, "at           {position}: {first:.12} and {second:.12}")?;
    }
    writeln!(out, "mean         {:.3e}", comparison.mean)?;
    for (bound, count) in comparison.histogram.rows().filter(|&(_, count)| count > 0) {
        let size = if bound > 0.0 { format!("below {bound:.0e}") } else { "none".to_owned() };
        writeln!(out, "{size:<12} {}", text::count(count))?;
    }
    Ok(())
}
