//! What a session is unsure of, for arbiters and operators, never for the public.

use super::state::BoardSession;
use crate::line::square_names;
use crate::placement::square_of;

/// What a session is unsure of. Squares are written as `e4`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// Squares on which a start position on the board is wrong, until a game begins or the pieces are put right
    /// (docs/board-behaviour.md, 8.3).
    pub wrong_start: Vec<String>,
    /// Squares whose piece comes and goes without being touched (docs/board-behaviour.md, 2.4).
    pub unsteady: Vec<String>,
    /// Squares with a fault that was found: dead, with crosstalk, or with a misread piece
    /// (docs/board-behaviour.md, 10.6, 10.8 and
    /// 10.10). Squares that an operator declared dead are not included.
    pub faulty: Vec<String>,
    /// Lines in SAN that explain the board equally well, each from the last published move.
    pub candidates: Vec<Vec<String>>,
    /// Whether the clock shows that its battery is low (docs/protocol.md, 4.4).
    pub clock_battery_low: bool,
    /// What the battery of the board has left in percent, once that is low and it is not being charged (docs/protocol.md, 4.7).
    pub battery_low: Option<u8>,
}

impl BoardSession {
    /// What the session is unsure of now.
    pub fn doubts(&self) -> Doubts {
        let rotated = self.recogniser.rotated();
        Doubts {
            wrong_start: square_names(self.recogniser.wrong_start().iter().copied()),
            unsteady: square_names(self.recogniser.unsteady(self.now).map(|field| square_of(field, rotated))),
            faulty: square_names(self.recogniser.found_faulty()),
            candidates: self.recogniser.candidates(),
            clock_battery_low: self.clock.battery_is_low(),
            battery_low: self.battery.filter(|battery| battery.is_low()).map(|battery| battery.percent),
        }
    }
}
