//! Readiness and the watchdog, with the test as the service manager.

use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::daemon::{PATIENCE, Process, command, free_address, wait_for};
use crate::skipped;

/// The test's end of the socket that a service manager gives.
struct Manager(UnixDatagram);

impl Manager {
    fn listen(folder: &Path) -> Self {
        let socket = UnixDatagram::bind(folder.join("notify")).unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        Self(socket)
    }

    /// What the daemon told within this time.
    fn told_within(&self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut told = Vec::new();
        let mut buffer = [0; 1024];
        while Instant::now() < end {
            if let Ok(length) = self.0.recv(&mut buffer) {
                told.push(String::from_utf8_lossy(&buffer[..length]).trim().to_owned());
            }
        }
        told
    }

    /// Waits until the daemon tells this.
    fn wait_for(&self, state: &str) {
        wait_for(state, || {
            let told = self.told_within(Duration::from_millis(100));
            told.iter().any(|told| told.lines().any(|line| line == state)).then_some(())
        });
    }
}

fn start(folder: &Path) -> Process {
    let mut daemon = command(&folder.join("data"), free_address());
    daemon.env("NOTIFY_SOCKET", folder.join("notify")).env("WATCHDOG_USEC", "600000").stderr(Stdio::null());
    Process(daemon.spawn().unwrap())
}

#[test]
fn the_daemon_says_when_it_is_ready_and_feeds_the_watchdog_until_it_stops() {
    let folder = tempfile::tempdir().unwrap();
    let manager = Manager::listen(folder.path());
    let mut daemon = start(folder.path());
    manager.wait_for("READY=1");
    manager.wait_for("WATCHDOG=1");

    // A journal that cannot be written is no reason for a restart: what waits in memory would be lost.
    let holder = rusqlite::Connection::open(folder.path().join("data/journal.sqlite")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    manager.told_within(Duration::from_secs(1));
    assert!(manager.told_within(Duration::from_secs(2)).contains(&"WATCHDOG=1".to_owned()));
    drop(holder);

    let stopped = Command::new("kill").arg(daemon.0.id().to_string()).status().unwrap();
    assert!(stopped.success());
    manager.wait_for("STOPPING=1");
    assert!(daemon.0.wait().unwrap().success());
}

/// Stops one thread of a process as a debugger does: the daemon has no switch for that.
const STOP_THREAD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stop_thread.py");

#[test]
fn a_thread_that_hangs_starves_the_watchdog() {
    for name in ["recorder", "director"] {
        let folder = tempfile::tempdir().unwrap();
        let manager = Manager::listen(folder.path());
        let daemon = start(folder.path());
        manager.wait_for("WATCHDOG=1");
        let pid = daemon.0.id().to_string();
        let started =
            Command::new("python3").args([STOP_THREAD, &pid, name]).stdout(Stdio::piped()).spawn().map(Process);
        let Ok(mut debugger) = started else {
            return skipped("a hanging thread: python3 is not here");
        };
        let mut said = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(debugger.0.stdout.take().unwrap()), &mut said)
            .unwrap();
        if said.trim() != "stopped" {
            return skipped("a hanging thread: this system does not let a debugger stop it");
        }
        let began = Instant::now();
        // An answer may be under way; then there is none for much longer than the watchdog waits.
        manager.told_within(Duration::from_millis(300));
        let told = manager.told_within(Duration::from_secs(2));
        assert_eq!(told, Vec::<String>::new(), "the {name} hangs");
        drop(debugger);
        manager.wait_for("WATCHDOG=1");
        assert!(began.elapsed() < PATIENCE);
    }
}
