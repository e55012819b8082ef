//! Reads games as the world writes them (PGN standard, import format and more).
//!
//! Knows the grammar of a game and its limits; must not know spelling (that is the lexer's) or the
//! rules of chess.

use super::error::{PgnError, Reason};
use super::lexer::{Damage, Lexer, Token, excerpt, next_line};
use super::limits::{MAX_DEPTH, MAX_PLIES, MAX_TAGS};
use super::san::parse_move;
use super::tags::ROSTER;
use super::{Game, Line, Outcome, Ply};
use crate::command::words;
use crate::time::take_times;

/// Reads the games of a text one by one. A damaged game is an error in its place; reading goes on
/// at the next empty line followed by a tag, or at the next `[Event "`.
///
/// What is understood beyond the export format: tags in any order and number to a line, unescaped
/// quotes in tag values; comments in braces or behind a semicolon; escape lines; move numbers
/// anywhere, glued or missing; suffixes such as `!?`; zeros in castling; odd results such as `½-½`;
/// all line ends; games without moves or without a result; a byte-order mark.
///
/// * Of equal tags the last counts. A tag of the roster that is repeated on a new line begins a game.
/// * A result of the movetext counts before that of the `Result` tag, unless it is `*`. The tag
///   stays as it was.
/// * A comment before the first move of a variation goes behind that move. White space in comments
///   becomes single spaces.
pub fn read_games(text: &str) -> Games<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Games { text, lexer: Lexer::new(text), game: 0, line: 1, line_start: 0 }
}

/// The games of a text, see [`read_games`].
#[derive(Debug, Clone)]
pub struct Games<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    /// Games given out, damaged ones included.
    game: usize,
    /// Number and beginning of the line of the latest damage: counting goes on from there.
    line: usize,
    line_start: usize,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = Builder::default().read(&mut self.lexer).transpose()?;
        self.game += 1;
        Some(game.map_err(|damage| {
            self.lexer.resynchronise(damage.0);
            self.locate(damage)
        }))
    }
}

impl Games<'_> {
    fn locate(&mut self, (place, reason): Damage) -> PgnError {
        loop {
            let next = next_line(self.text, self.line_start);
            if next > place || next == self.text.len() {
                break;
            }
            self.line += 1;
            self.line_start = next;
        }
        let before = self.text.get(self.line_start..place).unwrap_or_default();
        PgnError { line: self.line, column: before.chars().count() + 1, game: self.game, reason }
    }
}

/// A line of moves that is being read.
#[derive(Default)]
struct OpenLine {
    /// Place of the opening parenthesis; nothing in the main line.
    at: usize,
    plies: Line,
    /// Said before the first move.
    comments: Vec<String>,
    /// Given before the first move, as some programs do in variations.
    nags: Vec<u8>,
}

/// A game that is being read.
#[derive(Default)]
struct Builder {
    game: Game,
    further_tags: usize,
    plies: usize,
    /// The lines around the one that is being read, the main line first.
    outer: Vec<OpenLine>,
    /// The line that the next move belongs to.
    line: OpenLine,
    /// Whether the movetext has begun.
    moving: bool,
    /// The game termination marker, once it is reached.
    marker: Option<Outcome>,
}

impl Builder {
    /// Reads one game; `None` if the text holds no more.
    fn read(mut self, lexer: &mut Lexer<'_>) -> Result<Option<Game>, Damage> {
        while self.marker.is_none() {
            let at = lexer.space();
            let token = lexer.token()?;
            self.moving |= !matches!(token, Token::End | Token::Bracket | Token::Comment(_));
            match token {
                Token::End => break,
                Token::Bracket if self.is_over(lexer) => break,
                Token::Bracket if self.moving => return Err((at, Reason::Stray('['))),
                Token::Bracket => {
                    let before = *lexer;
                    if !self.tag(lexer, at)? {
                        *lexer = before;
                        break;
                    }
                }
                Token::Comment(text) => self.comment(text),
                Token::Nag(nag) => self.nag(nag),
                Token::Open => self.open(at)?,
                Token::Close => self.close(at)?,
                Token::Word(word) => self.word(word, at)?,
            }
        }
        if !self.outer.is_empty() {
            return Err((self.line.at, Reason::OpenVariation));
        }
        if self.marker.is_some() {
            self.last_words(lexer)?;
        }
        Ok((!self.game.tags.is_empty() || self.moving).then(|| self.finish()))
    }

    /// Whether the tag that stands here belongs to the next game.
    fn is_over(&self, lexer: &Lexer<'_>) -> bool {
        if self.moving {
            lexer.on_new_line() && (lexer.after_empty_line() || lexer.at_tag())
        } else {
            lexer.after_empty_line() && !self.game.tags.is_empty()
        }
    }

