//! What the public may know: the games as far as the gate has released them, and the latest events of each round.
//!
//! Knows nothing of the record behind the gate, of wire formats or of who is watching.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use game_core::event::Event;
use game_core::game::Game;

use super::History;
use super::public_event::PublicEvent;
use crate::hall_clock::UtcMs;
use crate::record::{self, GameRef};
use crate::store::PastGame;
use crate::store::archive::Archive;
use crate::tournament::until_office::EventInfo;

/// Events of a stream that are kept for viewers who come back.
const WINDOW: usize = 4096;

/// The round that is shown before any game has begun.
const FIRST_ROUND: u32 = 1;

/// An event as the gate let it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Released {
    /// Position in its stream, from 1 without gaps.
    pub seq: u64,
    /// When it happened, UTC.
    pub at: UtcMs,
    /// The game's id.
    pub game: Arc<str>,
    /// What happened.
    pub event: PublicEvent,
}

/// A game as far as it was released.
#[derive(Clone, Debug)]
pub struct GameView {
    /// Where it belongs.
    pub at: GameRef,
    /// Moves, clocks, result, tags.
    pub game: Game,
    /// Changes with every change of the game; no two states of a view share one.
    pub version: u64,
    /// When it last changed in this view, hall time.
    pub changed_at: UtcMs,
}

/// A round at one instant: its games are exactly what the events up to `seq` make of them.
#[derive(Clone, Debug)]
pub struct RoundView {
    /// Name of the stream of events: `{event}/{round}/{journal}`; it stays the same for as long as its numbers go on.
    pub stream: Arc<str>,
    /// Number of the last event released in it; 0 before the first.
    pub seq: u64,
    /// Number of the oldest event that is kept, or of the next one when none is.
    pub oldest: u64,
    /// Round number.
    pub number: u32,
    /// When the first move of the round became public, hall time.
    pub first_move_at: Option<UtcMs>,
    /// All games, in the order in which they began.
    pub games: Vec<Arc<GameView>>,
}

impl RoundView {
    /// The latest game of each table, lowest table first.
    pub fn latest(&self) -> Vec<Arc<GameView>> {
        let by_table: BTreeMap<u32, &Arc<GameView>> = self.games.iter().map(|game| (game.at.table, game)).collect();
        by_table.into_values().cloned().collect()
    }

    /// Whether every game of the round is over; a round without games has not begun.
    pub fn ended(&self) -> bool {
        !self.games.is_empty() && !self.latest().iter().any(|game| game.game.is_running())
    }
}

impl GameView {
    fn of_the_past(past: &PastGame) -> Self {
        let changed_at = past.entries.last().map_or(0, |entry| entry.committed_at);
        Self { at: past.at.clone(), game: past.fold(), version: 0, changed_at }
    }
}

/// The events after a given one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// All of them, perhaps none.
    Events(Vec<Arc<Released>>),
    /// Some are no longer kept, or the stream never was there.
    Gone,
}

/// Public knowledge about one event; copies share it.
#[derive(Clone)]
pub struct View {
    shared: Arc<Shared>,
}

struct Shared {
    event: Arc<EventInfo>,
    opened_at: UtcMs,
    version: AtomicU64,
    archive: Option<Archive<GameView>>,
    state: RwLock<State>,
    watchers: Mutex<Vec<Box<dyn Fn() + Send + Sync>>>,
}

struct State {
    /// Names the journal in the names of streams.
    identity: Arc<str>,
    /// Games that are not in memory although they are known.
    archived: HashSet<Arc<str>>,
    rounds: BTreeMap<u32, Round>,
    games: HashMap<Arc<str>, Arc<GameView>>,
    current: u32,
}

struct Round {
    stream: Arc<str>,
    seq: u64,
    window: VecDeque<Arc<Released>>,
    first_move_at: Option<UtcMs>,
    games: Vec<Arc<str>>,
    archived: bool,
}

impl Round {
    fn new(event: &str, number: u32, identity: &str) -> Self {
        let stream = format!("{event}/{number}/{identity}").into();
        Self { stream, seq: 0, window: VecDeque::new(), first_move_at: None, games: Vec::new(), archived: false }
    }
}

