//! The decisions of a player that leave a choice.

use super::ply::PlyReview;

/// The values of the moves that a player could choose from, and of the chosen move.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choice {
    pub(super) values: Vec<f64>,
    pub(super) chosen: f64,
}

impl Choice {
    pub(super) fn best(&self) -> f64 {
        self.values.iter().copied().fold(0.0, f64::max)
    }

    pub(super) fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }
}

/// Returns the choices of a player: the plies with two legal moves or more.
pub(super) fn choices<'p>(own: impl Iterator<Item = &'p PlyReview>) -> Vec<Choice> {
    let choice = |ply: &PlyReview| Choice {
        values: ply.moves.iter().map(|answer| answer.value).collect(),
        chosen: ply.value,
    };
    own.filter(|ply| ply.moves.len() > 1).map(choice).collect()
}
