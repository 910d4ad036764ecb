//! `ur match`: two agents against each other.

mod exact;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, anyhow, bail};
use puabi_core::{Record, Rules};
use puabi_engine::{AgentSpec, SharedEvaluator};
use puabi_solve::{Exchange, Options, SolveError};
use puabi_study::{
    Adjusted, Contestant, Engines, Interval, MatchScore, Pairing, SharedAgent, Simulation,
};
use serde::Serialize;

use crate::errors::Advise;
use crate::options::{EngineSettings, Threads};
use crate::output::{Out, status, text};
use crate::progress::Bar;
use crate::ranks::{ensure_same_rules, seed};
use crate::tables::agents;
use crate::{files, notation};
use exact::Exact;

/// Arguments of `ur match`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/match.txt"))]
pub struct MatchArgs {
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
    /// Stops as soon as it is clear which agent is stronger: whether A wins POINTS more or less than 50 of 100. The 95 % interval
    /// is computed as if the number of games had been fixed beforehand, so it contains the true value in fewer than 95 of 100
    /// matches
    #[arg(long, value_name = "POINTS", num_args = 0..=1, default_missing_value = "1",
        require_equals = true, value_parser = points)]
    sprt: Option<f64>,
    /// Takes the luck of the dice out of the results, by the values of the solved game: the mean is the same, and between good
    /// players 10 to 90 times fewer games give the same precision
    #[arg(long, requires = "games", conflicts_with_all = ["sprt", "records"])]
    adjust: bool,
    /// Writes every game as a record into this directory
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    engines: EngineSettings,
    /// Shows what each agent loses against perfect play
    #[arg(long, conflicts_with = "games")]
    regret: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Reads an even number of games: games come in pairs.
pub(super) fn even(text: &str) -> Result<u64, String> {
    let games = text.parse().ok().filter(|games: &u64| *games >= 2 && games.is_multiple_of(2));
    let expected = "expected an even number, such as 1000: games come in pairs with swapped sides";
    games.ok_or_else(|| expected.into())
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
    /// The interval that contains the true `a_mean` in 95 of 100 such matches, if the number of games was set beforehand. If
    /// there is a `decided`, it contains it less often.
    interval: Interval,
    games: u64,
    /// The number of games without a winner, drawn or cut off; each counts half a point.
    unfinished: u64,
    /// The numbers of games that A and B gave up, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    forfeits: Option<[u64; 2]>,
    mean_rolls: f64,
    seed: u64,
    /// The mean with the luck of the dice taken out, if the user wants it.
    #[serde(skip_serializing_if = "Option::is_none")]
    adjusted: Option<Adjusted>,
    /// Whether it is clear which agent is stronger, if the user wants to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<bool>,
}

/// The fewest digits of the number in a record's name.
const DIGITS: usize = 6;

/// The games of a match with an outside engine, unless the user says how many.
const ENGINE_GAMES: u64 = 1000;

/// Plays the games of a match among ranks. Returns an error if the result is to be exact: one process finds that.
pub(super) fn simulate(args: &MatchArgs, ranks: &dyn Exchange, out: &mut Out) -> Result<()> {
    if args.games()?.is_none() {
        return Err(anyhow!("there are no games to share: an exact result is found by one process"))
            .hint(|| "--games 1000000 plays games, as many as you like; `ur match` finds the exact result");
    }
    if args.records.is_some() && ranks.ranks() > 1 {
        return Err(anyhow!("each rank has only the records of the games that it plays"))
            .hint(|| "`ur match --records` with the same seed plays the same games");
    }
    run(args, ranks, out)
}

pub(super) fn run(args: &MatchArgs, ranks: &dyn Exchange, out: &mut Out) -> Result<()> {
    let games = args.games()?;
    let engines = args.engines.engines([&args.a, &args.b], |fault| status(fault))?;
    let rules = notation::rules(&args.rules)?;
    ensure_same_rules(&rules, ranks)?;
    let [a, b] = [&args.a, &args.b];
    // The perfect player's values measure what the others lose, and the luck of the dice.
    let perfect = (args.regret || args.adjust).then_some(AgentSpec::PERFECT);
    let players = [a, b].into_iter().chain(&perfect);
    agents::ensure(players.clone(), &rules)?;
    agents::ensure_alike(players.clone(), &rules, ranks)?;
    if games.is_none() {
        let unused = [("--sprt", args.sprt.is_some()), ("--records", args.records.is_some())];
        if let Some((option, _)) = unused.into_iter().find(|(_, is_given)| *is_given) {
            return Err(anyhow!("{option} is for games that are played, and the result is exact"))
                .hint(|| "--games 10000 plays games, as many as you like");
        }
        agents::ensure_exact(players.clone(), "--games 10000 plays games, as many as you like")?;
    }
    let found = agents::with_values(players, &rules, ranks, |values| {
        args.find(&rules, games, values, &engines, ranks)
    })?;
    let (rules, [a, b]) = (rules.rule_set().to_string(), [a, b].map(ToString::to_string));
    let report = MatchReport { rules, a, b, exact: games.is_none(), found };
    out.print(&report, args.json)?;
    // The games of a stopped match have their result, too.
    if report.found.is_stopped(games) { Err(SolveError::Stopped.into()) } else { Ok(()) }
}

