//! One side of the clock: which of its readings are plausible, and how its time ran.
//!
//! Must not know the lever, the other side, or the player.

use dgt_protocol::SideTime;

use crate::press::Run;
use crate::time::Timestamp;

/// Largest rise of a reading while the clock is stopped, in ms; a larger one is noise unless the next reading confirms it
/// (docs/protocol.md, 4.4).
const RISE_MAX_MS: u64 = 3_660_000;
/// How much faster than time a reading may fall before it counts as a jump, in ms: one displayed second, and a delay of the
/// link of up to a second (docs/protocol.md, 7.4).
pub(super) const FALL_TOLERANCE_MS: u64 = 2_000;
/// Consecutive messages that must show a flag.
const FLAG_TOLD: u8 = 2;

/// One side of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SideTracker {
    /// The instant of the last plausible reading, and its time in ms.
    pub(super) at: Timestamp,
    pub(super) ms: u64,
    /// A later, implausible reading: the next one that continues it confirms it.
    pub(super) doubt: Option<(Timestamp, u64)>,
    /// The time in the last message, plausible or not, in ms.
    pub(super) raw_ms: u64,
    /// The instant of the last message.
    read_at: Timestamp,
    /// The current or next turn of this side; none when its beginning was not seen.
    pub(super) turn: Option<Run>,
    /// Consecutive messages that showed the flag; a message with a plausible zero counts twice.
    flags: u8,
}

/// What the side did between two messages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Passing {
    /// The clock was stopped and may have been set.
    Free,
    /// The other side's time ran.
    Observed,
    /// Its time ran.
    Ran,
    /// It was pressed: the time control decides what that adds.
    Pressed,
}

/// A turn that begins with this display.
pub(super) const fn beginning(shown_ms: u64) -> Run {
    Run { began_ms: shown_ms, used_ms: 0, ran_ms: 0 }
}

impl SideTracker {
    pub(super) fn new(now: Timestamp, shown: SideTime, stands: bool) -> Self {
        let ms = u64::from(shown.total_seconds()) * 1000;
        let turn = stands.then_some(beginning(ms));
        Self { at: now, ms, doubt: None, raw_ms: ms, read_at: now, turn, flags: u8::from(has_flag(shown)) }
    }

    /// Whether a reading is plausible after an earlier one.
    fn goes_on(passing: Passing, then_ms: u64, now_ms: u64, elapsed_ms: u64) -> bool {
        match passing {
            Passing::Free => now_ms <= then_ms + RISE_MAX_MS,
            Passing::Observed => now_ms == then_ms,
            Passing::Ran => now_ms <= then_ms && then_ms - now_ms <= elapsed_ms + FALL_TOLERANCE_MS,
            Passing::Pressed => true,
        }
    }

    /// Takes the next reading of this side. True when it is another one than the passing of time leads to.
    pub(super) fn take(&mut self, now: Timestamp, shown: SideTime, passing: Passing) -> bool {
        let ms = u64::from(shown.total_seconds()) * 1000;
        self.raw_ms = ms;
        let before = std::mem::replace(&mut self.read_at, now);
        if let Some(turn) = self.turn.as_mut().filter(|_| matches!(passing, Passing::Ran | Passing::Pressed)) {
            turn.ran_ms += now.since(before);
        }
        let (then_ms, elapsed_ms) = (self.ms, now.since(self.at));
        let expected = Self::goes_on(passing, then_ms, ms, elapsed_ms);
        let flagged = self.has_flag();
        // A clock that the flag has stopped reports it once, one that goes on reports it again.
        let told = if ms == 0 && expected { FLAG_TOLD } else { 1 };
        self.flags = if has_flag(shown) { self.flags.saturating_add(told) } else { 0 };
        let mut jumped = self.has_flag() && !flagged;
        let doubted = self.doubt.is_some_and(|(at, then)| Self::goes_on(passing, then, ms, now.since(at)));
        if !expected && !doubted {
            self.doubt = Some((now, ms));
            return jumped;
        }
        jumped |= !expected || passing == Passing::Free && ms != then_ms;
        if let Some(turn) = &mut self.turn {
            match passing {
                Passing::Free => turn.began_ms = (turn.began_ms + ms).saturating_sub(then_ms),
                Passing::Ran if expected => turn.used_ms += then_ms - ms,
                // Set while it ran: by an arbiter, or by the clock itself at the end of a period.
                Passing::Ran => turn.used_ms += elapsed_ms / 1000 * 1000,
                Passing::Observed | Passing::Pressed => {}
            }
        }
        (self.at, self.ms, self.doubt) = (now, ms, None);
        jumped
    }

    /// Whether the flag is down. A single message may be damaged and is not enough.
    pub(super) fn has_flag(self) -> bool {
        self.flags >= FLAG_TOLD
    }
}

/// Whether a message shows a fallen flag, whether or not the clock goes on.
fn has_flag(shown: SideTime) -> bool {
    shown.flag_continues || shown.flag_blocked && shown.total_seconds() == 0
}
