//! Matches and leagues for Python.

use std::ops::ControlFlow;

use numpy::PyArray2;
use puabi_solve::{Options, Solver, Watch};
use puabi_study::{Anchor, Crosstable, League, MatchScore, Matchup, SharedAgent, Simulation};
use puabi_tables::available_memory;
use pyo3::prelude::*;

use crate::agents::{Agent, AnyAgent};
use crate::arrays::{shaped, whole, whole_or_none};
use crate::errors::{OrRaise, of_agent, of_table, unusable};
use crate::rules::Rules;
use crate::running::{Work, on_threads, run};

/// The result of a match between A and B. Chances (0..=1) are A's.
#[pyclass(frozen, get_all, module = "puabi")]
#[derive(Debug)]
pub(crate) struct Match {
    /// The name of A.
    a: String,
    /// The name of B.
    b: String,
    /// Whether the result is exact, over all games that the dice can make; otherwise games were played.
    exact: bool,
    /// The chance that A wins if each begins equally often; for games that were played, A's share of points.
    a_mean: f64,
    /// The same for the games that A begins.
    a_first: f64,
    /// The same for the games that B begins.
    a_second: f64,
    /// The expected number of rolls of a game, or the mean of the games played; rolls without a move count.
    rolls: f64,
    /// The interval (low, high) that contains the true `a_mean` in 95 of 100 such matches; for an exact result, both are
    /// `a_mean`.
    interval: (f64, f64),
    /// The number of games played; None if the result is exact.
    games: Option<u64>,
    /// The games without a winner, drawn or cut off; each counts half a point.
    unfinished: u64,
    /// The games that A and B gave up and so lost, as programs that fail do.
    forfeits: (u64, u64),
    /// The seed of the dice; None if the result is exact.
    seed: Option<u64>,
}

#[pymethods]
impl Match {
    fn __repr__(&self) -> String {
        let Self { a, b, a_mean, .. } = self;
        match self.games {
            None => format!("<Match {a} wins {a_mean:.6} against {b}, exactly>"),
            Some(games) => format!("<Match {a} wins {a_mean:.4} of {games} games against {b}>"),
        }
    }
}

/// Returns how often A wins against B: exactly, or in `games` games (an even number) with the dice of `seed`.
///
/// `a` and `b` are as for `Agent`. An exact match asks both players for a move in every position with every roll, so
/// a slow player, such as a function, is for small games. `progress` is called several times a second with the work
/// that is done and the whole work.
#[pyfunction(name = "match")]
#[pyo3(signature = (rules, a, b, *, games=None, seed=None, progress=None))]
pub(crate) fn play_match(
    py: Python<'_>,
    rules: &Bound<'_, PyAny>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = whole_or_none)] games: Option<u64>,
    #[pyo3(from_py_with = whole_or_none)] seed: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Match> {
    let rules = Rules::of(rules)?;
    let pairs = games.map(pairs).transpose()?;
    let [a, b] = [Agent::of(py, a, &rules)?, Agent::of(py, b, &rules)?];
    if games.is_none() {
        a.ensure_exact().and_then(|()| b.ensure_exact())?;
    }
    let seed = seed.unwrap_or_else(rand::random);
    let names = [a.name.clone(), b.name.clone()];
    run(py, progress, |work| {
        both(&a, &b, work, |agents| match pairs {
            None => Ok(Match::exact(names, exact(&rules, agents, work)?)),
            Some(pairs) => {
                let score = sample(&rules, agents, (pairs, seed), work)?;
                Ok(Match::played(names, &score, seed))
            }
        })
    })
}

impl Match {
    fn exact([a, b]: [String; 2], found: Matchup) -> Self {
        Self {
            a,
            b,
            exact: true,
            a_mean: found.a_mean,
            a_first: found.a_first,
            a_second: found.a_second,
            rolls: found.rolls,
            interval: (found.a_mean, found.a_mean),
            games: None,
            unfinished: 0,
            forfeits: (0, 0),
            seed: None,
        }
    }

    fn played([a, b]: [String; 2], score: &MatchScore, seed: u64) -> Self {
        Self {
            a,
            b,
            exact: false,
            a_mean: score.mean(),
            a_first: score.first(),
            a_second: score.second(),
            rolls: score.mean_plies(),
            interval: (score.interval().low, score.interval().high),
            games: Some(score.games()),
            unfinished: score.unfinished(),
            forfeits: score.forfeits().into(),
            seed: Some(seed),
        }
    }
}

