//! `ur bench lookup`: positions spread over a whole table.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use puabi_core::{Indexer, Position};
use puabi_engine::SharedEvaluator;
use puabi_tables::Table;
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

/// What a look-up takes: the first time, by elapsed time; then of the processor.
#[derive(Debug, Serialize)]
struct Lookups {
    rules: String,
    positions: usize,
    cold_nanoseconds: f64,
    /// One by one.
    warm_nanoseconds: f64,
    /// In batches.
    together_nanoseconds: f64,
    /// One by one, a few positions again and again, which the caches hold.
    hot_nanoseconds: f64,
    /// The read alone of a value by its number, where each waits for the one before: what memory takes.
    memory_nanoseconds: f64,
}

/// Positions to look up: many more than a cache holds.
const LOOKUPS: u64 = 1 << 20;
/// Positions of a batch: about the moves of all rolls.
const TOGETHER: usize = 32;
/// Positions that are looked up again and again: their values lie in so many cache lines, which fit in 64 kB.
const HOT: usize = 1 << 10;

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let rules = notation::rules(&args.rules)?;
    let table = tables::obtain(&rules)?;
    let positions = spread(table.header().indexer());
    let sum = |positions: &[Position]| {
        let values = positions.iter().map(|&position| table.value(position));
        values.sum::<Result<f64, _>>().map(black_box)
    };
    let one_by_one = || sum(&positions);
    let hot = || {
        for _ in 0..positions.len().div_ceil(HOT) {
            // What was sound the first time is.
            drop(sum(&positions[..HOT.min(positions.len())]));
        }
    };
    let together = |values: SharedEvaluator<'_>| {
        let mut found = [0.0; TOGETHER];
        for positions in positions.chunks(TOGETHER) {
            values.evaluate(positions, &mut found[..positions.len()]);
            black_box(&found);
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
        together_nanoseconds: each(tables::with_values(&table, |values| {
            processor_seconds(|| together(values))
        })?),
        hot_nanoseconds: each(processor_seconds(hot)),
        memory_nanoseconds: each(processor_seconds(|| chase(&table))),
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
    (0..LOOKUPS).filter_map(|i| indexer.position(far_apart(i, indexer))).collect()
}

/// Returns the number of a position, far from that of the next: by steps of the golden ratio, even and without a pattern
/// that a cache could learn.
fn far_apart(i: u64, indexer: &Indexer) -> u64 {
    i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % indexer.len()
}

/// Reads values all over the table, each after the one before.
fn chase(table: &Table) {
    // Nothing, but the processor has to wait for what it is multiplied with.
    let nothing = black_box(0);
    let mut before = 0;
    for i in 0..LOOKUPS {
        let index = far_apart(i + before * nothing, table.header().indexer());
        before = table.value_at(index).unwrap_or_default().to_bits() >> 32;
    }
    black_box(before);
}

impl Lookups {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let Self { cold_nanoseconds: cold, warm_nanoseconds: warm, .. } = self;
        let (positions, together) = (text::count(self.positions as u64), self.together_nanoseconds);
        let (hot, memory) = (self.hot_nanoseconds, self.memory_nanoseconds);
        writeln!(
            out,
            "{positions} positions: {cold:.0} ns each at first, {warm:.0} ns warm, {together:.0} ns in \
             batches of {TOGETHER}\n\
             {hot:.0} ns where the caches hold the values; reading a value alone, after the one before: {memory:.0} ns"
        )?;
        Ok(())
    }
}
