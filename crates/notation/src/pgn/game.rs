//! A game: tags, moves with their annotations, the outcome.
//!
//! Must not know how a game is read or written.

use shakmaty::san::SanPlus;

use super::outcome::Outcome;
use super::tags::Tags;
use crate::time::Times;

/// One game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Game {
    /// The tag pairs.
    pub tags: Tags,
    /// Moves, annotations and variations in the order in which they are written.
    pub movetext: Vec<Element>,
    /// How the game ended. The writer puts it into the `Result` tag too, whatever [`Game::tags`] says there.
    pub outcome: Outcome,
}

/// An element of the movetext (PGN standard, 18). The sequence is flat: nested variations need no recursion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// A move, as it was written or in canonical form; [`shakmaty::san::San::Null`] is a null move.
    Move(SanPlus),
    /// A numeric annotation glyph of the move before it: 1 is `!`, 2 is `?`. It stands before the move's variations.
    Nag(u8),
    /// A comment, with its embedded commands. Any white space counts as one space; an empty comment is not written.
    Comment(String),
    /// A variation begins: an alternative to the move before it.
    Open,
    /// The innermost variation ends.
    Close,
}

/// A move of the line that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply<'a> {
    /// The move.
    pub san: SanPlus,
    /// Everything between this move and the next one of the line: glyphs, comments, variations.
    pub notes: &'a [Element],
}

impl Game {
    /// Adds a move and, as a comment, its times.
    pub fn play(&mut self, san: SanPlus, times: Times) {
        self.movetext.push(Element::Move(san));
        let commands = times.commands();
        if !commands.is_empty() {
            self.movetext.push(Element::Comment(commands));
        }
    }

    /// The moves that were played, without variations.
    pub fn line(&self) -> impl Iterator<Item = Ply<'_>> {
        let mut rest = &self.movetext[..];
        std::iter::from_fn(move || {
            loop {
                let (first, after) = rest.split_first()?;
                rest = after;
                if let Element::Move(san) = first {
                    let (notes, after) = after.split_at(next_of_line(after));
                    rest = after;
                    return Some(Ply { san: *san, notes });
                }
            }
        })
    }
}

/// Index of the first move that is in no variation, or the end.
fn next_of_line(elements: &[Element]) -> usize {
    let mut depth = 0_usize;
    let next = elements.iter().position(|element| match element {
        Element::Move(_) => depth == 0,
        Element::Open => {
            depth += 1;
            false
        }
        Element::Close => {
            depth = depth.saturating_sub(1);
            false
        }
        Element::Nag(_) | Element::Comment(_) => false,
    });
    next.unwrap_or(elements.len())
}

impl<'a> Ply<'a> {
    /// The comments on the move itself, without those of its variations.
    pub fn comments(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut depth = 0_usize;
        let notes: &'a [Element] = self.notes;
        notes.iter().filter_map(move |element| {
            match element {
                Element::Open => depth += 1,
                Element::Close => depth = depth.saturating_sub(1),
                Element::Comment(text) if depth == 0 => return Some(text.as_str()),
                _ => {}
            }
            None
        })
    }

    /// The times of the move that its comments hold.
    pub fn times(&self) -> Times {
        self.comments().map(Times::of).fold(Times::default(), Times::updated_by)
    }
}
