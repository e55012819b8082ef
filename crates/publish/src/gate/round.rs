//! A round in a view: its games, and the window of its latest events with their sequence numbers.
//!
//! Knows one round. Must not know the hall.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

use super::game_view::GameView;
use super::hall::RoundInfo;
use super::public_event::PublicEvent;
use super::stream_name::renamed;
use hall_clock::UtcMs;
use tournament::GameRef;

/// Events of a stream that are kept for viewers who come back.
const WINDOW: usize = 4096;

/// How long a round that is over keeps them after the last one, and a game that is over stays in memory, hall time in milliseconds:
/// longer than a viewer's network fails. A viewer that comes back later gets a snapshot.
pub(super) const KEPT_WHEN_OVER: u64 = 10 * 60 * 1000;

/// An event as the gate released it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Released {
    /// Position in its stream, from 1 without gaps: given by the gate.
    pub seq: u64,
    /// When it happened, UTC.
    pub at: UtcMs,
    /// The game's id.
    pub game: Arc<str>,
    /// What happened.
    pub event: PublicEvent,
    /// Whether the next event belongs to the same step: show neither without the other.
    pub more: bool,
}

/// A game in the list of a round.
#[derive(Clone, Debug)]
pub enum Listed {
    /// In memory.
    Live(Arc<GameView>),
    /// Archived: it is read from the disk when it is asked for.
    Archived {
        /// Where it belongs.
        at: GameRef,
        /// Changes with every change of the game.
        version: u64,
    },
}

impl Listed {
    /// Where the game belongs.
    pub fn at(&self) -> &GameRef {
        match self {
            Self::Live(game) => &game.at,
            Self::Archived { at, .. } => at,
        }
    }

    /// The game itself; none for an archived one.
    pub fn live(&self) -> Option<&Arc<GameView>> {
        match self {
            Self::Live(game) => Some(game),
            Self::Archived { .. } => None,
        }
    }

    /// Changes with every change of the game.
    pub(crate) fn version(&self) -> u64 {
        match self {
            Self::Live(game) => game.version,
            Self::Archived { version, .. } => *version,
        }
    }
}

/// A round at one instant: its games are exactly what the events up to `seq` make of them.
#[derive(Clone, Debug)]
pub struct RoundView {
    /// Name of the stream of events; another one after a change that is no event.
    pub stream: Arc<str>,
    /// Number of the last event released in it; 0 before the first.
    pub seq: u64,
    /// Round number.
    pub number: u32,
    /// Its name and when it starts.
    pub info: RoundInfo,
    /// When the first move of the round was released, hall time; none for a round that was archived.
    pub(crate) first_move_at: Option<UtcMs>,
    /// When the choice of games last changed other than by their events, hall time.
    pub(crate) chosen_at: UtcMs,
    /// All games that are shown, by table; those of one table in the order of the record.
    pub games: Vec<Listed>,
    /// Whether it was ended, whatever its games say.
    pub(super) finished: bool,
    /// Whether its pairings are public.
    pub(super) published: bool,
}

impl RoundView {
    /// Whether the view shows anything of the round; viewers wait for the first one in an empty round.
    pub fn is_known(&self) -> bool {
        self.published || !self.games.is_empty()
    }

    /// Whether the view shows that the round was ended.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The latest game of each table, lowest table first.
    pub fn latest(&self) -> Vec<Listed> {
        self.latest_of_tables().cloned().collect()
    }

    /// The same without a copy.
    pub(crate) fn into_latest(mut self) -> Vec<Listed> {
        self.games.reverse();
        self.games.dedup_by_key(|game| game.at().table);
        self.games.reverse();
        self.games
    }

    fn latest_of_tables(&self) -> impl Iterator<Item = &Listed> {
        self.games.chunk_by(|one, next| one.at().table == next.at().table).filter_map(<[Listed]>::last)
    }

    /// When one of its games last changed, hall time; 0 for a round whose games are all archived.
    pub(crate) fn changed_at(&self) -> UtcMs {
        self.games.iter().filter_map(Listed::live).map(|game| game.changed_at).max().unwrap_or(0)
    }

    /// Whether every game of the round is over; a round without games has not begun.
    pub fn ended(&self) -> bool {
        let runs = |game: &Listed| game.live().is_some_and(|game| game.game.is_running());
        !self.games.is_empty() && (self.finished || !self.latest_of_tables().any(runs))
    }
}

/// The events of a stream after a given number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamTail {
    /// Its name, as in [`RoundView`].
    pub stream: Arc<str>,
    /// Number of the last event released in it.
    pub seq: u64,
    /// Number from which on all events are kept.
    pub oldest: u64,
    /// The events.
    pub since: Since,
}

/// The events after a given one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// All of them, perhaps none.
    Events(Vec<Arc<Released>>),
    /// Some are not kept any more, or were never released.
    NotKept,
}

/// Where the games of a round are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// In memory.
    Recent,
    /// On the disk, as far as they are long over.
    Earlier,
    /// On the disk, since before the gate was opened.
    Archived,
}

