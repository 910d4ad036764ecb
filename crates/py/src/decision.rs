//! Decisions and moves for Python.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use puabi_core::{Player, Position, Roll};
use pyo3::prelude::*;

use crate::arrays::{array_of, integer, shaped, whole_or_none};
use crate::errors::{OrRaise, of_agent, of_move, of_position};
use crate::features;
use crate::rules::Rules;

/// A legal move of the player who rolled.
///
/// `str(move)` is `"0-4"` (a piece enters), `"3-7"`, `"14-off"` or `"pass"`; squares are steps of the player's own
/// path.
#[pyclass(frozen, eq, hash, module = "puabi")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub(crate) action: puabi_core::Move,
    /// Its number among the actions of an environment: the square that the piece leaves, 0 for the hand, the path's
    /// length + 1 for a pass.
    #[pyo3(get)]
    code: u8,
    /// The square of the opponent's path whose piece it captures, or None.
    captured: Option<puabi_core::Square>,
    /// Whether the same player rolls again, unless the move wins.
    #[pyo3(get)]
    again: bool,
}

#[pymethods]
impl Move {
    /// The square that the piece leaves, 0 for the hand; None for a pass.
    #[getter]
    fn source(&self) -> Option<u8> {
        match self.action {
            puabi_core::Move::Enter { .. } => Some(0),
            action => action.from().map(puabi_core::Square::number),
        }
    }

    /// The square where the piece lands; None if it leaves the board, or for a pass.
    #[getter]
    fn dest(&self) -> Option<u8> {
        self.action.to().map(puabi_core::Square::number)
    }

    /// The square of the opponent's own path whose piece is captured; None if no piece is captured.
    #[getter]
    fn captured(&self) -> Option<u8> {
        self.captured.map(puabi_core::Square::number)
    }

    /// Returns whether a piece enters the board.
    fn is_introducing_piece(&self) -> bool {
        matches!(self.action, puabi_core::Move::Enter { .. })
    }

    /// Returns whether a piece is brought home.
    fn is_scoring_piece(&self) -> bool {
        matches!(self.action, puabi_core::Move::Score { .. })
    }

    /// Returns whether a piece is captured.
    fn is_capture(&self) -> bool {
        self.captured.is_some()
    }

    fn __str__(&self) -> String {
        self.action.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Move {}>", self.action)
    }
}

/// A position and a roll: what a player has to decide on. Agents written in Python are given one.
///
/// `rules` are as for `Rules`; `position` is a text, with the roll if `roll` is None.
#[pyclass(frozen, module = "puabi")]
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    rules: Arc<puabi_core::Rules>,
    at: Position,
    turn: Player,
    thrown: Roll,
}

#[pymethods]
impl Decision {
    #[new]
    #[pyo3(signature = (rules, position, roll=None))]
    fn read(
        rules: &Bound<'_, PyAny>,
        position: &str,
        #[pyo3(from_py_with = whole_or_none)] roll: Option<i64>,
    ) -> PyResult<Self> {
        let rules = Rules::of(rules)?;
        let (at, setup) = rules.read(position)?;
        let Some(roll) = roll.or(setup.roll.map(|roll| roll.steps().into())) else {
            let expected = "expected one, as in `-:-:L3`, or the argument roll";
            return Err(of_position(format!("`{position}` has no roll: {expected}")));
        };
        let roll = rules.roll(roll)?;
        Ok(Self::new(rules.rules, at, setup.turn, roll))
    }

    /// The rules in force.
    #[getter]
    fn rules(&self) -> Rules {
        Rules { rules: self.rules.clone() }
    }

    /// The text of the position, with the roll.
    #[getter]
    fn position(&self) -> String {
        let setup = self.rules.setup(self.at, self.turn);
        puabi_core::Setup { roll: Some(self.thrown), ..setup }.to_string()
    }

    /// The roll.
    #[getter]
    fn roll(&self) -> u8 {
        self.thrown.steps()
    }

