//! The body of a request on its way to the handler: with a deadline, and with a place among the bodies under way.
//!
//! Must not know requests or handlers.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;

use super::addresses::{AddressPlace, Addresses};

/// One address may hold one in so many of the places.
const SHARE: usize = 4;

/// The places for bodies under way.
pub(super) struct Places {
    all: Arc<Semaphore>,
    of_addresses: Addresses,
}

/// One of them, given back when it is dropped.
pub(super) struct Place {
    _one: OwnedSemaphorePermit,
    _of_address: AddressPlace,
}

impl Places {
    /// So many places.
    pub(super) fn new(most: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(most)), of_addresses: Addresses::each(most / SHARE) }
    }

    /// A place for a body from this address, if it may hold one more.
    pub(super) fn take(&self, address: Option<IpAddr>) -> Option<Place> {
        let of_address = self.of_addresses.place(address)?;
        let one = Arc::clone(&self.all).try_acquire_owned().ok()?;
        Some(Place { _one: one, _of_address: of_address })
    }
}

/// A body that ends with an error at its deadline. It holds its place until it is read or dropped.
pub(super) struct RequestBody {
    body: Incoming,
    deadline: Pin<Box<Sleep>>,
    late: Late,
    place: Option<Place>,
}

/// Whether a body was not there at its deadline; copies share it.
#[derive(Clone, Default)]
pub(super) struct Late(Arc<AtomicBool>);

impl Late {
    /// Whether it was.
    pub(super) fn is_late(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl RequestBody {
    /// A body that must arrive within `limit`; a request without a body needs no place.
    pub(super) fn new(body: Incoming, limit: Duration, late: Late, place: Option<Place>) -> Self {
        Self { body, deadline: Box::pin(tokio::time::sleep(limit)), late, place }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) || self.body.is_end_stream() {
            self.place = None;
        } else if frame.is_pending() && self.deadline.as_mut().poll(context).is_ready() {
            self.place = None;
            self.late.0.store(true, Ordering::Relaxed);
            return Poll::Ready(Some(Err("the body of the request did not arrive in time".into())));
        }
        frame.map(|frame| frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