impl View {
    pub(super) fn new(event: Arc<EventInfo>, now: UtcMs, history: History) -> Self {
        let History { identity, rounds: past, reader } = history;
        let mut rounds = BTreeMap::from([(FIRST_ROUND, Round::new(&event.slug, FIRST_ROUND, &identity))]);
        let mut archived = HashSet::new();
        let mut current = FIRST_ROUND;
        for past in past.into_iter().filter(|round| round.archived) {
            let games: Vec<_> = past.games.into_iter().map(|game| game.game).collect();
            archived.extend(games.iter().cloned());
            let (seq, first_move_at) = (past.seq, past.first_move_at);
            let round = Round::new(&event.slug, past.number, &identity);
            rounds.insert(past.number, Round { seq, first_move_at, games, archived: true, ..round });
            current = past.number;
        }
        let state = State { identity, archived, rounds, games: HashMap::new(), current };
        Self {
            shared: Arc::new(Shared {
                event,
                opened_at: now,
                version: AtomicU64::new(0),
                archive: reader.map(Archive::new),
                state: RwLock::new(state),
                watchers: Mutex::default(),
            }),
        }
    }

    /// The event.
    pub fn event(&self) -> &Arc<EventInfo> {
        &self.shared.event
    }

    /// When the view was opened, hall time.
    pub fn opened_at(&self) -> UtcMs {
        self.shared.opened_at
    }

    /// Changes whenever anything in the view changes.
    pub fn version(&self) -> u64 {
        self.shared.version.load(Ordering::Acquire)
    }

    /// Number of the round that most boards play.
    pub fn current_round(&self) -> u32 {
        self.state().current
    }

    /// One round, if it is known.
    pub fn round(&self, number: u32) -> Option<RoundView> {
        let cut = {
            let state = self.state();
            state.rounds.get(&number).map(|round| round.cut(number, &state.games))
        };
        cut.map(|cut| self.complete(cut))
    }

    /// All rounds that are known, in order.
    pub fn rounds(&self) -> Vec<RoundView> {
        self.cut_rounds(|_| true).into_iter().map(|cut| self.complete(cut)).collect()
    }

    /// The rounds that were not over long before the view was opened, in order.
    pub fn recent_rounds(&self) -> Vec<RoundView> {
        self.cut_rounds(|round| !round.archived).into_iter().map(|cut| self.complete(cut)).collect()
    }

    /// One game, by its id.
    pub fn game(&self, id: &str) -> Option<Arc<GameView>> {
        let archived = {
            let state = self.state();
            if let Some(game) = state.games.get(id) {
                return Some(Arc::clone(game));
            }
            state.archived.get(id).cloned()
        };
        self.of_the_past(&archived?)
    }

    fn cut_rounds(&self, wanted: impl Fn(&Round) -> bool) -> Vec<(RoundView, Slots)> {
        let state = self.state();
        let rounds = state.rounds.iter().filter(|(_, round)| wanted(round));
        rounds.map(|(number, round)| round.cut(*number, &state.games)).collect()
    }

    /// Fetches the games that are not in memory; nobody waits for that but the caller.
    fn complete(&self, (mut round, slots): (RoundView, Slots)) -> RoundView {
        round.games = slots.into_iter().filter_map(|(id, game)| game.or_else(|| self.of_the_past(&id))).collect();
        round
    }

    fn of_the_past(&self, id: &Arc<str>) -> Option<Arc<GameView>> {
        self.shared.archive.as_ref()?.game(id, |past| GameView::of_the_past(&past))
    }

    /// The events of a round's stream after number `seq`.
    pub fn since(&self, round: u32, seq: u64) -> Since {
        let state = self.state();
        let Some(round) = state.rounds.get(&round) else {
            return Since::Gone;
        };
        match seq.saturating_add(1).checked_sub(round.oldest()) {
            Some(skip) if seq <= round.seq => {
                Since::Events(round.window.iter().skip(usize::try_from(skip).unwrap_or(usize::MAX)).cloned().collect())
            }
            _ => Since::Gone,
        }
    }

    /// Has `notify` called, briefly and from the gate's thread, after every release.
    pub fn watch(&self, notify: impl Fn() + Send + Sync + 'static) {
        self.shared.watchers.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(notify));
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        self.shared.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes entries public, all at once.
    pub(super) fn release(&self, entries: &[Arc<record::Entry>]) {
        {
            let mut state = self.shared.state.write().unwrap_or_else(PoisonError::into_inner);
            let mut entries = entries.iter().peekable();
            while let Some(entry) = entries.next() {
                let record::Entry { draft, committed_at: now, .. } = &**entry;
                if *draft.game.event != *self.shared.event.slug {
                    tracing::warn!(event = %draft.game.event, "an event that is not broadcast here: its games stay private");
                    continue;
                }
                let version = self.shared.version.fetch_add(1, Ordering::Release) + 1;
                self.bring_back(&mut state, entry);
                let event = if let Some(game) = state.apply(&draft.game, &draft.event, version, *now) {
                    PublicEvent::of(&draft.event, game)
                } else {
                    tracing::error!(game = %draft.game.game, event = ?draft.event, "the record does not fit the game: not published");
                    // The number is given; what goes out with it is no news.
                    let game = state.games.get(&draft.game.game);
                    PublicEvent::Waiting { waiting: game.is_some_and(|game| game.game.unexplained()) }
                };
                let Some(seq) = entry.seq else {
                    continue;
                };
                let event = match event {
                    // A game's tags follow its start in the same commit and go out with it.
                    PublicEvent::GameStarted { fen, variant, board, .. } => {
                        let tags = entries
                            .next_if(|next| next.seq.is_none())
                            .and_then(|next| state.apply(&draft.game, &next.draft.event, version, *now))
                            .map(|game| game.game.tags().clone());
                        PublicEvent::GameStarted { fen, variant, board, tags: tags.unwrap_or_default() }
                    }
                    other => other,
                };
                state.publish(
                    &draft.game,
                    Released { seq, at: draft.at, game: Arc::clone(&draft.game.game), event },
                    *now,
                );
            }
        }
        for notify in &*self.shared.watchers.lock().unwrap_or_else(PoisonError::into_inner) {
            notify();
        }
    }

