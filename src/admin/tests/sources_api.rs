//! Sources over the API: games of other recorders join a round, and never replace what is recorded here.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Mutex;
use std::time::Duration;

use super::*;

const HEAD: &str = "[Event \"Hall B\"]\n[Round \"1.2\"]\n[White \"Anand V\"]\n[Black \"Short, N\"]\n[Result \"*\"]\n\n";

fn post_source(name: &str) -> Value {
    json!({ "name": name, "from": "post" })
}

impl Site {
    async fn send_pgn(&self, visitor: &Visitor, name: &str, pgn: &str) -> Answer {
        let path = format!("/sources/{name}/games");
        self.send(visitor, Method::POST, &path, Some("application/x-chess-pgn"), pgn.to_owned().into()).await
    }

    /// A round whose source of the kind «post» is there; an administrator, and a program with a key for it.
    async fn with_source() -> (Self, Visitor, Visitor) {
        let (site, operator) = Self::with_round().await;
        let administrator = site.log_in(Role::Administrator).await;
        site.post(&operator, "/sources", post_source("hall-b")).await.problem(403);
        assert_eq!(site.post(&administrator, "/sources", post_source("hall-b")).await.status, 201);
        let key = json!({ "holder": "hall b", "opens": { "scopes": ["feed"] }, "hours": 5 });
        let key = site.post(&operator, "/keys", key).await.json()["key"].as_str().unwrap().to_owned();
        (site, administrator, Visitor::key(&key))
    }

    async fn second_game(&self, visitor: &Visitor) -> Value {
        self.get(visitor, "/sections/open-a/rounds/1").await.json()["round"]["games"][1].clone()
    }
}

#[tokio::test]
async fn games_that_a_program_sends_are_recorded_with_their_source() {
    let (site, administrator, program) = Site::with_source().await;
    site.get(&program, "/hall").await.problem(403);
    // The kind without settings, written like the others.
    let like_others = json!({ "name": "hall-d", "from": { "post": {} } });
    assert_eq!(site.post(&administrator, "/sources", like_others).await.status, 201);
    assert_eq!(site.ask(&administrator, Method::DELETE, "/sources/hall-d", None).await.status, 204);
    let sent = site.send_pgn(&program, "hall-b", &format!("{HEAD}1. e4 {{[%clk 1:30:00]}} e5 *\n")).await;
    assert_eq!(sent.status, 200, "{}", sent.body);
    let line = &sent.json()[0];
    assert_eq!((&line["plies"], &line["note"]), (&json!(2), &Value::Null), "{line}");
    let game = site.second_game(&administrator).await;
    assert_eq!((&game["id"], &game["source"]), (&line["game"], &json!("hall-b")), "{game}");
    assert_eq!(game["state"], "playing");

    // More moves and the result; the same text again changes nothing.
    let over = format!("{}1. e4 e5 2. Nf3 Nc6 1-0\n", HEAD.replace("\"*\"", "\"1-0\""));
    for _ in 0..2 {
        assert_eq!(site.send_pgn(&program, "hall-b", &over).await.json()[0]["note"], Value::Null);
    }
    let game = site.second_game(&administrator).await;
    assert_eq!(game["state"], "finished", "{game}");
    // A feed that stumbles takes nothing back, and another result is left to a person.
    let shorter = site.send_pgn(&program, "hall-b", &format!("{HEAD}1. e4 *\n")).await;
    assert_eq!(shorter.json()[0]["note"]["code"], "source_game_fewer_moves", "{}", shorter.body);
    let other = over.replace("1-0", "0-1");
    let told = site.send_pgn(&program, "hall-b", &other).await;
    let note = &told.json()[0]["note"];
    assert_eq!(note["text"], "The source says 0-1, the record has 1-0: enter the right result.");
    assert_eq!((&note["code"], &note["params"]["said"]), (&json!("source_game_other_result"), &json!("0-1")));

    let state = site.get(&administrator, "/sources").await.json();
    assert_eq!((&state[0]["state"], &state[0]["added_by"]), (&json!("working"), &json!("administrator")), "{state}");
    let history = site.get(&administrator, "/history").await.json();
    assert!(history.to_string().contains("source hall-b added"), "{history}");
}

