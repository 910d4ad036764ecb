//! Modes: who the server is for, and so what a request may do.

use axum::http::{Method, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use puabi_answers::{ApiError, ApiResult};

/// Who the server is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The person who runs the server, on this machine: everything is allowed, and no other machine can connect.
    #[default]
    Mine,
    /// Everybody: all clients may read, review and play. The client that begins a game gets a key for each seat, and every
    /// later action for a seat needs its key. Nothing is removed or solved, and no rule file is kept.
    Public,
    /// Everybody: all clients may read positions, reviews and the games that are there; nothing is kept.
    ReadOnly,
}

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Right {
    /// Nothing that lasts.
    Read,
    /// Begins or changes a game.
    Play,
    /// Keeps a rule file.
    Keep,
    /// Removes a game or a rule file.
    Remove,
    /// Solves a game.
    Solve,
    /// Asks for the counters of the server, which are for the person who runs it.
    Inspect,
}

impl Right {
    /// Returns what a request for the route `path` does. A route that is not known here counts as one for the person who runs the
    /// server.
    pub(crate) fn of(method: &Method, path: &str) -> Self {
        match (method, path) {
            (_, "/metrics") => Self::Inspect,
            // A path without a route leads to a file of the page, or to nothing.
            (_, "")
            | (&Method::GET | &Method::HEAD | &Method::OPTIONS, _)
            | (
                &Method::POST,
                "/api/review" | "/api/review.html" | "/api/rules/try" | "/api/{rules}/choose",
            ) => Self::Read,
            (&Method::DELETE, _) => Self::Remove,
            (&Method::POST, "/api/{rules}/solve") => Self::Solve,
            (&Method::POST, _) if path.starts_with("/api/games") => Self::Play,
            _ => Self::Keep,
        }
    }
}

impl Mode {
    /// Returns whether requests may do this; `is_local` says whether the request comes from this machine.
    pub(crate) fn allows(self, right: Right, is_local: bool) -> bool {
        match right {
            Right::Read => true,
            Right::Inspect => self == Self::Mine || is_local,
            Right::Play => self != Self::ReadOnly,
            Right::Keep | Right::Remove | Right::Solve => self == Self::Mine,
        }
    }

    /// Refuses a request that may not do this.
    ///
    /// # Errors
    ///
    /// Returns an error that says what this server does not do, and what would be allowed.
    pub(crate) fn ensure(self, right: Right, is_local: bool) -> ApiResult<()> {
        if self.allows(right, is_local) {
            return Ok(());
        }
        let (what, expected) = match right {
            Right::Read | Right::Play => ("this server keeps no games", "a review or a position"),
            Right::Keep => (
                "this server keeps no rule files",
                "POST /api/rules/try, which describes the game of a file",
            ),
            Right::Remove => {
                ("this server removes nothing", "the person who runs the server to do it")
            }
            Right::Solve => {
                ("this server solves no games", "the person who runs the server to do it")
            }
            Right::Inspect => {
                ("only the machine of the server may ask for this", "a request from that machine")
            }
        };
        Err(ApiError::new(StatusCode::FORBIDDEN, what).expected(expected))
    }

    /// Returns whether other machines may connect.
    pub(crate) fn is_for_others(self) -> bool {
        self != Self::Mine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mode_allows_less() {
        let rights =
            [Right::Read, Right::Play, Right::Keep, Right::Remove, Right::Solve, Right::Inspect];
        let allowed = |mode: Mode| rights.map(|right| mode.allows(right, false));
        assert_eq!(allowed(Mode::Mine), [true; 6]);
        assert_eq!(allowed(Mode::Public), [true, true, false, false, false, false]);
        assert_eq!(allowed(Mode::ReadOnly), [true, false, false, false, false, false]);
        assert!(Mode::Public.allows(Right::Inspect, true));
    }

    #[test]
    fn a_route_that_is_not_known_is_for_who_runs_the_server() {
        assert_eq!(Right::of(&Method::POST, "/api/{rules}/burn"), Right::Keep);
        assert_eq!(Right::of(&Method::POST, "/api/games/{id}/move"), Right::Play);
        assert_eq!(Right::of(&Method::PUT, "/api/games/{id}"), Right::Keep);
        assert_eq!(Right::of(&Method::GET, "/api/{rules}"), Right::Read);
        assert_eq!(Right::of(&Method::POST, ""), Right::Read);
    }
}
