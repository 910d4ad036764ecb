//! The free choices of a player.

use puabi_core::Player;

use super::ply::PlyReview;

/// The values of the moves that a player could choose from, and of the one chosen.
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

/// Returns the free choices of `player`: those of two moves or more.
pub(super) fn choices(plies: &[PlyReview], player: Player) -> Vec<Choice> {
    let free = plies.iter().filter(|ply| ply.player == player && ply.moves.len() > 1);
    let choice = |ply: &PlyReview| Choice {
        values: ply.moves.iter().map(|answer| answer.value).collect(),
        chosen: ply.value,
    };
    free.map(choice).collect()
}
