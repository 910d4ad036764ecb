//! Environments for learning: many games at once, with an oracle.

mod games;

use numpy::{PyArray1, PyArray2, PyUntypedArrayMethods};
use puabi_core::{Move, Player, Roll};
use pyo3::prelude::*;

use crate::agents::Agent;
use crate::arrays::{array_of, shaped, whole, whole_numbers, whole_or_none};
use crate::decision::{Decision, unlisted};
use crate::env::games::{Games, Outcome, Place};
use crate::errors::{OrRaise, of_agent, of_table, unusable};
use crate::features;
use crate::rules::Rules;
use crate::running::run;
use crate::table::{Table, obtain};

/// `n` games at once, each waiting for the move of a player who has rolled; a game that ends is followed by a new one.
///
/// Everything is seen by the player to move, whose colour is `mover`. The dice follow from `seed`. `oracle` is a `Table`
/// of the rules, or True for the one in the user's library, which is made if it is not there; with it, `step` finds the
/// `regret`.
#[pyclass(module = "puabi")]
#[derive(Debug)]
pub(crate) struct VecEnv {
    games: Games,
    #[pyo3(get)]
    /// The seed of the dice.
    seed: u64,
    oracle: Option<Table>,
    /// The value of each legal move of each game, if it is known for the current positions.
    judged: Option<Vec<f64>>,
    regret: Option<Vec<f64>>,
}

/// The most games of an environment, which take 4 GB: more would be a mistake.
const MOST_GAMES: usize = 1 << 24;

