//! Turns clock messages into readings, presses, starts, stops and settings of the clock.
//!
//! Knows left and right, the lever, how the players sit, and which readings are plausible after which. Must not know moves:
//! the session decides which move a press belongs to. Values that were not read are never made up.

mod side_tracker;

use dgt_protocol::{ClockMessage, ClockTimes, SideTime};

use crate::event::Side;
use crate::press::{Press, Source, Turn};
use crate::reading::{Reading, SECOND_MS, UNREAD_MS};
use crate::time::Timestamp;
use side_tracker::{FALL_TOLERANCE_MS, Passing, SideTracker, beginning};

/// Longest pause within which two messages still count as consecutive, in ms: two ticks.
const BLINK_MS: u64 = 2_000;

/// What a clock message reports beyond the passing of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockNews {
    /// A tick, or no information.
    Tick,
    /// The lever flipped while the clock ran: a player pressed.
    Press(Press),
    /// The flip of an earlier message was misread: there was no press.
    NotPressed {
        /// Whether it was reported as a press of the left side.
        left: bool,
        /// The instant of that report.
        at: Timestamp,
    },
    /// The clock was started, stopped or set, or a flag fell.
    Change,
    /// The lever was flipped while the clock stood.
    LeverSet {
        /// Whether the left side's is down now.
        left: bool,
    },
    /// A clock was connected, for the first time or again; what happened before is unknown.
    Found,
    /// After a pause the readings show that both sides were pressed in it.
    Missed,
    /// The clock was disconnected.
    Lost,
}

/// The state of the clock after the last message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    at: Timestamp,
    running: bool,
    right_side_up: bool,
    /// Whether the last message started it.
    started: bool,
    left: SideTracker,
    right: SideTracker,
    /// The lever flipped after the first of these instants and not after the second.
    flipped: Option<(Timestamp, Timestamp)>,
    /// The state before the last message, if that showed a flip: the next message may show that the flip was misread.
    before_flip: Option<BeforeFlip>,
}

/// Both sides before a flip of the lever, and the flip before that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BeforeFlip {
    left: SideTracker,
    right: SideTracker,
    flipped: Option<(Timestamp, Timestamp)>,
}

/// Who sits where, as moves and presses have shown it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seats {
    /// Whether White sits at the clock's left side.
    pub(crate) white_is_left: bool,
    /// The first press since the clock was turned round in this game, if it was.
    pub(crate) turned_at: Option<Timestamp>,
}

/// What was wrong about the seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reseated {
    /// The clock was turned round then, which was not known, or it was not.
    pub(crate) turned: Option<Timestamp>,
    /// Presses were given to the wrong players since.
    pub(crate) since: Timestamp,
}

/// The clock of one board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClockTracker {
    state: Option<State>,
    /// The last state before the clock was disconnected or the board out of reach.
    earlier: Option<State>,
    /// Whether White sits at the left side; none before anything has told.
    white_is_left: Option<bool>,
    /// Since when, where the clock was turned round in this game.
    turned_at: Option<Timestamp>,
    /// Whether the clock shows that its battery is low.
    battery_low: bool,
    /// Of the flags that are down, whether the left one fell first; none while none is.
    left_flag_first: Option<bool>,
    /// The lever and the times with which a clock that has run was stopped: they say nothing about the next game.
    left_with: Option<(bool, Reading)>,
}

impl State {
    fn new(now: Timestamp, times: &ClockTimes) -> Self {
        Self {
            at: now,
            running: times.running,
            right_side_up: times.right_side_up,
            started: false,
            left: SideTracker::new(now, times.left, !times.running),
            right: SideTracker::new(now, times.right, !times.running),
            flipped: None,
            before_flip: None,
        }
    }

    /// The state after the clock is connected again, if its readings show that nothing happened in between. A press is
    /// reported only right after the last message before.
    fn again(mut self, now: Timestamp, times: &ClockTimes) -> Option<(Self, ClockNews)> {
        let same = self.right_side_up == times.right_side_up || now.since(self.at) <= BLINK_MS;
        let runs_on = self.running && times.running;
        let stood = !self.running && !times.running && self.right_side_up == times.right_side_up;
        let (then, elapsed_ms) = (self.reading(), now.since(self.at));
        let news = match self.follow(now, times) {
            ClockNews::Press(press) => ClockNews::Press(press),
            _ => ClockNews::Change,
        };
        // Who was thinking when it was stopped thinks on when it is started.
        if stood && self.reading() == then {
            return Some((self, news));
        }
        // The time of one side has run throughout; otherwise both sides were pressed in between.
        let fell_ms = [true, false].map(|left| then.of(left).saturating_sub(self.half(left).ms)).into_iter().max();
        let ran = fell_ms.is_some_and(|fell_ms| fell_ms + FALL_TOLERANCE_MS >= elapsed_ms);
        (same && runs_on && ran && self.left.doubt.is_none() && self.right.doubt.is_none()).then_some((self, news))
    }