/// What a view holds of a round.
#[derive(Debug)]
pub(super) struct Round {
    /// `name`, and once it was renamed, a mark.
    stream: Arc<str>,
    name: Arc<str>,
    /// Number of the last event released.
    seq: u64,
    window: VecDeque<Arc<Released>>,
    /// From this number on everything that was released is in the window.
    oldest: u64,
    /// Instants of the event and of its commit, and number of the first event, of the step released last.
    step: (UtcMs, UtcMs, u64),
    /// When the last event was released, hall time.
    released_at: UtcMs,
    pub(super) first_move_at: Option<UtcMs>,
    pub(super) chosen_at: UtcMs,
    pub(super) info: RoundInfo,
    pub(super) finished: bool,
    pub(super) published: bool,
    /// All games of the round in the record, in its order.
    pub(super) games: Vec<Arc<str>>,
    /// Those that the view shows.
    pub(super) shown: HashSet<Arc<str>>,
    pub(super) age: Age,
}

impl Round {
    pub(super) fn new(number: u32, name: Arc<str>) -> Self {
        Self {
            stream: Arc::clone(&name),
            name,
            seq: 0,
            window: VecDeque::new(),
            oldest: 1,
            step: (0, 0, 0),
            released_at: 0,
            first_move_at: None,
            chosen_at: 0,
            info: RoundInfo::unnamed(number),
            finished: false,
            published: false,
            games: Vec::new(),
            shown: HashSet::new(),
            age: Age::Recent,
        }
    }

    /// Whether it was archived before the gate was opened.
    pub(super) fn is_archived(&self) -> bool {
        self.age == Age::Archived
    }

    /// Renames the stream after a change that is no event: every viewer gets a snapshot.
    pub(super) fn rename_stream(&mut self, now: UtcMs) {
        self.stream = renamed(&self.name, &self.stream, self.seq);
        self.drop_events();
        self.chosen_at = now;
    }

    /// Releases an event with the next number at hall time `now`. `committed_at`: events of one instant in one commit are one step.
    pub(super) fn release(
        &mut self,
        game: &Arc<str>,
        event: PublicEvent,
        (at, committed_at): (UtcMs, UtcMs),
        now: UtcMs,
    ) {
        self.seq += 1;
        self.released_at = now;
        let released = Released { seq: self.seq, at, game: Arc::clone(game), event, more: false };
        let (at, committed, _) = self.step;
        if (at, committed) == (released.at, committed_at)
            && let Some(before) = self.window.back_mut()
        {
            Arc::make_mut(before).more = true;
        } else {
            self.step = (released.at, committed_at, released.seq);
        }
        if self.window.len() == WINDOW {
            self.drop_oldest();
        }
        self.window.push_back(Arc::new(released));
    }

    /// Adds to the start of a game, released last, the tags that were recorded with it.
    pub(super) fn complete_start(&mut self, id: &str, known: &BTreeMap<String, String>) {
        if let Some(last) = self.window.back_mut()
            && *last.game == *id
            && let PublicEvent::GameStarted { tags, .. } = &mut Arc::make_mut(last).event
        {
            tags.clone_from(known);
        }
    }

    /// Drops the events before the latest step: they hold names that must not be shown any more.
    pub(super) fn forget_earlier(&mut self) {
        let (_, _, first) = self.step;
        while self.window.front().is_some_and(|event| event.seq < first) {
            self.drop_oldest();
        }
    }

    /// Whether the round would drop its events at hall time `now` if it is over.
    pub(super) fn is_quiet(&self, now: UtcMs) -> bool {
        !self.window.is_empty() && now >= self.released_at.saturating_add(KEPT_WHEN_OVER)
    }

    /// Drops all events.
    pub(super) fn drop_events(&mut self) {
        self.window = VecDeque::new();
        self.oldest = self.seq + 1;
    }

    fn drop_oldest(&mut self) {
        if let Some(oldest) = self.window.pop_front() {
            self.oldest = oldest.seq + 1;
        }
    }

    /// A round that was archived before the gate was opened: its numbers begin at 1.
    pub(super) fn archived(number: u32, name: Arc<str>) -> Self {
        Self { age: Age::Archived, ..Self::new(number, name) }
    }

    /// The events of the stream after number `seq`.
    pub(super) fn tail(&self, seq: u64) -> StreamTail {
        let since = if seq.saturating_add(1) < self.oldest || seq > self.seq {
            Since::NotKept
        } else {
            let first = self.window.partition_point(|event| event.seq <= seq);
            Since::Events(self.window.range(first..).cloned().collect())
        };
        StreamTail { stream: Arc::clone(&self.stream), seq: self.seq, oldest: self.oldest, since }
    }

    /// The round with these games.
    pub(super) fn view(&self, number: u32, mut games: Vec<Listed>) -> RoundView {
        games.sort_by_key(|game| game.at().table);
        RoundView {
            stream: Arc::clone(&self.stream),
            seq: self.seq,
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
