//! An organiser's days from outside: the program and its addresses, nothing of its inside.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use board_sim::{Games, Hall, HallOptions, Link};
use notation::pgn::read_games;
use serde_json::{Value, json};

use crate::daemon::PATIENCE;

/// Hall seconds a second; the daemon lives at the speed of life.
const SPEED: f64 = 3.0;
const BOARDS: usize = 4;
const PASSWORD: &str = "four words are good";

/// The organiser's computer: a folder, the daemon, and the account.
struct Desk {
    folder: PathBuf,
    address: SocketAddr,
    daemon: Option<Child>,
    cookie: String,
    token: String,
}

impl Drop for Desk {
    fn drop(&mut self) {
        if let Some(mut daemon) = self.daemon.take() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

impl Desk {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardcast"));
        command.current_dir(&self.folder).args(arguments).env("RUST_LOG", "error");
        command
    }

    fn done(&self, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    }

    fn start(&mut self) {
        let listen = self.address.to_string();
        let mut run = self.command(&["run", "--data", "data", "--port", "ports/*", "--listen", &listen]);
        self.daemon = Some(run.stdout(Stdio::null()).spawn().unwrap());
        self.until("the daemon answers", |desk| {
            desk.request("GET", "/health", None).is_some_and(|(code, _)| code == 200)
        });
    }

    /// As a service manager ends it.
    fn stop(&mut self) {
        let mut daemon = self.daemon.take().unwrap();
        assert!(Command::new("kill").args(["-TERM", &daemon.id().to_string()]).status().unwrap().success());
        assert!(daemon.wait().unwrap().success());
    }

    /// Makes the account and logs in.
    fn log_in(&mut self) {
        let mut add = self.command(&["user", "add", "Ada", "--role", "administrator", "--data", "data"]);
        let mut add = add.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        add.stdin.take().unwrap().write_all(PASSWORD.as_bytes()).unwrap();
        assert!(add.wait().unwrap().success());
        let answer =
            self.raw("POST", "/api/v1/admin/session", Some(&json!({"name": "Ada", "password": PASSWORD}))).unwrap();
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        cookie.split(';').next().unwrap().clone_into(&mut self.cookie);
        let body: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        body["csrf_token"].as_str().unwrap().clone_into(&mut self.token);
    }

    fn raw(&self, method: &str, path: &str, body: Option<&Value>) -> Option<String> {
        let mut socket = TcpStream::connect(self.address).ok()?;
        socket.set_read_timeout(Some(PATIENCE)).ok()?;
        let body = body.map(Value::to_string).unwrap_or_default();
        write!(
            socket,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Cookie: {}\r\nX-CSRF-Token: {}\r\nContent-Length: {}\r\n\r\n{body}",
            self.cookie,
            self.token,
            body.len()
        )
        .ok()?;
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).ok()?;
        String::from_utf8(answer).ok()
    }

    fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Option<(u16, String)> {
        let answer = self.raw(method, path, body)?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
    }

