//! Games one after another: from a text that is there, or from a stream in pieces of any size.
//!
//! Knows where the next game begins, what line that is, and how to go on behind a damaged game. Must not know files.

use memchr::{memchr2, memrchr2};

use super::Game;
use super::error::{PgnError, Reason};
use super::lexer::{Damage, Lexer, damage};
use super::limits::MAX_GAME_BYTES;
use super::read::{Wanted, read_game};
use super::signs::count_line_ends;

/// Reads the games of a text one by one.
///
/// A damaged game is an error in its place; reading goes on at the next empty line followed by a tag, or at the next
/// `[Event "`. What is understood beyond the export format is told at [`Reader`].
pub fn read_games<T: AsRef<[u8]> + ?Sized>(text: &T) -> Games<'_> {
    Games { text: text.as_ref(), scanner: Scanner::default() }
}

/// The games of a text, see [`read_games`].
#[derive(Debug, Clone)]
pub struct Games<'a> {
    text: &'a [u8],
    scanner: Scanner,
}

impl Games<'_> {
    /// Lets every move be checked by the rules and brought to canonical form. A game against the rules is a damaged one.
    #[must_use]
    pub fn by_the_rules(mut self) -> Self {
        self.scanner.wanted.by_the_rules = true;
        self
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.scanner.next(self.text, true)
    }
}

/// Reads games from a stream: feed it in pieces of any size and take the games out as they become complete. The result
/// does not depend on the pieces, and memory does not grow with the stream: no more than about [`MAX_GAME_BYTES`] and
/// one piece are kept.
///
/// What is understood beyond the export format (PGN standard, 3.1): UTF-8 with or without mark, else Windows-1252 and
/// Latin-1, for each string alone; all line ends; tags in any order and number to a line or over several lines,
/// unescaped quotes in tag values; comments in braces or behind a semicolon; escape lines; move numbers anywhere, glued
/// or missing; every form of a move that the crate knows; suffixes such as `!?`; odd results such as `½-½`; games
/// without moves or without a result.
///
/// * Of equal tags the last counts. A tag of the roster that is repeated on a new line begins a game.
/// * A result of the movetext counts before that of the `Result` tag, unless it is `*`. The tag stays as it was.
/// * White space in comments becomes single spaces, the clock commands get their one form (see [`crate::time`]), and
///   comments of nothing but commands share the braces of their neighbour. Glyphs stand right behind their move.
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
    buffer: Vec<u8>,
    finished: bool,
    /// Not worth looking again before so many bytes are there: so a game that comes in many pieces is not read anew
    /// with each of them.
    enough: usize,
}

impl Reader {
    /// A reader at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets every move be checked by the rules and brought to canonical form. A game against the rules is a damaged one.
    #[must_use]
    pub fn by_the_rules(mut self) -> Self {
        self.scanner.wanted.by_the_rules = true;
        self
    }

    /// Lets comments be passed over, which is faster where nobody needs them.
    #[must_use]
    pub fn without_comments(mut self) -> Self {
        self.scanner.wanted.without_comments = true;
        self
    }

    /// Takes the next piece. All games should be taken out before the next one comes, or they are kept.
    pub fn feed(&mut self, piece: &[u8]) {
        self.buffer.drain(..self.scanner.at.min(self.buffer.len()));
        self.scanner.at = 0;
        self.buffer.extend_from_slice(piece);
    }

    /// Says that the stream is over: what is left is the last game.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// The next game or damaged game. `None` if more has to be fed first, or when the finished stream is used up.
    pub fn next_game(&mut self) -> Option<Result<Game, PgnError>> {
        if !self.finished && self.buffer.len() - self.scanner.at.min(self.buffer.len()) < self.enough {
            return None;
        }
        let game = self.scanner.next(&self.buffer, self.finished);
        self.enough = match game {
            Some(_) => 0,
            None => (2 * (self.buffer.len() - self.scanner.at)).min(MAX_GAME_BYTES + 1),
        };
        game
    }

    /// Line, from 1, on which the latest game that was given out begins.
    pub fn began(&self) -> usize {
        self.scanner.began
    }
}

/// A place in a stream.
#[derive(Debug, Clone)]
struct Scanner {
    /// Bytes of the text at hand that are done with.
    at: usize,
    /// Line and column of that place, from 1; columns are characters.
    line: usize,
    column: usize,
    /// Games given out, damaged ones included.
    game: usize,
    /// Line on which the latest of them begins.
    began: usize,
    wanted: Wanted,
    /// Behind a damaged game, the next one is looked for.
    lost: Option<Lost>,
}

