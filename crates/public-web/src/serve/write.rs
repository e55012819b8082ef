//! Answers written to a socket until a deadline: small ones from memory, large ones as files that the system sends.
//!
//! Must not know what is written.

use std::io::{self, IoSlice};

use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::polled::Payload;

/// Writes all of both.
pub(super) async fn all(socket: &TcpStream, head: &[u8], body: Option<&Payload>, deadline: Instant) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if let Some(body) = body
        && let Some(file) = body.file()
    {
        return with_file(socket, head, (&file, body.length()), deadline).await;
    }
    let body = body.map(Payload::bytes).unwrap_or_default();
    let mut written = 0;
    while written < head.len() + body.len() {
        let first = head.get(written..).unwrap_or_default();
        let second = body.get(written.saturating_sub(head.len())..).unwrap_or_default();
        let slices = [IoSlice::new(first), IoSlice::new(second)];
        written += next(socket, deadline, || socket.try_write_vectored(&slices)).await?;
    }
    Ok(())
}

/// Writes a head, then a file.
#[cfg(target_os = "linux")]
async fn with_file(
    socket: &TcpStream,
    head: &[u8],
    (file, length): (&std::fs::File, usize),
    deadline: Instant,
) -> io::Result<()> {
    use rustix::fs::sendfile;
    use rustix::net::{SendFlags, send};
    use tokio::io::Interest;

    let mut written = 0;
    while let Some(rest @ [_, ..]) = head.get(written..) {
        // The head waits for the first bytes of the file, to go out with them.
        let write =
            || socket.try_io(Interest::WRITABLE, || Ok(send(socket, rest, SendFlags::MORE | SendFlags::NOSIGNAL)?));
        written += next(socket, deadline, write).await?;
    }
    let (mut sent, mut offset) = (0, 0);
    while sent < length {
        let rest = length - sent;
        let write = || socket.try_io(Interest::WRITABLE, || Ok(sendfile(socket, file, Some(&mut offset), rest)?));
        sent += next(socket, deadline, write).await?;
    }
    Ok(())
}

/// Writes once, as soon as the socket takes something.
async fn next(
    socket: &TcpStream,
    deadline: Instant,
    mut write: impl FnMut() -> io::Result<usize>,
) -> io::Result<usize> {
    loop {
        match write() {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                tokio::time::timeout_at(deadline, socket.writable()).await??;
            }
            done => return done,
        }
    }
}
