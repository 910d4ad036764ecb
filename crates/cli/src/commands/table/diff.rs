//! Comparing the values of two tables.

use std::fmt;

use anyhow::{Result, bail};
use puabi_core::Player;
use puabi_formats::{Difference, Histogram};
use serde::Serialize;

use crate::output::{Out, text};
use crate::tables::foreign::AnyTable;

/// The differences of two tables.
#[derive(Debug, Serialize)]
struct Comparison {
    rules: String,
    positions: u64,
    largest: f64,
    mean: f64,
    place: Option<Place>,
    histogram: Histogram,
}

/// The place of the largest difference.
#[derive(Debug, Serialize)]
struct Place {
    position: String,
    first: f64,
    second: f64,
}

pub(super) fn run(tables: [&String; 2], json: bool, out: &mut Out) -> Result<()> {
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
    out.print(&comparison, json)
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} positions", self.rules, text::count(self.positions))?;
        writeln!(f, "largest      {:.3e}", self.largest)?;
        if let Some(Place { position, first, second }) = &self.place {
            writeln!(f, "at           {position}: {first:.12} and {second:.12}")?;
        }
        writeln!(f, "mean         {:.3e}", self.mean)?;
        for (bound, count) in self.histogram.rows().filter(|&(_, count)| count > 0) {
            let size = if bound > 0.0 { format!("below {bound:.0e}") } else { "none".to_owned() };
            writeln!(f, "{size:<12} {}", text::count(count))?;
        }
        Ok(())
    }
}