impl MatchResult {
    /// Returns whether the user stopped the match before these games were played.
    fn is_stopped(&self, games: Option<u64>) -> bool {
        match self {
            Self::Exact(_) => false,
            Self::Sample(sample) => {
                sample.decided != Some(true) && games.is_some_and(|games| sample.games < games)
            }
        }
    }
}

impl MatchArgs {
    /// Returns the number of games to play; `None` if the result is to be exact. With an outside engine it is never exact.
    fn games(&self) -> Result<Option<u64>> {
        let mut agents = [&self.a, &self.b].into_iter();
        let Some(engine) = agents.find(|agent| agent.command().is_some()) else {
            return Ok(self.games);
        };
        if self.regret {
            bail!(
                "regret is exact, and `{engine}` is another program: `ur league` measures its regret by games"
            );
        }
        if self.games.is_none() {
            status(format_args!(
                "no exact result can be had with `{engine}`, which is known only by its moves: simulated, --games {ENGINE_GAMES}"
            ));
        }
        Ok(self.games.or(Some(ENGINE_GAMES)))
    }

    fn find(
        &self,
        rules: &Rules,
        games: Option<u64>,
        values: Option<SharedEvaluator<'_>>,
        engines: &Engines,
        ranks: &dyn Exchange,
    ) -> Result<MatchResult> {
        let a = agents::build(&self.a, rules, values, engines)?;
        let b = agents::build(&self.b, rules, values, engines)?;
        if let Some(games) = games {
            let values = values.filter(|_| self.adjust);
            return self.sample(rules, [&*a, &*b], (games, values), ranks).map(MatchResult::Sample);
        }
        let judges = values.filter(|_| self.regret);
        let options = Options { threads: self.threads.count(), ..Options::default() };
        Exact::new(rules, [&*a, &*b], judges, (self.label(), options)).map(MatchResult::Exact)
    }

    fn label(&self) -> String {
        format!("{} against {}", self.a, self.b)
    }

