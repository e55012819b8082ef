//! The capture file: all inputs of one board's session with their instants, as text (docs/contracts.md, 3.2).
//!
//! Knows how lines are written and read, and which damage is normal. Must not know files.

use std::fmt;

use crate::event::Variant;
use crate::input::{Input, Notice};
use crate::time::{Timestamp, format_utc, parse_utc};

/// The first line of every capture file.
pub(crate) const MAGIC: &str = "# boardcast-capture 1";
/// Longest line that is read, in bytes: more than a whole event log of a board in hex.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

/// The header of a capture file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaptureHeader {
    /// The instant of t = 0, UTC ms.
    pub started: Option<u64>,
    /// The board's serial number.
    pub board: Option<String>,
    /// Start position of the present or the next game.
    pub fen: Option<String>,
    /// The rules.
    pub variant: Variant,
    /// Time control in PGN form.
    pub time_control: Option<String>,
    /// Unknown keys, in order; they are kept.
    pub other: Vec<(String, String)>,
}

impl fmt::Display for CaptureHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MAGIC}")?;
        if let Some(started) = self.started {
            writeln!(f, "# started: {}", format_utc(started))?;
        }
        for (key, value) in [("board", &self.board), ("fen", &self.fen), ("time-control", &self.time_control)] {
            if let Some(value) = value {
                writeln!(f, "# {key}: {value}")?;
            }
        }
        if self.variant == Variant::Chess960 {
            writeln!(f, "# variant: chess960")?;
        }
        self.other.iter().try_for_each(|(key, value)| writeln!(f, "# {key}: {value}"))
    }
}

/// The content of a line: an input, or bytes sent to the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// An input of the session.
    In(Input),
    /// Bytes sent to the board.
    Out(Vec<u8>),
}

/// A line with its instant. Displayed as the line without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureLine {
    /// The instant, since the start of the capture.
    pub at: Timestamp,
    /// The content.
    pub entry: Entry,
}

impl fmt::Display for CaptureLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.as_ms();
        match &self.entry {
            Entry::In(Input::Bytes(bytes)) => {
                write!(f, "{at} < ")?;
                write_hex(f, bytes)
            }
            Entry::Out(bytes) => {
                write!(f, "{at} > ")?;
                write_hex(f, bytes)
            }
            Entry::In(Input::Notice(notice)) => {
                let json = serde_json::to_string(notice).map_err(|_| fmt::Error)?;
                write!(f, "{at} ! {json}")
            }
        }
    }
}

fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

/// The damage of a line.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// The first line is not that of a capture file.
    #[error("this is not a capture file: its first line must be «{MAGIC}»")]
    NotACapture,
    /// The line is too long.
    #[error("the line is longer than {MAX_LINE_BYTES} bytes")]
    TooLong,
    /// The line does not begin with a number of milliseconds.
    #[error("the line does not begin with a time in milliseconds")]
    Time,
    /// The direction is neither `<` nor `>` nor `!`.
    #[error("after the time comes «<», «>» or «!»")]
    Direction,
    /// The bytes are not pairs of hex digits.
    #[error("the bytes are not written as pairs of hexadecimal digits")]
    Hex,
    /// The JSON object is not an input.
    #[error("the notice cannot be understood")]
    Notice(#[source] serde_json::Error),
    /// A header value cannot be read.
    #[error("the value of «{0}» cannot be read")]
    Header(String),
}

/// The damage of a line and its place.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {damage}")]
pub struct CaptureError {
    /// Line number, from 1.
    pub line: usize,
    /// Whether it is the last line and has no line end: the normal trace of a power cut, ignored with a warning.
    pub torn: bool,
    /// The damage.
    #[source]
    pub damage: Damage,
}

/// A capture file, as far as it can be read.
#[derive(Debug, Default)]
pub struct Capture {
    /// The header.
    pub header: CaptureHeader,
    /// The readable lines, in file order.
    pub lines: Vec<CaptureLine>,
    /// The damaged lines.
    pub errors: Vec<CaptureError>,
}

/// Reads a capture file. Damaged lines are reported, all others are read.
pub fn read_capture(bytes: &[u8]) -> Capture {
    let mut capture = Capture::default();
    let whole = bytes.last().is_none_or(|&last| last == b'\n');
    let lines: Vec<_> = bytes.split(|&b| b == b'\n').collect();
    let last = if whole { lines.len().saturating_sub(1) } else { lines.len() };
    for (index, line) in lines.iter().enumerate().take(last) {
        let result = if line.len() > MAX_LINE_BYTES {
            Err(Damage::TooLong)
        } else {
            // Bytes that are not UTF-8 fail later, as a time, as hex or as JSON.
            read_line(index, String::from_utf8_lossy(line).trim_end_matches('\r'), &mut capture)
        };
        if let Err(damage) = result {
            let torn = !whole && index + 1 == lines.len() && index > 0;
            capture.errors.push(CaptureError { line: index + 1, torn, damage });
        }
    }
    if capture.lines.is_empty()
        && matches!(capture.errors.first(), Some(CaptureError { damage: Damage::NotACapture, .. }))
    {
        capture.errors.truncate(1); // Not a capture file: its other damage is of no interest.
    }
    if last == 0 {
        capture.errors.push(CaptureError { line: 1, torn: false, damage: Damage::NotACapture });
    }
    capture
}

