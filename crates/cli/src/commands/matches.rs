//! `ur match`: two agents against each other.

mod exact;

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Result;
use puabi_core::Rules;
use puabi_engine::{AgentSpec, SharedEvaluator};
use puabi_study::{Contestant, Interval, MatchScore, Pairing, SharedAgent, Simulation};
use serde::Serialize;

use crate::options::Threads;
use crate::output::{Out, text};
use crate::progress::Bar;
use crate::tables::agents;
use crate::{files, notation};
use exact::Exact;

/// Arguments of `ur match`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/match.txt"))]
pub(crate) struct MatchArgs {
    /// The rule set
    rules: String,
    /// An agent, see `ur agents`
    a: AgentSpec,
    /// The other agent
    b: AgentSpec,
    /// Games to play, an even number [default: none, the result is exact]
    #[arg(long, value_name = "N", value_parser = even)]
    games: Option<u64>,
    /// The seed of the dice; the same seed gives the same games [default: a new one]
    #[arg(long, value_name = "N", requires = "games")]
    seed: Option<u64>,
    /// Stops as soon as it is clear which agent is stronger: whether A wins POINTS more or less than 50 of 100
    #[arg(long, value_name = "POINTS", num_args = 0..=1, default_missing_value = "1",
        require_equals = true, value_parser = points)]
    sprt: Option<f64>,
    /// Writes every game as a record into this directory
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Shows what each agent loses against perfect play
    #[arg(long, conflicts_with = "games")]
    regret: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Reads a number of games that come in pairs.
pub(super) fn even(text: &str) -> Result<u64, String> {
    let games = text.parse().ok().filter(|games: &u64| *games >= 2 && games.is_multiple_of(2));
    games.ok_or_else(|| "games come in pairs with swapped sides: expected 2, 4, 6 or more".into())
}

fn points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| (0.01..=25.0).contains(points));
    points.ok_or_else(|| "expected points from 0.01 to 25, as in `--sprt=1`".into())
}

/// The result of a match. Chances are A's.
#[derive(Debug, Serialize)]
struct MatchReport {
    rules: String,
    a: String,
    b: String,
    exact: bool,
    #[serde(flatten)]
    found: MatchResult,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum MatchResult {
    Exact(Exact),
    Sample(Sample),
}

/// The result of the games that were played.
#[derive(Debug, Serialize)]
struct Sample {
    a_first: f64,
    a_second: f64,
    a_mean: f64,
    /// The interval that contains `a_mean` in 95 of 100 such matches.
    interval: Interval,
    games: u64,
    /// The number of games that were cut off; each counts half a point.
    unfinished: u64,
    mean_rolls: f64,
    seed: u64,
    /// Whether it is clear which agent is stronger, if the user wants to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<bool>,
}

pub(crate) fn run(args: &MatchArgs, out: &mut Out) -> Result<()> {
    let rules = notation::rules(&args.rules)?;
    let [a, b] = [&args.a, &args.b];
    // The perfect player measures what the others lose.
    let perfect = args.regret.then_some(AgentSpec::PERFECT);
    let players = [a, b].into_iter().chain(&perfect);
    agents::ensure(players.clone(), &rules)?;
    let found = agents::with_values(players, &rules, |values| args.find(&rules, values))?;
    let (rules, [a, b]) = (rules.rule_set().to_string(), [a, b].map(ToString::to_string));
    let report = MatchReport { rules, a, b, exact: args.games.is_none(), found };
    out.print(&report, args.json)
}

impl MatchArgs {
    fn find(&self, rules: &Rules, values: Option<SharedEvaluator<'_>>) -> Result<MatchResult> {
        let a = agents::build(&self.a, rules, values)?;
        let b = agents::build(&self.b, rules, values)?;
        if let Some(games) = self.games {
            return self.sample(rules, [&*a, &*b], games).map(MatchResult::Sample);
        }
        let judges = values.filter(|_| self.regret);
        Exact::new(rules, [&*a, &*b], judges, self.label()).map(MatchResult::Exact)
    }

    fn label(&self) -> String {
        format!("{} against {}", self.a, self.b)
    }

    fn sample(&self, rules: &Rules, agents: [SharedAgent<'_>; 2], games: u64) -> Result<Sample> {
        let seed = self.seed.unwrap_or_else(rand::random);
        let simulation = Simulation { rules, agents, seed };
        let score = self.play(&simulation, games)?;
        if let Some(folder) = &self.records {
            self.write_records(&simulation, score.games() / 2, folder)?;
        }
        Ok(Sample {
            a_first: score.first(),
            a_second: score.second(),
            a_mean: score.mean(),
            interval: score.interval(),
            games: score.games(),
            unfinished: score.unfinished(),
            mean_rolls: score.mean_plies(),
            seed,
            decided: self.is_decided(&score),
        })
    }

    fn play(&self, simulation: &Simulation<'_>, games: u64) -> Result<MatchScore> {
        let bar = Bar::new(self.label());
        let watch = |score: &MatchScore| match self.is_decided(score) {
            Some(true) => ControlFlow::Break(()),
            _ => bar.step(score.games(), games),
        };
        self.threads.run(|| simulation.play(games / 2, watch))
    }

    fn is_decided(&self, score: &MatchScore) -> Option<bool> {
        self.sprt.map(|points| score.is_decided(points / 100.0))
    }

    /// Writes the games of a match, numbered from 1 in their order.
    fn write_records(&self, simulation: &Simulation<'_>, pairs: u64, folder: &Path) -> Result<()> {
        files::create_folder(folder)?;
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
            files::write(&folder.join(format!("{number:06}.urg")), &record.to_string())?;
        }
        Ok(())
    }
}

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, a, b, .. } = self;
        write!(f, "{rules}: {a} against {b}")?;
        match &self.found {
            MatchResult::Exact(exact) => exact.write(f, [a, b]),
            MatchResult::Sample(sample) => sample.write(f, a),
        }
    }
}

impl Sample {
    fn write(&self, f: &mut fmt::Formatter<'_>, a: &str) -> fmt::Result {
        let chances = [self.a_mean, self.a_first, self.a_second].map(text::percent);
        writeln!(f, "\n{}", text::wins(a, &chances))?;
        let [low, high] = [self.interval.low, self.interval.high].map(text::percent);
        writeln!(f, "95 % interval    {low} to {high}")?;
        let (games, seed) = (text::count(self.games), self.seed);
        writeln!(f, "games            {games} of {:.1} rolls, seed {seed}", self.mean_rolls)?;
        if self.unfinished > 0 {
            writeln!(f, "cut off          {}, half a point each", text::count(self.unfinished))?;
        }
        match self.decided {
            Some(true) => writeln!(f, "it is clear who is stronger"),
            Some(false) => writeln!(f, "it is not clear who is stronger"),
            None => Ok(()),
        }
    }
}
