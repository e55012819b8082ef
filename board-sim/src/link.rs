//! The line between a board and its host: a pseudo-terminal or a TCP connection.
//!
//! Knows ports. Must not know what travels through them. Unix only, as pseudo-terminals are.

use std::{
    fs,
    io::{self, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use serialport::{SerialPort, TTYPort};

use crate::bus_line::BusTap;

/// How hosts reach the boards of a hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// Each board is a pseudo-terminal; a symbolic link in this folder, `ttySIM0` and so on, leads to it while it is plugged
    /// in. The folder is made if it is missing.
    Pty {
        /// Where the links are.
        folder: PathBuf,
    },
    /// Each board listens on a TCP port of this machine and talks to one host at a time.
    Tcp,
}

/// Why a board could not be plugged in.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// No pseudo-terminal can be opened.
    #[error("no pseudo-terminal can be opened: {0}; close other programs or raise /proc/sys/kernel/pty/max")]
    Pty(#[source] serialport::Error),
    /// The folder of links cannot be used.
    #[error("the port cannot be shown as {path}: {source}; choose a folder that can be written to")]
    Folder {
        /// The link that should have been made.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No TCP port can be opened.
    #[error("no TCP port can be opened on 127.0.0.1: {0}; another program may have taken it, use a new one")]
    Tcp(#[source] io::Error),
    /// The thread of a line with several boards cannot be started.
    #[error("no thread can be started for a line of boards: {0}; use fewer lines")]
    Thread(#[source] io::Error),
}

/// The result of waiting for bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// This many bytes.
    Bytes(usize),
    /// A host has the port open and sends nothing.
    Silence,
    /// No host has opened the port.
    NoHost,
}

/// Longest time for writing a message; then it is lost, as on a real line.
const WRITE_TIMEOUT: Duration = Duration::from_millis(500);

/// A port with a board plugged into it. Pulled out when dropped.
#[derive(Debug)]
pub(crate) struct Plug {
    wire: Wire,
    address: String,
}

#[derive(Debug)]
enum Wire {
    Pty { master: TTYPort, shown_as: PathBuf, host: bool },
    Tcp { listener: TcpListener, host: Option<TcpStream> },
    Bus(BusTap),
}

impl Plug {
    /// Plugs a board in under a name: a file name for pseudo-terminals, the old address or anything else for TCP.
    pub(crate) fn new(link: &Link, name: &str) -> Result<Self, LinkError> {
        match link {
            Link::Pty { folder } => Self::pty(&folder.join(name)),
            Link::Tcp => Self::tcp(name),
        }
    }

    /// A board's place on a line with this address.
    pub(crate) fn on_bus(tap: BusTap, address: &str) -> Self {
        Self { wire: Wire::Bus(tap), address: address.to_owned() }
    }

    fn pty(shown_as: &Path) -> Result<Self, LinkError> {
        Ok(Self {
            address: shown_as.display().to_string(),
            wire: Wire::Pty { master: open_pty(shown_as)?, shown_as: shown_as.to_owned(), host: false },
        })
    }

    fn tcp(name: &str) -> Result<Self, LinkError> {
        let wanted = name
            .strip_prefix(TCP_SCHEME)
            .and_then(|address| address.parse().ok())
            .unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let listener = TcpListener::bind(wanted).map_err(LinkError::Tcp)?;
        listener.set_nonblocking(true).map_err(LinkError::Tcp)?;
        let address = listener.local_addr().map_err(LinkError::Tcp)?;
        Ok(Self { address: format!("{TCP_SCHEME}{address}"), wire: Wire::Tcp { listener, host: None } })
    }

    /// The path or `tcp://` address that a host opens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Waits up to `timeout` for bytes of the host, or for a host.
    pub(crate) fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Received {
        let received = match &mut self.wire {
            Wire::Bus(tap) => return tap.read(buffer, timeout),
            Wire::Pty { master, shown_as, host } => {
                let received = match master.set_timeout(timeout) {
                    Ok(()) => received(master.read(buffer)),
                    Err(_) => Received::NoHost,
                };
                let here = received != Received::NoHost;
                // A host that was killed leaves the port locked for itself and half a message in it; the next one gets a new
                // port under the same name.
                if std::mem::replace(host, here)
                    && !here
                    && let Ok(renewed) = open_pty(shown_as)
                {
                    *master = renewed;
                }
                received
            }
            Wire::Tcp { listener, host } => {
                if host.is_none() {
                    *host = listener.accept().ok().and_then(|(stream, _)| prepare(stream).ok());
                }
                let received = match host {
                    // Zero would mean to wait for ever.
                    Some(stream) => match stream.set_read_timeout(Some(timeout.max(Duration::from_micros(1)))) {
                        Ok(()) => received(stream.read(buffer)),
                        Err(_) => Received::NoHost,
                    },
                    None => Received::NoHost,
                };
                if received == Received::NoHost {
                    *host = None;
                }
                received
            }
        };
        if received == Received::NoHost {
            thread::sleep(timeout);
        }
        received
    }

    /// Sends bytes in one call. Without a host, or with one that does not read, they are lost, as on a real line.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        // A host that has gone is noticed by the next read.
        match &mut self.wire {
            Wire::Pty { master, host: true, .. } => {
                let _ = master.set_timeout(WRITE_TIMEOUT).and_then(|()| Ok(master.write_all(bytes)?));
            }
            Wire::Tcp { host: Some(stream), .. } => {
                let _ = stream.write_all(bytes);
            }
            Wire::Bus(tap) => tap.write(bytes),
            Wire::Pty { .. } | Wire::Tcp { .. } => {}
        }
    }
}

impl Drop for Plug {
    fn drop(&mut self) {
        if let Wire::Pty { shown_as, .. } = &self.wire {
            // Already gone with its folder at the end of a test: nothing to do about it.
            let _ = fs::remove_file(shown_as);
        }
    }
}

const TCP_SCHEME: &str = "tcp://";

/// A new pseudo-terminal, shown under this path; what was shown there before is replaced if it is a link.
fn open_pty(shown_as: &Path) -> Result<TTYPort, LinkError> {
    let (master, slave) = TTYPort::pair().map_err(LinkError::Pty)?;
    // The first of the two would be inherited by child processes, which would keep the port alive; its clone is not.
    let own = master.try_clone_native().map_err(LinkError::Pty)?;
    let device = slave.name().unwrap_or_default();
    // The pair was set to raw mode and stays so while the host's end is closed.
    drop(slave);
    show(&device, shown_as).map_err(|source| LinkError::Folder { path: shown_as.to_owned(), source })?;
    Ok(own)
}

fn show(device: &str, shown_as: &Path) -> io::Result<()> {
    if let Some(folder) = shown_as.parent() {
        fs::create_dir_all(folder)?;
    }
    if fs::symlink_metadata(shown_as).is_ok_and(|old| old.is_symlink()) {
        fs::remove_file(shown_as)?;
    }
    symlink(device, shown_as)
}

fn prepare(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    Ok(stream)
}

fn received(result: io::Result<usize>) -> Received {
    match result {
        Ok(0) => Received::NoHost,
        Ok(bytes) => Received::Bytes(bytes),
        Err(error) if is_timeout(&error) => Received::Silence,
        Err(_) => Received::NoHost,
    }
}

/// No byte arrived in time; nothing is wrong.
fn is_timeout(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};

    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}
