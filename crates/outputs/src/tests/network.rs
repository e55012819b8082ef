//! Outputs over the network: real threads, servers that misbehave, and the program that sends by FTP.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use publish::bodies::{Bodies, Letters};
use publish::gate::Delay;
use publish::selection::Selection;
use publish::test_hall::Hall;

use super::Driven;
use crate::manager::{Outputs, Start};
use crate::settings::{
    FtpTarget, HttpTarget, Method, Settings, SiteAddress, SitePlace, SiteServer, SiteTarget, Target, WebHookTarget,
};
use crate::{Http, Secret, State, Web};

/// Longer than anything here takes; only a defect waits so long.
const PATIENCE: Duration = Duration::from_mins(1);

/// What was sent to a server: first line, headers and body.
pub(super) type Received = Arc<Mutex<Vec<(String, BTreeMap<String, String>, String)>>>;

/// A server that answers each request with these bytes, or never.
fn server(answer: Option<&'static [u8]>) -> (SocketAddr, Received) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, received) = (listener.local_addr().unwrap(), Received::default());
    let kept = Arc::clone(&received);
    thread::spawn(move || {
        let mut silent = Vec::new();
        for socket in listener.incoming().map_while(Result::ok) {
            let Some(answer) = answer else {
                silent.push(socket);
                continue;
            };
            let kept = Arc::clone(&kept);
            thread::spawn(move || serve(socket, |_| answer, &kept));
        }
    });
    (address, received)
}

/// Answers each request by its first line, until the connection ends.
pub(super) fn serve(socket: TcpStream, answer: impl Fn(&str) -> &'static [u8], received: &Received) {
    let mut reader = BufReader::new(socket);
    loop {
        let (mut first, mut headers) = (String::new(), BTreeMap::new());
        if reader.read_line(&mut first).unwrap_or(0) == 0 {
            return;
        }
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) <= 2 {
                break;
            }
            let (name, value) = line.split_once(':').unwrap();
            headers.insert(name.to_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let body = String::from_utf8(body).unwrap();
        let first = first.trim().to_owned();
        let answer = answer(&first);
        received.lock().unwrap().push((first, headers, body));
        if reader.get_mut().write_all(answer).is_err() {
            return;
        }
    }
}

fn put(name: &str, address: SocketAddr) -> Settings {
    let url = format!("http://{address}/{{section}}/{{round}}.pgn");
    let target = HttpTarget { url, method: Method::Put, token: Some(Secret::Text("key".into())) };
    Settings { name: name.into(), section: None, delay: Delay::NONE, target: Target::Http(target) }
}

/// The PGN of a game as everyone may see it.
fn pgn_of(hall: &Hall, game: &str) -> String {
    let bodies = Bodies::new(hall.public.clone(), hall.clock);
    let body = bodies.get("hall", &Selection::Game(game.into()), Letters::Unicode).unwrap();
    String::from_utf8(body.text().to_vec()).unwrap()
}

