//! The thread of one output: waits for changes, orders and times, and lets the output do what is due.
//!
//! A thread of its own, because a consumer may hang: then this one hangs alone.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use hall_clock::HallClock;

use crate::output::{Order, Output};

/// The way to the thread of an output; copies share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bell {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    inbox: Mutex<Inbox>,
    rung: Condvar,
}

#[derive(Debug, Default)]
struct Inbox {
    changed: bool,
    orders: VecDeque<Order>,
    stop: bool,
}

impl Bell {
    /// Says that the view changed.
    pub(crate) fn changed(&self) {
        self.inbox().changed = true;
        self.shared.rung.notify_one();
    }

    pub(crate) fn order(&self, order: Order) {
        self.inbox().orders.push_back(order);
        self.shared.rung.notify_one();
    }

    /// Ends the thread after what it does now.
    pub(crate) fn stop(&self) {
        self.inbox().stop = true;
        self.shared.rung.notify_one();
    }

    /// A watcher of a view that does not keep the thread's data.
    pub(crate) fn watcher(&self) -> impl Fn() + Send + Sync + 'static {
        let shared = Arc::downgrade(&self.shared);
        move || {
            if let Some(shared) = shared.upgrade() {
                Self { shared }.changed();
            }
        }
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.shared.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is something to do; gives the orders, or none at the stop.
    fn wait(&self, most: Option<Duration>) -> Option<VecDeque<Order>> {
        let idle = |inbox: &mut Inbox| !inbox.changed && inbox.orders.is_empty() && !inbox.stop;
        let inbox = self.inbox();
        let mut inbox = match most {
            Some(most) => {
                let waited = self.shared.rung.wait_timeout_while(inbox, most, idle);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.shared.rung.wait_while(inbox, idle).unwrap_or_else(PoisonError::into_inner),
        };
        inbox.changed = false;
        let orders = std::mem::take(&mut inbox.orders);
        (!inbox.stop).then_some(orders)
    }
}

/// Starts the thread of an output, which `make` makes in it.
pub(crate) fn start(
    name: &str,
    bell: Bell,
    clock: HallClock,
    make: impl FnOnce() -> Output + Send + 'static,
) -> io::Result<()> {
    thread::Builder::new().name(format!("output {name}")).spawn(move || {
        let mut output = make();
        let mut next = Some(clock.now());
        loop {
            let most = next.map(|at| Duration::from_millis(at.saturating_sub(clock.now())));
            let Some(orders) = bell.wait(most) else { return };
            let step = AssertUnwindSafe(|| {
                for order in orders {
                    output.order(order);
                }
                output.step(clock.now(), fastrand::f64())
            });
            next = catch_unwind(step).unwrap_or_else(|_| Some(output.faulted(clock.now(), fastrand::f64())));
        }
    })?;
    Ok(())
}
