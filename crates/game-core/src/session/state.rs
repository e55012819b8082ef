//! What a session holds, and how it gives out an event. The other files of the session build on this one.

use std::collections::VecDeque;

use dgt_protocol::{Command, FrameReader, Mode};
use notation::pgn::Outcome;

use super::BatteryView;
use super::bus::BusBoard;
use super::published_clock::PublishedClock;
use crate::clock::ClockTracker;
use crate::controls::Controls;
use crate::event::{Author, Event, Evidence, Record};
use crate::input::{Doubting, ResultRule};
use crate::link::Link;
use crate::press::Press;
use crate::search::Recogniser;
use crate::time::Timestamp;
use crate::times::Times;

/// What a session gives out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A command to send to the board.
    Send(Command),
    /// An event to record.
    Event(Record),
}

/// A result that the board shows and that is not published yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultClaim {
    /// The result.
    pub outcome: Outcome,
    /// The reason: `checkmate`, `stalemate`, `kings in the centre`, `result piece`.
    pub reason: &'static str,
    /// What shows it.
    pub evidence: Evidence,
    /// When it is published unless the board undoes it; none when a person must confirm it.
    pub due: Option<Timestamp>,
}

/// The end of a game that the board has not shown yet. Its result is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnseenEnd {
    /// Up to when it is waited for.
    pub(super) until: Timestamp,
    /// Since when the board is in sight again.
    pub(super) in_sight: Option<Timestamp>,
}

/// A press that came after its move was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LatePress {
    pub(super) press: Press,
    /// The ply that it ends.
    pub(super) ply: usize,
    /// Number of plies known when it came.
    pub(super) head: usize,
}

/// The session of one board.
#[derive(Clone, Debug)]
pub struct BoardSession {
    pub(super) reader: FrameReader,
    /// When the last bytes arrived.
    pub(super) last_bytes: Timestamp,
    pub(super) link: Link,
    /// What is known of a board on a bus; none for a board of its own.
    pub(super) bus: Option<BusBoard>,
    pub(super) recogniser: Box<Recogniser>,
    pub(super) battery: Option<BatteryView>,
    pub(super) clock: ClockTracker,
    pub(super) times: Times,
    /// The game's id, empty without a pairing.
    pub(super) game: String,
    pub(super) time_control: Option<Controls>,
    pub(super) result_rule: ResultRule,
    pub(super) doubting: Doubting,
    pub(super) result: Outcome,
    /// Whether a game has started and not ended.
    pub(super) open: bool,
    /// When the game, which has a result, ends.
    pub(super) closing_at: Option<Timestamp>,
    pub(super) claim: Option<ResultClaim>,
    /// A person entered the result while the board was out of sight: what it shows then is the end of the game.
    pub(super) unseen_end: Option<UnseenEnd>,
    /// The other game whose position was set up on the board, until the own one stands there again.
    pub(super) shows_other: Option<String>,
    /// The latest instant given so far.
    pub(super) now: Timestamp,
    /// The board or its clock was out of reach, and the position of the lever has not been used since.
    pub(super) catching_up: bool,
    /// A late press that is used once the board shows that no move went unseen.
    pub(super) waiting_press: Option<LatePress>,
    pub(super) published_clock: PublishedClock,
    /// The author of the events that the present input causes.
    pub(super) author: Author,
    pub(super) outputs: VecDeque<Output>,
}

impl Default for BoardSession {
    fn default() -> Self {
        Self::new()
    }
}

impl BoardSession {
    /// A session without inputs so far.
    pub fn new() -> Self {
        Self {
            reader: FrameReader::new(Mode::Single),
            last_bytes: Timestamp::ZERO,
            link: Link::default(),
            bus: None,
            recogniser: Box::default(),
            battery: None,
            clock: ClockTracker::default(),
            times: Times::default(),
            game: String::new(),
            time_control: None,
            result_rule: ResultRule::default(),
            doubting: Doubting::default(),
            result: Outcome::Unknown,
            open: false,
            closing_at: None,
            claim: None,
            unseen_end: None,
            shows_other: None,
            now: Timestamp::ZERO,
            catching_up: false,
            waiting_press: None,
            published_clock: PublishedClock::default(),
            author: Author::Board,
            outputs: VecDeque::new(),
        }
    }

    /// Gives out an event. Without an open game only starts and unexplained placements are given out.
    pub(super) fn emit(&mut self, t: Timestamp, event: Event, evidence: Evidence) {
        let alone = matches!(event, Event::GameStarted { .. } | Event::Unexplained { .. } | Event::Resolved);
        let started = matches!(event, Event::GameStarted { .. });
        if self.open || alone {
            self.outputs.push_back(Output::Event(Record { t, event, author: self.author.clone(), evidence }));
        }
        if let Some(bus) = self.bus.as_ref().filter(|_| started) {
            self.outputs.push_back(Output::Send(bus.start_game()));
        }
    }
}

/// A ply number as events carry it. No game reaches 2^32 plies.
pub(super) fn ply_number(ply: usize) -> u32 {
    u32::try_from(ply).unwrap_or(u32::MAX)
}
