//! Joins the records of players to rounds: both records of a game have to agree, and the tables are numbered by points.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::super::model::{Bye, ByeKind, Pairing, Round, TableOrder};
use super::super::player;
use super::super::problem::{FileProblem, Problem};
use super::super::score::{Score, is_trf_result};
use super::facts::{Facts, Team};
use super::record::{Cell, Record};

/// The rounds of a report. A game whose two records contradict each other is left out with a warning.
pub(super) fn rounds(
    records: &[Record],
    by_number: &BTreeMap<u32, usize>,
    facts: &Facts,
    warnings: &mut Vec<Problem>,
) -> Vec<Round> {
    let count = records.iter().map(|record| record.cells.len()).max().unwrap_or(0);
    let mut scores: Vec<u32> = vec![0; records.len()];
    let mut rounds = Vec::new();
    for index in 0..count {
        let number = index as u32 + 1;
        let mut round =
            Round { order: TableOrder::Derived, date: facts.days.get(&number).cloned(), ..Round::new(number) };
        // The games with the indices of both players, by which they are sorted.
        let mut games = Vec::new();
        for (place, record) in records.iter().enumerate() {
            let Some(cell) = record.cells.get(index).filter(|_| !is_placeholder(record)) else { continue };
            let opponent =
                cell.opponent.and_then(|opponent| by_number.get(&opponent)).and_then(|other| records.get(*other));
            if opponent.is_some_and(is_placeholder) {
                let kind = cell.sign.map_or(ByeKind::Pairing, bye_kind);
                round.byes.push(Bye { player: record.player.clone(), kind });
                continue;
            }
            match game(place, record, *cell, records, by_number, index) {
                Ok(Some(pairing)) => {
                    let other = cell.opponent.and_then(|opponent| by_number.get(&opponent)).copied().unwrap_or(place);
                    games.push((place, other, pairing));
                }
                Ok(None) => round.byes.extend(bye(record, *cell)),
                Err(problem) => warnings.push(problem),
            }
        }
        let points = |place: usize| {
            let listed = records.get(place).and_then(|record| record.player.points);
            let counted = scores.get(place).copied().unwrap_or(0);
            // With other points for a win, only the listed points are right; they are those before the last round.
            if facts.own_scoring && number as usize == count { listed.unwrap_or(counted) } else { counted }
        };
        games.sort_by_key(|(white, black, _)| {
            let (own, others) = (points(*white), points(*black));
            let rank = |place: &usize| records.get(*place).map(Record::number);
            (Reverse(own.max(others)), Reverse(own + others), rank(white).min(rank(black)))
        });
        let mut games: Vec<_> = games.into_iter().map(|(_, _, pairing)| pairing).collect();
        if !facts.teams.is_empty() {
            into_matches(number, &mut games, facts);
        }
        for (table, game) in games.iter_mut().enumerate() {
            game.table = table as u32 + 1;
        }
        round.games = games;
        for (score, record) in scores.iter_mut().zip(records) {
            *score += record.cells.get(index).and_then(|cell| cell.sign).map_or(0, worth);
        }
        if !round.games.is_empty() || !round.byes.is_empty() {
            rounds.push(round);
        }
    }
    // In a team tournament, byes name team numbers.
    if facts.teams.is_empty() {
        enter_byes(&mut rounds, count, records, by_number, facts);
    }
    rounds
}

/// Adds requested byes up to the next round to be paired, unless the record of the player has an entry for the round.
fn enter_byes(
    rounds: &mut Vec<Round>,
    count: usize,
    records: &[Record],
    by_number: &BTreeMap<u32, usize>,
    facts: &Facts,
) {
    for (number, kind, who) in &facts.byes {
        let Some(index) = (*number as usize).checked_sub(1).filter(|index| *index <= count) else { continue };
        let Some(record) = by_number.get(who).and_then(|place| records.get(*place)) else { continue };
        let silent = record.cells.get(index).is_none_or(|cell| cell.opponent.is_none() && cell.sign.is_none());
        if !silent {
            continue;
        }
        let place = rounds.partition_point(|round| round.number < *number);
        if rounds.get(place).is_none_or(|round| round.number != *number) {
            rounds.insert(place, Round { order: TableOrder::Derived, ..Round::new(*number) });
        }
        if let Some(round) = rounds.get_mut(place) {
            round.byes.push(Bye { player: record.player.clone(), kind: *kind });
        }
    }
}

/// The usual points of a sign, in tenths.
pub(super) fn worth(sign: char) -> u32 {
    match sign {
        '1' | '+' | 'W' | 'F' | 'U' => 10,
        '=' | 'D' | 'H' => 5,
        _ => 0,
    }
}

