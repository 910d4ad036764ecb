//! `ur bench read`: reading game records in every notation.

use std::fmt;
use std::hint::black_box;

use anyhow::Result;
use puabi_core::{Record, Rules};
use puabi_engine::Random;
use puabi_formats::Notation;
use puabi_solve::Unattended;
use puabi_study::{Contestant, Pairing, Simulation};
use serde::Serialize;

use crate::notation;
use crate::output::{Out, machine, text};

/// Arguments of `ur bench read`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadBenchArgs {
    /// The rule set
    rules: String,
    /// Games of random moves to read in each of nine runs
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct ReadSpeeds {
    rules: String,
    games: u64,
    plies: usize,
    notations: Vec<Speed>,
}

#[derive(Debug, Serialize)]
struct Speed {
    notation: String,
    bytes: usize,
    megabytes_per_second: f64,
    ply_nanoseconds: f64,
}

pub(super) fn run(args: &ReadBenchArgs, out: &mut Out) -> Result<()> {
    let rules = notation::rules(&args.rules)?;
    let records = played(&rules, args.games);
    let plies = records.iter().map(|record| record.game.plies().len()).sum();
    let notations =
        Notation::ALL.into_iter().filter_map(|notation| speed(notation, &rules, &records, plies));
    let notations = notations.collect();
    let (rules, games) = (rules.rule_set().to_string(), args.games);
    out.print(&ReadSpeeds { rules, games, plies, notations }, args.json)
}

/// Returns games of random moves.
fn played(rules: &Rules, games: u64) -> Vec<Record> {
    let simulation = Simulation { rules, agents: [&Random, &Random], seed: 1, watch: &Unattended };
    let pairings = (0..games).map(|pair| Pairing { pair, light: Contestant::A });
    pairings.map(|pairing| simulation.record(pairing)).collect()
}

/// Measures how fast the games are read in a notation; `None` if it cannot hold them.
fn speed(notation: Notation, rules: &Rules, records: &[Record], plies: usize) -> Option<Speed> {
    let texts: Result<Vec<_>, _> = records.iter().map(|record| notation.write(record)).collect();
    let texts = texts.ok()?;
    let bytes: usize = texts.iter().map(|written| written.text.len()).sum();
    let seconds = machine::processor_seconds(|| {
        for written in &texts {
            black_box(
                notation
                    .read(&written.text, Some(rules.rule_set()))
                    .expect("what was written is read"),
            );
        }
    });
    Some(Speed {
        notation: notation.to_string(),
        bytes,
        megabytes_per_second: bytes as f64 / seconds / 1e6,
        ply_nanoseconds: seconds * 1e9 / plies as f64,
    })
}

impl fmt::Display for ReadSpeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, plies) = (text::count(self.games), text::count(self.plies as u64));
        writeln!(f, "{}: {games} games of random moves, {plies} plies", self.rules)?;
        for Speed { notation, bytes, megabytes_per_second, ply_nanoseconds } in &self.notations {
            let bytes = text::bytes(*bytes as u64);
            write!(f, "{notation:<5} {bytes:>10}  {megabytes_per_second:>6.1} MB/s  ")?;
            writeln!(f, "{ply_nanoseconds:>6.1} ns a ply")?;
        }
        Ok(())
    }
}