    /// Takes the next message.
    fn follow(&mut self, now: Timestamp, times: &ClockTimes) -> ClockNews {
        let flipped = self.right_side_up != times.right_side_up;
        // The right side is up when the left one was pressed.
        let pressed_left = times.right_side_up;
        let presser = *self.half(pressed_left);
        let earlier = self.at;
        let before_flip = BeforeFlip { left: self.left, right: self.right, flipped: self.flipped };
        if let Some(before) = self.before_flip.take().filter(|before| flipped && self.was_misread(now, times, *before))
        {
            (self.left, self.right, self.flipped) = (before.left, before.right, before.flipped);
            self.right_side_up = times.right_side_up;
            self.take(now, times, false);
            return ClockNews::NotPressed { left: !pressed_left, at: earlier };
        }
        let unread_ms = Some(now.since(earlier)).filter(|&ms| self.running && times.running && ms > UNREAD_MS);
        let then = self.reading();
        let jumped = self.take(now, times, flipped);
        if unread_ms.is_some_and(|ms| !self.alternative(then, ms, flipped)) {
            self.right_side_up = times.right_side_up;
            (self.left.turn, self.right.turn, self.flipped) = (None, None, None);
            return ClockNews::Missed;
        }
        let started_or_stopped = self.running != times.running;
        self.started = started_or_stopped && times.running;
        (self.running, self.right_side_up) = (times.running, times.right_side_up);
        // Started with a flipped lever and without a credit: the lever was moved while the clock was stopped.
        let was_set = self.started && self.half(pressed_left).ms == presser.ms;
        if flipped && !was_set && (times.running || started_or_stopped) {
            self.flipped = Some((earlier, now));
            self.before_flip = Some(before_flip);
            let up = if pressed_left { &mut self.right } else { &mut self.left };
            up.turn = Some(beginning(up.ms));
            let down = if pressed_left { &mut self.left } else { &mut self.right };
            let run = down.turn.take();
            let turn = Turn { run, before_ms: presser.ms, before_age_ms: now.since(presser.at) };
            return ClockNews::Press(Press {
                at: now,
                left: pressed_left,
                turn: Some(turn),
                source: Source::Lever,
                after: self.reading(),
            });
        }
        if flipped {
            // Moved back after an illegal move: the turn that the press had ended goes on from here.
            let up = if pressed_left { &mut self.right } else { &mut self.left };
            up.turn.get_or_insert(beginning(up.ms));
        }
        if flipped && !started_or_stopped && !jumped {
            return ClockNews::LeverSet { left: pressed_left };
        }
        if flipped || started_or_stopped || jumped { ClockNews::Change } else { ClockNews::Tick }
    }

    /// Whether no press went unseen in a pause of `unread_ms`, apart from a flip in the present message: the readings are the
    /// next ones, or those that the passing of time leads to.
    fn alternative(&self, then: Reading, unread_ms: u64, flipped: bool) -> bool {
        let ran_left = !self.right_side_up;
        let fell_ms = then.of(ran_left).saturating_sub(self.half(ran_left).ms);
        let next = flipped || fell_ms <= SECOND_MS || fell_ms + FALL_TOLERANCE_MS >= unread_ms;
        next && self.left.doubt.is_none() && self.right.doubt.is_none()
    }

    /// Whether the flip in the last message, which this one takes back, was misread: the time of the side that seemed to press
    /// has run on, and that of the other side has not.
    fn was_misread(&self, now: Timestamp, times: &ClockTimes, before: BeforeFlip) -> bool {
        let left = self.right_side_up;
        let ms = |shown: SideTime| u64::from(shown.total_seconds()) * 1000;
        let (ran, stood) = if left { (times.left, times.right) } else { (times.right, times.left) };
        let (then, still) = if left { (before.left, before.right) } else { (before.right, before.left) };
        // A message that the next one overtook shows one second more. A press never credits the other side.
        let overtaken = now == self.at && ms(ran) == self.half(left).raw_ms + SECOND_MS;
        self.running
            && times.running
            && now.since(self.at) <= BLINK_MS
            && (ms(ran) < self.half(left).raw_ms || overtaken)
            && self.half(left).raw_ms <= then.ms
            && ms(stood) == still.ms
    }

