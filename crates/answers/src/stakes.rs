//! What a position is worth in a game with a doubling cube.

use std::sync::Arc;

use puabi_core::{Away, Cube, CubeEvaluator, Player, Rules, Stakes, StakesError, ascii};
use puabi_engine::CubeAnswer;
use puabi_solve::{MatchTable, SolveError, Solver, Unattended, Values};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::{ApiError, ApiResult, field_error};
use crate::question::Question;
use crate::view::cube::CubeView;

/// A query of a path that takes none, such as that of a position: without `/cube` it knows no stakes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoQuery {}

/// What a game is played for, as a query asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StakesQuery {
    /// The cube: `1` for one in the middle, or its value and owner, as in `2:light`.
    #[param(example = "2:light")]
    pub cube: String,
    /// The score of a match: the points that light and dark need, as in `3-5`; `1-4:crawford` is the Crawford game. Without
    /// it the game is played for money.
    #[serde(rename = "match")]
    #[param(example = "3-5")]
    pub score: String,
    /// The value at which the cube can be doubled no more, in a game for money; 64 if it is not given.
    #[param(value_type = Option<u32>)]
    pub cap: String,
}

impl StakesQuery {
    /// Reads the stakes. If nothing is given, the game is for money, with a cube in the middle.
    ///
    /// # Errors
    ///
    /// Returns an error if a part cannot be read, or if the parts do not go together.
    pub fn read(&self) -> ApiResult<Stakes> {
        let Self { cube, score, cap } = self;
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let found: Option<Cube> = given(cube)
            .map(|text| text.parse().map_err(|error| field_error("cube", &text, &error)))
            .transpose()?;
        let away: Option<Away> = given(score)
            .map(|text| text.parse().map_err(|error| field_error("match", &text, &error)))
            .transpose()?;
        let most: Option<u32> = given(cap)
            .map(|text| {
                ascii::number(&text).ok_or_else(|| {
                    ApiError::field("cap", &text, "that is not a number")
                        .expected(format!("a power of two from 1 to {}", Cube::MAX_CAP))
                })
            })
            .transpose()?;
        let asked = Stakes::from_parts(found, away, most);
        let asked = asked.map_err(|error| match error {
            // The cube could be read, so only its cap can be wrong.
            StakesError::Cube(_) | StakesError::CapOfMatch { .. } => {
                field_error("cap", cap, &error)
            }
            _ => field_error("cube", cube, &error),
        })?;
        Ok(asked.unwrap_or(Stakes::money(Cube::new(Cube::USUAL_CAP))))
    }
}

impl Question {
    /// Returns the answer for a game at these stakes; `values` are those of its cube or its score.
    pub fn with_cube(self, rules: &Rules, stakes: Stakes, values: &dyn CubeEvaluator) -> CubeView {
        let asked = (self.position, self.turn);
        CubeView::new(rules, &CubeAnswer::new(rules, stakes, asked, self.roll, values))
    }
}

/// Returns the stakes at the start of a game in which these stakes occur. All values of the game belong to them.
pub fn stakes_at_start(stakes: Stakes) -> Stakes {
    stakes.score.map_or(Stakes::money(Cube::new(stakes.cube.cap())), Stakes::of_match)
}

/// Returns how many times the positions of a game have to be solved for all its values at these stakes.
pub fn solve_count(stakes: Stakes) -> u64 {
    match match_length(stakes) {
        // A match to n points has about n^3 / 3 games with all levels of their cubes.
        Some(points) => u64::from(points).pow(3) / 3 + 2,
        // Three arrays for each doubling.
        None => 3 * u64::from(stakes.cube.cap().ilog2()).max(1),
    }
}

/// Returns the points of the shortest match that has the score of these stakes.
pub fn match_length(stakes: Stakes) -> Option<u32> {
    let score = stakes.score?;
    Player::BOTH.map(|player| score.of(player)).into_iter().max()
}

/// The values of a game with a cube, in memory.
pub type SolvedCube = Box<dyn CubeEvaluator + Send + Sync>;

/// Solves a game at these stakes. `cubeless` are its values without a cube; `known` are the chances at the scores of a match, if
/// an earlier solve found them. Returns the values and, for a game of a match, the chances at its scores.
///
/// # Errors
///
/// As [`Solver::solve`].
pub fn solve_cube(
    solver: &Solver,
    cubeless: Values,
    stakes: Stakes,
    known: Option<Arc<MatchTable>>,
) -> Result<(SolvedCube, Option<Arc<MatchTable>>), SolveError> {
    let (Some(points), Some(score)) = (match_length(stakes), stakes.score) else {
        let doublings = stakes_at_start(stakes).cube.left();
        let money = solver.solve_money(cubeless, doublings, &Unattended)?;
        return Ok((Box::new(money), None));
    };
    let chances = match known.filter(|chances| chances.points() >= points) {
        Some(chances) => chances,
        None => Arc::new(solver.match_table(&cubeless, points, &Unattended)?),
    };
    let game = solver.solve_at(score, &cubeless, &chances, &Unattended)?;
    Ok((Box::new(game), Some(chances)))
}
