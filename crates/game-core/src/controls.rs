//! The time control of a game: one for both players, or one for each as in Armageddon.
//!
//! Knows the PGN form and its tags. Must not know clocks.

use std::collections::BTreeMap;

use notation::time_control::TimeControl;
use serde::{Deserialize, Serialize};

use crate::event::Side;

/// Time controls in PGN form. As JSON `"300+3"` or `{"white":"300","black":"240"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Controls {
    /// The same for both players.
    Both(String),
    /// One for each.
    Each {
        /// White's.
        white: String,
        /// Black's.
        black: String,
    },
}

impl Controls {
    /// The control of a player; none when it is not in the PGN form.
    pub(crate) fn of(&self, side: Side) -> Option<TimeControl> {
        let text = match (self, side) {
            (Self::Both(text), _) | (Self::Each { white: text, .. }, Side::White) => text,
            (Self::Each { black, .. }, Side::Black) => black,
        };
        text.parse().ok()
    }

    /// The controls in the tags of a game: `TimeControl`, or `WhiteTimeControl` and `BlackTimeControl`.
    pub fn of_tags(tags: &BTreeMap<String, String>) -> Option<Self> {
        let told = |name: &str| tags.get(name).filter(|control| control.as_str() != "?").cloned();
        let each = || Some(Self::Each { white: told("WhiteTimeControl")?, black: told("BlackTimeControl")? });
        told("TimeControl").map(Self::Both).or_else(each)
    }
}

impl From<&str> for Controls {
    fn from(text: &str) -> Self {
        Self::Both(text.to_owned())
    }
}

impl From<String> for Controls {
    fn from(text: String) -> Self {
        Self::Both(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_control_or_one_for_each_is_read_from_json_and_tags() {
        let each = Controls::Each { white: "300".into(), black: "240".into() };
        assert_eq!(serde_json::from_str::<Controls>("\"300+3\"").unwrap(), Controls::from("300+3"));
        assert_eq!(serde_json::from_str::<Controls>(&serde_json::to_string(&each).unwrap()).unwrap(), each);
        assert_eq!(each.of(Side::Black), "240".parse().ok());
        let tags = |tags: &[(&str, &str)]| {
            Controls::of_tags(&tags.iter().map(|&(name, value)| (name.into(), value.into())).collect())
        };
        assert_eq!(tags(&[("WhiteTimeControl", "300"), ("BlackTimeControl", "240")]), Some(each));
        assert_eq!(tags(&[("TimeControl", "900+10")]), Some(Controls::from("900+10")));
        assert_eq!(tags(&[("TimeControl", "?"), ("WhiteTimeControl", "300")]), None);
    }
}
