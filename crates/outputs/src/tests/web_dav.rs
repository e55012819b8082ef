//! Files that are put to a server where a folder must exist before its files, as `WebDAV` demands.

use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use publish::gate::Delay;
use publish::test_hall::Hall;

use super::Driven;
use super::network::{Received, serve};
use crate::output::Order;
use crate::settings::{HttpTarget, Method, SiteAddress, SitePlace, SiteTarget, Target};
use crate::{Http, Secret, State, Web};

const CREATED: &[u8] = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";
const NOT_FOUND: &[u8] = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
const FORBIDDEN: &[u8] = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
const NOT_ALLOWED: &[u8] = b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n";
const CONFLICT: &[u8] = b"HTTP/1.1 409 Conflict\r\nContent-Length: 0\r\n\r\n";
const FAULT: &[u8] = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n";
const UNKNOWN: &[u8] = b"HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\n\r\n";

/// A server with the folder `/dav/` that gives this answer to a file without a folder, and this one to every MKCOL.
fn web_dav(no_folder: &'static [u8], mkcol: Option<&'static [u8]>) -> (SocketAddr, Received) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, received) = (listener.local_addr().unwrap(), Received::default());
    let (kept, folders) = (Arc::clone(&received), Arc::new(Mutex::new(BTreeSet::from(["/dav/".to_owned()]))));
    let answer = move |line: &str| {
        let (method, path) = line.strip_suffix(" HTTP/1.1").and_then(|line| line.split_once(' ')).unwrap();
        let mut folders = folders.lock().unwrap();
        let outer = path.trim_end_matches('/').rfind('/').map(|end| &path[..=end]).unwrap();
        match (method, mkcol) {
            ("PUT" | "POST", _) => return if folders.contains(outer) { CREATED } else { no_folder },
            ("MKCOL", Some(mkcol)) => return mkcol,
            ("MKCOL", None) => {}
            _ => return NOT_ALLOWED,
        }
        match folders.contains(outer) {
            false => CONFLICT,
            true if folders.insert(path.to_owned()) => CREATED,
            true => NOT_ALLOWED,
        }
    };
    thread::spawn(move || {
        for socket in listener.incoming().map_while(Result::ok) {
            let (kept, answer) = (Arc::clone(&kept), answer.clone());
            thread::spawn(move || serve(socket, answer, &kept));
        }
    });
    (address, received)
}

fn site(address: SocketAddr, path: &str) -> Target {
    let place = SiteAddress { url: format!("http://{address}{path}"), token: Some(Secret::Text("key".into())) };
    Target::Site(SiteTarget { to: SitePlace::Http(place), language: "en".into() })
}

/// An output that sends one game, after its first step.
fn driven(target: Target) -> Driven {
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    let (folder, http): (_, Arc<dyn Http>) = (tempfile::tempdir().unwrap(), Arc::new(Web::default()));
    let mut output = Driven::new(&hall, folder.path(), &http, Delay::NONE, target);
    output.step();
    output
}

/// The first lines of the requests, without the version.
fn lines(received: &Received) -> Vec<String> {
    let received = received.lock().unwrap();
    received.iter().map(|(first, ..)| first.trim_end_matches(" HTTP/1.1").to_owned()).collect()
}

#[test]
fn folders_of_a_site_are_created_once() {
    for no_folder in [CONFLICT, NOT_FOUND, FAULT] {
        let (address, received) = web_dav(no_folder, None);
        let output = driven(site(address, "/dav/chess"));
        assert_eq!(output.status().state, State::UpToDate, "{:?}", output.status());
        let lines = lines(&received);
        assert_eq!(lines[..3], ["PUT /dav/chess/site.css", "MKCOL /dav/chess/", "PUT /dav/chess/site.css"]);
        let game = lines.iter().position(|line| line == "MKCOL /dav/chess/game/").unwrap();
        assert_eq!(lines[game - 1], lines[game + 1], "the file is sent again");
        // 10 files, and for each of the two folders a refusal and MKCOL.
        assert_eq!(lines.len(), 10 + 2 * 2, "{lines:?}");
        let received = received.lock().unwrap();
        let (_, headers, body) = &received[1];
        assert_eq!(headers["authorization"], "Bearer key");
        assert!(body.is_empty() && !headers.contains_key("content-type"), "{headers:?}");
    }
}

#[test]
fn outer_folders_of_a_round_are_created_first() {
    let (address, received) = web_dav(CONFLICT, None);
    let url = format!("http://{address}/dav/{{section}}/pgn/{{round}}.pgn");
    let output = driven(Target::Http(HttpTarget { url, method: Method::Put, token: None }));
    assert_eq!(output.status().state, State::UpToDate, "{:?}", output.status());
    assert_eq!(
        lines(&received),
        [
            "PUT /dav/hall/pgn/1.pgn",
            "MKCOL /dav/hall/pgn/",
            "MKCOL /dav/hall/",
            "MKCOL /dav/hall/pgn/",
            "PUT /dav/hall/pgn/1.pgn"
        ]
    );
}

