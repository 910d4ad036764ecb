//! One game of a match: what every position is worth at one score, at each level of the cube.

use puabi_core::{Away, Cube, CubeEvaluator, Player, Position, Rules, Stakes};

use super::match_table::MatchTable;
use crate::offer::{Offer, OfferReport};
use crate::solver::Solver;
use crate::types::{SolveError, Watch};
use crate::values::Values;

/// The values of a game by the player about to roll: that player's chance to win what the cube shows.
type ByMover = [Values; 2];

/// What every position of a game is worth at one score of a match.
///
/// Values are chances to win what the cube shows, or equivalent chances; [`CubeEvaluator::worth`] turns them into chances to win
/// the match.
#[derive(Debug, Clone)]
pub struct ScoreValues {
    score: Away,
    /// By doublings: the chance of each player to win the match once they have lost and once they have won the game.
    ends: Vec<[[f64; 2]; 2]>,
    /// By doublings and owner. A cube in the middle has the same values under either owner.
    levels: Vec<[ByMover; 2]>,
    /// The sweeps and the residual of these solves.
    pub report: OfferReport,
}

impl ScoreValues {
    /// Solves the levels of the cube from the highest down.
    pub(super) fn solve(
        solver: &Solver,
        score: Away,
        cubeless: &Values,
        table: &MatchTable,
        watch: &dyn Watch,
    ) -> Result<Self, SolveError> {
        let highest = Cube::new(score.cap()).left();
        let ends = (0..=highest).map(|doublings| ends(table, score, 1 << doublings)).collect();
        let by_mover = || [cubeless.clone(), cubeless.clone()];
        let report = OfferReport::default();
        // Levels are pushed from the highest down, and put in order at the end.
        let mut found = Self { score, ends, levels: vec![[by_mover(), by_mover()]], report };
        for doublings in (0..highest).rev() {
            let level = if doublings == 0 {
                let both = found.level(solver, cubeless, 0, &Player::BOTH, watch)?;
                [both.clone(), both]
            } else if score.of(Player::Light) == score.of(Player::Dark) {
                let light = found.level(solver, cubeless, doublings, &[Player::Light], watch)?;
                let [own, other] = light.clone();
                [light, [other, own]]
            } else {
                let [light, dark] = Player::BOTH;
                let light = found.level(solver, cubeless, doublings, &[light], watch)?;
                [light, found.level(solver, cubeless, doublings, &[dark], watch)?]
            };
            found.levels.push(level);
        }
        found.levels.reverse();
        Ok(found)
    }

    /// Solves a level at which these players may double. The last of `self.levels` is the level above it.
    fn level(
        &mut self,
        solver: &Solver,
        cubeless: &Values,
        doublings: u8,
        may_double: &[Player],
        watch: &dyn Watch,
    ) -> Result<ByMover, SolveError> {
        let above = self.levels.last().expect("the highest level is there");
        let offers = Player::BOTH.map(|player| {
            // A player who wins the match with the cube as it stands gains nothing by doubling it.
            let gains = self.score.of(player) > 1 << doublings;
            let values = &above[player.opponent() as usize][player as usize];
            (gains && may_double.contains(&player)).then(|| self.offer(player, doublings, values))
        });
        let (values, report) = match offers {
            [None, None] => return Ok([cubeless.clone(), cubeless.clone()]),
            [Some(offer), Some(_)]
                if self.score.of(Player::Light) == self.score.of(Player::Dark) =>
            {
                let (values, report) = solver.solve_with_offer(offer, watch)?;
                ([values.clone(), values], report)
            }
            offers => solver.solve_with_offers(offers, watch)?,
        };
        self.report = self.report.and(report);
        Ok(values)
    }

    /// Returns the offer of a double: the game for twice the points, its worth as a part of what is at stake before the double.
    fn offer<'v>(&self, player: Player, doublings: u8, values: &'v Values) -> Offer<'v> {
        let [lost, won] = self.ends[usize::from(doublings)][player as usize];
        let [lost_doubled, won_doubled] = self.ends[usize::from(doublings) + 1][player as usize];
        Offer {
            values,
            scale: (won_doubled - lost_doubled) / (won - lost),
            shift: (lost_doubled - lost) / (won - lost),
        }
    }

    /// Returns the score.
    pub fn score(&self) -> Away {
        self.score
    }

    /// Returns light's chance to win the match before the game, if both players are equally likely to begin.
    pub(super) fn chance_at_start(&self, rules: &Rules) -> f64 {
        let [light, dark] = Player::BOTH.map(|mover| self.chance_if_first(rules, mover));
        f64::midpoint(light, 1.0 - dark)
    }

    /// Returns the chance of `mover` to win the match if they begin the game.
    pub fn chance_if_first(&self, rules: &Rules, mover: Player) -> f64 {
        let (cube, start) = (Stakes::of_match(self.score).cube, rules.start());
        let Some(roll) = rules.rule_set().first_roll else {
            return self.worth(cube, mover, start);
        };
        let decision = rules.decision(start, roll);
        let worths = decision.afterstates().map(|(_, after)| self.worth_after(cube, mover, after));
        worths.fold(0.0, f64::max)
    }
}

/// A worth is a chance to win the match. A match has no cubes higher than [`Away::cap`], and asking for one panics.
impl CubeEvaluator for ScoreValues {
    fn ends(&self, cube: Cube, player: Player) -> [f64; 2] {
        self.ends[usize::from(cube.doublings())][player as usize]
    }

    fn relative_worth(&self, cube: Cube, mover: Player, position: Position) -> f64 {
        let owner = cube.owner().unwrap_or(Player::Light);
        let level = &self.levels[usize::from(cube.doublings())][owner as usize];
        level[mover as usize].value(position)
    }
}

/// Returns, by player, the chance to win the match after losing and after winning a game that counts this many points.
fn ends(table: &MatchTable, score: Away, points: u32) -> [[f64; 2]; 2] {
    Player::BOTH.map(|player| {
        let after = |winner| table.chance(player, score.after(winner, points), winner);
        [after(player.opponent()), after(player)]
    })
}
