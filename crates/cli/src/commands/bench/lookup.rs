//! `ur bench lookup`: positions spread over a whole table.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use puabi_core::{Evaluator, Indexer, Position};
use serde::Serialize;

use super::processor_seconds;
use crate::{Outcome, notation, tables, text};

/// Arguments of `ur bench lookup`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rule set
    rules: String,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// What a look-up takes: the first time, by elapsed time; then of the processor, one by one and in batches.
#[derive(Debug, Serialize)]
struct Lookups {
    rules: String,
    positions: usize,
    cold_nanoseconds: f64,
    warm_nanoseconds: f64,
    together_nanoseconds: f64,
}

/// Positions to look up: many more than a cache holds.
const LOOKUPS: u64 = 1 << 20;
/// Positions of a batch: about the moves of all rolls.
const TOGETHER: usize = 32;

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let rules = notation::rules(&args.rules)?;
    let lookup = tables::obtain(&rules)?;
    let positions = spread(lookup.table().header().indexer());
    let one_by_one = || {
        let values = positions.iter().map(|&position| lookup.table().value(position));
        values.sum::<Result<f64, _>>().map(black_box)
    };
    let together = || {
        let mut values = [0.0; TOGETHER];
        for positions in positions.chunks(TOGETHER) {
            lookup.evaluate(positions, &mut values[..positions.len()]);
            black_box(&values);
        }
    };
    let each = |seconds: f64| seconds * 1e9 / positions.len() as f64;
    let began = Instant::now();
    one_by_one()?;
    let lookups = Lookups {
        rules: rules.rule_set().to_string(),
        positions: positions.len(),
        cold_nanoseconds: each(began.elapsed().as_secs_f64()),
        // What was sound the first time is.
        warm_nanoseconds: each(processor_seconds(|| drop(one_by_one()))),
        together_nanoseconds: each(processor_seconds(together)),
    };
    if args.json {
        text::write_json(&lookups, out)?;
    } else {
        lookups.write(out)?;
    }
    Ok(Outcome::Done)
}

/// Returns positions all over the table.
fn spread(indexer: &Indexer) -> Vec<Position> {
    // Steps of the golden ratio: even, and without a pattern that a cache could learn.
    let index = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % indexer.len();
    (0..LOOKUPS).filter_map(|i| indexer.position(index(i))).collect()
}

impl Lookups {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let Self { cold_nanoseconds: cold, warm_nanoseconds: warm, .. } = self;
        let (positions, together) = (text::count(self.positions as u64), self.together_nanoseconds);
        writeln!(
            out,
            "{positions} positions: {cold:.0} ns each at first, {warm:.0} ns warm, {together:.0} ns in \
             batches of {TOGETHER}"
        )?;
        Ok(())
    }
}
