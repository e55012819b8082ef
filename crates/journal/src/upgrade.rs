//! The schema of the journal and the steps from each version to the next.
//!
//! SQLite's `user_version` is the schema's number; `application_id` marks the file as a journal of this program.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::{JournalError, full, upgrade_2};

/// «bcst» in ASCII.
const APPLICATION: i64 = 0x6263_7374;

/// One step for each version: from nothing to 1, from 1 to 2 and so on.
const STEPS: &[&str] = &[
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
];

/// Triggers of schema 2 that forbid changes; created after the events got their numbers.
const NEVER_REWRITTEN: &str = include_str!("never_rewritten.sql");

/// Brings a journal to this version's schema, in one commit for each step; `path` is for messages.
pub(super) fn upgrade(connection: &mut Connection, path: &Path) -> Result<(), JournalError> {
    let found = version(connection, path)?;
    for (step, next) in STEPS.iter().zip(1..).skip(usize::try_from(found).unwrap_or(usize::MAX)) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(step)?;
        match next {
            1 => {
                transaction.pragma_update(None, "application_id", APPLICATION)?;
                renew_identity(&transaction)?;
            }
            2 => {
                upgrade_2::upgrade(&transaction)?;
                transaction.execute_batch(NEVER_REWRITTEN)?;
            }
            _ => {}
        }
        transaction.pragma_update(None, "user_version", next)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Gives the journal a new identity, so that its entries go into new streams.
pub(super) fn renew_identity(connection: &Connection) -> rusqlite::Result<()> {
    let identity = format!("{:08x}", fastrand::u32(..));
    connection.execute("INSERT INTO journal VALUES (1, ?1) ON CONFLICT DO UPDATE SET identity = ?1", [identity])?;
    Ok(())
}

/// The journal's schema, 0 for an empty file.
///
/// # Errors
/// [`JournalError::Newer`] or [`JournalError::Foreign`] when it is not for this version to touch.
pub(super) fn version(connection: &Connection, path: &Path) -> Result<i64, JournalError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let closed = |source| full::of_journal(path, source);
    let found = pragma("user_version").map_err(closed)?;
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let application = pragma("application_id").map_err(closed)?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(closed)?;
    let empty = found == 0 && application == 0 && tables == 0;
    if application != APPLICATION && !empty {
        return Err(JournalError::Foreign(path.to_owned()));
    }
    if found > known {
        return Err(JournalError::Newer { path: path.to_owned(), found, known });
    }
    Ok(found)
}

