//! `ur league`: every agent against every other.

use std::io::Write;
use std::num::NonZeroU16;
use std::ops::ControlFlow;

use anyhow::{Result, bail};
use puabi_core::{Agent, Rules};
use puabi_engine::{AgentSpec, BoxedAgent, Roster, SharedEvaluator};
use puabi_solve::Watch;
use puabi_study::{Anchor, Conduct, Crosstable, League};
use serde::Serialize;

use crate::commands::matches::{games, on_threads};
use crate::watch::Bar;
use crate::{Outcome, agents, notation, talk, text};

/// Arguments of `ur league`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Ratings are the most likely ones, with half the width of the 95 % interval of the difference to \
perfect, which has 2000; where perfect does not play, the mean is 1500. Regret is what a move loses on \
average against the best one, in points of win chance, when the agent plays itself; time is that of a \
decision.

Examples:
  ur league finkel --agents all --json
  ur league finkel:3 --agents levels --games 10000 --seed 7
  ur league blitz --agents perfect,greedy,random,hit+least-exposed")]
pub(crate) struct Args {
    /// The rule set
    rules: String,
    /// Who plays: all, cheap, levels, or agents with commas between, see `ur agents`
    #[arg(long, value_name = "LIST", default_value = "cheap")]
    agents: Roster,
    /// Games of each two agents, an even number
    #[arg(long, value_name = "N", default_value = "1000", value_parser = games)]
    games: u64,
    /// The seed of the dice; the same seed gives the same games [default: a new one]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Threads that play; the result is the same for any number [default: one a processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroU16>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct LeagueReport {
    rules: String,
    games_a_pairing: u64,
    seed: u64,
    /// The strongest first.
    agents: Vec<Entry>,
    /// The share of points that the agent of the row won against that of the column.
    matrix: Vec<Vec<Option<f64>>>,
}

#[derive(Debug, Serialize)]
struct Entry {
    agent: String,
    elo: f64,
    elo_error: f64,
    /// The share of points won.
    mean: f64,
    /// The mean loss of a move, as a chance; none where the game has no table.
    regret: Option<f64>,
    microseconds: f64,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let rules = notation::rules(&args.rules)?;
    let named = args.agents.agents();
    let seed = args.seed.unwrap_or_else(rand::random);
    let report = agents::with_values(&named, &rules, |values| {
        let players = players(args, &rules, &named, values)?;
        let crosstable = play(args, &rules, &players, seed)?;
        Ok(LeagueReport::new(args, &rules, &players, &crosstable, (seed, values)))
    })?;
    if args.json {
        text::write_json(&report, out)?;
    } else {
        report.write(out)?;
    }
    Ok(Outcome::Done)
}

/// An agent with its name.
type Entrant<'a> = (&'a AgentSpec, BoxedAgent<'a>);

/// Returns those who play; of a group, those that the rule set has.
fn players<'a>(
    args: &Args,
    rules: &'a Rules,
    named: &'a [AgentSpec],
    values: Option<SharedEvaluator<'a>>,
) -> Result<Vec<Entrant<'a>>> {
    let mut players = Vec::new();
    for spec in named {
        match agents::build(spec, rules, values) {
            Ok(agent) => players.push((spec, agent)),
            Err(error) if args.agents.is_group() => talk(&format!("left out: {error}")),
            Err(error) => return Err(error),
        }
    }
    Ok(players)
}