fn until(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn servers_that_misbehave_delay_no_other() {
    const TAKEN: &[u8] = b"HTTP/1.1 204 No Content\r\n\r\n";
    const LOOP: &[u8] = b"HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n";
    const PAGE: &[u8] = b"HTTP/1.1 500 Oops\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>";
    const ENDLESS: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n";
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    let (folder, gate) = (tempfile::tempdir().unwrap(), hall.gate.clone());
    let (good, received) = server(Some(TAKEN));
    let (looping, followed) = server(Some(LOOP));
    let no_one = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let outputs = Outputs::start(Start {
        views: Box::new(move |policy| gate.public(policy)),
        hall: hall.clock,
        http: Arc::new(Web::within(Duration::from_millis(300))),
        folder: folder.path().to_owned(),
        configured: vec![
            put("endless", server(Some(ENDLESS)).0),
            put("garbage", server(Some(&[0, 255, 13, 10, 0, 7])).0),
            put("good", good),
            put("hanging", server(None).0),
            put("looping", looping),
            put("closed", no_one),
            put("page", server(Some(PAGE)).0),
        ],
    })
    .unwrap();
    for plies in [0, 1, 1, 1] {
        hall.play("a", plies);
        let shown = pgn_of(&hall, "a");
        until("the good server gets the newest file", || {
            received.lock().unwrap().last().is_some_and(|(first, headers, body)| {
                assert_eq!(
                    (first.as_str(), headers["authorization"].as_str()),
                    ("PUT /hall/1.pgn HTTP/1.1", "Bearer key")
                );
                *body == shown
            })
        });
    }
    let state = |name: &str| outputs.list().into_iter().find(|known| known.settings.name == name).unwrap().status;
    until("the good one is up to date", || state("good").state == State::UpToDate);
    for (name, words) in [
        ("endless", ""),
        ("garbage", ""),
        ("hanging", "no answer in time"),
        ("looping", "redirect"),
        ("closed", "refuses the connection"),
        ("page", "has a fault (status 500)"),
    ] {
        until(name, || state(name).state == State::Retrying);
        let status = state(name);
        let trouble = status.trouble.clone().unwrap().english;
        assert!(trouble.contains(words) && trouble.ends_with('.') && !trouble.contains("<html>"), "{name}: {trouble}");
        assert_eq!((status.sent, status.waiting), (0, 1), "{name}");
    }
    assert!(followed.lock().unwrap().iter().all(|(first, ..)| !first.contains("/again")), "redirects are not followed");
    outputs.stop();
}

#[test]
fn a_web_hook_is_signed_and_a_repetition_has_the_same_id() {
    const TAKEN: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    const BROKEN: &[u8] = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
    for (answer, times) in [(TAKEN, 1), (BROKEN, 2)] {
        let hall = Hall::open(0.0);
        hall.start_game("a", 1, 1, &[("White", "Adler, Ida"), ("Black", "Novák, Ivo")]);
        hall.play("a", 2);
        let (folder, (address, received)) = (tempfile::tempdir().unwrap(), server(Some(answer)));
        let target = WebHookTarget { url: format!("http://{address}/hook"), secret: Secret::Text("key".into()) };
        let http: Arc<dyn Http> = Arc::new(Web::default());
        let mut output = Driven::new(&hall, folder.path(), &http, Delay::NONE, Target::WebHook(target));
        output.pass(1000);
        let received = received.lock().unwrap();
        assert_eq!(received.len(), times);
        let ids: Vec<_> = received.iter().map(|(_, headers, _)| &headers["webhook-id"]).collect();
        assert!(ids.windows(2).all(|pair| pair[0] == pair[1]), "{ids:?}");
        let (first, headers, body) = &received[0];
        assert!(first.starts_with("POST /hook ") && headers["webhook-signature"].starts_with("v1,"));
        let json: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!((&json["type"], &json["round"]), (&"games.changed".into(), &1.into()));
        assert_eq!((&json["games"][0]["black"], &json["games"][0]["plies"]), (&"Novák, Ivo".into(), &2.into()));
        assert!(json["games"][0]["pgn"].as_str().unwrap().contains("1. Nf3"));
    }
}

/// Files of a server by name.
type Files = Arc<Mutex<BTreeMap<String, String>>>;

/// As much of FTP (RFC 959) as a client needs that stores and renames.
fn ftp_server() -> (SocketAddr, Files) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, files) = (listener.local_addr().unwrap(), Files::default());
    let kept = Arc::clone(&files);
    thread::spawn(move || {
        for socket in listener.incoming().map_while(Result::ok) {
            let kept = Arc::clone(&kept);
            thread::spawn(move || ftp_session(socket, &kept));
        }
    });
    (address, files)
}

fn ftp_session(socket: TcpStream, files: &Files) -> Option<()> {
    let mut out = socket.try_clone().ok()?;
    let mut lines = BufReader::new(socket).lines();
    let (mut data, mut from, mut folder) = (None::<TcpListener>, String::new(), String::new());
    out.write_all(b"220 ready\r\n").ok()?;
    while let Some(Ok(line)) = lines.next() {
        let (command, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let answer = match command {
            "USER" => "331 password".to_owned(),
            "PASS" => if rest == "secret" { "230 in" } else { "530 no" }.to_owned(),
            "PWD" => "257 \"/\"".to_owned(),
            "CWD" => {
                folder = if rest == "/" { String::new() } else { format!("{folder}{rest}/") };
                "250 there".to_owned()
            }
            "EPSV" => {
                let listener = TcpListener::bind("127.0.0.1:0").ok()?;
                let port = listener.local_addr().ok()?.port();
                data = Some(listener);
                format!("229 passive (|||{port}|)")
            }
            "TYPE" => "200 ok".to_owned(),
            "STOR" => {
                out.write_all(b"150 go\r\n").ok()?;
                let mut text = String::new();
                data.take()?.accept().ok()?.0.read_to_string(&mut text).ok()?;
                files.lock().unwrap().insert(format!("{folder}{rest}"), text);
                "226 done".to_owned()
            }
            "NLST" => {
                out.write_all(b"150 go\r\n").ok()?;
                drop(data.take()?.accept().ok()?);
                "226 done".to_owned()
            }
            "DELE" => {
                files.lock().unwrap().remove(&format!("{folder}{rest}"));
                "250 gone".to_owned()
            }
            "RNFR" => {
                from = format!("{folder}{rest}");
                "350 to".to_owned()
            }
            "RNTO" => {
                let mut files = files.lock().unwrap();
                let text = files.remove(&from)?;
                files.insert(format!("{folder}{rest}"), text);
                "250 done".to_owned()
            }
            "QUIT" => "221 bye".to_owned(),
            _ => "502 unknown".to_owned(),
        };
        out.write_all(format!("{answer}\r\n").as_bytes()).ok()?;
    }
    Some(())
}

#[test]
fn a_round_goes_out_by_ftp_as_one_file() {
    if std::process::Command::new("curl").arg("--version").output().is_err() {
        println!("skipped: curl is not here");
        return;
    }
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[("White", "Müller, Jürgen")]);
    let (folder, (address, files)) = (tempfile::tempdir().unwrap(), ftp_server());
    let target = |password: &str| {
        Target::Ftp(FtpTarget {
            url: format!("ftp://{address}/games/"),
            file: "round-{round}.pgn".into(),
            user: "hall".into(),
            password: Some(Secret::Text(password.into())),
            key_file: None,
            host_key: None,
        })
    };
    let http: Arc<dyn Http> = Arc::new(Web::default());
    let mut wrong = Driven::new(&hall, folder.path(), &http, Delay::NONE, target("wrong"));
    wrong.step();
    let status = wrong.status();
    assert_eq!(status.state, State::Retrying);
    assert!(!status.trouble.unwrap().english.contains("wrong"), "no password is shown");
    let mut output = Driven::new(&hall, folder.path(), &http, Delay::NONE, target("secret"));
    output.step();
    assert_eq!(output.status().state, State::UpToDate, "{:?}", output.status());
    hall.play("a", 3);
    output.now += 10_000;
    output.step();
    let files = files.lock().unwrap();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["games/round-1.pgn"]);
    assert_eq!(files["games/round-1.pgn"], pgn_of(&hall, "a"));
}

