//! Checks a press against the readings after it.
//!
//! Knows one press and the clock. Must not know games.

use crate::clock::ClockTracker;
use crate::press::Press;
use crate::reading::{SECOND_MS, UNREAD_MS};
use crate::time::Timestamp;

/// How long after a press a reading can contradict it, in ms: some ticks.
const CHECK_MS: u64 = 5_000;

/// A press that later readings can still confirm or contradict: the presser's time stands while the opponent thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PendingCheck {
    pub(super) ply: usize,
    pub(super) since: Timestamp,
    /// When the clock was last read.
    pub(super) read: Timestamp,
    /// A later reading that differs from the press: one of the two is damaged.
    pub(super) doubt: Option<Doubt>,
}

/// A reading that differs from the press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    pub(super) at: Timestamp,
    pub(super) ms: u64,
    /// Whether this side's time had not run since the press: the opponent's ran, or was stopped by this message.
    pub(super) stood: bool,
}

/// The result of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Not decided yet.
    Open,
    /// Later readings cannot decide it.
    Silent,
    /// The press was read correctly.
    Right,
    /// The press was misread; the clock showed this time, in ms.
    Wrong(u64),
    /// Another reading differs, and either of the two may be damaged.
    Contradicted,
}

/// Judges a press by a reading of its side, and by an earlier reading that differs from the press.
pub(super) fn judge(now: Timestamp, check: PendingCheck, press: Press, shown_ms: u64, clock: &ClockTracker) -> Verdict {
    let press_ms = press.after.of(press.left);
    // A time that rose in a gap comes from an unseen press; a rise of one second may also mean that the press was misread.
    if clock.is_running() && shown_ms > press_ms && now.since(check.read) > UNREAD_MS {
        return if shown_ms - press_ms <= SECOND_MS { Verdict::Contradicted } else { Verdict::Silent };
    }
    let stands = clock.pressed_left() == Some(press.left);
    if !clock.is_running() {
        // The clock may have been set since; a time that was read twice counts.
        return match check.doubt {
            _ if !stands => Verdict::Open,
            _ if shown_ms == press_ms => Verdict::Right,
            Some(doubt) if doubt.ms == shown_ms => Verdict::Wrong(doubt.ms),
            _ => Verdict::Open,
        };
    }
    let ran_ms = clock.ran_ms(now).filter(|_| !stands);
    let agrees = |since: Timestamp, ms: u64| match ran_ms {
        None => stands && ms == shown_ms,
        Some((least, most)) => {
            let elapsed_ms = now.since(since);
            let (least, most) = (least.min(elapsed_ms), most.min(elapsed_ms));
            // With the flip of the lever itself nothing has run down yet; later the display is up to a second off.
            let (least, most) = if least == 0 { (0, most / 1000) } else { (least / 1000, most / 1000 + 1) };
            ms.checked_sub(shown_ms).is_some_and(|fell| fell <= most * 1000 && fell + 1000 >= least * 1000)
        }
    };
    let right = agrees(check.since, press_ms);
    if stands && !right && clock.raw_ms(!press.left).is_some_and(|ms| ms > press.after.of(!press.left)) {
        // The opponent's time rises only by presses that were lost on the line.
        return Verdict::Silent;
    }
    let Some(doubt) = check.doubt else {
        let late = now.since(check.since) > CHECK_MS;
        return if right {
            Verdict::Right
        } else if late {
            Verdict::Silent
        } else {
            Verdict::Open
        };
    };
    match (right, agrees(doubt.at, doubt.ms)) {
        (true, false) => Verdict::Right,
        // A time that was read while it ran is not the time after the press. By instants that is not known: messages are kept on the
        // way while a board sends its log, and come all at once.
        (false, true) if doubt.stood => Verdict::Wrong(doubt.ms),
        (true, true) => Verdict::Contradicted,
        // The time has run on from reading to reading, and faster than it passed here: they were kept on the way.
        (false, false) if press_ms > doubt.ms && doubt.ms > shown_ms => Verdict::Silent,
        (false, false) if now.since(check.since) <= CHECK_MS => Verdict::Open,
        _ => Verdict::Silent,
    }
}

