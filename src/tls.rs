//! HTTPS of the daemon itself: accepts TLS connections and passes what they carry on to the pages' server.
//!
//! Logging in from another machine needs it; public pages and PGN are also served without it, because phones, overlays and
//! claim tools refuse a certificate that they do not know. Each connection reaches the server as a socket of this machine, so
//! that the hub can own viewers' sockets here as everywhere. Must not know HTTP addresses.

mod certificate;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use public_web::{Accept, Accepted, Addresses, CameIn};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_util::sync::CancellationToken;

use crate::listeners::pair::pair;

pub use certificate::{Certificate, CertificateError, CertificateFiles, own_names};

/// Connections at once, those in the middle of a handshake included. For people who log in, not for viewers by the thousand.
const MOST_CONNECTIONS: usize = 256;

/// Those of one address: one phone does not keep the others out.
const MOST_OF_ADDRESS: usize = 128;

/// Connections that wait for the server.
const WAITING: usize = 16;

/// For the handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// How long to wait after a failed accept.
const BACK_OFF: Duration = Duration::from_millis(100);

/// The first byte of a TLS handshake (RFC 8446, 5.1).
const HANDSHAKE_RECORD: u8 = 22;

/// What somebody is told who speaks HTTP here.
const SPEAK_TLS: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n\
                           This port speaks HTTPS only: let the address begin with https://\n";

/// A listener for TLS connections.
pub(crate) struct TlsListener {
    address: SocketAddr,
    /// Sockets of this machine, with the addresses of the clients behind them.
    open: Mutex<mpsc::Receiver<(TcpStream, SocketAddr)>>,
}

impl TlsListener {
    /// Begins to accept connections, until the stop.
    ///
    /// # Errors
    /// When the certificate cannot be used or the listener has no address.
    pub(crate) fn new(
        listener: TcpListener,
        certificate: Certificate,
        stop: CancellationToken,
    ) -> anyhow::Result<Self> {
        let address = listener.local_addr()?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(certificate.chain, certificate.key)?;
        let (sender, open) = mpsc::channel(WAITING);
        tokio::spawn(accept_all(listener, TlsAcceptor::from(Arc::new(config)), sender, stop));
        Ok(Self { address, open: Mutex::new(open) })
    }
}

impl Accept for TlsListener {
    async fn accept(&self) -> io::Result<Accepted> {
        match self.open.lock().await.recv().await {
            Some((socket, from)) => {
                let came_in = CameIn { loopback: self.address.ip().is_loopback(), tls: true };
                Ok(Accepted { socket, came_in, from: Some(from.ip()) })
            }
            // The daemon stops.
            None => std::future::pending().await,
        }
    }
}

async fn accept_all(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    open: mpsc::Sender<(TcpStream, SocketAddr)>,
    stop: CancellationToken,
) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let addresses = Addresses::each(MOST_OF_ADDRESS);
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((socket, from)) => {
                // Further ones are closed at once: a handshake for a refusal would cost what it saves.
                let Some(of_address) = addresses.place(Some(from.ip())) else { continue };
                let (acceptor, open) = (acceptor.clone(), open.clone());
                tokio::spawn(async move {
                    serve(socket, from, acceptor, open).await;
                    drop((place, of_address));
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a TLS connection could not be accepted");
                tokio::time::sleep(BACK_OFF).await;
            }
        }
    }
}

/// One connection: the handshake, then bytes in both directions until one side ends.
async fn serve(
    socket: TcpStream,
    from: SocketAddr,
    acceptor: TlsAcceptor,
    open: mpsc::Sender<(TcpStream, SocketAddr)>,
) {
    let _ = socket.set_nodelay(true);
    let mut first = [0];
    match timeout(HANDSHAKE, socket.peek(&mut first)).await {
        Ok(Ok(1)) if first[0] == HANDSHAKE_RECORD => {}
        Ok(Ok(1)) => {
            let _ = timeout(HANDSHAKE, refuse(socket)).await;
            return;
        }
        _ => return,
    }
    let mut outside = match timeout(HANDSHAKE, acceptor.accept(socket)).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => {
            tracing::debug!(%error, %from, "a TLS handshake failed");
            return;
        }
        Err(_) => return,
    };
    let mut inside = match pair().await {
        Ok((inside, served)) => match open.send((served, from)).await {
            Ok(()) => inside,
            Err(_) => return,
        },
        Err(error) => {
            tracing::warn!(%error, "a TLS connection could not be served");
            return;
        }
    };
    let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside).await;
}

/// Tells a client that speaks HTTP what is wrong.
async fn refuse(mut socket: TcpStream) -> io::Result<()> {
    // What is not read would make the system discard the answer.
    let _ = socket.read(&mut vec![0; 16 * 1024]).await?;
    socket.write_all(SPEAK_TLS).await?;
    socket.shutdown().await
}

/// The address of this machine in its network; none without a network. Nothing is sent.
pub(crate) fn network_address() -> Option<IpAddr> {
    let towards = |own: IpAddr, other: IpAddr| {
        let socket = UdpSocket::bind((own, 0)).ok()?;
        socket.connect((other, 9)).ok()?;
        let address = socket.local_addr().ok()?.ip();
        (!address.is_unspecified() && !address.is_loopback()).then_some(address)
    };
    // Addresses for documentation (RFC 5737, RFC 3849): they lead to the default route.
    let (outside_v4, outside_v6) = (Ipv4Addr::new(192, 0, 2, 1), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1));
    towards(Ipv4Addr::UNSPECIFIED.into(), outside_v4.into())
        .or_else(|| towards(Ipv6Addr::UNSPECIFIED.into(), outside_v6.into()))
}
