//! Reads the journal while the writer works: the state at start, facts of boards, games. Sees complete commits only.

use std::collections::{BTreeMap, HashSet};
use std::io::ErrorKind;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use game_core::controls::Controls;
use game_core::game::Game;
use game_core::input::{Resume, ResumedMove};
use tempfile::TempDir;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use super::releases::ReleasedRounds;
use super::rows::{self, collect, converted, find_game, finished_rounds, game_entries, hall_entries, persons};
use super::stored::read_board_fact;
use super::{Journal, JournalError, content_sum, full, journal_path, upgrade};
use crate::{BoardFact, Committed, PastGame};
use game_core::time::UtcMs;
use tournament::GameRef;
use tournament::{Delay, Hall, Persons, UNASSIGNED};

/// How long a read waits for a writer that has locked the database.
const BUSY: Duration = Duration::from_secs(5);

/// The latest rounds that are kept in memory even when all their games are over: the live file may still hold them.
const LATEST_ROUNDS: usize = 2;

/// A connection that only reads.
#[derive(Debug)]
pub struct Reader {
    connection: Mutex<Connection>,
    path: Option<PathBuf>,
    /// The schema of an older journal that is read in a copy, and the folder of the copy.
    older: Option<(i64, TempDir)>,
}

/// What the daemon loads when it starts.
#[derive(Debug, Default)]
pub struct Past {
    /// The rounds of every section, in order.
    pub rounds: Vec<PastRound>,
    /// All facts of the hall, and the entries of all rounds that are not archived, in order; without unassigned games.
    pub entries: Vec<Committed>,
    /// Who the players are.
    pub persons: Persons,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastRound {
    /// Slug of its section.
    pub event: Arc<str>,
    /// Round number.
    pub number: u32,
    /// Whether it is over, or all its games are, later rounds have begun, and no view holds anything of it back: its games
    /// stay in the journal and load on demand.
    pub archived: bool,
    /// The number of the entry that comes next. What is done to an archived round from then on may be held back.
    pub next: u64,
    /// Its games, in the order in which they began.
    pub games: Vec<GameRef>,
}

/// The latest facts of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardRecord {
    /// Whether White sits at the far end, and whether the clock's left side is White's, if known.
    pub orientation: (bool, Option<bool>),
    /// Squares whose reports are ignored.
    pub ignored_squares: Vec<String>,
}

impl BoardRecord {
    /// What the board's session needs to continue a game.
    pub fn to_resume(&self, id: &str, game: &Game) -> Resume {
        let (rotated, white_is_left) = self.orientation;
        let moves = game.moves().iter();
        Resume {
            game: id.to_owned(),
            fen: game.fen().to_owned(),
            variant: game.variant(),
            moves: moves
                .map(|played| ResumedMove { uci: played.uci.to_string(), clk_ms: played.clk_ms, emt_ms: played.emt_ms })
                .collect(),
            gaps: game.resumed_gaps(),
            time_control: Controls::of_tags(game.tags()),
            rotated,
            white_is_left,
            blind: self.ignored_squares.clone(),
            result: game.result().as_str().to_owned(),
            ended: game.ended(),
            ..Resume::default()
        }
    }
}

