//! Client addresses: which client sends a request, and how much each client may ask for.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::limits::ClientLimits;
use puabi_answers::ApiError;

/// The header in which a proxy names the client for which it asks.
const FORWARDED: &str = "x-forwarded-for";
/// The seconds whose requests may all come at once.
const BURST: u32 = 10;
/// The number of addresses beyond which those that have been quiet are forgotten.
const FORGET: usize = 10_000;

/// The client that sends a request, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Client {
    /// The address that is counted.
    address: Option<IpAddr>,
    /// Whether the request comes from this machine.
    pub(crate) is_local: bool,
}

impl Client {
    /// Returns the client that sends a request: the other end of the connection or, if that is `proxy`, the client for which it
    /// asks.
    fn of(request: &Request, proxy: Option<IpAddr>) -> Self {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(peer)| peer.ip().to_canonical());
        let (address, is_told) = match forwarded(request.headers()) {
            None => (peer, true),
            // Entries further left came with the request, and may be made up.
            Some(client) if peer == proxy => match address_of(client.trim()) {
                Some(client) => (Some(client), true),
                // Clients whose address the proxy does not give count as one.
                None => (peer, false),
            },
            // Behind a proxy that is not known to us, all clients count as one, and none counts as being on this machine.
            Some(_) => (peer, false),
        };
        Self {
            address,
            is_local: is_told
                && address.is_some_and(|address| address.to_canonical().is_loopback()),
        }
    }
}

/// Returns the last address of the header, which the last proxy wrote.
fn forwarded(headers: &HeaderMap) -> Option<&str> {
    let last = headers.get_all(FORWARDED).iter().next_back()?;
    Some(last.to_str().ok().and_then(|list| list.rsplit(',').next()).unwrap_or_default())
}

/// Returns the address in an entry of the header, which some proxies write with its port.
fn address_of(entry: &str) -> Option<IpAddr> {
    let with_port = || entry.parse().ok().map(|address: SocketAddr| address.ip());
    entry.parse().ok().or_else(with_port)
}

/// Returns the network that counts as one client: an IPv4 or loopback address, or the 2^64 addresses of an IPv6 network of 64
/// bits.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))
        }
        address => address,
    }
}

/// Counts the permits that each client has: for its connections, or for its jobs.
#[derive(Debug, Clone)]
pub(crate) struct PermitsPerClient {
    most: usize,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// One of a client's permits; it is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct ClientPermit {
    of: IpAddr,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl PermitsPerClient {
    /// Returns permits of which each client may have `most`.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, taken: Arc::default() }
    }

    /// Acquires a permit, unless the client has as many as it may have.
    pub(crate) fn acquire(&self, client: IpAddr) -> Option<ClientPermit> {
        let of = network(client);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(of).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(ClientPermit { of, taken: Arc::clone(&self.taken) })
    }
}

impl Drop for ClientPermit {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.of) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.of);
            }
        }
    }
}

/// Tells clients apart, and counts their requests.
#[derive(Debug, Clone)]
pub(crate) struct Clients {
    proxy: Option<IpAddr>,
    counted: Option<Arc<Counted>>,
}

#[derive(Debug)]
struct Counted {
    rate: DefaultKeyedRateLimiter<IpAddr>,
    jobs: PermitsPerClient,
}

impl Clients {
    /// Returns the counts of the clients behind `proxy` and of those that connect themselves, with these limits for each.
    pub(crate) fn new(proxy: Option<IpAddr>, each: Option<ClientLimits>) -> Self {
        let counted = each.map(|each| {
            let of = |count| NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
            let requests = each.requests.min(ClientLimits::UNLIMITED.requests);
            let quota = Quota::per_second(of(requests)).allow_burst(of(requests * BURST));
            Arc::new(Counted {
                rate: RateLimiter::keyed(quota),
                jobs: PermitsPerClient::new(each.jobs),
            })
        });
        Self { proxy: proxy.map(|address| address.to_canonical()), counted }
    }
}

