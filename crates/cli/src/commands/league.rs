//! `ur league`: every agent against every other.

use std::fmt;

use anyhow::Result;
use puabi_core::Rules;
use puabi_engine::{AgentSpec, BoxedAgent, Roster, SharedEvaluator};
use puabi_solve::{Exchange, SolveError, Watch};
use puabi_study::{Anchor, Crosstable, League, SelfPlayReport, SharedAgent, map_among};
use serde::Serialize;
use textwrap::core::display_width;

use super::matches::even;
use crate::notation;
use crate::options::{EngineSettings, Threads};
use crate::output::{Out, status, text};
use crate::progress::Bar;
use crate::ranks::{ensure_same_rules, seed};
use crate::tables::agents;

/// Arguments of `ur league`.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    include_str!("../../help/league.txt"),
    "\nExamples:\n  \
       ur league finkel --agents all --json\n  \
       ur league finkel:3 --agents levels --games 10000 --seed 7\n  \
       ur league blitz --agents perfect,greedy,random,hit+least-exposed"
))]
pub struct LeagueArgs {
    /// The rule set
    rules: String,
    /// The agents that play: all, cheap, levels, or agents with commas between, see `ur agents`
    #[arg(long, value_name = "LIST", default_value = "cheap")]
    agents: Roster,
    /// Games of each pair of agents, an even number
    #[arg(long, value_name = "N", default_value = "1000", value_parser = even)]
    games: u64,
    /// The seed of the dice; the same seed gives the same games [default: a new one]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    engines: EngineSettings,
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
    agents: Vec<LeagueEntry>,
    /// The share of points that the agent of the row won against that of the column.
    matrix: Vec<Vec<Option<f64>>>,
    /// The number of games after which the better of row and column is ahead with 95 %; `None` if these games do not show which is
    /// better.
    games_to_lead: Vec<Vec<Option<u64>>>,
    /// The share of luck in the results of row and column, which neither the players nor the seats explain.
    luck: Vec<Vec<Option<f64>>>,
}

#[derive(Debug, Serialize)]
struct LeagueEntry {
    agent: String,
    elo: f64,
    elo_error: f64,
    /// The share of points won.
    mean: f64,
    /// The mean loss of a move, as a chance; `None` if the game has no table.
    regret: Option<f64>,
    /// The mean time of a move; `None` if the agent gave up while it was measured, or was not measured.
    microseconds: Option<f64>,
    /// The number of games that the agent gave up, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    forfeits: Option<u64>,
}

/// The largest width at which a league's table shows the name of an agent in full: a line of 80 columns has no room for more.
const MOST_WIDTH: usize = 38;

impl LeagueEntry {
    /// Returns the name as far as a column has room for it.
    fn column(&self) -> String {
        text::cut(&self.agent, MOST_WIDTH)
    }
}

pub(super) fn run(args: &LeagueArgs, ranks: &dyn Exchange, out: &mut Out) -> Result<()> {
    let rules = notation::rules(&args.rules)?;
    ensure_same_rules(&rules, ranks)?;
    let named = args.agents.agents();
    if !args.agents.is_group() {
        agents::ensure(&named, &rules)?;
    }
    agents::ensure_alike(&named, &rules, ranks)?;
    let engines = args.engines.engines(&named, |fault| status(fault))?;
    let seed = seed(args.seed, ranks);
    let (report, is_whole) = agents::with_values(&named, &rules, ranks, |values| {
        let mut players = Vec::new();
        for spec in &named {
            match agents::build(spec, &rules, values, &engines) {
                Ok(agent) => players.push((spec, agent)),
                // Some agents of a group may be unable to play these rules.
                Err(error) if args.agents.is_group() => status(format_args!("left out: {error}")),
                Err(error) => return Err(error),
            }
        }
        let crosstable = args.play(&rules, &players, seed, ranks)?;
        let bar = Bar::new("measuring each by itself".to_owned());
        let self_plays = self_plays(&rules, &players, (seed, values), (ranks, &bar))?;
        let report = LeagueReport::new(args, &rules, &players, &crosstable, &self_plays, seed);
        Ok((report, !bar.stop()))
    })?;
    out.print(&report, args.json)?;
    // The games have their results although not every agent was measured.
    if is_whole { Ok(()) } else { Err(SolveError::Stopped.into()) }
}

/// An agent with its name.
type Entrant<'a> = (&'a AgentSpec, BoxedAgent<'a>);

