//! Limits of what clients may ask for. `docs/api.md` lists them with their flags.

use std::time::Duration;

use crate::mode::Mode;

/// What clients may ask for, and how long they may take for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How long the head of a request may take; a connection may be idle for as long.
    pub head: Duration,
    /// How long it may take from the end of the head until the answer begins.
    pub answer: Duration,
    /// How long a client may take nothing of its answer.
    pub write: Duration,
    /// Bytes of the body of a request.
    pub body: usize,
    /// Plies of a game that is reviewed.
    pub plies: usize,
    /// Bytes of the query of a request, which may have a text to search a list for.
    pub query: usize,
    /// Rule files that are kept.
    pub rule_files: usize,
    /// Games that a server for others keeps.
    pub games: usize,
    /// Bytes of all tables that solves leave in the data directory.
    pub tables: u64,
    /// Bytes of answers that wait to be taken, of all clients together.
    pub unsent: usize,
    /// Connections that are open at once.
    pub connections: usize,
    /// Requests that are worked on at once; more wait for their turn.
    pub requests: usize,
    /// What each client address may ask for; if this is `None`, nothing is counted, as for a server of this machine alone.
    pub per_client: Option<ClientLimits>,
}

/// What each client address may ask for. The 2^64 addresses of an IPv6 network of 64 bits count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientLimits {
    /// Connections that are open at once.
    pub connections: usize,
    /// Requests a second on average; ten seconds' worth may come at once.
    pub requests: u32,
    /// Requests that are worked on at once.
    pub jobs: usize,
}

impl ClientLimits {
    /// No limits of each client: it may ask for as much as all clients together.
    pub const UNLIMITED: Self =
        Self { connections: usize::MAX, requests: 1_000_000, jobs: usize::MAX };
}

impl Default for ClientLimits {
    fn default() -> Self {
        Self { connections: 32, requests: 50, jobs: 8 }
    }
}

impl Limits {
    /// Returns the default limits of a mode.
    pub fn of(mode: Mode) -> Self {
        Self { per_client: mode.is_for_others().then(ClientLimits::default), ..Self::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(15),
            answer: Duration::from_secs(30),
            write: Duration::from_secs(30),
            body: 1 << 20,
            plies: 10_000,
            query: 1000,
            rule_files: 200,
            games: 100_000,
            tables: 100_000_000_000,
            unsent: 64 << 20,
            connections: 1000,
            requests: 256,
            per_client: None,
        }
    }
}
