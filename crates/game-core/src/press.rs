//! One press of the clock: the time it credits, the time the turn took, and whether its reading is plausible.
//!
//! Knows time controls and displays of whole seconds. Must not know players, or plies beyond their number.

use notation::time_control::{Period, TimeControl};

use crate::reading::{Reading, SECOND_MS, UNREAD_MS};
use crate::time::Timestamp;

/// Largest credit of a press without a known time control or an earlier press, in ms: no increment in use is longer.
const UNTOLD_MS: u64 = 60_000;
/// Largest difference between two ways of counting the time used, in ms: up to a second at either end, and one reading lost on
/// the line. A larger one means that the clock was set in between.
const AGREE_MS: u64 = 3_000;

/// The turn that a press ends, as the clock showed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// How its time ran; none when the beginning of the turn was not seen.
    pub(crate) run: Option<Run>,
    /// The last reading before the press, in ms.
    pub(crate) before_ms: u64,
    /// The age of that reading when the press was seen, in ms.
    pub(crate) before_age_ms: u64,
}

impl Turn {
    /// Whether the clock was silent before the press for longer than a running clock is.
    pub(crate) const fn was_unread(self) -> bool {
        self.before_age_ms > UNREAD_MS
    }
}

/// How one side's time has run since its turn began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the unit belongs to each name")]
pub(crate) struct Run {
    /// The display at the beginning, in ms.
    pub(crate) began_ms: u64,
    /// The time that has run down in the readings since, in ms.
    pub(crate) used_ms: u64,
    /// The time that has passed by the session's own instants, in ms.
    pub(crate) ran_ms: u64,
}

/// What told of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The lever of a running clock.
    Lever,
    /// The lever of a clock that was not started yet: it shows what it will begin with.
    StandingLever,
    /// The board's own log.
    Log,
}

/// One press of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Press {
    /// When it was seen.
    pub(crate) at: Timestamp,
    /// Whether the left side was pressed.
    pub(crate) left: bool,
    /// The turn that it ended; none while the clock could not be read.
    pub(crate) turn: Option<Turn>,
    /// What told of it.
    pub(crate) source: Source,
    /// The reading with the press, increment included.
    pub(crate) after: Reading,
}

impl Press {
    /// The same from the other side of the clock.
    pub(crate) const fn turned(self) -> Self {
        Self { left: !self.left, after: self.after.turned(), ..self }
    }

    /// Whether the lever was seen to flip, or the board's log says so. Otherwise the lever already lay there when the clock
    /// was first read.
    pub(crate) const fn flip_was_seen(self) -> bool {
        self.turn.is_some() || !matches!(self.source, Source::Lever)
    }
}

/// The time that a press credits to the presser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Credit {
    /// A fixed time in ms: an increment, a new period, or 0.
    Added(u64),
    /// The time used, so that the display returns to the beginning of the turn: Bronstein delay, or a byo-yomi period.
    Restored,
}

impl Credit {
    /// Whether two credits are equal within the resolution of the display.
    pub(crate) fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Added(one), Self::Added(other)) => one.abs_diff(other) <= SECOND_MS,
            _ => self == other,
        }
    }
}

/// What is known about the credits of one side of the clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credits<'a> {
    /// The time control, if it is known.
    pub(crate) control: Option<&'a TimeControl>,
    /// The credit of earlier presses of this side in this game, once later readings confirmed it.
    pub(crate) learned: Option<Credit>,
}