type Seen<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<bool>>);
type Stepped<'py> = (
    Bound<'py, PyArray2<u8>>,
    Bound<'py, PyArray2<bool>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<bool>>,
);
type Afterstates<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<u8>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
);

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (rules, n, seed=0, oracle=None))]
    fn new(
        py: Python<'_>,
        rules: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole)] n: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
        oracle: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let rules = Rules::of(rules)?;
        if !(1..=MOST_GAMES).contains(&n) {
            return Err(unusable(format!("{n} games: expected 1 to {MOST_GAMES}")));
        }
        let oracle = oracle.map_or(Ok(None), |it| table_of(it, &rules))?;
        let games = py.detach(|| {
            let mut games = Games::new(rules.rules, n, seed);
            games.begin(None);
            games
        });
        Ok(Self { games, seed, oracle, judged: None, regret: None })
    }

    /// The number of games.
    #[getter]
    fn n(&self) -> usize {
        self.games.places().len()
    }

    /// The rules in force.
    #[getter]
    fn rules(&self) -> Rules {
        Rules { rules: self.games.rules().clone() }
    }

    /// The number of actions, length + 2. An action is the square that a piece leaves, 0 for one that enters; the
    /// last is the pass, which is legal only if no other action is.
    #[getter]
    fn actions(&self) -> usize {
        features::actions(self.games.rules())
    }

    /// Every roll that can be thrown, ascending: int64, shape (rolls,).
    #[getter]
    fn rolls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.rules().rolls(py)
    }

    /// The chance (0..=1) of each of `rolls`: float64, shape (rolls,). It is the same in every position.
    #[getter]
    fn chances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.rules().chances(py)
    }

    /// What the player to move sees: uint8, shape (n, 2 * length + 5). Columns: own pieces on squares 1 to length of
    /// the own path, the opponent's on squares 1 to length of the opponent's; own hand, opponent's hand, own pieces
    /// home, opponent's pieces home; the roll. If the rules have stacks, only `positions` says how pieces lie on each
    /// other.
    #[getter]
    fn obs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        Ok(self.seen(py)?.0)
    }

    /// Which actions are legal: bool, shape (n, actions); at least one in each row.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        Ok(self.seen(py)?.1)
    }

    /// Who is to move: int8, shape (n,), 0 for light, who begins, and 1 for dark.
    #[getter]
    fn mover<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let movers = self.games.places().iter().map(|it| i8::from(it.mover() == Player::Dark));
        array_of(py, movers)
    }

    /// The text of each position with its roll.
    #[getter]
    fn positions(&self) -> Vec<String> {
        let text = |place: &Place| {
            let setup = self.games.rules().setup(place.position(), place.mover());
            puabi_core::Setup { roll: Some(place.roll()), ..setup }.to_string()
        };
        self.games.places().iter().map(text).collect()
    }

    /// What the moves of the last step lost: float64, shape (n,), the chance after the best move less that after the
    /// played one, never below 0; None without an oracle or before the first step.
    #[getter]
    fn regret<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        self.regret.as_ref().map(|regret| array_of(py, regret.iter().copied())).transpose()
    }

    /// Returns what is to be decided in one game.
    fn decision(&self, #[pyo3(from_py_with = whole)] game: usize) -> PyResult<Decision> {
        let places = self.games.places();
        let place = places.get(game).ok_or_else(|| {
            unusable(format!("game {game} of {}: expected 0 to {}", places.len(), places.len() - 1))
        })?;
        let rules = self.games.rules().clone();
        Ok(Decision::new(rules, place.position(), place.mover(), place.roll()))
    }

    /// Begins every game anew and returns (obs, mask). With a `seed`, the dice follow from it; otherwise they go on.
    /// `rolls` are as for `step`.
    #[pyo3(signature = (seed=None, rolls=None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole_or_none)] seed: Option<u64>,
        rolls: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Seen<'py>> {
        let rolls = self.read_rolls(rolls)?;
        py.detach(|| {
            if let Some(seed) = seed {
                self.games = Games::new(self.games.rules().clone(), self.n(), seed);
                self.seed = seed;
            }
            self.games.begin(rolls.as_deref());
        });
        (self.judged, self.regret) = (None, None);
        self.seen(py)
    }

    /// Plays an action in each game, throws the next roll, and returns (obs, mask, reward, done).
    ///
    /// `actions` are whole numbers of shape (n,). `rolls`, of shape (n,), are the rolls after the moves, -1 to throw
    /// the dice; if the rules fix the first roll of a game, that one is taken instead. `reward` (float32, shape (n,))
    /// is that of the player who moved: 1 if the move won the game, -1 if the opponent won, else 0. `done` (bool,
    /// shape (n,)) says which games ended; there, `obs` and `mask` are those of the new game. An illegal action raises
    /// `MoveError`, and nothing is played.
    #[pyo3(signature = (actions, rolls=None))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
        rolls: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Stepped<'py>> {
        let rolls = self.read_rolls(rolls)?;
        let actions = self.numbers(actions, "actions")?;
        let (n, width, count) = (self.n(), self.width(), self.actions());
        let mut seen = Seeing::new(n, width, count);
        let (mut rewards, mut dones) = (vec![0.0; n], vec![false; n]);
        py.detach(|| {
            let moves = self.named(&actions)?;
            self.judge_moves(&moves)?;
            let rules = self.games.rules().clone();
            self.games.step(&moves, rolls.as_deref(), |at, Outcome { reward, is_done }, place| {
                (rewards[at], dones[at]) = (reward, is_done);
                let (row, mask) = seen.row(at);
                place.observe(&rules, row, mask);
            });
            self.judged = None;
            Ok::<_, PyErr>(())
        })?;
        let (obs, mask) = seen.arrays(py)?;
        Ok((obs, mask, array_of(py, rewards)?, array_of(py, dones)?))
    }

    /// Returns a random legal action of each game, all equally likely: int64, shape (n,). They follow from the seed: a
    /// second call before the next step returns the same.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let rules = self.games.rules();
        let draw = |place: &Place| {
            let moves = place.moves();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "below the number of moves"
            )]
            let at = (place.number() * moves.len() as f64) as usize;
            i64::from(features::code(rules, moves[at]))
        };
        array_of(py, self.games.places().iter().map(draw))
    }

    /// Returns the action that an agent plays in each game: int64, shape (n,). `agent` is as for `Agent`. If it is a name,
    /// each call makes the agent anew and opens its table; an `Agent` is made once.
    fn actions_of<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let agent = Agent::of(py, agent, &self.rules())?;
        let games = &self.games;
        let chosen = run(py, None, |work| {
            agent.with(work, |agent| {
                let asked =
                    games.decisions().zip(games.places()).map(|(it, place)| (it, place.number()));
                let (asked, mut chosen) = (asked.collect::<Vec<_>>(), Vec::with_capacity(self.n()));
                agent.play_each(&asked, &mut chosen);
                chosen.into_iter().collect::<Result<Vec<_>, _>>().or_raise(of_agent)
            })
        })?;
        let code = |action: Move| i64::from(features::code(games.rules(), action));
        array_of(py, chosen.into_iter().map(code))
    }

    /// Returns the positions after each legal action of each game, one after the other, m in all: (game, action, obs,
    /// again, won).
    ///
    /// `game` and `action` (int64, shape (m,)) name them. `obs` (uint8, shape (m, 2 * length + 4)) has the
    /// columns of `obs` without the roll, seen by the player who rolls next; `again` (bool, shape (m,)) says whether
    /// that is the same player. If `won` (bool, shape (m,)), the action wins the game, and the columns are zero.
    fn afterstates<'py>(&self, py: Python<'py>) -> PyResult<Afterstates<'py>> {
        let (rules, columns) = (self.games.rules(), features::columns(self.games.rules()));
        let count: usize = self.games.places().iter().map(|place| place.moves().len()).sum();
        let (mut games, mut actions) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut again, mut won) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut obs = vec![0; count * columns];
        py.detach(|| {
            let mut rows = obs.chunks_mut(columns);
            for (at, (place, decision)) in
                (0_i64..).zip(self.games.places().iter().zip(self.games.decisions()))
            {
                for &action in place.moves() {
                    let after = decision.after(action);
                    games.push(at);
                    actions.push(i64::from(features::code(rules, action)));
                    again.push(after.rolls_again());
                    won.push(after.position().is_none());
                    if let (Some(row), Some(next)) = (rows.next(), after.position()) {
                        features::write(rules, next, row);
                    }
                }
            }
        });
        let obs = shaped(py, obs, [count, columns])?;
        let (games, actions) = (array_of(py, games)?, array_of(py, actions)?);
        Ok((games, actions, obs, array_of(py, again)?, array_of(py, won)?))
    }

    /// Returns the chance (0..=1) that the player to move wins after each action, by the oracle: float64, shape (n,
    /// actions), NaN for actions that are not legal.
    fn values<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Some(oracle) = self.oracle.clone() else {
            return Err(unusable("there is no oracle: expected VecEnv(..., oracle=True)"));
        };
        let (n, count) = (self.n(), self.actions());
        let mut values = vec![f64::NAN; n * count];
        py.detach(|| {
            let judged = self.games.judge(&oracle.table, false).or_raise(of_table)?;
            let mut found = judged.iter();
            for (row, place) in values.chunks_mut(count).zip(self.games.places()) {
                for (&action, &value) in place.moves().iter().zip(&mut found) {
                    row[usize::from(features::code(self.games.rules(), action))] = value;
                }
            }
            self.judged = Some(judged);
            Ok::<_, PyErr>(())
        })?;
        shaped(py, values, [n, count])
    }

    fn __len__(&self) -> usize {
        self.n()
    }

    fn __repr__(&self) -> String {
        format!("<VecEnv of {} games of {}>", self.n(), self.games.rules().rule_set())
    }
}

