//! The director itself: a thread that owns hall, persons and the games in memory, and takes one message after the other.
//!
//! It reads the journal and never waits for a commit. Facts are handed to the recorder in the order in which they are folded
//! here, so that a fold of the journal gives the same hall. Must not know who sends messages, nor what an order may do: that
//! is `tournament::decide`'s business.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use game_core::event::{Author, Event, Evidence};
use game_core::game::Game;
use game_core::input::{Assign, Notice, Resume};
use hall_clock::{HallClock, UtcMs};
use journal::{Batch, Committed, JournalError, NewEvent, NewFact, Past, Reader, RecorderHandle};
use tokio::runtime;
use tokio::sync::{mpsc, oneshot, watch};
use tournament::{ClockShown, Decision, Fact, GameRef, GamesKnown, Hall, Order, Persons, Refusal};

use super::changes::{Basis, Changes};
use super::command::{Barrier, CarriedOut, Command, OrderRequest};
use super::receipt::{OrderError, Receipt};
use super::snapshot::Snapshot;
use super::waiting_pairings::WaitingPairings;
use crate::boards::registry::BoardRegistry;

/// The owner of the tournament.
#[derive(Debug)]
pub(super) struct Director {
    pub(super) clock: HallClock,
    pub(super) recorder: RecorderHandle,
    /// Its own: a long listing for a page must not hold up a board.
    pub(super) journal: Reader,
    pub(super) boards: BoardRegistry,
    pub(super) waiting: WaitingPairings,
    /// Where notices of rounds that publish themselves wait for boards.
    pub(super) runtime: runtime::Handle,
    pub(super) mailbox: mpsc::Receiver<Command>,
    pub(super) snapshots: watch::Sender<Arc<Snapshot>>,
    pub(super) state: State,
    /// Games that have left their boards, until the journal has all of them.
    pub(super) leaving: Option<Leaving>,
}

/// Games that have left their boards.
#[derive(Debug)]
pub(super) struct Leaving {
    games: BTreeSet<Arc<str>>,
    /// Answered when the journal has everything that was recorded of them.
    durable: oneshot::Receiver<()>,
}

/// What the director owns.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) hall: Arc<Hall>,
    persons: Arc<Persons>,
    /// Games on boards, with events that are not in the journal yet.
    pub(super) games: BTreeMap<Arc<str>, Game>,
    /// See [`Snapshot::version`].
    version: u64,
    changes: Changes,
}

/// [`tournament::decide`], [`tournament::preview`] or [`tournament::first_move`].
type Consider<A, T> = fn(&Hall, &Persons, &dyn GamesKnown, UtcMs, &A) -> Result<T, Refusal>;

impl Director {
    /// Takes messages until every sender is gone.
    pub(super) fn run(mut self) {
        while let Some(command) = self.mailbox.blocking_recv() {
            self.handle(command);
        }
    }

    /// The same as a task, for tests with made-up time, which passes while a thread is waited for.
    #[cfg(test)]
    pub(super) async fn run_as_task(mut self) {
        while let Some(command) = self.mailbox.recv().await {
            self.handle(command);
        }
    }

    /// Replies may find that the sender is gone.
    fn handle(&mut self, command: Command) {
        match command {
            Command::RegisterBoard { board, reply } => {
                self.register_board(&board);
                let _ = reply.send(());
            }
            Command::KingShown { board } => self.king_shown(&board),
            Command::HandIn { board, batch } => self.hand_in(&board, batch),
            Command::OpenGame { board, at, started, reply } => {
                let opened = self.open_game(&board, at, started);
                let _ = reply.send(opened);
            }
            Command::Expected { board, reply } => {
                let _ = reply.send(tournament::expected(&self.state.hall, &board));
            }
            Command::Past { board, reply } => {
                let _ = reply.send(self.past(&board));
            }
            Command::Alive { reply } => {
                let _ = reply.send(());
            }
            Command::Barrier { reply } => {
                let _ = reply.send(self.barrier());
            }
            Command::Unload { games } => self.state.unload(&games),
            Command::CarryOut { request, reply } => {
                let _ = reply.send(self.carry_out(&request));
            }
            Command::Preview { order, reply } => {
                let _ = reply.send(self.consider(tournament::preview, &self.completed(&order)));
            }
        }
    }

