//! Reads the output of the pairing engines `JaVaFo` and `bbpPairings`: the number of pairs, then a line `white black` for each
//! table; 0 as the second number is a bye.
//!
//! The numbers are starting numbers; `merge` finds the players.

use super::model::MAX_ENTRIES;
use super::player::digits;
use super::problem::{FileProblem, Problem};

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
    let count = lines.next().and_then(|(_, first)| digits(first));
    let count = count.ok_or_else(|| Problem::at(1, 1, FileProblem::NotAPairCount))? as usize;
    if count > MAX_ENTRIES {
        return Err(Problem::at(1, 1, FileProblem::ManyPairs { count, most: MAX_ENTRIES }));
    }
    let mut pairs = Pairs::new();
    for (index, line) in lines {
        let numbers: Vec<_> = line.split_whitespace().map(digits).collect();
        match *numbers.as_slice() {
            [Some(white), Some(0)] if white > 0 => pairs.push((white, None)),
            [Some(white), Some(black)] if white > 0 => pairs.push((white, Some(black))),
            _ => {
                return Err(Problem::at(index + 1, 1, FileProblem::NotAPair));
            }
        }
        if pairs.len() > count {
            return Err(Problem::at(index + 1, 1, FileProblem::MorePairs { count }));
        }
    }
    if pairs.len() < count {
        return Err(Problem::at(1, 1, FileProblem::FewerPairs { count, found: pairs.len() }));
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
            ("3\n4 1\n", "line 1, column 1: the number of pairs in the first line is 3, but the file has 1"),
            ("1\n4 1\n2 3\n", "line 3, column 1: the number of pairs in the first line is 1, but more follow"),
            ("1\n4\n", "line 2, column 1: a pair is two starting numbers"),
            ("99999999\n", "line 1, column 1: the number of pairs in the first line is 99999999: the maximum"),
        ] {
            assert!(read(text).unwrap_err().to_string().starts_with(reason), "{text}");
        }
    }
}
