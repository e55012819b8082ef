//! The director: the one owner of the tournament. Orders come in, what they lead to is recorded and told to boards.
//!
//! Facts are handed to the recorder in the order in which they are folded here, under one lock; so a fold of the journal
//! gives the same hall. What an order may do is `tournament::decide`'s business, what a board shows recognition's.

mod boards;
pub mod initial;
pub mod pairings_folder;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::NaiveDate;
use game_core::event::{Author, Evidence};
use game_core::game::Game;
use game_core::input::{Assign, Notice, Resume};
use tokio::sync::{oneshot, watch};

use crate::boards::registry::{Message, Switchboard};
use hall_clock::{HallClock, UtcMs};
use journal::{Batch, Committed, NewEvent, NewFact, RecorderHandle};
use journal::{JournalError, Past, Reader};
use tournament::{self, BoardState, Decision, Fact, GamesKnown, Hall, Order, Persons, Preview, Refusal, RoundState};

pub use boards::BoardPast;

/// How long an order waits for the disk before its author is told that it is not on it yet.
const RECORDING: Duration = Duration::from_secs(10);

/// The owner of the tournament; copies share it.
#[derive(Clone, Debug)]
pub struct Director {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    clock: HallClock,
    recorder: RecorderHandle,
    journal: Arc<Reader>,
    switchboard: Switchboard,
    state: Mutex<State>,
    changes: watch::Sender<u64>,
    /// One order after the other: each is decided on what the one before recorded.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct State {
    hall: Arc<Hall>,
    persons: Arc<Persons>,
    /// What boards play, with events that are not in the journal yet.
    live: BTreeMap<Arc<str>, Game>,
    /// Facts that people brought about. Two who order at once are told by it; what boards bring about does not count.
    version: u64,
}

/// What an order led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// What the next order may be based on.
    pub version: u64,
    /// What became true.
    pub facts: Vec<Fact>,
    /// What the operator should know.
    pub notes: Vec<String>,
}

/// Why an order was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// It cannot be.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Somebody else changed something since.
    #[error("somebody else changed something meanwhile: look at it and order again")]
    Stale,
    /// The disk cannot be written; nothing was changed.
    #[error("nothing was changed, because the journal cannot be written: free space on the disk and order again")]
    NotRecorded,
    /// The disk failed in the middle.
    #[error("it is done but not on the disk yet, because the journal cannot be written: free space on the disk")]
    NotDurable,
    /// The games that it concerns cannot be read.
    #[error("nothing was changed, because the journal cannot be read: check the disk")]
    Unreadable(#[source] JournalError),
}

/// An order that was recorded, and what is still to be done.
struct CarriedOut {
    receipt: Receipt,
    durable: oneshot::Receiver<()>,
    notices: Vec<(Arc<str>, Notice)>,
}

/// [`tournament::decide`] or [`tournament::preview`].
type Consider<T> = fn(&Hall, &Persons, &dyn GamesKnown, UtcMs, &Order) -> Result<T, Refusal>;