    /// Whether the clock ran although the last message said that it was stopped: it runs now, and shows exactly what the time
    /// since leads to.
    fn never_stood(&self, now: Timestamp, times: &ClockTimes) -> bool {
        let ran_left = !times.right_side_up;
        let ms = |shown: SideTime| u64::from(shown.total_seconds()) * 1000;
        let (ran, stood) = if ran_left { (times.left, times.right) } else { (times.right, times.left) };
        let elapsed_ms = now.since(self.at);
        !self.running
            && times.running
            && elapsed_ms <= BLINK_MS
            && self.half(ran_left).ms.checked_sub(ms(ran)).is_some_and(|fell_ms| fell_ms <= elapsed_ms + SECOND_MS)
            && self.half(!ran_left).ms == ms(stood)
    }

    fn half(&self, left: bool) -> &SideTracker {
        if left { &self.left } else { &self.right }
    }

    /// Takes both sides of the next message. True when a side shows another time than the passing of time leads to.
    fn take(&mut self, now: Timestamp, times: &ClockTimes, flipped: bool) -> bool {
        let ran = !flipped && self.never_stood(now, times);
        let pressed_at_once = times.running && now.since(self.at) <= BLINK_MS;
        // The right side is up when the left one was pressed.
        let passing = |left: bool| match (self.running || ran, flipped) {
            // Pressed right after a message that it was stopped: the added time is a credit and not a setting.
            (false, true) if pressed_at_once && left == times.right_side_up => Passing::Pressed,
            (false, _) => Passing::Free,
            (true, true) if left == times.right_side_up => Passing::Pressed,
            (true, false) if left != times.right_side_up => Passing::Ran,
            _ => Passing::Observed,
        };
        let (left, right) = (passing(true), passing(false));
        let left = self.left.take(now, times.left, left);
        let right = self.right.take(now, times.right, right);
        self.at = now;
        if self.running && !flipped && left && right {
            // Both sides were pressed and the messages were lost: the beginning of the turn is unknown.
            (self.left.turn, self.right.turn) = (None, None);
        }
        left || right
    }

    fn reading(&self) -> Reading {
        Reading { left_ms: self.left.ms, right_ms: self.right.ms }
    }
}

impl ClockTracker {
    /// The last valid reading and its instant.
    pub(crate) fn last(&self) -> Option<(Timestamp, Reading)> {
        self.state.as_ref().map(|state| (state.at, state.reading()))
    }

    /// The last valid reading, also where the clock cannot be read any more.
    pub(crate) fn last_known(&self) -> Option<Reading> {
        self.state.as_ref().or(self.earlier.as_ref()).map(State::reading)
    }

    /// The last message's time of one side, plausible or not, in ms.
    pub(crate) fn raw_ms(&self, left: bool) -> Option<u64> {
        self.state.as_ref().map(|state| state.half(left).raw_ms)
    }

    /// How long the running side has run at `now`, at least and at most, in ms; none when the last flip was not seen.
    pub(crate) fn ran_ms(&self, now: Timestamp) -> Option<(u64, u64)> {
        let (after, until) = self.state.as_ref()?.flipped?;
        Some((now.since(until), now.since(after)))
    }

