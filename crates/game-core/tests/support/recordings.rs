//! Recordings of boards that the tests read: committed ones of simulated boards, and those of real boards in the folder
//! `shared` beside the project, which is not part of it.

use std::io::Write;
use std::path::Path;

use dgt_protocol::{Fields, Message, PieceCode, Side};

/// The recording of a whole game, and the game that was played.
pub(crate) struct Recording {
    pub(crate) name: String,
    /// A capture file.
    pub(crate) capture: Vec<u8>,
    /// The moves in SAN.
    pub(crate) sans: Vec<String>,
    /// What the clock showed after each move, in milliseconds, where that is written down beside the moves.
    pub(crate) clocks: Option<Vec<u64>>,
    pub(crate) rotated: bool,
}

/// The games of simulated boards, and the one of a real board if it is at hand.
pub(crate) fn recordings() -> Vec<Recording> {
    let simulated = |name: &str, rotated| {
        let file = |ending: &str| {
            let path = format!("{}/../../tests/captures/{name}.{ending}", env!("CARGO_MANIFEST_DIR"));
            read(Path::new(&path)).unwrap_or_else(|| panic!("{path} is committed"))
        };
        let moves = String::from_utf8(file("moves")).unwrap();
        let moves: Vec<_> = moves.lines().map(|line| line.split_once(' ').unwrap()).collect();
        Recording {
            name: name.to_owned(),
            capture: file("capture"),
            sans: moves.iter().map(|(san, _)| (*san).to_owned()).collect(),
            clocks: Some(moves.iter().map(|(_, seconds)| seconds.parse::<u64>().unwrap() * 1_000).collect()),
            rotated,
        }
    };
    let real = || {
        let (capture, moves) = (shared("captures/blitz-real-1.capture")?, shared("captures/blitz-real-1.moves")?);
        let moves = String::from_utf8(moves).unwrap();
        let sans = moves.split_whitespace().filter(|word| !word.ends_with('.') && *word != "*");
        let sans = sans.map(str::to_owned).collect();
        Some(Recording { name: "blitz-real-1".to_owned(), capture, sans, clocks: None, rotated: false })
    };
    let simulated = [simulated("simulated-blitz", false), simulated("simulated-rotated", true)];
    simulated.into_iter().chain(real()).collect()
}

/// A file of the folder `shared` beside the project or beside a folder around it. When it is absent, a line on standard error
/// says so with the name of the test, past the capture of the test harness: a check that did not run must not look like one
/// that passed.
pub(crate) fn shared(path: &str) -> Option<Vec<u8>> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find_map(|at| read(&at.join("shared").join(path)));
    if found.is_none() {
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        let _ = writeln!(std::io::stderr(), "skipped: {test}: shared/{path} is not beside the project");
    }
    found
}

#[allow(clippy::disallowed_methods, reason = "recordings are files")]
fn read(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

/// What the display of the presser showed at each flip of the lever, in milliseconds.
pub(crate) fn shown_at_presses(messages: impl Iterator<Item = Vec<u8>>) -> Vec<u64> {
    let times = messages.filter_map(|bytes| match Message::decode(&bytes) {
        Ok(Message::Clock(dgt_protocol::ClockMessage::Times(times))) => Some(times),
        _ => None,
    });
    let mut right_side_up = None;
    let presses = times.filter_map(|times| {
        let flipped = right_side_up.replace(times.right_side_up).is_some_and(|before| before != times.right_side_up);
        // The lever is up at the side of the player to move.
        let presser = if times.right_side_up { Side::Left } else { Side::Right };
        flipped.then(|| u64::from(times.side(presser).total_seconds()) * 1_000)
    });
    presses.collect()
}

/// The bytes of a text in hex.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// The dump of a position as the board would send it.
pub(crate) fn dump(fen: &str, rotated: bool) -> Vec<u8> {
    let mut fields: Fields = [PieceCode::Empty; 64];
    let mut square = 0;
    for letter in fen.split(' ').next().unwrap().chars() {
        match letter {
            '/' => {}
            '1'..='8' => square += letter.to_digit(10).unwrap() as usize,
            _ => {
                let code = ".PRNBKQprnbkq".find(letter).unwrap() as u8;
                fields[if rotated { 63 - square } else { square }] = PieceCode::from_byte(code);
                square += 1;
            }
        }
    }
    Message::BoardDump(fields).encode()
}
