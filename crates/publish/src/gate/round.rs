//! A round in the public view: its games, and the window of its latest events.
//!
//! Knows one round. Must not know the hall.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::game_view::GameView;
use super::hall::RoundInfo;
use super::public_event::PublicEvent;
use hall_clock::UtcMs;
use tournament::GameRef;

/// Events of a stream that are kept for viewers who come back.
const WINDOW: usize = 4096;

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
    /// Whether the next event belongs to the same step: nobody should show one without the other.
    pub more: bool,
}

/// A game in the list of a round.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Where it belongs.
    pub at: GameRef,
    /// The game itself; none while it lies in the archive.
    pub live: Option<Arc<GameView>>,
}

/// A round at one instant: its games are exactly what the events up to `seq` make of them.
#[derive(Clone, Debug)]
pub struct RoundView {
    /// Name of the stream of events; it stays the same for as long as its events tell everything.
    pub stream: Arc<str>,
    /// Number of the last event released in it; 0 before the first.
    pub seq: u64,
    /// Number of the oldest event that is kept, or of the next one when none is.
    pub oldest: u64,
    /// Round number.
    pub number: u32,
    /// What it is called and when it starts.
    pub info: RoundInfo,
    /// When the first move of the round became public, hall time.
    pub first_move_at: Option<UtcMs>,
    /// When the choice of games last changed other than by their events, hall time.
    pub chosen_at: UtcMs,
    /// All games, by table; those of one table in the order in which they became known.
    pub games: Vec<Listed>,
    /// Whether somebody said that it is over.
    pub(super) finished: bool,
    /// Whether its pairings are public.
    pub(super) published: bool,
}

impl RoundView {
    /// Whether there is such a round for the public; before the first one viewers wait in an empty one.
    pub fn is_known(&self) -> bool {
        self.published || !self.games.is_empty()
    }

    /// The latest game of each table, lowest table first.
    pub fn latest(&self) -> Vec<Listed> {
        let by_table: BTreeMap<u32, &Listed> = self.games.iter().map(|game| (game.at.table, game)).collect();
        by_table.into_values().cloned().collect()
    }

    /// Whether every game of the round is over; a round without games has not begun.
    pub fn ended(&self) -> bool {
        let runs = |game: &Listed| game.live.as_ref().is_some_and(|game| game.game.is_running());
        !self.games.is_empty() && (self.finished || !self.latest().iter().any(runs))
    }
}

/// What a stream says after a given event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// Its name, as in [`RoundView`].
    pub stream: Arc<str>,
    /// Number of the last event released in it.
    pub seq: u64,
    /// From this number on all events are kept.
    pub oldest: u64,
    /// The events.
    pub since: Since,
}

/// The events after a given one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// All of them, perhaps none.
    Events(Vec<Arc<Released>>),
    /// Some are no longer kept, or the stream never was there.
    Gone,
}

/// The entry of the record that renewed a stream.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    /// An event of a game, by its number.
    Game(u64),
    /// A fact of the hall, by its number.
    Hall(u64),
}

/// What the view holds of a round.
#[derive(Debug)]
pub(super) struct Round {
    /// `{event}/{round}/{journal}`, and once it was renewed, by what.
    stream: Arc<str>,
    name: Arc<str>,
    pub(super) seq: u64,
    window: VecDeque<Arc<Released>>,
    /// From this number on everything that was released is in the window.
    oldest: u64,
    /// Instants of the event and of its commit, and number of the first event, of the step released last.
    step: (UtcMs, UtcMs, u64),
    pub(super) first_move_at: Option<UtcMs>,
    pub(super) chosen_at: UtcMs,
    pub(super) info: RoundInfo,
    pub(super) finished: bool,
    pub(super) published: bool,
    /// In the order in which they became known.
    pub(super) games: Vec<Arc<str>>,
    /// Those that viewers of the stream know.
    pub(super) told: HashSet<Arc<str>>,
    pub(super) archived: bool,
}

impl Round {
    pub(super) fn new(event: &str, number: u32, identity: &str) -> Self {
        let name: Arc<str> = format!("{event}/{number}/{identity}").into();
        Self {
            stream: Arc::clone(&name),
            name,
            seq: 0,
            window: VecDeque::new(),
            oldest: 1,
            step: (0, 0, 0),
            first_move_at: None,
            chosen_at: 0,
            info: RoundInfo::unnamed(number),
            finished: false,
            published: false,
            games: Vec::new(),
            told: HashSet::new(),
            archived: false,
        }
    }

    /// Something changed that no event tells: nobody may go on from an earlier state.
    pub(super) fn renew(&mut self, mark: Mark, now: UtcMs) {
        // The entry's number itself would tell how much was recorded.
        let mark = match mark {
            Mark::Game(number) => format!("{}/game/{number}", self.name),
            Mark::Hall(number) => format!("{}/hall/{number}", self.name),
        };
        let digest = Sha256::digest(mark).first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes));
        self.stream = format!("{}-{digest:08x}", self.name).into();
        self.window.clear();
        self.oldest = self.seq + 1;
        self.chosen_at = now;
    }

    /// Adds an event to the stream. `committed_at`: events of one instant in one commit are one step.
    pub(super) fn publish(&mut self, released: Released, committed_at: UtcMs) {
        let (at, committed, _) = self.step;
        if (at, committed) == (released.at, committed_at)
            && let Some(before) = self.window.back_mut()
        {
            Arc::make_mut(before).more = true;
        } else {
            self.step = (released.at, committed_at, released.seq);
        }
        self.seq = released.seq;
        if self.window.len() == WINDOW {
            self.drop_oldest();
        }
        self.window.push_back(Arc::new(released));
    }

    /// The tags that follow the start of a game go out with it.
    pub(super) fn complete_start(&mut self, id: &str, told: &BTreeMap<String, String>) {
        if let Some(last) = self.window.back_mut()
            && *last.game == *id
            && let PublicEvent::GameStarted { tags, .. } = &mut Arc::make_mut(last).event
        {
            tags.clone_from(told);
        }
    }

    /// Forgets the events before the step at hand: they tell what nobody is to be told any more.
    pub(super) fn forget_earlier(&mut self) {
        let (_, _, first) = self.step;
        while self.window.front().is_some_and(|event| event.seq < first) {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        if let Some(oldest) = self.window.pop_front() {
            self.oldest = oldest.seq + 1;
        }
    }

    /// The journal's round before the view was opened.
    pub(super) fn of_the_past(&mut self, seq: u64, first_move_at: Option<UtcMs>) {
        (self.seq, self.oldest, self.first_move_at, self.archived) = (seq, seq + 1, first_move_at, true);
    }

    /// What the stream says after number `seq`.
    pub(super) fn news(&self, seq: u64) -> News {
        let since = if seq.saturating_add(1) < self.oldest || seq > self.seq {
            Since::Gone
        } else {
            let first = self.window.partition_point(|event| event.seq <= seq);
            Since::Events(self.window.range(first..).cloned().collect())
        };
        News { stream: Arc::clone(&self.stream), seq: self.seq, oldest: self.oldest, since }
    }

    /// The round with these games.
    pub(super) fn view(&self, number: u32, mut games: Vec<Listed>) -> RoundView {
        games.sort_by_key(|game| game.at.table);
        RoundView {
            stream: Arc::clone(&self.stream),
            seq: self.seq,
            oldest: self.oldest,
            number,
            info: self.info.clone(),
            first_move_at: self.first_move_at,
            chosen_at: self.chosen_at,
            games,
            finished: self.finished,
            published: self.published,
        }
    }
}
