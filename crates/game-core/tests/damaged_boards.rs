//! What real boards sent, with one message lost or one byte damaged at a time, every single one: no crash, no wrong move, at
//! most the reading that a byte describes is wrong, and the next dump shows the board as it is. The bytes are not part of the
//! project; where they are not at hand the tests say so and pass.
#![allow(clippy::disallowed_methods, reason = "captures of real boards are files, and a campaign is asked for")]

mod shared;

use dgt_protocol::{ClockMessage, Command, FrameReader, Message, Mode};
use game_core::capture::{Entry, read_capture};
use game_core::event::Variant;
use game_core::game::Game;
use game_core::input::{Attach, Command as OperatorCommand, Input, Notice, Order};
use game_core::placement::Placement;
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use notation::pgn::Outcome;
use shared::{dump, hex, shared};

/// A dump takes this long on the line, in ms.
const DUMP_MS: u64 = 70;
/// After the last message the board is asked for dumps for so long.
const REST_MS: u64 = 100_000;

/// A message and when it arrived.
#[derive(Clone)]
struct Frame {
    at: u64,
    bytes: Vec<u8>,
}

/// What a board sent, and from which position if not from the usual one.
struct Stream {
    id: String,
    fen: Option<String>,
    frames: Vec<Frame>,
}

/// What was told, and how the board is seen in the end.
struct Told {
    game: Game,
    sees_board: bool,
}

/// A board that answers as a real one does, while its messages come as they were captured.
struct Board {
    fields: dgt_protocol::Fields,
    clock: Option<ClockMessage>,
}

impl Board {
    fn learn(&mut self, bytes: &[u8]) {
        let mut reader = FrameReader::new(Mode::Single);
        let mut rest = bytes;
        while let Some(frame) = reader.next_frame(&mut rest) {
            match frame.message() {
                Ok(Message::BoardDump(fields)) => self.fields = fields,
                Ok(Message::FieldUpdate { field, piece, .. }) => self.fields[field.index()] = piece,
                Ok(Message::Clock(message)) => self.clock = Some(message),
                _ => {}
            }
        }
    }

    fn answer(&self, command: Command) -> Option<Vec<u8>> {
        match command {
            Command::Board => Some(Message::BoardDump(self.fields).encode()),
            Command::Clock => self.clock.map(|message| Message::Clock(message).encode()),
            Command::Version => Some(Message::Version { main: 1, sub: 8 }.encode()),
            _ => None,
        }
    }
}

/// Plays a stream to a session; `line` is what becomes of each message.
fn play(stream: &Stream, line: impl Fn(usize, &[u8]) -> Vec<u8>) -> Told {
    let mut session = BoardSession::new();
    let mut board = Board { fields: [dgt_protocol::PieceCode::Empty; 64], clock: None };
    let mut game = Game::new();
    let mut answers: Vec<Frame> = Vec::new();
    let mut frames = stream.frames.iter().enumerate().peekable();
    let end = stream.frames.last().map_or(0, |frame| frame.at) + REST_MS;
    let mut now = 0;
    session.handle_input(Timestamp::ZERO, &Input::Notice(Notice::Attach(Attach::default())));
    loop {
        while let Some(output) = session.poll_output() {
            match output {
                Output::Send(command) => {
                    let bytes = board.answer(command);
                    answers.extend(bytes.map(|bytes| Frame { at: now + DUMP_MS, bytes }));
                }
                Output::Event(record) => assert!(game.apply(&record.event), "{record:?}"),
            }
        }
        let frame = frames.peek().map(|(_, frame)| frame.at);
        let answer = answers.first().map(|frame| frame.at);
        let deadline = session.next_deadline().map(Timestamp::as_ms);
        let Some(due) = [frame, answer, deadline].into_iter().flatten().min().filter(|&due| due <= end) else { break };
        now = now.max(due);
        let at = Timestamp::from_ms(now);
        if deadline == Some(due) {
            session.handle_timeout(at);
        } else if answer == Some(due) {
            session.handle_input(at, &Input::Bytes(answers.remove(0).bytes));
        } else if let Some((number, frame)) = frames.next() {
            board.learn(&frame.bytes);
            session.handle_input(at, &Input::Bytes(line(number, &frame.bytes)));
            if let (0, Some(fen)) = (number, &stream.fen) {
                let order = Order::StartFrom { fen: fen.clone(), variant: Variant::Standard };
                let command = OperatorCommand { by: "Ada".to_owned(), order };
                session.handle_input(at, &Input::Notice(Notice::Command(command)));
            }
        }
    }
    let sees_board = *session.placement() == Placement::from_fields(&board.fields, session.orientation().rotated);
    Told { game, sees_board }
}

