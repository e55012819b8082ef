//! Reads games one by one, from a text in memory or from a stream that arrives in pieces.
//!
//! Counts lines and resynchronises after a damaged game. Must not know files.

use std::borrow::Cow;

use memchr::{memchr2, memrchr2};

use super::characters::count_line_ends;
use super::error::{PgnError, Reason};
use super::game::Game;
use super::lexer::Lexer;
use super::limits::MAX_GAME_BYTES;
use super::parser::{Damage, Notice, ReadOptions, parse_game};
use crate::encoding::{Recoder, recode};

/// Reads the games of a text one by one.
///
/// A damaged game yields an error; reading continues at the next empty line followed by a tag, or at the next `[Event "`.
/// [`Reader`] lists what is accepted beyond the export format.
pub fn read_games<T: AsRef<[u8]> + ?Sized>(text: &T) -> Games<'_> {
    Games { text: recode(text.as_ref()), scanner: Scanner::default() }
}

/// The games of a text, see [`read_games`].
#[derive(Debug, Clone)]
pub struct Games<'a> {
    text: Cow<'a, [u8]>,
    scanner: Scanner,
}

impl Games<'_> {
    /// Checks that every move is legal and brings it to canonical form. A game with an illegal move yields an error.
    #[must_use]
    pub fn check_moves(mut self) -> Self {
        self.scanner.options.check_moves = true;
        self
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.scanner.next(&self.text, true)
    }
}

/// Reads games from a stream: feed it in pieces of any size and take out the games as they become complete. The result
/// does not depend on the pieces. Memory stays at about [`MAX_GAME_BYTES`] and one piece, however long the stream is.
///
/// Accepted beyond the export format (PGN standard, 3.1): UTF-16 with byte-order mark; UTF-8 with or without it, else
/// Windows-1252, Latin-1 or a DOS code page, decided for each string; all line ends; Ctrl-Z at the end; tags in any order, several on a line or one over several lines,
/// unescaped quotes in tag values; comments in braces or after a semicolon; escape lines; move numbers anywhere, missing
/// or without a space before the move; every form of a move that [`crate::play::find_move`] accepts; suffixes such as
/// `!?`; results such as `½-½`; games without moves or without a result.
///
/// * The last of several tags of one name counts. Empty lines may stand between tags. A game without movetext ends where
///   `Event`, or the tag that the game began with, is repeated on a new line.
/// * A stray character or glyph is left out, and so is the rest of a variation after a wrong move; [`Reader::notices`] tells
///   which. A word that may be a damaged move of the main line refuses the game.
/// * The result of the movetext counts before that of the `Result` tag, unless it is `*`. The tag stays as it was.
/// * White space in comments becomes single spaces, clock commands get their canonical form (see [`crate::time`]), and
///   a comment of commands only is joined with its neighbour. NAGs are put directly after their move.
///
/// ```
/// use notation::pgn::Reader;
///
/// let mut reader = Reader::new();
/// let mut moves = 0;
/// for piece in [&b"1. e4 e5 1-0\n\n1. d"[..], b"4 *"] {
///     reader.feed(piece);
///     while let Some(game) = reader.next_game() {
///         moves += game?.line().count();
///     }
/// }
/// reader.finish();
/// while let Some(game) = reader.next_game() {
///     moves += game?.line().count();
/// }
/// assert_eq!(moves, 3);
/// # Ok::<(), notation::pgn::PgnError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Reader {
    scanner: Scanner,
    recoder: Recoder,
    /// UTF-8, or an eight-bit encoding.
    buffer: Vec<u8>,
    finished: bool,
    /// Bytes to buffer before parsing again, so that a game that arrives in many pieces is not parsed again with each.
    wait_for_bytes: usize,
}

impl Reader {
    /// Creates a reader for a new stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks that every move is legal and brings it to canonical form. A game with an illegal move yields an error.
    #[must_use]
    pub fn check_moves(mut self) -> Self {
        self.scanner.options.check_moves = true;
        self
    }

    /// Drops comments, which makes reading faster.
    #[must_use]
    pub fn skip_comments(mut self) -> Self {
        self.scanner.options.skip_comments = true;
        self
    }

    /// Keeps null moves in the main line and gives a notice of each; without this, [`Reader::check_moves`] refuses them.
    #[must_use]
    pub fn keep_null_moves(mut self) -> Self {
        self.scanner.options.keep_null_moves = true;
        self
    }

