//! Games as Portable Game Notation.
//!
//! [`read_games`] and [`Reader`] take what the world writes, [`write_game`] writes the standard's export format. A
//! [`Game`] is what both agree on: tags, moves with their annotations, the outcome. Whether the moves are legal is asked
//! of [`normalise`], or while reading of [`Reader::by_the_rules`].
//!
//! ```
//! use notation::pgn::{Outcome, read_games, write_game};
//!
//! let text = "[White \"Adler, Ida\"]\n\n1.e4 {[%clk 01:30:25]} e5 ½-½";
//! for game in read_games(text) {
//!     let game = game?;
//!     assert_eq!(game.tags.get("White"), Some("Adler, Ida"));
//!     let clocks: Vec<_> = game.line().map(|ply| ply.times().clk_ms).collect();
//!     assert_eq!(clocks, [Some(5_425_000), None]);
//!     assert_eq!(game.outcome, Outcome::Draw);
//!     assert!(write_game(&game).ends_with("\n\n1. e4 {[%clk 1:30:25]} 1... e5 1/2-1/2\n\n"));
//! }
//! # Ok::<(), notation::pgn::PgnError>(())
//! ```

mod error;
mod findings;
mod lexer;
mod limits;
mod outcome;
mod read;
mod reader;
mod reduce;
mod rules;
pub(crate) mod san;
mod signs;
mod tags;
mod write;

use shakmaty::san::SanPlus;

pub use error::{PgnError, Reason};
pub use findings::{Finding, Termination, UnknownTermination, findings, put_right};
pub use limits::{MAX_COMMENT_BYTES, MAX_GAME_BYTES, MAX_PLIES, MAX_TAG_VALUE_BYTES, MAX_TAGS};
pub use outcome::{Outcome, plain_result};
pub use reader::{Games, Reader, read_games};
pub use reduce::reduce;
pub use rules::{RulesError, normalise};
pub use tags::{ROSTER, Tags, is_tag_name};
pub use write::{write_game, write_movetext, write_tags};

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

/// An element of the movetext (PGN standard, 18). A game is a flat sequence of them, so that nothing is as deep as its
/// variations are nested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// A move, as it was written or in canonical form; [`shakmaty::san::San::Null`] passes.
    Move(SanPlus),
    /// A numeric annotation glyph of the move before, whose variations come behind it: 1 is `!`, 2 is `?`.
    Nag(u8),
    /// What is said at this place, with the clock commands in it. White space means a space, and an empty comment is
    /// none.
    Comment(String),
    /// A variation begins: what could have been played instead of the move before.
    Open,
    /// The innermost variation ends.
    Close,
}

/// A move of the line that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply<'a> {
    /// The move.
    pub san: SanPlus,
    /// All that stands between this move and the next one of the line: glyphs, comments, variations.
    pub notes: &'a [Element],
}

impl Game {
    /// Adds a move and the times that the clock told of it.
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
                let (first, behind) = rest.split_first()?;
                rest = behind;
                if let Element::Move(san) = first {
                    let (notes, behind) = behind.split_at(next_of_line(behind));
                    rest = behind;
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
    /// What is said about the move itself, without variations.
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

    /// The times that the comments tell of the move.
    pub fn times(&self) -> Times {
        self.comments().map(Times::of).fold(Times::default(), Times::updated_by)
    }
}
