//! A simulated chess clock with lever, start and stop.
//!
//! Knows time controls and what a real clock tells its board (protocol paper, 4.4 and 9). Must not know moves, pieces or
//! colours, beyond the side at which White sits when the clock is set.

use dgt_protocol::{ClockTimes, Side, SideTime};
use notation::time_control::Period;

/// How a clock is set: the same for both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockSettings {
    /// The period that the game starts with.
    pub first: Period,
    /// The periods after it. If the last one has a number of moves, it repeats.
    pub later: Vec<Period>,
    /// What ends a period: `true`, the clock counts presses of the lever and adds the next period's time with the last of its
    /// moves; `false`, it adds it when the time has run down to zero. Real clocks are set to either.
    pub counts_moves: bool,
}

/// The other side of a clock.
pub fn opposite(side: Side) -> Side {
    match side {
        Side::Left => Side::Right,
        Side::Right => Side::Left,
    }
}

/// What one side's display is made of.
#[derive(Clone, Copy, Debug)]
struct Half {
    remaining_ms: u64,
    presses_in_period: u32,
    period: usize,
    /// Zero was reached in the last period: the clock is blocked.
    blocked: bool,
    /// Zero was reached and the next period began; shown until the next press.
    passed_zero: bool,
}

/// The clock as a machine without I/O. Times are milliseconds of hall time and never go back.
#[derive(Clone, Debug)]
pub struct SimClock {
    settings: ClockSettings,
    left: Half,
    right: Half,
    /// The lever's right side is up: the left player has pressed, the right player's time runs.
    right_side_up: bool,
    running: bool,
    now_ms: u64,
}

impl SimClock {
    /// A stopped clock at its start values, lever up at White's side. The increment of the first move is already on the
    /// display, as real clocks show it (protocol paper, 9).
    pub fn new(settings: ClockSettings, white: Side, now_ms: u64) -> Self {
        let half = Half {
            remaining_ms: base_ms(settings.first) + increment_ms(settings.first),
            presses_in_period: 0,
            period: 0,
            blocked: false,
            passed_zero: false,
        };
        Self { settings, left: half, right: half, right_side_up: white == Side::Right, running: false, now_ms }
    }

    /// Start/Stop pressed so that the clock runs. A clock whose flag has fallen stays blocked.
    pub fn start(&mut self, now_ms: u64) {
        self.advance(now_ms);
        self.running = !self.half(self.side_to_move()).blocked;
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
        let increment_ms = increment_ms(self.period(side));
        let next = self.next_period(side).filter(|_| self.completes_period(side));
        let half = self.half_mut(side);
        half.passed_zero = false;
        half.presses_in_period += 1;
        half.remaining_ms += increment_ms;
        if let Some(next) = next {
            half.begin(next);
        }
    }

    /// An arbiter sets the time left of one side.
    pub fn set_remaining(&mut self, side: Side, remaining_ms: u64, now_ms: u64) {
        self.advance(now_ms);
        self.half_mut(side).remaining_ms = remaining_ms;
    }

    /// Lets time pass.
    pub fn advance(&mut self, now_ms: u64) {
        let mut elapsed_ms = now_ms.saturating_sub(self.now_ms);
        self.now_ms = self.now_ms.max(now_ms);
        while self.running {
            let side = self.side_to_move();
            let counts_moves = self.settings.counts_moves;
            let next = self.next_period(side).filter(|next| !counts_moves && next.seconds > 0);
            let half = self.half_mut(side);
            if elapsed_ms < half.remaining_ms {
                half.remaining_ms -= elapsed_ms;
                return;
            }
            elapsed_ms -= half.remaining_ms;
            half.remaining_ms = 0;
            if let Some(next) = next {
                half.begin(next);
                half.passed_zero = true;
            } else {
                half.blocked = true;
                self.running = false;
            }
        }
    }

    /// When the display changes next by itself; `None` while the clock stands.
    pub fn next_change(&self) -> Option<u64> {
        let remaining = self.half(self.side_to_move()).remaining_ms;
        self.running.then(|| self.now_ms + remaining - remaining.div_ceil(1_000).saturating_sub(1) * 1_000)
    }

    /// The whole seconds on a side's display. A second is shown until it has passed, so 0 is shown only when the flag falls.
    pub fn shown_s(&self, side: Side) -> u32 {
        /// 9:59:59, the most that a clock can show.
        const LONGEST_S: u64 = 35_999;
        self.half(side).remaining_ms.div_ceil(1_000).min(LONGEST_S) as u32
    }

    /// The time left on a side, in milliseconds: what the display rounds up.
    pub fn remaining_ms(&self, side: Side) -> u64 {
        self.half(side).remaining_ms
    }

    /// What pressing this side now would add: the increment, and the next period's time if this move completes a period.
    pub fn credit_ms(&self, side: Side) -> u64 {
        let next = self.next_period(side).filter(|_| self.completes_period(side));
        increment_ms(self.period(side)) + next.map_or(0, base_ms)
    }

    /// The side whose lever is up: its time runs while the clock runs.
    pub fn side_to_move(&self) -> Side {
        if self.right_side_up { Side::Right } else { Side::Left }
    }

