//! What real boards sent, with one message lost or one byte damaged at a time, every single one: no crash, no wrong move, at
//! most the reading that a byte describes is wrong, and the next dump shows the board as it is. Recordings of simulated boards are
//! committed; those of real boards are not part of the project, and a test that lacks them prints that it skips them.
#![allow(clippy::disallowed_methods, reason = "captures of real boards are files, and a campaign is asked for")]

#[path = "support/recordings.rs"]
mod recordings;

use board_sim::placement;
use dgt_protocol::{ClockMessage, Command, FrameReader, Message, Mode, PieceCode};
use game_core::capture::{Entry, read_capture};
use game_core::event::Variant;
use game_core::game::Game;
use game_core::input::{Attach, Command as OperatorCommand, Input, Notice, Order};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use notation::pgn::Outcome;
use recordings::{dump, hex, recordings, shared, shown_at_presses};
use shakmaty::Square;

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
    rotated: bool,
    frames: Vec<Frame>,
    /// The moves that were played, and what the clock showed after each where the board reported a press.
    sans: Vec<String>,
    clocks: Vec<Option<u64>>,
    result: Outcome,
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
    let mut board = Board { fields: [PieceCode::Empty; 64], clock: None };
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
    let stands = |square| placement::field(square, stream.rotated).map(|field| board.fields[field.index()]);
    let sees_board = Square::ALL.into_iter().all(|square| Some(session.placement().get(square)) == stands(square));
    Told { game, sees_board }
}

fn sans(told: &Told) -> Vec<&str> {
    told.game.moves().iter().map(|mv| mv.san.as_str()).collect()
}

/// The first difference from what was played, beyond missing clock times and this many wrong ones.
fn beyond(stream: &Stream, told: &Told, wrong_clock_times: usize) -> Option<String> {
    if sans(told) != stream.sans {
        return Some(format!("{:?}", sans(told)));
    }
    if told.game.result() != stream.result {
        return Some(format!("result {:?}", told.game.result()));
    }
    if !told.sees_board {
        return Some("the board is not seen as it is".to_owned());
    }
    let clock_times = told.game.moves().iter().zip(&stream.clocks);
    let wrong = clock_times.filter(|(told, was)| told.clk_ms.is_some() && told.clk_ms != **was).nth(wrong_clock_times);
    wrong.map(|(told, was)| format!("{}: {:?}, was {was:?}", told.san, told.clk_ms))
}

/// Loses each message and damages each byte of a stream in turn, or every so many of them.
fn lose_and_damage(stream: &Stream, stride: usize) -> Vec<String> {
    let undisturbed = play(stream, |_, bytes| bytes.to_vec());
    let mut failures: Vec<_> =
        beyond(stream, &undisturbed, 0).map(|what| format!("{}: {what}", stream.id)).into_iter().collect();
    let missing = undisturbed.game.moves().iter().zip(&stream.clocks).find(|(told, was)| told.clk_ms != **was);
    failures.extend(missing.map(|(told, was)| format!("{}, {}: {:?}, was {was:?}", stream.id, told.san, told.clk_ms)));
    // What came before the game is how the position became known.
    let first = usize::from(stream.fen.is_some());
    for lost in (first..stream.frames.len()).step_by(stride) {
        let told = play(stream, |number, bytes| if number == lost { Vec::new() } else { bytes.to_vec() });
        let wrong = beyond(stream, &told, 0).map(|what| format!("{}, message {lost} lost: {what}", stream.id));
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
        let wrong = beyond(stream, &told, 1);
        failures
            .extend(wrong.map(|what| format!("{}, byte {at} of message {hit}, bit {}: {what}", stream.id, count % 8)));
    }
    failures
}

/// One in so many messages and bytes of the long capture; every single one with `BOARDCAST_CAMPAIGN=full`.
fn stride() -> usize {
    if std::env::var("BOARDCAST_CAMPAIGN").is_ok_and(|campaign| campaign == "full") { 1 } else { 97 }
}

/// The recorded games as streams.
fn recorded() -> impl Iterator<Item = Stream> {
    recordings().into_iter().map(|recording| {
        let capture = read_capture(&recording.capture);
        let frames = capture.lines.iter().filter_map(|line| match &line.entry {
            Entry::In(Input::Bytes(bytes)) => Some(Frame { at: line.at.as_ms(), bytes: bytes.clone() }),
            _ => None,
        });
        let frames: Vec<_> = frames.collect();
        let presses = || shown_at_presses(frames.iter().map(|frame| frame.bytes.clone()));
        let clocks = recording.clocks.clone().unwrap_or_else(presses);
        let result = if recording.name.starts_with("simulated") { Outcome::WhiteWins } else { Outcome::Unknown };
        Stream {
            id: recording.name,
            fen: None,
            rotated: recording.rotated,
            sans: recording.sans,
            clocks: clocks.into_iter().map(Some).collect(),
            result,
            frames,
        }
    })
}

#[test]
fn a_recorded_game_survives_any_one_loss_or_damage() {
    let failures: Vec<_> = recorded().flat_map(|stream| lose_and_damage(&stream, stride())).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// One bit of a put-down makes another square of its square, and nothing in the message says so: the piece is told to stand there, and
/// may go on from the right square before the next regular dump.
#[test]
fn on_a_line_that_damages_messages_a_dump_confirms_each_put_down() {
    let mut failures = Vec::new();
    for stream in recorded() {
        let put_down = |frame: &Frame| {
            let message = FrameReader::new(Mode::Single).next_frame(&mut &frame.bytes[..])?.message().ok()?;
            matches!(message, Message::FieldUpdate { piece, .. } if piece != PieceCode::Empty).then_some(())
        };
        let numbers: Vec<_> =
            (0..).zip(&stream.frames).filter_map(|(number, frame)| put_down(frame).map(|()| number)).collect();
        for (hit, bit) in
            numbers.iter().flat_map(|&number| (0..6).map(move |bit| (number, bit))).step_by(stride().div_ceil(32))
        {
            let told = play(&stream, |number, bytes| {
                let mut bytes = bytes.to_vec();
                match number {
                    0 => bytes.insert(0, 0x8e),
                    _ if number == hit => bytes[3] ^= 1 << bit,
                    _ => {}
                }
                bytes
            });
            let wrong = beyond(&stream, &told, 0);
            failures.extend(wrong.map(|what| format!("{}, bit {bit} of message {hit}: {what}", stream.id)));
        }
    }
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
        let presses = shown_at_presses(frames.iter().map(|frame| frame.bytes.clone()));
        let stream = Stream {
            id,
            fen: Some(fen.to_owned()),
            rotated: stream["rotated_board"].as_bool().unwrap(),
            sans: vec![stream["expected_san"].as_str().unwrap().to_owned()],
            clocks: vec![presses.first().copied()],
            result: Outcome::Unknown,
            frames,
        };
        failures.extend(lose_and_damage(&stream, 1));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
