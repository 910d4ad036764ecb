//! The interface between a game with a cube and what judges its positions.

use crate::{Afterstate, Cube, Player, Position, Rules};

/// A judge of positions in a game with a cube, for money or at one score of a match.
///
/// A *worth* is the number of points won on average in a game for money, or the chance to win the match.
pub trait CubeEvaluator {
    /// Returns the game's ends: what it is worth to `player` when it is lost, and when it is won, with this cube.
    fn ends(&self, cube: Cube, player: Player) -> [f64; 2];

    /// Returns what the game is worth to `mover`, who is about to roll in `position` and may double first, on a scale (0..=1)
    /// from the game's worth when lost to its worth when won.
    fn relative_worth(&self, cube: Cube, mover: Player, position: Position) -> f64;

    /// Returns what the game is worth to `mover`, who is about to roll in `position` and may double first.
    fn worth(&self, cube: Cube, mover: Player, position: Position) -> f64 {
        between(self.ends(cube, mover), self.relative_worth(cube, mover, position))
    }

    /// Returns what the game is worth to `player`, who has just moved.
    fn worth_after(&self, cube: Cube, player: Player, after: Afterstate) -> f64 {
        match after {
            Afterstate::Won => self.ends(cube, player)[1],
            Afterstate::RollsAgain(position) => self.worth(cube, player, position),
            Afterstate::TurnPasses(position) => {
                let opponents = self.relative_worth(cube, player.opponent(), position);
                between(self.ends(cube, player), 1.0 - opponents)
            }
        }
    }

    /// Returns what the game is worth to `mover`, who rolls now and does not double.
    fn worth_rolling(&self, rules: &Rules, cube: Cube, mover: Player, position: Position) -> f64 {
        let of_roll = |&(roll, chance): &(_, f64)| {
            let decision = rules.decision(position, roll);
            let worths =
                decision.afterstates().map(|(_, after)| self.worth_after(cube, mover, after));
            chance * worths.fold(f64::NEG_INFINITY, f64::max)
        };
        rules.rolls().iter().map(of_roll).sum()
    }
}

fn between([lost, won]: [f64; 2], relative: f64) -> f64 {
    lost + (won - lost) * relative
}