    /// Whether a connected clock runs, so that its lever tells presses.
    pub(crate) fn is_running(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.running)
    }

    /// Whether a clock is connected.
    pub(crate) fn is_connected(&self) -> bool {
        self.state.is_some()
    }

    /// Whether the connected clock shows that its battery is low.
    pub(crate) fn battery_is_low(&self) -> bool {
        self.battery_low && self.is_connected()
    }

    /// The player whose time runs.
    pub(crate) fn running(&self) -> Option<Side> {
        let state = self.state.as_ref()?;
        state.running.then(|| self.side(!state.right_side_up))
    }

    /// The player who pressed last: the one whose lever is down.
    pub(crate) fn pressed(&self) -> Option<Side> {
        self.state.as_ref().map(|state| self.side(state.right_side_up))
    }

    /// Whether it was the left side that pressed last.
    pub(crate) fn pressed_left(&self) -> Option<bool> {
        self.state.as_ref().map(|state| state.right_side_up)
    }

    /// Whether a running clock was read again after a press, and still showed its time: the opponent was thinking.
    pub(crate) fn confirms(&self, press: Press) -> bool {
        self.state.as_ref().is_some_and(|state| {
            let stands = state.running && state.right_side_up == press.left && state.at > press.at;
            stands && state.half(press.left).raw_ms == press.after.of(press.left)
        })
    }

    /// The player whose flag is down; of two flags, the one whose flag fell first.
    pub(crate) fn flag(&self) -> Option<Side> {
        self.state.as_ref()?;
        self.left_flag_first.map(|left| self.side(left))
    }

    /// Whether the last message showed a flip of the lever.
    pub(crate) fn has_just_flipped(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.before_flip.is_some())
    }

    /// Notes which flag fell first: the clock may go on with both shown. Where both were seen together, it is that of the side
    /// whose time stands.
    fn note_flags(&mut self) {
        let Some(state) = &self.state else { return };
        self.left_flag_first = match (state.left.has_flag(), state.right.has_flag()) {
            (false, false) => None,
            (true, true) => self.left_flag_first.or(Some(state.right_side_up)),
            (left, _) => Some(left),
        };
    }

    /// The player at the left or the right side of the clock.
    pub(crate) fn side(&self, left: bool) -> Side {
        if self.white_is_left.unwrap_or(true) == left { Side::White } else { Side::Black }
    }

    /// The time of a player in a reading, in ms.
    pub(crate) fn time_of(&self, side: Side, reading: Reading) -> u64 {
        reading.of(self.side(true) == side)
    }

    /// Whether White sits at the left side; none before anything has told.
    pub(crate) fn white_is_left(&self) -> Option<bool> {
        self.white_is_left
    }

    /// Assumes a seating for a new game: White's lever is up before the start. Without a clock, and while it shows what was left at the
    /// end of the last game, the likely one is taken (docs/protocol.md, 4.4). The first presses prove or correct it.
    pub(crate) fn seat(&mut self, white_is_likely_left: bool) {
        let is_set = |state: &&State| !state.running && self.left_with != Some((state.right_side_up, state.reading()));
        let from_lever = self.state.as_ref().filter(is_set).map(|state| !state.right_side_up);
        (self.white_is_left, self.turned_at) = (Some(from_lever.unwrap_or(white_is_likely_left)), None);
        // A turn that is already running keeps what was seen of it.
        if let Some(state) = self.state.as_mut().filter(|state| !state.running || state.started) {
            state.left.turn = Some(beginning(state.left.ms));
            state.right.turn = Some(beginning(state.right.ms));
        }
    }

    /// Takes over the seating from an earlier session of the game.
    pub(crate) fn resume_seating(&mut self, white_is_left: Option<bool>) {
        self.white_is_left = white_is_left;
    }

    /// Takes the seating that moves and presses have shown. Says what is changed, if anything is.
    pub(crate) fn take_seats(&mut self, Seats { white_is_left, turned_at }: Seats) -> Option<Reseated> {
        let other_side = (self.side(true) == Side::White) != white_is_left;
        let turned = self.turned_at.max(turned_at).filter(|_| self.turned_at != turned_at);
        (self.white_is_left, self.turned_at) = (Some(white_is_left), turned_at);
        let since = turned_at.max(turned).filter(|_| other_side).unwrap_or(Timestamp::ZERO);
        (other_side || turned.is_some()).then_some(Reseated { turned, since })
    }

    /// The clock cannot be read: the next message shows no press by itself.
    pub(crate) fn lost_contact(&mut self) {
        self.earlier = self.state.take().or(self.earlier);
    }

    /// Takes a clock message.
    pub(crate) fn handle(&mut self, now: Timestamp, message: &ClockMessage) -> ClockNews {
        let ClockMessage::Times(times) = message else { return ClockNews::Tick };
        if times.no_clock {
            let lost = self.state.is_some();
            self.lost_contact();
            return if lost { ClockNews::Lost } else { ClockNews::Tick };
        }
        if is_blank(times) {
            return ClockNews::Tick;
        }
        self.battery_low = times.battery_low;
        let ran = self.state.or(self.earlier).is_some_and(|state| state.running);
        let news = if let Some(state) = &mut self.state {
            state.follow(now, times)
        } else {
            let again = self.earlier.take().and_then(|earlier| earlier.again(now, times));
            let (state, news) = again.unwrap_or_else(|| (State::new(now, times), ClockNews::Found));
            self.state = Some(state);
            news
        };
        self.note_flags();
        if let Some(state) = self.state.filter(|state| state.running || ran) {
            self.left_with = (!state.running).then(|| (state.right_side_up, state.reading()));
        }
        news
    }
}

/// Whether all values are zero, as boards send around commands to the clock (docs/board-behaviour.md, 9.4). In a real
/// reading the lever is up on one side.
fn is_blank(times: &ClockTimes) -> bool {
    let nothing = times.left.total_seconds() == 0 && times.right.total_seconds() == 0;
    nothing && !times.running && !times.left_to_move && !times.right_to_move
}
