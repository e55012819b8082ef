//! `boardcast boards`: lists the boards that are connected.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use dgt_protocol::{
    Address as BusAddress, BusCommand, BusMessage, ClockMessage, Command, Fields, FrameReader, Message, Mode,
};
use game_core::placement::Placement;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

use super::output;
use crate::config::Config;
use crate::transport::ask::{Found, FoundBoard, NoBoard, find_board};
use crate::transport::candidates::{Candidate, PortPattern, Scope, candidates};
use crate::transport::{Gone, Port, boards_of};
use hall_clock::HallClock;
use notation_commands::Done;

/// Maximum time for a board to answer with its position and clock; usually 0.2 s.
const TELL_TIMEOUT: Duration = Duration::from_secs(2);

/// Boards of a bus are looked for until no further one was found for this long: 5 take about 3 s, 30 about 8 s.
const LOOK_ON: Duration = Duration::from_secs(4);

/// The usual start position.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// List connected boards: port, serial number, version, clock and position
///
/// Queries devices with the USB id of a board, and the ports that are named here or in the configuration. Other devices are
/// only listed, with the option that allows boardcast to query them.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Configuration file whose ports are queried too
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A further port to query: a path, a pattern like '/dev/ttyUSB*', or tcp://host:port; may be repeated
    #[arg(long = "port", value_name = "PORT")]
    ports: Vec<PortPattern>,
}

pub(super) async fn run(args: Args) -> anyhow::Result<Done> {
    let mut allowed = args.config.as_deref().map(Config::read).transpose()?.unwrap_or_default().ports;
    allowed.extend(args.ports);
    let scope = Scope { machine: true, allowed, ..Scope::default() };
    let found = tokio::task::spawn_blocking(move || candidates(&scope)).await?;
    if found.is_empty() {
        output::print("There are no serial ports. Connect a board by USB, or name its port with --port.\n")?;
        return Ok(Done::Fully);
    }
    let mut looks = JoinSet::new();
    for (place, candidate) in found.into_iter().enumerate() {
        looks.spawn(async move { (place, look(candidate).await) });
    }
    let mut seen = looks.join_all().await;
    seen.sort_by_key(|(place, _)| *place);
    let mut done = Done::Fully;
    for (_, (text, complete)) in seen {
        output::print(&text)?;
        if !complete {
            done = Done::Partly;
        }
    }
    Ok(done)
}

/// The text about a port, and whether it is complete.
async fn look(candidate: Candidate) -> (String, bool) {
    let first = candidate.first_question(false);
    let Candidate { address, device, may_ask, .. } = candidate;
    if !may_ask {
        return (format!("{address}  {device}\n  not queried: to allow it, use --port {address}\n"), true);
    }
    match find_board(&address, first, HallClock::start(1.0)).await {
        Ok(Found::Bus { port, addresses }) => {
            let (text, complete) = look_on_bus(port, &addresses).await;
            (format!("{address}  {device}\n{text}"), complete)
        }
        Ok(Found::Board(mut board)) => {
            let answers = query(&mut board).await;
            (format!("{address}  {device}\n{}", describe(&board, &answers)), answers.is_ok())
        }
        Err(reason) => {
            let complete = !matches!(reason, NoBoard::Port(_) | NoBoard::Gone { .. });
            (format!("{address}  {device}\n  {reason}\n"), complete)
        }
    }
}

/// The text about the boards of a bus, and whether it is complete.
async fn look_on_bus(line: Port, addresses: &[u16]) -> (String, bool) {
    let mut found = boards_of(line, addresses, HallClock::start(1.0));
    let mut boards = BTreeMap::new();
    while let Ok(Some(mut board)) = timeout(LOOK_ON, found.recv()).await {
        let answers = query(&mut board).await;
        boards.insert(board.serial.clone(), (describe(&board, &answers), answers.is_ok()));
    }
    let complete = boards.values().all(|(_, complete)| *complete);
    let texts: String = boards.values().map(|(text, _)| text.as_str()).collect();
    (format!("  a bus with {}\n{texts}", output::counted(boards.len() as u64, "board")), complete && !boards.is_empty())
}

