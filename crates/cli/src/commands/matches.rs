//! `ur match`: two agents against each other.

use std::fs;
use std::io::Write;
use std::num::NonZeroU16;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use puabi_core::Rules;
use puabi_engine::{AgentSpec, BoxedAgent};
use puabi_solve::Watch;
use puabi_study::{Contestant, Interval, Pairing, Simulation, Tally};
use serde::Serialize;

use super::exact;
use crate::watch::Bar;
use crate::{Outcome, agents, notation, text};

/// Arguments of `ur match`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Nothing is sampled without --games: the result counts every game that the dice can make of it.
Games come in pairs: each agent moves first in one of the two, and the dice show the same in both.

Examples:
  ur match finkel perfect greedy
  ur match finkel:3 greedy random --regret --json
  ur match finkel greedy hit+least-exposed --games 100000 --seed 7
  ur match finkel expectimax:3 perfect --games 20000 --json
  ur match blitz level:7 level:6 --games 1000000 --sprt")]
pub(crate) struct Args {
    /// The rule set
    rules: String,
    /// An agent, see `ur agents`
    a: AgentSpec,
    /// The other agent
    b: AgentSpec,
    /// Games to play, an even number; none for the exact result
    #[arg(long, value_name = "N", value_parser = games)]
    games: Option<u64>,
    /// The seed of the dice; the same seed gives the same games [default: a new one]
    #[arg(long, value_name = "N", requires = "games")]
    seed: Option<u64>,
    /// Stops as soon as it is clear who is stronger: whether A wins POINTS more or less than 50 of 100
    #[arg(long, value_name = "POINTS", num_args = 0..=1, default_missing_value = "1",
        require_equals = true, value_parser = points)]
    sprt: Option<f64>,
    /// Writes every game as a record into this directory
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Threads that play; the result is the same for any number [default: one a processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroU16>,
    /// Tells what each agent gives away against perfect play
    #[arg(long, conflicts_with = "games")]
    regret: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Reads a number of games that come in pairs.
pub(crate) fn games(text: &str) -> Result<u64, String> {
    let games = text.parse().ok().filter(|games: &u64| *games >= 2 && games.is_multiple_of(2));
    games.ok_or_else(|| "games come in pairs with swapped sides: expected 2, 4, 6 or more".into())
}

fn points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| (0.01..=25.0).contains(points));
    points.ok_or_else(|| "expected points from 0.01 to 25, as in `--sprt=1`".into())
}

/// How a match ended. Chances are A's.
#[derive(Debug, Serialize)]
struct MatchReport {
    rules: String,
    a: String,
    b: String,
    exact: bool,
    a_first: f64,
    a_second: f64,
    a_mean: f64,
    #[serde(flatten)]
    sample: Sample,
}

/// What there is to say of games that were played.
#[derive(Debug, Serialize)]
struct Sample {
    /// Holds `a_mean` in 95 of 100 such matches.
    interval: Interval,
    games: u64,
    /// Games that were cut off, half a point each.
    unfinished: u64,
    mean_rolls: f64,
    seed: u64,
    /// Whether it is clear who is stronger, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<bool>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let rules = notation::rules(&args.rules)?;
    let Some(games) = args.games else { return args.exact(&rules, out) };
    let report = args.simulated(&rules, games)?;
    if args.json {
        text::write_json(&report, out)?;
    } else {
        report.write(out)?;
    }
    Ok(Outcome::Done)
}

/// Runs `work` on so many threads, or one a processor.
pub(crate) fn on_threads<T: Send>(
    threads: Option<NonZeroU16>,
    work: impl FnOnce() -> T + Send,
) -> Result<T> {
    let threads = threads.map_or(0, |threads| threads.get().into());
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(work))
}

