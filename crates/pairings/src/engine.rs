//! What the pairing engines `JaVaFo` and `bbpPairings` print: the number of pairs, then a line `white black` for each table;
//! 0 as the second number is a bye (pairings paper, 1).
//!
//! Knows the form. Must not know who the numbers are.

use super::model::{MAX_ENTRIES, Problem};
use super::player::digits;

/// An engine's pairings: starting numbers in the order of the tables; without a Black it is a bye.
pub type Pairs = Vec<(u32, Option<u32>)>;

/// Whether a text consists of nothing but numbers, the first line of a single one.
pub fn is_engine_output(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.next().is_some_and(|first| digits(first).is_some())
        && lines.all(|line| line.split_whitespace().all(|word| digits(word).is_some()))
}

/// Reads an engine's output.
///
/// # Errors
/// The place where it is not what an engine prints.
pub fn read(text: &str) -> Result<Pairs, Problem> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, first) = lines.next().ok_or_else(|| Problem::at(1, 1, "the file is empty"))?;
    let count = digits(first).ok_or_else(|| Problem::at(1, 1, "the first line is not the number of pairs"))? as usize;
    if count > MAX_ENTRIES {
        return Err(Problem::at(1, 1, format!("{count} pairs are more than any tournament has")));
    }
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
                    "a table is two starting numbers, White's and Black's (0: a bye)",
                ));
            }
        }
        if pairs.len() > count {
            let reason = format!("the first line promises {count} pairs and here is one more: is this file whole?");
            return Err(Problem::at(index + 1, 1, reason));
        }
    }
    if pairs.len() < count {
        let reason =
            format!("the first line promises {count} pairs and there are {}: is this file whole?", pairs.len());
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
            ("3\n4 1\n", "line 1, column 1: the first line promises 3 pairs and there are 1"),
            ("1\n4 1\n2 3\n", "line 3, column 1: the first line promises 1 pairs and here is one more"),
            ("1\n4\n", "line 2, column 1: a table is two starting numbers"),
            ("99999999\n", "line 1, column 1: 99999999 pairs are more"),
        ] {
            assert!(read(text).unwrap_err().to_string().starts_with(reason), "{text}");
        }
    }
}