impl Credits<'_> {
    /// Time credited by a press, given the reading after it. None when neither the time control nor earlier credits explain
    /// the reading; then a second reading must confirm it.
    pub(crate) fn explain(&self, ply: u32, turn: Turn, after_ms: u64) -> Option<Credit> {
        let fell_ms = turn.before_age_ms / SECOND_MS * SECOND_MS + SECOND_MS;
        let added = |ms: u64| {
            let most = turn.before_ms + ms;
            (most.saturating_sub(fell_ms)..=most).contains(&after_ms).then_some(Credit::Added(ms))
        };
        let told = self.control.and_then(|control| {
            let increment_ms = u64::from(control.increment_s(ply)) * SECOND_MS;
            let period_ms = new_period_s(control, ply).map(|seconds| u64::from(seconds) * SECOND_MS);
            added(increment_ms).or_else(|| period_ms.and_then(|ms| added(increment_ms + ms)))
        });
        let learned = match self.learned {
            Some(Credit::Added(ms)) => added(ms),
            _ => None,
        };
        let began_ms = turn.run.map(|run| run.began_ms);
        let restored = (began_ms == Some(after_ms) && after_ms > turn.before_ms).then_some(Credit::Restored);
        match self.learned {
            // Both explain the display within a second: the credit of earlier presses decides.
            Some(Credit::Restored) if restored.is_some() => restored,
            _ => told.or(learned).or(restored).or_else(|| self.untold(turn, after_ms, fell_ms)),
        }
    }

    /// Time credited by a press without a known control or an earlier credit, within [`UNTOLD_MS`].
    fn untold(&self, turn: Turn, after_ms: u64, fell_ms: u64) -> Option<Credit> {
        let nothing_told = self.is_untold() && self.learned.is_none();
        let possible = turn.before_ms.saturating_sub(fell_ms)..=turn.before_ms + UNTOLD_MS;
        let given_ms = after_ms.saturating_sub(turn.before_ms);
        (nothing_told && possible.contains(&after_ms)).then_some(Credit::Added(given_ms))
    }

    /// Whether no time control says what a press gives.
    pub(crate) fn is_untold(&self) -> bool {
        matches!(self.control, None | Some(TimeControl::Unknown | TimeControl::None))
    }

    /// What a press gave according to a display that was confirmed.
    pub(crate) fn of_confirmed(&self, ply: u32, turn: Turn, after_ms: u64) -> Credit {
        self.explain(ply, turn, after_ms).unwrap_or(Credit::Added(after_ms.saturating_sub(turn.before_ms)))
    }

    /// The time used in a turn, in ms; none when its beginning was not seen.
    pub(crate) fn spent_ms(&self, ply: u32, turn: Turn, after_ms: u64) -> Option<u64> {
        let Run { began_ms, used_ms, ran_ms } = turn.run?;
        let delay_ms = self.control.map_or(0, |control| u64::from(control.increment_s(ply)) * SECOND_MS);
        // The display counts whole seconds. Within a second, and during a delay, the session's own instants decide.
        let watched_ms = ran_ms / SECOND_MS * SECOND_MS;
        let at_least = |ms: u64| if (ms..=ms + 2 * SECOND_MS).contains(&watched_ms) { watched_ms } else { ms };
        let nothing = (after_ms <= turn.before_ms).then_some(Credit::Added(0));
        let spent_ms = match self.explain(ply, turn, after_ms).or(nothing) {
            Some(Credit::Added(0)) if delay_ms > 0 => {
                let fell_ms = used_ms + turn.before_ms.saturating_sub(after_ms);
                if fell_ms > 0 { at_least(fell_ms + delay_ms) } else { watched_ms.min(delay_ms) }
            }
            Some(Credit::Added(ms)) => {
                let counted = (used_ms + turn.before_ms + ms).saturating_sub(after_ms);
                let shown = (began_ms + ms).checked_sub(after_ms);
                let shown = shown.filter(|shown| shown.abs_diff(counted) <= AGREE_MS);
                let shown = shown.unwrap_or_else(|| at_least(counted));
                // A display equal to that at the beginning may also mean that the time used was given back.
                let given_back = after_ms == began_ms && used_ms.abs_diff(ran_ms) < shown.abs_diff(ran_ms);
                if given_back { at_least(used_ms) } else { shown }
            }
            // A clock cannot count faster than time passes: the last reading before the press was damaged.
            None if used_ms > watched_ms + SECOND_MS => watched_ms,
            // Only this reading itself says what was added.
            Some(Credit::Restored) | None => at_least(used_ms),
        };
        // Without a known control the clock may have a delay.
        Some(if self.is_untold() { spent_ms.max(watched_ms) } else { spent_ms })
    }
}