#[tokio::test]
async fn a_source_without_a_start_position_joins_a_round_of_chess960_only_where_all_moves_fit() {
    let (site, administrator, program) = Site::with_source().await;
    let start = json!({ "order": "set_start", "section": "open-a", "round": 1, "start": { "chess960": 0 } });
    assert_eq!(site.post(&administrator, "/orders", start).await.status, 200);
    // The pieces stand as BBQNNRKR: both knights can go there, and no bishop to c4.
    let sent = site.send_pgn(&program, "hall-b", &format!("{HEAD}1. Nd3 e5 2. Ne3 *\n")).await.json();
    assert_eq!((&sent[0]["plies"], &sent[0]["note"]), (&json!(3), &Value::Null), "{sent}");
    let game = site.second_game(&administrator).await;
    assert_eq!((&game["state"], &game["source"]), (&json!("playing"), &json!("hall-b")), "{game}");
    let told = site.send_pgn(&program, "hall-b", &format!("{HEAD}1. e4 e5 2. Bc4 *\n")).await.problem(422);
    assert!(told.contains("begins from another position"), "{told}");
}

#[tokio::test]
async fn a_source_that_has_all_moves_in_between_never_lasts_with_fewer() {
    let (site, _, program) = Site::with_source().await;
    let (all, fewer) = (format!("{HEAD}1. e4 e5 2. Nf3 *\n"), format!("{HEAD}1. e4 *\n"));
    site.send_pgn(&program, "hall-b", &all).await;
    // Sends a text more than a minute later.
    let later = async |text: &str| {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(61)).await;
        tokio::time::resume();
        site.send_pgn(&program, "hall-b", text).await.json()[0]["note"]["code"].clone()
    };
    for _ in 0..3 {
        assert_eq!(later(&fewer).await, "source_game_fewer_moves");
        assert_eq!(later(&all).await, Value::Null);
    }
    // Fewer moves that last are believed.
    assert_eq!(later(&fewer).await, "source_game_fewer_moves");
    assert_eq!(later(&fewer).await, Value::Null);
}

#[tokio::test]
async fn a_game_that_cannot_be_read_is_named_and_stays_as_it_was() {
    let (site, _, program) = Site::with_source().await;
    let other = "[Event \"Hall B\"]\n[Round \"1.1\"]\n[White \"Muller Jorg\"]\n[Black \"Novak, Ivo\"]\n\n1. d4 d5 *\n";
    site.send_pgn(&program, "hall-b", &format!("{HEAD}1. e4 e5 *\n\n{other}")).await;
    let stranger = HEAD.replace("Anand V", "?").replace("Short, N", "?");
    for (head, is_found) in [(HEAD, true), (&*stranger, false)] {
        let told = site.send_pgn(&program, "hall-b", &format!("{head}1. e4 e5 2. Nf3 {{[%clk\n\n{other}")).await.json();
        let (broken, whole) = (&told[0], &told[1]);
        assert_eq!(broken["note"]["code"], "source_game_not_readable", "{told}");
        assert_eq!(broken["game"].is_string(), is_found, "{told}");
        assert_eq!((&whole["plies"], &whole["note"]), (&json!(2), &Value::Null), "{told}");
    }
    // The record still has both plies.
    let shorter = site.send_pgn(&program, "hall-b", &format!("{HEAD}1. e4 *\n")).await;
    assert_eq!(shorter.json()[0]["note"]["code"], "source_game_fewer_moves", "{}", shorter.body);
}

#[tokio::test]
async fn what_is_recorded_here_stays_as_it_is() {
    let (site, administrator, program) = Site::with_source().await;
    let game = site.first_game(&administrator).await;
    let entered = json!({ "order": "edit_moves", "game": game, "edit": { "edit": "set", "after": 0, "moves": [{ "san": "d4" }] } });
    let answer = site.post(&administrator, "/orders", entered).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let text = "[Round \"1.1\"]\n[White \"Muller Jorg\"]\n[Black \"Novak, Ivo\"]\n\n1. e4 e5 1-0\n";
    let told = site.send_pgn(&program, "hall-b", text).await;
    assert_eq!(told.json()[0]["note"]["code"], "recorded_here", "{}", told.body);
    let round = site.get(&administrator, "/sections/open-a/rounds/1").await.json();
    assert_eq!(round["round"]["games"][0]["result"], Value::Null);
    // Another source does not take over a game either.
    assert_eq!(site.post(&administrator, "/sources", post_source("hall-c")).await.status, 201);
    site.send_pgn(&program, "hall-b", &format!("{HEAD}1. e4 *\n")).await;
    let told = site.send_pgn(&program, "hall-c", &format!("{HEAD}1. d4 *\n")).await;
    assert_eq!(told.json()[0]["note"]["code"], "other_source", "{}", told.body);
}

