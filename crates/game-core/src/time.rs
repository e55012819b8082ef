//! Instants of the pure core: milliseconds since a session began.
//!
//! Must not know the machine's clock or time zones: the owner of a session supplies every instant and knows the UTC instant
//! of its zero.

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970 in UTC.
pub type UtcMs = u64;

/// Milliseconds since the start of the session's capture file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The start of the session.
    pub const ZERO: Self = Self(0);

    /// The instant `ms` milliseconds after the start.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms)
    }

    /// Milliseconds since the start.
    pub const fn as_ms(self) -> u64 {
        self.0
    }

    /// The instant `ms` milliseconds later; saturates.
    #[must_use]
    pub const fn plus(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this instant; 0 if `earlier` is later, as in a damaged capture.
    pub(crate) const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

const DAY_MS: u64 = 86_400_000;

/// An instant in UTC in the form of RFC 3339, with milliseconds: `2026-11-20T11:03:13.250Z`. Years to 9999.
pub(crate) fn format_utc(utc_ms: u64) -> String {
    let (days, ms) = (utc_ms / DAY_MS, utc_ms % DAY_MS);
    let (year, month, day) = civil_from_days(days);
    let (h, m, s) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}.{:03}Z", ms % 1000)
}

/// The date in UTC in the form of PGN: `2026.11.20`.
pub(crate) fn format_pgn_date(utc_ms: u64) -> String {
    let (year, month, day) = civil_from_days(utc_ms / DAY_MS);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Reads an instant in UTC in the form of RFC 3339, with or without a fraction. None for other text, other offsets and years
/// before 1970.
pub(crate) fn parse_utc(text: &str) -> Option<u64> {
    let text = text.trim().strip_suffix('Z')?;
    let (date, time) = text.split_once('T')?;
    let mut date = date.splitn(3, '-').map(str::parse::<u64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut time = time.splitn(3, ':').map(str::parse::<u64>);
    let (h, m, s) = (time.next()?.ok()?, time.next()?.ok()?, time.next()?.ok()?);
    let in_range = (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !in_range || h > 23 || m > 59 || s > 60 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let ms: u64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    Some(days_from_civil(year, month, day)? * DAY_MS + h * 3_600_000 + m * 60_000 + s * 1000 + ms)
}

/// Days since 1970 to year, month and day of the Gregorian calendar, counting years from March so that the leap day is
/// the last of its year.
fn civil_from_days(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

fn days_from_civil(year: u64, month: u64, day: u64) -> Option<u64> {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year / 400, year % 400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    (era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year).checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_read_back_as_written() {
        for ms in [0, 951_782_400_123, 1_709_208_000_000, 1_795_172_593_250, 4_102_444_799_999] {
            assert_eq!(parse_utc(&format_utc(ms)), Some(ms), "{}", format_utc(ms));
        }
        assert_eq!(format_utc(1_709_208_000_000), "2024-02-29T12:00:00.000Z");
        assert_eq!(parse_utc("2022-12-06T12:00:00Z"), Some(1_670_328_000_000));
        for rubbish in
            ["", "Z", "2022-12-06", "2022-13-06T12:00:00Z", "2022-12-06T12:00:00+01:00", "2022-12-06T12:00:00.xZ"]
        {
            assert_eq!(parse_utc(rubbish), None, "{rubbish}");
        }
    }
}
