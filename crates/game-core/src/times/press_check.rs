//! A press against the readings that follow it: what they say about the one that came with it.
//!
//! Part of the times; knows one press and the clock. Must not know games.

use crate::clock::ClockTracker;
use crate::press::Press;
use crate::reading::{SECOND_MS, UNREAD_MS};
use crate::time::Timestamp;

/// A reading that contradicts a press this much later says nothing about it any more, in ms: some ticks.
const FRESH_MS: u64 = 5_000;

/// A press that later readings can still bear out or contradict: while the opponent thinks, the presser's clock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PendingCheck {
    pub(super) ply: usize,
    pub(super) since: Timestamp,
    /// When the clock was last read.
    pub(super) read: Timestamp,
    /// What the clock showed later, where that differs: one of the two readings is damaged.
    pub(super) doubt: Option<(Timestamp, u64)>,
}

/// What the readings after a press say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing yet.
    Open,
    /// Nothing more will be said.
    Silent,
    /// It was read rightly.
    Right,
    /// The clock showed this instead.
    Wrong(u64),
    /// Another reading differs, and nothing tells which of the two is right.
    Contradicted,
}

/// What a reading, and an earlier one that differs from the press, say about the press of this side.
pub(super) fn judge(now: Timestamp, fresh: PendingCheck, press: Press, shown_ms: u64, clock: &ClockTracker) -> Verdict {
    let press_ms = press.after.of(press.left);
    // A time that rises while it was not read comes from a press that nobody saw; by a second, the press may be damaged as well.
    if clock.is_running() && shown_ms > press_ms && now.since(fresh.read) > UNREAD_MS {
        return if shown_ms - press_ms <= SECOND_MS { Verdict::Contradicted } else { Verdict::Silent };
    }
    let stands = clock.pressed_left() == Some(press.left);
    if !clock.is_running() {
        // Somebody may have set the clock since; what it shows again was read twice.
        return match fresh.doubt {
            _ if !stands => Verdict::Open,
            _ if shown_ms == press_ms => Verdict::Right,
            Some((_, doubt_ms)) if doubt_ms == shown_ms => Verdict::Wrong(doubt_ms),
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
    let right = agrees(fresh.since, press_ms);
    if stands && !right && clock.raw_ms(!press.left).is_some_and(|ms| ms > press.after.of(!press.left)) {
        // The opponent's time rises only with presses that were lost on the line.
        return Verdict::Silent;
    }
    let Some((doubted_at, doubt_ms)) = fresh.doubt else {
        let late = now.since(fresh.since) > FRESH_MS;
        return if right {
            Verdict::Right
        } else if late {
            Verdict::Silent
        } else {
            Verdict::Open
        };
    };
    // A value that was read while the time ran is not what the press left.
    let stood = ran_ms.is_none_or(|(least, _)| now.since(doubted_at) >= least);
    match (right, agrees(doubted_at, doubt_ms)) {
        (true, false) => Verdict::Right,
        (false, true) if stood => Verdict::Wrong(doubt_ms),
        (true, true) => Verdict::Contradicted,
        (false, false) if now.since(fresh.since) <= FRESH_MS => Verdict::Open,
        _ => Verdict::Silent,
    }
}
