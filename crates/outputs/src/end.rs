//! The end of an output that was changed or removed: from then on its thread sends nothing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::http::{Http, NoAnswer, Request, Response};

/// How far an output is from its end; copies share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct End(Arc<Mutex<Stage>>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Sends,
    /// Another output with its name follows, and reads what this one keeps.
    Ended,
    /// What it keeps was deleted.
    Removed,
}

impl End {
    /// Nothing more is sent.
    pub(crate) fn begin(&self) {
        *self.lock() = Stage::Ended;
    }

    /// Nothing more is kept: `forget` deletes what was.
    pub(crate) fn remove(&self, forget: impl FnOnce()) {
        let mut stage = self.lock();
        *stage = Stage::Removed;
        forget();
    }

    pub(crate) fn has_come(&self) -> bool {
        *self.lock() != Stage::Sends
    }

    /// Writes what is kept of the output, unless it was removed.
    pub(crate) fn keep(&self, write: impl FnOnce()) {
        let stage = self.lock();
        if *stage != Stage::Removed {
            write();
        }
    }

    /// The network until the end: what is under way then is the last request.
    pub(crate) fn before(&self, http: &Arc<dyn Http>) -> Arc<dyn Http> {
        Arc::new(UntilEnd { http: Arc::clone(http), end: self.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct UntilEnd {
    http: Arc<dyn Http>,
    end: End,
}

impl Http for UntilEnd {
    fn send(&self, request: Request) -> Result<Response, NoAnswer> {
        if self.end.has_come() {
            // No person reads it: the state of an ended output is not shown.
            return Err(NoAnswer::Unreachable { reason: "the output was ended".into() });
        }
        self.http.send(request)
    }
}
