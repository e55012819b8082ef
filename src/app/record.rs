//! What the record needs around it: its condition at the start, hall time that goes on from it, its folder under watch.

use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use accounts::Accounts;
use anyhow::bail;
use hall_clock::{HallClock, UtcMs};
use journal::{Condition, Journal, JournalWatch, RecorderHandle};
use tokio_util::sync::CancellationToken;

use super::Tasks;
use crate::review::Review;

/// How often the daemon looks whether its data folder is still there.
const PRESENCE: Duration = Duration::from_secs(2);

/// Says what is not as it was left, and what a person has to look at.
pub(super) fn review_of(journal: &Journal, data: &Path) -> Review {
    match journal.condition() {
        Condition::Whole | Condition::Unmarked | Condition::Missing(_) => {}
        Condition::Copied => tracing::info!("the journal is a copy or a restored backup: its streams have new names"),
        Condition::MarkDamaged => tracing::error!(
            "the mark beside the journal cannot be read, so no one knows whether entries are missing: compare the last games \
             with the boards; its streams have new names"
        ),
    }
    let review = Review::of(data.to_owned());
    for sentence in review.sentences() {
        tracing::error!("{sentence}");
    }
    review
}

/// Hall time that does not run backwards within the record, even when the machine's clock was set back over a restart.
pub(super) fn go_on_from(clock: HallClock, latest: Option<UtcMs>) -> HallClock {
    let behind = latest.map_or(0, |latest| latest.saturating_sub(clock.now()));
    if behind > 0 {
        tracing::warn!(
            "the machine's clock is {} s behind the last event of the record: times go on from that event; check the \
             machine's date and restart the daemon",
            behind.div_ceil(1000)
        );
    }
    clock.not_before(latest.unwrap_or(0))
}

/// The accounts; none when their file cannot be used. Everything public works without them.
pub(super) fn open_accounts(data: &Path) -> Option<Accounts> {
    Accounts::open(data)
        .inspect_err(|error| {
            let reason = std::error::Error::source(error).map(ToString::to_string);
            tracing::error!(
                reason,
                "{error}; the broadcast goes on and no one can log in: restore the file from a backup or move it away, and \
                 restart the daemon"
            );
        })
        .ok()
}

/// Watches over the data folder.
pub(super) fn watch_folder(tasks: &mut Tasks, watched: JournalWatch, recorder: RecorderHandle, review: Review) {
    let stop = tasks.stop.clone();
    tasks.supervisor.replaceable("watch of the data folder", move || {
        watching_journal(watched.clone(), recorder.clone(), review.clone(), stop.clone())
    });
}

/// Looks from time to time whether the journal is still in its folder.
async fn watching_journal(
    watch: JournalWatch,
    recorder: RecorderHandle,
    review: Review,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let mut ticks = tokio::time::interval(PRESENCE);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let (watch, review) = (watch.clone(), review.clone());
        let look = move || {
            review.look_again();
            watch.is_there()
        };
        recorder.note_presence(tokio::task::spawn_blocking(look).await?);
    }
    Ok(())
}

/// A thread as a task of the supervisor.
pub(super) async fn end_of(thread: JoinHandle<()>) -> anyhow::Result<()> {
    match tokio::task::spawn_blocking(|| thread.join()).await? {
        Ok(()) => Ok(()),
        Err(_) => bail!("it panicked; the reason is above"),
    }
}
