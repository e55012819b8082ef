//! Reads ports with the poll of the runtime: one for all of them, and nothing wakes up while a board is silent.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use serialport::{SerialPortBuilder, TTYPort};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::mpsc;

use crate::transport::line::{CHUNK_BYTES, Chunk, Gone};

/// A port to read from.
pub(super) type Port = TTYPort;

/// Opens a port whose reads never wait.
///
/// # Errors
/// When it cannot be opened.
pub(super) fn open(builder: SerialPortBuilder) -> Result<Port, serialport::Error> {
    builder.timeout(Duration::ZERO).open_native()
}

/// Starts the task that reads the port until the line is gone or its owner dropped it.
///
/// # Errors
/// When the system cannot poll the port.
pub(super) fn start(port: Port, sender: mpsc::Sender<Result<Chunk, Gone>>, lease: Arc<()>) -> io::Result<()> {
    #[expect(
        deprecated,
        reason = "asks for AsFd in place of AsRawFd, which serialport does not have; the port owns its descriptor and closes it \
                  when it is dropped, after its registration"
    )]
    let port = AsyncFd::with_interest(port, Interest::READABLE)?;
    tokio::spawn(async move {
        read(port, sender).await;
        drop(lease);
    });
    Ok(())
}

async fn read(mut port: AsyncFd<Port>, sender: mpsc::Sender<Result<Chunk, Gone>>) {
    let mut buffer = [0; CHUNK_BYTES];
    let gone = loop {
        let ready = tokio::select! {
            ready = port.readable_mut() => ready,
            () = sender.closed() => return,
        };
        let mut ready = match ready {
            Ok(ready) => ready,
            Err(error) => break Gone(format!("it cannot be read any more ({error})")),
        };
        // `serialport` says «timed out» where nothing is to be read.
        match ready.get_inner_mut().read(&mut buffer) {
            Ok(0) => break Gone("unplugged".into()),
            Ok(length) => {
                // Stamped here: the owner may be busy with an earlier chunk.
                if sender.send(Ok(Chunk::now(&buffer[..length]))).await.is_err() {
                    return;
                }
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) => {
                ready.clear_ready();
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Gone(format!("unplugged ({error})")),
        }
    };
    // Close the port first, so that the kernel can reuse its name.
    drop(port);
    let _ = sender.send(Err(gone)).await;
}
