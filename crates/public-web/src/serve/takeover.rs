//! How a handler takes the socket of its request away from the framework.
//!
//! A live viewer's socket belongs to the hub. The handler says what is to happen with the socket and never answers; the
//! connection takes the socket back from the framework and does it.

use bytes::Bytes;
use tokio::sync::mpsc;

/// What to do with a non-blocking socket and the bytes that were read after the request.
pub(super) type Taken = Box<dyn FnOnce(std::net::TcpStream, Bytes) + Send>;

/// In the extensions of a request whose socket can be taken.
#[derive(Clone, Debug)]
pub(crate) struct TakeOver(mpsc::Sender<Taken>);

impl TakeOver {
    pub(super) fn channel() -> (Self, mpsc::Receiver<Taken>) {
        let (sender, taken) = mpsc::channel(1);
        (Self(sender), taken)
    }

    /// Takes the socket. Does not return: the connection drops the request.
    pub(crate) async fn take(self, then: impl FnOnce(std::net::TcpStream, Bytes) + Send + 'static) -> ! {
        let _ = self.0.try_send(Box::new(then));
        std::future::pending().await
    }
}
