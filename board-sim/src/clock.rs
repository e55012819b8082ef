//! A simulated chess clock with lever, start and stop.
//!
//! Knows time controls and what a real clock reports to its board (docs/protocol.md, 4.4 and 9). Must not know moves,
//! pieces or colours, beyond the side at which the player sits who moves first.

use dgt_protocol::{ClockTimes, Side, SideTime};
use notation::time_control::Period;

/// How one side of a clock is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockSettings {
    /// The period that the game starts with.
    pub first: Period,
    /// The periods after it. If the last one has a number of moves, it repeats.
    pub later: Vec<Period>,
    /// What ends a period: `true`, the clock counts presses of the lever and adds the next period's time with the last of its
    /// moves; `false`, it adds it when the time has run down to zero. Real clocks are set to either.
    pub counts_moves: bool,
    /// How the seconds per move of a period are given.
    pub bonus: Bonus,
}

/// What a clock does for each move beside counting down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bonus {
    /// The seconds are added with the press, those of the first move at once.
    #[default]
    Fischer,
    /// The press gives back the time used for the move, at most the seconds.
    Bronstein,
    /// The time begins to fall when the seconds of the turn are over: US delay.
    Delay,
    /// When the main time is used up, these seconds for each move; a player who needs more loses one of the periods.
    ByoYomi {
        /// Seconds for each move, at least 1.
        seconds: u32,
        /// Periods that a player has.
        periods: u32,
    },
}

/// The other side of a clock.
pub fn other_side(side: Side) -> Side {
    match side {
        Side::Left => Side::Right,
        Side::Right => Side::Left,
    }
}

/// The state of one side.
#[derive(Clone, Copy, Debug)]
struct SideState {
    remaining_ms: u64,
    presses_in_period: u32,
    period: usize,
    /// Zero was reached in the last period: the clock is blocked.
    blocked: bool,
    /// Zero was reached and the next period began; shown until the next press.
    passed_zero: bool,
    /// Time used since the turn began.
    turn_ms: u64,
    /// Time used in the whole game.
    ran_ms: u64,
    /// Periods of byo-yomi that began, the one being used included.
    byo_yomi: u32,
}

/// What follows when a side's time has run down to zero.
enum AfterZero {
    Period(Period),
    ByoYomi { seconds: u32 },
    Blocked,
}

/// A simulated clock without I/O. Times are milliseconds of hall time and never go back.
#[derive(Clone, Debug)]
pub struct SimClock {
    /// Left side first.
    settings: [ClockSettings; 2],
    left: SideState,
    right: SideState,
    /// The lever's right side is up: the left player has pressed, the right player's time runs.
    right_side_up: bool,
    running: bool,
    now_ms: u64,
}

impl SimClock {
    /// A stopped clock at its start values, the same for both sides, lever up at the side of the player who moves first.
    pub fn new(settings: ClockSettings, first: Side, now_ms: u64) -> Self {
        Self::for_each([settings.clone(), settings], first, now_ms)
    }

    /// A clock whose left and right sides are set to different times, as for an Armageddon game. The increment of the first
    /// move is already on the display, as real clocks show it (docs/protocol.md, 9).
    pub(crate) fn for_each(settings: [ClockSettings; 2], first: Side, now_ms: u64) -> Self {
        let [left, right] = settings.each_ref().map(SideState::new);
        Self { settings, left, right, right_side_up: first == Side::Right, running: false, now_ms }
    }

    /// Start/Stop pressed so that the clock runs. A clock whose flag has fallen stays blocked.
    pub fn start(&mut self, now_ms: u64) {
        self.advance(now_ms);
        self.running = !self.state(self.side_to_move()).blocked;
    }

    /// Start/Stop pressed so that the clock stands.
    pub fn stop(&mut self, now_ms: u64) {
        self.advance(now_ms);
        self.running = false;
    }

    /// A player presses the lever. Pressing a side that is already down does nothing; on a stopped clock the lever moves but
    /// nothing is counted.
    pub fn press(&mut self, side: Side, now_ms: u64) {
        self.advance(now_ms);
        if side != self.side_to_move() {
            return;
        }
        self.right_side_up = side == Side::Left;
        if !self.running {
            return;
        }
        let bonus_ms = self.bonus_ms(side);
        let next = self.next_period(side).filter(|_| self.completes_period(side));
        let half = self.state_mut(side);
        half.passed_zero = false;
        half.presses_in_period += 1;
        half.remaining_ms += bonus_ms;
        half.turn_ms = 0;
        if let Some(next) = next {
            half.begin(next);
        }
    }

