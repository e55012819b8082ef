//! The step from schema 1 to 2: derives facts of the hall.
//!
//! Schema 1 had rounds and players only in the tags of games, and the board of a game only in facts of boards. The derived
//! facts get the first numbers, before all events, so that a reader meets the section of a game before the game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate};
use game_core::event::Author;
use rusqlite::{Transaction, params};
use serde::Deserialize;

use super::rows::{game_entries_before_3, parse};
use super::stored;
use super::{JournalError, PastGame};
use game_core::time::UtcMs;
use pairings::score::Score;
use tournament::GameRef;
use tournament::{Fact, Pair, Person, PersonRecord, PlayerId, RoundSettings, RoundState, SectionSettings};

/// A fact of a board in schema 1, which became one of the hall.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum OldFact {
    Seated { table: u32 },
    Began { game: Option<Arc<str>> },
    Facing {},
}

#[derive(Default)]
struct Facts {
    all: Vec<(UtcMs, Fact)>,
    sections: BTreeMap<Arc<str>, BTreeSet<u32>>,
    players: BTreeMap<(Arc<str>, String), PlayerId>,
}

/// Writes the derived facts. The tables of schema 2 exist and are empty; those of schema 1 are unchanged.
pub(super) fn upgrade(transaction: &Transaction<'_>) -> Result<(), JournalError> {
    let mut facts = Facts::default();
    let boards = facts.take_boards(transaction)?;
    let mut open = BTreeMap::<(Arc<str>, u32), bool>::new();
    for (at, over) in games(transaction)? {
        let past = PastGame { entries: game_entries_before_3(transaction, &at)?, at };
        facts.game(transaction, &past, boards.get(&past.at.game))?;
        *open.entry((Arc::clone(&past.at.event), past.at.round)).or_default() |= !over;
    }
    for ((section, round), _) in open.into_iter().filter(|(_, open)| !open) {
        let at = facts.all.last().map_or(0, |(at, _)| *at);
        transaction.execute("INSERT INTO finished_round VALUES (?1, ?2)", params![section, round])?;
        facts.all.push((at, Fact::RoundState { section, round, state: RoundState::Finished }));
    }
    make_room(transaction, facts.all.len())?;
    let author = written(stored::write_author(&Author::Rule("upgrade".into())))?;
    for (number, (at, fact)) in facts.all.iter().enumerate() {
        transaction.execute(
            "INSERT INTO hall_event VALUES (?1, ?2, ?2, ?3, ?4)",
            params![number, at, author, written(stored::write_fact(fact))?],
        )?;
    }
    Ok(())
}

fn written(json: serde_json::Result<String>) -> Result<String, JournalError> {
    json.map_err(|source| JournalError::Damaged { place: "an upgrade's fact".into(), source })
}

