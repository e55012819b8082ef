//! The accept loop, with limits on everything that a client can hold.
//!
//! A connection is served in two stages. As long as it asks for PGN files it is answered here (`files`), before the framework has
//! built anything. The first request for anything else, or of any unusual form, hands the connection over to the framework with
//! all bytes that were read (`connection`). A live viewer's socket is handed over to the hub (`takeover`).

mod addresses;
mod connection;
mod files;
mod head;
mod proxies;
mod request_body;
mod rewound;
pub(crate) mod takeover;
#[cfg(test)]
mod tests;
mod write;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use self::connection::Context;
use self::request_body::Places;
use crate::web::Web;

pub use self::addresses::{Addresses, network};
pub use self::proxies::{Proxies, Proxy};

/// How long to wait after a failed accept: the cause, mostly too many open files, needs time to pass.
const BACK_OFF: Duration = Duration::from_millis(100);

/// Connections of addresses that hold too many, while they are told so.
const REFUSALS: usize = 64;

/// The daemon's end of the connection that a request came over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CameIn {
    /// Whether it is a loopback address: only programs on this machine reach it.
    pub loopback: bool,
    /// Whether the daemon itself decrypted it.
    pub tls: bool,
}

impl CameIn {
    /// By the daemon's own address of a connection without TLS.
    pub fn at(address: SocketAddr) -> Self {
        Self { loopback: address.ip().to_canonical().is_loopback(), tls: false }
    }
}

/// The client's address, as far as it is known, in the extensions of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Client(pub Option<IpAddr>);

/// A connection.
#[derive(Debug)]
pub struct Accepted {
    /// The socket.
    pub socket: TcpStream,
    /// The daemon's end.
    pub came_in: CameIn,
    /// The client's address; none at a Unix socket.
    pub from: Option<IpAddr>,
}

/// Where connections come from.
pub trait Accept: Send + Sync {
    /// The next connection. May be dropped and called again without losing one.
    ///
    /// # Errors
    /// When one could not be accepted; the next may be.
    fn accept(&self) -> impl Future<Output = io::Result<Accepted>> + Send;
}

impl Accept for TcpListener {
    async fn accept(&self) -> io::Result<Accepted> {
        let (socket, from) = Self::accept(self).await?;
        let came_in = socket.local_addr().map_or(CameIn::default(), CameIn::at);
        Ok(Accepted { socket, came_in, from: Some(from.ip()) })
    }
}

/// What is served.
#[derive(Clone)]
pub struct Served {
    router: Router,
    files: Option<Arc<Web>>,
    proxies: Arc<Proxies>,
}

impl Served {
    /// A router alone.
    pub fn new(router: Router) -> Self {
        Self { router, files: None, proxies: Arc::default() }
    }

    /// What these proxies say about the client of a request is believed.
    #[must_use]
    pub fn behind(self, proxies: &Arc<Proxies>) -> Self {
        Self { proxies: Arc::clone(proxies), ..self }
    }

    /// The public PGN files as well: answered without the router, which has them too.
    #[must_use]
    pub fn with_files(self, web: &Arc<Web>) -> Self {
        Self { files: Some(Arc::clone(web)), ..self }
    }
}

/// What clients may hold; all times are real time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// HTTP connections at once; further ones wait in the system's queue. Viewers at the hub do not count.
    pub connections: usize,
    /// How many of them one address may hold. A loopback address and a proxy that is believed have no limit: they speak for many.
    pub connections_per_address: usize,
    /// The most bytes of a request head.
    pub head_bytes: usize,
    /// Requests with a body that has not arrived; further ones are refused, so that readers keep their places. One address may hold
    /// a quarter of them, as with connections.
    pub bodies: usize,
    /// For the body of a request.
    pub body: Duration,
    /// For the head of a request, and for the pause before the next one.
    pub head: Duration,
    /// For one connection altogether: a client that reads too slowly is cut off, any other reconnects.
    pub connection: Duration,
    /// For answers under way when the daemon stops.
    pub stopping: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            connections_per_address: 2048,
            head_bytes: 16 * 1024,
            bodies: 64,
            body: Duration::from_secs(30),
            head: Duration::from_secs(10),
            connection: Duration::from_mins(5),
            stopping: Duration::from_millis(500),
        }
    }
}

/// Serves connections until `shutdown`; then takes no further connection, runs `closed` and lets answers under way end for as long
/// as the limit says.
pub async fn serve(
    listener: impl Accept,
    served: Served,
    limits: Limits,
    shutdown: CancellationToken,
    closed: impl FnOnce(),
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let addresses = Addresses::each(limits.connections_per_address);
    let bodies = Arc::new(Places::new(limits.bodies));
    let refusals = Arc::new(Semaphore::new(REFUSALS));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => break,
            Some(_) = connections.join_next() => continue,
            accepted = accept(&listener, &places) => accepted,
        };
        match accepted {
            Ok((place, Accepted { socket, came_in, from })) => {
                let by_proxy = served.proxies.trust(from);
                let Some(of_address) = addresses.place(from.filter(|_| !by_proxy)) else {
                    // An address with too many sockets does not hold up the others: beyond a few, the socket is just closed.
                    drop(place);
                    if let Ok(refusal) = Arc::clone(&refusals).try_acquire_owned() {
                        connections.spawn(async move {
                            connection::refuse(socket, limits).await;
                            drop(refusal);
                        });
                    }
                    continue;
                };
                let (bodies, shutdown) = (Arc::clone(&bodies), shutdown.clone());
                let client = Client(from);
                let context = Context { served: served.clone(), came_in, client, by_proxy, limits, bodies, shutdown };
                connections.spawn(async move {
                    context.serve(socket).await;
                    drop((place, of_address));
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(BACK_OFF).await;
            }
        }
    }
    drop(listener);
    closed();
    // Also of those who read what is under way too slowly.
    let ended = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(limits.stopping, ended).await.is_err() {
        connections.shutdown().await;
    }
}

async fn accept(listener: &impl Accept, places: &Arc<Semaphore>) -> io::Result<(OwnedSemaphorePermit, Accepted)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    Ok((place, listener.accept().await?))
}
