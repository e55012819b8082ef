//! The event, its rounds and who plays at which table.
//!
//! Knows which game a board's next game is; after a restart, from what the journal tells of the boards. Must not know how games are recognised, kept or shown.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Local, NaiveDate};

use crate::hall_clock::UtcMs;
use crate::pairings::score::{Kind, Score};
use crate::pairings::{self, Loaded, Pairings, Problem};
use crate::record::{BoardFact, GameRef};
use crate::store::PastBoard;

/// The name of an event that nobody named.
const DEFAULT_NAME: &str = "Live games";

/// Longest part of an address that is made of a name.
const SLUG_BYTES: usize = 60;

/// Tags of a pairing that the game itself will tell.
const TOLD_BY_THE_GAME: [&str; 8] =
    ["Result", "FEN", "SetUp", "Variant", "Clock", "WhiteClock", "BlackClock", "ReferenceTime"];

/// What is publicly known about the event; never changes while the daemon runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventInfo {
    /// Its part of addresses: small letters, digits and `-`.
    pub slug: String,
    /// As in the PGN tag `Event`.
    pub name: String,
    /// As in the PGN tag `Site`; `?` when unknown.
    pub site: String,
}

impl EventInfo {
    /// Fills in what the organiser left out: the name from the pairings, the slug from the name.
    pub fn new(name: Option<String>, site: Option<String>, slug: Option<&str>, rounds: &[Round]) -> Self {
        let paired = |tag: &str| {
            let game = rounds.iter().flat_map(|round| &round.games).find(|game| !game.is_empty())?;
            game.get(tag).filter(|value| !matches!(value.as_str(), "" | "?")).cloned()
        };
        let name = name.or_else(|| paired("Event")).unwrap_or_else(|| DEFAULT_NAME.into());
        let site = site.or_else(|| paired("Site")).unwrap_or_else(|| "?".into());
        let slug = slugify(slug.unwrap_or(&name));
        Self { slug, name, site }
    }
}

fn slugify(text: &str) -> String {
    let words: Vec<_> = text
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let mut slug = words.join("-");
    slug.truncate(SLUG_BYTES);
    if slug.is_empty() { "event".into() } else { slug }
}

/// The pairings of one round: PGN tags of the games, first table first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The round's number, from 1.
    pub number: u32,
    /// Tag name to value for each table; nothing where no game is played.
    pub games: Vec<BTreeMap<String, String>>,
}

/// What is wrong with files of pairings.
#[derive(Debug, thiserror::Error)]
pub enum PairingsError {
    /// One cannot be read.
    #[error("the pairings in {} cannot be read: check its name and permissions", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// One cannot be understood, or two do not go together.
    #[error(transparent)]
    Wrong(#[from] Problem),
}

/// Reads files of pairings that belong together, in any form (see [`pairings::load`]).
///
/// # Errors
/// A [`PairingsError`] that names the file and the place.
pub fn read_pairings(paths: &[PathBuf]) -> Result<Loaded, PairingsError> {
    let mut files = Vec::new();
    for path in paths {
        let name = path.to_string_lossy();
        let bytes = crate::input_file::read_bytes(path, pairings::MAX_BYTES).map_err(|source| match source.kind() {
            io::ErrorKind::FileTooLarge => pairings::too_large().in_file(&name).into(),
            _ => PairingsError::Unreadable { path: path.clone(), source },
        })?;
        files.push((name, bytes));
    }
    let files: Vec<_> = files.iter().map(|(name, bytes)| (&**name, bytes.as_slice())).collect();
    Ok(pairings::load(&files)?)
}

/// The rounds to be played: from the first with a game that has no result, the last one when all is over. Forfeits are
/// not played.
///
/// # Errors
/// When nobody is paired.
pub fn rounds_to_play(pairings: &Pairings) -> Result<Vec<Round>, Problem> {
    let paired = || pairings.rounds.iter().filter(|round| !round.games.is_empty());
    let mut rounds: Vec<_> = paired().skip_while(|round| !round.is_open()).collect();
    if rounds.is_empty() {
        // A daemon that starts again after the last game has to know the event.
        rounds.extend(paired().next_back());
    }
    if rounds.is_empty() {
        let reason = "nobody is paired in the files: export them with the round to be played, or give the output of the \
            pairing engine too";
        return Err(Problem::of(reason));
    }
    let played = |score: Option<Score>| score.is_none_or(|score| score.kind != Kind::Forfeit);
    let tables = |round: &pairings::model::Round| {
        let mut games = Vec::new();
        for game in round.games.iter().filter(|game| played(game.score)) {
            let place = game.table as usize - 1;
            if games.len() <= place {
                games.resize(place + 1, BTreeMap::new());
            }
            games[place] = pairings::pgn::tags(&pairings.event, round, game);
        }
        Round { number: round.number, games }
    };
    Ok(rounds.into_iter().map(tables).collect())
}

/// A game that begins on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedGame {
    /// Which game it is.
    pub game: GameRef,
    /// Its tags; those that the moves tell are not among them.
    pub tags: BTreeMap<String, String>,
    /// Time control in PGN form, when known.
    pub time_control: Option<String>,
}