    fn sample(
        &self,
        rules: &Rules,
        agents: [SharedAgent<'_>; 2],
        (games, values): (u64, Option<SharedEvaluator<'_>>),
        ranks: &dyn Exchange,
    ) -> Result<Sample> {
        let (seed, bar) = (seed(self.seed, ranks), Bar::new(self.label()));
        let simulation = Simulation { rules, agents, seed, watch: &bar };
        let watch = self.watch(&bar, games);
        let (score, adjusted) = match (&self.records, values) {
            (Some(folder), _) => (self.play_recording(&simulation, watch, games, folder)?, None),
            (None, None) => {
                let play = || simulation.play_among(ranks, games / 2, watch);
                (self.threads.run(play)?, None)
            }
            (None, Some(values)) => {
                let play = || simulation.play_adjusted(ranks, games / 2, values, watch);
                let (score, adjusted) = self.threads.run(play)?;
                (score, Some(adjusted))
            }
        };
        if score.games() == 0 {
            return Err(SolveError::Stopped.into());
        }
        Ok(Sample {
            a_first: score.first(),
            a_second: score.second(),
            a_mean: score.mean(),
            interval: score.interval(),
            games: score.games(),
            unfinished: score.unfinished(),
            forfeits: Some(score.forfeits()).filter(|&forfeits| forfeits != [0, 0]),
            mean_rolls: score.mean_plies(),
            seed,
            adjusted,
            decided: self.is_decided(&score),
        })
    }

    /// Returns the callback that shows the progress of the match and ends it early.
    fn watch(&self, bar: &Bar, games: u64) -> impl FnMut(&MatchScore) -> ControlFlow<()> + Send {
        move |score| match self.is_decided(score) {
            Some(true) => ControlFlow::Break(()),
            _ => bar.step(score.games(), games),
        }
    }

    fn is_decided(&self, score: &MatchScore) -> Option<bool> {
        self.sprt.map(|points| score.is_decided(points / 100.0))
    }

    /// Plays the match and writes its games, numbered from 1 in their order.
    fn play_recording(
        &self,
        simulation: &Simulation<'_>,
        mut watch: impl FnMut(&MatchScore) -> ControlFlow<()> + Send,
        games: u64,
        folder: &Path,
    ) -> Result<MatchScore> {
        files::create_folder(folder)?;
        self.ensure_same_match(simulation, folder)?;
        let failure = Mutex::new(None);
        let failed = || failure.lock().unwrap_or_else(PoisonError::into_inner);
        let keep = |pairing: Pairing, record: Record| {
            if let Err(error) = self.write_record(pairing, record, folder) {
                *failed() = Some(error);
            }
        };
        let watch = |score: &MatchScore| match *failed() {
            Some(_) => ControlFlow::Break(()),
            None => watch(score),
        };
        let score = self.threads.run(|| simulation.play_recording(games / 2, &keep, watch))?;
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(score), Err)
    }

    /// Checks, before any game is played, that the records in the folder belong to this match. It compares only the first one.
    fn ensure_same_match(&self, simulation: &Simulation<'_>, folder: &Path) -> Result<()> {
        let names = folder.read_dir().and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let names = names.doing("reading", folder.display())?.into_iter().map(|it| it.file_name());
        let number = |name: OsString| {
            let number = name.to_str()?.strip_suffix(".urg").filter(|it| it.len() >= DIGITS)?;
            number.parse::<u64>().ok()
        };
        let Some(first) = names.filter_map(number).min().and_then(|first| first.checked_sub(1))
        else {
            return Ok(());
        };
        let light = if first.is_multiple_of(2) { Contestant::A } else { Contestant::B };
        let pairing = Pairing { pair: first / 2, light };
        self.write_record(pairing, simulation.record(pairing), folder)
    }

    fn write_record(&self, pairing: Pairing, mut record: Record, folder: &Path) -> Result<()> {
        let Pairing { pair, light } = pairing;
        let (number, light, dark) = match light {
            Contestant::A => (2 * pair + 1, &self.a, &self.b),
            Contestant::B => (2 * pair + 2, &self.b, &self.a),
        };
        record.set_header("light", &light.to_string())?;
        record.set_header("dark", &dark.to_string())?;
        let (path, text) = (folder.join(format!("{number:0DIGITS$}.urg")), record.to_string());
        // An earlier run may have written some records of the same match, the last one in part.
        match files::text_at(&path) {
            Ok(found) if found == text => Ok(()),
            Ok(found) if text.starts_with(&found) => files::write_again(&path, &text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                files::write_again(&path, &text)
            }
            _ => bail!("{} is of another match: expected a folder without games", path.display()),
        }
    }
}

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, a, b, .. } = self;
        write!(f, "{rules}: {a} against {b}")?;
        match &self.found {
            MatchResult::Exact(exact) => exact.write(f, [a, b]),
            MatchResult::Sample(sample) => sample.write(f, [a, b]),
        }
    }
}

impl Sample {
    fn write(&self, f: &mut fmt::Formatter<'_>, [a, b]: [&str; 2]) -> fmt::Result {
        let chances = [self.a_mean, self.a_first, self.a_second].map(text::percent);
        writeln!(f, "\n{}", text::wins(a, &chances))?;
        let [low, high] = [self.interval.low, self.interval.high].map(text::percent);
        let by_sprt =
            if self.decided.is_some() { ", as if the number of games had been fixed" } else { "" };
        writeln!(f, "95 % interval    {low} to {high}{by_sprt}")?;
        if let Some(Adjusted { a_mean, interval, worth, .. }) = self.adjusted {
            let [mean, low, high] = [a_mean, interval.low, interval.high].map(text::percent);
            let worth =
                worth.map_or(String::new(), |worth| format!(", worth {worth:.1} times the games"));
            writeln!(f, "luck taken out   {mean}, {low} to {high}{worth}")?;
        }
        let (games, seed) = (text::count(self.games), self.seed);
        writeln!(f, "games            {games} of {:.1} rolls, seed {seed}", self.mean_rolls)?;
        if self.unfinished > 0 {
            writeln!(f, "without winner   {}, half a point each", text::count(self.unfinished))?;
        }
        if let Some([of_a, of_b]) = self.forfeits {
            let [of_a, of_b] = [of_a, of_b].map(text::count);
            writeln!(f, "given up         {of_a} by {a}, {of_b} by {b}")?;
        }
        match self.decided {
            Some(true) => writeln!(f, "it is clear who is stronger"),
            Some(false) => writeln!(f, "it is not clear who is stronger"),
            None => Ok(()),
        }
    }
}
