//! The outcome of a game and the forms in which it is written.

use std::fmt;

/// The outcome of a game: one of the four game termination markers (PGN standard, 8.2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Outcome {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: still being played, abandoned, or not known.
    #[default]
    Unknown,
}

impl Outcome {
    /// The marker: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Parses a marker and its usual variants: hyphen, dashes, minus sign, underscore or colon between the scores; `½`,
    /// `0.5` or `0,5` for a half; `+` and `-` for a forfeit; a single half. `None` for everything else, also for scores
    /// that have no marker (`0-0`, `1/2-0`).
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1-0" => return Some(Self::WhiteWins),
            "0-1" => return Some(Self::BlackWins),
            "1/2-1/2" => return Some(Self::Draw),
            _ => {}
        }
        match plain_result(text)?.as_str() {
            "1-0" | "+--" => Some(Self::WhiteWins),
            "0-1" | "--+" => Some(Self::BlackWins),
            "1/2-1/2" | "1/2" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }
}

/// Whether a result is `0-0`: both players lose. It has no game termination marker, so that the outcome of such a game is
/// [`Outcome::Unknown`] and its `Result` tag tells.
pub(super) fn is_lost_by_both(result: &str) -> bool {
    plain_result(result).is_some_and(|plain| matches!(plain.as_str(), "0-0" | "---"))
}

/// A result in one spelling: no spaces, a hyphen between the scores, `1/2` for a half. `None` for a text that is too long to
/// be a result.
pub fn plain_result(text: &str) -> Option<String> {
    // Bounds the work on long texts.
    const LONGEST: usize = 24;
    if text.len() > LONGEST {
        return None;
    }
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| if matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}' | '_' | ':') { '-' } else { c })
        .collect();
    Some(plain.replace('½', "1/2").replace("0.5", "1/2").replace("0,5", "1/2"))
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_form_of_a_result_is_read() {
        for (outcome, forms) in [
            (Outcome::WhiteWins, &["1-0", "1:0", "1 – 0", "1—0", "1_0", "+--", "+:-", "+ - -"][..]),
            (Outcome::BlackWins, &["0-1", "0:1", "0−1", "--+", "-:+"]),
            (Outcome::Draw, &["1/2-1/2", "½-½", "½–½", "0.5-0.5", "0,5:0,5", "1/2:1/2", "½", "1/2"]),
            (Outcome::Unknown, &["*", " * "]),
        ] {
            assert_eq!(Outcome::parse(outcome.as_str()), Some(outcome));
            for form in forms {
                assert_eq!(Outcome::parse(form), Some(outcome), "{form:?}");
            }
        }
    }

    #[test]
    fn a_score_without_a_marker_is_refused() {
        for text in
            ["", "0-0", "1/2-0", "0-1/2", "1-1", "1", "0", "+-", "--", "?", "1-0 1-0", "10000000000000000000000000-0"]
        {
            assert_eq!(Outcome::parse(text), None, "{text:?}");
        }
    }
}
