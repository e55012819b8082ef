//! What a session is not sure of. For arbiters and operators, never for the public.
//!
//! Part of the session; knows what it knows.

use crate::line::square_names;
use crate::placement::square_of;
use crate::session::BoardSession;

/// What somebody should look at, with squares as people write them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// Where a start position that stands on the board is wrong, until a game begins or it is mended (behaviour paper, 8.3).
    pub wrong_start: Vec<String>,
    /// Where a piece comes and goes (behaviour paper, 2.4).
    pub unsteady: Vec<String>,
    /// What is not believed because it was found to be wrong: squares, and that of a piece that reads as another (behaviour
    /// paper, 10.6, 10.8 and 10.10). Those that a person declared are not among them.
    pub faulty: Vec<String>,
    /// Lines in SAN that explain the board equally well, each from the last move that was told.
    pub candidates: Vec<Vec<String>>,
}

impl BoardSession {
    /// What it is not sure of now.
    pub fn doubts(&self) -> Doubts {
        let rotated = self.recogniser.rotated();
        Doubts {
            wrong_start: square_names(self.recogniser.wrong_start().iter().copied()),
            unsteady: square_names(self.unsteady.fields(self.now).map(|field| square_of(field, rotated))),
            faulty: square_names(self.recogniser.found_faulty()),
            candidates: self.recogniser.candidates(),
        }
    }
}