    fn barrier(&self) -> Barrier {
        Barrier {
            journal_fails: self.recorder.is_failing(),
            durable: self.recorder.record_durably(Batch::default()),
            off_board: self.state.off_board(),
        }
    }

    /// Lets go of the games that left their boards earlier, and notes those that have left by now; `durable` is answered when the
    /// journal has what was recorded until now. While the disk fails they stay.
    pub(super) fn let_go(&mut self, durable: oneshot::Receiver<()>) {
        if let Some(Leaving { games, durable }) = &mut self.leaving {
            match durable.try_recv() {
                Ok(()) => self.state.unload(games),
                Err(oneshot::error::TryRecvError::Empty) => return,
                // The recorder has ended.
                Err(oneshot::error::TryRecvError::Closed) => {}
            }
        }
        self.leaving = Some(Leaving { games: self.state.off_board(), durable });
    }

    /// Decides an order on the state as it is, and hands what follows from it to the recorder.
    pub(super) fn carry_out(&mut self, request: &OrderRequest) -> Result<CarriedOut, OrderError> {
        let OrderRequest { by, reason, basis, order } = request;
        let order = &self.completed(order);
        match basis {
            Basis::Hall(version) if *version != self.state.version => return Err(OrderError::Stale),
            Basis::Seen(version) => {
                if let Some(change) = self.state.changes.since(*version, order) {
                    return Err(OrderError::Changed(change));
                }
            }
            Basis::Any | Basis::Hall(_) => {}
        }
        let decision = self.consider(tournament::decide, order)?;
        if let Order::LoadPairings { section, .. } = order {
            self.waiting.remove(section);
        }
        self.put_into_effect(by, reason.as_deref(), decision)
    }

    /// Hands what was decided to the recorder.
    pub(super) fn put_into_effect(
        &mut self,
        by: &Author,
        reason: Option<&str>,
        decision: Decision,
    ) -> Result<CarriedOut, OrderError> {
        let Decision { facts, persons, games, boards, notes } = decision;
        self.load_games(&boards, &games)?;
        let at = self.clock.now();
        let new_event = |(game, event)| NewEvent { at, game, author: by.clone(), evidence: Evidence::Command, event };
        let games =
            games.into_iter().flat_map(|(game, events)| events.into_iter().map(move |event| (game.clone(), event)));
        let hall = facts.iter().cloned();
        let batch = Batch {
            hall: hall.map(|fact| NewFact { by: by.clone(), reason: reason.map(str::to_owned), fact }).collect(),
            persons,
            games: games.map(new_event).collect(),
            ..Batch::default()
        };
        self.state.fold(&batch.hall, at);
        let durable = self.record(batch);
        Ok(CarriedOut { receipt: Receipt { version: self.state.version, facts, notes }, durable, notices: boards })
    }

    /// An order with what it leaves out: without names of boards, to assign by serial numbers means all that are connected;
    /// to confirm pairings means the files that wait.
    fn completed(&self, order: &Order) -> Order {
        match order {
            Order::AssignBySerial { boards } if boards.is_empty() => {
                let boards = self.boards.connected().iter().map(ToString::to_string).collect();
                Order::AssignBySerial { boards }
            }
            Order::ConfirmPairings { section } => self.waiting.order(section).unwrap_or_else(|| order.clone()),
            order => order.clone(),
        }
    }

    /// Loads games before an order changes them: those that boards are about to go on with, and those on boards whose tasks
    /// have not asked for them yet. In the journal they lack the change until its commit.
    fn load_games(
        &mut self,
        notices: &[(Arc<str>, Notice)],
        changed: &[(GameRef, Vec<Event>)],
    ) -> Result<(), OrderError> {
        let named = notices.iter().filter_map(|(_, notice)| match notice {
            Notice::Resume(Resume { game, .. }) | Notice::Assign(Assign { game, .. }) => Some(game.as_str()),
            _ => None,
        });
        let on_boards: BTreeSet<_> = self.state.hall.on_boards.values().map(|game| &**game).collect();
        let changed = changed.iter().map(|(at, _)| &*at.game).filter(|game| on_boards.contains(game));
        for game in named.chain(changed) {
            if !game.is_empty() && !self.state.games.contains_key(game) {
                let known = self.journal.game(game).map_err(OrderError::Unreadable)?;
                self.state.games.insert(game.into(), known.map_or_else(Game::new, |past| past.fold()));
            }
        }
        Ok(())
    }