/// The event at hand.
#[derive(Debug)]
pub struct Tournament {
    event: Arc<EventInfo>,
    slug: Arc<str>,
    rounds: Vec<Round>,
    first_day: NaiveDate,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Table to serial number.
    seats: BTreeMap<u32, String>,
    /// Games that a board has begun on a day.
    begun: HashMap<(String, NaiveDate), u32>,
    /// The round of the last game that a board has begun, with pairings.
    reached: HashMap<String, u32>,
}

impl Tournament {
    /// An event that begins now. Without rounds each day is one, and every game on a board belongs to it.
    pub fn new(event: EventInfo, rounds: Vec<Round>, now: UtcMs) -> Self {
        let slug = event.slug.as_str().into();
        Self { event: Arc::new(event), slug, rounds, first_day: venue_date(now), state: Mutex::default() }
    }

    /// Goes on where the journal says that the event stands.
    pub fn resume(&mut self, past: &[PastBoard]) {
        let began = past.iter().find(|past| matches!(past.fact, BoardFact::Began { .. }));
        if let Some(began) = began {
            self.first_day = venue_date(began.at);
        }
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        for PastBoard { at, board, fact } in past {
            match fact {
                BoardFact::Seated { table } => {
                    state.seats.insert(*table, board.to_string());
                }
                BoardFact::Began { round, .. } => {
                    let round = round.or_else(|| state.next_round(&self.rounds, board).map(|round| round.number));
                    state.begin(board, venue_date(*at), round);
                }
                BoardFact::Facing { .. } => {}
            }
        }
    }

    /// What is publicly known about the event.
    pub fn event(&self) -> Arc<EventInfo> {
        self.event.clone()
    }

    /// The event's part of addresses.
    pub fn slug(&self) -> &Arc<str> {
        &self.slug
    }

    /// The board's table, from 1: boards sit in the order in which they are first seated.
    pub fn seat(&self, serial: &str) -> u32 {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).seat(serial)
    }

    /// The game that begins on a board; none when there are pairings and this game is not among them.
    pub fn open_game(&self, serial: &str, at: UtcMs) -> Option<OpenedGame> {
        let day = venue_date(at);
        let paired = !self.rounds.is_empty();
        let (table, count, next) = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let next = state.next_round(&self.rounds, serial);
            (state.seat(serial), state.begin(serial, day, next.map(|round| round.number)), next)
        };
        let mut tags = BTreeMap::new();
        let (round, game) = if paired {
            let round = next?;
            let pairing = round.games.get(table as usize - 1).filter(|tags| !tags.is_empty())?;
            tags.clone_from(pairing);
            for name in TOLD_BY_THE_GAME {
                tags.remove(name);
            }
            (round.number, format!("{}-{}-{table}", self.slug, round.number))
        } else {
            let days = day.signed_duration_since(self.first_day).num_days();
            (1 + u32::try_from(days).unwrap_or(0), format!("{serial}-{}-{count}", day.format("%Y%m%d")))
        };
        // A team match has its own number between round and board.
        let of_match = tags.get("Round").filter(|place| place.split('.').count() == 3).cloned();
        for (name, value) in [
            ("Event", self.event.name.clone()),
            ("Site", self.event.site.clone()),
            ("Date", day.format("%Y.%m.%d").to_string()),
            ("Round", of_match.unwrap_or_else(|| format!("{round}.{table}"))),
            ("Board", table.to_string()),
            ("GameId", game.clone()),
        ] {
            tags.insert(name.into(), value);
        }
        let time_control = tags.get("TimeControl").filter(|control| control.as_str() != "?").cloned();
        let game = GameRef { game: game.into(), event: self.slug.clone(), round, table };
        Some(OpenedGame { game, tags, time_control })
    }
}

