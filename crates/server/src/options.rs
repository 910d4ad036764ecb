//! How to serve: where, for whom, and how much each may ask for.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use crate::games::hosted::HostedPrograms;
use crate::limits::Limits;
use crate::mode::Mode;

/// How to serve.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address to listen at; with port 0 the system chooses a port.
    pub address: SocketAddr,
    /// The directory of tables, games and rule files.
    pub data: PathBuf,
    /// Names that the server may be called by, beside addresses and `localhost`.
    pub names: Vec<String>,
    /// The rule set to solve in the background if it has no table yet.
    pub solve: Option<String>,
    /// Returns the bytes of available memory, if the system reports them.
    pub memory: fn() -> Option<u64>,
    /// Who the server is for.
    pub mode: Mode,
    /// The address of the proxy in front of the server, if there is one; it names its clients in `X-Forwarded-For`.
    pub proxy: Option<IpAddr>,
    /// What clients may ask for.
    pub limits: Limits,
    /// The programs that requests may ask to play.
    pub hosted: Arc<HostedPrograms>,
}