#[tokio::test]
async fn rubbish_is_refused_and_everything_stays() {
    let (site, administrator, program) = Site::with_source().await;
    site.send_pgn(&program, "hall-b", &format!("{HEAD}1. e4 *\n")).await;
    for (wrong, words) in [
        ("<html><body>Gateway timeout</body></html>".to_owned(), "web page"),
        ("\u{0}\u{1}\u{2}".to_owned(), "No game"),
        ("[Event \"x\"]\n\n1. e4 e5 *\n\n".repeat(600), "more than 512 games"),
    ] {
        let told = site.send_pgn(&program, "hall-b", &wrong).await.problem(422);
        assert!(told.contains(words), "{told}");
    }
    let told = site.send_pgn(&program, "hall-b", &"x".repeat(5_000_000)).await.problem(413);
    assert!(told.contains("too large"), "{told}");
    site.send_pgn(&program, "none", "").await.problem(404);
    site.send_pgn(&Visitor::default(), "hall-b", HEAD).await.problem(401);
    assert_eq!(site.second_game(&administrator).await["state"], "playing");
    for (wrong, words) in [
        (json!({ "name": "A b", "from": "post" }), "no name for a source"),
        (json!({ "name": "a", "from": { "url": { "url": "file:///etc/passwd" } } }), "no web address"),
        (json!({ "name": "a", "from": { "url": { "url": "http://x/", "every_s": 0 } } }), "every 2 to 600 seconds"),
        (json!({ "name": "a", "from": { "folder": { "path": "games" } } }), "no full path"),
        (json!({ "name": "a", "first_board": 0, "from": "post" }), "count from 1"),
    ] {
        let told = site.post(&administrator, "/sources", wrong.clone()).await.problem(422);
        assert!(told.contains(words), "{wrong}: {told}");
    }
    let position = json!({ "fen": "8/8", "white_s": 1 });
    let told = site.post(&program, "/sources/hall-b/boards/1", position).await.problem(422);
    assert!(told.contains("times of both sides"), "{told}");
}

/// A web server that gives one answer after the other, the last one for ever; what it was asked.
fn server(answers: Vec<Vec<u8>>) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, asked) = (listener.local_addr().unwrap(), Arc::<Mutex<Vec<String>>>::default());
    let kept = Arc::clone(&asked);
    std::thread::spawn(move || {
        for (number, socket) in listener.incoming().enumerate() {
            let Ok(mut socket) = socket else { return };
            let mut head = vec![0; 4096];
            let length = socket.read(&mut head).unwrap_or(0);
            kept.lock().unwrap().push(String::from_utf8_lossy(&head[..length]).to_lowercase());
            let _ = socket.write_all(&answers[number.min(answers.len() - 1)]);
        }
    });
    (format!("http://{address}/round.pgn"), asked)
}

fn answer(status: &str, more: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n{more}\r\n{body}", body.len()).into_bytes()
}