    /// Considers an order, or a first move, in the hall as it is. A defect in the rules of one order must not end the daemon: nothing
    /// is changed here, so a panic is an error of that order alone.
    pub(super) fn consider<A: ?Sized, T>(&self, consider: Consider<A, T>, about: &A) -> Result<T, OrderError> {
        let State { hall, persons, games, .. } = &self.state;
        let games = Games { loaded: games, boards: &self.boards, journal: &self.journal, failure: RefCell::default() };
        let considered = catch_unwind(AssertUnwindSafe(|| consider(hall, persons, &games, self.clock.now(), about)));
        let considered = considered.map_err(|panic| {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            OrderError::Failed(text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default())
        })?;
        match games.failure.into_inner() {
            Some(failure) => Err(OrderError::Unreadable(failure)),
            None => Ok(considered?),
        }
    }

    /// Hands a batch to the recorder and publishes the snapshot with it. Its facts of the hall are folded already.
    pub(super) fn record(&mut self, batch: Batch) -> oneshot::Receiver<()> {
        let state = &mut self.state;
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
            if let Some(game) = state.games.get_mut(&draft.game.game) {
                game.apply(&draft.event);
            }
        }
        let changed = !batch.hall.is_empty() || !batch.persons.is_empty();
        let durable = self.recorder.record_durably(batch);
        if changed {
            self.snapshots.send_replace(Arc::new(self.state.snapshot()));
        }
        durable
    }
}

impl State {
    /// The state that a journal leads to.
    pub(super) fn of(past: &Past) -> Self {
        let mut hall = Hall::default();
        let (mut version, mut changes) = (0, Changes::default());
        for entry in &past.entries {
            if let Committed::Hall(entry) = entry {
                version += u64::from(entry.by != Author::Board);
                changes.note(&hall, &entry.by, entry.committed_at, version, &entry.fact);
                hall.apply(&entry.fact);
            }
        }
        Self { hall: Arc::new(hall), persons: Arc::new(past.persons.clone()), games: BTreeMap::new(), version, changes }
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot { hall: Arc::clone(&self.hall), persons: Arc::clone(&self.persons), version: self.version }
    }

    pub(super) fn persons(&self) -> &Persons {
        &self.persons
    }

    /// Applies facts to the hall at this hall time.
    pub(super) fn fold(&mut self, facts: &[NewFact], at: UtcMs) {
        if facts.is_empty() {
            return;
        }
        // The published snapshot keeps the hall before: this copies it.
        let hall = Arc::make_mut(&mut self.hall);
        for NewFact { by, fact, .. } in facts {
            self.version += u64::from(*by != Author::Board);
            self.changes.note(hall, by, at, self.version, fact);
            hall.apply(fact);
        }
    }

    /// Drops these games from memory, but those on boards.
    fn unload(&mut self, games: &BTreeSet<Arc<str>>) {
        let off_board = self.off_board();
        self.games.retain(|game, _| !games.contains(game) || !off_board.contains(game));
    }

    /// Games in memory that are on no board.
    fn off_board(&self) -> BTreeSet<Arc<str>> {
        let on_boards: BTreeSet<_> = self.hall.on_boards.values().collect();
        self.games.keys().filter(|game| !on_boards.contains(game)).cloned().collect()
    }
}

/// A fact that a board brought about.
pub(super) fn by_board(fact: Fact) -> NewFact {
    NewFact { by: Author::Board, reason: None, fact }
}

/// The games that an order concerns: those in memory, the others from the journal.
struct Games<'a> {
    loaded: &'a BTreeMap<Arc<str>, Game>,
    boards: &'a BoardRegistry,
    journal: &'a Reader,
    failure: RefCell<Option<JournalError>>,
}

impl GamesKnown for Games<'_> {
    fn game(&self, id: &str) -> Option<Game> {
        if let Some(game) = self.loaded.get(id) {
            return Some(game.clone());
        }
        match self.journal.game(id) {
            Ok(past) => past.map(|past| past.fold()),
            Err(error) => {
                *self.failure.borrow_mut() = Some(error);
                None
            }
        }
    }

    fn clock(&self, board: &str) -> Option<ClockShown> {
        self.boards.clock(board)
    }
}
