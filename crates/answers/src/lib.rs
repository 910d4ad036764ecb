//! The answers of the API, without a network. It takes requests as values, and returns values that are written as JSON.
//!
//! The server sends these answers over HTTP; the page without a server gets the same ones from a worker. [`Play`] is a game of
//! the archive in progress, [`Question`] a position that is asked about, [`ReviewBody`] a game to review. Errors are
//! [`ApiError`]s: a status, what was found and what would be right. Nothing here reads a file, waits or knows the time;
//! `docs/api.md` describes what is asked and answered.

mod agents;
mod body;
mod choice;
mod convergence;
mod error;
mod games;
mod question;
mod review;
mod rule_files;
mod solving;
mod stakes;
mod view;
mod wording;

pub use agents::{AgentView, Settled, named, roster, unfit};
pub use body::read_object;
pub use choice::{Choice, ChooseBody};
pub use convergence::{SMALL, Sweep, demonstrate};
pub use error::{ApiError, ApiResult, ErrorBody};
pub use games::entry::{Entry, Filter, Marks, PlayedEntry, ending, name, plies, winner};
pub use games::new_game::{DoubleBody, MoveBody, NewGame, ResignBody, RollBody};
pub use games::play::{Plan, Play, Undo, Wanted};
pub use games::progress::{GameList, Progress, Whose};
pub use question::Question;
pub use review::{ReviewBody, Reviewed, ensure_plies, ensure_short};
pub use rule_files::{
    compiled, file_name, full, is_file_name, not_kept, other_name, taken, unkept, unknown,
};
pub use solving::{ProgressView, SolveProgress};
pub use stakes::{SolvedCube, StakesQuery, game_of, points, solve_cube, solves};
pub use view::answer::AnswerView;
pub use view::board::{Known, NamedRules, RulesLine, RulesView, TableStanding, TableView};
pub use view::cube::CubeView;
pub use view::game::{GameView, SeatKeys, Seed};
pub use wording::{Wrong, of_query};
