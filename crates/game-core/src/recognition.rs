//! The recogniser behind a session: the rules of `recognise`, or the search. Both are asked the same questions.

use std::collections::BTreeMap;

use dgt_protocol::{ClockMessage, EventLog, Field, Fields, PieceCode};
use shakmaty::{Bitboard, Chess, Square};

use crate::event::{Evidence, Side, Variant};
use crate::line::Line;
use crate::placement::Placement;
use crate::recognise::{Conclusion, Recogniser};
use crate::search::SearchRecogniser;
use crate::time::Timestamp;

/// Which recogniser a session has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recognition {
    /// Rules that follow one line of play.
    Rules,
    /// A search for the likeliest line of play.
    #[default]
    Search,
}

/// The recogniser of a session.
#[derive(Clone, Debug)]
pub(crate) enum Core {
    Rules(Box<Recogniser>),
    Search(Box<SearchRecogniser>),
}

macro_rules! both {
    ($(fn $name:ident(&self $(, $arg:ident: $type:ty)*) $(-> $result:ty)?;)*) => {
        $(pub(crate) fn $name(&self $(, $arg: $type)*) $(-> $result)? {
            match self {
                Self::Rules(rules) => rules.$name($($arg),*),
                Self::Search(search) => search.$name($($arg),*),
            }
        })*
    };
}

macro_rules! both_mut {
    ($(fn $name:ident(&mut self $(, $arg:ident: $type:ty)*) $(-> $result:ty)?;)*) => {
        $(pub(crate) fn $name(&mut self $(, $arg: $type)*) $(-> $result)? {
            match self {
                Self::Rules(rules) => rules.$name($($arg),*),
                Self::Search(search) => search.$name($($arg),*),
            }
        })*
    };
}

impl Core {
    pub(crate) fn new(recognition: Recognition) -> Self {
        match recognition {
            Recognition::Rules => Self::Rules(Box::default()),
            Recognition::Search => Self::Search(Box::default()),
        }
    }

    both! {
        fn line(&self) -> Option<&Line>;
        fn confirmed(&self) -> usize;
        fn placement(&self) -> &Placement;
        fn has_seen_board(&self) -> bool;
        fn rotated(&self) -> bool;
        fn wrong_start(&self) -> &[Square];
        fn is_over(&self) -> bool;
        fn shows_head(&self) -> bool;
        fn has_gap(&self) -> bool;
        fn dead(&self) -> Bitboard;
        fn found_faulty(&self) -> Bitboard;
        fn candidates(&self) -> Vec<Vec<String>>;
        fn next_deadline(&self) -> Option<Timestamp>;
    }

    both_mut! {
        fn close(&mut self);
        fn finalise_end(&mut self);
        fn poll(&mut self) -> Option<Conclusion>;
        fn take_dump_request(&mut self) -> bool;
        fn take_log_request(&mut self) -> bool;
        fn handle_timeout(&mut self, now: Timestamp);
        fn lost_contact(&mut self);
        fn unplugged(&mut self);
        fn lost_message(&mut self, now: Timestamp);
        fn handle_dump(&mut self, now: Timestamp, fields: &Fields, asked: Option<Timestamp>);
        fn handle_update(&mut self, now: Timestamp, field: Field, piece: PieceCode);
        fn handle_log(&mut self, now: Timestamp, log: &EventLog, left: Side) -> BTreeMap<usize, u64>;
        fn begin_logged_game(&mut self, now: Timestamp) -> Option<BTreeMap<usize, u64>>;
        fn confirm_logged_game(&mut self, now: Timestamp);
        fn expect_start(&mut self, start: Chess, variant: Variant);
        fn confirm_position(&mut self, named: &Chess);
        fn start_from(&mut self, now: Timestamp, start: Chess, variant: Variant);
        fn set_line(&mut self, now: Timestamp, line: &Line);
        fn declare_dead(&mut self, now: Timestamp, squares: Bitboard);
        fn end_by_rules(&mut self, evidence: Evidence);
    }

    /// Goes on with a game whose moves are confirmed already, on a board whose `dead` squares are not believed.
    pub(crate) fn resume(
        &mut self,
        now: Timestamp,
        line: Line,
        rotated: bool,
        over: bool,
        dead: Bitboard,
        white_is_left: Option<bool>,
    ) {
        match self {
            Self::Rules(rules) => rules.resume(now, line, rotated, over, dead),
            Self::Search(search) => search.resume(now, line, rotated, over, dead, white_is_left),
        }
    }

    /// Whether White sits at the clock's left side, as far as the moves have told.
    pub(crate) fn white_is_left(&self) -> Option<bool> {
        match self {
            Self::Rules(_) => None,
            Self::Search(search) => search.white_is_left(),
        }
    }

    /// How many plies the board shows, as far as it can tell.
    pub(crate) fn plies_shown(&self) -> usize {
        match self {
            Self::Rules(rules) => rules.line().map_or(0, Line::plies),
            Self::Search(search) => search.plies_shown(),
        }
    }

    /// Whether a ply may be confirmed after the press of a later one.
    pub(crate) fn keeps_later_presses(&self) -> bool {
        matches!(self, Self::Search(_))
    }

    /// What the clock does; the search hears the clock itself.
    pub(crate) fn set_clock(&mut self, now: Timestamp, running: Option<Side>, stopped: bool) {
        if let Self::Rules(rules) = self {
            rules.set_clock(now, running, stopped);
        }
    }

    /// A player pressed the clock.
    pub(crate) fn handle_press(&mut self, now: Timestamp, side: Side) {
        if let Self::Rules(rules) = self {
            rules.handle_press(now, side);
        }
    }

    /// What was taken for the press that ended a ply was none.
    pub(crate) fn remove_press(&mut self, ply: usize) {
        if let Self::Rules(rules) = self {
            rules.remove_press(ply);
        }
    }

    /// Bytes arrived, whatever they say.
    pub(crate) fn hear(&mut self, now: Timestamp) {
        if let Self::Search(search) = self {
            search.hear(now);
        }
    }

    /// What the clock says, as it says it.
    pub(crate) fn hear_clock(&mut self, now: Timestamp, message: &ClockMessage) {
        if let Self::Search(search) = self {
            search.hear_clock(now, message);
        }
    }

    #[cfg(feature = "equivalence")]
    pub(crate) fn is_equivalent_to(&self, other: &Self, now: Timestamp) -> bool {
        match (self, other) {
            (Self::Rules(one), Self::Rules(other)) => one.is_equivalent_to(other, now),
            _ => false,
        }
    }
}
