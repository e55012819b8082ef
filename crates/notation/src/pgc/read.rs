//! Reads games from PGC.

use shakmaty::Chess;
use shakmaty::san::SanPlus;

use super::error::{PgcError, Reason};
use super::item::{Cursor, Item, latin1};
use super::ordinal::ordered_moves;
use crate::comment::normalise;
use crate::excerpt::excerpt;
use crate::pgn::{Element, Game, MAX_PLIES, MAX_TAGS, Outcome, ROSTER, is_tag_name, start_position};

/// Reads the games of PGC data one by one. A damaged game yields an error; reading continues where the next game seems to
/// begin.
pub fn read_games(bytes: &[u8]) -> Games<'_> {
    Games { cursor: Cursor { bytes, at: 0 }, game: 0 }
}

/// The games of PGC data, see [`read_games`].
#[derive(Debug, Clone)]
pub struct Games<'a> {
    cursor: Cursor<'a>,
    /// Games returned, damaged ones included.
    game: usize,
}

/// Offset of the wrong record, and the reason.
type RecordError = (usize, Reason);

impl Iterator for Games<'_> {
    type Item = Result<Game, PgcError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.read().transpose()?;
        self.game += 1;
        Some(game.map_err(|(offset, reason)| {
            // The game that begins too early may itself be valid.
            self.cursor.at = if reason == Reason::Nested { offset } else { offset + 1 };
            self.cursor.find_game();
            PgcError { offset, game: self.game, reason }
        }))
    }
}

impl Games<'_> {
    fn read(&mut self) -> Result<Option<Game>, RecordError> {
        while !self.cursor.is_at_end() {
            let at = self.cursor.at;
            match self.cursor.item().map_err(|reason| (at, reason))? {
                Item::Noop | Item::Escape(_) => {}
                Item::Begin => return self.general_game().map(Some),
                Item::ReducedGame(values, moves) => {
                    let mut builder = GameBuilder::default();
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

    fn general_game(&mut self) -> Result<Game, RecordError> {
        let begin = self.cursor.at - 1;
        let mut builder = GameBuilder::default();
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

/// A line of moves, the main line or a variation, while it is read.
#[derive(Clone, Default)]
struct Line {
    /// Index of the [`Element::Open`]; unused in the main line.
    open: usize,
    /// Number of its latest move.
    ply: usize,
    /// Whether the line has a move.
    begun: bool,
    /// Positions before and after the latest move.
    before: Chess,
    now: Chess,
    /// NAGs before the first move. They are put after that move.
    early_nags: Vec<u8>,
}

/// A game while it is read.
#[derive(Default)]
struct GameBuilder {
    game: Game,
    supplemental_tags: usize,
    /// Moves so far, variations included.
    plies: usize,
    /// Whether the moves have begun.
    in_moves: bool,
    /// The lines around the current one, the main line first.
    outer: Vec<Line>,
    line: Line,
}

impl GameBuilder {
    fn tag(&mut self, name: &str, value: &str) -> Result<(), Reason> {
        if self.in_moves {
            return Err(Reason::LateTag);
        }
        if !is_tag_name(name) {
            return Err(Reason::TagName(excerpt(name)));
        }
        self.supplemental_tags += usize::from(!ROSTER.contains(&name));
        if self.supplemental_tags > MAX_TAGS {
            return Err(Reason::TooManyTags);
        }
        self.game.tags.set(name, value);
        Ok(())
    }

    /// Begins the moves: all tags are known, so the start position is.
    fn begin_moves(&mut self) -> Result<(), Reason> {
        if !self.in_moves {
            self.in_moves = true;
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
                return Err(Reason::Ordinal { ply: line.ply + 1, ordinal, moves: legal.len() });
            };
            line.ply += 1;
            line.begun = true;
            line.before = line.now.clone();
            let san = SanPlus::from_move_and_play_unchecked(&mut line.now, m);
            self.game.movetext.push(Element::Move(san));
            self.game.movetext.extend(line.early_nags.drain(..).map(Element::Nag));
        }
        Ok(())
    }

    fn nag(&mut self, nag: u8) -> Result<(), Reason> {
        self.begin_moves()?;
        if self.line.begun {
            self.game.movetext.push(Element::Nag(nag));
        } else {
            self.line.early_nags.push(nag);
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), Reason> {
        self.begin_moves()?;
        if !self.line.begun {
            return Err(Reason::VariationWithoutMove);
        }
        let inner = Line {
            open: self.game.movetext.len(),
            ply: self.line.ply - 1,
            now: self.line.before.clone(),
            ..Line::default()
        };
        self.game.movetext.push(Element::Open);
        self.outer.push(std::mem::replace(&mut self.line, inner));
        Ok(())
    }

    fn close(&mut self) -> Result<(), Reason> {
        let outer = self.outer.pop().ok_or(Reason::NoVariation)?;
        let inner = std::mem::replace(&mut self.line, outer);
        if inner.begun {
            self.game.movetext.push(Element::Close);
        } else {
            // A variation without a move is dropped; its comments stay.
            self.game.movetext.remove(inner.open);
        }
        Ok(())
    }

    /// An escape string in braces is a comment; others are skipped.
    fn escape(&mut self, text: &str) -> Result<(), Reason> {
        let Some(text) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) else {
            return Ok(());
        };
        self.begin_moves()?;
        let text = normalise(text);
        if !text.is_empty() {
            self.game.movetext.push(Element::Comment(text.into_owned()));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Game, Reason> {
        self.begin_moves()?;
        if !self.outer.is_empty() {
            return Err(Reason::OpenVariation);
        }
        self.game.outcome = self.game.tags.get("Result").and_then(Outcome::parse).unwrap_or_default();
        Ok(self.game)
    }
}
