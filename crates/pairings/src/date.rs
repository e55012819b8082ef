//! Dates as files of pairings write them.

use super::player::digits;

/// A date in PGN's form, from `YYYY/MM/DD`, `YYYY-MM-DD`, `YYYY.MM.DD` or the day first; none when it is no date.
pub(crate) fn day(text: &str) -> Option<String> {
    let parts: Vec<_> = text.trim().split(['/', '-', '.']).map(str::trim).collect();
    let &[first, second, third] = parts.as_slice() else { return None };
    let (year, month, date) = if first.len() == 4 { (first, second, third) } else { (third, second, first) };
    let year = digits(year).filter(|_| year.len() == 4)?;
    let (month, date) = (digits(month)?, digits(date)?);
    chrono::NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, date)?;
    Some(format!("{year:04}.{month:02}.{date:02}"))
}
