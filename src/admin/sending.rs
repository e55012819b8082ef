//! Sends a message on a WebSocket, and does not wait for ever for a page or program that takes none.

use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};

/// Time in which a message has to leave; who takes longer connects again.
const SENDING: Duration = Duration::from_secs(20);

/// Whether it left in time.
pub(super) async fn sent(socket: &mut WebSocket, message: Message) -> bool {
    matches!(tokio::time::timeout(SENDING, socket.send(message)).await, Ok(Ok(())))
}
