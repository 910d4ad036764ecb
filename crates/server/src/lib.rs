//! The game over HTTP: an API with its description, the page, and the archive of games.
//!
//! [`Server`] is what a program runs. Handlers in `routes` are thin: a request becomes a value (`extract`), the `house`
//! has what answers it (rule sets in its library, their tables, the archive of games), and `view` is what answers look
//! like. Async stays in this crate; [`ArchiveDoor`] is the archive for programs that wait.
//!
//! `docs/api.md` has every endpoint with an example.

mod agents;
mod app;
mod archive;
mod convergence;
mod error;
mod extract;
mod guard;
mod house;
mod library;
mod metrics;
mod page;
mod play;
mod routes;
mod server;
mod tables;
mod variant;
mod view;

pub use archive::{ArchiveDoor, ArchiveError, Entry, Filter};
pub use server::{Limits, Options, ServeError, Server, service};