impl Reader {
    /// Opens a journal of this version's schema; nothing is changed in it.
    ///
    /// # Errors
    /// A [`JournalError`] that names the file; [`JournalError::Older`] until the daemon has brought it to this schema.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let closed = |source| full::of_journal(path, source);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(closed)?;
        connection.busy_timeout(BUSY).map_err(closed)?;
        content_sum::register(&connection).map_err(closed)?;
        connection.pragma_update(None, "query_only", true).map_err(closed)?;
        upgrade::is_current(&connection, path)?;
        Ok(Self { connection: Mutex::new(connection), path: Some(path.to_owned()), older: None })
    }

    /// Opens the journal of a data folder; a daemon may be at work on it. A journal of an older schema is copied, and the copy
    /// is brought to this version's schema: the daemon does that with the journal itself when it starts.
    ///
    /// # Errors
    /// A [`JournalError`] that names the folder or the file.
    pub fn open_in(data: &Path) -> Result<Self, JournalError> {
        let path = Self::find_in(data)?;
        match Self::open(&path) {
            Err(JournalError::Older { found, .. }) => Self::open_older(&path, found),
            opened => opened,
        }
    }

    /// The journal of a data folder.
    ///
    /// # Errors
    /// [`JournalError::Missing`] when there is none, [`JournalError::Denied`] when this user may not look.
    pub fn find_in(data: &Path) -> Result<PathBuf, JournalError> {
        let path = journal_path(data);
        match path.try_exists() {
            Ok(true) => Ok(path),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(JournalError::Denied(data.to_owned())),
            _ => Err(JournalError::Missing(data.to_owned())),
        }
    }

    fn open_older(path: &Path, found: i64) -> Result<Self, JournalError> {
        let folder = TempDir::with_prefix("boardcast-journal-")
            .map_err(|source| JournalError::Folder { path: std::env::temp_dir(), source })?;
        let copy = journal_path(folder.path());
        let original = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        original.busy_timeout(BUSY)?;
        original.execute("VACUUM INTO ?1", [copy.to_string_lossy()])?;
        drop(Journal::open(&copy)?);
        Ok(Self { older: Some((found, folder)), ..Self::open(&copy)? })
    }

    /// The schema of the journal when it is an older one that is read in a copy.
    pub fn older_schema(&self) -> Option<i64> {
        self.older.as_ref().map(|(found, _)| *found)
    }

    /// The file of the journal.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    pub(super) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest instant in the record; none in an empty one.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn latest(&self) -> Result<Option<UtcMs>, JournalError> {
        let connection = self.connection();
        Ok(connection.query_row(
            "SELECT max(latest) FROM (SELECT max(max(at), max(committed_at)) AS latest FROM game_event \
             UNION ALL SELECT max(committed_at) FROM hall_event UNION ALL SELECT max(at) FROM board_event \
             UNION ALL SELECT max(at) FROM release)",
            [],
            |row| row.get(0),
        )?)
    }

    /// Loads what the daemon needs when it starts.
    ///
    /// # Errors
    /// When the journal cannot be read or is damaged.
    pub fn past(&self) -> Result<Past, JournalError> {
        let connection = self.connection();
        let mut rounds = BTreeMap::<(Arc<str>, u32), PastRound>::new();
        let finished = finished_rounds(&connection)?;
        let mut open = HashSet::new();
        let mut games =
            connection.prepare("SELECT id, event, round, tbl, over FROM game WHERE event <> ?1 ORDER BY key")?;
        let mut rows = games.query([UNASSIGNED])?;
        while let Some(row) = rows.next()? {
            let game = GameRef { game: row.get(0)?, event: row.get(1)?, round: row.get(2)?, table: row.get(3)? };
            let place = (Arc::clone(&game.event), game.round);
            if !row.get::<_, bool>(4)? {
                open.insert(place.clone());
            }
            rounds.entry(place).or_insert_with_key(|(event, number)| PastRound::new(event, *number)).games.push(game);
        }
        let mut rounds: Vec<_> = rounds.into_values().collect();
        let mut entries: Vec<_> = hall_entries(&connection)?.into_iter().map(Arc::new).map(Committed::Hall).collect();
        let (hall, out) = (hall_of(&entries), ReleasedRounds::read(&connection)?);
        let next = rows::next_number(&connection)?;
        for of_section in rounds.chunk_by_mut(|one, next| one.event == next.event) {
            let latest = of_section.len().saturating_sub(LATEST_ROUNDS);
            for (index, round) in of_section.iter_mut().enumerate() {
                let place = (Arc::clone(&round.event), round.number);
                let is_over = finished.contains(&place) || !open.contains(&place);
                let is_out = !has_delay(&hall, round) || out.are_all_out(&round.event, round.number);
                (round.archived, round.next) = (index < latest && is_over && is_out, next);
            }
        }
        for game in rounds.iter().filter(|round| !round.archived).flat_map(|round| &round.games) {
            entries.extend(game_entries(&connection, game)?.into_iter().map(Arc::new).map(Committed::Game));
        }
        entries.sort_by_key(Committed::number);
        Ok(Past { rounds, entries, persons: persons(&connection)? })
    }

    /// The latest facts of a board.
    ///
    /// # Errors
    /// When the journal cannot be read or is damaged.
    pub fn board(&self, serial: &str) -> Result<BoardRecord, JournalError> {
        let connection = self.connection();
        let mut facts =
            connection.prepare_cached("SELECT number, fact FROM board_event WHERE board = ?1 ORDER BY number")?;
        let facts = collect(facts.query([serial])?, |row| {
            let fact = read_board_fact(&row.get::<_, String>(1)?);
            converted(fact, || Ok(format!("board_event {}", row.get::<_, i64>(0)?)))
        })?;
        let mut known = BoardRecord::default();
        for fact in facts {
            match fact {
                BoardFact::Orientation { rotated, white_is_left } => known.orientation = (rotated, white_is_left),
                BoardFact::IgnoredSquares { squares } => known.ignored_squares = squares,
            }
        }
        Ok(known)
    }

    /// One game, by its id.
    ///
    /// # Errors
    /// When the journal cannot be read or is damaged.
    pub fn game(&self, id: &str) -> Result<Option<PastGame>, JournalError> {
        let connection = self.connection();
        let Some(at) = find_game(&connection, id)? else { return Ok(None) };
        Ok(Some(PastGame { entries: game_entries(&connection, &at)?, at }))
    }

    /// The entries with these numbers, in order.
    ///
    /// # Errors
    /// When the journal cannot be read or is damaged.
    pub fn entries(&self, numbers: RangeInclusive<u64>) -> Result<Vec<Committed>, JournalError> {
        rows::entries(&self.connection(), &numbers)
    }

    /// Snapshots of the games of a round as PGN, in the order in which they began; none while the round is played. A round
    /// that ended a moment ago may still lack some.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn snapshots(&self, event: &str, round: u32) -> Result<Vec<String>, JournalError> {
        let connection = self.connection();
        let mut games = connection.prepare_cached(
            "SELECT pgn FROM folded JOIN game ON game.key = folded.game WHERE event = ?1 AND round = ?2 ORDER BY key",
        )?;
        Ok(games.query_map(params![event, round], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }

    /// The snapshot of a game as PGN, if its round is over, the snapshot was written, and the game has no entry with the number
    /// `next` or a later one.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn snapshot(&self, id: &str, next: u64) -> Result<Option<String>, JournalError> {
        let connection = self.connection();
        let mut game = connection.prepare_cached(
            "SELECT pgn FROM folded JOIN game ON game.key = folded.game WHERE id = ?1 \
             AND NOT EXISTS (SELECT 1 FROM game_event WHERE game_event.game = game.key AND number >= ?2)",
        )?;
        Ok(game.query_row(params![id, next], |row| row.get(0)).optional()?)
    }
}