async fn until(site: &Site, visitor: &Visitor, what: &str, is: impl Fn(&Value) -> bool) {
    let began = std::time::Instant::now();
    loop {
        let sources = site.get(visitor, "/sources").await.json();
        if is(&sources[0]) {
            return;
        }
        assert!(began.elapsed() < std::time::Duration::from_mins(2), "{what}: {sources}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn an_address_is_polled_with_conditions_and_its_failures_are_named() {
    let (site, _) = Site::with_round().await;
    let administrator = site.log_in(Role::Administrator).await;
    let game = format!("{HEAD}1. e4 *\n");
    let (url, asked) = server(vec![
        answer("500 Oops", "", "<html>"),
        answer("200 OK", "ETag: \"one\"\r\n", &game),
        answer("304 Not Modified", "ETag: \"one\"\r\n", ""),
        answer("302 Found", "Location: /elsewhere\r\n", ""),
    ]);
    let source = json!({ "name": "far", "from": { "url": { "url": url, "every_s": 2, "token": "very-secret" } } });
    assert_eq!(site.post(&administrator, "/sources", source).await.status, 201);
    until(&site, &administrator, "the error of the server", |source| {
        source["trouble"].to_string().contains("has an error")
    })
    .await;
    until(&site, &administrator, "the game", |source| source["games"][0]["plies"] == 1 && source["state"] == "working")
        .await;
    assert_eq!(site.second_game(&administrator).await["source"], "far");
    until(&site, &administrator, "the redirect", |source| {
        source["trouble"].to_string().contains("leads to another one")
    })
    .await;
    let asked = asked.lock().unwrap().clone();
    assert!(asked[1].contains("authorization: bearer very-secret"), "{}", asked[1]);
    assert!(!asked[1].contains("if-none-match") && asked[2].contains("if-none-match: \"one\""), "{}", asked[2]);
    assert_eq!(site.second_game(&administrator).await["state"], "playing", "nothing is lost");
    assert!(!site.get(&administrator, "/sources").await.body.contains("very-secret"));
}

#[tokio::test]
async fn a_folder_that_vanishes_and_comes_back_loses_nothing() {
    let (site, _) = Site::with_round().await;
    let administrator = site.log_in(Role::Administrator).await;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("games");
    let source = json!({ "name": "folder", "from": { "folder": { "path": folder } } });
    assert_eq!(site.post(&administrator, "/sources", source.clone()).await.status, 201);
    until(&site, &administrator, "the missing folder", |source| {
        source["trouble"].to_string().contains("cannot be read")
    })
    .await;
    std::fs::create_dir_all(folder.join("round-1")).unwrap();
    std::fs::write(folder.join("round-1/game-2.pgn"), format!("{HEAD}1. e4 *\n")).unwrap();
    let preview = site.post(&administrator, "/sources/preview", source).await;
    assert_eq!(preview.json()[0]["game"], site.second_game(&administrator).await["id"], "{}", preview.body);
    until(&site, &administrator, "the game", |source| source["games"][0]["plies"] == 1).await;
    std::fs::remove_dir_all(&folder).unwrap();
    until(&site, &administrator, "the folder that is gone", |source| source["state"] == "retrying").await;
    assert_eq!(site.second_game(&administrator).await["state"], "playing");
    assert_eq!(site.ask(&administrator, Method::DELETE, "/sources/folder", None).await.status, 204);
    assert_eq!(site.get(&administrator, "/sources").await.json(), json!([]));
}

#[tokio::test]
async fn a_change_keeps_what_it_leaves_out_and_another_server_gets_no_token() {
    let (site, _) = Site::with_round().await;
    let administrator = site.log_in(Role::Administrator).await;
    let game = format!("{HEAD}1. e4 *\n");
    let (url, asked) = server(vec![answer("200 OK", "", &game)]);
    let path = json!({ "name": "far", "from": { "url": { "url": url, "token": "very-secret" } } });
    assert_eq!(site.post(&administrator, "/sources", path).await.status, 201);
    let line = site.get(&administrator, "/sources").await.json()[0].clone();
    assert_eq!((&line["every_s"], &line["has_token"]), (&json!(10), &json!(true)), "{line}");

    let change = json!({ "name": "far", "first_board": 1, "from": { "url": { "every_s": 2 } } });
    let preview = site.post(&administrator, "/sources/preview", change.clone()).await;
    assert_eq!(preview.json()[0]["plies"], 1, "{}", preview.body);
    assert_eq!(site.ask(&administrator, Method::PUT, "/sources/far", Some(change)).await.status, 204);
    until(&site, &administrator, "the same address", |source| source["game_count"] == 1 && source["every_s"] == 2)
        .await;
    assert!(asked.lock().unwrap().iter().all(|asked| asked.contains("bearer very-secret")));

    let (other, asked) = server(vec![answer("200 OK", "", &game)]);
    let moved = json!({ "name": "far", "from": { "url": { "url": other } } });
    assert_eq!(site.post(&administrator, "/sources/preview", moved.clone()).await.status, 200);
    assert_eq!(site.ask(&administrator, Method::PUT, "/sources/far", Some(moved)).await.status, 204);
    until(&site, &administrator, "the other address", |source| {
        source["game_count"] == 1 && source["has_token"] == false
    })
    .await;
    assert!(asked.lock().unwrap().iter().all(|asked| !asked.contains("authorization")), "{asked:?}");
    // A new source has no address to keep.
    let none = json!({ "name": "none", "from": { "url": {} } });
    assert!(site.post(&administrator, "/sources", none).await.problem(422).contains("no web address"));
}

#[tokio::test]
async fn a_list_that_cannot_be_written_leaves_the_sources_as_they_are() {
    let (site, administrator, _) = Site::with_source().await;
    let file = site.folder.path().join("sources.json");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let remove = || site.ask(&administrator, Method::DELETE, "/sources/hall-b", None);
    remove().await.problem(503);
    site.post(&administrator, "/sources", post_source("hall-c")).await.problem(503);
    let listed = site.get(&administrator, "/sources").await.json();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["name"]), (1, &json!("hall-b")), "{listed}");

    std::fs::remove_dir(&file).unwrap();
    assert_eq!(remove().await.status, 204);
    assert_eq!(site.get(&administrator, "/sources").await.json(), json!([]));
}
