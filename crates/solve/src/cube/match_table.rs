//! Match equities: the chance to win a match from every score, if both players are perfect with pieces and cube.

use puabi_core::{Away, Player};

use crate::offer::OfferReport;

/// The chance to win a match from every score up to a number of points, before a game in which both players are equally likely to
/// begin.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchTable {
    points: u32,
    /// By the points that light and dark need: light's chance. If a player needs one point, it is the chance before the Crawford
    /// game.
    before: Vec<Vec<f64>>,
    /// By the points that the other player needs: the chance of a player who needs one point, after the Crawford game.
    after: Vec<f64>,
    /// The sweeps and the residual of the games behind it.
    pub report: OfferReport,
}

impl MatchTable {
    /// Returns the points of the longest match that the table covers.
    pub fn points(&self) -> u32 {
        self.points
    }

    /// Returns a player's chance to win the match at a score; `None` stands for a match that `winner` has won.
    ///
    /// # Panics
    ///
    /// Panics if a player needs more points than the table covers.
    pub fn chance(&self, player: Player, score: Option<Away>, winner: Player) -> f64 {
        let Some(score) = score else { return f64::from(u8::from(player == winner)) };
        let [own, other] = [score.of(player), score.of(player.opponent())];
        match (own, other) {
            _ if score.is_crawford() || own > 1 && other > 1 => {
                self.before[own as usize][other as usize]
            }
            (1, _) => self.after[other as usize],
            _ => 1.0 - self.after[own as usize],
        }
    }

    /// Returns the table of a match before any score is known.
    pub(super) fn start(points: u32) -> Self {
        let side = points as usize + 1;
        let before = vec![vec![0.5; side]; side];
        Self { points, before, after: vec![0.5; side], report: OfferReport::default() }
    }

    /// Keeps light's chance at a score, and dark's at the score with the players exchanged.
    pub(super) fn set(&mut self, score: Away, chance: f64) {
        let [light, dark] = Player::BOTH.map(|player| score.of(player) as usize);
        if score.is_crawford() || light > 1 {
            self.before[light][dark] = chance;
            self.before[dark][light] = 1.0 - chance;
        } else {
            self.after[dark] = chance;
        }
    }
}
