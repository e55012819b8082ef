//! Tag pairs: names, values, and the order in which the standard wants them.

use std::collections::BTreeMap;

/// The Seven Tag Roster in its order (PGN standard, 8.1.1).
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Whether a text can be the name of a tag: one or more ASCII letters, digits and underscores,
/// beginning with a letter or a digit (PGN standard, 7 and 8.1).
pub fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The tag pairs of a game. The order in which they were given does not matter: equal pairs are
/// equal tags.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(BTreeMap<String, String>);

impl Tags {
    /// No tags.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a tag; names are compared exactly.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Sets a tag, in place of an earlier one of that name. Tabs and line ends in the value become
    /// spaces and other control characters vanish, because a PGN string cannot hold them. Returns
    /// whether the tag was kept: a name that is no tag name (see [`is_tag_name`]) is not.
    pub fn set(&mut self, name: &str, value: impl AsRef<str>) -> bool {
        let sound = is_tag_name(name);
        if sound {
            self.0.insert(name.to_owned(), printable(value.as_ref()));
        }
        sound
    }

    /// Takes a tag away; returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }

    /// All pairs in the order of the export format: the roster first, then by ASCII code.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let roster = ROSTER.into_iter().filter_map(|name| self.get(name).map(|value| (name, value)));
        roster.chain(self.further())
    }

    /// The pairs outside the roster by ASCII code.
    pub(super) fn further(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str())).filter(|(name, _)| !ROSTER.contains(name))
    }

    /// Number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no tag.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: AsRef<str>, V: AsRef<str>> FromIterator<(N, V)> for Tags {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut tags = Self::new();
        for (name, value) in pairs {
            tags.set(name.as_ref(), value);
        }
        tags
    }
}

fn printable(value: &str) -> String {
    value.chars().map(|c| if matches!(c, '\t' | '\r' | '\n') { ' ' } else { c }).filter(|c| !c.is_control()).collect()
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