#[cfg(test)]
mod tests {
    use dgt_protocol::{ClockMessage, ClockTimes, SideTime};

    use super::super::Times;
    use super::*;
    use crate::clock::ClockNews;
    use crate::event::Side;

    #[test]
    fn readings_that_were_kept_on_the_way_do_not_contradict_a_press() {
        let mut clock = ClockTracker::default();
        let at = Timestamp::from_ms(9_000);
        let mut hear = |[left, right]: [u32; 2], right_side_up| {
            let [left, right] = [left, right].map(SideTime::from_seconds);
            let times = ClockTimes { left, right, running: true, right_side_up, ..ClockTimes::default() };
            clock.handle(at, &ClockMessage::Times(times))
        };
        hear([303, 299], true);
        let ClockNews::Press(press) = hear([303, 302], false) else { panic!("no press") };
        hear([305, 302], true);
        hear([305, 301], true);
        hear([305, 300], true);
        let check = PendingCheck { ply: 2, since: at, read: at, doubt: Some(Doubt { at, ms: 301_000, stood: false }) };
        assert_eq!(judge(at, check, press, 300_000, &clock), Verdict::Silent);
    }

    /// A running clock is read.
    fn hear(clock: &mut ClockTracker, at: Timestamp, left: u32, right: u32, right_side_up: bool) -> ClockNews {
        let [left, right] = [left, right].map(SideTime::from_seconds);
        let times = ClockTimes { left, right, running: true, right_side_up, ..ClockTimes::default() };
        clock.handle(at, &ClockMessage::Times(times))
    }

    /// The messages of two plies come at once, as after the board's log, and the first ply is told after them.
    #[test]
    fn a_time_that_ran_when_it_was_read_does_not_replace_that_of_the_press() {
        let mut clock = ClockTracker::default();
        let at = Timestamp::from_ms(9_000);
        let mut times = Times::new(None, Side::White);
        hear(&mut clock, at, 177, 181, false);
        let ClockNews::Press(press) = hear(&mut clock, at, 179, 181, true) else { panic!("no press") };
        hear(&mut clock, at, 179, 180, true);
        hear(&mut clock, at, 179, 182, false);
        times.publish(1, at, Some(press));
        for (later, left) in [(0, 178), (500, 177), (1_500, 176), (2_500, 175)] {
            hear(&mut clock, at.plus(later), left, 182, false);
            times.check_press(at.plus(later), true, &clock);
            let press = times.ply(1).and_then(|times| times.press);
            assert_eq!(press.map(|press| press.after.left_ms), Some(179_000), "{later} ms later");
        }
    }

    /// The same, where its player has pressed again by then.
    #[test]
    fn nor_does_that_of_a_later_press_at_the_same_instant() {
        let mut clock = ClockTracker::default();
        let at = Timestamp::from_ms(9_000);
        let mut times = Times::new(None, Side::White);
        hear(&mut clock, at, 177, 181, false);
        let ClockNews::Press(first) = hear(&mut clock, at, 179, 181, true) else { panic!("no press") };
        hear(&mut clock, at, 179, 180, false);
        let ClockNews::Press(again) = hear(&mut clock, at, 180, 180, true) else { panic!("no press") };
        times.add_press(again);
        times.publish(1, at, Some(first));
        for later in [0, 500, 1_500] {
            hear(&mut clock, at.plus(later), 180, 180 - u32::from(later > 0), true);
            times.check_press(at.plus(later), true, &clock);
            let press = times.ply(1).and_then(|times| times.press);
            assert_eq!(press.map(|press| press.after.left_ms), Some(179_000), "{later} ms later");
        }
    }
}
