//! The log tells of failed logins, and never a password that was typed as a name.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use crate::process::{Recipe, boardcast};

#[test]
fn a_failed_login_is_logged_without_what_was_typed() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = Recipe::new(folder.path());
    std::fs::write(&recipe.pairings, "[White \"Adams\"]\n[Black \"Baker\"]\n\n*\n").unwrap();
    let mut command = boardcast();
    command.stderr(Stdio::piped());
    let mut daemon = recipe.start_as_logging(command, "warn");
    recipe.wait_until_ready();
    let body = r#"{"name":"secret typed as a name","password":"wrong password"}"#;
    let mut socket = TcpStream::connect(recipe.address).unwrap();
    write!(
        socket,
        "POST /api/v1/admin/session HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        recipe.address.port(),
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    daemon.kill();
    let mut log = String::new();
    daemon.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("a login failed"), "{log}");
    assert!(!log.contains("secret typed") && !log.contains("wrong password"), "{log}");
}

/// The most memory that a process ever had, in MiB, as the system counts it.
fn most_memory_mib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let most =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    most.unwrap() / 1024
}

/// Sends a login; the answer's head.
fn log_in(address: std::net::SocketAddr, cookie: &str, name: &str, password: &str) -> String {
    let body = format!(r#"{{"name":"{name}","password":"{password}"}}"#);
    let Ok(mut socket) = TcpStream::connect(address) else { return String::new() };
    let sent = write!(
        socket,
        "POST /api/v1/admin/session HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n{cookie}\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        address.port(),
        body.len()
    );
    let mut answer = String::new();
    let _ = sent.and_then(|()| socket.read_to_string(&mut answer).map(|_| ()));
    answer
}

#[test]
fn a_flood_of_logins_costs_little_memory_and_lets_a_known_device_in() {
    const STRANGERS: usize = 64;
    const LOGINS: usize = 40;
    let folder = tempfile::tempdir().unwrap();
    let recipe = Recipe::new(folder.path());
    std::fs::write(&recipe.pairings, "[White \"Adams\"]\n[Black \"Baker\"]\n\n*\n").unwrap();
    std::fs::create_dir(&recipe.data).unwrap();
    let password = "four words are good";
    let hashed = accounts::Password::choose(password).unwrap().hash([1; accounts::SALT_BYTES]).unwrap();
    let people = accounts::Accounts::open(&recipe.data).unwrap();
    people.add_user(&"anna".parse().unwrap(), accounts::Role::Arbiter, &hashed).unwrap();
    let daemon = recipe.start();
    recipe.wait_until_ready();
    let first = log_in(recipe.address, "", "anna", password);
    assert!(first.starts_with("HTTP/1.1 200 "), "{first}");
    let cookie = first.lines().find_map(|line| line.strip_prefix("set-cookie: boardcast-device=")?.split(';').next());
    let cookie = format!("Cookie: boardcast-device={}\r\n", cookie.expect("no cookie of the device"));
    let before = most_memory_mib(daemon.0.id());
    let address = recipe.address;
    std::thread::scope(|flood| {
        for stranger in 0..STRANGERS {
            flood.spawn(move || {
                for login in 0..LOGINS {
                    log_in(
                        address,
                        "",
                        if login % 2 == 0 { "anna" } else { "nobody" },
                        &format!("guess {stranger} {login}"),
                    );
                    log_in(address, "", &format!("user{stranger}-{login}"), "guess");
                }
            });
        }
        for _ in 0..3 {
            let answer = log_in(address, &cookie, "anna", password);
            assert!(answer.starts_with("HTTP/1.1 200 "), "the known device is held up: {answer}");
        }
    });
    let after = most_memory_mib(daemon.0.id());
    println!("memory at most: {before} MiB before, {after} MiB with {STRANGERS} strangers");
    assert!(after < 150, "{after} MiB");
}
