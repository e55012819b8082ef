//! Connections that the pages' server cannot take as they are: each reaches it as a socket of this machine, so that the hub can own
//! viewers' sockets here as everywhere. Must not know how a connection is accepted.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use public_web::{Accept, Accepted, Addresses, CameIn};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Connections that wait for the server.
const WAITING: usize = 16;

/// How long a client has to close a connection that the server has closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// Bytes that go to a client at once.
const AT_ONCE: usize = 8 * 1024;

/// How long to wait after a failed accept.
const BACK_OFF: Duration = Duration::from_millis(100);

/// A listener whose connections are passed on.
pub(crate) trait Source: Send + Sync + 'static {
    /// A connection as it is accepted.
    type Raw: Send;
    /// A connection that carries HTTP.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send;
    /// What makes connections ready: each holds it, and none the listener, which is to close at the stop.
    type Opener: Clone + Send + Sync;

    /// For messages: «TLS connection».
    const WHAT: &'static str;
    /// Connections at once, those that are being made ready included.
    const MOST: usize;
    /// Those of one address: one phone does not keep the others out.
    const MOST_OF_ADDRESS: usize;
    /// Time in which a client has to take [`AT_ONCE`] bytes: one that reads nothing does not keep its place.
    const PATIENCE: Duration = Duration::from_secs(30);

    /// How they come in.
    fn came_in(&self) -> CameIn;

    /// What makes its connections ready.
    fn opener(&self) -> Self::Opener;

    /// Waits for the next connection; with the address of its client, if it has one.
    fn accept(&self) -> impl Future<Output = io::Result<(Self::Raw, Option<IpAddr>)>> + Send;

    /// Makes a connection ready to carry HTTP; none when it is refused.
    fn open(opener: Self::Opener, raw: Self::Raw) -> impl Future<Output = Option<Self::Stream>> + Send;
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
    let (opener, came_in) = (source.opener(), source.came_in());
    let places = Arc::new(Semaphore::new(S::MOST));
    let addresses = Addresses::each(S::MOST_OF_ADDRESS);
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, source.accept().await)
        };
        let Some((place, accepted)) = stop.run_until_cancelled(next).await else { return };
        match accepted {
            Ok((raw, from)) => {
                // Further ones are closed at once: a handshake for a refusal would cost what it saves.
                let Some(of_address) = addresses.place(from) else { continue };
                let (opener, sender) = (opener.clone(), sender.clone());
                tokio::spawn(async move {
                    if let Some(stream) = S::open(opener, raw).await {
                        serve::<S>(stream, (came_in, from), sender).await;
                    }
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

/// One connection, until it ends.
async fn serve<S: Source>(
    stream: S::Stream,
    (came_in, from): (CameIn, Option<IpAddr>),
    sender: mpsc::Sender<Accepted>,
) {
    let (inside, socket) = match pair().await {
        Ok(both) => both,
        Err(error) => {
            tracing::warn!(%error, "a {} could not be served", S::WHAT);
            return;
        }
    };
    if sender.send(Accepted { socket, came_in, from }).await.is_ok()
        && let Err(error) = pass_on(stream, inside, S::PATIENCE).await
    {
        tracing::debug!(%error, "a {} ended", S::WHAT);
    }
}

/// Bytes in both directions, until the server has closed the connection or both sides have.
async fn pass_on(outside: impl AsyncRead + AsyncWrite, inside: TcpStream, patience: Duration) -> io::Result<()> {
    let (mut from_client, mut to_client) = tokio::io::split(outside);
    let (mut from_server, mut to_server) = inside.into_split();
    let asking = async {
        tokio::io::copy(&mut from_client, &mut to_server).await?;
        to_server.shutdown().await
    };
    let answering = async {
        let mut part = vec![0; AT_ONCE];
        loop {
            let count = from_server.read(&mut part).await?;
            let part = part.get(..count).unwrap_or_default();
            let taken = async {
                if part.is_empty() {
                    return to_client.shutdown().await;
                }
                to_client.write_all(part).await?;
                to_client.flush().await
            };
            timeout(patience, taken).await??;
            if count == 0 {
                return Ok(());
            }
        }
    };
    tokio::pin!(asking);
    tokio::pin!(answering);
    tokio::select! {
        answered = &mut answering => {
            answered?;
            // A client that keeps its side open does not keep the place.
            timeout(FAREWELL, asking).await.unwrap_or(Ok(()))
        }
        asked = &mut asking => {
            asked?;
            answering.await
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain(TcpListener);

    impl Source for Plain {
        type Raw = TcpStream;
        type Stream = TcpStream;
        type Opener = ();

        const WHAT: &'static str = "connection";
        const MOST: usize = 1;
        const MOST_OF_ADDRESS: usize = 1;
        const PATIENCE: Duration = Duration::from_millis(300);

        fn came_in(&self) -> CameIn {
            CameIn { loopback: true, tls: false }
        }

        fn opener(&self) {}

        async fn accept(&self) -> io::Result<(TcpStream, Option<IpAddr>)> {
            let (socket, from) = self.0.accept().await?;
            Ok((socket, Some(from.ip())))
        }

        async fn open((): (), socket: TcpStream) -> Option<TcpStream> {
            Some(socket)
        }
    }

    #[tokio::test]
    async fn a_client_that_reads_nothing_does_not_keep_its_place() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let relay = Relay::start(Plain(listener), CancellationToken::new());
        let reads_nothing = TcpStream::connect(address).await.unwrap();
        let mut served = Accept::accept(&relay).await.unwrap().socket;
        // More than the system takes for it; then the server ends the connection.
        let answer =
            tokio::spawn(async move { timeout(Duration::from_secs(1), served.write_all(&vec![0; 64 << 20])).await });
        assert!(!matches!(answer.await.unwrap(), Ok(Ok(()))), "all of it was taken");
        let second = TcpStream::connect(address).await.unwrap();
        let next = timeout(Duration::from_secs(20), Accept::accept(&relay)).await;
        assert!(next.is_ok(), "its place is not free again");
        drop((reads_nothing, second));
    }

    #[tokio::test]
    async fn a_client_that_stays_keeps_neither_its_place_nor_the_address() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let relay = Relay::start(Plain(listener), stop.clone());

        let mut stays = TcpStream::connect(address).await.unwrap();
        drop(Accept::accept(&relay).await.unwrap());
        assert_eq!(stays.read(&mut [0]).await.unwrap(), 0, "the server closed it");
        // The only place is free again.
        let mut second = TcpStream::connect(address).await.unwrap();
        let mut served = Accept::accept(&relay).await.unwrap().socket;
        served.write_all(b"!").await.unwrap();
        assert_eq!(second.read_u8().await.unwrap(), b'!');

        stop.cancel();
        while let Err(error) = TcpListener::bind(address).await {
            assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
            tokio::task::yield_now().await;
        }
        drop((second, served, relay));
    }
}
