//! Reads the output of the pairing engines `JaVaFo` and `bbpPairings`: the number of pairs, then a line `white black` for each
//! table; 0 as the second number is a bye.
//!
//! The numbers are starting numbers; `merge` finds the players.

use super::model::MAX_ENTRIES;
use super::player::digits;
use super::problem::Problem;
use super::text::counted;

/// An engine's pairings: starting numbers in the order of the tables; without a Black it is a bye.
pub(crate) type Pairs = Vec<(u32, Option<u32>)>;

/// Whether a text has only numbers, and only one in its first line.
pub(crate) fn is_engine_output(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.next().is_some_and(|first| digits(first).is_some())
        && lines.all(|line| line.split_whitespace().all(|word| digits(word).is_some()))
}

/// Reads an engine's output.
///
/// # Errors
/// The first line that is not in this form.
pub(crate) fn read(text: &str) -> Result<Pairs, Problem> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, first) = lines.next().ok_or_else(|| Problem::at(1, 1, "the file is empty"))?;
    let count = digits(first).ok_or_else(|| Problem::at(1, 1, "the first line is not the number of pairs"))? as usize;
    if count > MAX_ENTRIES {
        return Err(Problem::at(1, 1, format!("the first line announces {count} pairs: the maximum is {MAX_ENTRIES}")));
    }
    let announced = counted(count, "pair");
    let mut pairs = Pairs::new();
    for (index, line) in lines {
        let numbers: Vec<_> = line.split_whitespace().map(digits).collect();
        match *numbers.as_slice() {
            [Some(white), Some(0)] if white > 0 => pairs.push((white, None)),
            [Some(white), Some(black)] if white > 0 => pairs.push((white, Some(black))),
            _ => {
                return Err(Problem::at(
                    index + 1,
                    1,
                    "a pair is two starting numbers, White's and Black's (0 for a bye)",
                ));
            }
        }
        if pairs.len() > count {
            let reason = format!("the first line announces {announced}, but more follow: is the file complete?");
            return Err(Problem::at(index + 1, 1, reason));
        }
    }
    if pairs.len() < count {
        let reason = format!("the first line announces {announced}, but the file has {}: is it complete?", pairs.len());
        return Err(Problem::at(1, 1, reason));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_in_the_engines_order() {
        let text = "3\r\n 4 1\r\n2   5\r\n3 0\r\n\r\n";
        assert!(is_engine_output(text));
        assert_eq!(read(text), Ok(vec![(4, Some(1)), (2, Some(5)), (3, None)]));
        assert!(!is_engine_output("3;4\n1;2"));
    }

    #[test]
    fn a_torn_output_is_refused() {
        for (text, reason) in [
            ("3\n4 1\n", "line 1, column 1: the first line announces 3 pairs, but the file has 1"),
            ("1\n4 1\n2 3\n", "line 3, column 1: the first line announces 1 pair, but more follow"),
            ("1\n4\n", "line 2, column 1: a pair is two starting numbers"),
            ("99999999\n", "line 1, column 1: the first line announces 99999999 pairs: the maximum"),
        ] {
            assert!(read(text).unwrap_err().to_string().starts_with(reason), "{text}");
        }
    }
}
