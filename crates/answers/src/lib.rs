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

pub use agents::{AgentView, FixedPolicy, parse_agent, roster, unsuitable_agent_error};
pub use body::read_object;
pub use choice::{Choice, ChooseBody};
pub use convergence::{SMALL, Sweep, demonstrate};
pub use error::{ApiError, ApiResult, ErrorBody};
pub use games::entry::{Entry, Filter, Marks, PlayedEntry, ending, name, plies, winner};
pub use games::new_game::{DoubleBody, MoveBody, NewGame, ResignBody, RollBody};
pub use games::play::{AgentTask, Plan, Play, Undo};
pub use games::progress::{GameList, Progress, Whose};
pub use question::Question;
pub use review::{ReviewBody, Reviewed, ensure_plies, ensure_short};
pub use rule_files::{
    compile_rule_file, file_name, is_file_name, limit_reached_error, name_taken_error,
    no_rule_file_error, other_name, rules_not_kept_error, unknown_rules_error,
};
pub use solving::{ProgressView, SolveProgress};
pub use stakes::{
    NoQuery, SolvedCube, StakesQuery, match_length, solve_count, solve_cube, stakes_at_start,
};
pub use view::answer::AnswerView;
pub use view::board::{NamedRules, RulesLine, RulesView, SolveResults, TableStanding, TableView};
pub use view::cube::CubeView;
pub use view::game::{GameView, SeatKeys, Seed};
pub use wording::{InputFault, query_fault};