impl State {
    fn seat(&mut self, serial: &str) -> u32 {
        let seated = self.seats.iter().find(|(_, seated)| *seated == serial).map(|(table, _)| *table);
        seated.unwrap_or_else(|| {
            let table = self.seats.last_key_value().map_or(1, |(last, _)| last + 1);
            self.seats.insert(table, serial.to_owned());
            table
        })
    }

    /// The round after the last one that the board began.
    fn next_round<'a>(&self, rounds: &'a [Round], serial: &str) -> Option<&'a Round> {
        let reached = self.reached.get(serial).copied().unwrap_or(0);
        rounds.iter().find(|round| round.number > reached)
    }

    /// A game begins on a board; gives how many have on that day.
    fn begin(&mut self, serial: &str, day: NaiveDate, round: Option<u32>) -> u32 {
        if let Some(round) = round {
            self.reached.insert(serial.to_owned(), round);
        }
        let count = self.begun.entry((serial.to_owned(), day)).or_default();
        *count += 1;
        *count
    }
}

/// The time at the venue: in the machine's time zone. None when it is beyond every calendar.
pub fn venue_time(at: UtcMs) -> Option<DateTime<Local>> {
    let utc = DateTime::from_timestamp_millis(i64::try_from(at).ok()?)?;
    Some(utc.with_timezone(&Local))
}

