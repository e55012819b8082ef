//! The thread of the lines: reads all ports, probes them, and serves the buses.
//!
//! A bus that is asked late is slow for all of its boards, and bytes are stamped when they are read. Searches for moves can keep
//! all other threads busy for a second on a busy machine; this thread has little to do and so gets a processor at once. Must not
//! know what is done on the lines.

use std::io;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle, Runtime};

/// Lives as long as the program: boards keep their ports when the search for boards is started anew.
static LINES: OnceLock<Runtime> = OnceLock::new();

/// Where tasks of lines are spawned; the thread is started with the first call.
///
/// # Errors
/// When the system gives no thread.
pub(super) fn lines_runtime() -> io::Result<Handle> {
    if let Some(runtime) = LINES.get() {
        return Ok(runtime.handle().clone());
    }
    let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("lines").enable_all().build()?;
    let handle = runtime.handle().clone();
    match LINES.set(runtime) {
        Ok(()) => Ok(handle),
        // Another task was first. To wait for the end of a thread is not allowed here.
        Err(second) => {
            second.shutdown_background();
            LINES.get().map(|first| first.handle().clone()).ok_or_else(|| io::Error::other("no thread of the lines"))
        }
    }
}