/// How a next game is looked for: line by line.
#[derive(Debug, Clone, Copy)]
enum Lost {
    /// The rest of a line says nothing.
    WithinLine,
    /// A line begins here.
    AtLine { after_empty_line: bool },
}

/// Bytes from the beginning of a line that tell whether a game begins there.
const TELLING_BYTES: usize = 1024;

impl Default for Scanner {
    fn default() -> Self {
        Self { at: 0, line: 1, column: 1, game: 0, began: 1, wanted: Wanted::default(), lost: None }
    }
}

impl Scanner {
    /// The next game of a text. `finished` says that the text goes no further than this; otherwise `None` asks for more
    /// of it.
    fn next(&mut self, text: &[u8], finished: bool) -> Option<Result<Game, PgnError>> {
        if !self.find_game(text, finished) {
            return None;
        }
        self.pass_space(text);
        let view = text.get(self.at..).unwrap_or_default();
        let whole = finished && view.len() <= MAX_GAME_BYTES;
        let view = view.get(..view.len().min(MAX_GAME_BYTES)).unwrap_or_default();
        let mut lexer = Lexer::new(view, self.column == 1);
        let mut read = read_game(&mut lexer, self.wanted);
        if lexer.starved() && !whole {
            if view.len() < MAX_GAME_BYTES {
                return None;
            }
            read = Err(damage(0, Reason::LongGame));
        }
        let began = self.line;
        match read {
            Ok(None) => {
                self.pass(text, self.at + lexer.pos());
                None
            }
            Ok(Some(game)) => {
                self.pass(text, self.at + lexer.pos());
                self.game += 1;
                self.began = began;
                Some(Ok(game))
            }
            Err(Damage(damage)) => {
                let (place, reason) = *damage;
                self.pass(text, self.at + place);
                self.game += 1;
                self.began = began;
                self.lost = Some(Lost::WithinLine);
                Some(Err(PgnError { line: self.line, column: self.column, game: self.game, reason }))
            }
        }
    }

    /// Goes on to the next beginning of a game, if a damaged one is behind. `false` if it is not in the text at hand.
    fn find_game(&mut self, text: &[u8], finished: bool) -> bool {
        while let Some(lost) = self.lost {
            let rest = text.get(self.at..).unwrap_or_default();
            let line_end = memchr2(b'\n', b'\r', rest);
            let line = rest.get(..line_end.unwrap_or(rest.len())).unwrap_or_default();
            let mut after_empty_line = false;
            if let Lost::AtLine { after_empty_line: after } = lost {
                if line_end.is_none() && !finished && rest.len() < TELLING_BYTES {
                    return false;
                }
                if Lexer::new(rest, true).at_game(after) {
                    self.lost = None;
                    return true;
                }
                after_empty_line = line.iter().all(u8::is_ascii_whitespace);
            }
            let Some(line_end) = line_end else {
                self.lost = Some(Lost::WithinLine);
                self.pass(text, text.len());
                return false;
            };
            let end_length = match rest.get(line_end..).unwrap_or_default() {
                [b'\r', b'\n', ..] => 2,
                [b'\r', b'\r', b'\n', ..] => 3,
                // Whether this is the whole line end is not known yet.
                [b'\r'] | [b'\r', b'\r'] if !finished => return false,
                _ => 1,
            };
            self.lost = Some(Lost::AtLine { after_empty_line });
            self.pass(text, self.at + line_end + end_length);
        }
        true
    }

    /// Lets go of what stands between games, so that it is not kept.
    fn pass_space(&mut self, text: &[u8]) {
        let rest = text.get(self.at..).unwrap_or_default();
        // A carriage return at the end may be part of a line end.
        let length = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        let length = length.unwrap_or(rest.len().saturating_sub(2));
        self.pass(text, self.at + length);
    }

    /// Moves on to a later place and counts lines on the way.
    fn pass(&mut self, text: &[u8], to: usize) {
        let passed = text.get(self.at..to).unwrap_or_default();
        self.line += count_line_ends(text, self.at..to);
        let last_line = memrchr2(b'\n', b'\r', passed);
        let column = last_line.map_or(self.column, |_| 1);
        let last_line = passed.get(last_line.map_or(0, |end| end + 1)..).unwrap_or_default();
        // Bytes that go on with a character of UTF-8 are no columns; nor is the mark at the beginning.
        let characters = last_line.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        let mark = usize::from(last_line.starts_with(b"\xef\xbb\xbf"));
        self.column = column + characters - mark;
        self.at = to;
    }
}
