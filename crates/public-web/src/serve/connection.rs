//! One connection: files first, then the framework, then perhaps the hub.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use hyper::Request;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::files::{Ended, FileServer};
use super::head::MOST_HEADERS;
use super::request_body::{Late, Places, RequestBody};
use super::rewound::Rewound;
use super::takeover::{TakeOver, Taken};
use super::{CameIn, Client, Limits, Served};
use crate::problem::Problem;

/// What a connection needs.
pub(super) struct Context {
    pub(super) served: Served,
    pub(super) came_in: CameIn,
    pub(super) client: Client,
    /// Whether the client is a proxy that is believed.
    pub(super) by_proxy: bool,
    pub(super) limits: Limits,
    pub(super) bodies: Arc<Places>,
    pub(super) shutdown: CancellationToken,
}

impl Context {
    /// Serves until the connection ends, is too old, or the daemon stops.
    pub(super) async fn serve(self, mut socket: TcpStream) {
        // Without it a small answer waits for the acknowledgement of the last one. A refusal does no harm.
        let _ = socket.set_nodelay(true);
        let began = Instant::now();
        let read = match &self.served.files {
            Some(web) => {
                let mut files = FileServer::new(web, self.limits, began);
                match files.serve(&mut socket, self.shutdown.cancelled()).await {
                    Ended::Closed => return,
                    Ended::Other(read) => read,
                }
            }
            None => Bytes::new(),
        };
        self.serve_by_framework(Rewound { read, socket }, began).await;
    }

    async fn serve_by_framework(self, socket: Rewound, began: Instant) {
        let Self { served, came_in, client, by_proxy, limits, bodies, shutdown } = self;
        let proxies = served.proxies;
        let retire_at = began + limits.connection;
        let (take_over, mut taken) = TakeOver::channel();
        let router = TowerToHyperService::new(served.router);
        let service = service_fn(move |mut request: Request<Incoming>| {
            let mut sender = (came_in, client);
            if by_proxy {
                sender = proxies.believe(request.headers_mut(), sender);
            }
            if sender.0.tls {
                // The addresses in a page begin like that of the page.
                request.headers_mut().insert("x-forwarded-proto", HeaderValue::from_static("https"));
            }
            let extensions = request.extensions_mut();
            extensions.insert(sender.0);
            extensions.insert(sender.1);
            extensions.insert(take_over.clone());
            let has_body = !request.body().is_end_stream();
            // A believed proxy that names no client speaks for many.
            let asker = sender.1.0.filter(|address| !(by_proxy && client.0 == Some(*address)));
            let hostless = request.version() == Version::HTTP_11 && !names_its_host(request.headers());
            let place = has_body.then(|| bodies.take(asker));
            let late = Late::default();
            let answer = match place {
                _ if hostless => Err(no_host()),
                Some(None) => Err(too_many_bodies()),
                place => {
                    let place = place.flatten();
                    let shared = late.clone();
                    Ok(router.call(request.map(|body| RequestBody::new(body, limits.body, shared, place))))
                }
            };
            async move {
                match answer {
                    Err(refused) => Ok(refused),
                    Ok(answer) => answer.await.map(|answer| {
                        let answer = if late.is_late() { body_is_late() } else { answer };
                        if Instant::now() < retire_at { answer } else { closing_with(answer) }
                    }),
                }
            }
        });
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            // A client that has said all and ended its side still waits for the answer.
            .half_close(true)
            .header_read_timeout(limits.head)
            .max_buf_size(limits.head_bytes)
            .max_headers(MOST_HEADERS)
            .serve_connection(TokioIo::new(socket), service)
            .with_upgrades();
        let taken = tokio::select! {
            // The client ended the connection early.
            _ = &mut connection => return,
            taken = taken.recv() => taken,
            () = shutdown.cancelled() => None,
            // A client that asks again until then is told with the answer; ended in between, its next request would be lost.
            () = tokio::time::sleep_until(retire_at + limits.head) => None,
        };
        if let Some(taken) = taken {
            if let Some(parts) = connection.into_parts() {
                hand_over(parts.io.into_inner(), parts.read_buf, taken);
            }
            return;
        }
        std::pin::Pin::new(&mut connection).graceful_shutdown();
        let _ = tokio::time::timeout(limits.stopping, connection).await;
    }
}

/// Gives a socket to whoever took it, with all bytes that were read and not used.
fn hand_over(Rewound { read, socket }: Rewound, used_later: Bytes, taken: Taken) {
    let read = if read.is_empty() {
        used_later
    } else {
        let mut all = BytesMut::from(used_later);
        all.extend_from_slice(&read);
        all.freeze()
    };
    match socket.into_std() {
        Ok(socket) => taken(socket, read),
        Err(error) => tracing::warn!(%error, "a viewer's socket could not be handed over"),
    }
}

/// Refuses a connection of an address that holds too many.
pub(super) async fn refuse(mut socket: TcpStream, limits: Limits) {
    let refusal = async {
        // What is not read would make the system discard the answer.
        let _ = socket.read(&mut [0; 4096]).await?;
        let text = "Too many connections from this address: close some and try again.\n";
        let head = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 10\r\n\
                    connection: close\r\n";
        socket.write_all(format!("{head}content-length: {}\r\n\r\n{text}", text.len()).as_bytes()).await?;
        socket.shutdown().await
    };
    let _ = tokio::time::timeout(limits.stopping, refusal).await;
}

/// Whether a request names its host, and once, as HTTP/1.1 demands (RFC 9112, 3.2): two readers of two names could each see
/// another one.
fn names_its_host(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    hosts.next().is_some() && hosts.next().is_none()
}

fn no_host() -> Response {
    closing(StatusCode::BAD_REQUEST, "The request must have one Host header, with the name that was asked.")
}

fn too_many_bodies() -> Response {
    closing(StatusCode::SERVICE_UNAVAILABLE, "Too many requests are being received: try again in a minute.")
}

fn body_is_late() -> Response {
    closing(StatusCode::REQUEST_TIMEOUT, "The request did not arrive in time: check the connection and send it again.")
}

/// A refusal after which the connection ends: the rest of the body is not read.
fn closing(status: StatusCode, detail: &'static str) -> Response {
    closing_with(Problem::new(status, detail).into_response())
}

/// An answer after which the connection ends, unless it makes another protocol of it.
fn closing_with(mut answer: Response) -> Response {
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    answer
}
