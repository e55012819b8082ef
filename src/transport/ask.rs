//! Asking a port whether a board is there: `game_core::probe` with a real line and a real clock.
//!
//! Knows how long an answer may take and how to say that there is none. What is asked and what an answer means is the
//! probe's business.

use std::time::Duration;

use dgt_protocol::{Address as BusAddress, BusCommand, BusMessage, Command, FrameReader, Mode};
use game_core::probe::{Probe, ProbeOutcome};
use game_core::time::Timestamp;
use tokio::time::{Instant, timeout_at};

use super::{Address, Gone, Port, PortError};
use crate::hall_clock::HallClock;

/// Boards answer a ping to all at a random moment within 1.1 s (protocol paper, 7.2).
const PING_TIMEOUT: Duration = Duration::from_millis(1300);

/// A board that answered, with its open line.
#[derive(Debug)]
pub struct FoundBoard {
    /// The line.
    pub port: Port,
    /// The board's identity.
    pub serial: String,
    /// Firmware version, main and sub.
    pub version: (u8, u8),
}

/// Why there is no board for us behind a port.
#[derive(Debug, thiserror::Error)]
pub enum NoBoard {
    /// The port does not open.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The line ended while it was asked.
    #[error("{port} went away while it was asked: {gone}")]
    Gone {
        /// The port asked.
        port: Address,
        /// What was seen.
        gone: Gone,
    },
    /// Several boards share the line.
    #[error("{port} is a bus with {boards} boards, which this version does not support: connect each board by itself")]
    Bus {
        /// The port asked.
        port: Address,
        /// How many boards answered.
        boards: usize,
    },
    /// Nobody answers.
    #[error("nothing answers on {port}: check the board's cable and power, or unplug it and plug it in again")]
    Silent {
        /// The port asked.
        port: Address,
    },
    /// Something else answers.
    #[error("what answers on {port} is not a board: take the port out of the settings if it never will be")]
    NotABoard {
        /// The port asked.
        port: Address,
    },
}

/// Opens a port and asks it.
///
/// # Errors
/// [`NoBoard`] with the reason and the remedy.
pub async fn find_board(address: &Address, may_be_bus: bool) -> Result<FoundBoard, NoBoard> {
    let mut port = Port::open(address).await?;
    let gone = |gone| NoBoard::Gone { port: address.clone(), gone };
    let mut outcome = ask(&mut port, may_be_bus).await.map_err(gone)?;
    // A board by itself wakes up in bus mode and answers as a bus of one.
    if let ProbeOutcome::Bus { addresses } = &outcome
        && let [only] = addresses[..]
        && is_alone(&mut port, only).await.map_err(gone)?
    {
        outcome = ask(&mut port, false).await.map_err(gone)?;
    }
    match outcome {
        ProbeOutcome::Board { serial, version } => Ok(FoundBoard { port, serial, version }),
        ProbeOutcome::Bus { addresses } => Err(NoBoard::Bus { port: address.clone(), boards: addresses.len() }),
        ProbeOutcome::Silent => Err(NoBoard::Silent { port: address.clone() }),
        ProbeOutcome::NotABoard => Err(NoBoard::NotABoard { port: address.clone() }),
    }
}

/// Whether a second ping is answered by this board again and by nothing else: two answers at one moment damage each
/// other, but hardly twice.
async fn is_alone(port: &mut Port, number: u16) -> Result<bool, Gone> {
    port.send(&Command::Bus(BusCommand::Ping(BusAddress::ALL)).encode())?;
    let deadline = Instant::now() + PING_TIMEOUT;
    let mut reader = FrameReader::new(Mode::Bus);
    let mut answers = 0;
    let mut alone = true;
    while let Ok(bytes) = timeout_at(deadline, port.receive()).await {
        let bytes = bytes?;
        let mut rest = bytes.as_slice();
        while let Some(frame) = reader.next_frame(&mut rest) {
            answers += 1;
            alone &= matches!(frame.bus_message(), Ok(BusMessage::Ping { address }) if address.number() == number);
        }
    }
    Ok(alone && answers == 1 && reader.dropped() == 0)
}

async fn ask(port: &mut Port, may_be_bus: bool) -> Result<ProbeOutcome, Gone> {
    // Boards answer in real time, whatever the speed of a rehearsal.
    let clock = HallClock::start(1.0);
    let zero = clock.now();
    let now = || Timestamp::from_ms(clock.now() - zero);
    let mut probe = Probe::new(now(), may_be_bus);
    loop {
        while let Some(command) = probe.poll_command() {
            port.send(&command.encode())?;
        }
        if let Some(outcome) = probe.outcome() {
            return Ok(outcome.clone());
        }
        let deadline = probe.next_deadline();
        tokio::select! {
            bytes = port.receive() => probe.handle_bytes(now(), &bytes?),
            () = clock.sleep_until(zero + deadline.map_or(0, Timestamp::as_ms)), if deadline.is_some() => {
                probe.handle_timeout(now());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dgt_protocol::{Message, SerialNumber};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::task::JoinHandle;

    /// A line on which these bus addresses answer pings, until a single-board command reaches a board that is alone.
    /// Gives back what the line heard.
    async fn line(addresses: &'static [u16]) -> (Address, JoinHandle<Vec<u8>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(listener.local_addr().unwrap().to_string());
        let heard = tokio::spawn(async move {
            let (mut host, _) = listener.accept().await.unwrap();
            let mut heard = Vec::new();
            while let Ok(byte) = host.read_u8().await {
                heard.push(byte);
                let answers = match byte {
                    0x87 => addresses
                        .iter()
                        .map(|number| BusAddress::new(*number).unwrap())
                        .map(|address| BusMessage::Ping { address }.encode())
                        .collect(),
                    0x4d => vec![Message::Version { main: 1, sub: 8 }.encode()],
                    0x45 => vec![Message::Serial(SerialNumber::new("01025").unwrap()).encode()],
                    _ => continue,
                };
                if host.write_all(&answers.concat()).await.is_err() {
                    break;
                }
            }
            heard
        });
        (address, heard)
    }

    #[tokio::test]
    async fn boards_that_share_a_line_never_hear_a_single_board_command() {
        let (address, heard) = line(&[1025, 1026]).await;
        let refusal = find_board(&address, true).await.unwrap_err();
        assert!(matches!(refusal, NoBoard::Bus { boards: 2, .. }), "{refusal}");
        let heard = heard.await.unwrap();
        // Frames of four bytes, each begun by a command with bit 7 set.
        assert!(heard.len() % 4 == 0 && heard.chunks(4).all(|command| command[0] == 0x87), "{heard:02x?}");
    }

    #[tokio::test]
    async fn a_board_alone_that_woke_up_in_bus_mode_is_found() {
        let (address, _heard) = line(&[1025]).await;
        let found = find_board(&address, true).await.unwrap();
        assert_eq!((found.serial.as_str(), found.version), ("01025", (1, 8)));
    }
}