/// For operators, pages and everything that orders.
impl Director {
    /// The director of a hall whose past stands in a journal.
    pub fn open(clock: HallClock, recorder: RecorderHandle, journal: Arc<Reader>, past: &Past) -> Self {
        let mut hall = Hall::default();
        let mut version = 0;
        for entry in &past.entries {
            if let Committed::Hall(entry) = entry {
                hall.apply(&entry.fact);
                version += u64::from(entry.by != Author::Board);
            }
        }
        let state =
            State { hall: Arc::new(hall), persons: Arc::new(past.persons.clone()), live: BTreeMap::new(), version };
        let inner = Inner {
            clock,
            recorder,
            journal,
            switchboard: Switchboard::default(),
            state: Mutex::new(state),
            changes: watch::Sender::new(0),
            turn: tokio::sync::Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The hall as it is now.
    pub fn hall(&self) -> Arc<Hall> {
        Arc::clone(&self.state().hall)
    }

    /// Who the players are.
    pub fn persons(&self) -> Arc<Persons> {
        Arc::clone(&self.state().persons)
    }

    /// Counts what people changed; an order may be based on it.
    pub fn version(&self) -> u64 {
        self.state().version
    }

    /// Changes with every change of the hall or of the persons.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.inner.changes.subscribe()
    }

    /// The first day of play of the rounds that are not over.
    pub fn played_since(&self) -> Option<NaiveDate> {
        let hall = self.hall();
        let on = hall.games().filter(|found| found.round.state != RoundState::Finished);
        on.filter_map(|found| found.game.day).min()
    }

    /// What every board shows.
    pub fn board_states(&self) -> Vec<BoardState> {
        self.inner.switchboard.states()
    }

    /// Carries an order out; what it led to is on the disk when this returns. `based_on` is the [`Director::version`] that
    /// its author looked at.
    ///
    /// # Errors
    /// An [`OrderError`]; only at [`OrderError::NotDurable`] something was changed.
    pub async fn order(
        &self,
        by: Author,
        reason: Option<String>,
        based_on: Option<u64>,
        order: Order,
    ) -> Result<Receipt, OrderError> {
        let _turn = self.inner.turn.lock().await;
        self.settle().await?;
        let director = self.clone();
        let carried_out = blocking(move || director.carry_out(&by, reason.as_deref(), based_on, &order)).await?;
        let CarriedOut { receipt, durable, notices } = carried_out;
        within(durable).await.ok_or(OrderError::NotDurable)?;
        if !notices.is_empty() {
            self.tell_boards(notices).await;
            // What sessions concluded from it is part of it.
            within(self.inner.recorder.record_durably(Batch::default())).await.ok_or(OrderError::NotDurable)?;
        }
        Ok(receipt)
    }

    /// What an order would lead to.
    ///
    /// # Errors
    /// As [`Director::order`].
    pub async fn preview(&self, order: Order) -> Result<Preview, OrderError> {
        let _turn = self.inner.turn.lock().await;
        self.settle().await?;
        let director = self.clone();
        blocking(move || director.look(&director.state(), tournament::preview, &order)).await
    }

    /// Waits until the journal knows everything that was handed in.
    async fn settle(&self) -> Result<(), OrderError> {
        if self.inner.recorder.is_failing() {
            return Err(OrderError::NotRecorded);
        }
        let left = self.state().left_by_boards();
        within(self.inner.recorder.record_durably(Batch::default())).await.ok_or(OrderError::NotRecorded)?;
        let mut state = self.state();
        let left: Vec<_> = state.left_by_boards().into_iter().filter(|game| left.contains(game)).collect();
        state.live.retain(|game, _| !left.contains(game));
        Ok(())
    }

    async fn tell_boards(&self, notices: Vec<(Arc<str>, Notice)>) {
        for (board, notice) in notices {
            let (sender, taken) = oneshot::channel();
            let Some(mailbox) = self.inner.switchboard.mailbox(&board) else { continue };
            // A task that ends now begins again with what the journal says, the order included.
            if mailbox.send(Message::Notice(notice, sender)).await.is_ok() {
                let _ = taken.await;
            }
        }
    }

    fn carry_out(
        &self,
        by: &Author,
        reason: Option<&str>,
        based_on: Option<u64>,
        order: &Order,
    ) -> Result<CarriedOut, OrderError> {
        let mut state = self.state();
        if based_on.is_some_and(|version| version != state.version) {
            return Err(OrderError::Stale);
        }
        let Decision { facts, persons, games, boards, notes } = self.decide(&state, order)?;
        self.bring_to_boards(&mut state, &boards);
        let at = self.inner.clock.now();
        let draft = |(game, event)| NewEvent { at, game, author: by.clone(), evidence: Evidence::Command, event };
        let games =
            games.into_iter().flat_map(|(game, events)| events.into_iter().map(move |event| (game.clone(), event)));
        let hall = facts.iter().cloned();
        let batch = Batch {
            hall: hall.map(|fact| NewFact { by: by.clone(), reason: reason.map(str::to_owned), fact }).collect(),
            persons,
            games: games.map(draft).collect(),
            ..Batch::default()
        };
        let durable = self.record(&mut state, batch);
        let receipt = Receipt { version: state.version, facts, notes };
        Ok(CarriedOut { receipt, durable, notices: boards })
    }

    /// Games that go on on a board come into memory.
    fn bring_to_boards(&self, state: &mut State, notices: &[(Arc<str>, Notice)]) {
        for (_, notice) in notices {
            let (Notice::Resume(Resume { game, .. }) | Notice::Assign(Assign { game, .. })) = notice else { continue };
            if !game.is_empty() && !state.live.contains_key(game.as_str()) {
                let known = self.inner.journal.game(game).ok().flatten();
                state.live.insert(game.as_str().into(), known.map_or_else(Game::new, |past| past.fold()));
            }
        }
    }

    fn decide(&self, state: &State, order: &Order) -> Result<Decision, OrderError> {
        self.look(state, tournament::decide, order)
    }

    /// Considers an order in the hall as it stands.
    fn look<T>(&self, state: &State, consider: Consider<T>, order: &Order) -> Result<T, OrderError> {
        let games = Games { live: &state.live, journal: &self.inner.journal, failure: Mutex::default() };
        let considered = consider(&state.hall, &state.persons, &games, self.inner.clock.now(), order);
        match games.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(failure) => Err(OrderError::Unreadable(failure)),
            None => Ok(considered?),
        }
    }