fn both<T>(
    a: &Agent,
    b: &Agent,
    work: &Work,
    play: impl FnOnce([&AnyAgent<'_>; 2]) -> PyResult<T>,
) -> PyResult<T> {
    a.with(work, |a| b.with(work, |b| play([a, b])))
}

fn pairs(games: u64) -> PyResult<u64> {
    let pairs = Some(games / 2).filter(|_| games >= 2 && games.is_multiple_of(2));
    pairs.ok_or_else(|| {
        unusable(format!(
            "{games} games: expected 2, 4, 6 or more, since games come in pairs with swapped sides"
        ))
    })
}

fn exact(rules: &Rules, agents: [SharedAgent<'_>; 2], work: &Work) -> PyResult<Matchup> {
    let solver = Solver::new(&rules.rules, Options::default()).or_raise(of_table)?;
    let (needed, free) =
        (solver.meeting_memory(Matchup::MEASURES), available_memory().unwrap_or(u64::MAX));
    if needed > free {
        let name = rules.rules.rule_set();
        return Err(of_table(format!(
            "an exact match of {name} needs {needed} bytes of memory, {free} are available: games= plays some instead"
        )));
    }
    Matchup::new(&solver, agents, work).or_raise(of_agent)
}

fn sample(
    rules: &Rules,
    agents: [SharedAgent<'_>; 2],
    (pairs, seed): (u64, u64),
    work: &Work,
) -> PyResult<MatchScore> {
    let simulation = Simulation { rules: &rules.rules, agents, seed, watch: work };
    on_threads(|| simulation.play(pairs, |score| report_progress(work, score.games(), 2 * pairs)))
}

/// Reports progress, and returns whether to go on.
fn report_progress(work: &Work, done: u64, total: u64) -> ControlFlow<()> {
    work.progress(done, total);
    if work.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// The result of a league: every agent against every other.
#[pyclass(frozen, module = "puabi", name = "League")]
#[derive(Debug)]
pub(crate) struct LeagueResult {
    /// The names of the agents, in the order in which they were given.
    #[pyo3(get)]
    names: Vec<String>,
    /// The seed of the dice.
    #[pyo3(get)]
    seed: u64,
    table: Crosstable,
}

#[pymethods]
impl LeagueResult {
    /// The share of points (0..=1) that each agent won against each other: float64, shape (agents, agents); NaN
    /// against itself.
    #[getter]
    fn shares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let agents = self.names.len();
        let shares = (0..agents * agents).map(|at| self.table.share(at / agents, at % agents));
        shaped(py, shares, [agents, agents])
    }

    /// The games that each agent gave up and so lost, as programs that fail do.
    #[getter]
    fn forfeits(&self) -> Vec<u64> {
        (0..self.names.len()).map(|at| self.table.forfeits(at)).collect()
    }

    /// Returns the Elo rating of each agent and half the width of its 95 % interval; the mean of all ratings is `mean`.
    #[pyo3(signature = (mean=1500.0))]
    fn ratings(&self, mean: f64) -> PyResult<Vec<(String, f64, f64)>> {
        if !mean.is_finite() {
            return Err(unusable(format!("mean {mean}: expected a finite number")));
        }
        let rated = self.names.iter().zip(self.table.ratings(Anchor::Mean(mean)));
        Ok(rated.map(|(name, it)| (name.clone(), it.elo, it.error)).collect())
    }

    fn __repr__(&self) -> String {
        format!("<League of {}>", self.names.join(", "))
    }
}

/// Plays `games` games (an even number) between every two of the agents, with the dice of `seed`.
#[pyfunction]
#[pyo3(signature = (rules, agents, *, games=1000, seed=None, progress=None))]
pub(crate) fn league(
    py: Python<'_>,
    rules: &Bound<'_, PyAny>,
    agents: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = whole)] games: u64,
    #[pyo3(from_py_with = whole_or_none)] seed: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<LeagueResult> {
    let (rules, pairs) = (Rules::of(rules)?, pairs(games)?);
    let agents: PyResult<Vec<_>> =
        agents.try_iter()?.map(|it| Agent::of(py, &it?, &rules)).collect();
    let (agents, seed) = (agents?, seed.unwrap_or_else(rand::random));
    if agents.len() < 2 {
        return Err(unusable(format!("{} agents: expected two or more", agents.len())));
    }
    let table = run(py, progress, |work| {
        all(&agents, work, &[], &mut |agents| {
            let league = League { rules: &rules.rules, agents, pairs, seed };
            on_threads(|| league.play(work))
        })
    })?;
    let table = table.ok_or_else(|| unusable("the league was stopped"))?;
    Ok(LeagueResult { names: agents.into_iter().map(|it| it.name).collect(), seed, table })
}

/// Returns the result of `play` with all agents, each ready to play.
fn all<T>(
    agents: &[Agent],
    work: &Work,
    ready: &[&AnyAgent<'_>],
    play: &mut dyn FnMut(&[SharedAgent<'_>]) -> PyResult<T>,
) -> PyResult<T> {
    let Some((first, rest)) = agents.split_first() else { return play(ready) };
    first.with(work, |agent| {
        let ready: Vec<_> = ready.iter().copied().chain([agent]).collect();
        all(rest, work, &ready, play)
    })
}
