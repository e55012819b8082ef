//! The record: events in, committed feed out.
//!
//! What is in the committed feed may be published; nothing else may (invariant 5). One thread writes; here a commit is
//! an append in memory. Knows nothing of boards' bytes and nothing of viewers.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};

use game_core::event::{Author, Event, Evidence};
use notation::pgn::Outcome;

use crate::hall_clock::{HallClock, UtcMs};

/// Drafts waiting for their commit at which the log says that the recorder does not keep up.
const ALARMING_BACKLOG: usize = 4096;

/// The game an event belongs to, and where that game is found in the event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameRef {
    /// The game's id.
    pub game: Arc<str>,
    /// Slug of the event or section.
    pub event: Arc<str>,
    /// Round number, from 1.
    pub round: u32,
    /// Table number, from 1.
    pub table: u32,
}

/// An event on its way into the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// When the session gave it out, hall time.
    pub at: UtcMs,
    /// The game.
    pub game: GameRef,
    /// Who says so.
    pub author: Author,
    /// Why it is believed.
    pub evidence: Evidence,
    /// What happened; its instants are UTC ([`Event::shifted`]).
    pub event: Event,
}

/// An event of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Position in the record, from 0 without gaps.
    pub number: u64,
    /// The instant by which delay counts: that of the commit; for a correction, that of what it corrects (invariant 6).
    pub effective_at: UtcMs,
    /// The event.
    pub draft: Draft,
}

/// Starts the recorder. Its thread ends, and the feed with it, when every handle is gone and all is committed.
///
/// # Errors
/// When the system gives no thread.
pub fn start(clock: HallClock) -> io::Result<(RecorderHandle, Feed, JoinHandle<()>)> {
    let (sender, mailbox) = mpsc::channel();
    let backlog = Arc::new(AtomicUsize::new(0));
    let feed = Feed { log: Arc::new(Log::default()) };
    let mut recorder = Recorder {
        mailbox,
        backlog: Arc::clone(&backlog),
        log: Arc::clone(&feed.log),
        clock,
        games: HashMap::new(),
        hand_in: 0,
    };
    let thread = thread::Builder::new().name("recorder".into()).spawn(move || recorder.run())?;
    Ok((RecorderHandle { sender, backlog }, feed, thread))
}

/// Where events are handed in.
#[derive(Clone, Debug)]
pub struct RecorderHandle {
    /// Without a bound on purpose: a full disk must neither stop a board's task nor cost a move. [`Self::backlog`]
    /// tells how much waits.
    sender: mpsc::Sender<Vec<Draft>>,
    backlog: Arc<AtomicUsize>,
}

impl RecorderHandle {
    /// Hands in events of one owner in their order; they are committed together. Never waits.
    pub fn record(&self, drafts: Vec<Draft>) {
        let count = drafts.len();
        let before = self.backlog.fetch_add(count, Ordering::Relaxed);
        if before < ALARMING_BACKLOG && before + count >= ALARMING_BACKLOG {
            tracing::error!(
                waiting = before + count,
                "the record does not keep up: moves are kept in memory and not yet published; check the disk"
            );
        }
        if self.sender.send(drafts).is_err() {
            tracing::error!(lost = count, "the recorder has stopped: events are lost; restart the daemon");
        }
    }

    /// Events that wait for their commit.
    pub fn backlog(&self) -> usize {
        self.backlog.load(Ordering::Relaxed)
    }
}

/// The committed events in commit order, for any number of readers.
#[derive(Clone, Debug)]
pub struct Feed {
    log: Arc<Log>,
}

impl Feed {
    /// A reader whose first entry is the one with this number.
    pub fn read_from(&self, number: u64) -> FeedReader {
        FeedReader { log: Arc::clone(&self.log), next: usize::try_from(number).unwrap_or(usize::MAX) }
    }
}

/// Reads the feed at its own pace and misses nothing.
#[derive(Debug)]
pub struct FeedReader {
    log: Arc<Log>,
    next: usize,
}

