//! Reads games from PGC.

use shakmaty::{Chess, Position};

use super::item::{Cursor, Item, latin1};
use super::{PgcError, Reason, ordered_moves};
use crate::command::words;
use crate::pgn::{Game, Line, MAX_DEPTH, MAX_PLIES, MAX_TAGS, Outcome, Ply, ROSTER, is_tag_name};
use crate::play::{excerpt, start_position, write_move};
use crate::time::take_times;

/// Reads the games of PGC data one by one. A damaged game is an error in its place; reading goes on
/// where the next game seems to begin.
pub fn read_games(bytes: &[u8]) -> Games<'_> {
    Games { cursor: Cursor { bytes, at: 0 }, game: 0 }
}

/// The games of PGC data, see [`read_games`].
#[derive(Debug, Clone)]
pub struct Games<'a> {
    cursor: Cursor<'a>,
    /// Games given out, damaged ones included.
    game: usize,
}

/// The record that is wrong, and why.
type Damage = (usize, Reason);

impl Iterator for Games<'_> {
    type Item = Result<Game, PgcError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.read().transpose()?;
        self.game += 1;
        Some(game.map_err(|(offset, reason)| {
            // A game that begins too early may itself be whole.
            self.cursor.at = if reason == Reason::Nested { offset } else { offset + 1 };
            self.cursor.find_game();
            PgcError { offset, game: self.game, reason }
        }))
    }
}

impl Games<'_> {
    fn read(&mut self) -> Result<Option<Game>, Damage> {
        while !self.cursor.is_at_end() {
            let at = self.cursor.at;
            match self.cursor.item().map_err(|reason| (at, reason))? {
                Item::Noop | Item::Escape(_) => {}
                Item::Begin => return self.general_game().map(Some),
                Item::ReducedGame(values, moves) => {
                    let mut builder = Builder::default();
                    for (name, value) in ROSTER.into_iter().zip(values) {
                        builder.game.tags.set(name, latin1(value));
                    }
                    builder.moves(moves).map_err(|reason| (at, reason))?;
                    return builder.finish().map(Some).map_err(|reason| (at, reason));
                }
                _ => return Err((at, Reason::Outside)),
            }
        }
        Ok(None)
    }

    fn general_game(&mut self) -> Result<Game, Damage> {
        let begin = self.cursor.at - 1;
        let mut builder = Builder::default();
        loop {
            let at = self.cursor.at;
            if self.cursor.is_at_end() {
                return Err((begin, Reason::NoEnd));
            }
            let item = self.cursor.item().map_err(|reason| (at, reason))?;
            let taken = match item {
                Item::Noop => Ok(()),
                Item::Begin | Item::ReducedGame(..) => Err(Reason::Nested),
                Item::End => return builder.finish().map_err(|reason| (at, reason)),
                Item::Tag(name, value) => builder.tag(&latin1(name), &latin1(value)),
                Item::Moves(moves) => builder.moves(moves),
                Item::Nag(nag) => builder.nag(nag),
                Item::RavBegin => builder.open(),
                Item::RavEnd => builder.close(),
                Item::Escape(text) => builder.escape(&latin1(text)),
            };
            taken.map_err(|reason| (at, reason))?;
        }
    }
}

/// A line of moves that is being read.
#[derive(Clone, Default)]
struct OpenLine {
    plies: Line,
    /// Number of the line's first ply, less one.
    plies_before: usize,
    /// Position before the last move, and now.
    before: Chess,
    now: Chess,
    /// Said and given before the first move.
    comments: Vec<String>,
    nags: Vec<u8>,
}

/// A game that is being read.
#[derive(Default)]
struct Builder {
    game: Game,
    further_tags: usize,
    /// Moves so far, variations included.
    plies: usize,
    /// Whether the tags are over.
    moving: bool,
    /// The lines around the one that is being read, the main line first.
    outer: Vec<OpenLine>,
    line: OpenLine,
}

impl Builder {
    fn tag(&mut self, name: &str, value: &str) -> Result<(), Reason> {
        if self.moving {
            return Err(Reason::LateTag);
        }
        if !is_tag_name(name) {
            return Err(Reason::TagName(excerpt(name)));
        }
        self.further_tags += usize::from(!ROSTER.contains(&name));
        if self.further_tags > MAX_TAGS {
            return Err(Reason::TooManyTags);
        }
        self.game.tags.set(name, value);
        Ok(())
    }

    /// The tags are over: they say where the game starts.
    fn begin_moves(&mut self) -> Result<(), Reason> {
        if !self.moving {
            self.moving = true;
            self.line.now = start_position(&self.game.tags)?;
        }
        Ok(())
    }

    fn moves(&mut self, ordinals: &[u8]) -> Result<(), Reason> {
        self.begin_moves()?;
        for &ordinal in ordinals {
            self.plies += 1;
            if self.plies > MAX_PLIES {
                return Err(Reason::TooManyPlies);
            }
            let line = &mut self.line;
            let legal = ordered_moves(&line.now);
            let Some(&m) = legal.get(usize::from(ordinal)) else {
                let ply = line.plies_before + line.plies.len() + 1;
                return Err(Reason::Ordinal { ply, ordinal, moves: legal.len() });
            };
            let mut ply = Ply { nags: std::mem::take(&mut line.nags), ..Ply::new(write_move(&line.now, m)) };
            if !self.outer.is_empty() {
                ply.comments = std::mem::take(&mut line.comments);
            }
            line.plies.push(ply);
            line.before = line.now.clone();
            line.now.play_unchecked(m);
        }
        Ok(())
    }

    fn nag(&mut self, nag: u8) -> Result<(), Reason> {
        self.begin_moves()?;
        match self.line.plies.last_mut() {
            Some(ply) => ply.nags.push(nag),
            None => self.line.nags.push(nag),
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), Reason> {
        self.begin_moves()?;
        if self.line.plies.is_empty() {
            return Err(Reason::VariationWithoutMove);
        }
        if self.outer.len() == MAX_DEPTH {
            return Err(Reason::TooDeep);
        }
        let inner = OpenLine {
            plies_before: self.line.plies_before + self.line.plies.len() - 1,
            now: self.line.before.clone(),
            ..OpenLine::default()
        };
        self.outer.push(std::mem::replace(&mut self.line, inner));
        Ok(())
    }

    fn close(&mut self) -> Result<(), Reason> {
        let outer = self.outer.pop().ok_or(Reason::NoVariation)?;
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

    /// An escape string that keeps its braces is a comment; others are nobody's business.
    fn escape(&mut self, text: &str) -> Result<(), Reason> {
        let Some(text) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) else {
            return Ok(());
        };
        self.begin_moves()?;
        let (times, rest) = take_times(text);
        let (comments, text) = if let Some(ply) = self.line.plies.last_mut() {
            ply.clk_ms = times.clk_ms.or(ply.clk_ms);
            ply.emt_ms = times.emt_ms.or(ply.emt_ms);
            (&mut ply.comments, rest)
        } else if self.outer.is_empty() {
            (&mut self.line.comments, words(text).join(" "))
        } else {
            (&mut self.line.comments, rest)
        };
        if !text.is_empty() {
            comments.push(text);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Game, Reason> {
        self.begin_moves()?;
        if !self.outer.is_empty() {
            return Err(Reason::OpenVariation);
        }
        self.game.outcome = self.game.tags.get("Result").and_then(Outcome::parse).unwrap_or_default();
        self.game.comments = self.line.comments;
        self.game.line = self.line.plies;
        Ok(self.game)
    }
}