#[test]
fn a_site_goes_out_by_ftp_and_withdrawn_games_leave_it() {
    if std::process::Command::new("curl").arg("--version").output().is_err() {
        println!("skipped: curl is not here");
        return;
    }
    let hall = Hall::open(0.0);
    for table in 1..=9 {
        hall.start_game(&format!("g{table}"), 1, table, &[("White", "Müller, Jürgen")]);
    }
    let (folder, (address, files)) = (tempfile::tempdir().unwrap(), ftp_server());
    let server = SiteServer {
        url: format!("ftp://{address}/www/"),
        user: "hall".into(),
        password: Some(Secret::Text("secret".into())),
        key_file: None,
        host_key: None,
    };
    let target = Target::Site(SiteTarget { to: SitePlace::Ftp(server), language: "en".into() });
    let http: Arc<dyn Http> = Arc::new(Web::default());
    let mut output = Driven::new(&hall, folder.path(), &http, Delay::NONE, target);
    // An attempt that takes long on a busy machine is followed by another one.
    output.pass(60_000);
    assert_eq!(output.status().state, State::UpToDate, "{:?}", output.status());
    let there = || files.lock().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(there().len(), 2 + 4 + 9 * 3 + 1, "{:?}", there());
    assert!(files.lock().unwrap()["www/index.html"].contains("Müller"));
    hall.play("g3", 1);
    hall.record(vec![tournament::Fact::Withdrawn { game: "g5".into(), withdrawn: true }], Vec::new());
    output.now += 10_000;
    output.pass(60_000);
    assert_eq!(output.status().state, State::UpToDate, "{:?}", output.status());
    assert!(files.lock().unwrap()["www/game/g3.html"].contains("Nf3"));
    assert!(!there().iter().any(|path| path.contains("g5") || path.contains(".part")), "{:?}", there());
}

#[test]
fn a_site_is_put_to_a_web_server_below_an_address() {
    const TAKEN: &[u8] = b"HTTP/1.1 204 No Content\r\n\r\n";
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[("White", "Müller, Jürgen")]);
    let (folder, (address, received)) = (tempfile::tempdir().unwrap(), server(Some(TAKEN)));
    let place = SiteAddress { url: format!("http://{address}/dav/chess"), token: Some(Secret::Text("key".into())) };
    let target = Target::Site(SiteTarget { to: SitePlace::Http(place), language: "en".into() });
    let http: Arc<dyn Http> = Arc::new(Web::default());
    let mut output = Driven::new(&hall, folder.path(), &http, Delay::NONE, target);
    output.step();
    assert_eq!(output.status().state, State::UpToDate, "{:?}", output.status());
    hall.record(vec![tournament::Fact::Withdrawn { game: "a".into(), withdrawn: true }], Vec::new());
    output.now += 10_000;
    output.step();
    let received = received.lock().unwrap();
    let (first, headers, _) = &received[0];
    assert_eq!((&**first, &*headers["authorization"]), ("PUT /dav/chess/site.css HTTP/1.1", "Bearer key"));
    assert_eq!(headers["content-type"], "text/css; charset=utf-8");
    let lines: Vec<_> = received.iter().map(|(first, ..)| &**first).collect();
    let last_of_first = lines.iter().position(|line| line.contains("index.html")).unwrap();
    assert_eq!(last_of_first, 2 + 3 + 4, "the first page comes last");
    assert!(lines.contains(&"DELETE /dav/chess/game/a.svg HTTP/1.1"), "{lines:?}");
}
