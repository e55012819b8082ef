//! Work that may wait for a disk: beside the task that wants it, one piece at a time.

use tokio::task::{JoinHandle, spawn_blocking};

/// At most one piece of work, on a thread that may block.
#[derive(Debug)]
pub(super) struct Aside<T> {
    running: Option<JoinHandle<T>>,
}

impl<T> Default for Aside<T> {
    fn default() -> Self {
        Self { running: None }
    }
}

impl<T: Send + 'static> Aside<T> {
    /// Begins a piece of work; false while another one goes on or its outcome was not taken.
    pub(super) fn begin(&mut self, work: impl FnOnce() -> T + Send + 'static) -> bool {
        let free = self.running.is_none();
        if free {
            self.running = Some(spawn_blocking(work));
        }
        free
    }

    /// The outcome of work that is done; never waits. None also where the work panicked.
    pub(super) async fn done(&mut self) -> Option<T> {
        self.running.take_if(|running| running.is_finished())?.await.ok()
    }

    /// Waits for the work that goes on.
    pub(super) async fn wait(&mut self) -> Option<T> {
        self.running.take()?.await.ok()
    }
}
