//! `ur train`: players that learn.

mod session;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Subcommand, ValueEnum};
use puabi_core::Rules;
use puabi_engine::{Brain, Linear, Perfect, SharedEvaluator};
use puabi_study::{
    Basis, Evolution, EvolutionOptions, Exercises, Fit, FitOptions, Learner, Named, Pairs,
    TemporalDifference, TemporalOptions,
};
use session::{Session, Steps};

use crate::{Outcome, notation, tables};

/// Arguments of `ur train`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    how: How,
}

#[derive(Debug, Subcommand)]
enum How {
    /// Breeds quadratic brains by self-play
    #[command(after_help = "\
A generation is drawn around its parent and plays against it and against the hall of fame; the better half makes the next
parent. Every N generations the parent's strength is measured, where the game is solved (`ur solve RULES`).

Examples:
  ur train brain finkel --generations 400 --seed 1 --out brain.txt --plot brain.svg
  ur train brain finkel --generations 800 --out brain.txt --resume
  ur train brain my.toml --from brain.txt --out better.txt")]
    Brain(BrainArgs),
    /// Learns by temporal difference, TD(lambda), from games against itself
    #[command(after_help = "\
Examples:
  ur train td finkel --games 200000 --out td.txt
  ur train td skiriuk --model linear --lambda 0.9 --pace 0.04 --out linear.toml")]
    Td(TdArgs),
    /// Fits a player to the exact order of moves of a solved game
    #[command(after_help = "\
The decisions are those of games of the perfect player, in which one move in ten is drawn at random, and those of positions
drawn from all there are. A game that is not solved yet is solved first.

Examples:
  ur train fit finkel --out brain.txt --plot fit.svg
  ur train fit blitz --model linear --out linear.toml --seed 2")]
    Fit(FitArgs),
}

/// What every way of training takes.
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    /// The rule set
    rules: String,
    /// The file that the player is written to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The player to start from [default: one set by hand]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// What all chance is drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Goes on where an earlier run with the same --out ended, with the options of then
    #[arg(long)]
    resume: bool,
    /// Draws strength by step
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Steps from one measurement of strength to the next
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    measure: Option<u64>,
    /// Threads that work; the result is the same for any number [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// What is taught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Model {
    /// A weight for each pair of places
    Brain,
    /// A weight for each named feature
    Linear,
}

impl Model {
    /// Returns how many times as fast as a brain's its weights go: the few of features have further to go.
    const fn haste(self) -> f32 {
        match self {
            Self::Brain => 1.0,
            Self::Linear => 10.0,
        }
    }
}

/// What every way of teaching a player by slopes takes besides.
#[derive(Debug, clap::Args)]
struct Taught {
    #[command(flatten)]
    common: Common,
    /// What is taught
    #[arg(long, value_enum, default_value_t = Model::Brain)]
    model: Model,
    /// About how far each weight goes at a change, in log-odds, at first [default: by the model]
    #[arg(long, value_name = "X", value_parser = pace)]
    pace: Option<f32>,
}

/// A way of teaching players of any kind.
trait Teaching {
    /// Teaches `learner` and writes what came of it.
    fn teach<B: Basis>(&self, learner: Learner<B>, pace: f32, out: &mut Vec<u8>) -> Result<()>;
}

impl Taught {
    /// Has the player that was asked for taught, at its pace or at the usual one of `brain`.
    fn learn(
        &self,
        rules: &Rules,
        brain: f32,
        teaching: &impl Teaching,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let pace = self.pace.unwrap_or(brain * self.model.haste());
        match self.model {
            Model::Brain => {
                let learner = Learner::of(Pairs::new(rules), &self.common.brain(rules)?);
                teaching.teach(learner, pace, out)
            }
            Model::Linear => {
                let learner = Learner::of(Named::new(rules), &self.common.linear(rules)?);
                teaching.teach(learner, pace, out)
            }
        }
    }
}

#[derive(Debug, clap::Args)]
struct BrainArgs {
    #[command(flatten)]
    common: Common,
    /// Generations to breed
    #[arg(long, value_name = "N", default_value_t = 400)]
    generations: u64,
    /// Brains in a generation
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(4..))]
    population: u16,
    /// Games of each brain against each of its four opponents
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
}

#[derive(Debug, clap::Args)]
struct TdArgs {
    #[command(flatten)]
    taught: Taught,
    /// Games to learn from
    #[arg(long, value_name = "N", default_value_t = 128_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games between two changes of the weights
    #[arg(long, value_name = "N", default_value_t = TemporalOptions::default().games, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    step: u64,
    /// How far back a surprise reaches, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.8, value_parser = lambda)]
    lambda: f32,
}

#[derive(Debug, clap::Args)]
struct FitArgs {
    #[command(flatten)]
    taught: Taught,
    /// Passes over all decisions
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// Games whose decisions are learnt from
    #[arg(long, value_name = "N", default_value_t = 3000)]
    games: u64,
    /// Positions, drawn from all there are, whose decisions are learnt from
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
}

