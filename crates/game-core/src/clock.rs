//! From the readings of a chess clock to what they mean in the game.
//!
//! Knows left and right, the lever, which side sits where, and which readings go on from which. Knows nothing of moves:
//! the session says which move a press belongs to. A value that was not read does not exist here.

mod side_tracker;

use dgt_protocol::{ClockMessage, ClockTimes, SideTime};

use crate::event::Side;
use crate::press::{Press, Turn};
use crate::reading::{Reading, SECOND_MS, UNREAD_MS};
use crate::time::Timestamp;
use side_tracker::{FALL_TOLERANCE_MS, Passing, SideTracker, beginning};

/// A clock that says for no longer than this that it is not there was there all the time, in ms: two ticks.
const BLINK_MS: u64 = 2_000;
/// Presses that contradict the seating before it is taken to be the other way round (behaviour paper, 9.2).
const CONTRADICTIONS: u8 = 3;

/// What a clock message says beyond the passing of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockNews {
    /// Nothing but a tick, or nothing at all.
    Tick,
    /// The lever went over; the time of the side that was pressed stands still now. A lever that is moved while the clock
    /// stands is none: somebody sets the clock.
    Press(Press),
    /// The lever that a message showed go over never did.
    NotPressed {
        /// What was taken for a press of the left side.
        left: bool,
        /// When.
        at: Timestamp,
    },
    /// Started, stopped, set to other values, or a flag fallen.
    Change,
    /// The clock is in sight, for the first time or again, and nothing tells what happened before.
    Found,
    /// It was silent for a while, and shows that both sides were pressed meanwhile.
    Missed,
    /// The clock is gone.
    Lost,
}

/// What the last message said about the clock as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    at: Timestamp,
    running: bool,
    right_side_up: bool,
    /// The last message started it.
    started: bool,
    left: SideTracker,
    right: SideTracker,
    /// When the lever went over: after the first of these instants, not after the second.
    flipped: Option<(Timestamp, Timestamp)>,
    /// What was known before the last message, if that showed the lever go over: the next one may show that it never did.
    before_flip: Option<BeforeFlip>,
}

/// Both sides before the lever went over, and when it had gone over before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BeforeFlip {
    left: SideTracker,
    right: SideTracker,
    flipped: Option<(Timestamp, Timestamp)>,
}

/// The clock of one board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClockTracker {
    state: Option<State>,
    /// What the clock said before it went out of sight.
    earlier: Option<State>,
    /// While it stands still.
    stands: Option<Standstill>,
    white_is_left: Option<bool>,
    contradictions: u8,
    proven: bool,
}

