//! Battery state of boards that have a battery (`docs/protocol.md`, 4.7).

/// State of the battery. Numbers are 0 to 127, as the board sends them; a narrower range is known only
/// for `percent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Battery {
    /// Charge, 0 to 100.
    pub percent: u8,
    /// Expected time left; `None` when the board does not know it.
    pub time_left: Option<HoursMinutes>,
    /// Time since the board was switched on.
    pub time_on: HoursMinutes,
    /// Time in standby.
    pub standby: Standby,
    /// The battery is being charged.
    pub charging: bool,
    /// The battery is being discharged.
    pub discharging: bool,
}

/// A duration in hours and minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoursMinutes {
    /// Hours.
    pub hours: u8,
    /// Minutes.
    pub minutes: u8,
}

/// A duration in days, hours and minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standby {
    /// Days.
    pub days: u8,
    /// Hours.
    pub hours: u8,
    /// Minutes.
    pub minutes: u8,
}

/// Value of a number that the board does not know.
const UNKNOWN: u8 = 0x7f;

impl Battery {
    pub(crate) fn decode(bytes: [u8; 9]) -> Battery {
        let [percent, left_hours, left_minutes, on_hours, on_minutes, days, hours, minutes, status] = bytes;
        let known = left_hours != UNKNOWN && left_minutes != UNKNOWN;
        Battery {
            percent,
            time_left: known.then_some(HoursMinutes { hours: left_hours, minutes: left_minutes }),
            time_on: HoursMinutes { hours: on_hours, minutes: on_minutes },
            standby: Standby { days, hours, minutes },
            charging: status & 1 != 0,
            discharging: status & 2 != 0,
        }
    }

    pub(crate) fn encode(self) -> [u8; 9] {
        let left = self.time_left.unwrap_or(HoursMinutes { hours: UNKNOWN, minutes: UNKNOWN });
        [
            self.percent,
            left.hours,
            left.minutes,
            self.time_on.hours,
            self.time_on.minutes,
            self.standby.days,
            self.standby.hours,
            self.standby.minutes,
            u8::from(self.charging) | u8::from(self.discharging) << 1,
        ]
    }
}
