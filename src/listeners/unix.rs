//! A Unix socket for the pages: its file with permissions, and its connections.

use std::fs::{self, Permissions};
use std::io;
use std::net::IpAddr;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use public_web::{Accept, Accepted, CameIn};
use tokio::net::{UnixListener, UnixStream};
use tokio_util::sync::CancellationToken;

use super::relay::{Relay, Source};

/// A Unix socket; its file is removed when this is dropped.
pub(super) struct UnixPages {
    path: PathBuf,
    relay: Relay,
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
        Ok(Self { path: path.to_owned(), relay: Relay::start(listener, stop) })
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
        self.relay.accept().await
    }
}

impl Source for UnixListener {
    type Raw = UnixStream;
    type Stream = UnixStream;
    type Opener = ();

    const WHAT: &'static str = "connection of a Unix socket";
    /// Each needs three open files.
    const MOST: usize = 512;
    const MOST_OF_ADDRESS: usize = Self::MOST;

    fn came_in(&self) -> CameIn {
        CameIn { loopback: true, tls: false }
    }

    fn opener(&self) {}

    async fn accept(&self) -> io::Result<(UnixStream, Option<IpAddr>)> {
        let (socket, _) = Self::accept(self).await?;
        Ok((socket, None))
    }

    async fn open((): (), socket: UnixStream) -> Option<UnixStream> {
        Some(socket)
    }
}