    /// Takes a game of the past into memory when something happens to it.
    fn bring_back(&self, state: &mut State, entry: &record::Entry) {
        let id = &entry.draft.game.game;
        if state.archived.remove(id)
            && let Some(archive) = &self.shared.archive
            && let Some(mut past) = archive.fetch(id)
        {
            past.entries.retain(|earlier| earlier.number < entry.number);
            state.games.insert(Arc::clone(id), Arc::new(GameView::of_the_past(&past)));
        }
    }
}

/// The games of a round by their ids; those of the past are not filled in.
type Slots = Vec<(Arc<str>, Option<Arc<GameView>>)>;

impl Round {
    fn oldest(&self) -> u64 {
        self.window.front().map_or(self.seq + 1, |event| event.seq)
    }

    fn cut(&self, number: u32, games: &HashMap<Arc<str>, Arc<GameView>>) -> (RoundView, Slots) {
        let slots = self.games.iter().map(|id| (Arc::clone(id), games.get(id).cloned())).collect();
        let round = RoundView {
            stream: Arc::clone(&self.stream),
            seq: self.seq,
            oldest: self.oldest(),
            number,
            first_move_at: self.first_move_at,
            games: Vec::new(),
        };
        (round, slots)
    }
}

impl State {
    /// Folds an event into its game, in place unless somebody reads that very game at this moment; `None` if it does
    /// not fit.
    fn apply(&mut self, at: &GameRef, event: &Event, version: u64, now: UtcMs) -> Option<&GameView> {
        match self.games.entry(Arc::clone(&at.game)) {
            Entry::Occupied(known) => {
                let view = Arc::make_mut(known.into_mut());
                if !view.game.apply(event) {
                    return None;
                }
                view.version = version;
                view.changed_at = now;
                Some(view)
            }
            Entry::Vacant(place) => {
                let mut game = Game::new();
                if !game.apply(event) {
                    return None;
                }
                let round =
                    self.rounds.entry(at.round).or_insert_with(|| Round::new(&at.event, at.round, &self.identity));
                round.games.push(Arc::clone(&at.game));
                Some(place.insert(Arc::new(GameView { at: at.clone(), game, version, changed_at: now })))
            }
        }
    }

    /// Adds an event to the stream of its round.
    fn publish(&mut self, at: &GameRef, released: Released, now: UtcMs) {
        let round = self.rounds.entry(at.round).or_insert_with(|| Round::new(&at.event, at.round, &self.identity));
        if matches!(released.event, PublicEvent::Move { .. }) {
            round.first_move_at = round.first_move_at.or(Some(now));
        }
        let turns = matches!(
            released.event,
            PublicEvent::GameStarted { .. } | PublicEvent::Result { .. } | PublicEvent::GameEnded
        );
        round.seq = released.seq;
        if round.window.len() == WINDOW {
            round.window.pop_front();
        }
        round.window.push_back(Arc::new(released));
        if turns {
            self.turn_to_later_round();
        }
    }

    /// Boards that are done early set up the next round while others still play: attention turns to it when it has as
    /// many games under way, and never back.
    fn turn_to_later_round(&mut self) {
        let under_way = |round: &Round| {
            let games = round.games.iter().filter_map(|id| self.games.get(id));
            games.filter(|game| game.game.is_running()).count()
        };
        let enough = self.rounds.get(&self.current).map_or(0, under_way).max(1);
        let later = self.rounds.iter().rev().take_while(|(number, _)| **number > self.current);
        let next = later.filter(|(_, round)| under_way(round) >= enough).map(|(number, _)| *number).next();
        self.current = next.unwrap_or(self.current);
    }
}
