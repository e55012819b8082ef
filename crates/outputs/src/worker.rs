//! The thread of one output: waits for changes, orders and times, and lets the output do what is due.
//!
//! A thread of its own, because a consumer may hang: then this one hangs alone.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
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

    /// A watcher of a view. It does not keep the thread's data, and ends with it.
    pub(crate) fn watcher(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let shared = Arc::downgrade(&self.shared);
        move || shared.upgrade().inspect(|shared| Self { shared: Arc::clone(shared) }.changed()).is_some()
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.shared.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is something to do; gives the orders, and whether it is the stop.
    fn wait(&self, most: Option<Duration>) -> (VecDeque<Order>, bool) {
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
        (std::mem::take(&mut inbox.orders), inbox.stop)
    }
}

/// Starts the thread of an output, which `make` makes in it. It begins once the thread of the output before it, if there is one, has
/// ended: two never send to one consumer.
pub(crate) fn start(
    name: &str,
    bell: Bell,
    clock: HallClock,
    before: Option<JoinHandle<()>>,
    make: impl FnOnce() -> Output + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(format!("output {name}")).spawn(move || {
        if let Some(before) = before
            && before.join().is_err()
        {
            tracing::error!("the thread of an output ended with a fault of the program");
        }
        let mut output = make();
        let mut next = Some(clock.now());
        loop {
            let most = next.map(|at| Duration::from_millis(at.saturating_sub(clock.now())));
            let (orders, stops) = bell.wait(most);
            let step = AssertUnwindSafe(|| {
                // Also at the stop: a pause that was ordered lasts.
                for order in orders {
                    output.order(order);
                }
                if stops { None } else { output.step(clock.now(), fastrand::f64()) }
            });
            next = catch_unwind(step).unwrap_or_else(|_| Some(output.faulted(clock.now(), fastrand::f64())));
            if stops {
                return;
            }
        }
    })
}
