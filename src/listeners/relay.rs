//! Connections that the pages' server cannot take as they are: each reaches it as a socket of this machine, so that the hub can own
//! viewers' sockets here as everywhere. Must not know how a connection is accepted.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use public_web::{Accept, Accepted, Addresses, CameIn};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

/// Connections that wait for the server.
const WAITING: usize = 16;

/// How long to wait after a failed accept.
const BACK_OFF: Duration = Duration::from_millis(100);

/// A listener whose connections are passed on.
pub(crate) trait Source: Send + Sync + 'static {
    /// A connection as it is accepted.
    type Raw: Send;
    /// A connection that carries HTTP.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send;

    /// For messages: «TLS connection».
    const WHAT: &'static str;
    /// Connections at once, those that are being made ready included.
    const MOST: usize;
    /// Those of one address: one phone does not keep the others out.
    const MOST_OF_ADDRESS: usize;
    /// How they come in.
    fn came_in(&self) -> CameIn;

    /// Waits for the next connection; with the address of its client, if it has one.
    fn accept(&self) -> impl Future<Output = io::Result<(Self::Raw, Option<IpAddr>)>> + Send;

    /// Makes a connection ready to carry HTTP; none when it is refused.
    fn open(&self, raw: Self::Raw) -> impl Future<Output = Option<Self::Stream>> + Send;
}

/// A listener for the pages' server, fed by a [`Source`].
pub(crate) struct Relay {
    open: Mutex<mpsc::Receiver<Accepted>>,
}

impl Relay {
    /// Begins to accept connections, until the stop.
    pub(crate) fn start(source: impl Source, stop: CancellationToken) -> Self {
        let (sender, open) = mpsc::channel(WAITING);
        tokio::spawn(accept_all(source, sender, stop));
        Self { open: Mutex::new(open) }
    }
}

impl Accept for Relay {
    async fn accept(&self) -> io::Result<Accepted> {
        match self.open.lock().await.recv().await {
            Some(accepted) => Ok(accepted),
            // The daemon stops.
            None => std::future::pending().await,
        }
    }
}

async fn accept_all<S: Source>(source: S, sender: mpsc::Sender<Accepted>, stop: CancellationToken) {
    let source = Arc::new(source);
    let places = Arc::new(Semaphore::new(S::MOST));
    let addresses = Addresses::each(S::MOST_OF_ADDRESS);
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = source.accept() => accepted,
        };
        match accepted {
            Ok((raw, from)) => {
                // Further ones are closed at once: a handshake for a refusal would cost what it saves.
                let Some(of_address) = addresses.place(from) else { continue };
                let (source, sender) = (Arc::clone(&source), sender.clone());
                tokio::spawn(async move {
                    pass_on(&*source, raw, from, sender).await;
                    drop((place, of_address));
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a {} could not be accepted", S::WHAT);
                tokio::time::sleep(BACK_OFF).await;
            }
        }
    }
}

/// One connection: bytes in both directions until one side ends.
async fn pass_on<S: Source>(source: &S, raw: S::Raw, from: Option<IpAddr>, sender: mpsc::Sender<Accepted>) {
    let Some(mut outside) = source.open(raw).await else { return };
    let (mut inside, socket) = match pair().await {
        Ok(both) => both,
        Err(error) => {
            tracing::warn!(%error, "a {} could not be served", S::WHAT);
            return;
        }
    };
    if sender.send(Accepted { socket, came_in: source.came_in(), from }).await.is_ok()
        && let Err(error) = tokio::io::copy_bidirectional(&mut outside, &mut inside).await
    {
        tracing::debug!(%error, "a {} ended", S::WHAT);
    }
}

/// Two connected sockets of this machine.
async fn pair() -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let one = TcpStream::connect(listener.local_addr()?).await?;
    let _ = one.set_nodelay(true);
    loop {
        let (other, from) = listener.accept().await?;
        // Another program of this machine may have been faster.
        if from == one.local_addr()? {
            return Ok((one, other));
        }
    }
}
