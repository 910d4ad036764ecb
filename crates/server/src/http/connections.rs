//! Connections: how many are open, of all clients and of each, and how long they may be silent.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::http::StatusCode;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;

use crate::http::client::{ClientPermit, PermitsPerClient};
use crate::limits::Limits;
use crate::routes::health;
use puabi_answers::ApiError;

/// The number of connections beyond the limits that are still answered at the same time. They learn only that there are too many,
/// and whether the server is well.
const REFUSALS: usize = 64;
/// How long a connection beyond the limits may take for its request.
const REFUSAL_TIME: Duration = Duration::from_secs(2);
/// Open files that are not connections: the archive, tables, the program's own.
const OTHER_FILES: usize = 128;

/// Accepts connections within the limits, and tells the others that the server is full.
#[derive(Debug)]
pub(crate) struct ConnectionLimiter {
    head: Duration,
    write: Duration,
    all: Arc<Semaphore>,
    each: Option<PermitsPerClient>,
    refusals: Arc<Semaphore>,
    proxy: Option<IpAddr>,
}

/// A connection's permits, one of all and one of its client's, which it gives back when it ends.
type ConnectionPermits = (OwnedSemaphorePermit, Option<ClientPermit>);

impl ConnectionLimiter {
    /// Returns a limiter with these limits; the limits of each client do not hold for `proxy`.
    pub(crate) fn new(limits: &Limits, proxy: Option<IpAddr>) -> Self {
        let most = limits.connections.min(Semaphore::MAX_PERMITS);
        Self {
            head: limits.head,
            write: limits.write,
            all: Arc::new(Semaphore::new(with_files_for(most))),
            each: limits.per_client.map(|each| PermitsPerClient::new(each.connections)),
            refusals: Arc::new(Semaphore::new(REFUSALS)),
            proxy: proxy.map(|address| address.to_canonical()),
        }
    }

    /// Accepts connections and serves each in a task of its own.
    pub(crate) async fn accept(
        &self,
        listener: &TcpListener,
        app: &Router,
        connections: &GracefulShutdown,
    ) -> Infallible {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.head);
        let mut refusing = http1::Builder::new();
        refusing.timer(TokioTimer::new()).header_read_timeout(REFUSAL_TIME).keep_alive(false);
        loop {
            let Ok((stream, peer)) = listener.accept().await else {
                // The process may be out of file descriptors; others will be given back.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            match self.acquire(peer.ip()) {
                Ok(permits) => {
                    let app = app.clone().layer(Extension(ConnectInfo(peer)));
                    self.serve(&http, stream, app, permits, connections);
                }
                Err(full) => {
                    // A connection that cannot even be told is cut off.
                    if let Ok(permits) = Arc::clone(&self.refusals).try_acquire_owned() {
                        self.serve(
                            &refusing,
                            stream,
                            refusing_app(full),
                            (permits, None),
                            connections,
                        );
                    }
                }
            }
        }
    }

    /// Acquires the permits of a connection, or returns why it gets none.
    fn acquire(&self, peer: IpAddr) -> Result<ConnectionPermits, ApiError> {
        let is_proxy = Some(peer.to_canonical()) == self.proxy;
        let permit = self.each.as_ref().filter(|_| !is_proxy).map(|each| each.acquire(peer));
        if matches!(permit, Some(None)) {
            let message = "too many connections are open from your address";
            return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, message)
                .expected("fewer at once")
                .after(1));
        }
        let permits = Arc::clone(&self.all).try_acquire_owned().map_err(|_| {
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too many connections are open")
                .expected("to ask again in a few seconds")
        })?;
        Ok((permits, permit.flatten()))
    }

    fn serve(
        &self,
        http: &http1::Builder,
        stream: TcpStream,
        app: Router,
        permits: ConnectionPermits,
        connections: &GracefulShutdown,
    ) {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.write));
        let service = TowerToHyperService::new(app);
        let stream = TokioIo::new(Box::pin(stream));
        let connection = connections.watch(http.serve_connection(stream, service));
        tokio::spawn(async move {
            let _permits = permits;
            // It is no error if the client hangs up.
            let _ = connection.await;
        });
    }
}

/// Answers all requests with `full`, except those that ask whether the server is well.
fn refusing_app(full: ApiError) -> Router {
    Router::new()
        .route("/healthz", axum::routing::get(health::health))
        .fallback(async move || full.clone())
}

/// Asks the system for enough open files, and returns how many of `connections` there can be.
#[cfg(unix)]
fn with_files_for(connections: usize) -> usize {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    let wanted = connections.saturating_add(REFUSALS + OTHER_FILES) as u64;
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return connections };
    if soft >= wanted {
        return connections;
    }
    let granted = match setrlimit(Resource::RLIMIT_NOFILE, wanted.min(hard), hard) {
        Ok(()) => wanted.min(hard),
        Err(_) => soft,
    };
    let granted = usize::try_from(granted).unwrap_or(usize::MAX);
    connections.min(granted.saturating_sub(REFUSALS + OTHER_FILES)).max(1)
}

/// Returns how many connections there can be.
#[cfg(not(unix))]
fn with_files_for(connections: usize) -> usize {
    connections
}
