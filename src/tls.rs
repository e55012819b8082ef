//! HTTPS of the daemon itself: accepts TLS connections and passes what they carry on to the pages' server.
//!
//! Logging in from another machine needs it; public pages and PGN are also served without it, because phones, overlays and
//! claim tools refuse a certificate that they do not know. Must not know HTTP addresses.

mod certificate;

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use public_web::CameIn;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::server::TlsStream;
use tokio_util::sync::CancellationToken;

use crate::listeners::relay::{Relay, Source};

pub use certificate::{Certificate, CertificateError, CertificateFiles, own_names};

/// For the handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// The first byte of a TLS handshake (RFC 8446, 5.1).
const HANDSHAKE_RECORD: u8 = 22;

/// The answer to a client that speaks HTTP here.
const SPEAK_TLS: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n\
                           This port speaks HTTPS only: let the address begin with https://\n";

/// A listener for TLS connections.
pub(crate) struct TlsListener {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    loopback: bool,
}

impl TlsListener {
    /// Begins to accept connections, until the stop.
    ///
    /// # Errors
    /// When the certificate cannot be used or the listener has no address.
    pub(crate) fn start(
        listener: TcpListener,
        certificate: Certificate,
        stop: CancellationToken,
    ) -> anyhow::Result<Relay> {
        let loopback = listener.local_addr()?.ip().is_loopback();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(certificate.chain, certificate.key)?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Ok(Relay::start(Self { listener, acceptor, loopback }, stop))
    }
}

impl Source for TlsListener {
    type Raw = TcpStream;
    type Stream = TlsStream<TcpStream>;
    type Opener = TlsAcceptor;

    const WHAT: &'static str = "TLS connection";
    /// For people who log in, not for viewers by the thousand.
    const MOST: usize = 256;
    const MOST_OF_ADDRESS: usize = 128;

    fn came_in(&self) -> CameIn {
        CameIn { loopback: self.loopback, tls: true }
    }

    fn opener(&self) -> TlsAcceptor {
        self.acceptor.clone()
    }

    async fn accept(&self) -> io::Result<(TcpStream, Option<IpAddr>)> {
        let (socket, from) = self.listener.accept().await?;
        Ok((socket, Some(from.ip())))
    }

    async fn open(acceptor: TlsAcceptor, socket: TcpStream) -> Option<TlsStream<TcpStream>> {
        let _ = socket.set_nodelay(true);
        let mut first = [0];
        match timeout(HANDSHAKE, socket.peek(&mut first)).await {
            Ok(Ok(1)) if first[0] == HANDSHAKE_RECORD => {}
            Ok(Ok(1)) => {
                let _ = timeout(HANDSHAKE, refuse(socket)).await;
                return None;
            }
            _ => return None,
        }
        match timeout(HANDSHAKE, acceptor.accept(socket)).await {
            Ok(Ok(stream)) => Some(stream),
            Ok(Err(error)) => {
                tracing::debug!(%error, "a TLS handshake failed");
                None
            }
            Err(_) => None,
        }
    }
}

/// Tells a client that speaks HTTP what is wrong.
async fn refuse(mut socket: TcpStream) -> io::Result<()> {
    // What is not read would make the system discard the answer.
    let _ = socket.read(&mut vec![0; 16 * 1024]).await?;
    socket.write_all(SPEAK_TLS).await?;
    socket.shutdown().await
}