    /// An arbiter sets the time left of one side.
    pub fn set_remaining(&mut self, side: Side, remaining_ms: u64, now_ms: u64) {
        self.advance(now_ms);
        self.state_mut(side).remaining_ms = remaining_ms;
    }

    /// Lets time pass.
    pub fn advance(&mut self, now_ms: u64) {
        let mut elapsed_ms = now_ms.saturating_sub(self.now_ms);
        self.now_ms = self.now_ms.max(now_ms);
        while self.running {
            let side = self.side_to_move();
            let waits_ms = self.delay_left_ms(side).min(elapsed_ms);
            elapsed_ms -= waits_ms;
            let after_zero = self.after_zero(side);
            let half = self.state_mut(side);
            let ran_ms = waits_ms + elapsed_ms.min(half.remaining_ms);
            half.turn_ms += ran_ms;
            half.ran_ms += ran_ms;
            if elapsed_ms < half.remaining_ms {
                half.remaining_ms -= elapsed_ms;
                return;
            }
            elapsed_ms -= half.remaining_ms;
            half.remaining_ms = 0;
            match after_zero {
                AfterZero::Period(next) => half.begin(next),
                AfterZero::ByoYomi { seconds } => {
                    half.byo_yomi += 1;
                    half.remaining_ms = u64::from(seconds) * 1_000;
                }
                AfterZero::Blocked => {
                    half.blocked = true;
                    self.running = false;
                    return;
                }
            }
            half.passed_zero = true;
        }
    }

    /// When the display changes next by itself; `None` while the clock stands.
    pub fn next_change(&self) -> Option<u64> {
        let side = self.side_to_move();
        let remaining = self.state(side).remaining_ms;
        let falls_from = self.now_ms + self.delay_left_ms(side);
        self.running.then(|| falls_from + remaining - remaining.div_ceil(1_000).saturating_sub(1) * 1_000)
    }

    /// The whole seconds on a side's display. A second is shown until it has passed, so 0 is shown only when the flag falls.
    pub fn shown_s(&self, side: Side) -> u32 {
        /// 9:59:59, the most that a clock can show.
        const LONGEST_S: u64 = 35_999;
        self.state(side).remaining_ms.div_ceil(1_000).min(LONGEST_S) as u32
    }

    /// For how long a side's time has run since the clock was set, in milliseconds.
    pub(crate) fn ran_ms(&self, side: Side) -> u64 {
        self.state(side).ran_ms
    }

    /// The time left on a side, in milliseconds: what the display rounds up.
    pub fn remaining_ms(&self, side: Side) -> u64 {
        self.state(side).remaining_ms
    }

    /// What pressing this side now would add: what the move brings, and the next period's time if it completes a period.
    pub(crate) fn credit_ms(&self, side: Side) -> u64 {
        let next = self.next_period(side).filter(|_| self.completes_period(side));
        self.bonus_ms(side) + next.map_or(0, base_ms)
    }

    /// The time that a side gets by itself when it has used up what it has, in milliseconds.
    pub(crate) fn reserve_ms(&self, side: Side) -> u64 {
        match (self.settings(side).bonus, self.after_zero(side)) {
            (Bonus::ByoYomi { seconds, periods }, _) => {
                u64::from(periods.saturating_sub(self.state(side).byo_yomi)) * u64::from(seconds) * 1_000
            }
            (_, AfterZero::Period(next)) => base_ms(next),
            _ => 0,
        }
    }

    /// Whether the side to move has no time left to make a move.
    pub(crate) fn time_is_short(&self) -> bool {
        /// The time of an unhurried move.
        const MOVE_MS: u64 = 2_500;
        let side = self.side_to_move();
        self.delay_left_ms(side) + self.remaining_ms(side) + self.reserve_ms(side) < MOVE_MS
    }

    /// The side whose lever is up: its time runs while the clock runs.
    pub(crate) fn side_to_move(&self) -> Side {
        if self.right_side_up { Side::Right } else { Side::Left }
    }

    /// Whether time runs.
    pub(crate) fn is_running(&self) -> bool {
        self.running
    }