/// Whether a journal can be read as it is: a reader changes nothing, so it cannot bring an older one to this schema.
///
/// # Errors
/// As [`version`], and [`JournalError::Older`].
pub(super) fn is_current(connection: &Connection, path: &Path) -> Result<(), JournalError> {
    let (found, known) = (version(connection, path)?, i64::try_from(STEPS.len()).unwrap_or(i64::MAX));
    if found < known {
        return Err(JournalError::Older { path: path.to_owned(), found, known });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Committed;
    use crate::check::Findings;
    use crate::{Journal, Reader};
    use tournament::{Hall, RoundState};

    fn opened(path: &Path) -> String {
        Journal::open(path).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_journal_of_a_later_version_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.sqlite");
        assert_eq!(opened(&path), "");
        assert_eq!(opened(&path), "", "a journal of this version");
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
        let refused = opened(&path);
        assert!(
            refused.contains("has schema 99, and this version knows schemas up to 5: use the version"),
            "{refused}"
        );
        assert_eq!(Reader::open(&path).unwrap_err().to_string(), refused);
    }

    #[test]
    fn a_journal_of_schema_1_has_the_same_content_in_this_version() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.sqlite");
        std::fs::write(&path, include_bytes!("test_data/schema-1.sqlite")).unwrap();
        let refused = Reader::open(&path).unwrap_err().to_string();
        assert!(refused.contains("has schema 1, and this version reads schema 5: start the daemon once"), "{refused}");
        let mut journal = Journal::open(&path).unwrap();
        let reader = Reader::open(&path).unwrap();
        let past = reader.past().unwrap();
        let mut hall = Hall::default();
        for entry in &past.entries {
            match entry {
                Committed::Hall(entry) => hall.apply(&entry.fact),
                Committed::Game(entry) => assert!(hall.game(&entry.game.game).is_some(), "{entry:?}"),
            }
        }
        let states: Vec<_> = hall.section("cup").unwrap().rounds.values().map(|round| round.state).collect();
        assert_eq!(states, [RoundState::Finished, RoundState::Finished, RoundState::Running]);
        assert_eq!((hall.table_of("20002"), &**hall.playing("20002").unwrap()), (Some(2), "cup-3-2"));
        assert_eq!(reader.board("20002").unwrap().orientation, (true, Some(true)));
        let drawn = hall.game("cup-1-2").unwrap();
        assert_eq!(drawn.game.result.unwrap().to_string(), "1/2-1/2");
        assert_eq!(past.persons.get(drawn.game.pair.black.unwrap()).unwrap().name, "Dürer, Albrecht");
        assert_eq!(past.rounds.iter().map(|round| round.archived).collect::<Vec<_>>(), [true, false, false]);
        let running = reader.game("cup-3-2").unwrap().unwrap().fold();
        assert!(running.is_running() && running.moves().len() == 6, "{running:?}");

        while journal.write_snapshots().unwrap() {}
        let kept = reader.snapshots("cup", 1).unwrap();
        assert!(kept[1].contains("[Black \"Dürer, Albrecht\"]") && kept[1].contains("3... a6"), "{kept:?}");
        assert_eq!([2, 3].map(|round| reader.snapshots("cup", round).unwrap().len()), [2, 0]);
        let mut findings = Findings::default();
        reader.check(&mut findings).unwrap();
        assert_eq!((findings.games, findings.faults), (6, Vec::new()));
    }

    #[test]
    fn a_journal_of_schema_2_tells_the_same_and_says_which_tags_came_with_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.sqlite");
        std::fs::write(&path, include_bytes!("test_data/schema-2.sqlite")).unwrap();
        let mut journal = Journal::open(&path).unwrap();
        let reader = Reader::open(&path).unwrap();
        let past = reader.past().unwrap();
        let places: Vec<_> =
            past.rounds.iter().map(|round| (round.number, round.archived, round.games.len())).collect();
        assert_eq!(places, [(1, true, 2), (2, true, 2), (3, false, 2), (4, false, 1)]);
        let steps: Vec<_> =
            reader.game("cup-4-1").unwrap().unwrap().entries.iter().map(|e| (e.number, e.step)).collect();
        assert_eq!(steps, [(92, 92), (93, 92), (94, 94), (95, 95)]);
        let hidden = reader.game("cup-3-1").unwrap().unwrap();
        assert_eq!(hidden.entries.last().map(|entry| (entry.number, entry.step)), Some((88, 88)));
        while journal.write_snapshots().unwrap() {}
        let mut findings = Findings::default();
        reader.check(&mut findings).unwrap();
        assert_eq!(findings.faults, Vec::new());
        let hand = Connection::open(&path).unwrap();
        let refused = hand.execute("UPDATE game_event SET step = 0", []).unwrap_err().to_string();
        assert!(refused.contains("what happened is never rewritten"), "{refused}");
    }

    #[test]
    fn what_is_not_our_journal_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.sqlite");
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE song (title TEXT)").unwrap();
        assert!(opened(&path).contains("is not a journal of this program: move it away"), "{}", opened(&path));
        assert_eq!(other.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, u32>(0)).unwrap(), 1);
        std::fs::write(&path, "no database at all, but a text that is longer than a header of one could ever be")
            .unwrap();
        assert!(opened(&path).contains("cannot be opened"), "{}", opened(&path));
    }
}
