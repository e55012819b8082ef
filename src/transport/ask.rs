//! Probes a port for a board: runs `game_core::probe` on a real line with a real clock, and reports failures.

use std::time::Duration;

use dgt_protocol::{ClockMessage, Command, FrameReader, Message, Mode};
use game_core::probe::{FirstQuestion, Probe, ProbeOutcome};
use game_core::time::Timestamp;

use super::address::Address;
use super::line::{Chunk, Gone, PortError};
use super::port::Port;
use hall_clock::HallClock;

/// Maximum speed of hall time during a probe, in hall seconds for each real second: the threads of simulated boards may wait
/// for a core for some tenths of a real second.
const FASTEST: f64 = 3.0;

/// Maximum wait for the trademark, in hall time: a text of 256 bytes takes 270 ms of the line.
const TRADEMARK_WAIT: Duration = Duration::from_millis(500);

/// The maker's name, as it is in the trademarks of its boards, and the text of the boards of a rehearsal.
const KNOWN_TRADEMARKS: [&str; 2] = ["digital game technology", "boardcast simulated board"];

/// A found board with its open line.
#[derive(Debug)]
pub struct FoundBoard {
    /// The line.
    pub port: Port,
    /// The serial number of the board.
    pub serial: String,
    /// Firmware version, main and sub; none for an old board on a bus.
    pub version: Option<(u8, u8)>,
    /// What it answered to the question for its trademark, when that text is not the maker's.
    pub other_trademark: Option<String>,
    /// Changes of squares, dumps and readings of the clock that it sent during the probe, for its session. Its time is that at which the
    /// board was found: what the line brings later was read after it, however long the board waits for its session.
    pub heard: Chunk,
}

/// What was found on a port.
#[derive(Debug)]
pub enum Found {
    /// A board of its own.
    Board(FoundBoard),
    /// Boards that share the line.
    Bus {
        /// The line.
        port: Port,
        /// The addresses that answered so far.
        addresses: Vec<u16>,
    },
}

/// Why no board was found on a port.
#[derive(Debug, thiserror::Error)]
pub enum NoBoard {
    /// The port cannot be opened.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The line ended during the probe.
    #[error("{port} disconnected while it was queried: {gone}")]
    Gone {
        /// The port.
        port: Address,
        /// What happened.
        gone: Gone,
    },
    /// Nothing answers.
    #[error("nothing answers on {port}: check the board's cable and power, or unplug it and plug it in again")]
    Silent {
        /// The port.
        port: Address,
    },
    /// Something else answers.
    #[error(
        "the device on {port} is not a board: remove the port from the settings if no board will be connected there"
    )]
    NotABoard {
        /// The port.
        port: Address,
    },
}

/// Opens a port and probes it.
///
/// # Errors
/// [`NoBoard`] with the reason and the remedy.
pub async fn find_board(address: &Address, first: FirstQuestion, clock: HallClock) -> Result<Found, NoBoard> {
    let mut port = Port::open(address).await?;
    let gone = |gone| NoBoard::Gone { port: address.clone(), gone };
    let (outcome, heard) = ask(&mut port, first, clock).await.map_err(gone)?;
    match outcome {
        ProbeOutcome::Board { serial, version } => Ok(Found::Board(FoundBoard {
            port,
            serial,
            version: Some(version),
            other_trademark: None,
            heard: Chunk::now(&heard),
        })),
        ProbeOutcome::Bus { addresses } => Ok(Found::Bus { port, addresses }),
        ProbeOutcome::Silent => Err(NoBoard::Silent { port: address.clone() }),
        ProbeOutcome::NotABoard => Err(NoBoard::NotABoard { port: address.clone() }),
    }
}

/// Asks a found board for its trademark, which no board has to answer.
///
/// # Errors
/// When the line ends.
pub async fn ask_trademark(board: &mut FoundBoard, clock: HallClock) -> Result<(), NoBoard> {
    let address = board.port.address().clone();
    let gone = |gone| NoBoard::Gone { port: address.clone(), gone };
    board.port.send(&Command::Trademark.encode()).map_err(gone)?;
    let wait = TRADEMARK_WAIT.div_f64(clock.speed().min(FASTEST));
    let answer = tokio::time::timeout(wait, trademark(&mut board.port, &mut board.heard.bytes)).await;
    let text = answer.ok().transpose().map_err(gone)?;
    board.other_trademark = text.filter(|text| {
        let text = text.to_lowercase();
        !KNOWN_TRADEMARKS.iter().any(|known| text.contains(known))
    });
    Ok(())
}

