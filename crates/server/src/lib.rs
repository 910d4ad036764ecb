//! The game over HTTP: an API with its description, the page, and the archive of games.
//!
//! [`Server`] is what a program runs. Handlers in `routes` are thin: `extract` turns a request into a value, the `state` has what
//! answers it (rule sets in its catalog, their tables, the archive of games), and `puabi_answers` gives answers their form. Async
//! stays in this crate; [`BlockingArchive`] is the archive for programs that wait.
//!
//! `docs/api.md` has every endpoint with an example.

mod app;
mod archive;
mod games;
mod http;
mod limits;
mod mcp;
mod mode;
mod options;
mod pace;
mod routes;
mod rulesets;
mod server;
mod site;
mod state;
mod texts;

pub use archive::{ArchiveError, BlockingArchive};
pub use games::hosted::HostedPrograms;
pub use limits::{ClientLimits, Limits};
pub use mcp::serve_mcp;
pub use mode::Mode;
pub use options::Options;
pub use pace::Pace;
pub use puabi_answers::{Entry, Filter};
pub use server::{ServeError, Server, service};
pub use site::Site;
pub use texts::{Language, UnknownLanguage};
