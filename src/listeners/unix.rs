//! A Unix socket: its file with permissions, and its connections for the pages' server.
//!
//! Each connection reaches the server as a socket of this machine, so that the hub can own viewers' sockets here as everywhere.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use public_web::{Accept, Accepted, CameIn};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use super::pair::pair;

/// Connections at once; each needs three open files.
const MOST_CONNECTIONS: usize = 512;

/// Connections that wait for the server.
const WAITING: usize = 16;

/// How long to wait after a failed accept.
const BACK_OFF: Duration = Duration::from_millis(100);

/// A Unix socket; its file is removed when this is dropped.
pub(super) struct UnixPages {
    path: PathBuf,
    open: Mutex<mpsc::Receiver<TcpStream>>,
}

impl UnixPages {
    /// Opens it, in place of the file of a daemon that was killed, and accepts until the stop.
    ///
    /// # Errors
    /// One sentence with the path and the remedy.
    pub(super) fn open(path: &Path, mode: u32, stop: CancellationToken) -> anyhow::Result<Self> {
        let shown = path.display();
        let wrong =
            |error: io::Error, remedy: &str| anyhow::Error::new(error).context(format!("unix:{shown} {remedy}"));
        match fs::symlink_metadata(path) {
            Ok(file) if !file.file_type().is_socket() => anyhow::bail!("unix:{shown} is another file: remove it"),
            Ok(_) if std::os::unix::net::UnixStream::connect(path).is_ok() => {
                anyhow::bail!("unix:{shown} is in use by another program: end it, or set another address")
            }
            Ok(_) => fs::remove_file(path).map_err(|error| wrong(error, "is left over and cannot be removed"))?,
            Err(_) => {}
        }
        let listener = UnixListener::bind(path)
            .map_err(|error| wrong(error, "cannot be made: its folder must exist and be writable for the daemon"))?;
        fs::set_permissions(path, Permissions::from_mode(mode))
            .map_err(|error| wrong(error, "cannot be given its permissions"))?;
        let (sender, open) = mpsc::channel(WAITING);
        tokio::spawn(accept_all(listener, sender, stop));
        Ok(Self { path: path.to_owned(), open: Mutex::new(open) })
    }
}

impl Drop for UnixPages {
    fn drop(&mut self) {
        // It may be gone.
        let _ = fs::remove_file(&self.path);
    }
}

impl Accept for UnixPages {
    async fn accept(&self) -> io::Result<Accepted> {
        match self.open.lock().await.recv().await {
            Some(socket) => Ok(Accepted { socket, came_in: CameIn { loopback: true, tls: false }, from: None }),
            // The daemon stops.
            None => std::future::pending().await,
        }
    }
}

async fn accept_all(listener: UnixListener, open: mpsc::Sender<TcpStream>, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((socket, _)) => {
                let open = open.clone();
                tokio::spawn(async move {
                    if let Err(error) = serve(socket, open).await {
                        tracing::debug!(%error, "a connection of a Unix socket ended");
                    }
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection of a Unix socket could not be accepted");
                tokio::time::sleep(BACK_OFF).await;
            }
        }
    }
}

/// One connection: bytes in both directions until one side ends.
async fn serve(mut outside: UnixStream, open: mpsc::Sender<TcpStream>) -> io::Result<()> {
    let (mut inside, served) = pair().await?;
    if open.send(served).await.is_ok() {
        tokio::io::copy_bidirectional(&mut outside, &mut inside).await?;
    }
    Ok(())
}