fn games(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<(GameRef, bool)>> {
    let mut games = transaction.prepare("SELECT id, event, round, tbl, over FROM game ORDER BY key")?;
    games
        .query_map([], |row| {
            let at = GameRef { game: row.get(0)?, event: row.get(1)?, round: row.get(2)?, table: row.get(3)? };
            Ok((at, row.get(4)?))
        })?
        .collect()
}

/// Frees the first numbers of the journal.
fn make_room(transaction: &Transaction<'_>, numbers: usize) -> rusqlite::Result<()> {
    transaction.pragma_update(None, "defer_foreign_keys", true)?;
    for table in ["game_event", "game_tags"] {
        transaction.execute(&format!("UPDATE {table} SET number = -1 - number"), [])?;
        transaction.execute(&format!("UPDATE {table} SET number = -1 - number + ?1"), [numbers])?;
    }
    Ok(())
}

impl Facts {
    /// Takes the tables of boards; returns the board of each game.
    fn take_boards(&mut self, transaction: &Transaction<'_>) -> Result<BTreeMap<Arc<str>, Arc<str>>, JournalError> {
        let mut boards = BTreeMap::new();
        let mut rows = transaction.prepare("SELECT number, at, board, fact FROM board_event ORDER BY number")?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let (number, at, board): (i64, UtcMs, Arc<str>) = (row.get(0)?, row.get(1)?, row.get(2)?);
            match parse(&row.get::<_, String>(3)?, || Ok(format!("board_event {number}")))? {
                OldFact::Seated { table } => self.all.push((at, Fact::Seated { table, board: Some(board) })),
                OldFact::Began { game: Some(game) } => {
                    boards.insert(game, board);
                }
                OldFact::Began { game: None } | OldFact::Facing {} => {}
            }
        }
        transaction.execute("DELETE FROM board_event WHERE fact NOT LIKE '{\"facing\"%'", [])?;
        Ok(boards)
    }

    fn game(
        &mut self,
        transaction: &Transaction<'_>,
        past: &PastGame,
        board: Option<&Arc<str>>,
    ) -> Result<(), JournalError> {
        let PastGame { at: GameRef { game, event: section, round, table }, entries } = past;
        let (section, round, fold) = (Arc::clone(section), *round, past.fold());
        let began = entries.first().map_or(0, |entry| entry.committed_at);
        let tag = |name: &str| fold.tags().get(name).filter(|value| value.as_str() != "?");
        if !self.sections.contains_key(&section) {
            let name = tag("Event").map_or(&*section, String::as_str);
            let settings = SectionSettings {
                site: tag("Site").cloned().unwrap_or_else(|| "?".into()),
                open_play: tag("White").is_none(),
                ..SectionSettings::named(name)
            };
            self.all.push((began, Fact::SectionSet { section: Arc::clone(&section), settings }));
        }
        let day = tag("Date").and_then(|date| NaiveDate::parse_from_str(date, "%Y.%m.%d").ok());
        let day = day.or_else(|| Some(DateTime::from_timestamp_millis(i64::try_from(began).ok()?)?.date_naive()));
        if self.sections.entry(Arc::clone(&section)).or_default().insert(round) {
            let settings = RoundSettings { date: day, ..RoundSettings::default() };
            self.all.push((began, Fact::RoundSet { section: Arc::clone(&section), round, settings }));
            let state = RoundState::Running;
            self.all.push((began, Fact::RoundState { section: Arc::clone(&section), round, state }));
        }
        let mut players = [None, None];
        for (player, colour) in players.iter_mut().zip(["White", "Black"]) {
            if let Some(name) = tag(colour) {
                let rating = tag(&format!("{colour}Elo")).and_then(|rating| rating.parse().ok());
                let person = Person { name: name.clone(), rating, ..Person::default() };
                *player = Some(self.player(transaction, &section, person, began)?);
            }
        }
        let [white, black] = players;
        let pair = Pair { number: *table, white, black, ..Pair::default() };
        self.all.push((began, Fact::Paired { section, round, game: Arc::clone(game), pair }));
        if let Some(day) = day {
            self.all.push((began, Fact::Began { board: board.cloned(), game: Arc::clone(game), day }));
        }
        if let Some(result) = Score::of_outcome(fold.result()) {
            self.all.push((began, Fact::ResultSet { game: Arc::clone(game), result: Some(result) }));
        }
        Ok(())
    }

    fn player(
        &mut self,
        transaction: &Transaction<'_>,
        section: &Arc<str>,
        person: Person,
        at: UtcMs,
    ) -> Result<PlayerId, JournalError> {
        let key = (Arc::clone(section), person.name.clone());
        if let Some(known) = self.players.get(&key) {
            return Ok(*known);
        }
        let player = PlayerId(u32::try_from(self.players.len() + 1).unwrap_or(u32::MAX));
        let record = written(stored::write_person(&PersonRecord::new(person)))?;
        transaction.execute("INSERT INTO person VALUES (?1, ?2)", params![player.0, record])?;
        let display = tournament::Display::Full;
        self.all.push((at, Fact::PlayerSet { section: Arc::clone(section), player, number: None, display }));
        self.players.insert(key, player);
        Ok(player)
    }
}