    /// Gives a notice of the first move number of a game that does not count its moves.
    #[must_use]
    pub fn check_numbers(mut self) -> Self {
        self.scanner.options.check_numbers = true;
        self
    }

    /// Keeps the texts of damaged games for [`Reader::take_refused`].
    #[must_use]
    pub fn keep_refused(mut self) -> Self {
        self.scanner.refused = Some(Vec::new());
        self
    }

    /// With [`Reader::keep_refused`], the text of damaged games that was passed since the last call, as it was read; text in
    /// UTF-16 comes as UTF-8. Take it after each piece: it grows with the damage.
    pub fn take_refused(&mut self) -> Vec<u8> {
        self.scanner.refused.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// What was left out of the game that [`Reader::next_game`] returned last, in the order of the text: stray characters,
    /// glyphs out of range, the rest of a variation after an illegal move. Empty for most games and for a damaged one.
    pub fn notices(&self) -> &[PgnError] {
        &self.scanner.notices
    }

    /// Adds the next piece. Take out all games before feeding again; otherwise memory grows by each piece.
    pub fn feed(&mut self, piece: &[u8]) {
        self.buffer.drain(..self.scanner.at.min(self.buffer.len()));
        self.scanner.at = 0;
        self.recoder.feed(piece, &mut self.buffer);
    }

    /// Marks the end of the stream; the rest is the last game.
    pub fn finish(&mut self) {
        if !self.finished {
            self.recoder.finish(&mut self.buffer);
        }
        self.finished = true;
    }

    /// The next game or damaged game; `None` if more input is needed, or at the end of the finished stream.
    pub fn next_game(&mut self) -> Option<Result<Game, PgnError>> {
        if !self.finished && self.buffer.len() - self.scanner.at.min(self.buffer.len()) < self.wait_for_bytes {
            return None;
        }
        let game = self.scanner.next(&self.buffer, self.finished);
        self.wait_for_bytes = match game {
            Some(_) => 0,
            None => (2 * (self.buffer.len() - self.scanner.at)).min(MAX_GAME_BYTES + 1),
        };
        game
    }

    /// Number, from 1, of the game that [`Reader::next_game`] returned last; damaged games count.
    pub fn game_number(&self) -> usize {
        self.scanner.game
    }

    /// First line, from 1, of the game that [`Reader::next_game`] returned last.
    pub fn start_line(&self) -> usize {
        self.scanner.start_line
    }
}

/// A position in a stream.
#[derive(Debug, Clone)]
struct Scanner {
    /// Bytes of the buffered text that are consumed.
    at: usize,
    /// Line and column of that position, from 1; columns are characters.
    line: usize,
    column: usize,
    /// Games returned, damaged ones included.
    game: usize,
    /// First line of the latest of them.
    start_line: usize,
    options: ReadOptions,
    /// What was left out of the latest game.
    notices: Vec<PgnError>,
    /// Text of damaged games that was passed, if it is wanted.
    refused: Option<Vec<u8>>,
    /// Set after a damaged game, until the next game is found.
    resync: Option<Resync>,
}

/// State of the search for the next game after a damaged one, line by line.
#[derive(Debug, Clone, Copy)]
enum Resync {
    /// The rest of the current line is skipped.
    WithinLine,
    /// At the start of a line.
    AtLineStart { after_empty_line: bool },
}

/// Bytes of a line that suffice to decide whether a game begins there.
const LOOKAHEAD_BYTES: usize = 1024;

impl Default for Scanner {
    fn default() -> Self {
        Self {
            at: 0,
            line: 1,
            column: 1,
            game: 0,
            start_line: 1,
            options: ReadOptions::default(),
            notices: Vec::new(),
            refused: None,
            resync: None,
        }
    }
}

impl Scanner {
    /// The next game of a text. With `finished`, the text is complete; otherwise `None` means that more text is needed.
    fn next(&mut self, text: &[u8], finished: bool) -> Option<Result<Game, PgnError>> {
        if !self.find_game(text, finished) {
            return None;
        }
        self.skip_space(text);
        let view = text.get(self.at..).unwrap_or_default();
        let whole = finished && view.len() <= MAX_GAME_BYTES;
        let view = view.get(..view.len().min(MAX_GAME_BYTES)).unwrap_or_default();
        let mut lexer = Lexer::new(view, self.column == 1);
        let mut parsed = parse_game(&mut lexer, self.options);
        if lexer.reached_end() && !whole {
            if view.len() < MAX_GAME_BYTES {
                return None;
            }
            let notice = Notice { at: 0, reason: Reason::LongGame, next_move: None };
            parsed = Err(Box::new(Damage { notice, players: String::new() }));
        }
        let start_line = self.line;
        match parsed {
            Ok(None) => {
                self.advance_to(text, self.at + lexer.pos());
                None
            }
            Ok(Some((game, mut notices))) => {
                let start = self.at;
                self.game += 1;
                self.notices.clear();
                notices.sort_by_key(|notice| notice.at);
                for notice in notices {
                    self.advance_to(text, start + notice.at);
                    let error = self.error_here(notice, game.tags.players());
                    self.notices.push(error);
                }
                self.advance_to(text, start + lexer.pos());
                self.start_line = start_line;
                Some(Ok(game))
            }
            Err(damage) => {
                let Damage { notice, players } = *damage;
                self.notices.clear();
                self.resync = Some(Resync::WithinLine);
                self.advance_to(text, self.at + notice.at);
                self.game += 1;
                self.start_line = start_line;
                Some(Err(self.error_here(notice, players)))
            }
        }
    }

