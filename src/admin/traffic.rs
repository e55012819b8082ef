//! Shows the last traffic of a board, from its capture, with the meaning of each message in words.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use dgt_protocol::{
    ClockMessage, ClockTimes, CommandReader, FrameReader, HostMessage, Message, Mode, PieceCode, SideTime,
};
use game_core::capture::{Entry, read_capture};
use game_core::input::Input;

use super::api::traffic::{Sender, Traffic, TrafficLine};
use super::problem::AdminRefusal;
use super::state::{API, Admin, blocking};
use crate::transport::capture_file::newest_lines;
use public_web::problem::{Problem, failing};
use public_web::sent::At;

/// Bytes of the capture that are read: some minutes of play.
const MOST_BYTES: u64 = 64 * 1024;
/// Lines that are shown.
const MOST_LINES: usize = 500;

/// Get the last traffic of a board
///
/// At most 500 lines, the newest last: bytes from the board and to it, and other inputs of its session.
#[utoipa::path(
    get, path = API.to_owned() + "/boards/{board}/traffic", tag = "boards",
    params(("board" = String, Path, description = "Serial number of the board")),
    responses((status = 200, description = "The last traffic", body = Traffic),
        (status = 404, description = "The board has no capture", body = Problem)),
)]
pub(super) async fn see_traffic(
    State(admin): State<Arc<Admin>>,
    At(board): At<String>,
) -> Result<Json<Traffic>, Problem> {
    let captures = admin.parts.data.join("captures");
    let serial = board.clone();
    let lines = blocking(move || newest_lines(&captures, &serial, MOST_BYTES)).await?;
    let lines = lines.map_err(|error| {
        tracing::warn!(%error, "the capture of board {board} cannot be read: check the permissions of the folder");
        failing()
    })?;
    let none = || Problem::coded(StatusCode::NOT_FOUND, AdminRefusal::NothingCaptured);
    Ok(Json(Traffic { board, lines: told(&lines.ok_or_else(none)?) }))
}

/// The newest lines of a capture in words.
fn told(capture: &[u8]) -> Vec<TrafficLine> {
    let capture = read_capture(capture);
    let started = capture.header.started.unwrap_or(0);
    let mut frames = FrameReader::new(Mode::Single);
    let mut commands = CommandReader::new();
    let mut lines: Vec<_> = capture
        .lines
        .into_iter()
        .map(|line| {
            let at = started.saturating_add(line.at.as_ms());
            match line.entry {
                Entry::In(Input::Bytes(bytes)) => {
                    let mut rest = &bytes[..];
                    let mut means = Vec::new();
                    while let Some(frame) = frames.next_frame(&mut rest) {
                        means.push(frame.message().map_or_else(|error| error.to_string(), |message| words(&message)));
                    }
                    TrafficLine { at, from: Sender::Board, bytes: hex(&bytes), means }
                }
                Entry::Out(bytes) => {
                    let mut rest = &bytes[..];
                    let mut means = Vec::new();
                    while let Some(message) = commands.next_message(&mut rest) {
                        means.push(match message {
                            HostMessage::Command(command) => format!("{command:?}"),
                            other => format!("{other:?}"),
                        });
                    }
                    TrafficLine { at, from: Sender::Daemon, bytes: hex(&bytes), means }
                }
                Entry::In(Input::Notice(notice)) => {
                    let means = serde_json::to_string(&notice).into_iter().collect();
                    TrafficLine { at, from: Sender::Session, bytes: String::new(), means }
                }
            }
        })
        .collect();
    lines.drain(..lines.len().saturating_sub(MOST_LINES));
    lines
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What a message says. Squares are named as the board numbers them, with its connector at White's left hand.
fn words(message: &Message) -> String {
    match message {
        Message::FieldUpdate { field, piece } => {
            let file = char::from(b'a' + field.number() % 8);
            let content = if *piece == PieceCode::Empty { "empty".to_owned() } else { sign(*piece).to_string() };
            format!("{file}{}: {content}", 8 - field.number() / 8)
        }
        Message::BoardDump(fields) => {
            let ranks: Vec<String> = fields.chunks(8).map(|rank| rank.iter().copied().map(sign).collect()).collect();
            format!("dump {}", ranks.join("/"))
        }
        Message::Clock(ClockMessage::Times(times)) => clock(*times),
        Message::Clock(ClockMessage::Ack(ack)) => format!("answer of the clock {}", hex(&ack.0)),
        Message::Clock(ClockMessage::AllZero) => "clock message without content".to_owned(),
        Message::Log(log) => format!("log of {} bytes", log.as_bytes().len()),
        Message::Serial(serial) => format!("serial number {}", serial.number),
        Message::Trademark(text) => format!("trademark: {}", text.trim()),
        Message::Version { main, sub } => format!("firmware {main}.{sub}"),
        Message::HardwareVersion { main, sub } => format!("hardware {main}.{sub}"),
        Message::Battery(battery) => format!("battery {} %", battery.percent),
        other => format!("{other:?}"),
    }
}

fn clock(times: ClockTimes) -> String {
    if times.no_clock {
        return "no clock".to_owned();
    }
    let side = |time: SideTime| format!("{}:{:02}:{:02}", time.hours, time.minutes, time.seconds);
    let runs = match (times.running, times.right_side_up) {
        (false, _) => "stands",
        (true, true) => "runs on the right",
        (true, false) => "runs on the left",
    };
    let lever = if times.right_side_up { "right" } else { "left" };
    format!("clock {} {}, {runs}, {lever} side up", side(times.left), side(times.right))
}

/// The letter of a piece as in FEN, `-` for an empty square, `?` for a result piece.
fn sign(piece: PieceCode) -> char {
    char::from(b"-PRNBKQprnbkq???"[usize::from(piece.to_byte()) & 15])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_says_what_it_means_also_when_a_message_comes_in_two_chunks() {
        let text = "# boardcast-capture 1\n# started: 2026-11-22T14:00:00Z\n\
            0 ! {\"attach\":{\"port\":\"/dev/ttyUSB0\"}}\n5 > 4b\n10 < 8e00053400\n20 < 8e0005\n25 < 2401\n\
            30 < 8d000a01295801300009\n40 < ff00\nrubbish\n";
        let lines = told(text.as_bytes());
        let means: Vec<_> = lines.iter().map(|line| line.means.join("; ")).collect();
        assert_eq!(
            means,
            [
                r#"{"attach":{"port":"/dev/ttyUSB0"}}"#,
                "UpdateNice",
                "e2: empty",
                "",
                "e4: P",
                "clock 1:30:00 1:29:58, runs on the left, left side up",
                ""
            ]
        );
        assert_eq!((lines[2].from, &*lines[2].bytes), (Sender::Board, "8e00053400"));
        assert_eq!(lines[0].at, lines[6].at - 40);
    }

    #[test]
    fn only_the_newest_lines_are_shown_and_rubbish_shows_nothing() {
        let text = "# boardcast-capture 1\n".to_owned() + &"1 < 8e00053400\n".repeat(700);
        assert_eq!(told(text.as_bytes()).len(), MOST_LINES);
        assert!(told(b"\xff\0nothing").is_empty());
    }
}
