//! Reads records line by line from a source; memory does not grow with the text.

use std::io::{self, BufRead};

use super::error::StreamError;
use super::limits::MAX_RECORD_BYTES;
use super::read::read_record_noting;
use super::record::Record;
use crate::fen::{FenError, Reading};

/// Reads the records of a text, one a line. Skips a byte-order mark, empty lines, and in lax reading lines that begin with
/// `#`. A line that is not UTF-8 is read as Latin-1. A damaged record yields an error, and reading continues.
///
/// [`StreamError::Io`] ends the iteration.
pub fn read_records<R: BufRead>(source: R, reading: Reading) -> Records<R> {
    Records { source, reading, line: 0, ignored: Vec::new(), ended: false }
}

/// The records of a text, see [`read_records`].
#[derive(Debug)]
pub struct Records<R> {
    source: R,
    reading: Reading,
    line: usize,
    ignored: Vec<FenError>,
    ended: bool,
}

impl<R> Records<R> {
    /// The line of the latest record, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Castling rights and en passant square of the latest record that lax reading ignored.
    pub fn ignored(&self) -> &[FenError] {
        &self.ignored
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Record, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            self.line += 1;
            let line = self.line;
            let bytes = match next_line(&mut self.source) {
                Ok(Some(bytes)) => bytes,
                Ok(None) => {
                    self.ended = true;
                    break;
                }
                Err(source) => {
                    self.ended = true;
                    return Some(Err(StreamError::Io { line, source }));
                }
            };
            let text = decode(bytes);
            let text = if line == 1 { text.strip_prefix('\u{feff}').unwrap_or(&text) } else { &text };
            let lax = !self.reading.is_strict();
            if text.trim().is_empty() || lax && text.trim_start().starts_with('#') {
                continue;
            }
            self.ignored.clear();
            let record = read_record_noting(text, self.reading, &mut self.ignored);
            return Some(record.map_err(|source| StreamError::Record { line, source }));
        }
        None
    }
}

/// The next line without its line end; `None` at the end of the text. A line that is too long is cut just above the limit,
/// so that the reader refuses it.
fn next_line(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    // The limit, a byte-order mark, a carriage return, and one byte over the limit.
    const KEPT: usize = MAX_RECORD_BYTES + 5;
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let chunk = match source.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            break;
        }
        any = true;
        let (part, used, whole) = match chunk.iter().position(|&b| b == b'\n') {
            Some(end) => (chunk.get(..end).unwrap_or_default(), end + 1, true),
            None => (chunk, chunk.len(), false),
        };
        let room = KEPT.saturating_sub(line.len()).min(part.len());
        line.extend_from_slice(part.get(..room).unwrap_or_default());
        source.consume(used);
        if whole {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(any.then_some(line))
}

fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|wrong| wrong.as_bytes().iter().map(|&b| char::from(b)).collect())
}
