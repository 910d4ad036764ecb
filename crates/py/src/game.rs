//! A game for Python, with the names that users of `RoyalUr` know.

use std::collections::BTreeMap;
use std::path::Path;

use numpy::PyArray1;
use puabi_core::{Ending, Player, Record, Roll, Setup};
use puabi_engine::DiceRng;
use puabi_formats::Notation;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::arrays::{array_of, whole, whole_or_none};
use crate::decision::{Decision, Move};
use crate::errors::{OrRaise, of_move, of_position, of_record, of_rules, unusable};
use crate::features;
use crate::rules::Rules;

/// A game between light, who begins, and dark.
///
/// `rules` are as for `Rules`; `position` is the text of another start. The dice follow from `seed`, a new one by
/// default, and the number of plies.
#[pyclass(module = "puabi")]
#[derive(Debug, Clone)]
pub(crate) struct Game {
    played: puabi_core::Game,
    seed: u64,
    /// How the game ended, if it was given up or left.
    ending: Option<Ending>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules, seed=None, position=None))]
    fn new(
        rules: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole_or_none)] seed: Option<u64>,
        position: Option<&str>,
    ) -> PyResult<Self> {
        let rules = Rules::of(rules)?;
        let game = match position {
            None => puabi_core::Game::new(rules.rules),
            Some(text) => {
                let (_, setup) = rules.read(text)?;
                puabi_core::Game::from_setup(rules.rules, setup).or_raise(of_position)?
            }
        };
        Ok(Self::begun(game, seed))
    }

    /// Returns a game by Finkel's rules with this number of pieces a player.
    #[staticmethod]
    #[pyo3(signature = (pawns=7, seed=None))]
    fn create_finkel(
        #[pyo3(from_py_with = whole)] pawns: u64,
        #[pyo3(from_py_with = whole_or_none)] seed: Option<u64>,
    ) -> PyResult<Self> {
        Self::of_preset("finkel", pawns, seed)
    }

    /// Returns a game of Masters, with three dice; `Game("masters-4d")` has four, as `RoyalUr-Python` has.
    #[staticmethod]
    #[pyo3(signature = (pawns=7, seed=None))]
    fn create_masters(
        #[pyo3(from_py_with = whole)] pawns: u64,
        #[pyo3(from_py_with = whole_or_none)] seed: Option<u64>,
    ) -> PyResult<Self> {
        Self::of_preset("masters", pawns, seed)
    }

    /// Returns a game of Blitz.
    #[staticmethod]
    #[pyo3(signature = (pawns=5, seed=None))]
    fn create_blitz(
        #[pyo3(from_py_with = whole)] pawns: u64,
        #[pyo3(from_py_with = whole_or_none)] seed: Option<u64>,
    ) -> PyResult<Self> {
        Self::of_preset("blitz", pawns, seed)
    }

    /// Returns a game of Aseb.
    #[staticmethod]
    #[pyo3(signature = (pawns=5, seed=None))]
    fn create_aseb(
        #[pyo3(from_py_with = whole)] pawns: u64,
        #[pyo3(from_py_with = whole_or_none)] seed: Option<u64>,
    ) -> PyResult<Self> {
        Self::of_preset("aseb", pawns, seed)
    }

    /// Reads the record of a game: our own, RGN, `RoyalUr`'s JSON or a log of Heled's program.
    ///
    /// A game that was given up or left is over. Names, notes and the doubling cube are left out.
    #[classmethod]
    fn from_record(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        let record = read(text)?;
        let (seed, ending) = (record.seed(), record.ending);
        Ok(Self { ending, ..Self::begun(record.game, seed) })
    }

    /// Returns the game as a record, with the seed of its dice.
    fn record(&self) -> PyResult<String> {
        let mut record = self.to_record();
        record.set_header("seed", &self.seed.to_string()).or_raise(of_record)?;
        Ok(record.to_string())
    }

    /// The rules in force.
    #[getter]
    fn rules(&self) -> Rules {
        Rules { rules: self.played.rules().clone() }
    }

    /// The seed of the dice.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// The text of the position, with the roll that waits for its move; of a finished game the final board.
    #[getter]
    fn position(&self) -> String {
        self.setup().to_string()
    }

    /// The plies played: who ("light" or "dark"), roll, move.
    #[getter]
    fn plies(&self) -> Vec<(&'static str, u8, String)> {
        let plies = self.played.plies().iter();
        plies.map(|it| (it.player.name(), it.roll.steps(), it.action.to_string())).collect()
    }

    /// What is to be decided, or None if no roll waits for its move.
    #[getter]
    fn decision(&self) -> Option<Decision> {
        let (roll, at, turn) = (self.pending()?, self.played.position()?, self.played.turn()?);
        Some(Decision::new(self.played.rules().clone(), at, turn, roll))
    }

    /// Returns what a player, "light" or "dark", sees: uint8, shape (2 * length + 5,), with the columns of
    /// `VecEnv.obs`; the roll is 0 if none waits for its move.
    fn obs<'py>(&self, py: Python<'py>, player: &str) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let row = features::seen_by(self.played.rules(), &self.setup(), named(player)?);
        array_of(py, row)
    }

    /// Which actions are legal: bool, shape (length + 2,); all False if no roll waits for its move.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let moves = self.waiting().map(|it| it.moves()).unwrap_or_default();
        array_of(py, features::mask(self.played.rules(), &moves))
    }

    /// Throws the dice, or takes `value` as their roll, and returns the roll. If no piece can move, the pass is played.
    #[pyo3(signature = (value=None))]
    fn roll_dice(
        &mut self,
        #[pyo3(from_py_with = whole_or_none)] value: Option<i64>,
    ) -> PyResult<u8> {
        self.ensure_goes_on()?;
        let thrown = || {
            let mut dice = DiceRng::at(self.seed, self.played.plies().len() as u64);
            Ok(dice.throw(self.played.rules().rule_set().dice))
        };
        let roll = value.map_or_else(thrown, |value| self.rules().roll(value))?;
        let passes = self.played.roll(roll).or_raise(of_move)?.allows(puabi_core::Move::Pass);
        if passes {
            self.played.play(puabi_core::Move::Pass).or_raise(of_move)?;
        }
        Ok(roll.steps())
    }

    /// Returns the legal moves for the roll that waits.
    fn find_available_moves(&self) -> PyResult<Vec<Move>> {
        let decision = self.waiting()?;
        Ok(decision.moves().into_iter().map(|it| Move::of(&decision, it)).collect())
    }

    /// Plays a legal move: a `Move`, its text, or the square that the piece leaves (0 for the hand).
    fn make_move(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let action = Move::read(action, &self.waiting()?)?;
        self.played.play(action).or_raise(of_move).map(drop)
    }

    /// Plays the move by which a piece enters.
    fn make_move_introducing_piece(&mut self) -> PyResult<()> {
        let decision = self.waiting()?;
        let enters = |it: &puabi_core::Move| matches!(it, puabi_core::Move::Enter { .. });
        let action = decision.moves().into_iter().find(enters);
        let action = action.ok_or_else(|| crate::decision::unlisted(0, &decision))?;
        self.played.play(action).or_raise(of_move).map(drop)
    }

    /// Takes back a roll that waits for its move, or else the last ply with its roll; returns whether there was one. If the
    /// game was given up or left, it only goes on again.
    fn undo(&mut self) -> bool {
        if self.ending.take().is_some() {
            return true;
        }
        let rolls = self.played.thrown().is_some();
        self.played.undo_roll();
        rolls || self.played.undo().is_some()
    }

    /// Returns whether a player is to roll.
    fn is_waiting_for_roll(&self) -> bool {
        !self.is_finished() && self.pending().is_none()
    }

    /// Returns whether a roll waits for its move.
    fn is_waiting_for_move(&self) -> bool {
        self.pending().is_some()
    }

    /// Returns whether the game goes on.
    fn is_playable(&self) -> bool {
        !self.is_finished()
    }

    /// Returns whether the game is over: won, given up or left, or neither player can ever move again.
    fn is_finished(&self) -> bool {
        self.played.is_over() || self.ending.is_some()
    }

    /// Returns who rolls or moves next, "light" or "dark"; None if the game is over.
    fn get_turn(&self) -> Option<&'static str> {
        self.played.turn().filter(|_| self.ending.is_none()).map(Player::name)
    }

    /// Returns who has won, "light" or "dark", also if the other gave up or left; None if there is no winner.
    fn get_winner(&self) -> Option<&'static str> {
        self.played.winner().or_else(|| self.ending?.winner()).map(Player::name)
    }

    /// Returns who rolls or moves next, or who has won.
    fn get_turn_or_winner(&self) -> Option<&'static str> {
        self.get_turn().or_else(|| self.get_winner())
    }

    /// Returns the roll that waits for its move, or None.
    fn get_roll(&self) -> Option<u8> {
        self.pending().map(Roll::steps)
    }

    /// Returns the pieces on the board by tile ("A1" to "C8"), bottom first: who, and the square of that player's own
    /// path.
    fn get_board(&self) -> BTreeMap<String, Vec<(&'static str, u8)>> {
        let tiles = self.played.rules().pieces_by_tile(&self.played.setup());
        let piece =
            |(player, square): (Player, puabi_core::Square)| (player.name(), square.number());
        let pieces = |pieces: Vec<_>| pieces.into_iter().map(piece).collect();
        tiles.into_iter().map(|(tile, it)| (tile.to_string(), pieces(it))).collect()
    }

    /// Returns the number of pieces that a player, "light" or "dark", has brought home.
    fn get_score(&self, player: &str) -> PyResult<u8> {
        let player = named(player)?;
        Ok(self.played.setup().side(player).score)
    }

    /// Returns a copy of the game, which goes on independently.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_record")?.unbind(), (slf.borrow().record()?,)))
    }

    fn __repr__(&self) -> String {
        format!("<Game {} of {}>", self.setup(), self.played.rules().rule_set())
    }
}

