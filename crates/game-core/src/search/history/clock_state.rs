//! What is known of a clock at a moment of a game.

/// What the messages of a clock have told so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(super) struct ClockState {
    /// There is one.
    pub(super) there: bool,
    /// It was pressed in this game.
    pub(super) pressing: bool,
    /// It runs.
    pub(super) runs: bool,
    /// It has run in this game.
    pub(super) ran: bool,
    /// What became of it since it was pressed last.
    pub(super) pause: Pause,
}

/// Whether a clock can have been turned round between two presses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pause {
    /// It ran all the time.
    #[default]
    None,
    /// It stood, or was away.
    Stood,
    /// It did, and its times and its lever were exchanged then.
    Turned,
}

impl ClockState {
    /// Whether plies are expected to be pressed.
    pub(super) fn is_pressing(self) -> bool {
        self.pressing && self.there && self.runs
    }

    /// Whether it stands after it ran.
    pub(super) fn stands(self) -> bool {
        self.ran && !self.runs
    }
}