    /// Whether time runs.
    pub fn is_running(&self) -> bool {
        self.running
    }

    /// What the clock tells its board. The turn bits follow the lever, as in all public captures (protocol paper, 4.4).
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
        let half = self.half(side);
        SideTime {
            flag_blocked: half.blocked,
            per_move: self.period(side).increment_s > 0,
            flag_continues: half.passed_zero,
            ..SideTime::from_seconds(self.shown_s(side))
        }
    }

    fn completes_period(&self, side: Side) -> bool {
        let presses = self.half(side).presses_in_period + 1;
        self.settings.counts_moves && self.period(side).moves.is_some_and(|moves| presses >= moves)
    }

    fn period(&self, side: Side) -> Period {
        self.period_at(self.half(side).period).unwrap_or(self.settings.first)
    }

    fn next_period(&self, side: Side) -> Option<Period> {
        self.period_at(self.half(side).period + 1)
    }

    fn period_at(&self, index: usize) -> Option<Period> {
        let last = self.settings.later.last().unwrap_or(&self.settings.first);
        match index {
            0 => Some(self.settings.first),
            later => self.settings.later.get(later - 1).or(last.moves.map(|_| last)).copied(),
        }
    }

    fn half(&self, side: Side) -> &Half {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    fn half_mut(&mut self, side: Side) -> &mut Half {
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

impl Half {
    fn begin(&mut self, next: Period) {
        self.period += 1;
        self.presses_in_period = 0;
        self.remaining_ms += base_ms(next);
    }
}

#[cfg(test)]
mod tests {
    use notation::time_control::TimeControl;

    use super::*;

    fn clock(time_control: &str, counts_moves: bool, white: Side) -> SimClock {
        let Ok(TimeControl::Periods(periods)) = time_control.parse() else {
            panic!("{time_control} has periods");
        };
        let settings = ClockSettings { first: periods[0], later: periods[1..].to_vec(), counts_moves };
        SimClock::new(settings, white, 0)
    }

    #[test]
    fn the_first_moves_of_the_captured_game_give_its_bytes() {
        let mut clock = clock("180+2", true, Side::Left);
        let mut bytes = vec![encoded(&clock)];
        clock.start(390);
        bytes.push(encoded(&clock));
        for now in [1_390, 2_390, 3_390] {
            assert_eq!(clock.next_change(), Some(now));
            clock.advance(now);
            bytes.push(encoded(&clock));
        }
        clock.press(Side::Left, 4_000);
        bytes.push(encoded(&clock));
        assert_eq!(
            bytes,
            [
                "8d000a20030220030208",
                "8d000a20030220030209",
                "8d000a20030220030109",
                "8d000a20030220030009",
                "8d000a20030220025909",
                "8d000a20030220030113",
            ]
        );
    }

    #[test]
    fn on_a_rotated_board_white_is_on_the_right() {
        let clock = clock("180+2", true, Side::Right);
        assert_eq!(encoded(&clock), "8d000a20030220030212");
    }

    #[test]
    fn a_fallen_flag_blocks_the_clock() {
        let mut clock = clock("180+2", true, Side::Left);
        clock.start(0);
        clock.press(Side::Left, 0);
        clock.advance(182_000);
        assert_eq!(encoded(&clock), "8d000a30000020030412");
        clock.start(200_000);
        clock.press(Side::Right, 200_000);
        assert!(!clock.is_running());
        assert_eq!(clock.shown_s(Side::Right), 0);
    }

    #[test]
    fn the_fortieth_move_brings_the_second_period() {
        let mut clock = clock("40/5400+30:1800+30", true, Side::Left);
        clock.start(0);
        for _ in 0..39 {
            clock.press(Side::Left, 0);
            clock.press(Side::Right, 0);
        }
        assert_eq!(clock.shown_s(Side::Left), 5_400 + 40 * 30);
        assert_eq!(clock.credit_ms(Side::Left), 1_830_000);
        clock.press(Side::Left, 0);
        assert_eq!(clock.shown_s(Side::Left), 5_400 + 41 * 30 + 1_800);
    }

    #[test]
    fn without_a_move_counter_the_next_period_begins_at_zero() {
        let mut clock = clock("40/10:10", false, Side::Left);
        clock.start(0);
        clock.advance(12_000);
        assert_eq!(encoded(&clock), "8d000a00001040000809");
        clock.press(Side::Left, 12_000);
        assert_eq!(encoded(&clock), "8d000a00001000000813");
    }

    #[test]
    fn a_press_of_the_lowered_side_and_a_press_while_stopped_change_no_time() {
        let mut clock = clock("180+2", true, Side::Left);
        clock.start(0);
        clock.press(Side::Right, 500);
        assert_eq!(clock.side_to_move(), Side::Left);
        clock.stop(1_500);
        assert_eq!(clock.next_change(), None);
        clock.press(Side::Left, 9_000);
        assert_eq!(clock.shown_s(Side::Left), 181);
        assert_eq!(encoded(&clock), "8d000a20030220030112");
    }

    fn encoded(clock: &SimClock) -> String {
        use std::fmt::Write as _;

        let message = dgt_protocol::Message::Clock(dgt_protocol::ClockMessage::Times(clock.reading()));
        message.encode().iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}
