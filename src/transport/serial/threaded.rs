//! Reads each port with a thread of its own, where the system cannot poll them.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use serialport::{SerialPort, SerialPortBuilder};
use tokio::sync::mpsc;

use crate::transport::line::{CHUNK_BYTES, Chunk, Gone};

/// A port to read from.
pub(super) type Port = Box<dyn SerialPort>;

/// Maximum wait of one read; also how long a port stays open after its owner dropped it.
const READ_TIMEOUT: Duration = Duration::from_millis(250);

/// Stack size of a reader thread: it needs little, and a hall has many.
const STACK_BYTES: usize = 128 * 1024;

/// Opens a port.
///
/// # Errors
/// When it cannot be opened.
pub(super) fn open(builder: SerialPortBuilder) -> Result<Port, serialport::Error> {
    builder.timeout(READ_TIMEOUT).open()
}

/// Starts the thread that reads the port until the line is gone or its owner dropped it.
///
/// # Errors
/// When the system gives no thread.
pub(super) fn start(port: Port, sender: mpsc::Sender<Result<Chunk, Gone>>, lease: Arc<()>) -> io::Result<()> {
    let name = format!("read {}", port.name().unwrap_or_default());
    std::thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(move || {
        read(port, &sender);
        drop(lease);
    })?;
    Ok(())
}

fn read(mut port: Port, sender: &mpsc::Sender<Result<Chunk, Gone>>) {
    let mut buffer = [0; CHUNK_BYTES];
    let gone = loop {
        if sender.is_closed() {
            return;
        }
        match port.read(&mut buffer) {
            Ok(0) => break Gone("unplugged".into()),
            Ok(length) => {
                if sender.blocking_send(Ok(Chunk::now(&buffer[..length]))).is_err() {
                    return;
                }
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::Interrupted) => {}
            Err(error) => break Gone(format!("unplugged ({error})")),
        }
    };
    drop(port);
    let _ = sender.blocking_send(Err(gone));
}