fn pace(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|pace: &f32| *pace > 0.0 && *pace <= 1.0);
    number.ok_or_else(|| "expected a number above 0, at most 1, such as 0.01".to_owned())
}

fn lambda(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1, such as 0.8".to_owned())
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let common = args.common();
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = common.threads {
        pool = pool.num_threads(threads.into());
    }
    let rules = notation::rules(&common.rules)?;
    let mut text = Vec::new();
    pool.build()?.install(|| args.how.train(&rules, &mut text))?;
    out.write_all(&text)?;
    Ok(Outcome::Done)
}

impl Args {
    fn common(&self) -> &Common {
        match &self.how {
            How::Brain(args) => &args.common,
            How::Td(args) => &args.taught.common,
            How::Fit(args) => &args.taught.common,
        }
    }
}

impl How {
    fn train(&self, rules: &Rules, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Brain(args) => args.train(rules, out),
            Self::Td(args) => args.taught.learn(rules, TemporalOptions::default().pace, args, out),
            Self::Fit(args) => args.taught.learn(rules, FitOptions::default().pace, args, out),
        }
    }
}

impl Common {
    /// Returns the text of the player to start from.
    fn start_text(&self) -> Result<Option<String>> {
        let read = |path: &PathBuf| {
            std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
        };
        self.from.as_ref().map(read).transpose()
    }

    fn brain(&self, rules: &Rules) -> Result<Brain> {
        match self.start_text()? {
            None => Ok(Brain::start(rules)),
            Some(text) => Brain::read(&text, rules).with_context(|| self.start_name()),
        }
    }

    fn linear(&self, rules: &Rules) -> Result<Linear> {
        match self.start_text()? {
            None => Ok(Linear::start(rules)),
            Some(text) => Linear::read(&text, rules).with_context(|| self.start_name()),
        }
    }

    fn start_name(&self) -> String {
        self.from.as_ref().map_or_else(String::new, |path| path.display().to_string())
    }
}

/// Returns what `work` makes of the exact values, or of none if the game is not solved.
fn with_exact<T>(
    rules: &Rules,
    work: impl FnOnce(Option<SharedEvaluator<'_>>) -> Result<T>,
) -> Result<T> {
    match tables::solved(rules)? {
        Some(table) => tables::with_values(&table, |exact| work(Some(exact)))?,
        None => work(None),
    }
}

impl BrainArgs {
    fn train(&self, rules: &Rules, out: &mut Vec<u8>) -> Result<()> {
        let options = EvolutionOptions {
            seed: self.common.seed,
            population: self.population.into(),
            games: self.games,
            ..EvolutionOptions::default()
        };
        let evolution = Evolution::from_brain(rules, &self.common.brain(rules)?, options);
        let steps = Steps { name: "generation", total: self.generations, measure: 20 };
        with_exact(rules, |exact| {
            Session::new(&self.common, rules, steps, exact)?.run(evolution, out)
        })
    }
}

impl Teaching for TdArgs {
    fn teach<B: Basis>(&self, learner: Learner<B>, pace: f32, out: &mut Vec<u8>) -> Result<()> {
        let rules = learner.basis().rules().clone();
        let total = self.games.div_ceil(self.step);
        let (common, lambda) = (&self.taught.common, self.lambda);
        let (seed, games) = (common.seed, self.step);
        let options = TemporalOptions { seed, games, lambda, pace, steps: total };
        let steps = Steps { name: "step", total, measure: 100 };
        let course = TemporalDifference::new(learner, options);
        with_exact(&rules, |exact| Session::new(common, &rules, steps, exact)?.run(course, out))
    }
}

impl Teaching for FitArgs {
    fn teach<B: Basis>(&self, learner: Learner<B>, pace: f32, out: &mut Vec<u8>) -> Result<()> {
        let rules = learner.basis().rules().clone();
        let (common, passes) = (&self.taught.common, self.passes);
        let seed = common.seed;
        let options = FitOptions { seed, passes, pace, ..FitOptions::default() };
        let steps = Steps { name: "pass", total: passes.into(), measure: 1 };
        tables::with_values(&tables::checked(&rules)?, |exact| {
            let exercises = self.exercises(&rules, exact)?;
            let fit = Fit::new(learner, &exercises, options);
            Session::new(common, &rules, steps, Some(exact))?.run(fit, out)
        })?
    }
}

impl FitArgs {
    fn exercises(&self, rules: &Rules, exact: SharedEvaluator<'_>) -> Result<Exercises> {
        /// One move in ten strays.
        const STRAY: f64 = 0.1;
        let seed = self.taught.common.seed;
        let played = Exercises::played(rules, &exact, &Perfect(exact), (self.games, STRAY), seed);
        Ok(played.and(Exercises::spread(rules, &exact, self.positions, !seed)?))
    }
}
