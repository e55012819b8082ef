//! The tournament: sections and rounds, who plays whom at which board, and what an operator may order.
//!
//! The [`Hall`] is the fold of [`Fact`]s; [`decide`] makes facts of an [`Order`], [`open_game`] of a start position on a
//! board. Pure: no clock, no file, no task below this module. Must not know how games are recognised, kept or shown.

pub mod decide;
pub mod export;
pub mod fact;
mod game_ref;
pub mod hall;
pub mod names;
pub mod opening;
pub mod order;
pub mod person;
pub mod persons;
pub mod ready;
pub mod refusal;
pub mod round;
pub mod section;
mod start;
pub mod tags;
#[cfg(test)]
mod tests;
mod undo;

pub use decide::{Decision, GamesKnown, Preview, decide, due, is_shown, preview};
pub use export::{differing_byes, results};
pub use fact::{Correction, Fact};
pub use game_ref::GameRef;
pub use hall::{Found, Hall, KEPT_APART, Parked, serial_order};
pub use names::Names;
pub use opening::{OpenedGame, Opening, expected, follow, open_game};
pub use order::{DrawnStart, EnteredMove, MoveEdit, Order, PairingFile, Seat};
pub use person::{Display, Person, PersonRecord, PlayerId};
pub use persons::Persons;
pub use ready::{BoardState, ClockShown, ReadyProblem, ResultShown, ready};
pub use refusal::{Refusal, RefusalKind};
pub use round::{Pair, Pairing, PairingState, Round, RoundSettings, RoundState, StartPosition};
pub use section::{PlayerFacts, Section, SectionSettings, Tournament};
pub use tags::public_tags;
pub use undo::Undo;

pub use pairings::time_controls::TimeControls;