fn sans(told: &Told) -> Vec<&str> {
    told.game.moves().iter().map(|mv| mv.san.as_str()).collect()
}

/// The first difference beyond missing readings and so many wrong ones.
fn beyond(expected: &Told, told: &Told, wrong_readings: usize) -> Option<String> {
    if sans(told) != sans(expected) {
        return Some(format!("{:?}", sans(told)));
    }
    if told.game.result() != expected.game.result() {
        return Some(format!("result {:?}", told.game.result()));
    }
    if !told.sees_board {
        return Some("the board is not seen as it is".to_owned());
    }
    let readings = told.game.moves().iter().zip(expected.game.moves());
    let wrong = readings.filter(|(told, was)| told.clk_ms.is_some() && told.clk_ms != was.clk_ms).nth(wrong_readings);
    wrong.map(|(told, was)| format!("{}: {:?}, was {:?}", told.san, told.clk_ms, was.clk_ms))
}

/// Loses each message and damages each byte of a stream in turn, or every so many of them.
fn lose_and_damage(stream: &Stream, stride: usize) -> Vec<String> {
    let expected = play(stream, |_, bytes| bytes.to_vec());
    // What came before the game is how the position became known.
    let first = usize::from(stream.fen.is_some());
    let mut failures = Vec::new();
    for lost in (first..stream.frames.len()).step_by(stride) {
        let told = play(stream, |number, bytes| if number == lost { Vec::new() } else { bytes.to_vec() });
        let wrong = beyond(&expected, &told, 0).map(|what| format!("{}, message {lost} lost: {what}", stream.id));
        failures.extend(wrong);
    }
    let lengths = stream.frames.iter().map(|frame| frame.bytes.len()).enumerate().skip(first);
    let bytes: Vec<_> = lengths.flat_map(|(number, length)| (0..length).map(move |at| (number, at))).collect();
    for (count, &(hit, at)) in bytes.iter().enumerate().step_by(stride) {
        let told = play(stream, |number, bytes| {
            let mut bytes = bytes.to_vec();
            if number == hit {
                bytes[at] ^= 1 << (count % 8);
            }
            bytes
        });
        let wrong = beyond(&expected, &told, 1);
        failures
            .extend(wrong.map(|what| format!("{}, byte {at} of message {hit}, bit {}: {what}", stream.id, count % 8)));
    }
    failures
}

/// One in so many messages and bytes of the long capture; every single one with `BOARDCAST_CAMPAIGN=full`.
fn stride() -> usize {
    if std::env::var("BOARDCAST_CAMPAIGN").is_ok_and(|campaign| campaign == "full") { 1 } else { 97 }
}

#[test]
fn a_real_game_survives_any_one_loss_or_damage() {
    let Some(capture) = shared("captures/blitz-real-1.capture") else { return };
    let capture = read_capture(&capture);
    let frames = capture.lines.iter().filter_map(|line| match &line.entry {
        Entry::In(Input::Bytes(bytes)) => Some(Frame { at: line.at.as_ms(), bytes: bytes.clone() }),
        _ => None,
    });
    let stream = Stream { id: "blitz-real-1".to_owned(), fen: None, frames: frames.collect() };
    assert_eq!(play(&stream, |_, bytes| bytes.to_vec()).game.moves().len(), 57);
    let failures = lose_and_damage(&stream, stride());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn streams_of_real_moves_survive_every_one_loss_or_damage() {
    let Some(vectors) = shared("protocol/vectors.json") else { return };
    let vectors: serde_json::Value = serde_json::from_slice(&vectors).unwrap();
    let mut failures = Vec::new();
    for stream in vectors["move_streams"].as_array().unwrap() {
        // The one stream that ends a game names no position.
        let Some(fen) = stream["fen_before"].as_str() else { continue };
        let bytes = hex(stream["hex"].as_str().unwrap());
        let mut frames = vec![Frame { at: 0, bytes: dump(fen, stream["rotated_board"].as_bool().unwrap()) }];
        let mut rest = &bytes[..];
        while let [_, high, low, ..] = *rest {
            let (frame, after) = rest.split_at(usize::from(high) * 128 + usize::from(low));
            frames.push(Frame { at: 1_000 + frames.len() as u64 * 210, bytes: frame.to_vec() });
            rest = after;
        }
        let id = stream["id"].as_str().unwrap().to_owned();
        let stream = Stream { id, fen: Some(fen.to_owned()), frames };
        let told = play(&stream, |_, bytes| bytes.to_vec());
        assert_eq!((told.game.moves().len(), told.game.result()), (1, Outcome::Unknown), "{}", stream.id);
        failures.extend(lose_and_damage(&stream, 1));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
