//! Boards whose positions programs send: each gets a port of its own, as if it were plugged in, so that its moves are recognised,
//! recorded and watched like those of any other board.
//!
//! Must not know rounds, games or HTTP.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dgt_protocol::{ClockMessage, ClockTimes, SideTime};
use dgt_protocol::{Command, CommandReader, Fields, HostMessage, Message, PieceCode};
use publish::bodies::etag_of;
use tokio::sync::mpsc;

use super::refusal::SourceRefusal;
use crate::transport::{Chunk, FoundBoard, PositionsLine};

/// A board of which no position came for this long is out of reach.
const SILENCE: Duration = Duration::from_mins(5);

/// Boards of all sources.
const MOST_BOARDS: usize = 256;

/// Firmware version that the boards report.
const VERSION: (u8, u8) = (1, 8);

/// What a program knows of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// What stands on the squares, a8 first.
    pub fields: Fields,
    /// What the clocks show.
    pub clock: Option<Clock>,
}

/// What the clocks of a board show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// White's time left, in seconds.
    pub white_s: u32,
    /// Black's.
    pub black_s: u32,
    /// Whether White's time runs; none when the clock stands.
    pub white_runs: Option<bool>,
}

impl Position {
    /// A position by the first field of a FEN.
    ///
    /// # Errors
    /// When it is none.
    pub fn of_fen(fen: &str, clock: Option<Clock>) -> Result<Self, SourceRefusal> {
        let wrong = || SourceRefusal::NotAPosition;
        if fen.len() > 120 {
            return Err(wrong());
        }
        let placement = fen.split_whitespace().next().unwrap_or_default();
        let (mut fields, mut ranks) = ([PieceCode::Empty; 64], 0);
        for (rank, pieces) in placement.split('/').enumerate() {
            let mut file = 0;
            for piece in pieces.chars() {
                match piece.to_digit(10) {
                    Some(empty @ 1..=8) => file += empty as usize,
                    Some(_) => return Err(wrong()),
                    None => {
                        let code = code(piece).filter(|_| file < 8).ok_or_else(wrong)?;
                        *fields.get_mut(rank * 8 + file).ok_or_else(wrong)? = code;
                        file += 1;
                    }
                }
            }
            if file != 8 {
                return Err(wrong());
            }
            ranks += 1;
        }
        if ranks != 8 {
            return Err(wrong());
        }
        Ok(Self { fields, clock })
    }

    fn dump(&self) -> Vec<u8> {
        Message::BoardDump(self.fields).encode()
    }

    /// The clock's message; White is at its left.
    fn clock(&self) -> Option<Vec<u8>> {
        let Clock { white_s, black_s, white_runs } = self.clock?;
        let times = ClockTimes {
            left: SideTime::from_seconds(white_s),
            right: SideTime::from_seconds(black_s),
            running: white_runs.is_some(),
            // The side of the player who is not to move is down.
            right_side_up: white_runs == Some(false),
            left_to_move: white_runs == Some(true),
            right_to_move: white_runs == Some(false),
            ..ClockTimes::default()
        };
        Some(Message::Clock(ClockMessage::Times(times)).encode())
    }
}

fn code(piece: char) -> Option<PieceCode> {
    Some(match piece {
        'P' => PieceCode::WhitePawn,
        'R' => PieceCode::WhiteRook,
        'N' => PieceCode::WhiteKnight,
        'B' => PieceCode::WhiteBishop,
        'K' => PieceCode::WhiteKing,
        'Q' => PieceCode::WhiteQueen,
        'p' => PieceCode::BlackPawn,
        'r' => PieceCode::BlackRook,
        'n' => PieceCode::BlackKnight,
        'b' => PieceCode::BlackBishop,
        'k' => PieceCode::BlackKing,
        'q' => PieceCode::BlackQueen,
        _ => return None,
    })
}

