//! The accept loop, with limits on everything that a client can hold.

mod request_body;
#[cfg(test)]
mod tests;

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::Request;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use self::request_body::{Late, RequestBody};
use crate::problem::Problem;

/// The most bytes of a request head.
const MOST_HEAD_BYTES: usize = 16 * 1024;

/// The most headers of a request.
const MOST_HEADERS: usize = 64;

/// How long to wait after a failed accept: the cause, mostly too many open files, needs time to pass.
const BACK_OFF: Duration = Duration::from_millis(100);

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

/// Where connections come from.
pub trait Accept: Send + Sync {
    /// The next connection. May be dropped and called again without losing one.
    ///
    /// # Errors
    /// When one could not be accepted; the next may be.
    fn accept(&self) -> impl Future<Output = io::Result<(TcpStream, CameIn)>> + Send;
}

impl Accept for TcpListener {
    async fn accept(&self) -> io::Result<(TcpStream, CameIn)> {
        let (socket, _) = Self::accept(self).await?;
        let came_in = socket.local_addr().map_or(CameIn::default(), CameIn::at);
        Ok((socket, came_in))
    }
}

/// What clients may hold; all times are real time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// HTTP connections at once; further ones wait in the system's queue. Viewers at the hub do not count.
    pub connections: usize,
    /// Requests with a body that has not arrived; further ones are refused, so that readers keep their places.
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
            bodies: 64,
            body: Duration::from_secs(30),
            head: Duration::from_secs(10),
            connection: Duration::from_mins(5),
            stopping: Duration::from_millis(500),
        }
    }
}

/// Serves a router to connections until `shutdown`; then takes no further connection, runs `closed` and lets answers under way
/// end.
pub async fn serve(
    listener: impl Accept,
    router: Router,
    limits: Limits,
    shutdown: CancellationToken,
    closed: impl FnOnce(),
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let bodies = Arc::new(Semaphore::new(limits.bodies));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => break,
            Some(_) = connections.join_next() => continue,
            accepted = accept(&listener, &places) => accepted,
        };
        match accepted {
            Ok((place, (socket, came_in))) => {
                let served = serve_one(socket, came_in, router.clone(), limits, Arc::clone(&bodies), shutdown.clone());
                connections.spawn(async move {
                    served.await;
                    drop(place);
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
    while connections.join_next().await.is_some() {}
}

async fn accept(
    listener: &impl Accept,
    places: &Arc<Semaphore>,
) -> io::Result<(OwnedSemaphorePermit, (TcpStream, CameIn))> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    Ok((place, listener.accept().await?))
}

/// One connection until it ends, is too old, or the daemon stops.
async fn serve_one(
    socket: TcpStream,
    came_in: CameIn,
    router: Router,
    limits: Limits,
    bodies: Arc<Semaphore>,
    shutdown: CancellationToken,
) {
    // Without it a small answer waits for the acknowledgement of the last one. A refusal does no harm.
    let _ = socket.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(came_in);
        let has_body = !request.body().is_end_stream();
        let place = has_body.then(|| Arc::clone(&bodies).try_acquire_owned());
        let late = Late::default();
        let answer = match place.transpose() {
            Ok(place) => {
                let shared = late.clone();
                Ok(router.call(request.map(|body| RequestBody::new(body, limits.body, shared, place))))
            }
            Err(_) => Err(too_many_bodies()),
        };
        async move {
            match answer {
                Err(refused) => Ok(refused),
                Ok(answer) => answer.await.map(|answer| if late.is_late() { body_is_late() } else { answer }),
            }
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(MOST_HEAD_BYTES)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(socket), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        // The client ended the connection early.
        _ = connection.as_mut() => return,
        () = shutdown.cancelled() => (),
        () = tokio::time::sleep(limits.connection) => (),
    }
    connection.as_mut().graceful_shutdown();
    let _ = tokio::time::timeout(limits.stopping, connection).await;
}

fn too_many_bodies() -> Response {
    closing(StatusCode::SERVICE_UNAVAILABLE, "Too many requests are being received: try again in a minute.")
}

fn body_is_late() -> Response {
    closing(StatusCode::REQUEST_TIMEOUT, "The request did not arrive in time: check the connection and send it again.")
}

/// A refusal after which the connection ends: the rest of the body is not read.
fn closing(status: StatusCode, detail: &'static str) -> Response {
    let mut response = Problem::new(status, detail).into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