    /// The legal moves, those from the hand first; a pass alone if no piece can move.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        let decision = self.decision();
        decision.moves().into_iter().map(|action| Move::of(&decision, action)).collect()
    }

    /// The observation of the player who decides: uint8, shape (2 * length + 5,), with the columns of `VecEnv.obs`.
    #[getter]
    fn obs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let mut row = vec![0; features::columns(&self.rules) + 1];
        features::observe(&self.rules, self.at, self.thrown, &mut row);
        array_of(py, row)
    }

    /// Which actions are legal: bool, shape (length + 2,).
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        array_of(py, features::mask(&self.rules, &self.decision().moves()))
    }

    /// Returns the position after each of `moves`: its columns (uint8, shape (moves, 2 * length + 4)), seen
    /// by the player who rolls next; whether that is the same player (bool, shape (moves,)); and whether the move
    /// wins (bool, shape (moves,)), in which case the columns are zero.
    fn afterstates<'py>(&self, py: Python<'py>) -> PyResult<Afterstates<'py>> {
        let after: Vec<_> = self.decision().afterstates().map(|(_, after)| after).collect();
        let columns = features::columns(&self.rules);
        let mut rows = vec![0; after.len() * columns];
        for (row, after) in rows.chunks_mut(columns).zip(&after) {
            if let Some(next) = after.position() {
                features::write(&self.rules, next, row);
            }
        }
        let rows = shaped(py, rows, [after.len(), columns])?;
        let again = array_of(py, after.iter().map(|after| after.rolls_again()))?;
        let won = array_of(py, after.iter().map(|after| after.position().is_none()))?;
        Ok((rows, again, won))
    }

    fn __repr__(&self) -> String {
        format!("<Decision {} of {}>", self.position(), self.rules.rule_set())
    }
}

type Afterstates<'py> =
    (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);

impl Move {
    /// Returns a legal move of a decision.
    pub(crate) fn of(decision: &puabi_core::Decision<'_>, action: puabi_core::Move) -> Self {
        Self {
            action,
            code: features::code(decision.rules(), action),
            captured: decision.captures(action),
            again: decision.rolls_again(action),
        }
    }

    /// Returns the move that a Python value names among the legal ones: a move, its text, or its code.
    pub(crate) fn read(
        given: &Bound<'_, PyAny>,
        decision: &puabi_core::Decision<'_>,
    ) -> PyResult<puabi_core::Move> {
        let action = if let Ok(action) = given.cast::<Self>() {
            action.get().action
        } else if let Ok(text) = given.extract::<String>() {
            text.parse().or_raise(of_move)?
        } else if let Some(code) = integer(given) {
            let code = code.map_err(|digits| unlisted(digits, decision))?;
            let is_named =
                |it: &puabi_core::Move| i64::from(features::code(decision.rules(), *it)) == code;
            let named = decision.moves().into_iter().find(is_named);
            return named.ok_or_else(|| unlisted(code, decision));
        } else {
            let found = given.get_type().to_string();
            return Err(of_move(format!("{found} found: expected a move, its text or its code")));
        };
        decision.play(action).or_raise(of_move).map(|_| action)
    }
}

/// Returns the error for an action that is not legal.
pub(crate) fn unlisted(code: impl std::fmt::Display, decision: &puabi_core::Decision<'_>) -> PyErr {
    let legal =
        decision.moves().into_iter().map(|it| features::code(decision.rules(), it).to_string());
    let (legal, roll) = (legal.collect::<Vec<_>>().join(", "), decision.roll());
    of_move(format!("action {code} is not legal with a roll of {roll}: expected one of {legal}"))
}

impl Decision {
    /// Returns the decision of `turn`.
    pub(crate) fn new(
        rules: Arc<puabi_core::Rules>,
        at: Position,
        turn: Player,
        thrown: Roll,
    ) -> Self {
        Self { rules, at, turn, thrown }
    }

    /// Returns the decision, or an error if it is not one of these rules.
    pub(crate) fn of_rules(&self, rules: &Rules) -> PyResult<puabi_core::Decision<'_>> {
        if self.rules == rules.rules {
            return Ok(self.decision());
        }
        let (found, expected) = (self.rules.rule_set(), rules.rules.rule_set());
        Err(of_agent(format!("a decision of {found}: expected a decision of {expected}")))
    }

    fn decision(&self) -> puabi_core::Decision<'_> {
        self.rules.decision(self.at, self.thrown).by(self.turn)
    }
}