/// The day at the venue.
pub fn venue_date(at: UtcMs) -> NaiveDate {
    venue_time(at).map_or(NaiveDate::MAX, |time| time.date_naive())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: UtcMs = 1_795_176_000_000;
    const DAY: UtcMs = 24 * 60 * 60 * 1000;

    fn pairing(round: &str, white: &str, black: &str) -> BTreeMap<String, String> {
        [("Event", "Club Cup"), ("Round", round), ("White", white), ("Black", black), ("Result", "1-0")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into()
    }

    #[test]
    fn without_pairings_each_day_is_a_round_and_each_start_a_game() {
        let event = EventInfo::new(None, None, None, &[]);
        let tournament = Tournament::new(event, Vec::new(), NOON);
        let first = tournament.open_game("20077", NOON).unwrap();
        let date = venue_date(NOON).format("%Y%m%d").to_string();
        assert_eq!(*first.game.game, *format!("20077-{date}-1"));
        assert_eq!((first.game.round, first.game.table), (1, 1));
        assert_eq!(first.tags["Round"], "1.1");
        assert!(!first.tags.contains_key("White"), "a name was invented");
        let other = tournament.open_game("10001", NOON).unwrap();
        assert_eq!(other.game.table, 2);
        let second = tournament.open_game("20077", NOON + 1000).unwrap();
        assert_eq!(*second.game.game, *format!("20077-{date}-2"));
        let tomorrow = tournament.open_game("20077", NOON + DAY).unwrap();
        assert_eq!((tomorrow.game.round, tomorrow.game.table), (2, 1));
        assert!(tomorrow.game.game.ends_with("-1"), "{}", tomorrow.game.game);
    }

    #[test]
    fn paired_boards_play_their_tables_games_round_by_round() {
        let rounds = vec![
            Round { number: 1, games: vec![pairing("1.1", "Adams", "Baker"), pairing("1.2", "Clark", "Davis")] },
            Round { number: 2, games: vec![pairing("2.7.1", "Baker", "Clark")] },
        ];
        let event = EventInfo::new(None, None, None, &rounds);
        assert_eq!((event.name.as_str(), event.slug.as_str()), ("Club Cup", "club-cup"));
        let tournament = Tournament::new(event, rounds, NOON);
        assert_eq!([tournament.seat("10001"), tournament.seat("10002")], [1, 2]);
        let second = tournament.open_game("10002", NOON).unwrap();
        assert_eq!((second.tags["White"].as_str(), second.tags["Round"].as_str()), ("Clark", "1.2"));
        assert!(!second.tags.contains_key("Result"), "a result was told before the game");
        let first = tournament.open_game("10001", NOON).unwrap();
        assert_eq!(&*first.game.game, "club-cup-1-1");
        let next = tournament.open_game("10001", NOON + 1).unwrap();
        assert_eq!((next.game.round, next.tags["Black"].as_str()), (2, "Clark"));
        assert_eq!(next.tags["Round"], "2.7.1", "board 1 of match 7");
        assert_eq!(tournament.open_game("10002", NOON + 1), None, "nobody is paired at table 2 in round 2");
    }

    #[test]
    fn after_a_restart_the_event_goes_on_where_it_stood() {
        let board = |at, board: &str, fact| PastBoard { at, board: board.into(), fact };
        let began = |round| BoardFact::Began { game: Some("some game".into()), round };
        let past = [
            board(NOON, "10002", BoardFact::Seated { table: 1 }),
            board(NOON, "10001", BoardFact::Seated { table: 2 }),
            board(NOON, "10001", began(Some(1))),
        ];
        let rounds = vec![
            Round { number: 1, games: vec![pairing("1.1", "Adams", "Baker")] },
            Round { number: 2, games: vec![pairing("2.1", "Clark", "Davis"), pairing("2.2", "E", "F")] },
        ];
        let mut tournament = Tournament::new(EventInfo::new(None, None, None, &rounds), rounds, NOON + 5);
        tournament.resume(&past);
        let next = tournament.open_game("10001", NOON + 5).unwrap();
        assert_eq!((next.game.round, next.game.table), (2, 2));
        assert_eq!(&*tournament.open_game("10002", NOON + 6).unwrap().game.game, "club-cup-1-1");
        assert_eq!(tournament.seat("10003"), 3);

        let mut days = Tournament::new(EventInfo::new(None, None, None, &[]), Vec::new(), NOON + DAY);
        days.resume(&past[..2]);
        days.resume(&[board(NOON, "10001", began(Some(1))), board(NOON + DAY, "10001", began(Some(2)))]);
        let next = days.open_game("10001", NOON + DAY).unwrap();
        assert_eq!(next.game.round, 2);
        assert!(next.game.game.ends_with("-2"), "{}", next.game.game);
    }

    #[test]
    fn files_of_pairings_say_what_is_wrong_with_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("round.pgn");
        let refused = |path: &PathBuf| read_pairings(std::slice::from_ref(path)).unwrap_err().to_string();
        assert!(refused(&path).contains("round.pgn cannot be read"));
        std::fs::write(&path, "\n").unwrap();
        assert!(refused(&path).contains("round.pgn, line 1, column 1: this is no PGN"), "{}", refused(&path));
        std::fs::write(&path, vec![b' '; 10 * 1024 * 1024]).unwrap();
        assert!(refused(&path).ends_with("round.pgn: the file is larger than 8 MB: no pairings are"));
    }

    #[test]
    fn play_begins_with_the_first_round_that_is_not_over_and_forfeits_are_not_played() {
        let folder = tempfile::tempdir().unwrap();
        let [table, over, list] = ["rounds.csv", "over.csv", "list.csv"].map(|name| folder.path().join(name));
        let header = "Round;Board;White;Black;Result\n1;1;Adams;Baker;1-0\n";
        std::fs::write(&table, format!("{header}2;1;Adams;Clark;+ - -\n2;3;Baker;Davis;\n3;1;Adams;Davis;\n")).unwrap();
        std::fs::write(&over, header).unwrap();
        let rounds = rounds_to_play(&read_pairings(&[table]).unwrap().pairings).unwrap();
        assert_eq!(rounds.iter().map(|round| round.number).collect::<Vec<_>>(), [2, 3]);
        let boards: Vec<_> = rounds[0].games.iter().map(|game| game.get("White").map(String::as_str)).collect();
        assert_eq!(boards, [None, None, Some("Baker")]);
        let event = EventInfo::new(None, None, None, &rounds);
        let tournament = Tournament::new(event, rounds, NOON);
        assert_eq!(["10001", "10002", "10003"].map(|serial| tournament.seat(serial)), [1, 2, 3]);
        assert_eq!(tournament.open_game("10001", NOON), None, "a forfeit was played");
        assert_eq!(tournament.open_game("10003", NOON).unwrap().tags["Round"], "2.3");
        let over = rounds_to_play(&read_pairings(std::slice::from_ref(&over)).unwrap().pairings).unwrap();
        assert_eq!(over.iter().map(|round| round.number).collect::<Vec<_>>(), [1]);
        std::fs::write(&list, "No.;Name\n1;Adams\n").unwrap();
        let nobody = rounds_to_play(&read_pairings(&[list]).unwrap().pairings).unwrap_err();
        assert!(nobody.to_string().starts_with("nobody is paired"), "{nobody}");
    }

    #[test]
    fn slugs_are_safe_in_addresses() {
        assert_eq!(slugify("42. Öpen «Utrecht» 2026!"), "42-pen-utrecht-2026");
        assert_eq!(slugify("«»"), "event");
    }
}
