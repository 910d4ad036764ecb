//! The server as a program runs it: an address to listen at, until it is told to stop.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::runtime::Runtime;

use crate::app::app;
use crate::archive::{Archive, ArchiveError};
use crate::http::connections::ConnectionLimiter;
use crate::http::guard::HostNames;
use crate::options::Options;
use crate::rulesets::variant::TableState;
use crate::state::AppState;

/// How long the server, when it stops, waits for open connections, and then again for other work.
pub(crate) const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// Returns the whole service, for requests from any source; [`Server`] puts it behind an address.
///
/// The client's address is read from the `ConnectInfo<SocketAddr>` of a request. Without it nothing is counted for each client,
/// and no request counts as one from this machine.
///
/// # Errors
///
/// Returns an error if the archive cannot be opened.
pub async fn service(options: &Options) -> Result<Router, ServeError> {
    let state = opened(options).await?;
    Ok(app(&state, HostNames::new(&options.names), options.proxy))
}

/// Opens the data directory.
async fn opened(options: &Options) -> Result<AppState, ServeError> {
    let failed = |source| ServeError::Archive { path: Archive::file(&options.data), source };
    AppState::open(options).await.map_err(failed)
}

/// The reason why the server does not serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The server cannot listen at the address.
    #[error("the server cannot listen at {address}: expected a free port of this machine")]
    Address {
        /// The address.
        address: SocketAddr,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// Other machines could connect to a server that is for this one only.
    #[error(
        "{address} can be reached from other machines: expected an address of this machine only, as in 127.0.0.1:8470"
    )]
    Open {
        /// The address.
        address: SocketAddr,
    },
    /// The archive cannot be opened.
    #[error("{} cannot be opened", path.display())]
    Archive {
        /// The archive's file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: ArchiveError,
    },
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
    limiter: ConnectionLimiter,
}

impl Server {
    /// Opens the data directory and listens.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is taken, the archive cannot be opened, or the rule set to solve is unknown.
    pub fn bind(options: &Options) -> Result<Self, ServeError> {
        let address = options.address;
        if !options.mode.is_for_others() && !address.ip().to_canonical().is_loopback() {
            return Err(ServeError::Open { address });
        }
        let taken = |source| ServeError::Address { address, source };
        let listener = TcpListener::bind(address).map_err(taken)?;
        listener.set_nonblocking(true)?;
        let runtime = Runtime::new()?;
        let state = runtime.block_on(opened(options))?;
        let app = app(&state, HostNames::new(&options.names), options.proxy);
        let limiter = ConnectionLimiter::new(&state.limits, options.proxy);
        let server = Self { runtime, listener, state, app, limiter };
        options.solve.as_deref().map_or(Ok(()), |name| server.solve(name))?;
        Ok(server)
    }

    /// Starts to solve a rule set that has no table yet.
    fn solve(&self, name: &str) -> Result<(), ServeError> {
        let variant =
            self.state.catalog.find(name).map_err(|error| ServeError::Rules(error.to_string()))?;
        let _inside = self.runtime.enter();
        if !matches!(self.state.tables.current_state(&variant), TableState::Empty) {
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

    /// Serves until the system asks the program to end, then gives open connections and other work a short time to end.
    ///
    /// # Errors
    ///
    /// Returns an error if the system gives no connections or signals.
    pub fn run(self) -> Result<(), ServeError> {
        let Self { runtime, listener, state, app, limiter } = self;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let connections = GracefulShutdown::new();
            tokio::select! {
                stopped = stop() => stopped?,
                never = limiter.accept(&listener, &app, &connections) => match never {},
            }
            state.tables.stop();
            // A client that listens to a stream of events would never hang up.
            let _ = tokio::time::timeout(SHUTDOWN_GRACE, connections.shutdown()).await;
            state.archive.close().await;
            io::Result::Ok(())
        })?;
        // What a solve has finished is kept; other work may take too long to wait for.
        runtime.shutdown_timeout(SHUTDOWN_GRACE);
        Ok(())
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