    fn get(&self, path: &str) -> Value {
        let (code, body) = self.request("GET", &format!("/api/v1/admin/{path}"), None).unwrap();
        assert_eq!(code, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    fn text(&self, path: &str) -> String {
        let (code, body) = self.request("GET", path, None).unwrap();
        assert_eq!(code, 200, "{path}: {body}");
        body
    }

    fn order(&self, order: &Value) -> Value {
        let (code, body) = self.request("POST", "/api/v1/admin/orders", Some(order)).unwrap();
        assert_eq!(code, 200, "{order}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    fn until(&self, fact: &str, holds: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds(self) {
            assert!(Instant::now() < deadline, "this never came true: {fact}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until these boards are connected, whether they have a table or not.
    fn until_connected(&self, count: usize) {
        self.until(&format!("{count} boards are connected"), |desk| {
            let boards = desk.get("boards");
            boards.as_array().unwrap().iter().filter(|board| board["connected"] == true).count() == count
        });
    }

    /// The moves of a game as the public reads them.
    fn moves(&self, game: &str) -> Vec<String> {
        let Some((200, text)) = self.request("GET", &format!("/pgn/game/{game}.pgn"), None) else { return Vec::new() };
        let game = read_games(&text).next().unwrap().unwrap();
        game.line().map(|ply| ply.san.to_string()).collect()
    }

    fn result(&self, game: &str) -> String {
        let text = self.text(&format!("/pgn/game/{game}.pgn"));
        read_games(&text).next().unwrap().unwrap().outcome.as_str().to_owned()
    }
}

fn play(folder: &Path) -> Hall {
    let mut games = board_sim::games::shipped().unwrap();
    games.truncate(16);
    for game in &mut games {
        game.tags.set("TimeControl", "600+4");
        let opening: Vec<_> = game.line().take(12).map(|ply| (ply.san, ply.times())).collect();
        game.movetext.clear();
        for (san, times) in opening {
            game.play(san, times);
        }
        game.outcome = notation::pgn::Outcome::Draw;
        game.tags.set("Result", "1/2-1/2");
    }
    Hall::new(HallOptions {
        boards: BOARDS,
        speed: SPEED,
        seed: 77,
        link: Link::Pty { folder: folder.join("ports") },
        games: Games::Pgn(games),
        rounds_per_board: 2,
        rotated: true,
        beginning: board_sim::Beginning::RoundByRound,
        ..HallOptions::default()
    })
    .unwrap()
}

/// The pairings of a round as a table, the table of each board as the organiser put it there.
fn table(hall: &Hall, round: usize) -> String {
    let mut text = format!("Round {}\nTable;White;Black\n", round + 1);
    for (place, board) in hall.schedule().iter().enumerate() {
        let name = |tag| board.games[round].get(tag).unwrap();
        let (white, black) = (name("White"), name("Black"));
        text.extend([format!("{};{white} {place};{black} {place}\n", BOARDS - place)]);
    }
    text
}

#[test]
fn from_an_empty_folder_to_the_report_of_the_second_round() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("ports")).unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut desk = Desk {
        folder: folder.path().to_owned(),
        address: free,
        daemon: None,
        cookie: String::new(),
        token: String::new(),
    };
    let hall = play(folder.path());
    for board in 0..BOARDS {
        hall.unplug(board).unwrap();
    }
    let serials: Vec<_> = hall.schedule().iter().map(|board| board.serial.clone()).collect();
    desk.start();
    desk.log_in();

    // Two boards before the pairings, two after them, in no order.
    for board in [2, 0] {
        hall.plug(board, None).unwrap();
    }
    desk.until_connected(2);
    std::fs::write(folder.path().join("round-1.csv"), table(&hall, 0)).unwrap();
    let told = desk.done(&["import", "--data", "data", "round-1.csv"]);
    assert!(told.contains("Loaded into the section"), "{told}");
    for board in [3, 1] {
        hall.plug(board, None).unwrap();
    }
    desk.until_connected(BOARDS);
    let before = desk.get("hall");
    assert_eq!(
        before["boards_without_table"].as_array().unwrap().len(),
        BOARDS,
        "a board has a table by arrival: {before}"
    );
    desk.until("an alarm asks for the tables", |desk| desk.get("alarms").to_string().contains("board_without_table"));
    let sections: Value = serde_json::from_str(&desk.text("/api/v1/sections")).unwrap();
    let paired = sections["sections"].as_array().unwrap().iter().find(|section| section["event"] != "live-games");
    let slug = paired.unwrap_or_else(|| panic!("{sections}"))["event"].as_str().unwrap().to_owned();
    // The organiser knows what stands where: the first board at the last table.
    let seats: Vec<_> =
        serials.iter().enumerate().map(|(place, board)| json!({"table": BOARDS - place, "board": board})).collect();
    desk.order(&json!({"order": "seat_boards", "seats": seats}));

    // The computer starts again: the tables stay.
    desk.stop();
    desk.start();
    desk.until_connected(BOARDS);
    assert_eq!(desk.get("hall")["boards_without_table"].as_array().unwrap().len(), 0);

    // A board is broken before the round: a spare one takes its place.
    hall.exchange(1, 20_077, true, "ttySPARE").unwrap();
    desk.until("the spare board is found", |desk| desk.get("boards").to_string().contains("20077"));
    // The start position stood on the broken board, so its game has begun: it goes on on the spare one.
    desk.order(&json!({"order": "swap_board", "game": format!("{slug}-1-{}", BOARDS - 1), "board": "20077"}));
    assert!(desk.get("hall").to_string().contains("20077"));

    hall.start();
    let plies = |count: u64| hall.wait_until(PATIENCE, |hall| hall.boards().iter().all(|board| board.plies >= count));
    assert!(plies(2), "the games do not begin: {:?}", hall.boards());
    // A result is typed at the wrong table, and taken back: the game goes on.
    let wrong = format!("{slug}-1-{BOARDS}");
    desk.until("the game is public", |desk| !desk.moves(&wrong).is_empty());
    desk.order(&json!({"order": "set_result", "game": wrong, "result": "0-1"}));
    let history = desk.get("history");
    let number = history[0]["correction"]["number"].as_u64().unwrap_or_else(|| panic!("{history}"));
    desk.order(&json!({"order": "undo", "number": number}));
    assert_eq!(desk.result(&wrong), "*");
    // The first round is over once each board has played a game; its results are typed where the kings did not say them.
    assert!(hall.wait_until(PATIENCE, |hall| hall.boards().iter().all(|board| board.games_finished >= 1)));
    hall.hold();
    for played in hall.played().iter().filter(|played| played.game.tags.get("Round").is_some()) {
        let place = serials.iter().position(|serial| *serial == played.serial).unwrap_or(1);
        let game = format!("{slug}-1-{}", BOARDS - place);
        let expected: Vec<_> = played.game.line().map(|ply| ply.san.to_string()).collect();
        if played.game.tags.get("White") == hall.schedule()[place].games[0].get("White") {
            desk.until(&format!("{game} is told as played"), |desk| desk.moves(&game) == expected);
        }
    }
    for table in 1..=BOARDS {
        let game = format!("{slug}-1-{table}");
        if desk.result(&game) == "*" {
            desk.order(&json!({"order": "set_result", "game": game, "result": "1/2-1/2"}));
        }
    }

    // The second round comes into the folder, as the pairing program saves it.
    std::fs::write(folder.path().join("data/pairings/round-2.csv"), table(&hall, 1)).unwrap();
    desk.until("round 2 is public", |desk| desk.text("/api/v1/sections").contains("\"round\":2"));
    hall.start();
    assert!(hall.wait_until_done(PATIENCE), "{:?}", hall.boards());
    for table in 1..=BOARDS {
        let game = format!("{slug}-2-{table}");
        desk.until(&format!("{game} has moves"), |desk| desk.moves(&game).len() == 12);
        if desk.result(&game) == "*" {
            desk.order(
                &json!({"order": "set_result", "game": game, "result": if table == 1 { "1-0" } else { "1/2-1/2" }}),
            );
        }
    }

    // The report for the pairing program, from the daemon and without it.
    let report = desk.text(&format!("/api/v1/admin/sections/{slug}/results/trf"));
    assert_eq!(report.lines().filter(|line| line.starts_with("001")).count(), 4 * BOARDS, "{report}");
    desk.stop();
    assert_eq!(desk.done(&["export", "--data", "data", "--format", "trf", "--section", &slug]), report);
    std::fs::write(folder.path().join("report.trf"), &report).unwrap();
    let said = desk.command(&["pairings", "report.trf"]).output().unwrap();
    assert!(String::from_utf8_lossy(&said.stdout).contains("Round 2") || said.status.code() == Some(1), "{said:?}");
    assert!(desk.done(&["check", "--listen", "127.0.0.1:0", "--data", "data"]).trim_end().ends_with("sound"));
}