impl FeedReader {
    /// Waits for entries not read yet and returns them all, whole commits only; `None` when the feed has ended.
    pub fn next_entries(&mut self) -> Option<Vec<Arc<Entry>>> {
        let mut written = self.log.lock();
        loop {
            match written.entries.get(self.next..) {
                Some(fresh) if !fresh.is_empty() => {
                    let fresh = fresh.to_vec();
                    self.next += fresh.len();
                    return Some(fresh);
                }
                _ if written.ended => return None,
                _ => {
                    written = self.log.grown.wait(written).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

#[derive(Debug, Default)]
struct Log {
    written: Mutex<Written>,
    grown: Condvar,
}

#[derive(Debug, Default)]
struct Written {
    entries: Vec<Arc<Entry>>,
    ended: bool,
}

impl Log {
    fn lock(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The one writer.
struct Recorder {
    mailbox: mpsc::Receiver<Vec<Draft>>,
    backlog: Arc<AtomicUsize>,
    log: Arc<Log>,
    clock: HallClock,
    games: HashMap<Arc<str>, Instants>,
    /// Counts what was handed in together.
    hand_in: u64,
}

impl Recorder {
    fn run(&mut self) {
        while let Ok(first) = self.mailbox.recv() {
            // Whatever waits goes into one commit.
            let mut waiting = vec![first];
            waiting.extend(self.mailbox.try_iter());
            self.commit(waiting);
        }
    }

    fn commit(&mut self, handed_in: Vec<Vec<Draft>>) {
        let now = self.clock.now();
        let count = handed_in.iter().map(Vec::len).sum();
        let mut written = self.log.lock();
        for drafts in handed_in {
            self.hand_in += 1;
            for draft in drafts {
                let instants = self.games.entry(Arc::clone(&draft.game.game)).or_default();
                let effective_at = instants.effective(&draft.event, self.hand_in, now);
                let number = written.entries.len() as u64;
                written.entries.push(Arc::new(Entry { number, effective_at, draft }));
            }
        }
        // While nobody can read yet: whoever reads an entry does not find it waiting.
        self.backlog.fetch_sub(count, Ordering::Relaxed);
        drop(written);
        self.log.grown.notify_all();
    }
}

impl Drop for Recorder {
    /// Also after a panic: readers must learn that nothing more comes.
    fn drop(&mut self) {
        self.log.lock().ended = true;
        self.log.grown.notify_all();
    }
}

/// The instants of what stands in a game, for corrections to take over.
#[derive(Debug, Default)]
struct Instants {
    plies: Vec<UtcMs>,
    result: Option<UtcMs>,
    /// Instants of plies that were taken back, the last ply first, and the hand-in that did it. Moves handed in with
    /// the retraction correct those plies; later ones are new.
    replaced: (u64, Vec<UtcMs>),
}

impl Instants {
    fn effective(&mut self, event: &Event, hand_in: u64, now: UtcMs) -> UtcMs {
        let index = |ply: u32| usize::try_from(ply).unwrap_or(usize::MAX);
        match event {
            Event::Move { .. } => {
                let (by, replaced) = &mut self.replaced;
                let at = (*by == hand_in).then(|| replaced.pop()).flatten().unwrap_or(now);
                self.plies.push(at);
                at
            }
            Event::Retract { to_ply } => {
                let mut taken_back = self.plies.split_off(index(*to_ply).min(self.plies.len()));
                taken_back.reverse();
                let at = taken_back.last().copied().unwrap_or(now);
                self.replaced = (hand_in, taken_back);
                at
            }
            Event::Amend { ply, .. } => {
                index(*ply).checked_sub(1).and_then(|i| self.plies.get(i)).copied().unwrap_or(now)
            }
            Event::Result { result, .. } => {
                let at = self.result.unwrap_or(now);
                self.result = (*result != Outcome::Unknown).then_some(at);
                at
            }
            _ => now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(game: &str, event: Event) -> Draft {
        let game = GameRef { game: game.into(), event: "hall".into(), round: 1, table: 1 };
        Draft { at: 0, game, author: Author::Board, evidence: Evidence::Lever, event }
    }

    fn move_at(ply: u32) -> Event {
        Event::Move { ply, san: "Nf3".into(), uci: "g1f3".into(), clk_ms: None, emt_ms: None }
    }

    #[test]
    fn a_late_reader_gets_everything_in_order_and_learns_the_end() {
        let (handle, feed, thread) = start(HallClock::start(1.0)).unwrap();
        let other = handle.clone();
        for ply in 1..=50 {
            handle.record(vec![draft("a", move_at(ply))]);
            other.record(vec![draft("b", move_at(ply)), draft("b", Event::Resolved)]);
        }
        drop((handle, other));
        thread.join().unwrap();

        let mut reader = feed.read_from(0);
        let all = reader.next_entries().unwrap();
        assert!(all.iter().map(|entry| entry.number).eq(0..150));
        let plies: Vec<_> = all
            .iter()
            .filter(|entry| &*entry.draft.game.game == "b")
            .filter_map(|entry| match entry.draft.event {
                Event::Move { ply, .. } => Some(ply),
                _ => None,
            })
            .collect();
        assert!(plies.into_iter().eq(1..=50), "one owner's events keep their order");
        assert!(reader.next_entries().is_none());

        let tail = feed.read_from(140).next_entries().unwrap();
        assert_eq!(tail.first().map(|entry| entry.number), Some(140));
        assert!(feed.read_from(9_999).next_entries().is_none());
    }

    #[test]
    fn a_reader_that_waits_is_woken_by_a_commit() {
        let (handle, feed, _) = start(HallClock::start(1.0)).unwrap();
        let mut reader = feed.read_from(0);
        let waiting = thread::spawn(move || reader.next_entries());
        handle.record(vec![draft("a", move_at(1))]);
        assert_eq!(waiting.join().unwrap().unwrap().len(), 1);
        assert_eq!(handle.backlog(), 0);
    }

    #[test]
    fn a_correction_counts_from_what_it_corrects() {
        let mut game = Instants::default();
        assert_eq!(game.effective(&move_at(1), 1, 100), 100);
        assert_eq!(game.effective(&move_at(2), 2, 200), 200);
        assert_eq!(game.effective(&move_at(3), 3, 300), 300);
        // The board showed another second move: the retraction and the right moves come together.
        assert_eq!(game.effective(&Event::Retract { to_ply: 1 }, 4, 400), 200);
        assert_eq!(game.effective(&move_at(2), 4, 400), 200);
        assert_eq!(game.effective(&move_at(3), 4, 400), 300);
        assert_eq!(game.effective(&move_at(4), 4, 400), 400);
        // A takeback by the players: what they play later is new.
        assert_eq!(game.effective(&Event::Retract { to_ply: 3 }, 5, 500), 400);
        assert_eq!(game.effective(&move_at(4), 6, 600), 600);
        assert_eq!(game.effective(&Event::Amend { ply: 3, clk_ms: None, emt_ms: None }, 7, 700), 300);
        let result = |result| Event::Result { result, reason: String::new() };
        assert_eq!(game.effective(&result(Outcome::Draw), 8, 800), 800);
        assert_eq!(game.effective(&result(Outcome::Unknown), 9, 900), 800);
        assert_eq!(game.effective(&result(Outcome::WhiteWins), 10, 1000), 1000);
    }

    #[test]
    fn damaged_ply_numbers_are_harmless() {
        let mut game = Instants::default();
        assert_eq!(game.effective(&Event::Retract { to_ply: u32::MAX }, 1, 1), 1);
        assert_eq!(game.effective(&Event::Amend { ply: 0, clk_ms: None, emt_ms: None }, 1, 2), 2);
        assert_eq!(game.effective(&Event::Amend { ply: u32::MAX, clk_ms: None, emt_ms: None }, 1, 3), 3);
    }
}
