//! The arbiter's alarms: the hall under watch, from the record without delay.
//!
//! Knows games, boards and rounds as they are now, and asks `game_core::alarm` what is worth a look. Never public, and
//! nothing of it is in the record: an alarm that still holds after a restart is raised again. When one about a game was
//! raised first, and who has acknowledged it, is in a small file (`kept.rs`). Must not know who reads them.

mod aside;
pub(crate) mod disk;
mod exchanged;
pub mod hook;
mod kept;
pub mod messages;
mod seating;
mod sentence;
#[cfg(test)]
mod tests;
mod watch;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use coded_text::CodedText;
use game_core::alarm::{Alarm, AlarmChange, AlarmId, AlarmKind, Alarms, Audience};
use tokio::sync::broadcast;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::director::DirectorHandle;
use crate::review::Review;
use crate::transport::capture_file::CaptureFolder;
use crate::transport::ports::Ports;
use disk::{DiskState, DiskWatch};
use hall_clock::{HallClock, UtcMs};
use journal::{Feed, RecorderHandle};
use kept::KeptAlarms;
pub(crate) use sentence::HallSentence;
use watch::Watch;

/// Time between two checks of the hall; an alarm is for a person who has to walk there.
const LOOK: Duration = Duration::from_millis(250);

/// Changes kept for a reader that falls behind.
const CHANGES: usize = 256;

/// The alarms that hold now; copies share them.
#[derive(Clone, Debug)]
pub struct AlarmBook {
    alarms: Arc<Mutex<Alarms>>,
    changes: broadcast::Sender<AlarmChange>,
}

impl Default for AlarmBook {
    fn default() -> Self {
        Self { alarms: Arc::default(), changes: broadcast::Sender::new(CHANGES) }
    }
}

impl AlarmBook {
    /// The alarms that `may_see` allows, the oldest first.
    pub fn list(&self, may_see: impl Fn(Audience) -> bool) -> Vec<Alarm> {
        self.alarms().active().into_iter().filter(|alarm| may_see(alarm.audience)).cloned().collect()
    }

    /// Marks an alarm that `may_see` allows as acknowledged, and returns it; an earlier acknowledgement stays. None when the
    /// alarm is over.
    pub fn acknowledge(&self, number: u64, by: &str, now: UtcMs, may_see: impl Fn(Audience) -> bool) -> Option<Alarm> {
        let id = AlarmId::from_number(number);
        let mut alarms = self.alarms();
        let visible = |alarms: &Alarms| {
            alarms.active().into_iter().find(|alarm| alarm.id == id && may_see(alarm.audience)).cloned()
        };
        visible(&alarms)?;
        let change = alarms.acknowledge(id, by, now);
        let alarm = visible(&alarms);
        drop(alarms);
        self.notify(change);
        alarm
    }

    /// The changes from now on. A reader that is too far behind learns how many it lost, and reads the list again.
    pub fn changes(&self) -> broadcast::Receiver<AlarmChange> {
        self.changes.subscribe()
    }

    /// An alarm about the daemon itself: raised with sentences, over without any.
    pub(crate) fn daemon(&self, now: UtcMs, kind: AlarmKind, sentences: Vec<CodedText>) {
        let change = self.alarms().daemon(now, kind, sentences);
        self.notify(change);
    }

    fn notify(&self, changes: impl IntoIterator<Item = AlarmChange>) {
        for change in changes {
            // Without a reader there is no one to notify.
            let _ = self.changes.send(change);
        }
    }

    fn alarms(&self) -> MutexGuard<'_, Alarms> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A sentence of tests.
#[cfg(test)]
pub(crate) fn said(english: &str) -> Vec<CodedText> {
    vec![CodedText { code: "test".into(), params: [].into(), english: english.to_owned(), place: None }]
}

/// What alarms are about.
#[derive(Clone)]
pub struct Watched {
    /// The owner of the tournament and the registry of boards.
    pub director: DirectorHandle,
    /// The record.
    pub feed: Feed,
    /// Its writer.
    pub recorder: RecorderHandle,
    /// What a person has to look at.
    pub review: Review,
    /// The data folder, whose disk is watched.
    pub data: PathBuf,
    /// Where captures are written.
    pub captures: CaptureFolder,
    /// The ports, with those that cannot be reached.
    pub ports: Ports,
    /// Hall time.
    pub clock: HallClock,
}

/// Watches the hall until the stop.
pub async fn run(book: AlarmBook, watched: Watched, stop: CancellationToken) {
    let Watched { director, feed, recorder, review, data, captures, ports, clock } = watched;
    let mut watch = Watch::new(feed.read_from(0));
    let mut kept = KeptAlarms::open(&data);
    book.alarms().recall(kept.alarms().to_vec());
    let mut disk_watch = DiskWatch::new(move || DiskState::of(&data));
    // Boards without a table that the log has named.
    let mut asked = BTreeSet::new();
    let mut looks = tokio::time::interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return kept.finish().await,
            _ = looks.tick() => {}
        }
        let now = clock.now();
        let disk = disk_watch.look().await;
        let failing = HallSentence::of_recorder(&recorder).or_else(|| disk.refuses());
        book.daemon(now, AlarmKind::RecordFailing, failing.iter().map(HallSentence::coded).collect());
        let uncaptured = captures.is_failing().then_some(HallSentence::CapturesFailing);
        book.daemon(now, AlarmKind::CapturesFailing, uncaptured.iter().map(HallSentence::coded).collect());
        book.daemon(now, AlarmKind::DiskSpaceLow, disk.is_low().iter().map(HallSentence::coded).collect());
        book.daemon(now, AlarmKind::RecordIncomplete, review.sentences());
        book.daemon(now, AlarmKind::ResultDiffers, watch::differing_byes(&director));
        let changes = watch.look(&mut book.alarms(), &director, now);
        book.notify(changes);
        let exchanged = watch.exchanged();
        if !exchanged.is_empty() {
            // Boards may take their time.
            let boards = director.boards().clone();
            tokio::spawn(async move { boards.notify(exchanged).await });
        }
        let held = book.alarms().to_keep();
        kept.keep(held).await;
        let seating = seating::look(&director, |game| watch.running_moves(game));
        for board in &seating.boards {
            if asked.insert(Arc::clone(board)) {
                tracing::warn!("{}", seating::not_assigned(std::slice::from_ref(board)));
            }
        }
        book.daemon(now, AlarmKind::BoardWithoutTable, seating.without_table);
        book.daemon(now, AlarmKind::MovesBeforeRound, seating.before_round);
        book.daemon(now, AlarmKind::ServerUnreachable, seating::unreachable(&ports.list(), now));
        book.daemon(now, AlarmKind::TrademarkUnknown, seating::other_trademarks(&director.boards().other_trademarks()));
    }
}
