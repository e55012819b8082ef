//! The PGN tags of a game as the public may see them.
//!
//! Knows what each display lets through. Every output follows from these tags, so that what is not told here is told
//! nowhere.

use std::collections::BTreeMap;

use game_core::event::Variant;

use super::hall::{Found, Hall, TIME_CONTROL};
use super::names::Names;
use super::person::{Display, Person, PlayerId};
use super::persons::Persons;
use super::section::{PlayerFacts, Section};

/// Tags that follow from the game, the pairing and the players: nobody sets them by hand.
const TOLD: [&str; 18] = [
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

/// Whether a tag may be set by hand or come from a file: not those that follow from the rest, and none about a player.
pub fn is_free(name: &str) -> bool {
    notation::pgn::is_tag_name(name)
        && !TOLD.contains(&name)
        && !["White", "Black"]
            .iter()
            .any(|colour| name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(colour)))
}

/// Whether somebody wrote a name into a tag.
pub(super) fn holds(tags: &BTreeMap<String, String>, names: &Names) -> bool {
    tags.iter().any(|(name, value)| names_one(name, value, names))
}

/// Removes tags into which somebody wrote a name.
pub fn remove(tags: &mut BTreeMap<String, String>, names: &Names) {
    tags.retain(|name, value| !names_one(name, value, names));
}

/// What follows from the rest names nobody but the players, whom [`public_tags`] knows to hide.
fn names_one(name: &str, value: &str, names: &Names) -> bool {
    (is_free(name) || name == "Termination") && names.stand_in(value)
}

/// The tags of a game, by its id, as the public may see them; none for a game that nobody knows.
pub fn public_tags(hall: &Hall, persons: &Persons, game: &str) -> BTreeMap<String, String> {
    hall.game(game).map(|found| tags_of(persons, &found)).unwrap_or_default()
}

pub(super) fn tags_of(persons: &Persons, found: &Found<'_>) -> BTreeMap<String, String> {
    let Found { section, round, game } = *found;
    let mut tags = game.pair.tags.clone();
    let mut set = |name: &str, value: String| tags.insert(name.to_owned(), value);
    set("Event", section.settings.name.clone());
    set("Site", section.settings.site.clone());
    let number = game.pair.number;
    let place = match game.pair.team_match {
        Some((number, board)) => format!("{}.{number}.{board}", round.number),
        None => format!("{}.{number}", round.number),
    };
    set("Round", place);
    set("Board", number.to_string());
    set("GameId", game.id.to_string());
    let planned = round.settings.planned_start.and_then(|at| section.day(at));
    if let Some(day) = game.day.or(round.settings.date).or(planned) {
        set("Date", day.format("%Y.%m.%d").to_string());
    }
    let controls = section.time_controls(round);
    if let Some(control) = found.time_control() {
        set(TIME_CONTROL, control.to_owned());
    } else {
        for (name, control) in [("WhiteTimeControl", &controls.white), ("BlackTimeControl", &controls.black)] {
            if let Some(control) = control {
                set(name, control.clone());
            }
        }
    }
    // Once it has begun, the game itself tells from where.
    if let Some(start) = round.start.as_ref().filter(|_| !game.has_begun()) {
        set("SetUp", "1".into());
        set("FEN", start.fen.clone());
        if start.variant == Variant::Chess960 {
            set("Variant", start.variant.name().into());
        }
    }
    for (colour, player) in [("White", game.pair.white), ("Black", game.pair.black)] {
        if let Some(player) = player {
            for (what, value) in player_tags(section, persons, player) {
                set(&format!("{colour}{what}"), value);
            }
        }
    }
    for (name, value) in &game.tags {
        if value.is_empty() {
            tags.remove(name);
        } else {
            tags.insert(name.clone(), value.clone());
        }
    }
    tags
}

/// What the tags that begin with the colour say of a player.
fn player_tags(section: &Section, persons: &Persons, id: PlayerId) -> Vec<(&'static str, String)> {
    let facts = section.players.get(&id).copied().unwrap_or_default();
    match (shown_as(facts), persons.get(id)) {
        (Display::Full, Some(person)) => full(person),
        (Display::Initials, Some(person)) => vec![("", person.initials())],
        (Display::Number, _) => vec![("", format!("Player {}", facts.number.unwrap_or(id.0)))],
        _ => vec![("", "?".into())],
    }
}

/// A forgotten player is shown like one who never wanted to be seen.
fn shown_as(facts: PlayerFacts) -> Display {
    if facts.forgotten { Display::Hidden } else { facts.display }
}

fn full(person: &Person) -> Vec<(&'static str, String)> {
    let facts = [
        ("", Some(person.name.clone())),
        ("Title", person.title.clone()),
        ("Elo", person.rating.map(|rating| rating.to_string())),
        ("Fed", person.federation.clone()),
        ("FideId", person.fide_id.map(|id| id.to_string())),
        ("Team", person.team.clone()),
    ];
    facts.into_iter().filter_map(|(what, value)| Some((what, value?))).collect()
}

/// What turns the tags `from` into the tags `to`: an empty value removes one.
pub(super) fn change(from: &BTreeMap<String, String>, to: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut change: BTreeMap<_, _> = to
        .iter()
        .filter(|(name, value)| from.get(*name) != Some(*value))
        .map(|(n, v)| (n.clone(), v.clone()))
        .collect();
    change.extend(from.keys().filter(|name| !to.contains_key(*name)).map(|name| (name.clone(), String::new())));
    change
}
