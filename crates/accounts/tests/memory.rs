//! The memory of passwords, in a process of its own, as all its threads are counted.
#![cfg(target_os = "linux")]

use std::sync::Barrier;
use std::thread;

use accounts::{Hashed, Password, SALT_BYTES};

/// What the process holds of its own, in KiB.
fn held() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn a_thread_that_checked_passwords_keeps_nothing_of_their_memory() {
    const THREADS: usize = 3;
    let before = held();
    let (done, counted) = (Barrier::new(THREADS + 1), Barrier::new(THREADS + 1));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let hashed = Password::choose("vier Wörter für Anna").unwrap().hash([7; SALT_BYTES]).unwrap();
                assert!((0..3).all(|_| hashed.is_of("vier Wörter für Anna")));
                assert!(!Hashed::of_no_password().is_of("vier Wörter für Anna"));
                done.wait();
                counted.wait();
            });
        }
        done.wait();
        let after = held();
        counted.wait();
        assert!(after < before + 8 * 1024, "{before} KiB before, {after} KiB after");
    });
}
