//! The server as a program runs it: an address to listen at, and connections until it is told to stop.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

use crate::app::app;
use crate::archive::ArchiveError;
use crate::http::guard::Names;
use crate::rulesets::variant::TableState;
use crate::state::AppState;

/// Connections that are open at once; more wait until one ends.
const CONNECTIONS: usize = 512;
/// How long what is going on may take when the server stops.
const FAREWELL: Duration = Duration::from_secs(2);

/// How to serve.
#[derive(Debug, Clone)]
pub struct Options {
    /// If to listen.
    pub address: SocketAddr,
    /// The directory of tables, games and rule files.
    pub data: PathBuf,
    /// Names that the server may be called by, beside addresses and `localhost`.
    pub names: Vec<String>,
    /// The rule set to solve in the background if it has no table yet.
    pub solve: Option<String>,
    /// Returns the bytes of available memory, if the system reports them.
    pub memory: fn() -> Option<u64>,
    /// How long requests may take.
    pub limits: Limits,
}

/// How long requests may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Until the head of a request is there; a connection may be idle for as long.
    pub head: Duration,
    /// From there until the answer begins.
    pub answer: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head: Duration::from_secs(15), answer: Duration::from_secs(30) }
    }
}

/// Returns the whole service, to be put wherever requests come from; [`Server`] puts it behind an address.
///
/// # Errors
///
/// Returns an error if the archive cannot be opened.
pub async fn service(options: &Options) -> Result<Router, ServeError> {
    let state = AppState::open(&options.data, options.memory).await?;
    Ok(app(&state, Names::new(&options.names), options.limits.answer))
}

/// Why the server does not serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened at.
    #[error("{address} cannot be listened at: expected a free port of this machine")]
    Address {
        /// The address.
        address: SocketAddr,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The archive cannot be opened.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The system gives no threads or signals.
    #[error("the server cannot run")]
    System(#[from] io::Error),
    /// There is no such rule set.
    #[error("{0}")]
    Rules(String),
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    state: AppState,
    app: Router,
    head: Duration,
}

impl Server {
    /// Opens the data directory and listens.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is taken, the archive cannot be opened, or the rule set to solve is unknown.
    pub fn bind(options: &Options) -> Result<Self, ServeError> {
        let address = options.address;
        let taken = |source| ServeError::Address { address, source };
        let listener = TcpListener::bind(address).map_err(taken)?;
        listener.set_nonblocking(true)?;
        let runtime = Runtime::new()?;
        let state = runtime.block_on(AppState::open(&options.data, options.memory))?;
        let app = app(&state, Names::new(&options.names), options.limits.answer);
        let server = Self { runtime, listener, state, app, head: options.limits.head };
        options.solve.as_deref().map_or(Ok(()), |name| server.solve(name))?;
        Ok(server)
    }

    /// Starts to solve a rule set that has no table yet.
    fn solve(&self, name: &str) -> Result<(), ServeError> {
        let variant =
            self.state.catalog.find(name).map_err(|error| ServeError::Rules(error.to_string()))?;
        let _inside = self.runtime.enter();
        if !matches!(self.state.tables.look(&variant), TableState::Empty) {
            return Ok(());
        }
        // The page reports that the game does not fit into memory.
        if let Err(error) = self.state.tables.solve(&variant) {
            tracing::warn!("{error}");
        }
        Ok(())
    }

    /// Returns the address on which the server listens.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not report the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until the system asks the program to end, then lets end what is going on.
    ///
    /// # Errors
    ///
    /// Returns an error if the system gives no connections or signals.
    pub fn run(self) -> Result<(), ServeError> {
        let Self { runtime, listener, state, app, head } = self;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let connections = GracefulShutdown::new();
            tokio::select! {
                stopped = stop() => stopped?,
                never = accept(&listener, &app, head, &connections) => match never {},
            }
            state.tables.stop();
            // Whoever listens to a stream of events would never hang up.
            let _ = tokio::time::timeout(FAREWELL, connections.shutdown()).await;
            state.archive.close().await;
            Ok(())
        })
    }
}

/// Accepts connections and serves each in a task of its own.
async fn accept(
    listener: &tokio::net::TcpListener,
    app: &Router,
    head: Duration,
    connections: &GracefulShutdown,
) -> Infallible {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head);
    loop {
        let place = Arc::clone(&places).acquire_owned().await;
        let Ok((stream, _)) = listener.accept().await else {
            // Out of descriptors, for one: others will be given back.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let service = TowerToHyperService::new(app.clone());
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            let _place = place;
            // A client that hangs up is no news.
            let _ = connection.await;
        });
    }
}

/// Waits until the system asks the program to end.
async fn stop() -> io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminate =
            tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