#[test]
fn a_server_that_creates_no_folder_leads_to_the_first_error() {
    for mkcol in [FORBIDDEN, NOT_ALLOWED, UNKNOWN, CONFLICT] {
        for (no_folder, words) in [
            (CONFLICT, "does not take game/a.svg (status 409), probably because its folder is missing: create"),
            (NOT_FOUND, "knows no such address (status 404)"),
            (FAULT, "has a fault (status 500)"),
        ] {
            let (address, received) = web_dav(no_folder, Some(mkcol));
            let output = driven(site(address, "/dav"));
            let (status, lines) = (output.status(), lines(&received));
            assert_eq!(status.state, State::Retrying, "{status:?}");
            let trouble = status.trouble.unwrap().english;
            assert!(trouble.starts_with("The server ") && trouble.contains(words), "{trouble}");
            assert_eq!(
                lines.iter().filter(|line| line.starts_with("MKCOL")).count(),
                if mkcol == CONFLICT { 2 } else { 1 }
            );
            assert!(lines.last().unwrap().starts_with("MKCOL"), "the file is not sent again: {lines:?}");
        }
    }
}

#[test]
fn other_errors_and_post_create_no_folder() {
    for (no_folder, method) in [(FORBIDDEN, Method::Put), (UNKNOWN, Method::Put), (CONFLICT, Method::Post)] {
        let (address, received) = web_dav(no_folder, None);
        let url = format!("http://{address}/dav/{{section}}/{{round}}.pgn");
        let output = driven(Target::Http(HttpTarget { url, method, token: None }));
        assert_eq!(output.status().state, State::Retrying);
        assert_eq!(lines(&received).len(), 1);
    }
}

/// A server that takes files, and removes them once the switch is on.
fn removes_later() -> (SocketAddr, Received, Arc<AtomicBool>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, received) = (listener.local_addr().unwrap(), Received::default());
    let (kept, works) = (Arc::clone(&received), Arc::new(AtomicBool::new(false)));
    let removes = Arc::clone(&works);
    thread::spawn(move || {
        for socket in listener.incoming().map_while(Result::ok) {
            let (kept, removes) = (Arc::clone(&kept), Arc::clone(&removes));
            let fails = move |line: &str| line.starts_with("DELETE") && !removes.load(Ordering::Relaxed);
            thread::spawn(move || serve(socket, |line| if fails(line) { FAULT } else { CREATED }, &kept));
        }
    });
    (address, received, works)
}

#[test]
fn files_that_could_not_be_removed_are_removed_later() {
    let (address, received, works) = removes_later();
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    hall.start_game("b", 1, 2, &[("White", "Bauer, Leo")]);
    let (folder, http): (_, Arc<dyn Http>) = (tempfile::tempdir().unwrap(), Arc::new(Web::default()));
    let mut output = Driven::new(&hall, folder.path(), &http, Delay::NONE, site(address, "/dav"));
    output.pass(10_000);
    let removals = || lines(&received).into_iter().filter(|line| line.starts_with("DELETE")).count();
    let withdraw = |withdrawn| {
        hall.record(vec![tournament::Fact::Withdrawn { game: "b".into(), withdrawn }], Vec::new());
    };
    withdraw(true);
    output.pass(10_000);
    assert_eq!(removals(), 1, "a server that fails for one file is not asked for the others");
    let status = output.status();
    assert_eq!(status.state, State::UpToDate, "files that are left hold up nothing: {status:?}");
    assert_eq!(status.warnings[0].code, "output_files_left");
    // A game that is shown again has nothing to remove.
    withdraw(false);
    output.pass(120_000);
    assert_eq!((removals(), output.status().warnings.len()), (1, 0), "{:?}", output.status());
    withdraw(true);
    output.pass(10_000);
    assert_eq!((removals(), output.status().warnings.len()), (2, 1));
    works.store(true, Ordering::Relaxed);
    output.pass(120_000);
    assert_eq!((removals(), output.status().warnings.len()), (2 + 3, 0), "{:?}", output.status());
    output.pass(600_000);
    assert_eq!(removals(), 2 + 3);
}

#[test]
fn files_that_could_not_be_removed_are_known_after_a_restart() {
    let (address, received, works) = removes_later();
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    hall.start_game("b", 1, 2, &[("White", "Bauer, Leo")]);
    let (folder, http): (_, Arc<dyn Http>) = (tempfile::tempdir().unwrap(), Arc::new(Web::default()));
    let start = || Driven::new(&hall, folder.path(), &http, Delay::NONE, site(address, "/dav"));
    start().pass(10_000);
    hall.record(vec![tournament::Fact::Withdrawn { game: "b".into(), withdrawn: true }], Vec::new());
    start().pass(10_000);
    let mut output = start();
    output.pass(10_000);
    assert_eq!(output.status().warnings[0].code, "output_files_left", "{:?}", output.status());
    works.store(true, Ordering::Relaxed);
    output.pass(120_000);
    assert!(output.status().warnings.is_empty(), "{:?}", output.status());
    for file in ["html", "pgn", "svg"] {
        assert!(lines(&received).contains(&format!("DELETE /dav/game/b.{file}")), "{file}");
    }
}

#[test]
fn a_file_that_waits_for_its_removal_is_removed_also_when_all_is_sent_again() {
    let (address, received, works) = removes_later();
    works.store(true, Ordering::Relaxed);
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    hall.start_game("b", 1, 2, &[("White", "Bauer, Leo")]);
    let (folder, http): (_, Arc<dyn Http>) = (tempfile::tempdir().unwrap(), Arc::new(Web::default()));
    let mut output = Driven::new(&hall, folder.path(), &http, Delay::NONE, site(address, "/dav"));
    output.pass(10_000);
    output.output.order(Order::Pause("Anna".into()));
    hall.record(vec![tournament::Fact::Withdrawn { game: "b".into(), withdrawn: true }], Vec::new());
    output.output.order(Order::SendAgain(None));
    output.output.order(Order::Resume);
    output.pass(10_000);
    assert!(lines(&received).contains(&"DELETE /dav/game/b.pgn".to_owned()), "{:?}", lines(&received));
}
