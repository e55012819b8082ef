//! Reads and writes pairings as PGN headers (docs/pairings.md). Moves are skipped.

mod damage;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use notation::pgn::{Game, Outcome, Tags, read_games, write_tags};
use notation::presentation::is_fide_federation;
use notation::time_control::TimeControl;

pub use damage::damage;

use super::date::day;
use super::model::{Bye, ByeKind, EventFacts, MAX_ENTRIES, MAX_ROUND, MAX_TABLE, Pairing, Pairings, Round};
use super::player::{self, Player};
use super::problem::{FileProblem, Problem};
use super::score::Score;
use super::time_controls::TimeControls;

/// Suffixes of the tags `White...` and `Black...` that describe a player.
const PLAYER_TAGS: [&str; 9] = ["", "Elo", "Title", "FideId", "ID", "Fed", "Federation", "Country", "Team"];

/// The most letters that a sentence shows of a name.
const MAX_SHOWN: usize = 40;

/// Valid table numbers.
const TABLES: RangeInclusive<u32> = 1..=MAX_TABLE;

/// Whether a text begins like PGN: with a tag, after blank lines, comments and escapes.
pub fn is_pgn(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['%', ';']));
    lines.next().and_then(|line| line.strip_prefix('[')).is_some_and(|tag| {
        let name = tag.trim_start().split([' ', '\t', '"']).next().unwrap_or_default();
        notation::pgn::is_tag_name(name) && tag.contains('"')
    })
}

/// Reads pairings. The table is `Table`, `Board` or the last number of `Round`, the first of these that is unique within the
/// round, otherwise the place of the game in the round; the round is the first number of `Round`, or 1.
///
/// # Errors
/// The place of the first damage.
pub(crate) fn read(text: &str) -> Result<Pairings, Problem> {
    let mut pairings = Pairings::default();
    let mut rounds = BTreeMap::<u32, Vec<Entry>>::new();
    let mut events = BTreeSet::new();
    // Time controls that are not understood, with the first game and the number of games.
    let mut controls = BTreeMap::<String, (usize, usize)>::new();
    for (index, game) in read_games(text).enumerate() {
        let game = game.map_err(|error| Problem::at(error.line, error.column, damage(error.reason)))?;
        let ordinal = index + 1;
        if ordinal > MAX_ENTRIES {
            return Err(Problem::of(FileProblem::ManyGames { most: MAX_ENTRIES }));
        }
        if index == 0 {
            pairings.event = event_facts(&game.tags);
        }
        events.extend(known(&game.tags, "Event").map(str::to_owned));
        let (round, parts) = round_parts(&game.tags)
            .ok_or_else(|| Problem::of(FileProblem::HighRound { game: ordinal, most: MAX_ROUND }))?;
        let entry = Entry::new(ordinal, parts, &game);
        if let Some(name) = entry.long_name() {
            let (text, most) = (name.chars().take(MAX_SHOWN).collect(), player::MAX_NAME);
            return Err(Problem::of(FileProblem::GameLongName { game: ordinal, text, most }));
        }
        if let Some(control) = entry.pairing.tags.get("TimeControl").filter(|text| text.parse::<TimeControl>().is_err())
        {
            controls.entry(control.clone()).or_insert((ordinal, 0_usize)).1 += 1;
        }
        rounds.entry(round).or_default().push(entry);
    }
    for (text, (game, games)) in controls {
        pairings.warnings.push(Problem::of(match games - 1 {
            0 => FileProblem::GameTimeControl { game, text },
            more => FileProblem::GamesTimeControl { game, more, text },
        }));
    }
    if events.len() > 1 {
        let events = events.into_iter().take(3).collect::<Vec<_>>().join("; ");
        pairings.warnings.push(Problem::of(FileProblem::SeveralEvents { events }));
    }
    for (number, entries) in rounds {
        let round = seat(number, entries, &mut pairings.warnings);
        pairings.rounds.push(round);
    }
    Ok(pairings)
}

/// The numbers of `Round` after the round: a board, or a match and a board.
type Parts = (Option<u32>, Option<u32>);

