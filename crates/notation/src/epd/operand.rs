//! Operands of operations (EPD standard, 5.2).

use std::fmt;
use std::str::FromStr;

use super::limits::MAX_STRING_BYTES;

/// One operand.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operand {
    /// A move in standard algebraic notation with its check mark.
    Move(String),
    /// A whole number.
    Integer(i64),
    /// A string: printing characters without a quote, up to 255 bytes.
    Text(String),
    /// An identifier, or any word of an opcode that the standard does not list.
    Word(String),
    /// A date.
    Date(Date),
    /// A time of day.
    Time(TimeOfDay),
    /// An amount of time.
    Clock(Clock),
}

impl Operand {
    /// A string operand of any text: a quote becomes an apostrophe, control characters become spaces, and the text is cut
    /// at 255 bytes. Characters outside ASCII stay.
    pub fn text(text: &str) -> Self {
        let mut kept = String::new();
        for c in text.chars().map(|c| {
            if c.is_control() {
                ' '
            } else if c == '"' {
                '\''
            } else {
                c
            }
        }) {
            if kept.len() + c.len_utf8() > MAX_STRING_BYTES {
                break;
            }
            kept.push(c);
        }
        Self::Text(kept)
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(text) | Self::Word(text) => f.write_str(text),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Date(date) => write!(f, "{date}"),
            Self::Time(time) => write!(f, "{time}"),
            Self::Clock(clock) => write!(f, "{clock}"),
        }
    }
}

/// A date, `yyyy.mm.dd` (EPD standard, 5.2.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// A time of day, `hh:mm:ss` (EPD standard, 5.2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay {
    seconds: u32,
}

/// An amount of time, `ddd:hh:mm:ss`, below a thousand days (EPD standard, 5.2.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clock {
    seconds: u32,
}

const DAY: u32 = 24 * 60 * 60;

impl Date {
    /// A date from year 1 to 9999, month 1 to 12, day 1 to 31.
    fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let valid = (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        valid.then_some(Self { year, month, day })
    }
}

impl Clock {
    /// An amount of whole seconds, limited to one second below a thousand days.
    pub(super) fn from_seconds(seconds: u64) -> Self {
        let most = 1000 * DAY - 1;
        Self { seconds: u32::try_from(seconds).map_or(most, |seconds| seconds.min(most)) }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds;
        write!(f, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:03}:{}", self.seconds / DAY, TimeOfDay { seconds: self.seconds % DAY })
    }
}

/// A text that is not a date, time of day or amount of time. The record's reader adds the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the text does not have the expected form")]
pub struct FormError;

impl FromStr for Date {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let [year, month, day] = digits(text, '.', [4, 2, 2]).ok_or(FormError)?;
        let small = |number| u8::try_from(number).map_err(|_| FormError);
        Self::new(u16::try_from(year).map_err(|_| FormError)?, small(month)?, small(day)?).ok_or(FormError)
    }
}

impl FromStr for TimeOfDay {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let [hours, minutes, seconds] = digits(text, ':', [2, 2, 2]).ok_or(FormError)?;
        let valid = hours < 24 && minutes < 60 && seconds < 60;
        valid.then_some(Self { seconds: hours * 3600 + minutes * 60 + seconds }).ok_or(FormError)
    }
}

impl FromStr for Clock {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let (days, time) = text.split_once(':').ok_or(FormError)?;
        let [days] = digits(days, ':', [3]).ok_or(FormError)?;
        let time: TimeOfDay = time.parse()?;
        Ok(Self { seconds: days * DAY + time.seconds })
    }
}

/// Parses separated numbers of fixed widths.
fn digits<const N: usize>(text: &str, separator: char, widths: [usize; N]) -> Option<[u32; N]> {
    let mut numbers = [0; N];
    let mut parts = text.split(separator);
    for (number, width) in numbers.iter_mut().zip(widths) {
        let part = parts.next().filter(|part| part.len() == width && part.bytes().all(|b| b.is_ascii_digit()))?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

/// Date and time of day in UTC of an instant in seconds since 1970; `None` outside the years 1 to
/// 9999.
pub(super) fn timestamp(unix_seconds: i64) -> Option<(Date, TimeOfDay)> {
    let day = i64::from(DAY);
    let seconds = u32::try_from(unix_seconds.rem_euclid(day)).ok()?;
    // Counts from 1 March of year 0 in eras of 400 years, so that a leap day is the last day of its year.
    let days = unix_seconds.div_euclid(day).checked_add(719_468)?;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let date = Date::new(u16::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?)?;
    Some((date, TimeOfDay { seconds }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_back_as_written_and_ranges_hold() {
        for text in ["1994.03.12", "0001.01.01", "9999.12.31"] {
            assert_eq!(text.parse::<Date>().map(|date| date.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "1994.13.01",
            "1994.00.01",
            "1994.01.32",
            "0000.01.01",
            "94.01.01",
            "1994-01-01",
            "1994.01.01.",
            "+994.01.01",
        ] {
            assert_eq!(text.parse::<Date>(), Err(FormError), "{text}");
        }
        for text in ["000:00:00:00", "001:23:59:59", "999:23:59:59"] {
            assert_eq!(text.parse::<Clock>().map(|clock| clock.to_string()), Ok(text.to_owned()));
        }
        for text in ["00:00:00", "000:24:00:00", "000:00:60:00", "000:00:00:60", "1000:00:00:00", "0:0:0:0", ""] {
            assert_eq!(text.parse::<Clock>(), Err(FormError), "{text}");
        }
        assert_eq!(Clock::from_seconds(90_061).to_string(), "001:01:01:01");
        assert_eq!(Clock::from_seconds(u64::MAX).to_string(), "999:23:59:59");
        assert_eq!(Clock::from_seconds(59).to_string(), "000:00:00:59");
        assert_eq!("23:59:60".parse::<TimeOfDay>(), Err(FormError));
    }

    #[test]
    fn an_instant_has_its_date() {
        for (seconds, date, time) in [
            (0, "1970.01.01", "00:00:00"),
            (951_782_399, "2000.02.28", "23:59:59"),
            (951_782_400, "2000.02.29", "00:00:00"),
            (1_773_316_805, "2026.03.12", "12:00:05"),
            (-1, "1969.12.31", "23:59:59"),
        ] {
            let (found_date, found_time) = timestamp(seconds).expect("a date of our era");
            assert_eq!((found_date.to_string(), found_time.to_string()), (date.to_owned(), time.to_owned()));
        }
        assert_eq!(timestamp(i64::MAX), None);
        assert_eq!(timestamp(i64::MIN), None);
    }

    #[test]
    fn any_text_becomes_a_string() {
        assert_eq!(Operand::text("the \"Immortal\"\nGame").to_string(), "\"the 'Immortal' Game\"");
        let Operand::Text(cut) = Operand::text(&"ß".repeat(200)) else { panic!("a string") };
        assert_eq!(cut.len(), 254);
    }
}
