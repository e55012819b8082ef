//! What was recorded live against what the captures replay.

use super::*;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use board_sim::{Games, Hall, HallOptions, Link, Style};
use game_core::capture::read_capture;
use game_core::event::Event;
use game_core::replay::replay;

use crate::boards::past_sessions::PastSessions;
use crate::director::tests::open_play;
use crate::transport::candidates::Scope;
use crate::transport::capture_file::CaptureFolder;
use crate::transport::discovery::discover;
use crate::transport::known_lines::KnownLines;
use hall_clock::HallClock;
use journal::{self, Committed, RecordedEvent};

const SPEED: f64 = 8.0;
const PATIENCE: Duration = Duration::from_mins(2);

/// A short game with castling to both sides.
const GAME: &str = "[White \"Adams\"]\n[Black \"Baker\"]\n[TimeControl \"180+2\"]\n[Result \"1-0\"]\n\n\
    1. e4 d5 2. exd5 Qxd5 3. Nf3 Bg4 4. Be2 Nc6 5. O-O O-O-O 6. Nc3 Qd7 1-0\n";

/// The daemon's input half at a simulated hall of two boards on pseudo-terminals.
struct Rehearsal {
    hall: Hall,
    stop: CancellationToken,
    discovery: tokio::task::JoinHandle<anyhow::Result<()>>,
    boards: tokio::task::JoinHandle<()>,
    feed: journal::Feed,
    folder: tempfile::TempDir,
}

impl Rehearsal {
    fn begin() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ports = folder.path().join("ports");
        let hall = Hall::new(HallOptions {
            boards: 2,
            speed: SPEED,
            style: Style::Human,
            link: Link::Pty { folder: ports.clone() },
            games: Games::from_pgn(GAME).unwrap(),
            ..HallOptions::default()
        })
        .unwrap();
        let clock = HallClock::start(SPEED);
        let (director, feed) = open_play(&folder.path().join("data"), clock);
        let captures = CaptureFolder::new(folder.path().join("captures"));
        let (sender, found) = mpsc::channel(4);
        let stop = CancellationToken::new();
        let context = BoardContext { clock, director, captures, past_sessions: PastSessions::from_now_on() };
        let boards = tokio::spawn(run(context, found, stop.clone()));
        let scope = Scope {
            machine: false,
            allowed: vec![format!("{}/*", ports.display()).parse().unwrap()],
            ..Scope::default()
        };
        let discovery = tokio::spawn(discover(
            scope,
            Duration::from_millis(50),
            HallClock::start(1.0),
            KnownLines::default(),
            sender,
        ));
        hall.start();
        Self { hall, stop, discovery, boards, feed, folder }
    }

    /// Waits for a fact about the hall.
    fn wait(&self, fact: impl FnMut(&Hall) -> bool) {
        let came_true = tokio::task::block_in_place(|| self.hall.wait_until(PATIENCE, fact));
        assert!(came_true, "the hall never got there: {:?}", self.hall.boards());
    }

    /// Stops the daemon and gives the whole record back, and the folder with the captures.
    async fn end(self) -> (Vec<Arc<RecordedEvent>>, tempfile::TempDir) {
        self.stop.cancel();
        self.boards.await.unwrap();
        self.discovery.await.unwrap().unwrap();
        let mut reader = self.feed.read_from(0);
        let mut entries = Vec::new();
        while let Some(more) = reader.next_entries() {
            entries.extend(more.iter().filter_map(Committed::game).cloned());
        }
        (entries, self.folder)
    }
}

/// What the second board's players have done.
fn plies(hall: &Hall) -> u64 {
    hall.board(1).map_or(0, |board| board.plies)
}

fn moves<'a>(events: impl Iterator<Item = &'a Event>) -> Vec<String> {
    let mut moves = Vec::new();
    for event in events {
        match event {
            Event::Move { san, .. } => moves.push(san.clone()),
            Event::Retract { to_ply } => moves.truncate(*to_ply as usize),
            _ => {}
        }
    }
    moves
}

fn replayed(folder: &Path, serial: &str) -> Vec<(u64, Event)> {
    let captures: Vec<_> = std::fs::read_dir(folder.join("captures").join(serial))
        .unwrap()
        .map(|file| read_capture(&std::fs::read(file.unwrap().path()).unwrap()))
        .inspect(|capture| assert!(capture.errors.is_empty(), "{:?}", capture.errors))
        .collect();
    let replayed = replay(&captures);
    assert!(!replayed.commands_differ, "a replay asks the board differently");
    replayed
        .records
        .into_iter()
        .map(|(started, record)| (started + record.t.as_ms(), record.event.shifted(started)))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_recorded_live_is_exactly_what_the_captures_replay() {
    let rehearsal = Rehearsal::begin();
    // One cable is pulled in the middle; a move is played unseen, and the board comes back as another port.
    rehearsal.wait(|hall| plies(hall) >= 4);
    rehearsal.hall.unplug(1).unwrap();
    let before = plies(&rehearsal.hall);
    rehearsal.wait(|hall| plies(hall) > before);
    rehearsal.hall.pause(1).unwrap();
    rehearsal.hall.plug(1, Some("ttyOTHER")).unwrap();
    rehearsal.wait(|hall| hall.board(1).is_some_and(|board| board.mode.is_armed()));
    rehearsal.hall.resume(1).unwrap();
    rehearsal.wait(|hall| hall.boards().iter().all(|board| board.games_finished == 1));
    let played = rehearsal.hall.played();
    let (entries, folder) = rehearsal.end().await;

    let mut live = HashMap::<String, Vec<(u64, Event)>>::new();
    for entry in &entries {
        let serial = entry.game.game.split('-').next().unwrap().to_owned();
        // The pairing's tags come from the tournament, not from the board.
        if !matches!(entry.event, Event::Tags { .. }) {
            live.entry(serial).or_default().push((entry.at, entry.event.clone()));
        }
    }
    assert_eq!(live.len(), 2);
    for game in played {
        let live = &live[&game.serial];
        assert_eq!(*live, replayed(folder.path(), &game.serial), "board {}", game.serial);
        let sans: Vec<_> = game.game.line().map(|ply| ply.san.to_string()).collect();
        assert_eq!(moves(live.iter().map(|(_, event)| event)), sans, "board {}", game.serial);
    }
}
