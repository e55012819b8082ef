//! Damage of PGN as a reason why a file of pairings is refused.

use notation::pgn::{MAX_COMMENT_BYTES, MAX_GAME_BYTES, MAX_PLIES, MAX_TAG_VALUE_BYTES, MAX_TAGS, Reason};

use super::super::problem::FileProblem;

/// What is wrong with a game of a PGN text, with a code of its own.
pub fn damage(damage: Reason) -> FileProblem {
    match damage {
        Reason::NotAMove(text) => FileProblem::NotAMove { text },
        Reason::Stray(character) => FileProblem::StrayCharacter { text: character.into() },
        Reason::NotText => FileProblem::NotText,
        Reason::NotATag => FileProblem::NotATag,
        Reason::TagName(text) => FileProblem::NotATagName { text },
        Reason::OpenTagValue => FileProblem::OpenTagValue,
        Reason::LongTagValue => FileProblem::LongTagValue { most: MAX_TAG_VALUE_BYTES },
        Reason::TooManyTags => FileProblem::ManyTags { most: MAX_TAGS },
        Reason::OpenComment => FileProblem::OpenComment,
        Reason::LongComment => FileProblem::LongComment { most: MAX_COMMENT_BYTES },
        Reason::Nag => FileProblem::NotANag,
        Reason::Suffix(text) => FileProblem::NotASuffix { text },
        Reason::VariationWithoutMove => FileProblem::VariationWithoutMove,
        Reason::OpenVariation => FileProblem::OpenVariation,
        Reason::TooManyPlies => FileProblem::ManyPlies { most: MAX_PLIES },
        Reason::LongGame => FileProblem::LongGame { most: MAX_GAME_BYTES },
        // Moves are not checked here, and notices do not end the reading of a game.
        Reason::IgnoredRight(_)
        | Reason::NullMove
        | Reason::MoveNumber { .. }
        | Reason::Dropped(_)
        | Reason::CutVariation(_)
        | Reason::Rules(_) => FileProblem::DamagedGame,
    }
}
