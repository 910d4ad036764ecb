//! `ur bench lookup`: positions spread over a whole table.

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use puabi_core::{Indexer, Position};
use puabi_engine::SharedEvaluator;
use puabi_tables::Table;
use serde::Serialize;

use crate::output::{Out, machine, text};
use crate::tables;

/// Arguments of `ur bench lookup`.
#[derive(Debug, clap::Args)]
pub(crate) struct LookupBenchArgs {
    /// The table, by its rule set or its file
    rules: String,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// The times of a look-up: elapsed time for `cold_nanoseconds`, processor time for the others.
#[derive(Debug, Serialize)]
struct Lookups {
    rules: String,
    positions: usize,
    cold_nanoseconds: f64,
    /// One by one.
    warm_nanoseconds: f64,
    /// In batches of `TOGETHER` positions.
    together_nanoseconds: f64,
    /// One by one, for a few positions that the caches hold.
    hot_nanoseconds: f64,
    /// Of only reading a value by its index, each read after the previous one has ended: the latency of memory.
    memory_nanoseconds: f64,
}

/// The number of positions: many more than a cache holds.
const LOOKUPS: u64 = 1 << 20;
/// The number of positions in a batch: about as many as all rolls of a position have moves.
const TOGETHER: usize = 32;
/// The number of positions that stay in the caches: this many cache lines fit in 64 kB.
const HOT: usize = 1 << 10;

pub(super) fn run(args: &LookupBenchArgs, out: &mut Out) -> Result<()> {
    let table = tables::open(&tables::locate(&args.rules)?)?;
    let positions = spread(table.header().indexer());
    let sum = |positions: &[Position]| {
        let values = positions.iter().map(|&position| table.value(position));
        values.sum::<Result<f64, _>>().map(black_box)
    };
    let one_by_one = || sum(&positions);
    let hot = || {
        for _ in 0..positions.len().div_ceil(HOT) {
            // The first pass has shown that the table is sound.
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
        rules: table.header().rules().rule_set().to_string(),
        positions: positions.len(),
        cold_nanoseconds: each(began.elapsed().as_secs_f64()),
        // The first pass has shown that the table is sound.
        warm_nanoseconds: each(machine::processor_seconds(|| drop(one_by_one()))),
        together_nanoseconds: each(tables::with_values(&table, |values| {
            machine::processor_seconds(|| together(values))
        })?),
        hot_nanoseconds: each(machine::processor_seconds(hot)),
        memory_nanoseconds: each(machine::processor_seconds(|| chase(&table))),
    };
    out.print(&lookups, args.json)
}

/// Returns positions that are spread over the whole table.
fn spread(indexer: &Indexer) -> Vec<Position> {
    (0..LOOKUPS).filter_map(|i| indexer.position(far_apart(i, indexer))).collect()
}

/// Returns the index of a position, far from the next one.
///
/// Steps by the golden ratio spread the indices evenly, without a pattern that a cache could learn.
fn far_apart(i: u64, indexer: &Indexer) -> u64 {
    i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % indexer.len()
}

/// Reads values across the whole table; each read waits for the previous one.
fn chase(table: &Table) {
    // A zero that the compiler does not know, so that the processor waits for the value that is multiplied by it.
    let zero = black_box(0);
    let mut before = 0;
    for i in 0..LOOKUPS {
        let index = far_apart(i + before * zero, table.header().indexer());
        before = table.value_at(index).unwrap_or_default().to_bits() >> 32;
    }
    black_box(before);
}

impl fmt::Display for Lookups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cold_nanoseconds: cold, warm_nanoseconds: warm, .. } = self;
        let (positions, together) = (text::count(self.positions as u64), self.together_nanoseconds);
        write!(f, "{positions} positions: {cold:.0} ns each at first, {warm:.0} ns warm, ")?;
        writeln!(f, "{together:.0} ns in batches of {TOGETHER}")?;
        let (hot, memory) = (self.hot_nanoseconds, self.memory_nanoseconds);
        write!(f, "{hot:.0} ns where the caches hold the values; ")?;
        writeln!(f, "reading a value alone, after the one before: {memory:.0} ns")
    }
}
