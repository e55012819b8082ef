//! Joins several files to one set of pairings.
//!
//! A report has the players; the output of an engine, a PGN or a table has the order of the tables.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::Pairs;
use super::model::{Bye, ByeKind, MAX_TABLE, Pairing, Pairings, Round, Standings, TableOrder};
use super::player::{self, Player};
use super::problem::{FileProblem, Problem};
use super::roster::Roster;

/// Adds a file's pairings to those of the files before it; `origin` says which of them has a round.
pub(super) fn join(all: &mut Pairings, file: Pairings, origin: impl Fn(u32) -> String) -> Result<(), Problem> {
    let Pairings { event, players, rounds, teams, boards, standings, round_not_named, warnings } = file;
    all.round_not_named = match (all.rounds.is_empty(), rounds.is_empty()) {
        (true, _) => round_not_named,
        (false, empty) => all.round_not_named && (empty || round_not_named),
    };
    all.teams.extend(teams);
    all.boards.extend(boards);
    // A report has ranks only; a table of standings also says why.
    let tie_breaks = |standings: &Option<Standings>| standings.as_ref().map(|standings| standings.tie_breaks.len());
    if tie_breaks(&standings) > tie_breaks(&all.standings) {
        all.standings = standings;
    }
    let known = &mut all.event;
    known.name = known.name.take().or(event.name);
    known.site = known.site.take().or(event.site);
    known.first_day = known.first_day.take().or(event.first_day);
    known.last_day = known.last_day.take().or(event.last_day);
    if known.time_control.is_unknown() {
        known.time_control = event.time_control;
    }
    all.players.extend(players);
    all.warnings.extend(warnings);
    for round in rounds {
        let number = round.number;
        let own = all.round_mut(number);
        if own.games.is_empty() && own.byes.is_empty() {
            *own = round;
            continue;
        }
        let (ordered, other) = match (own.order, round.order) {
            (TableOrder::Derived, TableOrder::Given) => (round, &*own),
            (TableOrder::Given, TableOrder::Derived) => (own.clone(), &round),
            _ => return Err(Problem::of(FileProblem::RoundTwice { round: number, other: origin(number) })),
        };
        *own = completed(ordered, other);
    }
    Ok(())
}

/// A round whose tables are given, completed with the results and byes that only the other file has.
fn completed(mut given: Round, other: &Round) -> Round {
    let mut roster = Roster::default();
    let mut by_pair = BTreeMap::new();
    for game in &other.games {
        by_pair.insert((roster.add(&game.white), roster.add(&game.black)), game);
    }
    for game in &mut given.games {
        let pair = roster.find(&game.white).zip(roster.find(&game.black));
        if let Some(same) = pair.and_then(|pair| by_pair.get(&pair)) {
            if game.score.is_none() || game.plain && same.score.is_some() {
                (game.score, game.plain) = (same.score, same.plain);
            }
            game.team_match = game.team_match.or(same.team_match);
        }
    }
    given.date = given.date.or_else(|| other.date.clone());
    if given.byes.is_empty() {
        given.byes.clone_from(&other.byes);
    }
    given
}

/// Adds the pairs of an engine: they give the order of the tables when a round without results has the same pairs; otherwise
/// they are the round after the last one with games. Gives back what speaks against that.
pub(super) fn enter_pairs(all: &mut Pairings, pairs: &Pairs) -> Result<Option<Problem>, Problem> {
    let by_number: BTreeMap<u32, &Player> =
        all.players.iter().filter_map(|player| Some((player.number?, player))).collect();
    if by_number.is_empty() {
        return Err(Problem::of(FileProblem::NumbersOnly));
    }
    let player = |number: u32, line: usize| {
        let missing = || Problem::at(line, 1, FileProblem::NumberUnknown { number });
        by_number.get(&number).map(|player| (*player).clone()).ok_or_else(missing)
    };
    let named: BTreeSet<u32> = pairs.iter().flat_map(|(white, black)| [Some(*white), *black]).flatten().collect();
    if !all.teams.is_empty() && named.is_subset(&all.teams) {
        return Err(Problem::of(FileProblem::TeamNumbers));
    }
    let mut round = Round::new(0);
    for (place, (white, black)) in pairs.iter().enumerate() {
        let line = place + 2;
        let white = player(*white, line)?;
        if let Some(black) = black {
            let table = round.games.len() as u32 + 1;
            round.games.push(Pairing { table, white, black: player(*black, line)?, ..Pairing::default() });
        } else {
            round.byes.push(Bye { player: white, kind: ByeKind::Pairing });
        }
    }
    if round.games.len() > MAX_TABLE as usize {
        return Err(Problem::of(FileProblem::ManyTables { most: MAX_TABLE }));
    }
    let pairs = |round: &Round| -> BTreeSet<_> {
        round.games.iter().map(|game| (game.white.number, game.black.number)).collect()
    };
    // The round being played, else one that is over.
    let fits = |other: &Round| !other.games.is_empty() && pairs(other) == pairs(&round);
    let open = all.rounds.iter().find(|other| other.is_open() && fits(other));
    let same = open.or_else(|| all.rounds.iter().find(|other| fits(other))).map(|other| other.number);
    if let Some(number) = same {
        let other = all.round_mut(number);
        round.number = number;
        *other = completed(round, other);
        Ok(None)
    } else {
        // A round that has only byes is the one that was to be paired.
        let last = all.rounds.iter().rev().find(|other| !other.games.is_empty());
        round.number = last.map_or(0, |last| last.number) + 1;
        let doubt = doubt(all, &round, named.len());
        let next = all.round_mut(round.number);
        round.date = next.date.take();
        round.byes.append(&mut next.byes);
        *next = round;
        Ok(doubt)
    }
}