/// The boards whose positions programs send; copies share them.
#[derive(Clone, Debug)]
pub struct Positions {
    found: mpsc::Sender<FoundBoard>,
    boards: Arc<Mutex<BTreeMap<String, mpsc::Sender<Position>>>>,
}

impl Positions {
    /// New boards are given to the manager of boards.
    pub fn new(found: mpsc::Sender<FoundBoard>) -> Self {
        Self { found, boards: Arc::default() }
    }

    /// Takes a position of a board of a source; gives the serial number that the board has here.
    ///
    /// # Errors
    /// When it is not taken.
    pub async fn take(&self, source: &str, board: u32, position: Position) -> Result<String, SourceRefusal> {
        let serial = serial_of(source, board);
        let known = self.boards().get(&serial).cloned();
        let gone = match known {
            Some(board) => board.send(position).await.is_err(),
            None => true,
        };
        if gone {
            self.plug_in(source, board, &serial, position).await?;
        }
        Ok(serial)
    }

    async fn plug_in(&self, source: &str, board: u32, serial: &str, position: Position) -> Result<(), SourceRefusal> {
        let (sender, positions) = mpsc::channel(64);
        {
            let mut boards = self.boards();
            boards.retain(|_, board| !board.is_closed());
            if boards.len() >= MOST_BOARDS {
                return Err(SourceRefusal::Boards { most: MOST_BOARDS });
            }
            boards.insert(serial.to_owned(), sender);
        }
        let (line, port) = PositionsLine::pair(&format!("{source} board {board}"));
        let heard = Chunk::now(&position.dump());
        let found =
            FoundBoard { port, serial: serial.to_owned(), version: Some(VERSION), other_trademark: None, heard };
        tokio::spawn(answer(line, positions, position));
        self.found.send(found).await.map_err(|_| SourceRefusal::Stopping)
    }

