//! Lists what loading pairings changes: nothing the second time, and after a re-pairing only the differences.
//!
//! A round or a fact that the new file does not have stays as it is, as in LiveChess (docs/pairings.md).

use std::collections::{BTreeMap, BTreeSet};

use coded_text::coded_texts;

use super::model::{EventFacts, Pairing, Pairings, Round};
use super::player::Player;
use super::roster::Roster;

/// What stands for a fact that was not known before.
const UNKNOWN: &str = "–";

coded_texts! {
    /// One change, with the round it concerns; without a round it is about the event.
    pub enum Change {
        EventName { name: String, before: String } = "change_event_name", "Event: name «{name}» instead of «{before}».";
        EventPlace { place: String, before: String } = "change_event_place",
            "Event: place «{place}» instead of «{before}».";
        EventFirstDay { day: String, before: String } = "change_event_first_day",
            "Event: first day {day} instead of {before}.";
        EventLastDay { day: String, before: String } = "change_event_last_day",
            "Event: last day {day} instead of {before}.";
        EventTimeControl { control: String, before: String } = "change_event_time_control",
            "Event: time control {control} instead of {before}.";
        NewRound { round: u32, games: usize } = "change_new_round", "Round {round}: new, number of games: {games}.";
        NewGame { round: u32, table: u32, white: String, black: String } = "change_new_game",
            "Round {round}, table {table}: new, {white} - {black}.";
        GameGone { round: u32, table: u32, white: String, black: String } = "change_game_gone",
            "Round {round}, table {table}: removed, {white} - {black}.";
        OtherTable { round: u32, table: u32, before: u32 } = "change_other_table",
            "Round {round}, table {table}: moved from table {before}.";
        Colours { round: u32, table: u32, white: String } = "change_colours",
            "Round {round}, table {table}: colours swapped: {white} has White.";
        NewResult { round: u32, table: u32, result: String } = "change_new_result",
            "Round {round}, table {table}: result {result}.";
        OtherResult { round: u32, table: u32, result: String, before: String } = "change_other_result",
            "Round {round}, table {table}: result {result} instead of {before}.";
        TeamMatch { round: u32, table: u32, board: u32, number: u32 } = "change_team_match",
            "Round {round}, table {table}: is board {board} of match {number}.";
        Tag { round: u32, table: u32, tag: String, value: String } = "change_tag",
            "Round {round}, table {table}: tag {tag} «{value}».";
        PlayerName { round: u32, table: u32, player: String, name: String } = "change_player_name",
            "Round {round}, table {table}: {player}: name «{name}».";
        PlayerTitle { round: u32, table: u32, player: String, title: String } = "change_player_title",
            "Round {round}, table {table}: {player}: title {title}.";
        PlayerRating { round: u32, table: u32, player: String, rating: u32 } = "change_player_rating",
            "Round {round}, table {table}: {player}: rating {rating}.";
        PlayerFederation { round: u32, table: u32, player: String, federation: String } = "change_player_federation",
            "Round {round}, table {table}: {player}: federation {federation}.";
        PlayerFideId { round: u32, table: u32, player: String, id: String } = "change_player_fide_id",
            "Round {round}, table {table}: {player}: FIDE id {id}.";
        PlayerTeam { round: u32, table: u32, player: String, team: String } = "change_player_team",
            "Round {round}, table {table}: {player}: team {team}.";
        NoByes { round: u32 } = "change_no_byes", "Round {round}: no byes.";
        Byes { round: u32, names: String } = "change_byes", "Round {round}: byes: {names}.";
    }
}

/// What loading `new` over `old` changes.
pub fn difference(old: &Pairings, new: &Pairings) -> Vec<Change> {
    let mut changes = event(&old.event, &new.event);
    for round in &new.rounds {
        if let Some(other) = old.rounds.iter().find(|other| other.number == round.number) {
            games(other, round, &mut changes);
        } else {
            changes.push(Change::NewRound { round: round.number, games: round.games.len() });
            games(&Round::new(round.number), round, &mut changes);
        }
    }
    changes
}

/// Whether two rounds have the same pairs, with either colours and at any tables.
pub fn same_pairs(one: &Round, other: &Round) -> bool {
    let mut roster = Roster::default();
    let mut pairs = |round: &Round| {
        let pair = |game: &Pairing| {
            let (white, black) = (roster.add(&game.white), roster.add(&game.black));
            (white.min(black), white.max(black))
        };
        round.games.iter().map(pair).collect::<BTreeSet<_>>()
    };
    let pairs_of_one = pairs(one);
    !pairs_of_one.is_empty() && pairs_of_one == pairs(other)
}

