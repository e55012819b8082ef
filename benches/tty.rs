//! From the last byte that a board sends for a move to the first viewer, durable; beside a program that reads the port, writes
//! with fdatasync and sends, and does nothing else. Prints figures; judges nothing.
//!
//! `cargo bench --bench tty`; the data is below the folder in `TMPDIR`, whose disk is part of what is measured.

#[path = "common/measured.rs"]
mod measured;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use board_sim::board::SimBoard;
use board_sim::clock::{Bonus, ClockSettings, SimClock};
use board_sim::hands::{self, Style, Touch};
use board_sim::{placement, random};
use dgt_protocol::Side;
use notation::time_control::Period;
use serialport::{SerialPort, TTYPort};
use shakmaty::{Chess, Position};

use measured::{Quantiles, daemon};

/// Moves that are measured, and moves before them.
const MOVES: usize = 200;
const FIRST: usize = 20;

/// From one move to the next: nothing else is under way then, and processor and disk have gone to rest.
const PAUSE: Duration = Duration::from_millis(120);

/// The longest that anything here takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// Bytes of a record and of a message of the floor.
const RECORD: usize = 200;

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let [role, port, folder] = &arguments[..]
        && role == "floor"
    {
        return floor(port, Path::new(folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut floor = Floor::start(folder.path());
    let mut table = Table::start(folder.path());
    let (mut ours, mut least) = (Vec::new(), Vec::new());
    let game = random::play_long(FIRST + MOVES, 7);
    let mut position = Chess::default();
    for (number, played) in game.moves.iter().enumerate() {
        let took = table.play(&mut position, *played);
        std::thread::sleep(PAUSE);
        let of_floor = floor.send();
        std::thread::sleep(PAUSE);
        if number >= FIRST {
            ours.push(took);
            least.push(of_floor);
        }
    }
    let (ours, least) = (Quantiles::of(ours), Quantiles::of(least));
    println!("{MOVES} moves, from the last byte to the first viewer: {ours}; the floor: {least}");
    println!("ratio of medians {:.2}", ours.p50.as_secs_f64() / least.p50.as_secs_f64());
}

/// A pseudo-terminal and the name of its other end.
fn terminal() -> (TTYPort, String) {
    let (mut board, host) = TTYPort::pair().unwrap();
    board.set_timeout(Duration::from_millis(1)).unwrap();
    let name = host.name().unwrap();
    (board, name)
}

/// A board with its clock, the daemon that follows it, and a viewer.
struct Table {
    port: TTYPort,
    board: SimBoard,
    clock: SimClock,
    chance: fastrand::Rng,
    began: Instant,
    /// When the last message was written to the port.
    written: Instant,
    moves: mpsc::Receiver<Instant>,
    daemon: Child,
}

impl Table {
    fn start(folder: &Path) -> Self {
        let (port, name) = terminal();
        let (daemon, address) = daemon(&folder.join("data"), &["--port", &name]);
        let first = Period { moves: None, seconds: 7200, increment_s: 0 };
        let settings = ClockSettings { first, later: Vec::new(), counts_moves: false, bonus: Bonus::Fischer };
        let mut board = SimBoard::new(21_000, (1, 8), 20, 1);
        board.power_on();
        let (began, moves) = (Instant::now(), follow(address));
        let clock = SimClock::new(settings, Side::Left, 0);
        let chance = fastrand::Rng::with_seed(1);
        let mut table = Self { port, board, clock, chance, began, written: began, moves, daemon };
        table.board.show_clock(0, Some(table.clock.reading()));
        let start = Chess::default();
        for square in start.board().occupied() {
            table.put(square, start.board().piece_at(square));
        }
        while !table.board.is_followed() {
            table.run(Duration::from_millis(10));
            assert!(began.elapsed() < PATIENCE, "the daemon does not follow the board");
        }
        // The game begins with the start position, once it is quiet.
        table.run(Duration::from_secs(5));
        table.clock.start(table.now());
        table.show();
        table.run(Duration::from_millis(500));
        table
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap()
    }

    fn put(&mut self, square: shakmaty::Square, piece: Option<shakmaty::Piece>) {
        let field = placement::field(square, false).unwrap();
        self.board.touch(self.now(), field, placement::code(piece));
    }

    fn show(&mut self) {
        let now = self.now();
        self.board.show_clock(now, Some(self.clock.reading()));
    }

    /// Does what the board has to do for a while.
    fn run(&mut self, time: Duration) {
        let until = Instant::now() + time;
        let mut buffer = [0; 256];
        loop {
            if let Ok(count) = self.port.read(&mut buffer) {
                let now = self.now();
                self.board.host_bytes(now, &buffer[..count]);
            }
            self.board.advance(self.now());
            self.send();
            if Instant::now() >= until {
                return;
            }
        }
    }

    fn send(&mut self) {
        while let Some(message) = self.board.next_outgoing() {
            // The instant before the write: the daemon may have the bytes before the call returns.
            self.written = Instant::now();
            self.port.write_all(&message).unwrap();
        }
    }

    /// Plays a move and gives the time from its last byte, which is of the clock, to the viewer.
    fn play(&mut self, position: &mut Chess, played: shakmaty::Move) -> Duration {
        for step in hands::make_move(position.board(), played, Style::Clean, &mut self.chance) {
            match step.touch {
                Touch::Lift(square) => self.put(square, None),
                Touch::Place(square, piece) => self.put(square, Some(piece)),
            }
            self.run(Duration::from_millis(60));
        }
        let side = if position.turn().is_white() { Side::Left } else { Side::Right };
        position.play_unchecked(played);
        while self.moves.try_recv().is_ok() {}
        self.clock.press(side, self.now());
        self.show();
        self.send();
        let last_byte = self.written;
        let began = Instant::now();
        loop {
            if let Ok(seen) = self.moves.try_recv() {
                return seen.saturating_duration_since(last_byte);
            }
            if began.elapsed() > Duration::from_millis(20) {
                self.run(Duration::from_millis(1));
            } else {
                std::thread::sleep(Duration::from_millis(1));
            }
            assert!(began.elapsed() < PATIENCE, "the move {played:?} does not arrive");
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// A viewer of the daemon at this address, once it answers: the instants at which moves arrive.
fn follow(address: SocketAddr) -> mpsc::Receiver<Instant> {
    let (arrived, moves) = mpsc::channel();
    std::thread::spawn(move || {
        let mut socket = loop {
            match TcpStream::connect(address) {
                Ok(socket) => break socket,
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        };
        socket.set_nodelay(true).unwrap();
        let request = "GET /api/v1/live HTTP/1.1\r\nHost: hall\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                       Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        socket.write_all(request.as_bytes()).unwrap();
        let mut buffer = vec![0; 1 << 20];
        while let Ok(count @ 1..) = socket.read(&mut buffer) {
            let seen = Instant::now();
            // A ping of the heartbeat wants an answer.
            if buffer[..count].contains(&0x89) {
                let _ = socket.write_all(&[0x8a, 0x80, 0, 0, 0, 0]);
            }
            if buffer[..count].windows(14).any(|bytes| bytes == br#""event":"move""#) && arrived.send(seen).is_err() {
                return;
            }
        }
    });
    moves
}

/// The floor as a process, with its viewer.
struct Floor {
    port: TTYPort,
    arrived: mpsc::Receiver<Instant>,
    process: Child,
}

impl Floor {
    fn start(folder: &Path) -> Self {
        let (port, name) = terminal();
        let mut command = Command::new(std::env::current_exe().unwrap());
        let mut process = command.arg("floor").arg(name).arg(folder).stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let mut socket = TcpStream::connect(address.trim()).unwrap();
        let (sender, arrived) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; RECORD];
            while socket.read_exact(&mut buffer).is_ok() && sender.send(Instant::now()).is_ok() {}
        });
        Self { port, arrived, process }
    }

    fn send(&mut self) -> Duration {
        let began = Instant::now();
        self.port.write_all(&[0x8e, 0, 5, 0x1c, 1]).unwrap();
        self.arrived.recv_timeout(PATIENCE).unwrap().saturating_duration_since(began)
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads the port, appends a record to a file that has its length already, and sends one message.
fn floor(port: &str, folder: &Path) {
    let mut port = serialport::new(port, 9600).timeout(Duration::from_hours(1)).open_native().unwrap();
    let path = folder.join("floor");
    std::fs::write(&path, vec![0; RECORD * (MOVES + FIRST)]).unwrap();
    let mut file = File::options().write(true).open(&path).unwrap();
    file.sync_all().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("{}", listener.local_addr().unwrap());
    let (mut viewer, _) = listener.accept().unwrap();
    viewer.set_nodelay(true).unwrap();
    let mut update = [0; 5];
    while port.read_exact(&mut update).is_ok() {
        file.write_all(&[b'x'; RECORD]).unwrap();
        file.sync_data().unwrap();
        viewer.write_all(&[b'x'; RECORD]).unwrap();
    }
}