/// The game of a cell. Each game comes from one of its two records: from White's, or for a forfeit without colours from that
/// with the lower number. None for a bye and for the other record of a game.
fn game(
    place: usize,
    record: &Record,
    cell: Cell,
    records: &[Record],
    by_number: &BTreeMap<u32, usize>,
    index: usize,
) -> Result<Option<Pairing>, Problem> {
    let Some(opponent) = cell.opponent else { return Ok(None) };
    let (player, round) = (record.number(), index + 1);
    let wrong = |reason| Err(Problem::at(record.line, cell.column, reason));
    let Some(other) = by_number.get(&opponent).filter(|other| **other != place).and_then(|other| records.get(*other))
    else {
        return wrong(FileProblem::UnknownOpponent { player, opponent, round });
    };
    let others = other.cells.get(index).copied().unwrap_or_default();
    if others.opponent != Some(player) {
        return wrong(FileProblem::OtherOpponent { player, opponent, round, other: other.line });
    }
    let is_first = match (cell.white, others.white) {
        (Some(own), Some(others)) if own != others => own,
        (None, None) if cell.sign.is_some() && others.sign.is_some() => player < opponent,
        // One warning is enough for the pair.
        _ if player > opponent => return Ok(None),
        (Some(true), Some(_)) => return wrong(FileProblem::BothWhite { player, opponent, round }),
        (Some(false), Some(_)) => return wrong(FileProblem::BothBlack { player, opponent, round }),
        _ => return wrong(FileProblem::NoColour { player, opponent, round }),
    };
    if !is_first {
        return Ok(None);
    }
    let score = match (cell.sign, others.sign) {
        (None, None) => None,
        (Some(own), Some(others)) if Score::of_trf(own, others).is_some() => Score::of_trf(own, others),
        (white, black) => {
            let sign = |sign: Option<char>| String::from(sign.unwrap_or(' '));
            let (white, black) = (sign(white), sign(black));
            return wrong(FileProblem::ResultsDiffer { player, opponent, white, black, round });
        }
    };
    let (white, black) = (record.player.clone(), other.player.clone());
    Ok(Some(Pairing { white, black, score, ..Pairing::default() }))
}

fn bye(record: &Record, cell: Cell) -> Option<Bye> {
    let kind = match cell.sign? {
        // A result without an opponent counts as a bye with these points.
        sign if is_trf_result(sign) && worth(sign) > 0 => ByeKind::Full,
        sign => bye_kind(sign),
    };
    (cell.opponent.is_none()).then(|| Bye { player: record.player.clone(), kind })
}

/// Whether a record stands for a missing opponent: programs list `spielfrei` among the players.
fn is_placeholder(record: &Record) -> bool {
    player::is_bye(&record.player.name) || player::is_nobody(&record.player.name)
}

/// The bye of a sign; a result against a placeholder is a bye with its points.
fn bye_kind(sign: char) -> ByeKind {
    match sign {
        'F' => ByeKind::Full,
        'U' | '1' | '+' | 'W' => ByeKind::Pairing,
        'H' | '=' | 'D' => ByeKind::Half,
        _ => ByeKind::Zero,
    }
}

/// Sorts the games of a team round into matches and boards. The board is that of the line-up of the round, otherwise that of
/// the list of the team with the lower number.
fn into_matches(round: u32, games: &mut [Pairing], facts: &Facts) {
    let by_member: BTreeMap<u32, usize> = facts
        .teams
        .iter()
        .enumerate()
        .flat_map(|(team, Team { members, .. })| members.iter().map(move |member| (*member, team)))
        .collect();
    let sides = |game: &Pairing| {
        let team = |number: Option<u32>| by_member.get(&number?).copied();
        team(game.white.number).zip(team(game.black.number))
    };
    if !games.iter().all(|game| sides(game).is_some_and(|(white, black)| white != black)) {
        return;
    }
    // The line-up of the round gives the board, also when another board is empty.
    let seat = |number: Option<u32>, team: usize| {
        let line_up = facts.line_ups.get(&(round, facts.teams.get(team)?.number?))?;
        line_up.iter().position(|member| Some(*member) == number)
    };
    let key = |game: &Pairing| {
        let (white, black) = sides(game).unwrap_or_default();
        let first = white.min(black);
        let member = if white == first { game.white.number } else { game.black.number };
        let listed = || facts.teams.get(first)?.members.iter().position(|number| Some(*number) == member);
        let seat = seat(game.white.number, white).or_else(|| seat(game.black.number, black));
        (first, white.max(black), seat.or_else(listed).unwrap_or(usize::MAX), seat.is_some())
    };
    games.sort_by_cached_key(key);
    let mut last = None;
    let (mut matches, mut board) = (0, 0);
    for game in games {
        let (first, second, place, seated) = key(game);
        if last != Some((first, second)) {
            (last, matches, board) = (Some((first, second)), matches + 1, 0);
        }
        board = if seated { place as u32 + 1 } else { board + 1 };
        game.team_match = Some((matches, board));
    }
}