fn read_line(index: usize, line: &str, capture: &mut Capture) -> Result<(), Damage> {
    if index == 0 {
        return if line == MAGIC { Ok(()) } else { Err(Damage::NotACapture) };
    }
    if let Some(header) = line.strip_prefix('#') {
        return read_header(header, &mut capture.header);
    }
    if line.trim().is_empty() {
        return Ok(());
    }
    let mut parts = line.splitn(3, ' ');
    let at = parts.next().and_then(|ms| ms.parse().ok()).map(Timestamp::from_ms).ok_or(Damage::Time)?;
    let direction = parts.next().ok_or(Damage::Direction)?;
    let rest = parts.next().unwrap_or("");
    let entry = match direction {
        "<" => Entry::In(Input::Bytes(read_hex(rest)?)),
        ">" => Entry::Out(read_hex(rest)?),
        "!" => Entry::In(Input::Notice(serde_json::from_str::<Notice>(rest).map_err(Damage::Notice)?)),
        _ => return Err(Damage::Direction),
    };
    capture.lines.push(CaptureLine { at, entry });
    Ok(())
}

fn read_header(text: &str, header: &mut CaptureHeader) -> Result<(), Damage> {
    // A comment without a colon is not a header.
    let Some((key, value)) = text.split_once(':') else { return Ok(()) };
    let (key, value) = (key.trim(), value.trim().to_owned());
    match key {
        "started" => header.started = Some(parse_utc(&value).ok_or_else(|| Damage::Header(key.to_owned()))?),
        "board" => header.board = Some(value),
        "fen" => header.fen = Some(value),
        "time-control" => header.time_control = Some(value),
        "variant" => {
            header.variant = match value.as_str() {
                "standard" => Variant::Standard,
                "chess960" => Variant::Chess960,
                _ => return Err(Damage::Header(key.to_owned())),
            }
        }
        _ => header.other.push((key.to_owned(), value)),
    }
    Ok(())
}

fn read_hex(text: &str) -> Result<Vec<u8>, Damage> {
    let digit = |b: u8| char::from(b).to_digit(16).ok_or(Damage::Hex);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Damage::Hex);
    }
    pairs.iter().map(|&[high, low]| Ok((digit(high)? << 4 | digit(low)?) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Assign, Attach, Command, Detach, Order, Resume, ResumedMove};

    #[test]
    fn every_line_reads_back_as_written() {
        let notices = vec![
            Notice::Attach(Attach {
                port: "/dev/ttyACM0".into(),
                serial: Some("01025".into()),
                version: Some((1, 8)),
                bus: None,
                bluetooth: true,
            }),
            Notice::Detach(Detach { reason: "unplugged".into() }),
            Notice::Assign(Assign { game: "g1".into(), time_control: Some("180+2".into()), ..Assign::default() }),
            Notice::Command(Command { by: "Ada".into(), order: Order::Result { result: "1-0".into(), reason: None } }),
            Notice::Command(Command {
                by: "Ada".into(),
                order: Order::StartFrom { fen: "8/8/8/8/8/8/8/8 w - - 0 1".into(), variant: Variant::Standard },
            }),
            Notice::Command(Command { by: "Ada".into(), order: Order::Blind { squares: vec!["e4".into()] } }),
            Notice::Resume(Resume {
                blind: vec!["e4".into()],
                moves: vec![ResumedMove { uci: "e2e4".into(), ..ResumedMove::default() }],
                ..Resume::default()
            }),
            Notice::End {},
        ];
        let header = CaptureHeader {
            started: Some(1_795_172_593_250),
            board: Some("01025".into()),
            time_control: Some("180+2".into()),
            variant: Variant::Chess960,
            other: vec![("note".into(), "a spare board: the third".into())],
            ..CaptureHeader::default()
        };
        let mut lines: Vec<_> = notices.into_iter().map(|n| Entry::In(Input::Notice(n))).collect();
        lines.push(Entry::In(Input::Bytes(vec![0x8e, 0, 5, 52, 0])));
        lines.push(Entry::Out(vec![0x4b]));
        let lines: Vec<_> =
            (0..).zip(lines).map(|(i, entry)| CaptureLine { at: Timestamp::from_ms(i * 10), entry }).collect();
        let text = lines.iter().fold(header.to_string(), |text, line| format!("{text}{line}\n"));
        let capture = read_capture(text.as_bytes());
        assert!(capture.errors.is_empty(), "{:?}", capture.errors);
        assert_eq!(capture.header, header);
        assert_eq!(capture.lines, lines);
    }

    #[test]
    fn a_torn_last_line_is_normal_and_other_damage_is_named_while_the_rest_is_read() {
        let text =
            format!("{MAGIC}\n10 < 8e0005\n20 < 8e00zz\nrubbish\n30 ? 00\n40 ! {{\"attach\":7}}\n50 < 8e0005340");
        let capture = read_capture(text.as_bytes());
        assert_eq!(capture.lines.len(), 1);
        let named: Vec<_> = capture.errors.iter().map(|e| (e.line, e.torn)).collect();
        assert_eq!(named, [(3, false), (4, false), (5, false), (6, false), (7, true)]);
        assert!(matches!(read_capture(b"").errors[..], [CaptureError { damage: Damage::NotACapture, .. }]));
        assert!(matches!(read_capture(b"\x00\xff\n1 < 00\n").errors[0].damage, Damage::NotACapture));
    }
}
