//! The thread of one output: waits for changes, orders and times, and lets the output do what is due.
//!
//! A thread of its own, because a consumer may hang: then this one hangs alone.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use hall_clock::HallClock;

use crate::output::{Order, Output};

/// How long a changed output waits for what was sent with its earlier settings: requests end in half of it, but a folder of the
/// network may hang for ever.
const LAST_WORK: Duration = Duration::from_mins(1);

/// Time between two looks whether that has ended.
const LOOK: Duration = Duration::from_millis(20);

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

/// Waits until a thread has ended; false when it goes on for longer than `most`.
fn has_ended_within(most: Duration, thread: &JoinHandle<()>) -> bool {
    let began = Instant::now();
    while !thread.is_finished() {
        if began.elapsed() >= most {
            return false;
        }
        thread::sleep(LOOK);
    }
    true
}

/// Starts the thread of an output, which `make` makes in it. It begins once the thread of the output before it, if there is one, has
/// ended, so that two do not send to one consumer; or after [`LAST_WORK`], when that one hangs and sends nothing more when it wakes.
pub(crate) fn start(
    name: &str,
    bell: Bell,
    clock: HallClock,
    before: Option<JoinHandle<()>>,
    make: impl FnOnce() -> Output + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(format!("output {name}")).spawn(move || {
        if before.is_some_and(|before| !has_ended_within(LAST_WORK, &before)) {
            tracing::warn!(
                "what an output sends with its earlier settings hangs; it begins with its new ones all the same"
            );
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_thread_that_hangs_is_waited_for_no_longer_than_said() {
        let (end, ended) = mpsc::channel::<()>();
        let hangs = thread::spawn(move || ended.recv().unwrap_or_default());
        assert!(!has_ended_within(Duration::ZERO, &hangs));
        drop(end);
        assert!(has_ended_within(LAST_WORK, &hangs));
    }
}
