//! The record: events in, committed feed out.
//!
//! What is in the committed feed may be published; nothing else may (invariant 5). One thread writes the journal;
//! whatever waits goes into its next commit, so that load makes batches and idleness makes no delay. While the disk
//! fails, events wait in memory and nobody waits for them. Knows nothing of boards' bytes and nothing of viewers.

mod feed;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use game_core::event::{Author, Event, Evidence};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::hall_clock::{HallClock, UtcMs};
use crate::store::Journal;
use crate::tournament::{Fact, PersonRecord, PlayerId};
use feed::Log;

pub use feed::{Feed, FeedReader};

/// How long a journal that could not be written is left alone before it is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// How long nothing must have been handed in before finished games are folded.
const IDLE: Duration = Duration::from_millis(50);

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

/// A fact of the hall on its way into the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HallDraft {
    /// Who says so.
    pub by: Author,
    /// Why, in the author's words.
    pub reason: Option<String>,
    /// What became true.
    pub fact: Fact,
}

/// A fact of the hall in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HallEntry {
    /// Position in the record; one count for events of games and facts of the hall.
    pub number: u64,
    /// Hall time of the commit.
    pub committed_at: UtcMs,
    /// The instant by which delay counts.
    pub effective_at: UtcMs,
    /// Who says so.
    pub by: Author,
    /// Why, in the author's words.
    pub reason: Option<String>,
    /// What became true.
    pub fact: Fact,
}

/// What a feed consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// An event of a game.
    Game(Arc<Entry>),
    /// A fact of the hall.
    Hall(Arc<HallEntry>),
}

impl Committed {
    /// Position in the record.
    pub fn number(&self) -> u64 {
        match self {
            Self::Game(entry) => entry.number,
            Self::Hall(entry) => entry.number,
        }
    }

    /// The event of a game, if it is one.
    pub fn game(&self) -> Option<&Arc<Entry>> {
        match self {
            Self::Game(entry) => Some(entry),
            Self::Hall(_) => None,
        }
    }
}

/// An event of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Position in the record, from 0; one count for events of games and facts of the hall.
    pub number: u64,
    /// Hall time of the commit.
    pub committed_at: UtcMs,
    /// The instant by which delay counts: that of the commit; for a correction, that of what it corrects (invariant 6).
    pub effective_at: UtcMs,
    /// Number in the public stream of its round, from 1 without gaps. The public view has no delay, so that it releases
    /// an event with its commit, and the number is committed with it. None for what the public does not see, and for
    /// tags that follow the start of their game in one hand-in: they go out with it.
    pub seq: Option<u64>,
    /// The event.
    pub draft: Draft,
}

/// What a board is known for by itself; where it stands and what is played on it are facts of the hall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardFact {
    /// How it lies.
    Facing {
        /// Whether White sits at the far end.
        rotated: bool,
        /// Whether the clock's left side is White's, once the clock told.
        white_is_left: Option<bool>,
    },
    /// Squares whose reports are not believed, and no others.
    Blind {
        /// As `e4`.
        squares: Vec<String>,
    },
}

/// A board's fact on its way into the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardDraft {
    /// Hall time.
    pub at: UtcMs,
    /// Serial number.
    pub board: Arc<str>,
    /// What happened.
    pub fact: BoardFact,
}

/// What one owner hands in at once; it is committed together, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandIn {
    /// Facts of boards.
    pub boards: Vec<BoardDraft>,
    /// Facts of the hall, in order.
    pub hall: Vec<HallDraft>,
    /// Who players are from now on; nobody when a person is forgotten. Then the tags of his games are among
    /// [`HandIn::games`], all of them, and what they were before is removed.
    pub persons: Vec<(PlayerId, Option<PersonRecord>)>,
    /// Events of games, in order.
    pub games: Vec<Draft>,
    /// Those of these games that the public does not see now. Their events get no number in a public stream: a gap would
    /// tell that something is held back.
    pub hidden: BTreeSet<Arc<str>>,
}

impl HandIn {
    /// What counts as waiting while it is not committed.
    fn weight(&self) -> usize {
        self.games.len() + self.hall.len()
    }
}

/// Starts the recorder over a journal. The feed begins with `past`, entries of that journal in their order. The thread
/// ends, and the feed with it, when every handle is gone and all is committed or cannot be.
///
/// # Errors
/// When the system gives no thread.
pub fn start(
    clock: HallClock,
    journal: Journal,
    past: Vec<Committed>,
) -> io::Result<(RecorderHandle, Feed, JoinHandle<()>)> {
    let (sender, mailbox) = mpsc::channel();
    let state = Arc::new(State::default());
    let feed = Feed::new(past);
    let mut recorder = Recorder { mailbox, state: Arc::clone(&state), log: feed.log(), clock, journal };
    let thread = thread::Builder::new().name("recorder".into()).spawn(move || recorder.run())?;
    Ok((RecorderHandle { sender, state }, feed, thread))
}

/// What was handed in, and who waits for its commit.
#[derive(Debug)]
struct Mail {
    hand_in: HandIn,
    durable: Option<oneshot::Sender<()>>,
}