    /// Takes a tag; `false` if it is one that begins the next game.
    fn tag(&mut self, lexer: &mut Lexer<'_>, at: usize) -> Result<bool, Damage> {
        let on_new_line = lexer.on_new_line();
        let (name, value) = lexer.tag()?;
        if on_new_line && ROSTER.contains(&name) && self.game.tags.get(name).is_some() {
            return Ok(false);
        }
        if !ROSTER.contains(&name) {
            self.further_tags += 1;
        }
        if self.further_tags > MAX_TAGS {
            return Err((at, Reason::TooManyTags));
        }
        self.game.tags.set(name, value);
        Ok(true)
    }

    fn comment(&mut self, text: &str) {
        let (times, rest) = take_times(text);
        let (comments, text) = if let Some(ply) = self.line.plies.last_mut() {
            ply.clk_ms = times.clk_ms.or(ply.clk_ms);
            ply.emt_ms = times.emt_ms.or(ply.emt_ms);
            (&mut ply.comments, rest)
        } else if self.outer.is_empty() {
            (&mut self.line.comments, words(text).join(" "))
        } else {
            // It goes behind the first move of the variation, whose clock it does not tell.
            (&mut self.line.comments, rest)
        };
        if !text.is_empty() {
            comments.push(text);
        }
    }

    fn nag(&mut self, nag: u8) {
        match self.line.plies.last_mut() {
            Some(ply) => ply.nags.push(nag),
            None => self.line.nags.push(nag),
        }
    }

    fn open(&mut self, at: usize) -> Result<(), Damage> {
        if self.line.plies.is_empty() {
            return Err((at, Reason::VariationWithoutMove));
        }
        if self.outer.len() == MAX_DEPTH {
            return Err((at, Reason::TooDeep));
        }
        self.outer.push(std::mem::replace(&mut self.line, OpenLine { at, ..OpenLine::default() }));
        Ok(())
    }

    fn close(&mut self, at: usize) -> Result<(), Damage> {
        let outer = self.outer.pop().ok_or((at, Reason::Stray(')')))?;
        let mut inner = std::mem::replace(&mut self.line, outer);
        if let Some(ply) = self.line.plies.last_mut() {
            if inner.plies.is_empty() {
                ply.comments.append(&mut inner.comments);
            } else {
                ply.variations.push(inner.plies);
            }
        }
        Ok(())
    }

    /// A move, its number, or the result; number and move may be glued.
    fn word(&mut self, word: &str, at: usize) -> Result<(), Damage> {
        let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let undotted = unnumbered.trim_start_matches(['.', '…']);
        let numbered = undotted.is_empty() || undotted.len() < unnumbered.len();
        // A result too may hold digits and dots: `0.5-0.5`.
        for candidate in [word, undotted] {
            if candidate.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '½' | '*'))
                && let Some(outcome) = Outcome::parse(candidate)
            {
                // What some programs write at the end of a variation says nothing about the game.
                if self.outer.is_empty() {
                    self.marker = Some(outcome);
                }
                return Ok(());
            }
        }
        let text = if numbered { undotted } else { word };
        if matches!(text, "" | "e.p." | "ep") {
            return Ok(());
        }
        let san = parse_move(text).ok_or_else(|| (at, Reason::NotAMove(excerpt(text))))?;
        self.plies += 1;
        if self.plies > MAX_PLIES {
            return Err((at, Reason::TooManyPlies));
        }
        let mut ply = Ply { nags: std::mem::take(&mut self.line.nags), ..Ply::new(san) };
        if !self.outer.is_empty() {
            ply.comments = std::mem::take(&mut self.line.comments);
        }
        self.line.plies.push(ply);
        Ok(())
    }

    /// Comments behind the result, in the same paragraph.
    fn last_words(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Damage> {
        loop {
            let before = *lexer;
            lexer.space();
            if !lexer.after_empty_line()
                && lexer.at_comment()
                && let Token::Comment(text) = lexer.token()?
            {
                self.comment(text);
            } else {
                *lexer = before;
                return Ok(());
            }
        }
    }

    fn finish(mut self) -> Game {
        let told = self.game.tags.get("Result").and_then(Outcome::parse);
        self.game.outcome = match self.marker {
            None | Some(Outcome::Unknown) => told.unwrap_or_default(),
            Some(outcome) => outcome,
        };
        self.game.comments = self.line.comments;
        self.game.line = self.line.plies;
        self.game
    }
}