/// A game of the file before its table is known.
struct Entry {
    ordinal: usize,
    /// By `Table`, by `Board`, by the number after the round.
    tables: [Option<u32>; 3],
    pairing: Pairing,
}

impl Entry {
    fn new(ordinal: usize, parts: Parts, game: &Game) -> Self {
        let mut tags: BTreeMap<String, String> =
            game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let (white, black) = (take_player(&mut tags, "White"), take_player(&mut tags, "Black"));
        let said = tags.remove("Result").and_then(|result| Score::parse(&result));
        // The tag can express more than the movetext: a forfeit, a double loss.
        let agrees = |score: &Score| game.outcome == Outcome::Unknown || score.outcome() == game.outcome;
        let score = said.filter(agrees).or_else(|| Score::of_outcome(game.outcome));
        let table = |tag: Option<String>| {
            tag.and_then(|number| player::digits(&number)).filter(|number| TABLES.contains(number))
        };
        tags.remove("Round");
        let tables = [table(tags.remove("Table")), table(tags.remove("Board"))];
        let (team_match, last) = match parts {
            (Some(number), Some(board)) => (Some((number, board)), None),
            (board, _) => (None, board),
        };
        let [by_table, by_board] = tables;
        let tables = [by_table, by_board, last.filter(|number| TABLES.contains(number))];
        Self { ordinal, tables, pairing: Pairing { table: 0, team_match, white, black, score, plain: true, tags } }
    }

    /// A name of a player or a team that is too long.
    fn long_name(&self) -> Option<&String> {
        let players = [&self.pairing.white, &self.pairing.black];
        let mut names = players.into_iter().flat_map(|player| [Some(&player.name), player.team.as_ref()]).flatten();
        names.find(|name| !player::fits(name))
    }
}

/// Numbers the tables of a round and separates byes and games with a missing player.
fn seat(number: u32, mut entries: Vec<Entry>, warnings: &mut Vec<Problem>) -> Round {
    let mut round = Round::new(number);
    // A bye has no table, even if the file numbers it.
    entries.retain(|entry| match (kind(&entry.pairing.white), kind(&entry.pairing.black)) {
        (Seat::Player, Seat::Bye) => {
            round.byes.push(Bye { player: entry.pairing.white.clone(), kind: ByeKind::Pairing });
            false
        }
        (Seat::Bye, Seat::Player) => {
            round.byes.push(Bye { player: entry.pairing.black.clone(), kind: ByeKind::Pairing });
            false
        }
        (Seat::Bye, _) | (_, Seat::Bye) => false,
        _ => true,
    });
    let unique = (0..3).find(|source| {
        let numbers: BTreeSet<_> = entries.iter().filter_map(|entry| entry.tables.get(*source)?.as_ref()).collect();
        numbers.len() == entries.len()
    });
    if unique.is_none() && entries.iter().any(|entry| entry.tables.iter().flatten().next().is_some()) {
        warnings.push(Problem::of(FileProblem::TablesNotUnique { round: number }));
    }
    if unique.is_none() && entries.iter().all(|entry| entry.pairing.team_match.is_some()) {
        entries.sort_by_key(|entry| entry.pairing.team_match);
    }
    for (index, Entry { ordinal, tables, mut pairing }) in entries.into_iter().enumerate() {
        let given = unique.and_then(|source| tables.get(source).copied().flatten());
        pairing.table = given.unwrap_or(index as u32 + 1);
        if let (Seat::Player, Seat::Player) = (kind(&pairing.white), kind(&pairing.black)) {
            round.date = round.date.take().or_else(|| pairing.tags.get("Date").and_then(|date| day(date)));
            round.games.push(pairing);
        } else {
            let table = pairing.table;
            warnings.push(Problem::of(FileProblem::GameWithoutPlayer { game: ordinal, round: number, table }));
        }
    }
    round.sort();
    round
}

enum Seat {
    Player,
    Bye,
    Nobody,
}

fn kind(player: &Player) -> Seat {
    if player::is_bye(&player.name) {
        Seat::Bye
    } else if player::is_nobody(&player.name) {
        Seat::Nobody
    } else {
        Seat::Player
    }
}