    /// A notice at the current position, which is in the latest game.
    fn error_here(&self, notice: Notice, players: String) -> PgnError {
        let Notice { reason, next_move, .. } = notice;
        PgnError { line: self.line, column: self.column, game: self.game, players, next_move, reason }
    }

    /// After a damaged game, advances to the beginning of the next one. `false` if the buffered text does not hold it.
    fn find_game(&mut self, text: &[u8], finished: bool) -> bool {
        while let Some(resync) = self.resync {
            let rest = text.get(self.at..).unwrap_or_default();
            let line_end = memchr2(b'\n', b'\r', rest);
            let line = rest.get(..line_end.unwrap_or(rest.len())).unwrap_or_default();
            let mut after_empty_line = false;
            if let Resync::AtLineStart { after_empty_line: after } = resync {
                if line_end.is_none() && !finished && rest.len() < LOOKAHEAD_BYTES {
                    return false;
                }
                if Lexer::new(rest, true).at_game(after) {
                    self.resync = None;
                    return true;
                }
                after_empty_line = line.iter().all(u8::is_ascii_whitespace);
            }
            let Some(line_end) = line_end else {
                self.resync = Some(Resync::WithinLine);
                self.advance_to(text, text.len());
                return false;
            };
            let end_length = match rest.get(line_end..).unwrap_or_default() {
                [b'\r', b'\n', ..] => 2,
                [b'\r', b'\r', b'\n', ..] => 3,
                // The line end may continue in the next piece.
                [b'\r'] | [b'\r', b'\r'] if !finished => return false,
                _ => 1,
            };
            self.resync = Some(Resync::AtLineStart { after_empty_line });
            self.advance_to(text, self.at + line_end + end_length);
        }
        true
    }

    /// Skips white space between games, so that it is not buffered.
    fn skip_space(&mut self, text: &[u8]) {
        let rest = text.get(self.at..).unwrap_or_default();
        // A carriage return at the end may be part of a line end.
        let length = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        let length = length.unwrap_or(rest.len().saturating_sub(2));
        self.advance_to(text, self.at + length);
    }

    /// Advances to a later position and counts lines.
    fn advance_to(&mut self, text: &[u8], to: usize) {
        let passed = text.get(self.at..to).unwrap_or_default();
        if let Some(refused) = self.refused.as_mut().filter(|_| self.resync.is_some()) {
            refused.extend_from_slice(passed);
        }
        self.line += count_line_ends(text, self.at..to);
        let last_line = memrchr2(b'\n', b'\r', passed);
        let column = last_line.map_or(self.column, |_| 1);
        let last_line = passed.get(last_line.map_or(0, |end| end + 1)..).unwrap_or_default();
        // Continuation bytes of UTF-8 and the byte-order mark do not count as columns.
        let characters = last_line.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        let mark = usize::from(last_line.starts_with(b"\xef\xbb\xbf"));
        self.column = column + characters - mark;
        self.at = to;
    }
}