impl Args {
    /// Writes the exact result.
    fn exact(&self, rules: &Rules, out: &mut dyn Write) -> Result<Outcome> {
        let (agents, perfect) = ([&self.a, &self.b], AgentSpec::PERFECT);
        let playing = agents.into_iter().chain(self.regret.then_some(&perfect));
        agents::with_values(playing, rules, |values| {
            let [a, b] = agents.map(|spec| agents::build(spec, rules, values));
            let (a, b): (BoxedAgent<'_>, BoxedAgent<'_>) = (a?, b?);
            let [a_name, b_name] = agents.map(ToString::to_string);
            let named: [exact::Named<'_>; 2] = [(&a_name, &*a), (&b_name, &*b)];
            exact::run(rules, named, values.filter(|_| self.regret), self.json, out)
        })
    }

    fn simulated(&self, rules: &Rules, games: u64) -> Result<MatchReport> {
        agents::with_values([&self.a, &self.b], rules, |values| {
            let [a, b] = [&self.a, &self.b].map(|spec| agents::build(spec, rules, values));
            let (a, b): (BoxedAgent<'_>, BoxedAgent<'_>) = (a?, b?);
            let seed = self.seed.unwrap_or_else(rand::random);
            let simulation = Simulation { rules, a: &*a, b: &*b, seed };
            let tally = self.play(&simulation, games)?;
            if let Some(directory) = &self.records {
                self.write_records(&simulation, tally.games() / 2, directory)?;
            }
            Ok(self.report(rules, seed, &tally))
        })
    }

    fn play(&self, simulation: &Simulation<'_>, games: u64) -> Result<Tally> {
        let bar = Bar::new(format!("{} against {}", self.a, self.b));
        let is_decided =
            |tally: &Tally| self.sprt.is_some_and(|points| tally.is_decided(points / 100.0));
        let watch = |tally: &Tally| {
            bar.progress(tally.games(), games);
            if bar.stop() || is_decided(tally) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        on_threads(self.threads, || simulation.play(games / 2, watch))
    }

    fn report(&self, rules: &Rules, seed: u64, tally: &Tally) -> MatchReport {
        let sample = Sample {
            interval: tally.interval(),
            games: tally.games(),
            unfinished: tally.unfinished(),
            mean_rolls: tally.mean_plies(),
            seed,
            decided: self.sprt.map(|points| tally.is_decided(points / 100.0)),
        };
        MatchReport {
            rules: rules.rule_set().to_string(),
            a: self.a.to_string(),
            b: self.b.to_string(),
            exact: false,
            a_first: tally.first(),
            a_second: tally.second(),
            a_mean: tally.mean(),
            sample,
        }
    }

    /// Writes the games of a match, numbered from 1 in their order.
    fn write_records(
        &self,
        simulation: &Simulation<'_>,
        pairs: u64,
        directory: &Path,
    ) -> Result<()> {
        fs::create_dir_all(directory)
            .with_context(|| format!("creating {}", directory.display()))?;
        let pairings = (0..pairs)
            .flat_map(|pair| [Contestant::A, Contestant::B].map(|light| Pairing { pair, light }));
        for (number, pairing) in (1_u64..).zip(pairings) {
            let mut record = simulation.record(pairing);
            let (light, dark) = match pairing.light {
                Contestant::A => (&self.a, &self.b),
                Contestant::B => (&self.b, &self.a),
            };
            record.set_header("light", &light.to_string())?;
            record.set_header("dark", &dark.to_string())?;
            let path = directory.join(format!("{number:06}.urg"));
            fs::write(&path, record.to_string())
                .with_context(|| format!("writing {}", path.display()))?;
        }
        Ok(())
    }
}

impl MatchReport {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let Self { rules, a, b, a_first, a_second, a_mean, .. } = self;
        writeln!(out, "{rules}: {a} against {b}")?;
        writeln!(out, "{a} wins {}", text::percent(*a_mean))?;
        writeln!(out, "  moving first   {}", text::percent(*a_first))?;
        writeln!(out, "  moving second  {}", text::percent(*a_second))?;
        self.sample.write(out)
    }
}

impl Sample {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let [low, high] = [self.interval.low, self.interval.high].map(text::percent);
        writeln!(out, "95 % interval    {low} to {high}")?;
        let (games, seed) = (text::count(self.games), self.seed);
        writeln!(out, "games            {games} of {:.1} rolls, seed {seed}", self.mean_rolls)?;
        if self.unfinished > 0 {
            writeln!(out, "cut off          {}, half a point each", text::count(self.unfinished))?;
        }
        match self.decided {
            Some(true) => writeln!(out, "it is clear who is stronger")?,
            Some(false) => writeln!(out, "it is not clear who is stronger")?,
            None => {}
        }
        Ok(())
    }
}