/// The round and up to two numbers after it; none when the round number is out of range.
fn round_parts(tags: &Tags) -> Option<(u32, Parts)> {
    let mut parts = tags.get("Round").unwrap_or_default().split('.').map(player::digits);
    let round = parts.next().flatten().filter(|round| *round > 0).unwrap_or(1);
    (round <= MAX_ROUND).then(|| (round, (parts.next().flatten(), parts.next().flatten())))
}

fn event_facts(tags: &Tags) -> EventFacts {
    let owned = |name| known(tags, name).map(str::to_owned);
    let control = known(tags, "TimeControl").and_then(|control| TimeControls::same(control).checked().ok());
    let first_day = tags.get("EventDate").and_then(day);
    EventFacts {
        name: owned("Event"),
        site: owned("Site"),
        first_day,
        last_day: None,
        time_control: control.unwrap_or_default(),
    }
}

fn known<'a>(tags: &'a Tags, name: &str) -> Option<&'a str> {
    tags.get(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"))
}

fn take_player(tags: &mut BTreeMap<String, String>, colour: &str) -> Player {
    let [name, rating, title, fide_id, id, fed, federation, country, team] =
        PLAYER_TAGS.map(|ending| tags.remove(&format!("{colour}{ending}")).unwrap_or_default());
    let (glued, bare) = player::titled_name(&name);
    let team = player::name(&team);
    // Exports of chess.com have the federation in the tag of the team.
    let (team, country_in_team) = if is_fide_federation(&team) { (None, team) } else { (Some(team), String::new()) };
    Player {
        title: player::title(&title).or(glued),
        rating: player::rating(&rating),
        federation: [fed, federation, country, country_in_team].iter().find_map(|code| player::federation(code)),
        fide_id: player::fide_id(&fide_id).or_else(|| player::fide_id(&id)),
        team: team.filter(|team| !player::is_nobody(team)),
        ..Player::named(bare)
    }
}

/// The PGN tags of a pairing, without empty and unknown ones.
pub(crate) fn tags(event: &EventFacts, round: &Round, pairing: &Pairing) -> BTreeMap<String, String> {
    let mut tags = pairing.tags.clone();
    tags.retain(|_, value| !matches!(value.as_str(), "" | "?" | "????.??.??"));
    let control = event.time_control.common().map(str::to_owned);
    for (name, value) in
        [("Event", &event.name), ("Site", &event.site), ("Date", &round.date), ("TimeControl", &control)]
    {
        if let Some(value) = value {
            tags.entry(name.into()).or_insert_with(|| value.clone());
        }
    }
    let mut set = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            tags.insert(name.into(), value);
        }
    };
    let number = match pairing.team_match {
        Some((number, board)) => format!("{}.{number}.{board}", round.number),
        None => format!("{}.{}", round.number, pairing.table),
    };
    set("Round", Some(number));
    set("Board", Some(pairing.table.to_string()));
    for (colour, player) in [("White", &pairing.white), ("Black", &pairing.black)] {
        set(colour, Some(player.name.clone()));
        set(&format!("{colour}Title"), player.title.map(Into::into));
        set(&format!("{colour}Elo"), player.rating.map(|rating| rating.to_string()));
        set(&format!("{colour}Fed"), player.federation.clone());
        set(&format!("{colour}FideId"), player.fide_id.map(|id| id.to_string()));
        set(&format!("{colour}Team"), player.team.clone());
    }
    tags
}

/// Writes headers and results as PGN, which broadcast sites and [`read`] accept.
pub(crate) fn write(pairings: &Pairings) -> String {
    let mut text = String::new();
    for round in &pairings.rounds {
        for pairing in &round.games {
            let mut headers = Tags::new();
            for (name, value) in tags(&pairings.event, round, pairing) {
                headers.set(&name, value);
            }
            let outcome = pairing.score.map_or(Outcome::Unknown, Score::outcome);
            text.push_str(&write_tags(&headers, outcome));
            // Writing to a string does not fail.
            _ = write!(text, "\n{outcome}\n\n");
        }
    }
    text
}
