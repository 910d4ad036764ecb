//! `ur table pocket`: makes a pocket, and describes one.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail, ensure};
use puabi_core::Rules;
use puabi_engine::{Layers, Net, Pocket, Shape, SharedEvaluator};
use puabi_solve::{Options, SolveError, Solver};
use puabi_study::{NetFit, NetOptions, PocketBuildError, PocketBuilder, PocketGoal, PocketModel};
use puabi_tables::GameSize;
use serde::Serialize;

use crate::errors::{Advise, no};
use crate::options::Threads;
use crate::output::{Out, text};
use crate::progress::Bar;
use crate::tables::pockets;
use crate::{files, notation, tables};

/// Arguments of `ur table pocket`.
#[derive(Debug, clap::Args)]
pub(crate) struct PocketArgs {
    /// The rule set
    rules: String,
    /// The chance to win that the pocket may give away in a game
    #[arg(long, value_name = "CHANCE", value_parser = chance)]
    loss: Option<f64>,
    /// The most bytes of the file, about [default: no limit]
    #[arg(long, value_name = "N")]
    bytes: Option<u64>,
    /// The file for the pocket
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A pocket to take the net from [default: a net is trained]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// How often the net is backed up before it ranks moves: once loses less and takes twenty times as long [default: 1,
    /// or that of the pocket whose net is taken]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=1))]
    backups: Option<u8>,
    /// Steps of the training, each over 2 games
    #[arg(long, value_name = "N", default_value_t = 250_000, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "from")]
    steps: u64,
    /// Units of the hidden layers of the net, multiples of 16
    #[arg(long, value_name = "M,N", default_value = "128,32", value_parser = units, conflicts_with = "from")]
    units: (usize, usize),
    /// The seed of the training
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Finds the loss by this number of games against perfect play, luck taken out, if the game is not small [default: by
    /// following every chance]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1000..), conflicts_with = "exact")]
    games: Option<u64>,
    /// Finds the loss by an exact match-up, as is done for small games anyway
    #[arg(long)]
    exact: bool,
    #[command(flatten)]
    threads: Threads,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

fn chance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-9..=0.5).contains(number));
    number.ok_or_else(|| "expected a chance from 1e-9 to 0.5, such as 1e-3".to_owned())
}

fn units(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| {
        let number: Option<usize> = text.parse().ok();
        number
            .filter(|number| number.is_multiple_of(16) && (16..=Shape::MAX_UNITS).contains(number))
    };
    let numbers = text.split_once(',').and_then(|(m, n)| Some((number(m)?, number(n)?)));
    numbers.ok_or_else(|| {
        format!("expected two multiples of 16, at most {}, such as 128,32", Shape::MAX_UNITS)
    })
}

/// The facts that a pocket states about itself.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(serialize_with = "text::shown")]
    pocket: PathBuf,
    rules: String,
    bytes: u64,
    loss: f64,
    off_by: f64,
    found: String,
    exploitability: Option<f64>,
    net_bytes: usize,
    backups: u8,
    exceptions: u64,
    protected: u64,
    origin: String,
}

pub(crate) fn run(args: &PocketArgs, out: &mut Out) -> Result<()> {
    if args.loss.is_none() && args.bytes.is_none() {
        bail!("neither a loss nor a size is given: expected --loss 1e-3, --bytes 500000, or both");
    }
    let from: Vec<_> = args.from.iter().map(|path| path.display().to_string()).collect();
    files::ensure_result(&args.out, "the pocket, such as mine.pocket", &from)?;
    files::ensure_replaceable(&args.out, "pocket", Pocket::is_pocket)?;
    let rules = notation::rules(&args.rules)?;
    args.ensure_measurable(&rules)?;
    let kept = args.from.as_deref().map(pockets::open).transpose()?;
    if let Some(kept) = &kept
        && kept.rules().rule_set() != rules.rule_set()
    {
        bail!(
            "the net is one of {}: expected one of {}",
            kept.rules().rule_set(),
            rules.rule_set()
        );
    }
    let table = tables::checked(&rules)?;
    let mut made = None;
    // Reports a file that cannot be written before the work begins.
    files::write_with(&args.out, |file| {
        let pocket =
            tables::with_values(&table, |exact| args.pocket(&rules, exact, kept.as_ref()))??;
        file.write_all(&pocket.to_bytes())?;
        made = Some(pocket);
        Ok(())
    })?;
    let made = made.expect("a file that was written has its pocket");
    out.print(&Report::new(&args.out, &made), args.json)?;
    args.ensure_reached(&made)
}

