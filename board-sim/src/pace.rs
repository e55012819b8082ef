//! How the hands of the two players follow each other in time.
//!
//! Vocabulary of the table's settings. Must not know how a script is written: [`crate::two_hands`] does that.

/// How the hands of the two players follow each other, and which board and clock line they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pace {
    /// One hand after the other: the board has seen a ply before the clock is pressed, and no player moves before that. Row by
    /// row scan of 200 to 250 ms; the board knows the clock at once.
    #[default]
    InTurn,
    /// Two hands on their own schedules, as in all paces below, on a board and a clock line of some model
    /// ([`crate::model`]). Now and then a reply follows at once.
    Unhurried,
    /// One ply in five follows within 250 ms of the ply before it.
    Quick,
    /// The last 20 to 60 plies are played with less than 20 seconds for each player.
    Scramble,
    /// The hands of another model, a process in continuous time ([`crate::stochastic_hands`]); the style has no effect.
    Stochastic,
    /// Every other ply of the whole game follows within 250 ms of the ply before it.
    Storm,
}

impl Pace {
    /// Whether the hands have schedules of their own.
    pub fn is_independent(self) -> bool {
        self != Self::InTurn
    }

    /// How many plies in a hundred follow the ply before at once.
    pub(crate) fn at_once_percent(self, in_scramble: bool) -> u32 {
        match (self, in_scramble) {
            (Self::InTurn | Self::Stochastic, _) => 0,
            (_, true) => 40,
            (Self::Unhurried | Self::Scramble, false) => 4,
            (Self::Quick, false) => 20,
            (Self::Storm, false) => 50,
        }
    }
}