/// Largest credit of a press under a time control, in ms.
pub(crate) fn most_given_ms(control: Option<&TimeControl>) -> u64 {
    let Some(TimeControl::Periods(periods) | TimeControl::Then { periods, .. }) = control else { return UNTOLD_MS };
    let most = |seconds: fn(&Period) -> u32| periods.iter().map(seconds).max().map_or(0, u64::from);
    let later = if periods.len() > 1 { most(|period| period.seconds) } else { 0 };
    (most(|period| period.increment_s) + later) * SECOND_MS
}

/// Which of the logged times of one side's presses, in order, are plausible: from one press to a later one a time rises by no
/// more than their credits. Of two times that contradict each other both are rejected. `before_ms` is the display before the
/// first press, if it is known.
pub(crate) fn can_be_right(before_ms: Option<u64>, times: &[u64], most_given_ms: u64) -> Vec<bool> {
    let mut right = vec![true; times.len()];
    for (later, &ms) in times.iter().enumerate() {
        let rises = |then_ms: u64, presses: u64| ms > then_ms.saturating_add(presses.saturating_mul(most_given_ms));
        right[later] &= before_ms.is_none_or(|before_ms| !rises(before_ms, later as u64 + 1));
        for (earlier, &then_ms) in times.iter().enumerate().take(later) {
            if rises(then_ms, (later - earlier) as u64) {
                (right[earlier], right[later]) = (false, false);
            }
        }
    }
    right
}

