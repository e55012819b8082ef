//! Tags that a person may write, and the names of persons in them.

use std::collections::BTreeMap;

use crate::names::Names;

/// Tags derived from the game, the pairing and the players: they cannot be set by hand.
const DERIVED: [&str; 18] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "Board",
    "Table",
    "GameId",
    "Result",
    "Termination",
    "FEN",
    "SetUp",
    "Variant",
    "Clock",
    "ReferenceTime",
    "PlyCount",
    "Mode",
    "UTCDate",
    "UTCTime",
];

/// Whether a tag may be set by hand or come from a file: it is not derived, and not about a player.
pub(crate) fn is_free(name: &str) -> bool {
    notation::pgn::is_tag_name(name)
        && !DERIVED.contains(&name)
        && !["White", "Black"]
            .iter()
            .any(|colour| name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(colour)))
}

/// Whether a tag that a person wrote has one of the names.
pub(crate) fn have_name(tags: &BTreeMap<String, String>, names: &Names) -> bool {
    tags.iter().any(|(name, value)| names_one(name, value, names))
}

/// Removes tags that have one of the names.
pub fn remove_names(tags: &mut BTreeMap<String, String>, names: &Names) {
    tags.retain(|name, value| !names_one(name, value, names));
}

/// Derived tags have no names but the players', which [`public_tags`](crate::public_tags) hides.
fn names_one(name: &str, value: &str, names: &Names) -> bool {
    (is_free(name) || name == "Termination") && names.stand_in(value)
}