/// The trademark that arrives next; what a playing board sends meanwhile is kept.
async fn trademark(port: &mut Port, heard: &mut Vec<u8>) -> Result<String, Gone> {
    let mut reader = FrameReader::new(Mode::Single);
    loop {
        let chunk = port.receive().await?;
        let mut bytes = &chunk.bytes[..];
        let mut trademark = None;
        while let Some(frame) = reader.next_frame(&mut bytes) {
            match frame.message() {
                Ok(Message::Trademark(text)) => trademark = Some(text),
                Ok(Message::FieldUpdate { .. } | Message::BoardDump(_) | Message::Clock(ClockMessage::Times(_))) => {
                    heard.extend_from_slice(frame.bytes());
                }
                _ => {}
            }
        }
        if let Some(text) = trademark {
            return Ok(text);
        }
    }
}

/// What is at the other end, and what a board there sent meanwhile.
async fn ask(port: &mut Port, first: FirstQuestion, clock: HallClock) -> Result<(ProbeOutcome, Vec<u8>), Gone> {
    // Boards of a demo answer in hall time, but their threads need real time to run.
    let clock = HallClock::start(clock.speed().min(FASTEST));
    let zero = clock.now();
    let now = || Timestamp::from_ms(clock.now() - zero);
    let mut probe = Probe::new(now(), first);
    loop {
        while let Some(command) = probe.poll_command() {
            port.send(&command.encode())?;
        }
        if let Some(outcome) = probe.outcome().cloned() {
            return Ok((outcome, probe.take_heard()));
        }
        let deadline = probe.next_deadline();
        tokio::select! {
            chunk = port.receive() => probe.handle_bytes(now(), &chunk?.bytes),
            () = clock.sleep_until(zero + deadline.map_or(0, Timestamp::as_ms)), if deadline.is_some() => {
                probe.handle_timeout(now());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dgt_protocol::{
        Address as BusAddress, BusCommand, BusMessage, Command, CommandReader, HostMessage, Message, SerialNumber,
    };
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::task::JoinHandle;

    /// A line on which these bus addresses answer pings, and single-board commands are answered as by one board.
    /// Gives back what the line heard.
    async fn line(addresses: &'static [u16]) -> (Address, JoinHandle<Vec<HostMessage>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(listener.local_addr().unwrap().to_string());
        let heard = tokio::spawn(async move {
            let (mut host, _) = listener.accept().await.unwrap();
            let (mut reader, mut heard, mut hushed) = (CommandReader::new(), Vec::new(), None);
            while let Ok(byte) = host.read_u8().await {
                let Some(message) = reader.next_message(&mut &[byte][..]) else { continue };
                let ping = |address| BusMessage::Ping { address }.encode();
                let answers = match &message {
                    HostMessage::Command(Command::Bus(BusCommand::IgnoreNextPing(address))) => {
                        hushed = Some(address.number());
                        vec![ping(*address)]
                    }
                    HostMessage::Command(Command::Bus(BusCommand::Ping(_))) => {
                        let silent = hushed.take();
                        let boards = addresses.iter().filter(|number| Some(**number) != silent);
                        boards.map(|number| ping(BusAddress::new(*number).unwrap())).collect()
                    }
                    HostMessage::Command(Command::Version) => vec![Message::Version { main: 1, sub: 8 }.encode()],
                    HostMessage::Command(Command::Serial) => {
                        vec![Message::Serial(SerialNumber::new("01025").unwrap()).encode()]
                    }
                    _ => Vec::new(),
                };
                heard.push(message);
                if host.write_all(&answers.concat()).await.is_err() {
                    break;
                }
            }
            heard
        });
        (address, heard)
    }

    fn clock() -> HallClock {
        HallClock::start(FASTEST)
    }

    #[tokio::test]
    async fn boards_that_share_a_line_never_hear_a_single_board_command() {
        let (address, heard) = line(&[1025, 1026]).await;
        let found = find_board(&address, FirstQuestion::Ping, clock()).await.unwrap();
        assert!(matches!(&found, Found::Bus { addresses, .. } if *addresses == [1025, 1026]), "{found:?}");
        drop(found);
        let heard = heard.await.unwrap();
        assert!(heard.iter().all(|message| matches!(message, HostMessage::Command(Command::Bus(_)))), "{heard:?}");
    }

    #[tokio::test]
    async fn a_board_alone_that_woke_up_in_bus_mode_is_found() {
        let (address, _heard) = line(&[1025]).await;
        let found = find_board(&address, FirstQuestion::Ping, clock()).await.unwrap();
        let Found::Board(found) = found else { panic!("{found:?}") };
        assert_eq!((found.serial.as_str(), found.version), ("01025", Some((1, 8))));
    }
}
