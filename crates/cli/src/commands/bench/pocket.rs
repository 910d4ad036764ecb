//! `ur bench pocket`: decisions of a pocket.

use std::fmt;
use std::hint::black_box;

use anyhow::{Result, bail, ensure};
use puabi_core::{Agent, Decision};
use puabi_engine::{DiceRng, Playout, Pocket};
use serde::Serialize;

use crate::notation;
use crate::output::{Out, machine, text};
use crate::tables::pockets;

/// Arguments of `ur bench pocket`.
#[derive(Debug, clap::Args)]
pub(crate) struct PocketBenchArgs {
    /// A rule set whose pocket ships with the program, or a pocket: its file, or `pocket:FILE`
    pocket: String,
    /// Random decisions to hash
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    decisions: usize,
    /// The seed of the random decisions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// The processor time of a decision, and the hash of many.
#[derive(Debug, Serialize)]
struct PocketSpeeds {
    rules: String,
    /// The time of a decision that the pocket meets in games.
    decision_microseconds: f64,
    /// The time of a random decision.
    random_microseconds: f64,
    decisions: usize,
    seed: u64,
    hash: String,
}

/// The number of decisions that are timed.
const TIMED: usize = 5_000;
/// The most plies of games that are searched for such decisions.
const MOST_PLIES: usize = 1_000_000;

pub(super) fn run(args: &PocketBenchArgs, out: &mut Out) -> Result<()> {
    let pocket = args.pocket()?;
    let random: Vec<_> = pocket.trials(args.seed).take(TIMED).collect();
    ensure_choices(&pocket, &random)?;
    let met = met(&pocket, args.seed);
    ensure_choices(&pocket, &met)?;
    let speeds = PocketSpeeds {
        rules: pocket.rules().rule_set().to_string(),
        decision_microseconds: microseconds(&pocket, &met),
        random_microseconds: microseconds(&pocket, &random),
        decisions: args.decisions,
        seed: args.seed,
        hash: pocket.trial(args.seed, args.decisions),
    };
    out.print(&speeds, args.json)
}

impl PocketBenchArgs {
    fn pocket(&self) -> Result<Pocket> {
        if pockets::is_pocket(&self.pocket) {
            return pockets::named(&self.pocket);
        }
        let rules = notation::rules(&self.pocket)?;
        let Some(pocket) = Pocket::shipped(&rules) else {
            bail!("no pocket ships for {}: `ur table pocket` makes one", rules.rule_set());
        };
        Ok(pocket)
    }
}

/// Returns an error if there are fewer decisions than are timed.
fn ensure_choices(pocket: &Pocket, found: &[Decision<'_>]) -> Result<()> {
    let (rules, found) = (pocket.rules().rule_set(), found.len());
    ensure!(
        found >= TIMED,
        "{rules} leaves no choice: {found} decisions with two moves or more were found, expected {TIMED}"
    );
    Ok(())
}

/// Returns the processor time of a decision.
fn microseconds(pocket: &Pocket, decisions: &[Decision<'_>]) -> f64 {
    let all = machine::processor_seconds(|| {
        for decision in decisions {
            black_box(pocket.choose(black_box(decision), 0.0));
        }
    });
    all * 1e6 / decisions.len() as f64
}

/// Returns `TIMED` decisions with at least two moves, from games that the pocket plays against itself. Returns fewer if the games
/// hardly ever leave a choice.
fn met(pocket: &Pocket, seed: u64) -> Vec<Decision<'_>> {
    let mut playout = Playout::new(pocket.rules(), DiceRng::new(seed));
    let mut decisions = Vec::new();
    for _ in 0..MOST_PLIES {
        if decisions.len() == TIMED {
            break;
        }
        let decision = playout.roll();
        if decision.moves().len() > 1 {
            decisions.push(decision);
        }
        let after = decision.after(pocket.choose(&decision, 0.0));
        if playout.follow(after).is_some() {
            playout = playout.again();
        }
    }
    decisions
}

impl fmt::Display for PocketSpeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { decision_microseconds, random_microseconds, seed, hash, .. } = self;
        writeln!(
            f,
            "a decision  {decision_microseconds:.1} us in games, {random_microseconds:.1} us at random"
        )?;
        writeln!(
            f,
            "hash        {hash}, of {} random decisions, seed {seed}",
            text::count(self.decisions as u64)
        )
    }
}
