//! Rules for Python: presets, rule files, the moves of a position.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use numpy::PyArray1;
use puabi_core::{Player, Position, Roll, RuleSet, Setup, perft_from};
use puabi_solve::Watch;
use puabi_tables::read_text;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::arrays::{array_of, whole};
use crate::errors::{OrRaise, of_move, of_position, of_rules, unusable};
use crate::running::run;

/// The most plies of a count of lines: each more ply takes about eight times as long.
const MOST_PLIES: u32 = 16;

/// The rules of one game, shared and never changed.
///
/// `Rules("finkel")` is a preset, `Rules("finkel:3")` the same with three pieces a player, `Rules("mine.toml")` a
/// rule file; a text with line breaks or `=` is read as a rule file itself.
#[pyclass(frozen, eq, module = "puabi")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rules {
    pub(crate) rules: Arc<puabi_core::Rules>,
}

#[pymethods]
impl Rules {
    #[new]
    fn new(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(text)
    }

    /// The names of the presets.
    #[staticmethod]
    fn presets() -> Vec<String> {
        RuleSet::PRESETS.map(|preset| preset.name.into_owned()).to_vec()
    }

    /// The name, as `Rules` reads it if the rules are a preset.
    #[getter]
    fn name(&self) -> String {
        self.rules.rule_set().to_string()
    }

    /// The number of pieces of each player.
    #[getter]
    fn pieces(&self) -> u8 {
        self.rules.pieces()
    }

    /// The number of pieces that a player must bring home to win.
    #[getter]
    fn goal(&self) -> u8 {
        self.rules.goal()
    }

    /// The number of squares of a path; squares count from 1, 0 is the hand.
    #[getter]
    fn length(&self) -> u8 {
        self.rules.length()
    }

    /// The squares that are rosettes, the same for both players.
    #[getter]
    fn rosettes(&self) -> Vec<u16> {
        // A list of bytes would become `bytes`.
        self.rules.rosettes().iter().map(|square| square.number().into()).collect()
    }

    /// Every roll that can be thrown, ascending: int64, shape (rolls,).
    #[getter]
    pub(crate) fn rolls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        array_of(py, self.rules.rolls().iter().map(|(roll, _)| i64::from(roll.steps())))
    }

    /// The chance (0..=1, exact) of each of `rolls`: float64, shape (rolls,); they sum to one.
    #[getter]
    pub(crate) fn chances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        array_of(py, self.rules.rolls().iter().map(|&(_, chance)| chance))
    }

    /// The text of the position at the start of a game.
    #[getter]
    fn start(&self) -> String {
        self.text(self.rules.start(), Player::Light)
    }

    /// Returns the rules as a rule file, the same text for the same rules.
    fn to_toml(&self) -> String {
        self.rules.rule_set().to_toml()
    }

    /// Returns the number of lines of `depth` plies from `position` over all rolls and legal moves; a pass is a move,
    /// and the end of a game ends its line. A position that names a roll begins with it.
    #[pyo3(signature = (depth, position=None))]
    fn perft(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] depth: u32,
        position: Option<&str>,
    ) -> PyResult<u64> {
        if depth > MOST_PLIES {
            return Err(unusable(format!("{depth} plies: expected {MOST_PLIES} or fewer")));
        }
        let from = match position {
            Some(text) => self.read(text).map(|(position, setup)| (position, setup.roll))?,
            None => (self.rules.start(), self.rules.rule_set().first_roll),
        };
        run(py, None, |work| Ok(perft_from(&self.rules, from, depth, &|| !work.stop())))
    }

    fn __repr__(&self) -> String {
        match self.rules.rule_set().preset() {
            Some(_) => format!("Rules({:?})", self.name()),
            None => format!("<Rules {:?}>", self.name()),
        }
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.rules.rule_set().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.to_toml(),))
    }
}

impl Rules {
    /// Returns the rules that a Python value names: rules, a text, or the path of a rule file.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(rules) = given.cast::<Self>() {
            return Ok(rules.get().clone());
        }
        let Ok(text) = given.cast::<PyString>() else {
            let path: PathBuf = given.extract().map_err(|_| {
                let found = given.get_type().to_string();
                of_rules(format!("{found} found: expected rules, a preset's name, or a rule file"))
            })?;
            return Self::from_file(&path);
        };
        let text = text.to_string();
        let path = Path::new(&text);
        if !text.contains('\n') && path.extension().is_some_and(|end| end == "toml") {
            return Self::from_file(path);
        }
        if text.contains(['\n', '=']) {
            return Self::from_toml(&text);
        }
        Self::compiled(&text.parse().or_raise(of_rules)?)
    }

    fn from_file(path: &Path) -> PyResult<Self> {
        let text = File::open(path).and_then(|file| read_text(file, RuleSet::MAX_TOML_BYTES));
        let text = text.map_err(|error| of_rules(format!("{}: {error}", path.display())))?;
        Self::from_toml(&text)
    }

    fn from_toml(text: &str) -> PyResult<Self> {
        Self::compiled(&RuleSet::from_toml(text).or_raise(of_rules)?)
    }

    /// Returns the compiled form of these rules.
    pub(crate) fn compiled(rule_set: &RuleSet) -> PyResult<Self> {
        Ok(Self { rules: Arc::new(rule_set.compile().or_raise(of_rules)?) })
    }

    /// Returns the position that a text describes, and its setup.
    pub(crate) fn read(&self, text: &str) -> PyResult<(Position, Setup)> {
        let setup: Setup = text.parse().or_raise(of_position)?;
        Ok((self.rules.position(&setup).or_raise(of_position)?, setup))
    }

    /// Returns the text of a position in which `turn` is about to roll.
    pub(crate) fn text(&self, position: Position, turn: Player) -> String {
        self.rules.setup(position, turn).to_string()
    }

    /// Returns the roll of this number, or an error if the dice cannot show it.
    pub(crate) fn roll(&self, number: i64) -> PyResult<Roll> {
        let roll = u8::try_from(number).ok().map(Roll::new);
        let shown = roll.filter(|&roll| self.rules.can_roll(roll));
        shown.ok_or_else(|| of_move(self.rules.cannot_roll(number)))
    }
}