/// What is known about the recorder outside its thread.
#[derive(Debug, Default)]
struct State {
    backlog: AtomicUsize,
    failing: AtomicBool,
}

/// Where events are handed in.
#[derive(Clone, Debug)]
pub struct RecorderHandle {
    /// Without a bound on purpose: a full disk must neither stop a board's task nor cost a move. [`Self::backlog`]
    /// tells how much waits.
    sender: mpsc::Sender<Mail>,
    state: Arc<State>,
}

impl RecorderHandle {
    /// Hands in what one owner has to say; it is committed together. Never waits.
    pub fn record(&self, hand_in: HandIn) {
        self.send(Mail { hand_in, durable: None });
    }

    /// The same; what is given back hears of the commit, of that of everything handed in before too.
    pub fn record_durably(&self, hand_in: HandIn) -> oneshot::Receiver<()> {
        let (sender, durable) = oneshot::channel();
        self.send(Mail { hand_in, durable: Some(sender) });
        durable
    }

    fn send(&self, mail: Mail) {
        let count = mail.hand_in.weight();
        let before = self.state.backlog.fetch_add(count, Ordering::Relaxed);
        if before < ALARMING_BACKLOG && before + count >= ALARMING_BACKLOG {
            tracing::error!(
                waiting = before + count,
                "the record does not keep up: moves are kept in memory and not yet published; check the disk"
            );
        }
        if self.sender.send(mail).is_err() {
            tracing::error!(lost = count, "the recorder has stopped: events are lost; restart the daemon");
        }
    }

    /// Events that wait for their commit.
    pub fn backlog(&self) -> usize {
        self.state.backlog.load(Ordering::Relaxed)
    }

    /// Whether the journal cannot be written at this moment. An alarm for those with access, never public.
    pub fn is_failing(&self) -> bool {
        self.state.failing.load(Ordering::Relaxed)
    }
}

/// The one writer.
struct Recorder {
    mailbox: mpsc::Receiver<Mail>,
    state: Arc<State>,
    log: Arc<Log>,
    clock: HallClock,
    journal: Journal,
}

impl Recorder {
    fn run(&mut self) {
        let mut waiting = Vec::new();
        let mut to_tell = Vec::new();
        let mut retry_at: Option<Instant> = None;
        let mut idle = IDLE;
        let mut open = true;
        while open {
            let next = match retry_at {
                Some(at) => self.mailbox.recv_timeout(at.saturating_duration_since(Instant::now())),
                None if self.journal.has_unfolded() => self.mailbox.recv_timeout(idle),
                None => self.mailbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            open = !matches!(next, Err(RecvTimeoutError::Disconnected));
            if retry_at.is_none() && matches!(next, Err(RecvTimeoutError::Timeout)) {
                idle = self.fold();
            }
            // Whatever waits goes into one commit.
            for mail in next.into_iter().chain(self.mailbox.try_iter()) {
                waiting.push(mail.hand_in);
                to_tell.extend(mail.durable);
            }
            if open && retry_at.is_some_and(|at| Instant::now() < at) || waiting.is_empty() {
                continue;
            }
            if self.commit(&waiting) {
                waiting.clear();
                for waiter in to_tell.drain(..) {
                    // Whoever waits no longer learns it from the feed.
                    let _ = waiter.send(());
                }
                retry_at = None;
            } else {
                retry_at = Some(Instant::now() + RETRY);
            }
        }
        let lost = waiting.iter().map(HandIn::weight).sum::<usize>();
        if lost > 0 {
            tracing::error!(lost, "the last events never reached the journal; the captures hold their evidence");
        }
    }

    /// Gives how long to wait for the next time. Nobody waits for it: what cannot be folded now is folded later, and told
    /// from its events until then.
    fn fold(&mut self) -> Duration {
        match self.journal.fold_finished() {
            Ok(_) => IDLE,
            Err(error) => {
                tracing::debug!(%error, "finished games are not folded yet");
                RETRY
            }
        }
    }

    /// Whether what was handed in is durable now.
    fn commit(&mut self, handed_in: &[HandIn]) -> bool {
        let entries = match self.journal.commit(self.clock.now(), handed_in) {
            Ok(entries) => entries,
            Err(error) => {
                if !self.state.failing.swap(true, Ordering::Relaxed) {
                    let reason = std::error::Error::source(&error).map(ToString::to_string);
                    tracing::error!(
                        reason,
                        "the journal cannot be written: games go on in memory and nothing new is published; free space \
                         on the disk or replace it"
                    );
                }
                return false;
            }
        };
        if self.state.failing.swap(false, Ordering::Relaxed) {
            tracing::info!(events = entries.len(), "the journal is written again, and so is all that waited");
        }
        self.log.write(|written| {
            // While nobody can read yet: whoever reads an entry does not find it waiting.
            self.state.backlog.fetch_sub(entries.len(), Ordering::Relaxed);
            self.journal.without_forgotten(written);
            written.extend(entries);
        });
        true
    }
}

impl Drop for Recorder {
    /// Also after a panic: readers must learn that nothing more comes.
    fn drop(&mut self) {
        self.log.end();
    }
}
