//! What can be wrong with a game, and where.

use thiserror::Error;

use super::limits::{MAX_COMMENT_BYTES, MAX_DEPTH, MAX_PLIES, MAX_TAG_VALUE_BYTES, MAX_TAGS};

/// A game that could not be read. The games around it are not concerned.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct PgnError {
    /// Line of the damage, from 1.
    pub line: usize,
    /// Column of the damage in characters, from 1.
    pub column: usize,
    /// The damaged game's place in the text, from 1; readable and damaged games are counted alike.
    pub game: usize,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// A word of the movetext that is neither move, number nor result.
    #[error("“{0}” is no move; correct it or put it into a comment in braces")]
    NotAMove(String),
    /// A character that has no business where it stands.
    #[error("“{0}” has no meaning here; take it out or put it into a comment in braces")]
    Stray(char),
    /// A tag that is not of the form `[Name "value"]`.
    #[error("this is no tag; write [Name \"value\"]")]
    NotATag,
    /// A tag name with forbidden characters.
    #[error("“{0}” is no tag name; use letters, digits and underscores only")]
    TagName(String),
    /// A tag value without its end.
    #[error("this tag value does not end; close it with \"]")]
    OpenTagValue,
    /// A tag value over [`MAX_TAG_VALUE_BYTES`].
    #[error("this tag value is longer than {MAX_TAG_VALUE_BYTES} bytes; shorten it or close it with \"]")]
    LongTagValue,
    /// More than [`MAX_TAGS`] tags besides the roster.
    #[error("this game has more than {MAX_TAGS} tags besides the roster; take some out")]
    TooManyTags,
    /// A comment without its end.
    #[error("this comment does not end; close it with a brace")]
    OpenComment,
    /// A comment over [`MAX_COMMENT_BYTES`].
    #[error("this comment is longer than {MAX_COMMENT_BYTES} bytes; shorten it or close it with a brace")]
    LongComment,
    /// An annotation glyph outside `$0` to `$255`.
    #[error("an annotation glyph is a number from $0 to $255; correct it")]
    Nag,
    /// A run of exclamation and question marks that means nothing.
    #[error("“{0}” is no annotation; use one of ! ? !! ?? !? ?!")]
    Suffix(String),
    /// A variation where no move stands before it.
    #[error("this variation has no move to stand for; put it behind a move")]
    VariationWithoutMove,
    /// A variation without its end.
    #[error("this variation does not end; close it with a parenthesis")]
    OpenVariation,
    /// Variations nested deeper than [`MAX_DEPTH`].
    #[error("variations are nested more than {MAX_DEPTH} deep; flatten them")]
    TooDeep,
    /// More than [`MAX_PLIES`] moves.
    #[error("this game has more than {MAX_PLIES} moves with its variations; split it")]
    TooManyPlies,
}
