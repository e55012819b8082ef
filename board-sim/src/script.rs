//! A script: what players do with pieces and clock, each action with its time.
//!
//! Knows touches of pieces. Must not know how a game is played or what goes wrong: [`crate::play`] writes the scripts.

use std::collections::VecDeque;

use shakmaty::{Color, Piece, Square};

use crate::hands::{Step, Touch};

/// Something that players or the arbiter do at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A square is touched.
    Touch(Touch),
    /// The clock is set to its start values, lever up at White's side.
    SetClock,
    /// Start/Stop pressed: the clock runs.
    StartClock,
    /// Start/Stop pressed: the clock stands.
    StopClock,
    /// The next ply of the plan is complete.
    Ply {
        /// The mover presses the clock; otherwise it was forgotten.
        pressed: bool,
    },
    /// A player presses the clock although no move of the plan is complete.
    Press(Color),
    /// The maker of the last ply presses, late or once more; the clock time of that ply is what the clock shows then.
    PressLate,
    /// The arbiter sets a player's remaining time, in milliseconds.
    SetTime(Color, u64),
    /// The clock's cable is pulled out (`false`) or plugged in again (`true`).
    ClockPlugged(bool),
    /// Plies that were made and pressed are about to be taken back.
    TakenBack,
    /// A result piece is put on this square: it declares a winner, or a draw (`None`).
    ResultPiece(Square, Option<Color>),
    /// From now on the board reports the piece on this square as another one, wherever it goes.
    Misread {
        /// Where it stands.
        square: Square,
        /// What it is.
        piece: Piece,
        /// What the board reports.
        as_piece: Piece,
    },
    /// The pieces stand, the clock is set, the players are ready.
    Ready,
    /// The result is clear and has been shown long enough.
    GameOver,
}

/// Actions in the order of their times, in milliseconds since the start of the script.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    actions: VecDeque<(u64, Action)>,
    end_ms: u64,
}

impl Script {
    /// The next action and its time.
    pub(crate) fn next(&self) -> Option<(u64, Action)> {
        self.actions.front().copied()
    }

    /// Removes the next action.
    pub(crate) fn pop(&mut self) {
        self.actions.pop_front();
    }

    /// Puts an action before all others.
    pub(crate) fn insert_first(&mut self, at_ms: u64, action: Action) {
        self.actions.push_front((at_ms, action));
    }

    /// The time of the end of the script so far.
    pub(crate) fn end_ms(&self) -> u64 {
        self.end_ms
    }

    /// Moves the end of the script by a pause.
    pub(crate) fn wait(&mut self, pause_ms: u64) {
        self.end_ms += pause_ms;
    }

    /// Appends an action at the end of the script.
    pub(crate) fn add(&mut self, action: Action) {
        self.actions.push_back((self.end_ms, action));
    }

    /// Puts an action at its time, after those of the same time; the end of the script is never before it.
    pub(crate) fn insert(&mut self, at_ms: u64, action: Action) {
        let later = self.actions.iter().rev().take_while(|(other_ms, _)| *other_ms > at_ms).count();
        self.actions.insert(self.actions.len() - later, (at_ms, action));
        self.end_ms = self.end_ms.max(at_ms);
    }

    /// Appends touches, each after its pause.
    pub(crate) fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.wait(step.pause_ms);
            self.add(Action::Touch(step.touch));
        }
    }

    /// All actions still to come.
    #[cfg(test)]
    pub(crate) fn actions(&self) -> impl Iterator<Item = (u64, Action)> {
        self.actions.iter().copied()
    }
}
