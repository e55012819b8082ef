//! Writes games as PGC.

use shakmaty::{Chess, Position};

use super::item::{BEGIN, END, ESCAPE, LONG_MOVES, NAG, RAV_BEGIN, RAV_END, REDUCED_GAME, SHORT_MOVES, TAG};
use super::{WriteError, ordinal};
use crate::command::words;
use crate::pgn::{Game, MAX_DEPTH, Ply, ROSTER};
use crate::play::{MoveError, find_move, start_position};
use crate::time::format_clk;

/// Writes one game; games one after another make a file. A game with the Seven Tag Roster only and
/// without annotations takes one record (marker 0x01), any other takes many (0x05 to 0x06).
///
/// What is written is what the export format of PGN says of the game: missing tags of the roster
/// are unknown, `Result` is the outcome, times are whole seconds, white space in comments is single
/// spaces.
///
/// # Errors
/// PGC cannot hold the game: an illegal or null move, a character outside Latin-1, a tag over 255
/// bytes.
pub fn write_game(game: &Game) -> Result<Vec<u8>, WriteError> {
    let start = start_position(&game.tags)?;
    let mut moves = Moves { out: Vec::new(), pending: Vec::new() };
    for comment in &game.comments {
        moves.comment(&words(comment), 0)?;
    }
    moves.line(&game.line, &start, 1, 0)?;
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

/// The records of moves and annotations.
struct Moves {
    out: Vec<u8>,
    /// Ordinals that wait for the end of their sequence.
    pending: Vec<u8>,
}

impl Moves {
    fn line(&mut self, line: &[Ply], start: &Chess, first_ply: usize, depth: usize) -> Result<(), WriteError> {
        let mut position = start.clone();
        for (index, ply) in line.iter().enumerate() {
            let number = first_ply + index;
            let wrong = |source| WriteError::Move { ply: number, source };
            let m = find_move(&position, &ply.san).map_err(wrong)?;
            let ordinal = ordinal(&position, m).ok_or_else(|| wrong(MoveError::Illegal(ply.san.clone())))?;
            self.pending.push(ordinal);
            self.annotations(ply, number)?;
            for variation in ply.variations.iter().filter(|variation| !variation.is_empty()) {
                if depth == MAX_DEPTH {
                    return Err(WriteError::TooDeep { ply: number });
                }
                self.record(RAV_BEGIN);
                self.line(variation, &position, number, depth + 1)?;
                self.record(RAV_END);
            }
            position.play_unchecked(m);
        }
        Ok(())
    }

    fn annotations(&mut self, ply: &Ply, number: usize) -> Result<(), WriteError> {
        for &nag in &ply.nags {
            self.record(NAG);
            self.out.push(nag);
        }
        // As in PGN, the clock shares the braces of the first comment.
        let times = [("clk", ply.clk_ms), ("emt", ply.emt_ms)];
        let mut first: Vec<String> =
            times.iter().filter_map(|(name, ms)| ms.map(|ms| format!("[%{name} {}]", format_clk(ms)))).collect();
        let mut comments = ply.comments.iter().map(|comment| words(comment)).filter(|words| !words.is_empty());
        first.extend(comments.next().into_iter().flatten());
        self.comment(&first, number)?;
        comments.try_for_each(|comment| self.comment(&comment, number))
    }

    fn comment(&mut self, words: &[String], ply: usize) -> Result<(), WriteError> {
        if words.is_empty() {
            return Ok(());
        }
        let place =
            || if ply == 0 { "a comment before the moves".to_owned() } else { format!("a comment at ply {ply}") };
        let text = format!("{{{}}}", words.join(" "));
        let bytes = to_latin1(&place, &text)?;
        let most = usize::from(u16::MAX);
        let length = u16::try_from(bytes.len()).map_err(|_| WriteError::TooLong { place: place(), most })?;
        self.record(ESCAPE);
        self.out.extend(length.to_le_bytes());
        self.out.extend(bytes);
        Ok(())
    }

    /// A marker, behind the moves that wait.
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

/// A string behind a length of one byte.
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
