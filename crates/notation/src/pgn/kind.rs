//! Kinds of errors in games, to count and to choose them by.

use super::error::Reason;
use super::findings::Finding;
use super::rules::RulesError;

/// The kind of an error in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A text that is not in the form of PGN.
    Syntax,
    /// A move that is not legal.
    IllegalMove,
    /// A variant other than Chess960.
    Variant,
    /// A `FEN` tag that is not a legal position.
    Position,
    /// A character or word that is left out of its game.
    LeftOut,
    /// A variation whose rest is left out.
    Variation,
    /// A null move in the main line.
    NullMove,
    /// A castling right or an en passant square that the pieces do not allow.
    Rights,
    /// Move numbers that do not count the moves.
    MoveNumber,
    /// Results that differ from each other.
    Result,
    /// A mate with another result.
    Mate,
    /// A rating that is not a number.
    Elo,
    /// A wrong number of plies.
    PlyCount,
    /// A date in another form.
    Date,
    /// `SetUp` without `FEN`, or the other way round.
    SetUp,
    /// A time control in another form.
    TimeControl,
    /// An unknown country code.
    Country,
    /// An unknown termination.
    Termination,
}

impl Kind {
    /// All kinds: first those of damaged games, then those of games of which a part is left out, then contradictions.
    pub const ALL: [Self; 18] = [
        Self::Syntax,
        Self::IllegalMove,
        Self::Variant,
        Self::Position,
        Self::LeftOut,
        Self::Variation,
        Self::NullMove,
        Self::Rights,
        Self::MoveNumber,
        Self::Result,
        Self::Mate,
        Self::Elo,
        Self::PlyCount,
        Self::Date,
        Self::SetUp,
        Self::TimeControl,
        Self::Country,
        Self::Termination,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::IllegalMove => "illegal-move",
            Self::Variant => "variant",
            Self::Position => "position",
            Self::LeftOut => "left-out",
            Self::Variation => "variation",
            Self::NullMove => "null-move",
            Self::Rights => "rights",
            Self::MoveNumber => "move-number",
            Self::Result => "result",
            Self::Mate => "mate",
            Self::Elo => "elo",
            Self::PlyCount => "ply-count",
            Self::Date => "date",
            Self::SetUp => "set-up",
            Self::TimeControl => "time-control",
            Self::Country => "country",
            Self::Termination => "termination",
        }
    }

    /// Whether the game is whole, and only what is written about it contradicts itself or its form.
    pub const fn is_contradiction(self) -> bool {
        !matches!(
            self,
            Self::Syntax
                | Self::IllegalMove
                | Self::Variant
                | Self::Position
                | Self::LeftOut
                | Self::Variation
                | Self::NullMove
        )
    }
}

impl Reason {
    /// Its kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::NotAMove(_)
            | Self::Stray(_)
            | Self::NotText
            | Self::NotATag
            | Self::TagName(_)
            | Self::OpenTagValue
            | Self::LongTagValue
            | Self::TooManyTags
            | Self::OpenComment
            | Self::LongComment
            | Self::Nag
            | Self::Suffix(_)
            | Self::VariationWithoutMove
            | Self::OpenVariation
            | Self::TooManyPlies
            | Self::LongGame => Kind::Syntax,
            Self::IgnoredRight(_) => Kind::Rights,
            Self::NullMove => Kind::NullMove,
            Self::MoveNumber { .. } => Kind::MoveNumber,
            Self::Dropped(_) => Kind::LeftOut,
            Self::CutVariation(_) => Kind::Variation,
            Self::Rules(RulesError::Start(_)) => Kind::Position,
            Self::Rules(RulesError::Variant(_)) => Kind::Variant,
            Self::Rules(RulesError::Illegal { .. } | RulesError::Null | RulesError::Ambiguous { .. }) => {
                Kind::IllegalMove
            }
        }
    }
}

impl Finding {
    /// Its kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Result { .. } => Kind::Result,
            Self::Mate { .. } => Kind::Mate,
            Self::Fen(_) => Kind::Position,
            Self::Elo { .. } => Kind::Elo,
            Self::PlyCount { .. } => Kind::PlyCount,
            Self::Date(_) => Kind::Date,
            Self::SetUp => Kind::SetUp,
            Self::TimeControl(_) => Kind::TimeControl,
            Self::Country { .. } => Kind::Country,
            Self::Termination(_) => Kind::Termination,
        }
    }
}