impl LeagueArgs {
    fn play(
        &self,
        rules: &Rules,
        players: &[Entrant<'_>],
        seed: u64,
        ranks: &dyn Exchange,
    ) -> Result<Crosstable> {
        let bar = Bar::new(format!("league of {}", players.len()));
        let agents: Vec<_> = players.iter().map(|(_, agent)| &**agent as SharedAgent<'_>).collect();
        let league = League { rules, agents: &agents, pairs: self.games / 2, seed };
        let played = self.threads.run(|| league.play_among(ranks, &bar))?;
        Ok(played.ok_or(SolveError::Stopped)?)
    }
}

/// The number of moves that measure the regret and the time of an agent.
const CHEAP_MOVES: u32 = 20_000;
/// The same number for an agent that thinks long.
const COSTLY_MOVES: u32 = 500;

/// Returns how each agent plays by itself; `None` for an agent that gives up, or that was not measured before the user stopped the
/// work.
fn self_plays(
    rules: &Rules,
    players: &[Entrant<'_>],
    (seed, values): (u64, Option<SharedEvaluator<'_>>),
    (ranks, bar): (&dyn Exchange, &Bar),
) -> Result<Vec<Option<SelfPlayReport>>> {
    let cost = |(spec, _): &Entrant<'_>| if spec.is_cheap() { 1 } else { 1000 };
    let mut done = 0;
    map_among(ranks, players, cost, |(spec, agent)| {
        bar.progress(done, players.len() as u64);
        done += 1;
        let moves = if spec.is_cheap() { CHEAP_MOVES } else { COSTLY_MOVES };
        Ok(SelfPlayReport::of(&**agent, rules, values, (moves, seed), bar).ok().flatten())
    })
}

impl LeagueReport {
    fn new(
        args: &LeagueArgs,
        rules: &Rules,
        players: &[Entrant<'_>],
        crosstable: &Crosstable,
        self_plays: &[Option<SelfPlayReport>],
        seed: u64,
    ) -> Self {
        let perfect = players.iter().position(|(spec, _)| **spec == AgentSpec::PERFECT);
        let best = f64::from(AgentSpec::PERFECT_ELO);
        let ratings =
            crosstable.ratings(perfect.map_or(Anchor::Mean(1500.0), |at| Anchor::Player(at, best)));
        let entry = |at: usize| {
            let report = self_plays[at];
            LeagueEntry {
                agent: players[at].0.to_string(),
                elo: ratings[at].elo,
                elo_error: ratings[at].error,
                mean: crosstable.mean(at),
                regret: report.and_then(|report| report.regret),
                microseconds: report.map(|report| report.time.as_secs_f64() * 1e6),
                forfeits: Some(crosstable.forfeits(at)).filter(|&count| count > 0),
            }
        };
        let mut order: Vec<_> = (0..players.len()).collect();
        order.sort_by(|&i, &j| ratings[j].elo.total_cmp(&ratings[i].elo));
        let share = |i: usize, j: usize| (i != j).then(|| crosstable.share(i, j));
        let luck = |i: usize, j: usize| (i != j).then(|| crosstable.shares(i, j).luck);
        let lead = |i: usize, j: usize| crosstable.games_to_lead(i, j);
        Self {
            rules: rules.rule_set().to_string(),
            games_a_pairing: args.games,
            seed,
            agents: order.iter().map(|&at| entry(at)).collect(),
            matrix: matrix(&order, share),
            games_to_lead: matrix(&order, lead),
            luck: matrix(&order, luck),
        }
    }
}

/// Returns the matrix of `of(row, column)` for all players, in this order.
fn matrix<T>(order: &[usize], of: impl Fn(usize, usize) -> T) -> Vec<Vec<T>> {
    order.iter().map(|&i| order.iter().map(|&j| of(i, j)).collect()).collect()
}

impl fmt::Display for LeagueReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, games_a_pairing, seed, agents, .. } = self;
        let games = text::count(*games_a_pairing);
        writeln!(f, "{rules}: {games} games of each two, seed {seed}")?;
        let width = agents.iter().map(|entry| display_width(&entry.column())).max();
        let width = width.unwrap_or_default();
        writeln!(f, "    {:width$}    Elo     ±  wins %  regret  time us", "agent")?;
        for (number, entry) in (1..).zip(agents) {
            let LeagueEntry { elo, elo_error, mean, regret, microseconds, .. } = entry;
            let agent = text::left(&entry.column(), width);
            let mean = mean * 100.0;
            let regret = text::or_dash(*regret, |regret| text::rounded(regret * 100.0, 3));
            let time = text::or_dash(*microseconds, |time| format!("{time:.2}"));
            write!(f, "{number:3} {agent} {elo:6.0} {elo_error:5.0} {mean:7.2} ")?;
            writeln!(f, "{regret:>7} {time:>8}")?;
        }
        for entry in agents {
            if let Some(count) = entry.forfeits {
                let games = text::counted(count, "game", "games");
                writeln!(f, "{} gave {games} up", entry.agent)?;
            }
        }
        if agents.len() > MOST_COLUMNS {
            return writeln!(f, "\n--json has who wins how often against whom");
        }
        self.write_matrices(width, f)
    }
}

impl LeagueReport {
    /// Writes the matrices: how often each agent wins against each other, after how many games the better leads, and the share of
    /// luck.
    fn write_matrices(&self, width: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: Option<f64>| text::or_dash(share, |it| format!("{:.0}", it * 100.0));
        let rounded = |games: Option<u64>| text::or_dash(games, short);
        self.write_matrix((width, 4), "wins % against", |i, j| percent(self.matrix[i][j]), f)?;
        let title = "games to lead";
        self.write_matrix((width, 6), title, |i, j| rounded(self.games_to_lead[i][j]), f)?;
        self.write_matrix((width, 4), "luck %", |i, j| percent(self.luck[i][j]), f)
    }

    /// Writes a cell for each two agents.
    fn write_matrix(
        &self,
        (width, column): (usize, usize),
        title: &str,
        cell: impl Fn(usize, usize) -> String,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        write!(f, "\n    {title:width$}")?;
        for number in 1..=self.agents.len() {
            write!(f, "{number:column$}")?;
        }
        writeln!(f)?;
        for (at, entry) in self.agents.iter().enumerate() {
            write!(f, "{:3} {}", at + 1, text::left(&entry.column(), width))?;
            for other in 0..self.agents.len() {
                write!(f, "{:>column$}", cell(at, other))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Formats a number of games in five letters at most: `1234`, `12k`, `1.2M`.
fn short(games: u64) -> String {
    match games {
        0..10_000 => games.to_string(),
        10_000..1_000_000 => format!("{}k", games / 1000),
        _ => format!("{:.1}M", games as f64 / 1e6),
    }
}

/// The largest number of agents whose matrix fits on a page.
const MOST_COLUMNS: usize = 18;