/// A clock that stands still, by Start/Stop or a fallen flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Standstill {
    shown: Reading,
    /// One answer has said that it runs, or is not there: that may be damaged.
    doubted: bool,
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

    /// The clock is in sight again. If it runs on and shows what the passing of time leads to, nothing happened meanwhile;
    /// a press can be told only right behind what was seen last.
    fn again(mut self, now: Timestamp, times: &ClockTimes) -> Option<(Self, ClockNews)> {
        let same = self.right_side_up == times.right_side_up || now.since(self.at) <= BLINK_MS;
        let runs_on = self.running && times.running;
        let (then, elapsed_ms) = (self.reading(), now.since(self.at));
        let news = match self.follow(now, times) {
            ClockNews::Press(press) => ClockNews::Press(press),
            _ => ClockNews::Change,
        };
        // One side's time has run all the time: otherwise both were pressed meanwhile.
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
        // Started with the lever on the other side and nothing added: the lever was set while the clock stood.
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
                logged: false,
                after: self.reading(),
            });
        }
        if flipped {
            // A move was made illegally: the turn that the press had ended goes on, from here.
            let up = if pressed_left { &mut self.right } else { &mut self.left };
            up.turn.get_or_insert(beginning(up.ms));
        }
        if flipped || started_or_stopped || jumped { ClockNews::Change } else { ClockNews::Tick }
    }

    /// Whether nobody pressed while the clock was not read for so long, but for a press that is told now: it shows the next
    /// thing that it had to say, or what the passing of time leads to.
    fn alternative(&self, then: Reading, unread_ms: u64, flipped: bool) -> bool {
        let ran_left = !self.right_side_up;
        let fell_ms = then.of(ran_left).saturating_sub(self.half(ran_left).ms);
        let next = flipped || fell_ms <= SECOND_MS || fell_ms + FALL_TOLERANCE_MS >= unread_ms;
        next && self.left.doubt.is_none() && self.right.doubt.is_none()
    }

    /// Whether the lever that the last message showed go over, and that is back where it was, was read wrongly: the time of the
    /// side that seemed pressed has run on, and the other side's has not.
    fn was_misread(&self, now: Timestamp, times: &ClockTimes, before: BeforeFlip) -> bool {
        let left = self.right_side_up;
        let ms = |shown: SideTime| u64::from(shown.total_seconds()) * 1000;
        let (ran, stood) = if left { (times.left, times.right) } else { (times.right, times.left) };
        let (then, still) = if left { (before.left, before.right) } else { (before.right, before.left) };
        // A message that was overtaken by the next one shows a second more: no press gives the other side one.
        let overtaken = now == self.at && ms(ran) == self.half(left).raw_ms + SECOND_MS;
        self.running
            && times.running
            && now.since(self.at) <= BLINK_MS
            && (ms(ran) < self.half(left).raw_ms || overtaken)
            && self.half(left).raw_ms <= then.ms
            && ms(stood) == still.ms
    }

    /// Whether a clock that the last message said to stand ran all the time: it runs now, and shows what so little time leads to.
    /// A clock that stands loses no second, and nobody sets one to that.
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

    /// Takes both sides of the next message. True when one shows what the passing of time does not lead to.
    fn take(&mut self, now: Timestamp, times: &ClockTimes, flipped: bool) -> bool {
        let ran = !flipped && self.never_stood(now, times);
        let pressed_at_once = times.running && now.since(self.at) <= BLINK_MS;
        // The right side is up when the left one was pressed.
        let passing = |left: bool| match (self.running || ran, flipped) {
            // Pressed right behind a message that it stood: what was added is no setting of the clock.
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
            // Both sides were pressed, and the line lost it: nobody knows when the turn began.
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

    /// What the last message said of one side, true or not, in ms.
    pub(crate) fn raw_ms(&self, left: bool) -> Option<u64> {
        self.state.as_ref().map(|state| state.half(left).raw_ms)
    }

    /// How long the side whose time runs may have run at `now`, at least and at most, in ms; none when nobody saw the
    /// lever go over.
    pub(crate) fn ran_ms(&self, now: Timestamp) -> Option<(u64, u64)> {
        let (after, until) = self.state.as_ref()?.flipped?;
        Some((now.since(until), now.since(after)))
    }

    /// Whether a clock is connected and its lever can be trusted to tell presses.
    pub(crate) fn is_running(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.running)
    }

    /// Whether a clock that was pressed in this game stands still now, by Start/Stop or a fallen flag. One answer that says
    /// otherwise does not start it again, unless its time has run.
    pub(crate) fn is_stopped(&self) -> bool {
        self.proven && self.stands.is_some()
    }

    /// What the last message says about whether the clock stands. One that starts says so unasked.
    fn watch_standstill(&mut self, asked: bool) {
        self.stands = match (&self.state, self.stands) {
            (Some(state), _) if !state.running => Some(Standstill { shown: state.reading(), doubted: false }),
            (state, Some(Standstill { shown, doubted: false })) if asked => {
                let ran = state.as_ref().is_some_and(|state| state.reading() != shown);
                (!ran).then_some(Standstill { shown, doubted: true })
            }
            _ => None,
        };
    }

    /// Whether a clock is connected.
    pub(crate) fn is_connected(&self) -> bool {
        self.state.is_some()
    }

    /// The side whose time runs.
    pub(crate) fn running(&self) -> Option<Side> {
        let state = self.state.as_ref()?;
        state.running.then(|| self.side(!state.right_side_up))
    }

    /// The side that pressed last: the one whose time stands while the lever stays.
    pub(crate) fn pressed(&self) -> Option<Side> {
        self.state.as_ref().map(|state| self.side(state.right_side_up))
    }

    /// Whether it was the left side that pressed last.
    pub(crate) fn pressed_left(&self) -> Option<bool> {
        self.state.as_ref().map(|state| state.right_side_up)
    }

    /// The side whose flag is down. Of two flags the one of the side whose time stands fell first: the other could still run.
    pub(crate) fn flag(&self) -> Option<Side> {
        let state = self.state.as_ref()?;
        let pressed_left = state.right_side_up;
        [pressed_left, !pressed_left].into_iter().find(|&left| state.half(left).has_flag()).map(|left| self.side(left))
    }

    /// Which player sits at the clock's left or right side.
    pub(crate) fn side(&self, left: bool) -> Side {
        if self.white_is_left.unwrap_or(true) == left { Side::White } else { Side::Black }
    }

    /// One player's part of a reading.
    pub(crate) fn time_of(&self, side: Side, reading: Reading) -> u64 {
        reading.of(self.side(true) == side)
    }

    /// Whether presses have proven who sits where.
    pub(crate) fn is_proven(&self) -> bool {
        self.proven
    }

    /// Whether White sits at the clock's left side, as far as anything told.
    pub(crate) fn white_is_left(&self) -> Option<bool> {
        self.white_is_left
    }

    /// Seats the players for a new game: White is the side whose lever is up before the start; without a clock at hand
    /// it follows from the board (protocol paper, 4.4). The first presses prove or mend it.
    pub(crate) fn seat(&mut self, rotated: bool) {
        let from_lever = self.state.as_ref().filter(|state| !state.running).map(|state| !state.right_side_up);
        self.white_is_left = Some(from_lever.unwrap_or(!rotated));
        self.contradictions = 0;
        self.proven = false;
        // Of a turn that goes on nobody knows more than was seen.
        if let Some(state) = self.state.as_mut().filter(|state| !state.running || state.started) {
            state.left.turn = Some(beginning(state.left.ms));
            state.right.turn = Some(beginning(state.right.ms));
        }
    }

    /// Takes the seating from an earlier part of the game.
    pub(crate) fn resume_seating(&mut self, white_is_left: Option<bool>) {
        self.white_is_left = white_is_left;
        self.proven = white_is_left.is_some();
    }

    /// Learns that the side that just pressed is the one that just moved. True when the seating turns out to have been
    /// the other way round, for the whole game.
    pub(crate) fn learn(&mut self, pressed_left: bool, mover: Side) -> bool {
        if self.side(pressed_left) == mover {
            self.contradictions = 0;
            self.proven = true;
            return false;
        }
        if self.proven {
            return self.contradict();
        }
        self.turn_seats();
        true
    }

    /// A press speaks against the seating. True when enough of them have, without one for it, and it turns out to have been the
    /// other way round.
    pub(crate) fn contradict(&mut self) -> bool {
        self.contradictions += 1;
        let turned = self.contradictions >= CONTRADICTIONS;
        if turned {
            self.turn_seats();
        }
        turned
    }

    fn turn_seats(&mut self) {
        self.white_is_left = Some(!self.white_is_left.unwrap_or(true));
        self.contradictions = 0;
        self.proven = true;
    }

    /// Forgets what was connected: no press can be inferred from the next message.
    pub(crate) fn lost_contact(&mut self) {
        self.earlier = self.state.take().or(self.earlier);
    }

    /// Takes a clock message. `asked`: it answers a question; otherwise something has changed.
    pub(crate) fn handle(&mut self, now: Timestamp, message: &ClockMessage, asked: bool) -> ClockNews {
        let ClockMessage::Times(times) = message else { return ClockNews::Tick };
        let news = self.follow(now, times);
        self.watch_standstill(asked);
        news
    }

    fn follow(&mut self, now: Timestamp, times: &ClockTimes) -> ClockNews {
        if times.no_clock {
            let lost = self.state.is_some();
            self.lost_contact();
            return if lost { ClockNews::Lost } else { ClockNews::Tick };
        }
        if is_blank(times) {
            return ClockNews::Tick;
        }
        if let Some(state) = &mut self.state {
            return state.follow(now, times);
        }
        let (state, news) = self
            .earlier
            .take()
            .and_then(|earlier| earlier.again(now, times))
            .unwrap_or_else(|| (State::new(now, times), ClockNews::Found));
        self.state = Some(state);
        news
    }
}

/// All zeros, as boards send around commands to the clock (behaviour paper, 9.4): the lever of a real reading is up on one
/// side.
fn is_blank(times: &ClockTimes) -> bool {
    let nothing = times.left.total_seconds() == 0 && times.right.total_seconds() == 0;
    nothing && !times.running && !times.left_to_move && !times.right_to_move
}
