//! What goes wrong at a table beyond untidy hands: takebacks, illegal moves, fallen pieces, odd presses, unusual endings.
//!
//! Vocabulary: the cases of docs/board-behaviour.md, 5 to 9, as players make them, and sets of them. Must not know how they
//! are played out: [`crate::script_builder`] does that.

/// What goes wrong at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Trouble {
    /// Nothing.
    #[default]
    None,
    /// Players press twice, or press back and again (docs/board-behaviour.md, 9.7).
    OddPresses,
    /// The clock is stopped for a while, and the arbiter may correct a time (docs/board-behaviour.md, 9.3 and 9.6).
    Arbiter,
    /// The clock's cable comes loose for some moves (docs/board-behaviour.md, 9.1).
    LooseClock,
    /// One to four plies are played, pressed and taken back (docs/board-behaviour.md, 6.2).
    Takeback,
    /// An illegal move is made, mostly pressed, and corrected (docs/board-behaviour.md, 6.1).
    IllegalCorrected,
    /// An illegal move ends the legal part of the game, and play goes on from there (docs/board-behaviour.md, 6.1).
    IllegalStands,
    /// Pieces fall and are set up again, not always right at first (docs/board-behaviour.md, 6.6).
    KnockedOver,
    /// The pawn waits on the last rank until a queen is found (docs/board-behaviour.md, 5.5).
    LatePromotion,
    /// Pieces are set straight between the moves, both players' (docs/board-behaviour.md, 6.5).
    Adjusting,
    /// The kings come to the centre one at a time and late, pieces in the way pushed aside
    /// (docs/board-behaviour.md, 7.1).
    KingsOneByOne,
    /// The result is not shown; the pieces are set up again at once (docs/board-behaviour.md, 7.3 and 8.6).
    NoResultShown,
    /// The players analyse after the game, with takebacks (docs/board-behaviour.md, 7.4).
    Analysis,
    /// The first moves are made before the clock is started (docs/board-behaviour.md, 8.7).
    LateStart,
    /// One or two pieces are set up wrongly; it is seen and corrected before the first move
    /// (docs/board-behaviour.md, 8.3).
    WrongStart,
    /// One piece stands so badly that the board does not see it until some moves are made
    /// (docs/board-behaviour.md, 8.3).
    CorrectedLate,
    /// The clock is switched off for good in the middle of the game (docs/board-behaviour.md, 9.1).
    ClockOff,
    /// A flag falls after the last move, and no result is shown (docs/board-behaviour.md, 9.5).
    FlagFall,
    /// The next game is set up and begun at once; the clock is not stopped, no result is shown
    /// (docs/board-behaviour.md, 8.6).
    NextAtOnce,
    /// The result is shown by a result piece on any free square (docs/board-behaviour.md, 7.6).
    ResultPiece,
    /// Pieces that stand where the kings shall go are pushed to other squares (docs/board-behaviour.md, 7.1).
    PushedAside,
    /// The board is turned round between the games, and the players change sides of the table
    /// (docs/board-behaviour.md, 8.2).
    BoardTurned,
    /// A rook upside down is the new queen: the board reports a rook (docs/board-behaviour.md, 5.4).
    UpsideDown,
    /// From some ply on one piece is reported as another (docs/board-behaviour.md, 10.8).
    Misread,
    /// The kings show the result while the clock runs; it is stopped late or never.
    ClockRunsOn,
    /// The clock is not pressed after the last move.
    LastNotPressed,
    /// The clock is stopped for a while between the lifting of a piece and its putting down.
    StoppedInHand,
}

impl Trouble {
    /// All troubles but [`Trouble::None`].
    pub const ALL: [Self; 26] = [
        Self::OddPresses,
        Self::Arbiter,
        Self::LooseClock,
        Self::Takeback,
        Self::IllegalCorrected,
        Self::IllegalStands,
        Self::KnockedOver,
        Self::LatePromotion,
        Self::Adjusting,
        Self::KingsOneByOne,
        Self::NoResultShown,
        Self::Analysis,
        Self::LateStart,
        Self::WrongStart,
        Self::CorrectedLate,
        Self::ClockOff,
        Self::FlagFall,
        Self::NextAtOnce,
        Self::ResultPiece,
        Self::PushedAside,
        Self::BoardTurned,
        Self::UpsideDown,
        Self::Misread,
        Self::ClockRunsOn,
        Self::LastNotPressed,
        Self::StoppedInHand,
    ];

    /// Whether the players show the result on the board where the ending needs it.
    pub fn shows_result(self) -> bool {
        !matches!(
            self,
            Self::NoResultShown
                | Self::Analysis
                | Self::IllegalStands
                | Self::FlagFall
                | Self::NextAtOnce
                | Self::ClockOff
        )
    }

    /// Whether it says how a game ends.
    fn ends_game(self) -> bool {
        !self.shows_result() || matches!(self, Self::KingsOneByOne | Self::ResultPiece | Self::PushedAside)
    }
}

/// A set of troubles at one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Troubles(u32);

impl Troubles {
    /// The set with one more trouble; [`Trouble::None`] adds nothing.
    #[must_use]
    pub fn with(self, trouble: Trouble) -> Self {
        Self(self.0 | Self::from(trouble).0)
    }

    /// Whether the set has this trouble.
    pub fn has(self, trouble: Trouble) -> bool {
        self.0 & Self::from(trouble).0 != 0
    }

    /// The troubles of the set, always in the same order.
    pub fn iter(self) -> impl Iterator<Item = Trouble> {
        Trouble::ALL.into_iter().filter(move |&trouble| self.has(trouble))
    }

    /// The trouble that says how the game ends: the first that does, as a game ends once. [`Trouble::None`] leaves it at two
    /// kings put in the centre.
    pub(crate) fn ending(self) -> Trouble {
        self.iter().find(|trouble| trouble.ends_game()).unwrap_or_default()
    }

    /// Whether the players show the result on the board where the ending needs it.
    pub fn shows_result(self) -> bool {
        self.ending().shows_result()
    }
}

impl From<Trouble> for Troubles {
    fn from(trouble: Trouble) -> Self {
        Self(if trouble == Trouble::None { 0 } else { 1 << trouble as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_expected_of_the_ending_that_is_played() {
        let set = |troubles: &[Trouble]| troubles.iter().copied().fold(Troubles::default(), Troubles::with);
        for (troubles, ending, shows) in [
            (&[][..], Trouble::None, true),
            (&[Trouble::Takeback], Trouble::None, true),
            (&[Trouble::ClockOff], Trouble::ClockOff, false),
            (&[Trouble::ClockOff, Trouble::KingsOneByOne], Trouble::KingsOneByOne, true),
            (&[Trouble::ResultPiece, Trouble::ClockOff], Trouble::ClockOff, false),
        ] {
            assert_eq!((set(troubles).ending(), set(troubles).shows_result()), (ending, shows), "{troubles:?}");
        }
    }
}