/// For the check.
impl Reader {
    /// What SQLite finds wrong with the file and its references.
    pub(super) fn integrity(&self) -> Result<Vec<String>, JournalError> {
        let connection = self.connection();
        let mut check = connection.prepare("PRAGMA integrity_check")?;
        let mut found = check.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
        found.retain(|line| line != "ok");
        let mut check = connection.prepare("SELECT \"table\", rowid, parent FROM pragma_foreign_key_check")?;
        let dangling = check.query_map([], |row| {
            let (table, row, parent): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(format!("{table} {row} has no {parent}"))
        })?;
        for line in dangling {
            found.push(line?);
        }
        Ok(found)
    }

    /// Every game, and whether its row says that it is over.
    pub(super) fn game_ids(&self) -> Result<Vec<(String, bool)>, JournalError> {
        let connection = self.connection();
        let mut games = connection.prepare("SELECT id, over FROM game ORDER BY key")?;
        Ok(games.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?)
    }
}

fn hall_of(entries: &[Committed]) -> Hall {
    Hall::of(entries.iter().filter_map(|entry| match entry {
        Committed::Hall(entry) => Some(&entry.fact),
        Committed::Game(_) => None,
    }))
}

/// Whether a game of the round has a delay at present.
fn has_delay(hall: &Hall, round: &PastRound) -> bool {
    let Some(section) = hall.section(&round.event) else { return false };
    round.games.iter().any(|game| hall.delay(section, round.number, game.table) != Delay::NONE)
}

impl PastRound {
    fn new(event: &Arc<str>, number: u32) -> Self {
        Self { event: Arc::clone(event), number, archived: false, next: 0, games: Vec::new() }
    }
}
