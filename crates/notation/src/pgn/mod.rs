//! Games as Portable Game Notation.
//!
//! [`read_games`] takes what the world writes, [`write_game`] writes the standard's export format.
//! A [`Game`] is what both agree on: tags, moves as text with their annotations, the outcome.
//! Nothing here knows the rules of chess; whether a move is legal is for others to say.
//!
//! ```
//! use notation::pgn::{Outcome, read_games, write_game};
//!
//! let text = "[White \"Adler, Ida\"]\n\n1.e4 {[%clk 01:30:25]} e5 ½-½";
//! for game in read_games(text) {
//!     let game = game?;
//!     assert_eq!(game.tags.get("White"), Some("Adler, Ida"));
//!     assert_eq!(game.line[0].clk_ms, Some(5_425_000));
//!     assert_eq!(game.outcome, Outcome::Draw);
//!     assert!(write_game(&game).ends_with("\n\n1. e4 {[%clk 1:30:25]} 1... e5 1/2-1/2\n\n"));
//! }
//! # Ok::<(), notation::pgn::PgnError>(())
//! ```

mod error;
mod lexer;
mod limits;
mod outcome;
mod read;
mod san;
mod tags;
mod write;

pub use error::{PgnError, Reason};
pub use limits::{MAX_COMMENT_BYTES, MAX_DEPTH, MAX_PLIES, MAX_TAG_VALUE_BYTES, MAX_TAGS};
pub use outcome::Outcome;
pub use read::{Games, read_games};
pub use tags::{ROSTER, Tags, is_tag_name};
pub use write::{write_game, write_movetext, write_tags};

/// One game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Game {
    /// The tag pairs.
    pub tags: Tags,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves played.
    pub line: Line,
    /// How the game ended. The writer puts it into the `Result` tag too, whatever [`Game::tags`]
    /// says there.
    pub outcome: Outcome,
}

/// Moves one after another, by White and Black in turn.
pub type Line = Vec<Ply>;

/// One move of one side with what is said about it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ply {
    /// The move in standard algebraic notation, check or mate mark included: `Nxf7+`, `O-O`,
    /// `e8=Q#`; `--` passes.
    pub san: String,
    /// Numeric annotation glyphs: 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    /// Time left on the mover's clock after the move, in milliseconds (`%clk`); `None` if it was
    /// not read.
    pub clk_ms: Option<u64>,
    /// Time spent on the move, in milliseconds (`%emt`); `None` if it is not known.
    pub emt_ms: Option<u64>,
    /// Comments behind the move, without the clock commands above; unknown commands `[%name ...]`
    /// stay in the text. White space means a space, and an empty comment is none.
    pub comments: Vec<String>,
    /// Lines that could have been played instead of this move.
    pub variations: Vec<Line>,
}

impl Ply {
    /// A move without any annotation.
    pub fn new(san: impl Into<String>) -> Self {
        Self { san: san.into(), ..Self::default() }
    }
}