impl PocketArgs {
    /// Checks, before work that takes hours, that the loss can be found as the user wants, and that there is the memory for it.
    fn ensure_measurable(&self, rules: &Rules) -> Result<()> {
        let name = rules.rule_set();
        ensure!(
            self.games.is_none() || !GameSize::of(rules).is_small(),
            "{name} is small: its loss is found exactly, and --games is for games that are not"
        );
        // The net's values take 8 bytes a position; the builder documents the rest.
        let memory: tables::Memory = if self.games.is_some() {
            |solver| solver.indexer().len().saturating_mul(12)
        } else if self.is_exact(rules) {
            |solver| tables::loading_memory(solver).saturating_add(solver.evaluation_memory())
        } else {
            |solver| solver.indexer().len().saturating_mul(24)
        };
        tables::solver(rules, Options::default(), memory).map(drop)
    }

    /// Returns whether the loss is found by an exact match-up.
    fn is_exact(&self, rules: &Rules) -> bool {
        self.exact || GameSize::of(rules).is_small()
    }

    /// Returns the answer no if the pocket loses more than it may.
    fn ensure_reached(&self, pocket: &Pocket) -> Result<()> {
        let (loss, place) = (pocket.facts().loss, self.out.display());
        match self.loss.filter(|asked| self.bytes.is_none() && loss > *asked) {
            None => Ok(()),
            Some(asked) => Err(no(
                anyhow!("the pocket loses {loss} a game: expected at most {asked}"),
                format!("it is written all the same, and `--from {place}` takes its net"),
            )),
        }
    }

    /// Returns whether the file for the pocket already has a pocket of this game that loses no more.
    fn has_better(&self, pocket: &Pocket) -> bool {
        let is_better = |kept: Pocket| {
            kept.rules().rule_set() == pocket.rules().rule_set()
                && kept.facts().loss <= pocket.facts().loss
        };
        pockets::open(&self.out).is_ok_and(is_better)
    }

    /// Makes the pocket, with the net of `kept` or a new one.
    fn pocket(
        &self,
        rules: &Rules,
        exact: SharedEvaluator<'_>,
        kept: Option<&Pocket>,
    ) -> Result<Pocket> {
        self.threads.run(|| {
            let net = match kept {
                Some(kept) => {
                    self.ensure_room(kept.net())?;
                    (kept.net().clone(), kept.facts().origin.clone())
                }
                None => self.train(rules, exact)?,
            };
            let backups = self.backups.or(kept.map(|kept| kept.facts().backups));
            let net = (PocketModel { net: net.0, backups: backups.unwrap_or(1) }, net.1);
            self.make(rules, exact, net)
        })?
    }

    /// Trains a net; returns it with a line on its origin.
    fn train(&self, rules: &Rules, exact: SharedEvaluator<'_>) -> Result<(Net, String)> {
        let (first, second) = self.units;
        let start = Layers::random(Shape::new(rules, first, second), self.seed);
        let options = NetOptions { seed: self.seed, steps: self.steps, ..NetOptions::default() };
        let mut fit = NetFit::new(rules, exact, start, options);
        self.ensure_room(&fit.net())?;
        let bar = Bar::new(format!("training a net for {}", rules.rule_set()));
        while fit.done() < self.steps {
            if bar.step(fit.done(), self.steps).is_break() {
                return Err(SolveError::Stopped.into());
            }
            fit.step();
        }
        let games = text::count(self.steps * options.games);
        let origin =
            format!("net {first},{second} of {games} games of perfect players, seed {}", self.seed);
        Ok((fit.net(), origin))
    }