/// The position and clock of a board.
#[derive(Debug, Default)]
struct Answers {
    fields: Option<Fields>,
    clock: Option<ClockMessage>,
}

async fn query(board: &mut FoundBoard) -> Result<Answers, Gone> {
    let on_bus = board.port.bus_address().and_then(BusAddress::new);
    let questions = on_bus.map_or([Command::Clock, Command::Board], |address| {
        [BusCommand::Clock(address), BusCommand::Board(address)].map(Command::Bus)
    });
    for question in questions {
        board.port.send(&question.encode())?;
    }
    let deadline = Instant::now() + TELL_TIMEOUT;
    let mut reader = FrameReader::new(if on_bus.is_some() { Mode::Bus } else { Mode::Single });
    let mut answers = Answers::default();
    while answers.fields.is_none() || answers.clock.is_none() {
        let Ok(chunk) = timeout_at(deadline, board.port.receive()).await else {
            break;
        };
        let chunk = chunk?;
        let mut rest = chunk.bytes.as_slice();
        while let Some(frame) = reader.next_frame(&mut rest) {
            match (frame.message(), frame.bus_message()) {
                (Ok(Message::BoardDump(fields)), _) | (_, Ok(BusMessage::Board { fields, .. })) => {
                    answers.fields = Some(fields);
                }
                (Ok(Message::Clock(clock)), _) | (_, Ok(BusMessage::Clock { clock, .. })) => {
                    answers.clock = Some(clock);
                }
                _ => {}
            }
        }
    }
    Ok(answers)
}

fn describe(board: &FoundBoard, answers: &Result<Answers, Gone>) -> String {
    let firmware = board.version.map_or_else(|| "unknown".into(), |(main, sub)| format!("{main}.{sub}"));
    let mut text = format!("  board {}, firmware {firmware}\n", board.serial);
    let answers = match answers {
        Ok(answers) => answers,
        Err(gone) => {
            let _ = writeln!(text, "  disconnected while it was queried: {gone}");
            return text;
        }
    };
    let _ = writeln!(text, "  clock     {}", answers.clock.as_ref().map_or_else(|| "none".into(), describe_clock));
    let _ =
        writeln!(text, "  position  {}", answers.fields.as_ref().map_or_else(|| "no answer".into(), describe_position));
    text
}

fn describe_clock(clock: &ClockMessage) -> String {
    match clock {
        ClockMessage::Times(times) if !times.no_clock => {
            let [left, right] =
                [times.left, times.right].map(|side| format!("{}:{:02}:{:02}", side.hours, side.minutes, side.seconds));
            let state = if times.running { "running" } else { "stopped" };
            let battery = if times.battery_low { ", battery low" } else { "" };
            format!("{left} left, {right} right, {state}{battery}")
        }
        _ => "none".into(),
    }
}

fn describe_position(fields: &Fields) -> String {
    let placement = Placement::from_fields(fields, false);
    if placement == Placement::EMPTY {
        "empty".into()
    } else if placement.turned().fen() == START {
        format!("{START}, with White at the far end")
    } else {
        placement.fen()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dgt_protocol::PieceCode;
    use game_core::placement::code_of;
    use shakmaty::{Board, Square};

    #[test]
    fn positions_are_shown_from_whites_side() {
        let mut fields = [PieceCode::Empty; 64];
        assert_eq!(describe_position(&fields), "empty");
        let board = Board::default();
        for (field, square) in fields.iter_mut().zip(Square::ALL.iter().map(|square| square.flip_vertical())) {
            *field = board.piece_at(square).map_or(PieceCode::Empty, code_of);
        }
        assert_eq!(describe_position(&fields), START);
        fields.reverse();
        assert_eq!(describe_position(&fields), format!("{START}, with White at the far end"));
    }
}
