//! Lists what loading pairings changes: nothing the second time, and after a re-pairing only the differences.
//!
//! A round or a fact that the new file does not have stays as it is, as in LiveChess (docs/pairings.md).

use std::collections::BTreeMap;
use std::fmt;

use super::model::{EventFacts, Pairing, Pairings, Round};
use super::player::Player;
use super::roster::Roster;
use super::text::counted;

/// One change, with the round it concerns; none for the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A fact about the event.
    Event {
        /// The tag or the word for it.
        what: &'static str,
        /// Before.
        from: Option<String>,
        /// After.
        to: Option<String>,
    },
    /// A new round.
    NewRound {
        /// Its number.
        round: u32,
        /// Its games.
        games: usize,
    },
    /// A new pairing.
    NewGame {
        /// The round.
        round: u32,
        /// The game.
        game: Box<Pairing>,
    },
    /// A pairing that is removed.
    GameGone {
        /// The round.
        round: u32,
        /// The game.
        game: Box<Pairing>,
    },
    /// A change of a pairing that stays.
    Game {
        /// The round.
        round: u32,
        /// The table after the change.
        table: u32,
        /// The change as a phrase.
        what: String,
    },
    /// The byes of a round change.
    Byes {
        /// The round.
        round: u32,
        /// Names of the players with a bye after the change.
        names: Vec<String>,
    },
}

/// What loading `new` over `old` changes.
pub fn difference(old: &Pairings, new: &Pairings) -> Vec<Change> {
    let mut changes = event(&old.event, &new.event);
    for round in &new.rounds {
        match old.rounds.iter().find(|other| other.number == round.number) {
            Some(other) => games(other, round, &mut changes),
            None => changes.push(Change::NewRound { round: round.number, games: round.games.len() }),
        }
    }
    changes
}

fn event(old: &EventFacts, new: &EventFacts) -> Vec<Change> {
    let control = |facts: &EventFacts| (!facts.time_control.is_unknown()).then(|| facts.time_control.to_string());
    let (old_control, new_control) = (control(old), control(new));
    let facts = [
        ("name", &old.name, &new.name),
        ("place", &old.site, &new.site),
        ("first day", &old.first_day, &new.first_day),
        ("last day", &old.last_day, &new.last_day),
        ("time control", &old_control, &new_control),
    ];
    // A fact that the new file does not have stays.
    let changed = facts.into_iter().filter(|(_, from, to)| to.is_some() && from != to);
    changed.map(|(what, from, to)| Change::Event { what, from: from.clone(), to: to.clone() }).collect()
}

fn games(old: &Round, new: &Round, changes: &mut Vec<Change>) {
    let round = new.number;
    let mut roster = Roster::default();
    // A pairing is the same with colours swapped.
    let mut pair = |game: &Pairing| {
        let (white, black) = (roster.add(&game.white), roster.add(&game.black));
        (white.min(black), white.max(black))
    };
    let mut before: BTreeMap<_, Vec<&Pairing>> = BTreeMap::new();
    for game in &old.games {
        before.entry(pair(game)).or_default().push(game);
    }
    let mut added = Vec::new();
    for game in &new.games {
        match before.get_mut(&pair(game)).filter(|same| !same.is_empty()).map(|same| same.remove(0)) {
            Some(same) => {
                let what = facts(same, game);
                changes.extend(what.into_iter().map(|what| Change::Game { round, table: game.table, what }));
            }
            None => added.push(Change::NewGame { round, game: Box::new(game.clone()) }),
        }
    }
    let mut gone: Vec<_> = before.into_values().flatten().collect();
    gone.sort_by_key(|game| game.table);
    changes.extend(gone.into_iter().map(|game| Change::GameGone { round, game: Box::new(game.clone()) }));
    changes.extend(added);
    let names = |round: &Round| round.byes.iter().map(|bye| bye.player.name.clone()).collect::<Vec<_>>();
    if names(old) != names(new) {
        changes.push(Change::Byes { round, names: names(new) });
    }
}

fn facts(old: &Pairing, new: &Pairing) -> Vec<String> {
    let mut found = Vec::new();
    if old.table != new.table {
        found.push(format!("moved from table {}", old.table));
    }
    let turned = !old.white.is(&new.white);
    if turned {
        found.push(format!("colours swapped: {} has White", new.white.name));
    }
    let (white, black) = if turned { (&old.black, &old.white) } else { (&old.white, &old.black) };
    for (from, to) in [(white, &new.white), (black, &new.black)] {
        if let Some(what) = player(from, to) {
            found.push(what);
        }
    }
    // A fact that the new file does not have stays.
    if let Some(score) = new.score.filter(|_| old.score != new.score) {
        found.push(match old.score {
            Some(before) => format!("result {score} instead of {before}"),
            None => format!("result {score}"),
        });
    }
    if let Some((number, board)) = new.team_match.filter(|_| old.team_match != new.team_match) {
        found.push(format!("is board {board} of match {number}"));
    }
    let other: Vec<_> = new.tags.iter().filter(|(name, value)| old.tags.get(*name) != Some(*value)).collect();
    found.extend(other.into_iter().map(|(name, value)| format!("tag {name} «{value}»")));
    found
}

fn player(old: &Player, new: &Player) -> Option<String> {
    fn shown<T: fmt::Display + PartialEq>(what: &str, old: Option<&T>, new: Option<&T>) -> Option<String> {
        let value = new.filter(|_| old != new)?;
        Some(format!("{what} {value}"))
    }
    let facts = [
        (old.name != new.name).then(|| format!("name «{}»", new.name)),
        shown("title", old.title.as_ref(), new.title.as_ref()),
        shown("rating", old.rating.as_ref(), new.rating.as_ref()),
        shown("federation", old.federation.as_ref(), new.federation.as_ref()),
        shown("FIDE id", old.fide_id.as_ref(), new.fide_id.as_ref()),
        shown("team", old.team.as_ref(), new.team.as_ref()),
    ];
    let facts: Vec<_> = facts.into_iter().flatten().collect();
    (!facts.is_empty()).then(|| format!("{}: {}", old.name, facts.join(", ")))
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event { what, from, to } => {
                let said = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".into());
                write!(f, "event: {what} «{}» instead of «{}»", said(to), said(from))
            }
            Self::NewRound { round, games } => write!(f, "round {round}: new, {}", counted(*games, "game")),
            Self::NewGame { round, game } => {
                write!(f, "round {round}, table {}: new, {} - {}", game.table, game.white.name, game.black.name)
            }
            Self::GameGone { round, game } => {
                write!(f, "round {round}, table {}: removed, {} - {}", game.table, game.white.name, game.black.name)
            }
            Self::Game { round, table, what } => write!(f, "round {round}, table {table}: {what}"),
            Self::Byes { round, names } if names.is_empty() => write!(f, "round {round}: no byes"),
            Self::Byes { round, names } => write!(f, "round {round}: byes: {}", names.join("; ")),
        }
    }
}