    /// What the clock reports to its board. The turn bits follow the lever, as in all public captures
    /// (docs/protocol.md, 4.4).
    pub fn reading(&self) -> ClockTimes {
        ClockTimes {
            left: self.side_time(Side::Left),
            right: self.side_time(Side::Right),
            running: self.running,
            right_side_up: self.right_side_up,
            battery_low: false,
            left_to_move: !self.right_side_up,
            right_to_move: self.right_side_up,
            no_clock: false,
        }
    }

    fn side_time(&self, side: Side) -> SideTime {
        let half = self.state(side);
        SideTime {
            flag_blocked: half.blocked,
            per_move: self.period(side).increment_s > 0,
            flag_continues: half.passed_zero,
            ..SideTime::from_seconds(self.shown_s(side))
        }
    }

    /// What the press of this side adds for its move.
    fn bonus_ms(&self, side: Side) -> u64 {
        let increment_ms = increment_ms(self.period(side));
        let half = self.state(side);
        match self.settings(side).bonus {
            Bonus::Fischer => increment_ms,
            Bonus::Bronstein => increment_ms.min(half.turn_ms),
            Bonus::ByoYomi { seconds, .. } if half.byo_yomi > 0 => {
                (u64::from(seconds) * 1_000).saturating_sub(half.remaining_ms)
            }
            Bonus::Delay | Bonus::ByoYomi { .. } => 0,
        }
    }

    /// How long the time of the side whose turn it is stands still before it falls.
    fn delay_left_ms(&self, side: Side) -> u64 {
        match self.settings(side).bonus {
            Bonus::Delay => increment_ms(self.period(side)).saturating_sub(self.state(side).turn_ms),
            Bonus::Fischer | Bonus::Bronstein | Bonus::ByoYomi { .. } => 0,
        }
    }

    fn after_zero(&self, side: Side) -> AfterZero {
        let next = self.next_period(side).filter(|next| !self.settings(side).counts_moves && next.seconds > 0);
        match (next, self.settings(side).bonus) {
            (Some(next), _) => AfterZero::Period(next),
            (None, Bonus::ByoYomi { seconds, periods }) if self.state(side).byo_yomi < periods => {
                AfterZero::ByoYomi { seconds: seconds.max(1) }
            }
            _ => AfterZero::Blocked,
        }
    }

    fn completes_period(&self, side: Side) -> bool {
        let presses = self.state(side).presses_in_period + 1;
        self.settings(side).counts_moves && self.period(side).moves.is_some_and(|moves| presses >= moves)
    }

    fn period(&self, side: Side) -> Period {
        self.period_at(side, self.state(side).period).unwrap_or(self.settings(side).first)
    }

    fn next_period(&self, side: Side) -> Option<Period> {
        self.period_at(side, self.state(side).period + 1)
    }

    fn period_at(&self, side: Side, index: usize) -> Option<Period> {
        let settings = self.settings(side);
        let last = settings.later.last().unwrap_or(&settings.first);
        match index {
            0 => Some(settings.first),
            later => settings.later.get(later - 1).or(last.moves.map(|_| last)).copied(),
        }
    }

    fn settings(&self, side: Side) -> &ClockSettings {
        match side {
            Side::Left => &self.settings[0],
            Side::Right => &self.settings[1],
        }
    }

    fn state(&self, side: Side) -> &SideState {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    fn state_mut(&mut self, side: Side) -> &mut SideState {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }
}

fn base_ms(period: Period) -> u64 {
    u64::from(period.seconds) * 1_000
}

fn increment_ms(period: Period) -> u64 {
    u64::from(period.increment_s) * 1_000
}

impl SideState {
    fn new(settings: &ClockSettings) -> Self {
        let at_once_ms = if settings.bonus == Bonus::Fischer { increment_ms(settings.first) } else { 0 };
        Self {
            remaining_ms: base_ms(settings.first) + at_once_ms,
            presses_in_period: 0,
            period: 0,
            blocked: false,
            passed_zero: false,
            turn_ms: 0,
            ran_ms: 0,
            byo_yomi: 0,
        }
    }

    fn begin(&mut self, next: Period) {
        self.period += 1;
        self.presses_in_period = 0;
        self.remaining_ms += base_ms(next);
    }
}

#[cfg(test)]
mod tests;
