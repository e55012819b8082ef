//! The tournament: sections, rounds, pairings, players and boards, and the orders that change them.
//!
//! Event sourcing: an [`Order`] goes into [`decide`], which returns a [`Decision`] of [`Fact`]s, events and notes, or a
//! [`Refusal`]; a start position on a board goes into [`open_game`]; the [`Hall`] is the fold of all facts. Names of persons
//! are in [`Persons`], apart from the facts, so that they can be removed.
//!
//! Pure: no clock, no files, no tasks; the time comes in as an argument. Must not know how games are recognised, stored or
//! shown.
//!
//! Where to start: `fact` for what is recorded, `hall` for the state, `order` for what a person can do, `decide` for the
//! rules, a file for each subject.

mod correction_text;
mod decide;
mod delay;
mod export;
mod fact;
mod free_tags;
mod game_ref;
mod game_text;
mod hall;
mod names;
mod note;
mod opening;
mod order;
mod person;
mod persons;
mod ready;
mod refusal;
mod round;
mod round_progress;
mod seating;
mod section;
mod start;
mod subject;
mod tags;
#[cfg(test)]
mod tests;
mod undo;

pub use correction_text::CorrectionText;
pub use decide::{Decision, GamesKnown, Preview, decide, first_move, has_address, is_shown, preview};
pub use delay::{Delay, NoDelay};
pub use export::{differing_byes, report, results};
pub use fact::{Correction, Fact};
pub use free_tags::remove_names;
pub use game_ref::GameRef;
pub use game_text::GameText;
pub use hall::{Found, Hall, UNASSIGNED, Unassigned, serial_order};
pub use names::Names;
pub use note::{ByeShown, Note};
pub use opening::{OpenedGame, Opening, begin_anew, expected, follow, open_game, played_on};
pub use order::{DrawnStart, EnteredMove, MoveEdit, Order, PairingFile, Seat, TakenStart};
pub use person::{Display, Person, PersonRecord, PlayerId};
pub use persons::Persons;
pub use ready::{At, BoardState, ClockShown, ReadyProblem, ResultShown, ready};
pub use refusal::{Conflict, Invalid, Missing, Question, Refusal, RefusalKind, Stale, entries};
pub use round::{Pair, Pairing, PairingState, Round, RoundSettings, RoundState, StartPosition};
pub use round_progress::due;
pub use seating::{Proposal, awaited_on, tables_without_board};
pub use section::{
    LoadedPlace, LoadedReport, LoadedStandings, PlayerFacts, Section, SectionSettings, Tournament, is_slug, slugify,
};
pub use subject::{Subject, SubjectText};
pub use tags::{date_tag, public_tags};
pub use undo::Undo;

pub use pairings::time_controls::TimeControls;
