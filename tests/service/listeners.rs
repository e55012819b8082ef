//! Several listeners, each with what it serves; proxies, who are believed or not; rates.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::daemon::{PATIENCE, Process, free_address, get, wait_for};
use crate::wire::{Answer, exchange, request, send};

/// A daemon with these settings.
fn serving(folder: &Path, settings: &str) -> (SocketAddr, Process) {
    let (address, file) = (free_address(), folder.join("hall.toml"));
    std::fs::write(&file, format!("listen = \"{address}\"\ndata = \"data\"\n{settings}")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardcast"));
    let log = std::fs::File::create(folder.join("log")).unwrap();
    command.args(["run", "--config"]).arg(&file).stdout(Stdio::null()).stderr(log).env("RUST_LOG", "warn");
    let daemon = Process(command.spawn().unwrap());
    wait_for("the daemon answers", || get(address, "/health"));
    (address, daemon)
}

fn hall(lines: &[&str]) -> String {
    request("GET", "/api/v1/admin/hall", lines, "")
}

#[test]
fn each_listener_serves_what_it_is_for() {
    let folder = tempfile::tempdir().unwrap();
    let (public, admin, socket) = (free_address(), free_address(), folder.path().join("pages.sock"));
    // Of a daemon that was killed.
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let settings = format!(
        "[[listener]]\naddress = \"{public}\"\nserves = \"public\"\n\
         [[listener]]\naddress = \"{admin}\"\nserves = \"admin\"\n\
         [[listener]]\naddress = \"unix:{}\"\nmode = \"0600\"\n",
        socket.display()
    );
    let (all, daemon) = serving(folder.path(), &settings);
    let over_unix = |request: &str| {
        let connection = UnixStream::connect(&socket).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        exchange(connection, request.as_bytes()).unwrap()
    };
    for (path, in_public, in_admin, in_all) in [
        ("/health", 200, 200, 200),
        ("/live.pgn", 200, 404, 200),
        ("/api/v1/sections", 200, 404, 200),
        ("/api/v1/openapi.json", 200, 200, 200),
        ("/api/v1/admin/hall", 404, 401, 401),
        ("/api/v1/admin/../admin/hall", 404, 404, 404),
        ("/arbiter/0123456789012345678901234567890123456789012/live.pgn", 404, 403, 403),
        ("/metrics", 404, 200, 200),
    ] {
        let asked = request("GET", path, &[], "");
        let status = |answer: Option<Answer>| answer.unwrap().status;
        let found = [send(public, &asked), send(admin, &asked), send(all, &asked), Some(over_unix(&asked))].map(status);
        assert_eq!(found, [in_public, in_admin, in_all, in_all], "{path}");
    }
    let to_dashboard = send(admin, &request("GET", "/", &[], "")).unwrap();
    assert_eq!((to_dashboard.status, to_dashboard.header("location")), (307, "/admin"));
    let login = request("POST", "/api/v1/admin/session", &[], r#"{"name":"anna","password":"x"}"#);
    assert_eq!(send(public, &login).unwrap().status, 405, "nothing is written at public addresses");
    assert_eq!(send(admin, &login).unwrap().status, 401);
    assert_eq!(socket.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    // The file of the socket goes with the daemon that is told to end.
    Command::new("kill").arg(daemon.0.id().to_string()).status().unwrap();
    wait_for("the socket is removed", || (!socket.exists()).then_some(()));
}

#[test]
fn only_a_proxy_that_is_listed_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("pages.sock");
    let settings = format!(
        "trusted_proxies = [\"unix\"]\n[limits]\nlogins_per_minute = 3\n[[listener]]\naddress = \"unix:{}\"\n",
        socket.display()
    );
    let (address, _daemon) = serving(folder.path(), &settings);
    let proxied = |request: &str| {
        let connection = UnixStream::connect(&socket).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        exchange(connection, request.as_bytes()).unwrap()
    };
    // Believed: over TLS a login is asked for, without TLS the address is not served.
    for (lines, expected) in [
        (&["Host: games.example.org", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https"][..], 401),
        (&["Host: games.example.org", "Forwarded: for=192.0.2.1;proto=https"], 401),
        (&["Host: localhost", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: http"], 403),
        (&["Host: localhost", "X-Forwarded-For: 127.0.0.1"], 403),
        (&["Host: localhost", "Forwarded: for=127.0.0.1;proto=https", "X-Forwarded-For: 192.0.2.1"], 403),
        (&["Host: localhost"], 401),
    ] {
        assert_eq!(proxied(&hall(lines)).status, expected, "{lines:?}");
        // From anyone else they are text that voids «this machine».
        let expected = if lines.len() == 1 { 401 } else { 403 };
        assert_eq!(send(address, &hall(lines)).unwrap().status, expected, "{lines:?}");
    }
    // The client counts for the limits, not the proxy, and stands in the log.
    let login = |client: &str| {
        let lines = ["Host: hall", &format!("X-Forwarded-For: 192.0.2.66, {client}"), "X-Forwarded-Proto: https"];
        proxied(&request("POST", "/api/v1/admin/session", &lines, &format!(r#"{{"name":"{client}","password":"x"}}"#)))
    };
    let statuses: Vec<_> = (0..4).map(|_| login("198.51.100.1").status).collect();
    assert_eq!(statuses, [401, 401, 401, 429]);
    assert_eq!(login("198.51.100.2").status, 401, "another client is not held up");
    let refused = login("198.51.100.1");
    let wait: u32 = refused.header("retry-after").parse().unwrap();
    assert!((1..=20).contains(&wait) && refused.body.contains("Too many attempts"), "{refused:?}");
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(log.contains("198.51.100.1") && !log.contains("192.0.2.66"), "{log}");
}

#[test]
fn changes_of_one_account_have_a_rate() {
    let folder = tempfile::tempdir().unwrap();
    let (address, _daemon) = serving(folder.path(), "[limits]\nwrites_per_minute = 5\n");
    let link = wait_for("the first link", || {
        let text = std::fs::read_to_string(folder.path().join("data/first-login.txt")).ok()?;
        Some(text.split('#').nth(1)?.split_whitespace().next()?.to_owned())
    });
    let body = format!(r#"{{"token":"{link}","name":"Anna","password":"four words are good"}}"#);
    let made = send(address, &request("POST", "/api/v1/admin/first-administrator", &[], &body)).unwrap();
    assert_eq!(made.status, 200, "{made:?}");
    let cookie = format!("Cookie: {}", made.header("set-cookie").split(';').next().unwrap());
    let token = made.body.split("\"csrf_token\":\"").nth(1).unwrap().split('"').next().unwrap();
    let token = format!("X-CSRF-Token: {token}");
    let change = request("POST", "/api/v1/admin/orders/preview", &[&cookie, &token], r#"{"order":"undo"}"#);
    let statuses: Vec<_> = (0..7).map(|_| send(address, &change).unwrap()).collect();
    assert!(statuses[..5].iter().all(|answer| answer.status != 429), "{statuses:?}");
    assert!(statuses[5..].iter().all(|answer| answer.status == 429), "{statuses:?}");
    assert_eq!(statuses[6].header("retry-after"), "12");
    let read = send(address, &hall(&[&cookie])).unwrap();
    assert_eq!(read.status, 200, "reading goes on");
    // A page of another port has the cookie and not the token.
    let forged =
        request("POST", "/api/v1/admin/orders", &[&cookie, "Origin: http://localhost:3000"], r#"{"order":"undo"}"#);
    assert_eq!(send(address, &forged).unwrap().status, 403);
    let upgrade = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];
    for (origin, expected) in [("http://evil.example", 403), ("http://localhost:3000", 403), ("null", 403)] {
        let origin_line = format!("Origin: {origin}");
        let lines = [&[cookie.as_str(), &origin_line][..], &upgrade].concat();
        let asked =
            request("GET", "/api/v1/admin/live", &lines, "").replace("Connection: close", "Connection: Upgrade");
        assert_eq!(send(address, &asked).unwrap().status, expected, "{origin}");
    }
}

#[test]
fn settings_that_cannot_work_are_refused_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let said = |settings: &str| {
        let file = folder.path().join("wrong.toml");
        std::fs::write(&file, settings).unwrap();
        let run = Command::new(env!("CARGO_BIN_EXE_boardcast")).args(["run", "--config"]).arg(&file).output().unwrap();
        assert_eq!(run.status.code(), Some(1), "{settings}");
        String::from_utf8_lossy(&run.stderr).into_owned()
    };
    for (settings, sentence) in [
        ("trusted_proxies = [\"proxy\"]", "line 1: «proxy» is no proxy: write an address"),
        ("\n[[listener]]\naddress = \"80\"", "line 3: «80» is no address of a listener"),
        ("\n[[listener]]\naddress = \"unix:/run/x\"\ntls = true", "which has no TLS: remove tls"),
        ("[limits]\nconnections = 9\nhead_bytes = 5", "line 3: 5 is not allowed here: write 8192 to 1048576"),
        ("[limits]\nspeed = 5", "line 2: there is no setting «speed» here"),
    ] {
        let said = said(settings);
        assert!(said.contains(sentence), "{settings}: {said}");
    }
    // A socket in a folder that is not there, and a file that is none.
    std::fs::write(folder.path().join("file"), "precious").unwrap();
    for (name, sentence) in [("nowhere/x.sock", "its folder must exist"), ("file", "is another file: remove it")] {
        let listener = format!("[[listener]]\naddress = \"unix:{}\"", folder.path().join(name).display());
        let said = said(&format!("listen = \"{}\"\ndata = \"data\"\n{listener}", free_address()));
        assert!(said.contains(sentence), "{said}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "precious");
}
