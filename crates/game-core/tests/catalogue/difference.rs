//! Differences between what was recorded and what was played.

/// A difference between the record of a case and what was played.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    pub(crate) kind: Kind,
    /// The difference in words, with both sides.
    pub(crate) what: String,
}

impl Difference {
    pub(crate) fn new(kind: Kind, what: String) -> Self {
        Self { kind, what }
    }
}

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// An event contradicts the events before it.
    EventOutOfPlace,
    /// More or fewer games are recorded than were played.
    GameCount,
    /// A game starts from another position.
    WrongStart,
    /// One move of a game differs; all others are right.
    OneWrongMove,
    /// Moves of a game differ.
    WrongMoves,
    /// The record of a game stops before its last move.
    MissingMoves,
    /// The record of a game goes on after its last move.
    ExtraMoves,
    /// A result that the board showed is not recorded.
    MissingResult,
    /// Another result is recorded, or one that the board did not show.
    WrongResult,
    /// A clock time that the board reported is not recorded.
    MissingClockTime,
    /// A clock time that the clock did not show is recorded.
    WrongClockTime,
    /// The recorded time spent on a move is off by more than a second.
    WrongTimeSpent,
    /// Moves were recorded and taken back, though the players took nothing back.
    Retracts,
    /// An ambiguous gap was filled without asking the arbiter.
    Guessed,
    /// The arbiter was not asked about an ambiguous gap.
    ArbiterNotAsked,
    /// The arbiter was asked, but not shown two lines to choose from.
    LinesNotShown,
    /// The record does not say that the game left the rules, or says so of a game that did not.
    IllegalMoveNotReported,
    /// Pieces stood wrongly at the start, and no event named their squares.
    WrongSetupNotReported,
}

/// What one bad message on the line may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Games, moves, results: the record as it is in the end.
    Record,
    /// One move of a game.
    OneMove,
    /// A clock time or a time spent.
    ClockTime,
    /// Moves that were recorded and taken back.
    Retract,
}

impl Kind {
    pub(crate) fn cost(self) -> Cost {
        match self {
            Kind::OneWrongMove => Cost::OneMove,
            Kind::MissingClockTime | Kind::WrongClockTime | Kind::WrongTimeSpent => Cost::ClockTime,
            Kind::Retracts => Cost::Retract,
            _ => Cost::Record,
        }
    }
}
