//! A small computer without a clock: the first phone gives the time.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::daemon::{Process, command, free_address, get, wait_for};
use crate::skipped;
use crate::wire::{Answer, request, send};

const DAY: u64 = 86_400_000;

/// What the daemon logs, in the folder of a test.
const LOG: &str = "log";

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis().try_into().unwrap()
}

/// The daemon on a machine whose `timedatectl` says this about time servers.
fn daemon(folder: &Path, synchronised: &str) -> (SocketAddr, Process) {
    let (address, programs) = (free_address(), folder.join("bin"));
    std::fs::create_dir_all(&programs).unwrap();
    let program = programs.join("timedatectl");
    std::fs::write(&program, format!("#!/bin/sh\necho {synchronised}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut command = command(&folder.join("data"), address);
    let log = std::fs::File::create(folder.join(LOG)).unwrap();
    let daemon = Process(command.env("PATH", path).env("RUST_LOG", "warn").stderr(log).spawn().unwrap());
    wait_for("the daemon answers", || get(address, "/health"));
    (address, daemon)
}

fn post(address: SocketAddr, path: &str, lines: &[&str], body: &str) -> Answer {
    send(address, &request("POST", path, lines, body)).unwrap()
}

/// Hall time, whether it is known, and who gave it.
fn clock(address: SocketAddr, lines: &[&str]) -> Option<(u64, bool, Option<String>)> {
    let answer = send(address, &request("GET", "/api/v1/admin/clock", lines, ""))?;
    let clock: serde_json::Value = serde_json::from_str(&answer.body).ok()?;
    Some((clock["at"].as_u64()?, clock["is_known"].as_bool()?, clock["given_by"].as_str().map(Into::into)))
}

#[test]
fn the_first_phone_gives_the_time_to_a_computer_without_one() {
    if Path::new("/run/systemd/timesync/synchronized").exists() {
        return skipped("a computer without a clock: this one is synchronised");
    }
    let folder = tempfile::tempdir().unwrap();
    let (address, daemon) = daemon_of(folder.path());
    let process = daemon.0.id();
    wait_for("the log says that the time is not known", || {
        let log = std::fs::read_to_string(folder.path().join(LOG)).ok()?;
        log.contains("the clock of this computer is not synchronised and shows 20").then_some(())
    });
    let token = wait_for("the first link", || {
        let text = std::fs::read_to_string(folder.path().join("data/first-login.txt")).ok()?;
        Some(text.split('#').nth(1)?.split_whitespace().next()?.to_owned())
    });
    let tomorrow = now() + DAY;
    let body = format!(r#"{{"token":"{token}","name":"Anna","password":"four words are good","at":{tomorrow}}}"#);
    let made = post(address, "/api/v1/admin/first-administrator", &[], &body);
    assert_eq!(made.status, 200, "{made:?}");
    let cookie = format!("Cookie: {}", made.header("set-cookie").split(';').next().unwrap());
    let csrf = made.body.split("\"csrf_token\":\"").nth(1).unwrap().split('"').next().unwrap();
    let lines = [cookie.as_str(), &format!("X-CSRF-Token: {csrf}")];
    // The daemon goes on with it, in the same process; the session goes on, too.
    let (at, is_known, by) =
        wait_for("the time is given", || clock(address, &lines).filter(|(_, is_known, _)| *is_known));
    assert!(at >= tomorrow && at < tomorrow + DAY && is_known, "{at}");
    assert_eq!((by.as_deref(), daemon.0.id()), (Some("Anna"), process));
    // The hall never goes back, and rubbish is no time.
    for (at, status) in [(now().to_string(), 409), ("0".into(), 409), (u64::MAX.to_string(), 409), ("-1".into(), 422)] {
        let refused = post(address, "/api/v1/admin/clock", &lines, &format!(r#"{{"at":{at}}}"#));
        assert_eq!(refused.status, status, "{at}: {refused:?}");
    }
    drop(daemon);
    // A new process of the same boot knows it; a clock that a time server set right counts more.
    let (address, daemon) = daemon_of(folder.path());
    let (at, _, by) = clock(address, &lines).unwrap();
    assert!(at >= tomorrow && by.as_deref() == Some("Anna"), "{at} {by:?}");
    drop(daemon);
    let (address, _daemon) = self::daemon(folder.path(), "yes");
    assert_eq!(clock(address, &lines).map(|(_, is_known, by)| (is_known, by)), Some((true, None)));
    let refused = post(address, "/api/v1/admin/clock", &lines, &format!(r#"{{"at":{}}}"#, now() + 3 * DAY));
    assert!(refused.status == 409 && refused.body.contains("clock is right"), "{refused:?}");
}

fn daemon_of(folder: &Path) -> (SocketAddr, Process) {
    daemon(folder, "no")
}
