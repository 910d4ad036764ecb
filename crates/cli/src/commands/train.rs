//! `ur train`: trains players.

mod session;

use anyhow::Result;
use clap::{Subcommand, ValueEnum};
use puabi_engine::{Argmax, Brain, Linear, Model, SharedEvaluator};
use puabi_study::{
    Evolution, EvolutionOptions, Fit, FitOptions, Samples, TemporalDifference, TemporalOptions,
};
use session::{Common, Drawn, EXAM, Run, Steps, Summary};

use crate::output::Out;
use crate::{notation, tables};

/// How `ur train` trains.
#[derive(Debug, Subcommand)]
pub(crate) enum How {
    /// Breeds quadratic brains by self-play
    #[command(after_help = include_str!("../../help/train-brain.txt"))]
    Brain(BrainArgs),
    /// Learns by temporal difference, TD(lambda), from games against itself
    #[command(after_help = include_str!("../../help/train-td.txt"))]
    Td(TdArgs),
    /// Fits a player to the exact order of moves of a solved game
    #[command(after_help = include_str!("../../help/train-fit.txt"))]
    Fit(FitArgs),
}

/// The kind of player to train.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A weight for each pair of places
    Brain,
    /// A weight for each named feature
    Linear,
}

/// The options of training by gradients.
#[derive(Debug, clap::Args)]
struct GradientArgs {
    #[command(flatten)]
    common: Common,
    /// The kind of player
    #[arg(long, value_enum, default_value_t = Kind::Brain)]
    model: Kind,
    /// The first learning rate: about how far each weight moves at a change, in log-odds [default: by the model]
    #[arg(long, value_name = "X", value_parser = rate)]
    pace: Option<f32>,
}

/// A method of training players of any kind by gradients.
trait Method {
    /// Trains a player from `start` on at the learning rate `rate`.
    fn train<M: Model>(&self, start: &M, rate: f32, run: &Run<'_>) -> Result<Summary>;
}

impl GradientArgs {
    /// Trains the kind of player that the user chose.
    ///
    /// `usual_rate` is the learning rate of a brain, unless the user gives another.
    fn train(&self, method: &impl Method, usual_rate: f32, run: &Run<'_>) -> Result<Summary> {
        let rules = run.rules;
        let rate = |relative: f32| self.pace.unwrap_or(usual_rate * relative);
        match self.model {
            Kind::Brain => method.train(&self.common.start::<Brain>(rules)?, rate(1.0), run),
            // A linear player has few weights, and each of them has further to go.
            Kind::Linear => method.train(&self.common.start::<Linear>(rules)?, rate(10.0), run),
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct BrainArgs {
    #[command(flatten)]
    common: Common,
    /// Generations to breed
    #[arg(long, value_name = "N", default_value_t = 400)]
    generations: u64,
    /// Brains in a generation
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(4..))]
    population: u16,
    /// Games of each brain against each of its opponents: its parent, and up to three earlier ones
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TdArgs {
    #[command(flatten)]
    gradient: GradientArgs,
    /// Games to learn from, in whole steps
    #[arg(long, value_name = "N", default_value_t = 128_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games between two changes of the weights
    #[arg(long, value_name = "N", default_value_t = TemporalOptions::default().games, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    step: u64,
    /// How far back a TD error reaches, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.8, value_parser = lambda)]
    lambda: f32,
}

#[derive(Debug, clap::Args)]
pub(crate) struct FitArgs {
    #[command(flatten)]
    gradient: GradientArgs,
    /// Passes over all decisions
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// Games whose decisions are learnt from
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u64).range(..=100_000))]
    games: u64,
    /// Random positions whose decisions are learnt from
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    positions: u64,
}

fn rate(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|rate: &f32| *rate > 0.0 && *rate <= 1.0);
    number.ok_or_else(|| "expected a number above 0, at most 1, such as 0.01".to_owned())
}

fn lambda(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1, such as 0.8".to_owned())
}

