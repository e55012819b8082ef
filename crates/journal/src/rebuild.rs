//! Makes a damaged or incomplete journal anew: from its rows that are sound, and for the time that is missing from what the
//! captures say.
//!
//! The old files are kept, and nothing of the data folder is changed before the new journal is complete; an interrupted
//! rebuild is repeated from the same files. Must not know captures: their events come as [`CapturedEvent`]s.

mod aside;
mod build;
mod salvage;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use coded_text::CodedText;
use game_core::event::{Author, Event, Evidence};
use game_core::time::UtcMs;
use tournament::{Hall, Order};

use super::check::Findings;
use super::loss::Loss;
use super::mark::{self, Found};
use super::{DataFolder, JournalError, Notice, Reader, journal_path};
use crate::NewBoardFact;
use aside::Aside;
pub(super) use aside::UNFINISHED;
use build::Builder;
use salvage::Salvage;

/// Entries are committed at most this long after a session gave them out, in ms, unless the disk failed.
const COMMIT_MS: u64 = 10_000;

/// An event that a capture tells again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedEvent {
    /// Serial number of the board.
    pub board: Arc<str>,
    /// The id of the game, as the daemon told the session.
    pub game: Arc<str>,
    /// When the session gave it out, hall time.
    pub at: UtcMs,
    /// Who says so.
    pub author: Author,
    /// Why it is believed.
    pub evidence: Evidence,
    /// What happened; its instants are UTC.
    pub event: Event,
}

/// What a rebuild did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rebuilt {
    /// Nothing is damaged, and the captures have nothing that the journal has not: nothing was changed.
    NothingToDo {
        /// What is missing and in no capture, one sentence each.
        missing: Vec<CodedText>,
    },
    /// There is a new journal.
    Anew {
        /// Entries that were sound.
        kept: u64,
        /// Events that captures told again.
        restored: u64,
        /// Where the old files are.
        aside: PathBuf,
        /// What could not be brought back, one sentence each.
        not_had: Vec<CodedText>,
    },
}

/// Why there is no new journal. The old files are as they were.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// A file cannot be read or written.
    #[error("{} cannot be read or written: check the folder's permissions and the space on its disk", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The new journal cannot be written.
    #[error("the new journal cannot be written: check the space on the disk")]
    Journal(#[from] JournalError),
}

impl RebuildError {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::File { path, source }
    }
}

/// Times in which entries are missing.
#[derive(Debug, Default)]
struct Windows(Vec<(UtcMs, UtcMs)>);

impl Windows {
    fn contain(&self, at: UtcMs) -> bool {
        self.0.iter().any(|(from, until)| (*from..=*until).contains(&at))
    }
}

/// What captures tell.
#[derive(Clone, Debug, Default)]
pub struct Captured {
    /// The events of all games.
    pub events: Vec<CapturedEvent>,
    /// The settings of all boards; what does not change anything is left out.
    pub boards: Vec<NewBoardFact>,
}

/// Makes the journal of a data folder anew if it needs it. `captured` is what all captures tell; `initial` gives the
/// orders of a daemon that begins with an empty hall.
///
/// # Errors
/// A [`RebuildError`]; then the old files are as they were.
pub fn rebuild(
    folder: &DataFolder,
    now: UtcMs,
    captured: Captured,
    initial: impl FnOnce(&Hall) -> Vec<Order>,
) -> Result<Rebuilt, RebuildError> {
    let data = folder.path();
    let aside = Aside::take(data)?;
    let notice = Notice::read(data).unwrap_or_default();
    let salvage = salvage::read(&aside.work_copy()?);
    let windows = windows(&salvage, &mark::read(&aside.journal()).unwrap_or(Found::Damaged), &notice);
    let on_boards = captured.events.iter().map(|event| (Arc::clone(&event.game), Arc::clone(&event.board))).collect();
    let wanted = Captured {
        events: captured.events.into_iter().filter(|event| windows.contain(event.at)).collect(),
        boards: captured.boards.into_iter().filter(|fact| windows.contain(fact.at)).collect(),
    };

    let new = aside.new_journal()?;
    let kept = salvage.entries.len() as u64;
    let built = super::Journal::filled(&new, |transaction| {
        Builder::new(transaction, initial, on_boards).build(&salvage, wanted)
    })?;
    let salvage_is_whole = salvage.lost.is_empty();
    let mut not_had = salvage.lost;
    let nothing_new = salvage_is_whole && built.restored == 0 && built.not_had.is_empty();
    not_had.extend(built.not_had);
    if nothing_new && !aside.was_interrupted() && is_sound(data) {
        aside.forget()?;
        return Ok(Rebuilt::NothingToDo { missing: notice.missing });
    }
    if !windows.0.is_empty() {
        not_had.push(Loss::OrdersOfPeople.into());
    }
    check(&new, &mut not_had)?;
    Notice { at: now, missing: Vec::new(), windows: Vec::new(), rebuilt: true, not_had: not_had.clone() }
        .write(&journal_path(data))
        .map_err(RebuildError::file(data))?;
    let aside = aside.put_in_place(&new, now)?;
    Ok(Rebuilt::Anew { kept, restored: built.restored, aside, not_had })
}

/// Whether the rows of the journal are sound, whatever its end.
fn is_sound(data: &Path) -> bool {
    let mut findings = Findings::default();
    Reader::open_in(data).and_then(|reader| reader.check_rows(&mut findings)).is_ok() && findings.faults.is_empty()
}

/// The times in which entries are missing: between rows that are not beside each other, after the last one when the mark
/// went further, and what earlier starts noticed.
fn windows(salvage: &Salvage, mark: &Found, notice: &Notice) -> Windows {
    let mut windows = notice.windows.clone();
    for [one, next] in salvage.entries.array_windows() {
        if next.number() > one.number() + 1 {
            windows.push((one.committed_at(), next.committed_at()));
        }
    }
    match (salvage.entries.first(), salvage.entries.last()) {
        (Some(first), Some(last)) => {
            if first.number() > 0 {
                windows.push((0, first.committed_at()));
            }
            let is_whole = matches!(mark, Found::Mark(mark) if mark.next <= last.number() + 1);
            if !is_whole || salvage.is_cut {
                windows.push((last.committed_at(), UtcMs::MAX));
            }
        }
        _ => windows.push((0, UtcMs::MAX)),
    }
    for (from, _) in &mut windows {
        *from = from.saturating_sub(COMMIT_MS);
    }
    Windows(windows)
}

/// Checks the new journal as `boardcast check` does.
fn check(journal: &Path, not_had: &mut Vec<CodedText>) -> Result<(), RebuildError> {
    let mut findings = Findings::default();
    Reader::open(journal)?.check(&mut findings)?;
    if !findings.faults.is_empty() {
        not_had.push(Loss::Faults { faults: findings.faults.len() }.into());
    }
    Ok(())
}