/// Observations and masks that are being written, with a row for each game.
struct Seeing {
    obs: Vec<u8>,
    mask: Vec<bool>,
    n: usize,
    width: usize,
    count: usize,
}

impl Seeing {
    fn new(n: usize, width: usize, count: usize) -> Self {
        Self { obs: vec![0; n * width], mask: vec![false; n * count], n, width, count }
    }

    #[inline]
    fn row(&mut self, at: usize) -> (&mut [u8], &mut [bool]) {
        let (obs, mask) = (&mut self.obs[at * self.width..], &mut self.mask[at * self.count..]);
        (&mut obs[..self.width], &mut mask[..self.count])
    }

    fn arrays(self, py: Python<'_>) -> PyResult<Seen<'_>> {
        let obs = shaped(py, self.obs, [self.n, self.width])?;
        Ok((obs, shaped(py, self.mask, [self.n, self.count])?))
    }
}

impl VecEnv {
    fn width(&self) -> usize {
        features::columns(self.games.rules()) + 1
    }

    fn seen<'py>(&self, py: Python<'py>) -> PyResult<Seen<'py>> {
        let mut seen = Seeing::new(self.n(), self.width(), self.actions());
        for (at, place) in self.games.places().iter().enumerate() {
            let (row, mask) = seen.row(at);
            place.observe(self.games.rules(), row, mask);
        }
        seen.arrays(py)
    }

    /// Reads a whole number for each game.
    fn numbers(&self, given: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<i64>> {
        let numbers = whole_numbers(given)?;
        if numbers.shape() != [self.n()] {
            let (found, expected) = (numbers.shape(), self.n());
            return Err(unusable(format!("{what} of shape {found:?}: expected [{expected}]")));
        }
        Ok(numbers.as_array().iter().copied().collect())
    }

    fn read_rolls(&self, rolls: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<Option<Roll>>>> {
        let Some(rolls) = rolls else { return Ok(None) };
        let rules = self.rules();
        let read = |roll: i64| if roll == -1 { Ok(None) } else { rules.roll(roll).map(Some) };
        self.numbers(rolls, "rolls")?.into_iter().map(read).collect::<PyResult<_>>().map(Some)
    }

    /// Returns the legal move that each action names.
    fn named(&self, actions: &[i64]) -> PyResult<Vec<Move>> {
        let rules = self.games.rules();
        let named = |(place, &code): (&Place, &i64)| {
            let action = place.named(rules, code);
            action.ok_or_else(|| unlisted(code, &place.decision(rules)))
        };
        self.games.places().iter().zip(actions).map(named).collect()
    }

    /// Finds what moves give away, if there is an oracle.
    fn judge_moves(&mut self, moves: &[Move]) -> PyResult<()> {
        let Some(oracle) = &self.oracle else { return Ok(()) };
        let judged = match self.judged.take() {
            Some(judged) => judged,
            None => self.games.judge(&oracle.table, true).or_raise(of_table)?,
        };
        let mut judged = &*judged;
        let regret = self.games.places().iter().zip(moves).map(|(place, &played)| {
            let (values, rest) = judged.split_at(place.moves().len());
            judged = rest;
            let best = values.iter().copied().fold(0.0, f64::max);
            let played = place.moves().iter().position(|&it| it == played);
            played.filter(|_| values.len() > 1).map_or(0.0, |at| best - values[at])
        });
        self.regret = Some(regret.collect());
        Ok(())
    }
}

/// Returns the table that is asked for as an oracle.
fn table_of(oracle: &Bound<'_, PyAny>, rules: &Rules) -> PyResult<Option<Table>> {
    let py = oracle.py();
    let Ok(table) = oracle.cast::<Table>() else {
        let is_wanted = oracle.extract::<bool>().map_err(|_| {
            let found = oracle.get_type().to_string();
            unusable(format!("{found} found as oracle: expected a table, True or False"))
        })?;
        return is_wanted.then(|| run(py, None, |work| obtain(rules, work))).transpose();
    };
    let (found, expected) = (table.get().rules(), rules);
    if found != *expected {
        let [found, expected] = [&found, expected].map(|it| it.rules.rule_set().to_string());
        return Err(unusable(format!(
            "a table of {found} as oracle: expected a table of {expected}"
        )));
    }
    Ok(Some(table.get().clone()))
}