fn event(old: &EventFacts, new: &EventFacts) -> Vec<Change> {
    type Fact = fn(String, String) -> Change;
    let control = |facts: &EventFacts| (!facts.time_control.is_unknown()).then(|| facts.time_control.to_string());
    let (old_control, new_control) = (control(old), control(new));
    let facts: [(Fact, _, _); 5] = [
        (|name, before| Change::EventName { name, before }, &old.name, &new.name),
        (|place, before| Change::EventPlace { place, before }, &old.site, &new.site),
        (|day, before| Change::EventFirstDay { day, before }, &old.first_day, &new.first_day),
        (|day, before| Change::EventLastDay { day, before }, &old.last_day, &new.last_day),
        (|control, before| Change::EventTimeControl { control, before }, &old_control, &new_control),
    ];
    // A fact that the new file does not have stays.
    let changed = facts.into_iter().filter(|(_, from, to)| from != to);
    changed.filter_map(|(change, from, to)| Some(change(to.clone()?, from.clone().unwrap_or(UNKNOWN.into())))).collect()
}

fn games(old: &Round, new: &Round, changes: &mut Vec<Change>) {
    let round = new.number;
    let mut roster = Roster::default();
    let names = |game: &Pairing| [&game.white, &game.black].map(|player| player.name.clone());
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
        let same = before.get_mut(&pair(game)).filter(|same| !same.is_empty()).map(|same| same.remove(0));
        if let Some(same) = same {
            facts(round, same, game, changes);
        } else {
            let (table, [white, black]) = (game.table, names(game));
            added.push(Change::NewGame { round, table, white, black });
        }
    }
    let mut gone: Vec<_> = before.into_values().flatten().collect();
    gone.sort_by_key(|game| game.table);
    changes.extend(gone.into_iter().map(|game| {
        let (table, [white, black]) = (game.table, names(game));
        Change::GameGone { round, table, white, black }
    }));
    changes.extend(added);
    let byes = |round: &Round| round.byes.iter().map(|bye| bye.player.name.clone()).collect::<Vec<_>>();
    let names = byes(new);
    if byes(old) != names {
        let names = names.join("; ");
        changes.push(if names.is_empty() { Change::NoByes { round } } else { Change::Byes { round, names } });
    }
}

fn facts(round: u32, old: &Pairing, new: &Pairing, changes: &mut Vec<Change>) {
    let table = new.table;
    if old.table != table {
        changes.push(Change::OtherTable { round, table, before: old.table });
    }
    let turned = !old.white.is(&new.white);
    if turned {
        changes.push(Change::Colours { round, table, white: new.white.name.clone() });
    }
    let (white, black) = if turned { (&old.black, &old.white) } else { (&old.white, &old.black) };
    for (from, to) in [(white, &new.white), (black, &new.black)] {
        player(round, table, from, to, changes);
    }
    // A fact that the new file does not have stays.
    if let Some(score) = new.score.filter(|_| old.score != new.score) {
        let result = score.to_string();
        changes.push(match old.score {
            Some(before) => Change::OtherResult { round, table, result, before: before.to_string() },
            None => Change::NewResult { round, table, result },
        });
    }
    if let Some((number, board)) = new.team_match.filter(|_| old.team_match != new.team_match) {
        changes.push(Change::TeamMatch { round, table, board, number });
    }
    for (tag, value) in new.tags.iter().filter(|(name, value)| old.tags.get(*name) != Some(*value)) {
        changes.push(Change::Tag { round, table, tag: tag.clone(), value: value.clone() });
    }
}

fn player(round: u32, table: u32, old: &Player, new: &Player, changes: &mut Vec<Change>) {
    fn changed<T: Clone + PartialEq>(old: Option<&T>, new: Option<&T>) -> Option<T> {
        new.filter(|_| old != new).cloned()
    }
    let player = || old.name.clone();
    if old.name != new.name {
        changes.push(Change::PlayerName { round, table, player: player(), name: new.name.clone() });
    }
    if let Some(title) = changed(old.title.as_ref(), new.title.as_ref()) {
        changes.push(Change::PlayerTitle { round, table, player: player(), title: title.to_string() });
    }
    if let Some(rating) = changed(old.rating.as_ref(), new.rating.as_ref()) {
        changes.push(Change::PlayerRating { round, table, player: player(), rating });
    }
    if let Some(federation) = changed(old.federation.as_ref(), new.federation.as_ref()) {
        changes.push(Change::PlayerFederation { round, table, player: player(), federation });
    }
    if let Some(id) = changed(old.fide_id.as_ref(), new.fide_id.as_ref()) {
        changes.push(Change::PlayerFideId { round, table, player: player(), id: id.to_string() });
    }
    if let Some(team) = changed(old.team.as_ref(), new.team.as_ref()) {
        changes.push(Change::PlayerTeam { round, table, player: player(), team });
    }
}