fn play(args: &Args, rules: &Rules, players: &[Entrant<'_>], seed: u64) -> Result<Crosstable> {
    let bar = Bar::new(format!("league of {}", players.len()));
    let agents: Vec<&(dyn Agent + Sync)> = players.iter().map(|(_, agent)| &**agent as _).collect();
    let league = League { rules, agents: &agents, pairs: args.games / 2, seed };
    let watch = |done, total| {
        bar.progress(done, total);
        if bar.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    match on_threads(args.threads, || league.play(watch))? {
        Some(crosstable) => Ok(crosstable),
        None => bail!("stopped before every two had played"),
    }
}

/// Moves by which the conduct of an agent is judged.
const CHEAP_MOVES: u32 = 20_000;
/// The same of an agent that thinks long.
const COSTLY_MOVES: u32 = 500;

impl LeagueReport {
    fn new(
        args: &Args,
        rules: &Rules,
        players: &[Entrant<'_>],
        crosstable: &Crosstable,
        (seed, values): (u64, Option<SharedEvaluator<'_>>),
    ) -> Self {
        let perfect = players.iter().position(|(spec, _)| **spec == AgentSpec::PERFECT);
        let best = f64::from(AgentSpec::PERFECT_ELO);
        let ratings =
            crosstable.ratings(perfect.map_or(Anchor::Mean(1500.0), |at| Anchor::Player(at, best)));
        let entry = |at: usize| {
            let (spec, agent) = &players[at];
            let moves = if spec.is_cheap() { CHEAP_MOVES } else { COSTLY_MOVES };
            let conduct = Conduct::of(&**agent, rules, values, moves, seed);
            Entry {
                agent: spec.to_string(),
                elo: ratings[at].elo,
                elo_error: ratings[at].error,
                mean: crosstable.mean(at),
                regret: conduct.regret,
                microseconds: conduct.time.as_secs_f64() * 1e6,
            }
        };
        let mut order: Vec<_> = (0..players.len()).collect();
        order.sort_by(|&i, &j| ratings[j].elo.total_cmp(&ratings[i].elo));
        let share = |i: usize, j: usize| (i != j).then(|| crosstable.share(i, j));
        Self {
            rules: rules.rule_set().to_string(),
            games_a_pairing: args.games,
            seed,
            agents: order.iter().map(|&at| entry(at)).collect(),
            matrix: order.iter().map(|&i| order.iter().map(|&j| share(i, j)).collect()).collect(),
        }
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let Self { rules, games_a_pairing, seed, agents, .. } = self;
        let games = text::count(*games_a_pairing);
        writeln!(out, "{rules}: {games} games of each two, seed {seed}")?;
        let width = agents.iter().map(|entry| entry.agent.len()).max().unwrap_or_default();
        writeln!(out, "    {:width$}    Elo     ±  wins %  regret  time us", "agent")?;
        for (number, entry) in (1..).zip(agents) {
            entry.write(number, width, out)?;
        }
        if agents.len() > MOST_COLUMNS {
            writeln!(out, "\n--json has who wins how often against whom")?;
            return Ok(());
        }
        self.write_matrix(width, out)
    }

    /// Writes how many of 100 points each wins against each, by their numbers.
    fn write_matrix(&self, width: usize, out: &mut dyn Write) -> Result<()> {
        let columns = (1..=self.agents.len())
            .map(|number| format!("{number:4}"))
            .collect::<Vec<_>>()
            .concat();
        writeln!(out, "\n    {:width$}{columns}", "wins % against")?;
        for (number, (entry, row)) in (1..).zip(self.agents.iter().zip(&self.matrix)) {
            let cell = |share: &Option<f64>| match share {
                Some(share) => format!("{:4.0}", share * 100.0),
                None => "   -".to_owned(),
            };
            let cells: String = row.iter().map(cell).collect();
            writeln!(out, "{number:3} {:width$}{cells}", entry.agent)?;
        }
        Ok(())
    }
}

/// The most agents whose matrix fits on a page.
const MOST_COLUMNS: usize = 18;

impl Entry {
    fn write(&self, number: usize, width: usize, out: &mut dyn Write) -> Result<()> {
        let Self { agent, elo, elo_error, mean, microseconds, .. } = self;
        let mean = mean * 100.0;
        let regret = self.regret.map_or("-".into(), |regret| format!("{:.3}", regret * 100.0));
        writeln!(
            out,
            "{number:3} {agent:width$} {elo:6.0} {elo_error:5.0} {mean:7.2} {regret:>7} {microseconds:8.2}"
        )?;
        Ok(())
    }
}
