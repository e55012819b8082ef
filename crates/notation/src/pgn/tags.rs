//! Tag pairs: names, values and their order in the export format.

use std::borrow::Cow;

/// The Seven Tag Roster in its order (PGN standard, 8.1.1).
pub(crate) const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Whether a text can be the name of a tag: one or more ASCII letters, digits and underscores,
/// beginning with a letter or a digit (PGN standard, 7 and 8.1).
pub fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The tag pairs of a game. They compare equal whatever the order in which they were set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags {
    /// In the order of the export format, each name once.
    pairs: Vec<Pair>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pair {
    /// Index in the roster; 7 for other tags.
    rank: usize,
    name: Cow<'static, str>,
    value: String,
}

macro_rules! common_names {
    ($($name:literal)*) => {
        /// The static string of a common name, which saves an allocation.
        fn common_name(name: &str) -> Option<&'static str> {
            match name {
                $($name => Some($name),)*
                _ => None,
            }
        }
    };
}

common_names! {
    "Event" "Site" "Date" "Round" "White" "Black" "Result" "Annotator" "BlackClock" "BlackElo" "BlackFideId"
    "BlackTeam" "BlackTitle" "Board" "Clock" "ECO" "EventDate" "FEN" "GameId" "Opening" "PlyCount" "SetUp"
    "Termination" "TimeControl" "UTCDate" "UTCTime" "Variation" "WhiteClock" "WhiteElo" "WhiteFideId" "WhiteTeam"
    "WhiteTitle"
}

impl Tags {
    /// No tags.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a tag; names are compared exactly.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|pair| pair.name == name).map(|pair| pair.value.as_str())
    }

    /// Sets a tag and replaces an earlier one of that name. Tabs and line ends in the value become spaces, other control
    /// characters are removed, because a PGN string cannot hold them. Returns `false` and sets nothing if the name is not
    /// a tag name (see [`is_tag_name`]).
    pub fn set(&mut self, name: &str, value: impl Into<String>) -> bool {
        let valid = is_tag_name(name);
        if valid {
            self.set_valid(name, value.into());
        }
        valid
    }

    /// Sets a tag whose name is known to be a tag name.
    pub(super) fn set_valid(&mut self, name: &str, value: String) {
        let value = printable(value);
        let rank = rank(name);
        // Fast path: most files have their tags in order.
        let place = match self.pairs.last() {
            Some(last) if (last.rank, last.name.as_ref()) >= (rank, name) => {
                self.pairs.binary_search_by(|pair| (pair.rank, pair.name.as_ref()).cmp(&(rank, name)))
            }
            _ => Err(self.pairs.len()),
        };
        match place {
            Ok(place) => {
                if let Some(pair) = self.pairs.get_mut(place) {
                    pair.value = value;
                }
            }
            Err(place) => {
                let name = common_name(name).map_or_else(|| Cow::Owned(name.to_owned()), Cow::Borrowed);
                self.pairs.insert(place, Pair { rank, name, value });
            }
        }
    }

    /// Removes a tag and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let place = self.pairs.iter().position(|pair| pair.name == name)?;
        Some(self.pairs.remove(place).value)
    }

    /// All pairs in the order of the export format: the roster first, then by ASCII code.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|pair| (pair.name.as_ref(), pair.value.as_str()))
    }

    /// The pairs outside the roster, by ASCII code.
    pub(super) fn supplemental(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().filter(|pair| pair.rank == ROSTER.len()).map(|pair| (pair.name.as_ref(), pair.value.as_str()))
    }

    /// The players as `White - Black`, with `?` for one whose tag is missing; empty if both are.
    pub fn players(&self) -> String {
        let name = |tag| self.get(tag).map(str::trim).filter(|name| !name.is_empty()).unwrap_or("?");
        let (white, black) = (name("White"), name("Black"));
        if white == "?" && black == "?" { String::new() } else { format!("{white} - {black}") }
    }

    /// Number of tags.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there is no tag.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// Index of a name in the roster; 7 for other tags.
pub(super) fn rank(name: &str) -> usize {
    match name {
        "Event" => 0,
        "Site" => 1,
        "Date" => 2,
        "Round" => 3,
        "White" => 4,
        "Black" => 5,
        "Result" => 6,
        _ => ROSTER.len(),
    }
}

impl<N: AsRef<str>, V: Into<String>> FromIterator<(N, V)> for Tags {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut tags = Self::new();
        for (name, value) in pairs {
            tags.set(name.as_ref(), value);
        }
        tags
    }
}

fn printable(value: String) -> String {
    // Every control character contains or follows one of these bytes.
    if !value.bytes().any(|byte| byte < b' ' || byte == 0x7f || byte == 0xc2) {
        return value;
    }
    let spaced = value.chars().map(|c| if matches!(c, '\t' | '\r' | '\n') { ' ' } else { c });
    spaced.filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roster_comes_first_and_the_rest_by_ascii_code() {
        let tags: Tags = [("WhiteElo", "2400"), ("eco", "C20"), ("Black", "B"), ("Board", "1"), ("Event", "E")]
            .into_iter()
            .collect();
        let names: Vec<&str> = tags.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Event", "Black", "Board", "WhiteElo", "eco"]);
    }

    #[test]
    fn values_hold_no_control_characters_and_names_no_punctuation() {
        let mut tags = Tags::new();
        assert!(tags.set("White", "Müller,\tEva\0\u{7f}\r\nJr."));
        assert_eq!(tags.get("White"), Some("Müller, Eva  Jr."));
        for name in ["", "_x", "White Elo", "White-Elo", "Weiß", "a\"b"] {
            assert!(!tags.set(name, "x"), "{name:?}");
        }
        assert_eq!(tags.len(), 1);
        assert_eq!(tags.remove("White").as_deref(), Some("Müller, Eva  Jr."));
        assert!(tags.is_empty());
    }
}