    /// Returns an error if the net alone takes more than the bytes allowed.
    fn ensure_room(&self, net: &Net) -> Result<()> {
        let least = net.to_bytes().len() as u64;
        if self.bytes.is_some_and(|bytes| bytes < least) {
            bail!(
                "the net alone takes {least} bytes: expected as many for --bytes, or a smaller net"
            );
        }
        Ok(())
    }

    fn make(
        &self,
        rules: &Rules,
        exact: SharedEvaluator<'_>,
        (model, origin): (PocketModel, String),
    ) -> Result<Pocket> {
        let bar = Bar::new(format!("looking at the decisions of {}", rules.rule_set()));
        let goal = PocketGoal { loss: self.loss, bytes: self.bytes };
        let builder = PocketBuilder::new(rules, exact, model, goal.followed(), &bar)?;
        drop(bar);
        let made = builder.reach(goal, &origin, |pocket| self.measure(&builder, pocket));
        made.or_else(|error| match error.downcast()? {
            // The pocket's net has taken hours, and may serve for another goal.
            PocketBuildError::Missed { best, .. } if !self.has_better(&best) => Ok(*best),
            error @ PocketBuildError::Missed { .. } => {
                Err(error).hint(|| format!("{} loses less, and stays", self.out.display()))
            }
            error => Err(error.into()),
        })
    }

    /// Returns the pocket with its loss measured as the user wants.
    fn measure(&self, builder: &PocketBuilder<'_>, pocket: Pocket) -> Result<Pocket> {
        let rules = pocket.rules().clone();
        let bar = Bar::new(format!("measuring the pocket of {}", rules.rule_set()));
        if let Some(games) = self.games {
            return Ok(builder.measure_by_games(pocket, (games / 2, self.seed), &bar)?);
        }
        if !self.is_exact(&rules) {
            return Ok(builder.measure(pocket, &bar)?);
        }
        let options = Options { threads: self.threads.count(), ..Options::default() };
        let solver = tables::solver(&rules, options, Solver::evaluation_memory)?;
        let exploits = GameSize::of(&rules).is_small();
        Ok(builder.measure_exactly(pocket, &solver, exploits, &bar)?)
    }
}

/// Describes a pocket.
pub(super) fn info(text: &str, json: bool, out: &mut Out) -> Result<()> {
    out.print(&Report::new(text.as_ref(), &pockets::named(text)?), json)
}

impl Report {
    fn new(path: &Path, pocket: &Pocket) -> Self {
        let facts = pocket.facts().clone();
        Self {
            pocket: path.to_owned(),
            rules: pocket.rules().rule_set().to_string(),
            bytes: pocket.to_bytes().len() as u64,
            loss: facts.loss,
            off_by: facts.off_by,
            found: facts.found,
            exploitability: facts.exploitability,
            net_bytes: pocket.net().to_bytes().len(),
            backups: facts.backups,
            exceptions: facts.exceptions,
            protected: facts.protected,
            origin: facts.origin,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |loss: f64| format!("{:.4} %", 100.0 * loss);
        let bytes = text::bytes(self.bytes);
        writeln!(f, "{}: the pocket player of {}, {bytes}", self.pocket.display(), self.rules)?;
        writeln!(f, "loss         {} of a game against perfect play", percent(self.loss))?;
        writeln!(f, "found by     {}, off by {} at most", self.found, percent(self.off_by))?;
        if let Some(gain) = self.exploitability {
            writeln!(f, "exploitable  by {} of a game", percent(gain))?;
        }
        let net = text::bytes(self.net_bytes as u64);
        let backups = if self.backups > 0 { ", backed up once" } else { "" };
        writeln!(f, "net          {net}{backups}")?;
        let (stored, protected) = (text::count(self.exceptions), text::count(self.protected));
        writeln!(f, "exceptions   {stored}, and {protected} more that are told apart from them")?;
        writeln!(f, "origin       {}", self.origin)
    }
}