/// Finds out which client sends the request.
pub(crate) async fn identify_client(
    State(clients): State<Clients>,
    mut request: Request,
    next: Next,
) -> Response {
    let client = Client::of(&request, clients.proxy);
    request.extensions_mut().insert(client);
    next.run(request).await
}

/// Refuses requests of a client beyond its limits.
pub(crate) async fn limit_client(
    State(clients): State<Clients>,
    request: Request,
    next: Next,
) -> Response {
    let client = request.extensions().get::<Client>().and_then(|client| client.address);
    let (Some(counted), Some(client)) = (clients.counted, client) else {
        return next.run(request).await;
    };
    let (rate, of) = (&counted.rate, network(client));
    if rate.len() > FORGET {
        rate.retain_recent();
    }
    if let Err(wait) = rate.check_key(&of) {
        let seconds = wait.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
        return too_many("too many requests come from your address", seconds).into_response();
    }
    let Some(_job) = counted.jobs.acquire(client) else {
        return too_many("too many requests come from your address at once", 1).into_response();
    };
    next.run(request).await
}

fn too_many(message: &str, seconds: u64) -> ApiError {
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, message).expected("fewer at once").after(seconds)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn client(peer: &str, forwarded: &[&str], proxy: Option<&str>) -> Option<String> {
        let mut request = Request::new(Body::empty());
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 1)));
        for list in forwarded {
            request.headers_mut().append(FORWARDED, list.parse().unwrap());
        }
        let found = Client::of(&request, proxy.map(|proxy| proxy.parse().unwrap()));
        let local = if found.is_local { ", here" } else { "" };
        found.address.map(|address| format!("{address}{local}"))
    }

    #[test]
    fn only_the_proxy_is_believed() {
        let known = |text: &str| Some(text.to_owned());
        assert_eq!(client("203.0.113.4", &[], None), known("203.0.113.4"));
        assert_eq!(client("203.0.113.4", &["127.0.0.1"], None), known("203.0.113.4"));
        assert_eq!(
            client("127.0.0.1", &["::1"], None),
            known("127.0.0.1"),
            "a proxy nobody told of"
        );
        let proxy = Some("127.0.0.1");
        let behind = |lists: &[&str]| client("127.0.0.1", lists, proxy);
        assert_eq!(behind(&["198.51.100.7"]), known("198.51.100.7"));
        assert_eq!(behind(&["127.0.0.1, 198.51.100.7"]), known("198.51.100.7"));
        assert_eq!(behind(&["127.0.0.1", "198.51.100.7"]), known("198.51.100.7"));
        for entry in ["nonsense", "unknown", "", "198.51.100.7:"] {
            assert_eq!(behind(&[entry]), known("127.0.0.1"), "{entry:?} counts as the proxy");
        }
        assert_eq!(behind(&["198.51.100.7:5678"]), known("198.51.100.7"));
        assert_eq!(behind(&["[2001:db8::1]:80"]), known("2001:db8::1"));
        assert_eq!(behind(&["[::1]:80"]), known("::1, here"));
        assert_eq!(behind(&[]), known("127.0.0.1, here"), "who asks past the proxy");
    }

    #[test]
    fn a_proxy_is_known_by_its_address_in_either_form() {
        let clients = Clients::new(Some("::ffff:10.0.0.1".parse().unwrap()), None);
        assert_eq!(clients.proxy, Some("10.0.0.1".parse().unwrap()));
    }

    #[test]
    fn permits_are_given_back() {
        let permits = PermitsPerClient::new(2);
        let [ann, bob]: [IpAddr; 2] =
            ["2001:db8::1", "2001:db8:0:1::1"].map(|it| it.parse().unwrap());
        let held = [permits.acquire(ann), permits.acquire("2001:db8::2".parse().unwrap())];
        assert!(held.iter().all(Option::is_some) && permits.acquire(ann).is_none());
        assert!(permits.acquire(bob).is_some());
        drop(held);
        assert!(permits.taken.lock().unwrap().is_empty());
    }
}