pub(crate) fn run(how: &How, out: &mut Out) -> Result<()> {
    let common = how.common();
    common.ensure_places()?;
    let rules = notation::rules(&common.rules)?;
    let mut saved = common.saved(&rules, &how.command())?;
    saved.drawn = saved.drawn.or(how.drawn());
    let train = |exact: Option<SharedEvaluator<'_>>| {
        common.threads.run(|| how.train(&Run::new(common, &rules, exact, saved)?))?
    };
    let table = match how {
        How::Fit(_) => Some(tables::checked(&rules)?),
        How::Brain(_) | How::Td(_) => tables::solved(&rules)?,
    };
    let summary = match table {
        Some(table) => tables::with_values(&table, |exact| train(Some(exact)))?,
        None => train(None),
    };
    out.print(&summary?, common.json)
}

impl How {
    fn common(&self) -> &Common {
        match self {
            Self::Brain(args) => &args.common,
            Self::Td(args) => &args.gradient.common,
            Self::Fit(args) => &args.gradient.common,
        }
    }

    /// Returns the command that trains players in this way, without its other options.
    fn command(&self) -> String {
        let of = |way: &str, gradient: &GradientArgs| match gradient.model {
            Kind::Brain => format!("ur train {way}"),
            Kind::Linear => format!("ur train {way} --model linear"),
        };
        match self {
            Self::Brain(_) => "ur train brain".to_owned(),
            Self::Td(args) => of("td", &args.gradient),
            Self::Fit(args) => of("fit", &args.gradient),
        }
    }

    /// Returns how the decisions of a fit are drawn.
    fn drawn(&self) -> Option<Drawn> {
        let Self::Fit(FitArgs { gradient, games, positions, .. }) = self else { return None };
        Some(Drawn { seed: gradient.common.seed, games: *games, positions: *positions })
    }

    fn train(&self, run: &Run<'_>) -> Result<Summary> {
        match self {
            Self::Brain(args) => args.train(run),
            Self::Td(args) => {
                args.gradient.train(args, TemporalOptions::default().learning_rate, run)
            }
            Self::Fit(args) => args.gradient.train(args, FitOptions::default().learning_rate, run),
        }
    }
}

impl BrainArgs {
    fn train(&self, run: &Run<'_>) -> Result<Summary> {
        let options = EvolutionOptions {
            seed: self.common.seed,
            population: self.population.into(),
            games: self.games,
            ..EvolutionOptions::default()
        };
        let parent = self.common.start(run.rules)?;
        let evolution = Evolution::new(run.rules, &parent, options);
        run.complete(evolution, Steps { name: "generation", total: self.generations, measure: 20 })
    }
}

impl Method for TdArgs {
    fn train<M: Model>(&self, start: &M, rate: f32, run: &Run<'_>) -> Result<Summary> {
        let total = self.games.div_ceil(self.step);
        let (seed, games, lambda) = (self.gradient.common.seed, self.step, self.lambda);
        let options = TemporalOptions { seed, games, lambda, learning_rate: rate, steps: total };
        let trainer = TemporalDifference::new(run.rules, start, options);
        run.complete(trainer, Steps { name: "step", total, measure: 100 })
    }
}

impl Method for FitArgs {
    fn train<M: Model>(&self, start: &M, rate: f32, run: &Run<'_>) -> Result<Summary> {
        /// The share of random moves in the games.
        const STRAY: f64 = 0.1;
        let passes = self.passes;
        let Drawn { seed, games, positions } = run.saved.drawn.expect("a fit draws decisions");
        let (rules, exact) = (run.rules, run.exact.expect("a fit has exact values"));
        let played = Samples::played(rules, &exact, &Argmax(exact), (games, STRAY), seed);
        // Seeds count down from the exam's seed, which is reserved for the exam.
        let apart = (!seed).min(EXAM.2 - 1);
        let samples = played.and(Samples::spread(rules, &exact, positions, apart)?);
        let options = FitOptions { seed, passes, learning_rate: rate, ..FitOptions::default() };
        let fit = Fit::new(rules, start, &samples, options);
        run.complete(fit, Steps { name: "pass", total: passes.into(), measure: 1 })
    }
}
