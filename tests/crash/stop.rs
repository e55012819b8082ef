//! A signal ends the daemon soon, whatever its clients hold open, and the log tells both its start and its end.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::{Daemon, Recipe, boardcast};

/// Starts a daemon without boards whose log can be read.
fn start(recipe: &Recipe) -> Daemon {
    std::fs::write(&recipe.pairings, "[White \"Adams\"]\n[Black \"Baker\"]\n\n*\n").unwrap();
    let mut command = boardcast();
    command.arg("run").arg("--data").arg(&recipe.data).arg("--pairings").arg(&recipe.pairings);
    command.arg("--port").arg(recipe.ports.join("*")).arg("--listen").arg(recipe.address.to_string());
    let command = command.env("RUST_LOG", "info").stdout(Stdio::null()).stderr(Stdio::piped());
    Daemon(command.spawn().unwrap())
}

fn log(daemon: &mut Daemon) -> String {
    let mut text = String::new();
    daemon.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    text
}

/// Open sockets once held the daemon for five seconds. It takes less than one; a machine that is at other work takes longer.
const WITHIN: Duration = Duration::from_secs(3);

#[test]
fn a_signal_ends_the_daemon_at_once_with_sockets_open() {
    for signal in ["TERM", "HUP", "INT"] {
        let folder = tempfile::tempdir().unwrap();
        let recipe = Recipe::new(folder.path());
        let mut daemon = start(&recipe);
        recipe.wait_until_ready();
        let requests = [
            "",
            "GET /live.pgn HTTP/1.1\r\nHost: ha",
            "GET /live.pgn HTTP/1.1\r\nHost: hall\r\n\r\n",
            "POST /api/v1/admin/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
        ];
        let sockets: Vec<_> = requests
            .iter()
            .map(|request| {
                let mut socket = TcpStream::connect(recipe.address).unwrap();
                socket.write_all(request.as_bytes()).unwrap();
                socket
            })
            .collect();
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        assert!(
            Command::new("kill").arg(format!("-{signal}")).arg(daemon.0.id().to_string()).status().unwrap().success()
        );
        let ended = daemon.0.wait().unwrap();
        let took = begun.elapsed();
        drop(sockets);
        let log = log(&mut daemon);
        assert!(ended.success(), "{signal}: {ended}\n{log}");
        assert!(took < WITHIN, "{signal}: it took {took:?}\n{log}");
        let at = |text| log.find(text).unwrap_or_else(|| panic!("{signal}: the log does not say {text:?}:\n{log}"));
        assert!(at("serving http://") < at("stopping: SIG") && at("stopping: SIG") < at("stopped"), "{log}");
        assert!(log.contains(&format!("stopping: SIG{signal}")), "{log}");
    }
}

#[test]
fn a_daemon_that_cannot_start_does_not_say_that_it_serves() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = Recipe::new(folder.path());
    let _first = start(&recipe);
    recipe.wait_until_ready();
    let mut second = start(&Recipe { data: recipe.data.clone(), ..Recipe::new(folder.path()) });
    assert_eq!(second.0.wait().unwrap().code(), Some(1));
    let log = log(&mut second);
    assert!(log.contains("is in use by another daemon") && !log.contains("serving"), "{log}");
}