    fn boards(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, mpsc::Sender<Position>>> {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers the daemon's questions as the board would, until no positions come any more.
async fn answer(mut line: PositionsLine, mut positions: mpsc::Receiver<Position>, mut now: Position) {
    let mut commands = CommandReader::new();
    let mut silent_at = tokio::time::Instant::now() + SILENCE;
    loop {
        tokio::select! {
            position = positions.recv() => {
                let Some(position) = position else { break };
                silent_at = tokio::time::Instant::now() + SILENCE;
                let sent = if position.fields == now.fields { Vec::new() } else { position.dump() };
                let clock = if position.clock == now.clock { None } else { position.clock() };
                now = position;
                if line.send(&[sent, clock.unwrap_or_default()].concat()).is_err() {
                    break;
                }
            }
            bytes = line.receive() => {
                let Some(bytes) = bytes else { break };
                let (mut rest, mut replies) = (&bytes[..], Vec::new());
                while let Some(message) = commands.next_message(&mut rest) {
                    if let HostMessage::Command(command) = message {
                        replies.extend(reply(command, &now));
                    }
                }
                if !replies.is_empty() && line.send(&replies).is_err() {
                    break;
                }
            }
            () = tokio::time::sleep_until(silent_at) => break,
        }
    }
}

fn reply(command: Command, now: &Position) -> Vec<u8> {
    match command {
        Command::Board => now.dump(),
        Command::Clock | Command::UpdateNice | Command::Update => now.clock().unwrap_or_default(),
        Command::Version => Message::Version { main: VERSION.0, sub: VERSION.1 }.encode(),
        _ => Vec::new(),
    }
}

/// Five letters and digits that belong to this board of this source alone: a letter first, so that no plugged-in board has them.
fn serial_of(source: &str, board: u32) -> String {
    let digest = etag_of(format!("positions of {source}, board {board}").as_bytes());
    let digest: Vec<u8> = digest.bytes().filter(u8::is_ascii_alphanumeric).collect();
    let letters = b"abcdefghijkmnpqrstuvwxyz23456789";
    let letter = |byte: &u8, among: usize| char::from(letters.get(usize::from(*byte) % among).copied().unwrap_or(b'a'));
    let mut serial: String = digest.iter().take(1).map(|byte| letter(byte, 24)).collect();
    serial.extend(digest.iter().skip(1).take(4).map(|byte| letter(byte, letters.len())));
    serial
}

#[cfg(test)]
mod tests {
    use game_core::event::Event;
    use hall_clock::HallClock;
    use notation::fen::{Style, write_fens};
    use notation::pgn::{game_positions, read_games};
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::boards::manager;
    use crate::boards::past_sessions::PastSessions;
    use crate::boards::task::BoardContext;
    use crate::director::tests::open_play;
    use crate::transport::capture_file::CaptureFolder;

    #[test]
    fn positions_are_read_and_rubbish_is_refused() {
        let start = Position::of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None).unwrap();
        assert_eq!((start.fields[0], start.fields[60]), (PieceCode::BlackRook, PieceCode::WhiteKing));
        for wrong in [
            "",
            "8/8/8",
            "9/8/8/8/8/8/8/8",
            "pppppppppp/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8/8",
            "x7/8/8/8/8/8/8/8",
            "0/8/8/8/8/8/8/8",
        ] {
            assert!(Position::of_fen(wrong, None).is_err(), "{wrong}");
        }
        assert!(Position::of_fen(&"8/".repeat(1000), None).is_err());
    }

    #[test]
    fn serial_numbers_are_stable_and_of_boards_alone() {
        assert_eq!(serial_of("b", 1), serial_of("b", 1));
        assert_ne!(serial_of("b", 1), serial_of("b", 2));
        assert!(
            serial_of("hall", 7).len() == 5
                && serial_of("hall", 7).starts_with(|letter: char| letter.is_ascii_lowercase())
        );
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn positions_that_a_program_sends_become_the_moves_of_a_board() {
        const GAME: &str = "1. e4 d5 2. exd5 Qxd5 3. Nf3 Bg4 4. Be2 Nc6 5. O-O O-O-O 6. Nc3 Qd7 *\n";
        const SPEED: f64 = 8.0;
        let game = read_games(GAME).next().unwrap().unwrap();
        let fens: Vec<_> =
            write_fens(&game_positions(&game).unwrap(), Style::STANDARD).lines().map(str::to_owned).collect();
        let folder = tempfile::tempdir().unwrap();
        let clock = HallClock::start(SPEED);
        let (director, feed) = open_play(&folder.path().join("data"), clock);
        let captures = CaptureFolder::new(folder.path().join("captures"));
        let (sender, found) = mpsc::channel(4);
        let stop = CancellationToken::new();
        let boards = tokio::spawn(manager::run(
            BoardContext { clock, director, captures, past_sessions: PastSessions::from_now_on() },
            found,
            stop.clone(),
        ));
        let positions = Positions::new(sender);
        let mut entries = feed.read_from(0);
        let mut recorded = Vec::new();
        let mut wait_for = async |count: usize| {
            let began = std::time::Instant::now();
            while recorded.len() < count {
                for entry in entries.ready_entries() {
                    match entry.game().map(|entry| entry.event.clone()) {
                        Some(Event::Move { san, .. }) => recorded.push(san),
                        Some(Event::Retract { to_ply }) => recorded.truncate(to_ply as usize),
                        _ => {}
                    }
                }
                assert!(began.elapsed() < Duration::from_mins(2), "{recorded:?}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            recorded.clone()
        };
        for (index, fen) in fens.iter().enumerate() {
            let serial = positions.take("far", 7, Position::of_fen(fen, None).unwrap()).await.unwrap();
            assert_eq!(serial, serial_of("far", 7));
            // A move is confirmed by the reply to it.
            wait_for(index.saturating_sub(1)).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let sans: Vec<_> = game.line().map(|ply| ply.san.to_string()).collect();
        assert_eq!(wait_for(sans.len()).await, sans);
        stop.cancel();
        boards.await.unwrap();
    }
}