/// Seconds added by a new period at this ply, if the ply completes the moves of a period. The last period repeats if it has a
/// number of moves.
fn new_period_s(control: &TimeControl, ply: u32) -> Option<u32> {
    let (TimeControl::Periods(periods) | TimeControl::Then { periods, .. }) = control else { return None };
    let mut moves_left = ply.div_ceil(2).max(1);
    let mut rest = periods.iter();
    let mut last: Option<&Period> = None;
    loop {
        let period = rest.next().or(last)?;
        last = Some(period);
        let moves = period.moves.filter(|&moves| moves > 0)?;
        if moves_left == moves {
            return match (rest.next(), control) {
                (Some(next), _) => Some(next.seconds),
                (None, TimeControl::Periods(_)) => Some(period.seconds),
                (None, _) => None,
            };
        }
        moves_left = moves_left.checked_sub(moves)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(began: u64, before: u64, age_ms: u64) -> Turn {
        let used_ms = (began - before) * 1000;
        // Where the display says nothing, four seconds passed.
        let ran_ms = used_ms.max(4_000);
        let run = Run { began_ms: began * 1000, used_ms, ran_ms };
        Turn { run: Some(run), before_ms: before * 1000, before_age_ms: age_ms }
    }

    fn explain(control: &str, ply: u32, turn: Turn, after_s: u64) -> (Option<Credit>, u64) {
        let control: Option<TimeControl> = control.parse().ok();
        let credits = Credits { control: control.as_ref(), learned: None };
        (credits.explain(ply, turn, after_s * 1000), credits.spent_ms(ply, turn, after_s * 1000).unwrap_or_default())
    }

    #[test]
    fn each_control_explains_what_its_clock_shows_after_a_press() {
        let added = |ms| Some(Credit::Added(ms));
        assert_eq!(explain("300+3", 9, turn(300, 290, 400), 293), (added(3_000), 10_000), "Fischer");
        assert_eq!(explain("300+3", 9, turn(300, 290, 400), 292), (added(3_000), 11_000), "a second later");
        assert_eq!(explain("900", 9, turn(300, 290, 400), 290), (added(0), 10_000), "sudden death");
        assert_eq!(explain("300+3", 9, turn(300, 299, 400), 300), (Some(Credit::Restored), 1_000), "Bronstein");
        let control: TimeControl = "300+5".parse().unwrap();
        let fresh = Credits { control: Some(&control), learned: None };
        assert_eq!(fresh.explain(9, turn(300, 290, 400), 290_000), None, "a delay is not known yet");
        let delay = Credits { learned: Some(Credit::Added(0)), ..fresh };
        assert_eq!(delay.explain(9, turn(300, 290, 400), 290_000), added(0));
        assert_eq!(delay.spent_ms(9, turn(300, 290, 400), 290_000), Some(15_000));
        assert_eq!(delay.spent_ms(9, turn(300, 300, 400), 300_000), Some(4_000), "within the delay");
        assert_eq!(explain("?", 99, turn(30, 21, 0), 30), (Some(Credit::Restored), 9_000), "byo-yomi");
        let fortieth = explain("40/5400+30:1800+30", 80, turn(60, 50, 0), 1_880);
        assert_eq!(fortieth, (added(1_830_000), 10_000), "the fortieth move");
        assert_eq!(explain("40/5400:1800", 79, turn(60, 50, 0), 1_850).0, added(1_800_000), "White's too");
    }

    #[test]
    fn what_no_control_explains_is_not_believed_at_once() {
        assert_eq!(explain("300+3", 9, turn(300, 290, 400), 303).0, None);
        assert_eq!(explain("300+3", 9, turn(300, 290, 400), 291).0, None);
        assert_eq!(explain("300+3", 9, turn(300, 290, 400), 333).0, None);
        assert_eq!(explain("40/5400:1800", 77, turn(60, 50, 0), 1_850).0, None, "the thirty-ninth move");
        assert_eq!(explain("?", 9, turn(300, 290, 400), 293).0, Some(Credit::Added(3_000)), "nothing says otherwise");
        assert_eq!(explain("?", 9, turn(300, 290, 400), 351).0, None);
        assert_eq!(explain("?", 9, turn(300, 290, 400), 288).0, None);
        let learned = Credits { control: None, learned: Some(Credit::Added(3_000)) };
        assert_eq!(learned.explain(9, turn(300, 290, 400), 293_000), Some(Credit::Added(3_000)));
    }

    #[test]
    fn a_damaged_reading_before_the_press_lengthens_no_turn() {
        let run = Run { began_ms: 300_000, used_ms: 12_000, ran_ms: 9_800 };
        let control: Option<TimeControl> = "300+3".parse().ok();
        let credits = Credits { control: control.as_ref(), learned: None };
        let turn = Turn { run: Some(run), before_ms: 288_000, before_age_ms: 400 };
        assert_eq!(credits.spent_ms(9, turn, 294_000), Some(9_000), "291 was read as 288");
    }

    #[test]
    fn a_time_in_the_log_that_rises_too_far_is_not_believed_nor_is_the_other() {
        let fischer: TimeControl = "300+3".parse().unwrap();
        let given = most_given_ms(Some(&fischer));
        assert_eq!(given, 3_000);
        assert_eq!(can_be_right(Some(300_000), &[299_000, 301_000, 250_000, 253_000], given), [true; 4]);
        assert_eq!(can_be_right(Some(300_000), &[299_000, 339_000, 250_000], given), [false, false, true]);
        assert_eq!(can_be_right(Some(300_000), &[219_000, 298_000, 297_000], given), [false, false, false]);
        assert_eq!(can_be_right(Some(300_000), &[304_000], given), [false]);
        assert_eq!(can_be_right(None, &[304_000, 305_000], given), [true; 2]);
        let classical: TimeControl = "40/5400+30:1800+30".parse().unwrap();
        assert_eq!(most_given_ms(Some(&classical)), 5_430_000);
        assert_eq!(most_given_ms(None), 60_000);
    }

    #[test]
    fn a_last_period_with_moves_repeats() {
        let control: TimeControl = "40/7200:20/3600".parse().unwrap();
        let plies: Vec<u32> = (1..=320).filter(|&ply| new_period_s(&control, ply).is_some()).collect();
        assert_eq!(plies, [79, 80, 119, 120, 159, 160, 199, 200, 239, 240, 279, 280, 319, 320]);
        assert_eq!(new_period_s(&"300+3".parse().unwrap(), 80), None);
    }
}
