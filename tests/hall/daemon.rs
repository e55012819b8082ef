//! A hall with its daemon, and what a visitor can fetch from it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use board_sim::hall::PlayedGame;
use board_sim::{Hall, HallOptions};
use boardcast::app::{self, Settings};
use boardcast::demo::{Rehearsal, rehearse};
use boardcast::director::DirectorHandle;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::published::{Published, played_sans, published};

/// The longest that any fact is waited for, in real time.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

pub(crate) struct Daemon {
    pub(crate) hall: Hall,
    pub(crate) address: SocketAddr,
    pub(crate) folder: Arc<tempfile::TempDir>,
    settings: Settings,
    /// None once it ends.
    director: Option<DirectorHandle>,
    stop: CancellationToken,
    running: Option<JoinHandle<anyhow::Result<()>>>,
}

impl Drop for Daemon {
    /// A test that fails must end, too: the daemon's threads go with the daemon. What the boards sent is kept for a replay.
    fn drop(&mut self) {
        if std::thread::panicking() {
            keep_captures(self.folder.path());
        }
        self.stop.cancel();
        self.director = None;
        let deadline = Instant::now() + PATIENCE;
        while self.running.as_ref().is_some_and(|running| !running.is_finished()) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Daemon {
    /// Furnishes a hall, starts the daemon for it and lets play begin.
    pub(crate) async fn start(options: HallOptions) -> Self {
        let daemon = Self::start_with(options, |_| ()).await;
        daemon.hall.start();
        daemon
    }

    /// Furnishes a hall and starts the daemon for it, with settings changed; nobody plays yet.
    pub(crate) async fn start_with(options: HallOptions, change: impl FnOnce(&mut Settings)) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let Rehearsal { hall, mut settings } = rehearse(options, folder.path()).unwrap();
        change(&mut settings);
        let address = "127.0.0.1:0".parse().unwrap();
        let stop = CancellationToken::new();
        let mut daemon = Self { hall, address, folder, settings, director: None, stop, running: None };
        daemon.run().await;
        daemon
    }

    async fn run(&mut self) {
        let listener = app::listen(self.address).await.unwrap();
        self.address = listener.local_addr().unwrap();
        self.stop = CancellationToken::new();
        let daemon = app::start(self.settings.clone(), listener, self.stop.clone()).await.unwrap();
        self.director = Some(daemon.director.clone());
        self.running = Some(tokio::spawn(daemon.run()));
    }

    async fn end(&mut self) {
        self.stop.cancel();
        self.director = None;
        self.running.take().unwrap().await.unwrap().unwrap();
    }

    /// The daemon ends, and another one goes on with its data at its address.
    pub(crate) async fn restart(&mut self) {
        self.end().await;
        self.run().await;
    }

    /// The same with settings changed.
    pub(crate) async fn restart_with(&mut self, change: impl FnOnce(&mut Settings)) {
        self.end().await;
        change(&mut self.settings);
        self.run().await;
    }

    /// Ends the daemon as a signal does.
    pub(crate) async fn stop(mut self) -> Arc<tempfile::TempDir> {
        self.end().await;
        assert!(
            self.hall.boards().iter().all(|board| board.host_commands.forbidden.is_empty()),
            "a forbidden command was sent"
        );
        self.hall.stop();
        Arc::clone(&self.folder)
    }

    /// The owner of the tournament.
    pub(crate) fn director(&self) -> &DirectorHandle {
        self.director.as_ref().unwrap()
    }

    /// Waits until the daemon reads so many boards.
    pub(crate) async fn until_connected(&self, count: usize) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let connected = self.director().connected_boards();
            if connected.len() == count {
                return;
            }
            assert!(Instant::now() < deadline, "connected: {connected:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// What an address answers, as status and body.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let mut socket = TcpStream::connect(self.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    /// The status that an address answers with, whatever its body.
    pub(crate) fn status(&self, path: &str) -> u16 {
        let mut socket = TcpStream::connect(self.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).unwrap();
        let status = answer.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok());
        status.and_then(|digits| digits.parse().ok()).unwrap_or_default()
    }

    /// The PGN of a game by its table and round, both from 1.
    pub(crate) fn pgn(&self, round: usize, table: usize) -> Option<(String, Published)> {
        let (status, text) = self.get(&format!("/pgn/game/rehearsal-{round}-{table}.pgn"));
        let game = (status == 200).then(|| published(&text).into_iter().next())??;
        Some((text, game))
    }

    /// Waits until every game the hall has played is told as far as it went; gives each game played with its PGN.
    pub(crate) async fn all_told(&self) -> Vec<(PlayedGame, String, Published)> {
        let mut told = Vec::new();
        let mut tables: Vec<_> = self.hall.schedule().iter().map(|board| board.serial.clone()).collect();
        tables.sort();
        let played = self.hall.played();
        for played in &played {
            let table = 1 + tables.iter().position(|serial| *serial == played.serial).unwrap();
            let round = 1 + told.iter().filter(|(p, ..): &&(PlayedGame, _, _)| p.serial == played.serial).count();
            let deadline = Instant::now() + PATIENCE;
            let (text, game) = loop {
                let found = self.pgn(round, table);
                if let Some((text, game)) = &found
                    && game.sans.len() >= played_sans(played).len()
                    && game.result == played.game.outcome.as_str()
                {
                    break (text.clone(), game.clone());
                }
                assert!(Instant::now() < deadline, "table {table}, round {round}: told only {found:?} of {played:?}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            };
            told.push((played.clone(), text, game));
        }
        told
    }
}

/// Where `tests/run` wants the PGN for a second opinion.
pub(crate) fn keep_pgn(name: &str, pgn: &str) {
    if let Some(folder) = std::env::var_os("BOARDCAST_TEST_PGN").map(PathBuf::from) {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name).with_extension("pgn"), pgn).unwrap();
    }
}

/// Copies what the boards of a failed test sent to where it outlives the test.
fn keep_captures(folder: &Path) {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("failed-hall-{}", std::process::id()));
    for capture in captures(folder) {
        let Some(board) = capture.parent().and_then(Path::file_name) else { continue };
        let Some(day) = capture.file_name() else { continue };
        if std::fs::create_dir_all(kept.join(board)).is_ok() {
            let _ = std::fs::copy(&capture, kept.join(board).join(day));
        }
    }
    eprintln!("what the boards sent is kept in {}", kept.display());
}

/// The captures below a data folder.
pub(crate) fn captures(folder: &Path) -> Vec<PathBuf> {
    let pattern = folder.join("data/captures/*/*.capture");
    let mut found: Vec<_> = glob::glob(pattern.to_str().unwrap()).unwrap().map(Result::unwrap).collect();
    found.sort();
    found
}