/// What speaks against an engine's pairs as the round after the last one.
fn doubt(all: &Pairings, round: &Round, named: usize) -> Option<Problem> {
    let key = |game: &Pairing| {
        let (white, black) = (game.white.number, game.black.number);
        (white.min(black), white.max(black))
    };
    let paired: BTreeSet<_> = round.games.iter().map(key).collect();
    let open = all.rounds.iter().find(|other| other.is_open()).map(|other| other.number);
    let met = all.rounds.iter().flat_map(|other| other.games.iter().map(move |game| (other.number, game)));
    let met = met.into_iter().find(|(_, game)| paired.contains(&key(game)));
    let (round, players) = (round.number, all.players.len());
    let reason = if let Some(open) = open {
        FileProblem::OtherPairsOpen { round, open }
    } else if let Some((earlier, game)) = met {
        let (white, black) = (game.white.name.clone(), game.black.name.clone());
        FileProblem::HaveMet { round, white, black, earlier }
    } else if named * 2 < players {
        FileProblem::FewPaired { round, paired: named, players }
    } else {
        return None;
    };
    Some(Problem::of(reason))
}

/// Leaves out each FIDE id that two players of one file have, as the two would be taken for one person: players with different
/// starting numbers, or with different names in one round. Over several rounds a name can be spelled in two ways.
pub(super) fn leave_out_shared_ids(file: &mut Pairings) {
    let mut shared: BTreeMap<u32, FileProblem> = BTreeMap::new();
    let mut by_number: BTreeMap<u32, &Player> = BTreeMap::new();
    for round in &file.rounds {
        let mut in_round: BTreeMap<u32, &Player> = BTreeMap::new();
        for player in seats(round) {
            note_shared(&mut shared, &mut in_round, player, |one, other| {
                !player::is_spelling_of(&one.name, &other.name)
            });
        }
    }
    for player in file.players.iter().chain(file.rounds.iter().flat_map(seats)) {
        note_shared(&mut shared, &mut by_number, player, |one, other| {
            one.number.zip(other.number).is_some_and(|(one, other)| one != other)
        });
    }
    let places = file.standings.iter_mut().flat_map(|standings| &mut standings.places).map(|place| &mut place.player);
    let seats = file.rounds.iter_mut().flat_map(|round| {
        let byes = round.byes.iter_mut().map(|bye| &mut bye.player);
        round.games.iter_mut().flat_map(|game| [&mut game.white, &mut game.black]).chain(byes)
    });
    for player in file.players.iter_mut().chain(seats).chain(places) {
        if player.fide_id.is_some_and(|id| shared.contains_key(&id)) {
            player.fide_id = None;
        }
    }
    file.warnings.extend(shared.into_values().map(Problem::of));
}

/// The players of a round.
fn seats(round: &Round) -> impl Iterator<Item = &Player> {
    let byes = round.byes.iter().map(|bye| &bye.player);
    round.games.iter().flat_map(|game| [&game.white, &game.black]).chain(byes)
}

fn note_shared<'a>(
    shared: &mut BTreeMap<u32, FileProblem>,
    seen: &mut BTreeMap<u32, &'a Player>,
    player: &'a Player,
    differ: impl Fn(&Player, &Player) -> bool,
) {
    let Some(id) = player.fide_id else { return };
    let first = *seen.entry(id).or_insert(player);
    if differ(first, player) {
        let (one, other) = (first.name.clone(), player.name.clone());
        shared.entry(id).or_insert(FileProblem::IdShared { id, one, other });
    }
}

/// Removes placeholders: a game against one is a bye, and none is listed as a player.
pub(super) fn remove_placeholders(all: &mut Pairings) {
    let is_placeholder = |player: &Player| player::is_bye(&player.name) || player::is_nobody(&player.name);
    all.players.retain(|player| !is_placeholder(player));
    for round in &mut all.rounds {
        let (against, games): (Vec<_>, Vec<_>) = std::mem::take(&mut round.games)
            .into_iter()
            .partition(|game| is_placeholder(&game.white) || is_placeholder(&game.black));
        round.games = games;
        let players = against.into_iter().flat_map(|game| [game.white, game.black]);
        round.byes.extend(players.map(|player| Bye { player, kind: ByeKind::Pairing }));
        round.byes.retain(|bye| !is_placeholder(&bye.player));
        if round.order == TableOrder::Derived {
            for (place, game) in round.games.iter_mut().enumerate() {
                game.table = place as u32 + 1;
            }
        }
    }
}

/// Completes the players of all pairings with what any file says about them, and lists all players.
pub(super) fn complete(all: &mut Pairings) {
    let mut roster = Roster::default();
    for player in &all.players {
        roster.add(player);
    }
    let seats = all.rounds.iter_mut().flat_map(|round| {
        let byes = round.byes.iter_mut().map(|bye| &mut bye.player);
        round.games.iter_mut().flat_map(|game| [&mut game.white, &mut game.black]).chain(byes)
    });
    let mut seats: Vec<&mut Player> = seats.collect();
    let places: Vec<_> = seats.iter().map(|player| roster.add(player)).collect();
    for (player, place) in seats.iter_mut().zip(places) {
        if let Some(listed) = roster.get(place) {
            // One spelling in all rounds: readers of our PGN compare names exactly.
            player.name.clone_from(&listed.name);
            player.complete(listed);
        }
    }
    all.players = roster.into_players();
}
