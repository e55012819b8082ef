//! A disk with the data folder that has little space left or has become read-only, before the record fails because of it.

use std::path::Path;
use std::time::Duration;

use journal::DataFolder;
use tokio::time::Instant;

use super::HallSentence;
use super::aside::Aside;

/// Time between two questions: what is free changes slowly.
const EVERY: Duration = Duration::from_secs(5);
/// Free space in bytes below which a person should look: a day of a big hall writes less.
const LOW: u64 = 500 << 20;
/// Steps in which what is left is said, in bytes: each is a new message to those who are not there.
const STEP: u64 = 100 << 20;

/// What a disk answers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DiskState {
    /// Free bytes; none where the system does not tell: the folder is watched elsewhere.
    free: Option<u64>,
    /// Nothing can be written, which a hall in which nothing happens would not notice.
    is_read_only: bool,
}

impl DiskState {
    /// That of the disk of a folder now; may wait for the disk.
    pub(super) fn of(data: &Path) -> Self {
        Self { free: free(data), is_read_only: DataFolder::is_read_only(data) }
    }

    /// Why nothing can be written.
    pub(super) fn refuses(self) -> Option<HallSentence> {
        self.is_read_only.then_some(HallSentence::DiskReadOnly)
    }

    /// What to say about its free space.
    pub(super) fn is_low(self) -> Option<HallSentence> {
        low(self.free?)
    }
}

/// A disk that is asked from time to time. The looks at the hall never wait for the answer: a disk of the network may hang.
pub(super) struct DiskWatch<A> {
    ask: A,
    asking: Aside<DiskState>,
    next: Instant,
    last: DiskState,
}

impl<A: Fn() -> DiskState + Clone + Send + 'static> DiskWatch<A> {
    pub(super) fn new(ask: A) -> Self {
        Self { ask, asking: Aside::default(), next: Instant::now(), last: DiskState::default() }
    }

    /// The last answer of the disk.
    pub(super) async fn look(&mut self) -> DiskState {
        if let Some(answer) = self.asking.done().await {
            let said = |state: DiskState| state.is_low().map(|sentence| sentence.coded().english);
            // A person at the terminal in which the daemon was started sees its log, and no alarm.
            if let Some(sentence) = said(answer).filter(|sentence| said(self.last).as_ref() != Some(sentence)) {
                tracing::warn!("{sentence}");
            }
            self.last = answer;
        }
        if Instant::now() >= self.next && self.asking.begin(self.ask.clone()) {
            self.next = Instant::now() + EVERY;
        }
        self.last
    }
}

/// What to say about the disk of a folder now; may wait for the disk.
pub(crate) fn look(data: &Path) -> Option<HallSentence> {
    low(free(data)?)
}

/// The free bytes of the disk of a folder. None where the system does not tell.
fn free(data: &Path) -> Option<u64> {
    fs4::available_space(data).ok()
}

/// What to say about so many free bytes.
fn low(free: u64) -> Option<HallSentence> {
    (free < LOW).then(|| HallSentence::DiskSpaceLow { megabytes: (free / STEP + 1) * (STEP >> 20) })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex, mpsc};

    use super::*;

    #[test]
    fn little_space_is_said_in_steps() {
        let said = |megabytes: u64| low(megabytes << 20).map(|sentence| sentence.coded().english);
        assert_eq!(said(500), None);
        let sentence = said(499).unwrap();
        assert!(sentence.contains("less than 500 MB left"), "{sentence}");
        assert_eq!(said(401), said(499));
        assert!(said(0).unwrap().contains("less than 100 MB left"));
    }

    #[test]
    fn a_read_only_disk_is_said_while_nothing_waits_for_it() {
        let refuses = |is_read_only| DiskState { free: Some(10 << 30), is_read_only }.refuses();
        assert!(refuses(false).is_none());
        assert!(refuses(true).unwrap().coded().english.contains("read-only"));
    }

    #[tokio::test]
    async fn a_disk_that_does_not_answer_holds_no_look_up_and_is_asked_once() {
        let (answer, answers) = mpsc::channel();
        let (answers, asked) = (Arc::new(Mutex::new(answers)), Arc::new(AtomicU64::new(0)));
        let count = Arc::clone(&asked);
        let mut watch = DiskWatch::new(move || {
            count.fetch_add(1, Ordering::SeqCst);
            DiskState { free: answers.lock().unwrap().recv().ok(), is_read_only: false }
        });
        for _ in 0..20 {
            assert!(watch.look().await.is_low().is_none(), "nothing is known yet");
        }
        answer.send(10 << 20).unwrap();
        let patience = std::time::Instant::now() + Duration::from_secs(20);
        while watch.look().await.is_low().is_none() {
            assert!(std::time::Instant::now() < patience, "the answer is not heard");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        for _ in 0..20 {
            assert!(watch.look().await.is_low().is_some(), "the last answer counts");
        }
        assert_eq!(asked.load(Ordering::SeqCst), 1, "the next question is seconds away");
    }
}
