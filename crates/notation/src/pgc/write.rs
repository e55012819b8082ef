//! Writes games as PGC.

use shakmaty::{Chess, Position};

use super::error::WriteError;
use super::item::{BEGIN, END, ESCAPE, LONG_MOVES, NAG, RAV_BEGIN, RAV_END, REDUCED_GAME, SHORT_MOVES, TAG};
use super::ordinal::ordinal;
use crate::comment::normalise;
use crate::pgn::{Element, Game, ROSTER, start_position};
use crate::play::{MoveError, find_written};

/// Writes one game; a file is a concatenation of games. A game with the Seven Tag Roster only and without annotations takes
/// one record (marker 0x01), any other takes several (0x05 to 0x06).
///
/// The content is that of PGN's export format: missing tags of the roster are written as unknown, `Result` is the outcome,
/// white space in comments becomes single spaces.
///
/// # Errors
/// PGC cannot hold the game: an illegal or null move, a character outside Latin-1, a tag over 255 bytes.
pub fn write_game(game: &Game) -> Result<Vec<u8>, WriteError> {
    let start = start_position(&game.tags)?;
    let mut moves = Moves { out: Vec::new(), pending: Vec::new() };
    moves.movetext(&game.movetext, start)?;
    let mut tags = Vec::new();
    for name in ROSTER {
        let value = match name {
            "Result" => game.outcome.as_str(),
            "Date" => game.tags.get(name).unwrap_or("????.??.??"),
            _ => game.tags.get(name).unwrap_or("?"),
        };
        tags.push((name, value));
    }
    let roster = tags.len();
    tags.extend(game.tags.iter().filter(|(name, _)| !ROSTER.contains(name)));
    if game.tags.get("FEN").is_some() && game.tags.get("SetUp").is_none() {
        tags.push(("SetUp", "1"));
        tags.get_mut(roster..).unwrap_or_default().sort_unstable();
    }
    if tags.len() == roster
        && moves.out.is_empty()
        && let Ok(count) = u16::try_from(moves.pending.len())
    {
        let mut bytes = vec![REDUCED_GAME];
        for (name, value) in tags {
            string(&mut bytes, &format!("the tag {name}"), value)?;
        }
        bytes.extend(count.to_le_bytes());
        bytes.extend(moves.pending);
        return Ok(bytes);
    }
    let mut bytes = vec![BEGIN];
    for (name, value) in tags {
        bytes.push(TAG);
        string(&mut bytes, "the name of a tag", name)?;
        string(&mut bytes, &format!("the tag {name}"), value)?;
    }
    moves.flush();
    bytes.append(&mut moves.out);
    bytes.push(END);
    Ok(bytes)
}

/// A line of moves while it is written.
struct Line {
    /// Number of its latest move.
    ply: usize,
    /// Positions before and after that move.
    before: Chess,
    now: Chess,
}

/// The records of moves and annotations.
struct Moves {
    out: Vec<u8>,
    /// Ordinals of the current sequence of moves.
    pending: Vec<u8>,
}

impl Moves {
    fn movetext(&mut self, movetext: &[Element], start: Chess) -> Result<(), WriteError> {
        let mut line = Line { ply: 0, before: start.clone(), now: start };
        let mut outer = Vec::new();
        for element in movetext {
            match element {
                Element::Move(written) => {
                    line.ply += 1;
                    let wrong = |source| WriteError::Move { ply: line.ply, source };
                    let m = find_written(&line.now, *written).map_err(wrong)?;
                    let ordinal =
                        ordinal(&line.now, m).ok_or_else(|| wrong(MoveError::Illegal(written.to_string())))?;
                    self.pending.push(ordinal);
                    line.before.clone_from(&line.now);
                    line.now.play_unchecked(m);
                }
                Element::Nag(nag) => {
                    self.record(NAG);
                    self.out.push(*nag);
                }
                Element::Comment(comment) => self.comment(&normalise(comment), line.ply)?,
                Element::Open => {
                    self.record(RAV_BEGIN);
                    let ply = line.ply.saturating_sub(1);
                    let inner = Line { ply, before: line.before.clone(), now: line.before.clone() };
                    outer.push(std::mem::replace(&mut line, inner));
                }
                Element::Close => {
                    if let Some(resumed) = outer.pop() {
                        self.record(RAV_END);
                        line = resumed;
                    }
                }
            }
        }
        for _ in outer {
            self.record(RAV_END);
        }
        Ok(())
    }

    fn comment(&mut self, text: &str, ply: usize) -> Result<(), WriteError> {
        if text.is_empty() {
            return Ok(());
        }
        let place =
            || if ply == 0 { "a comment before the moves".to_owned() } else { format!("a comment at ply {ply}") };
        let bytes = to_latin1(&place, &format!("{{{text}}}"))?;
        let most = usize::from(u16::MAX);
        let length = u16::try_from(bytes.len()).map_err(|_| WriteError::TooLong { place: place(), most })?;
        self.record(ESCAPE);
        self.out.extend(length.to_le_bytes());
        self.out.extend(bytes);
        Ok(())
    }

    /// Writes a marker, after the pending moves.
    fn record(&mut self, marker: u8) {
        self.flush();
        self.out.push(marker);
    }

    fn flush(&mut self) {
        for moves in self.pending.chunks(u16::MAX.into()) {
            if let Ok(count) = u8::try_from(moves.len()) {
                self.out.extend([SHORT_MOVES, count]);
            } else {
                self.out.push(LONG_MOVES);
                self.out.extend(u16::try_from(moves.len()).unwrap_or(u16::MAX).to_le_bytes());
            }
            self.out.extend(moves);
        }
        self.pending.clear();
    }
}

/// Writes a string with its length in one byte.
fn string(bytes: &mut Vec<u8>, place: &str, text: &str) -> Result<(), WriteError> {
    let place = || place.to_owned();
    let latin = to_latin1(&place, text)?;
    let most = usize::from(u8::MAX);
    bytes.push(u8::try_from(latin.len()).map_err(|_| WriteError::TooLong { place: place(), most })?);
    bytes.extend(latin);
    Ok(())
}

fn to_latin1(place: &dyn Fn() -> String, text: &str) -> Result<Vec<u8>, WriteError> {
    let byte = |c: char| u8::try_from(c).map_err(|_| WriteError::NotLatin1 { place: place(), character: c });
    text.chars().map(byte).collect()
}
