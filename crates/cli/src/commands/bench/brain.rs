//! `ur bench brain`: evaluations and games of a quadratic brain.

use std::fmt;
use std::hint::black_box;

use anyhow::Result;
use puabi_core::{Position, Rules};
use puabi_engine::{Brain, DiceRng, Model, Playout};
use puabi_study::duel;
use serde::Serialize;

use crate::notation;
use crate::output::{Out, machine};

/// Arguments of `ur bench brain`.
#[derive(Debug, clap::Args)]
pub(crate) struct BrainBenchArgs {
    /// The rule set
    rules: String,
    /// Games to play in each of nine runs
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct BrainSpeeds {
    rules: String,
    positions: usize,
    evaluation_nanoseconds: f64,
    games: u64,
    game_microseconds: f64,
}

pub(super) fn run(args: &BrainBenchArgs, out: &mut Out) -> Result<()> {
    let rules = notation::rules(&args.rules)?;
    let brain = Brain::shipped(&rules).unwrap_or_else(|| Brain::start(&rules));
    let positions = met(&rules, &brain);
    let evaluation = machine::processor_seconds(|| {
        let scores = positions.iter().map(|&position| brain.score(black_box(position)));
        black_box(scores.fold(0_i32, i32::wrapping_add));
    });
    let games = machine::processor_seconds(|| {
        let wins = (0..args.games).map(|seed| duel(&rules, (&brain, &brain), seed));
        black_box(wins.sum::<f64>());
    });
    let speeds = BrainSpeeds {
        rules: rules.rule_set().to_string(),
        positions: positions.len(),
        evaluation_nanoseconds: evaluation * 1e9 / positions.len() as f64,
        games: args.games,
        game_microseconds: games * 1e6 / args.games as f64,
    };
    out.print(&speeds, args.json)
}

impl fmt::Display for BrainSpeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, evaluation_nanoseconds, games, game_microseconds, .. } = self;
        write!(f, "an evaluation  {evaluation_nanoseconds:.1} ns, ")?;
        writeln!(f, "over {positions} positions of games")?;
        writeln!(f, "a game         {game_microseconds:.2} us, over {games} games")
    }
}

/// Returns the positions of some games that the brain plays against itself.
fn met(rules: &Rules, brain: &Brain) -> Vec<Position> {
    const POSITIONS: usize = 20_000;
    let mut playout = Playout::new(rules, DiceRng::new(1));
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        positions.push(playout.position());
        let (.., ending) = playout.ply(brain);
        if ending.is_some() {
            playout = playout.again();
        }
    }
    positions
}
