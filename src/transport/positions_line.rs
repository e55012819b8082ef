//! The line of a board that is not there: its bytes come from the daemon itself.
//!
//! Must not know what the bytes mean.

use tokio::sync::mpsc;

use super::line::{Chunk, Gone};
use super::port::Port;

/// Replies that wait for the board's task.
const WAITING: usize = 256;

/// The board's end of the line.
#[derive(Debug)]
pub struct PositionsLine {
    replies: mpsc::Sender<Chunk>,
    commands: mpsc::Receiver<Vec<u8>>,
}

/// The daemon's end of the line.
#[derive(Debug)]
pub(super) struct PositionsPort {
    replies: mpsc::Receiver<Chunk>,
    commands: mpsc::Sender<Vec<u8>>,
}

impl PositionsLine {
    /// Both ends of a line; the name stands where others have a path.
    pub fn pair(name: &str) -> (Self, Port) {
        let (to_daemon, replies) = mpsc::channel(WAITING);
        let (to_board, commands) = mpsc::channel(WAITING);
        let port = Port::of_positions(name, PositionsPort { replies, commands: to_board });
        (Self { replies: to_daemon, commands }, port)
    }

    /// Sends bytes; an error when the daemon's end is closed or takes nothing.
    pub fn send(&self, bytes: Vec<u8>) -> Result<(), Gone> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.replies.try_send(Chunk::now(&bytes)).map_err(|error| Gone(error.to_string()))
    }

    /// The next bytes of the daemon; none when its end is closed.
    pub async fn receive(&mut self) -> Option<Vec<u8>> {
        self.commands.recv().await
    }
}

impl PositionsPort {
    pub(super) async fn receive(&mut self) -> Result<Chunk, Gone> {
        self.replies.recv().await.ok_or_else(|| Gone("no positions of it come any more".into()))
    }

    pub(super) fn send(&self, bytes: &[u8]) -> Result<(), Gone> {
        match self.commands.try_send(bytes.to_vec()) {
            // The session asks again.
            Ok(()) | Err(mpsc::error::TrySendError::Full(_)) => Ok(()),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(Gone("no positions of it come any more".into())),
        }
    }
}
