//! Checks the journal: computes everything that follows from events again and compares. Repairs nothing.

use std::collections::HashSet;
use std::fmt;

use game_core::game::Game;
use notation::pgn::write_game;

use super::condition::{self, Condition};
use super::content_sum::SUMMED;
use super::mark::{self, Found};
use super::rows::{finished_rounds, hall_entries};
use super::{JournalError, Notice, PastGame, Reader};
use tournament::{Fact, RoundState};

/// What to do about damage.
const RESTORE: &str = "the disk damaged it: stop the daemon and run `boardcast rebuild`, or restore a backup";

/// Rows with a wrong sum that are listed for each table.
const LISTED: i64 = 20;

/// A fault in the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: String,
    /// What, and what to do.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// What was checked, and the faults found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Games of the journal.
    pub games: u64,
    /// Events of the journal.
    pub events: u64,
    /// Facts of the hall.
    pub facts: u64,
    /// Capture files.
    pub captures: u64,
    /// What is wrong.
    pub faults: Vec<Fault>,
}

impl Findings {
    /// Adds a fault.
    pub fn fault(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.faults.push(Fault { place: place.into(), what: what.into() });
    }
}

impl Reader {
    /// Checks the whole journal as of this instant, one game at a time.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub fn check(&self, findings: &mut Findings) -> Result<(), JournalError> {
        // Read before the journal: the mark may be behind it, but never ahead.
        let mark = self.path().map(|path| mark::read(path).unwrap_or(Found::Damaged));
        self.connection().execute_batch("BEGIN")?;
        let checked = self.check_snapshot(findings).and_then(|()| self.check_end(mark.as_ref(), findings));
        self.connection().execute_batch("COMMIT")?;
        checked
    }

    /// Checks the rows, and not whether the end is missing.
    pub(super) fn check_rows(&self, findings: &mut Findings) -> Result<(), JournalError> {
        for line in self.integrity()? {
            findings.fault("journal", line);
        }
        self.check_sums(findings)
    }

    fn check_snapshot(&self, findings: &mut Findings) -> Result<(), JournalError> {
        for line in self.integrity()? {
            findings.fault("journal", format!("{line}; {RESTORE}"));
        }
        self.check_sums(findings)?;
        self.check_hall(findings)?;
        for (id, over) in self.game_ids()? {
            let game = match self.game(&id) {
                Ok(Some(game)) => game,
                Ok(None) => continue,
                Err(error @ JournalError::Damaged { .. }) => {
                    findings.fault(format!("game {id}"), format!("{error}; {RESTORE}"));
                    continue;
                }
                Err(error) => return Err(error),
            };
            findings.games += 1;
            findings.events += game.entries.len() as u64;
            let fold = check_game(&game, over, findings);
            let next = game.entries.last().map_or(0, |last| last.number + 1);
            if let Some(snapshot) = self.snapshot(&id, next)?
                && snapshot != write_game(&fold.to_pgn())
            {
                findings
                    .fault(format!("game {id}"), format!("its snapshot does not follow from its events; {RESTORE}"));
            }
        }
        Ok(())
    }
}

impl Reader {
    /// Compares the end of the journal with its mark, and says what no person has looked at yet.
    fn check_end(&self, mark: Option<&Found>, findings: &mut Findings) -> Result<(), JournalError> {
        const REBUILD: &str =
            "Stop the daemon and run `boardcast rebuild`, which takes from the captures what they have";
        let (Some(found), Some(path)) = (mark, self.path()) else { return Ok(()) };
        let notice = path.parent().and_then(Notice::read).unwrap_or_default();
        for missing in &notice.missing {
            findings.fault("journal", format!("{missing} {REBUILD}"));
        }
        if notice.rebuilt {
            findings.fault(
                "journal",
                "it was rebuilt and no one has looked at it yet, so nothing is public: look at the games, then run \
                 `boardcast rebuild --open`",
            );
        }
        let connection = self.connection();
        let extent = condition::extent(&connection, path)?;
        match condition::compare(&connection, found, &extent)? {
            Condition::Missing(missing) => findings.fault("journal", format!("{} {REBUILD}", missing.loss())),
            Condition::MarkDamaged => findings.fault(
                "journal",
                "its mark cannot be read, so that no one knows whether entries are missing: compare the last games with \
                 their captures; the daemon writes a new mark when it starts",
            ),
            Condition::Whole | Condition::Unmarked | Condition::Copied => {}
        }
        Ok(())
    }

    /// Compares each row with its sum, and looks for numbers that are missing.
    fn check_sums(&self, findings: &mut Findings) -> Result<(), JournalError> {
        let connection = self.connection();
        for (from, key, content) in SUMMED {
            let table = from.split(' ').next().unwrap_or(from);
            let mut changed = connection.prepare(&format!(
                "SELECT {key} FROM {from} WHERE {table}.sum <> content_sum({content}) LIMIT {LISTED}"
            ))?;
            let mut rows = changed.query([])?;
            while let Some(row) = rows.next()? {
                let number: i64 = row.get(0)?;
                findings.fault(format!("{table} {number}"), format!("it is not what was written; {RESTORE}"));
            }
        }
        let missing: i64 = connection.query_row(
            "SELECT coalesce(max(number) + 1 - count(*), 0) \
             FROM (SELECT number FROM game_event UNION ALL SELECT number FROM hall_event)",
            [],
            |row| row.get(0),
        )?;
        if missing != 0 {
            findings.fault("journal", format!("{missing} of its entries are missing in the middle; {RESTORE}"));
        }
        Ok(())
    }

    /// Compares the finished rounds with the facts of the hall.
    fn check_hall(&self, findings: &mut Findings) -> Result<(), JournalError> {
        let connection = self.connection();
        let facts = match hall_entries(&connection) {
            Ok(facts) => facts,
            Err(error @ JournalError::Damaged { .. }) => {
                findings.fault("hall", format!("{error}; {RESTORE}"));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        findings.facts = facts.len() as u64;
        let mut finished = HashSet::new();
        for entry in facts {
            match entry.fact {
                Fact::RoundState { section, round, state: RoundState::Finished } => {
                    finished.insert((section, round));
                }
                Fact::RoundState { section, round, .. } => {
                    finished.remove(&(section, round));
                }
                _ => {}
            }
        }
        if finished_rounds(&connection)? != finished {
            findings.fault("hall", format!("the rounds that are over do not follow from its facts; {RESTORE}"));
        }
        Ok(())
    }
}

fn check_game(game: &PastGame, over: bool, findings: &mut Findings) -> Game {
    let place = format!("game {}", game.at.game);
    let mut fold = Game::new();
    for entry in &game.entries {
        if entry.step > entry.number {
            findings.fault(format!("{place}, event {}", entry.number), format!("its step is not one; {RESTORE}"));
        }
        if !fold.apply(&entry.event) {
            findings.fault(
                format!("{place}, event {}", entry.number),
                "it does not fit the moves before it: correct the game by hand",
            );
        }
    }
    if fold.is_running() == over {
        findings.fault(place, "its row does not follow from its events: restore a backup");
    }
    fold
}