    /// Folds what is handed in and hands it on, so that both happen in the same order.
    fn record(&self, state: &mut State, batch: Batch) -> oneshot::Receiver<()> {
        if !batch.hall.is_empty() {
            let hall = Arc::make_mut(&mut state.hall);
            for draft in &batch.hall {
                hall.apply(&draft.fact);
                state.version += u64::from(draft.by != Author::Board);
            }
        }
        if !batch.persons.is_empty() {
            let forgotten = state.persons.leaving(&batch.persons);
            if !forgotten.is_empty() {
                Arc::make_mut(&mut state.hall).forget(&forgotten);
            }
            let persons = Arc::make_mut(&mut state.persons);
            for (id, person) in &batch.persons {
                persons.set(*id, person.clone());
            }
        }
        for draft in &batch.games {
            if let Some(game) = state.live.get_mut(&draft.game.game) {
                game.apply(&draft.event);
            }
        }
        let changed = !batch.hall.is_empty() || !batch.persons.is_empty();
        let durable = self.inner.recorder.record_durably(batch);
        if changed {
            self.inner.changes.send_modify(|count| *count += 1);
        }
        durable
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Games in memory that no board plays any more.
    fn left_by_boards(&self) -> Vec<Arc<str>> {
        let on_boards: BTreeSet<_> = self.hall.on_boards.values().collect();
        self.live.keys().filter(|game| !on_boards.contains(game)).cloned().collect()
    }
}

/// Whether something was durable in time.
async fn within(durable: oneshot::Receiver<()>) -> Option<()> {
    tokio::time::timeout(RECORDING, durable).await.ok()?.ok()
}

/// Work that reads the journal, off the threads that serve everybody.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(failed) => std::panic::resume_unwind(failed.into_panic()),
    }
}

/// The games as they stand: those of boards in memory, the others in the journal.
struct Games<'a> {
    live: &'a BTreeMap<Arc<str>, Game>,
    journal: &'a Reader,
    failure: Mutex<Option<JournalError>>,
}

impl GamesKnown for Games<'_> {
    fn game(&self, id: &str) -> Option<Game> {
        if let Some(game) = self.live.get(id) {
            return Some(game.clone());
        }
        match self.journal.game(id) {
            Ok(past) => past.map(|past| past.fold()),
            Err(error) => {
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                None
            }
        }
    }
}
