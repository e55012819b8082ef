//! The PGN tags of a game as the public may see them.
//!
//! Every public output uses these tags for names, so the display of a player is applied here and nowhere else.

use std::collections::BTreeMap;

use game_core::event::Variant;

use super::hall::{Found, Hall, TIME_CONTROL};
use super::person::{Display, Person, PlayerId};
use super::persons::Persons;
use super::section::{PlayerFacts, Section};

/// The tags of a game, by its id, as the public may see them; empty for an unknown game.
pub fn public_tags(hall: &Hall, persons: &Persons, game: &str) -> BTreeMap<String, String> {
    hall.game(game).map(|found| tags_of(persons, &found)).unwrap_or_default()
}

/// The tag of a game that has its day; empty while that is not known.
pub fn date_tag(hall: &Hall, persons: &Persons, game: &str) -> BTreeMap<String, String> {
    let mut tags = public_tags(hall, persons, game);
    tags.retain(|name, _| name == "Date");
    tags
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
    // Once the game has begun, its first event has the start position.
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

/// The tags of a player, without the colour in front of their names.
fn player_tags(section: &Section, persons: &Persons, id: PlayerId) -> Vec<(&'static str, String)> {
    let facts = section.players.get(&id).copied().unwrap_or_default();
    match (shown_as(facts), persons.get(id)) {
        (Display::Full, Some(person)) => full(person),
        (Display::Initials, Some(person)) => vec![("", person.initials())],
        (Display::Number, _) => vec![("", format!("Player {}", facts.number.unwrap_or(id.0)))],
        _ => vec![("", "?".into())],
    }
}

/// A forgotten player is hidden.
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

/// The change from one set of tags to another: an empty value removes a tag.
pub(super) fn change(from: &BTreeMap<String, String>, to: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut change: BTreeMap<_, _> = to
        .iter()
        .filter(|(name, value)| from.get(*name) != Some(*value))
        .map(|(n, v)| (n.clone(), v.clone()))
        .collect();
    change.extend(from.keys().filter(|name| !to.contains_key(*name)).map(|name| (name.clone(), String::new())));
    change
}