impl Game {
    fn begun(game: puabi_core::Game, seed: Option<u64>) -> Self {
        Self { played: game, seed: seed.unwrap_or_else(rand::random), ending: None }
    }

    fn of_preset(name: &str, pawns: u64, seed: Option<u64>) -> PyResult<Self> {
        let text = format!("{name}:{pawns}");
        let rules = Rules::compiled(&text.parse().or_raise(of_rules)?)?;
        let game = puabi_core::Game::new(rules.rules);
        Ok(Self::begun(game, seed))
    }

    /// Returns the roll that waits for its move.
    fn pending(&self) -> Option<Roll> {
        self.played.pending().filter(|_| self.ending.is_none())
    }

    /// Returns the setup of the board, with the roll that waits for its move.
    fn setup(&self) -> Setup {
        Setup { roll: self.pending(), ..self.played.setup() }
    }

    /// Raises an error if the game was given up or left.
    fn ensure_goes_on(&self) -> PyResult<()> {
        let Some(ending) = self.ending else { return Ok(()) };
        Err(of_move(format!("the game is over ({ending}): expected undo, or another game")))
    }

    fn waiting(&self) -> PyResult<puabi_core::Decision<'_>> {
        self.ensure_goes_on()?;
        let none = || {
            let error = self.played.over();
            let text = error.map_or_else(
                || "no roll waits: expected roll_dice first".to_owned(),
                |it| it.to_string(),
            );
            of_move(text)
        };
        self.played.decision().ok_or_else(none)
    }

    /// Returns the game as a record without headers.
    pub(crate) fn to_record(&self) -> Record {
        let mut record = Record::new(self.played.clone());
        record.ending = self.ending;
        record
    }
}

/// Returns the player of this name.
fn named(player: &str) -> PyResult<Player> {
    let named = Player::BOTH.into_iter().find(|it| it.name() == player);
    named.ok_or_else(|| unusable(format!("`{player}` found: expected light or dark")))
}

/// Reads the record of a game in any notation, which may begin with the mark of UTF-8.
pub(crate) fn read(text: &str) -> PyResult<Record> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let path = Path::new(text);
    if !text.contains('\n') && (path.extension().is_some() && path.is_file()) {
        return Err(of_record(format!(
            "{text} is a file: expected its text, as pathlib.Path.read_text gives it"
        )));
    }
    Ok(Notation::guess(text).read(text, None).or_raise(of_record)?.record)
}
