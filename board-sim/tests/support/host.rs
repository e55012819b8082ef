//! A host that follows one board, as a broadcast program would.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use board_sim::{Hall, hall::BoardState};
use dgt_protocol::{ClockMessage, ClockTimes, Command, Fields, FrameReader, Message, Mode, PieceCode, Side};

/// Nothing in these tests takes this long unless it hangs.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A line that can be read and written.
pub(crate) trait Line: Read + Write {}
impl<T: Read + Write> Line for T {}

/// A host and what it has read from one board.
pub(crate) struct Host {
    line: Box<dyn Line>,
    reader: FrameReader,
    pub(crate) messages: Vec<Message>,
    pub(crate) fields: Fields,
    /// What the pressed side showed at each flip of the lever while the clock ran, in seconds.
    pub(crate) presses: Vec<(Side, u32)>,
    clock: Option<ClockTimes>,
}

impl Host {
    /// Opens the port at a path or `tcp://` address.
    pub(crate) fn open(address: &str) -> Self {
        let line: Box<dyn Line> = match address.strip_prefix("tcp://") {
            Some(address) => {
                let stream = TcpStream::connect(address).expect("the board listens");
                stream.set_read_timeout(Some(Duration::from_millis(20))).expect("a time-out above zero");
                Box::new(stream)
            }
            None => Box::new(
                serialport::new(address, 9_600)
                    .timeout(Duration::from_millis(20))
                    .open_native()
                    .expect("the port can be opened"),
            ),
        };
        Self {
            line,
            reader: FrameReader::new(Mode::Single),
            messages: Vec::new(),
            fields: [PieceCode::Empty; 64],
            presses: Vec::new(),
            clock: None,
        }
    }

    pub(crate) fn send(&mut self, command: Command) {
        self.send_bytes(&command.encode());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.line.write_all(bytes).expect("the port takes commands");
    }

    /// Reads once; `false` when the line is gone.
    pub(crate) fn read(&mut self) -> bool {
        let mut buffer = [0; 4_096];
        let length = match self.line.read(&mut buffer) {
            Ok(0) => return false,
            Ok(length) => length,
            Err(error) if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) => {
                return true;
            }
            Err(_) => return false,
        };
        let mut input = &buffer[..length];
        while let Some(frame) = self.reader.next_frame(&mut input) {
            let message = frame.message().expect("the simulator sends whole messages");
            match &message {
                Message::BoardDump(fields) => self.fields = *fields,
                Message::FieldUpdate { field, piece } => self.fields[field.index()] = *piece,
                Message::Clock(ClockMessage::Times(times)) => {
                    let before = self.clock.replace(*times);
                    if let Some(before) = before
                        && before.running
                        && before.right_side_up != times.right_side_up
                    {
                        let side = if times.right_side_up { Side::Left } else { Side::Right };
                        self.presses.push((side, times.side(side).total_seconds()));
                    }
                }
                _ => {}
            }
            self.messages.push(message);
        }
        true
    }

    /// Reads until a condition holds.
    pub(crate) fn read_until(&mut self, mut condition: impl FnMut(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !condition(self) {
            assert!(self.read(), "the line is gone");
            assert!(Instant::now() < deadline, "no answer in time");
        }
    }

    /// Sends a command and returns the first answer that fits.
    pub(crate) fn ask<T>(&mut self, command: Command, mut answer: impl FnMut(&Message) -> Option<T>) -> T {
        let before = self.messages.len();
        self.send(command);
        let mut found = None;
        self.read_until(|host| {
            found = host.messages[before..].iter().find_map(&mut answer);
            found.is_some()
        });
        found.expect("it was found")
    }
}

/// The state of a board that exists.
pub(crate) fn state(hall: &Hall, board: usize) -> BoardState {
    hall.board(board).expect("the hall has this board")
}

/// Where a board is plugged in.
pub(crate) fn address(hall: &Hall, board: usize) -> String {
    state(hall, board).address.expect("it is plugged in")
}
