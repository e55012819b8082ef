//! What a view holds: each section as far as it was released.
//!
//! Data only; `release` changes it and the views read it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use hall_clock::UtcMs;
use journal::PastRound;
use tournament::{GameRef, Hall, has_address};

use super::audience::Audience;
use super::featured::Featured;
use super::game_view::{Archived, GameView};
use super::hall::SectionInfo;
use super::history::History;
use super::round::{Age, Listed, Round, RoundView};
use super::stream_name::StreamNames;

/// The round that is shown before any game has begun.
pub(super) const FIRST_ROUND: u32 = 1;

/// The latest rounds of a section whose games stay in memory: the live file may still hold them.
const LATEST_ROUNDS: usize = 2;

/// How often rounds are looked at that may be over, hall time in milliseconds.
const LOOK_EVERY: u64 = 60 * 1000;

pub(super) struct State {
    pub(super) audience: Audience,
    pub(super) names: StreamNames,
    /// Counts what was released.
    pub(super) version: u64,
    /// As far as it was released.
    pub(super) hall: Hall,
    /// Also those that were taken away, in case they come back: their streams go on.
    pub(super) sections: BTreeMap<Arc<str>, SectionState>,
    /// Slugs of those that are listed. The others have addresses too, for those who were told them.
    pub(super) listed: BTreeSet<Arc<str>>,
    /// The archived rounds of sections that no fact has made yet.
    pub(super) past: HashMap<Arc<str>, Vec<PastRound>>,
    pub(super) featured: Option<Arc<str>>,
    /// The start of a game that was released last.
    pub(super) latest_start: Option<Start>,
    /// When [`State::drop_what_is_over`] looks at the rounds again, hall time.
    look_at: UtcMs,
}

/// Where in the record a game started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) game: Arc<str>,
    pub(super) number: u64,
    pub(super) step: u64,
}

/// What a view holds of a section.
pub(super) struct SectionState {
    pub(super) info: Arc<SectionInfo>,
    /// The view's version when something in it last changed.
    pub(super) version: u64,
    pub(super) rounds: BTreeMap<u32, Round>,
    pub(super) games: HashMap<Arc<str>, Arc<GameView>>,
    /// Games that are read from the disk.
    pub(super) archived: HashMap<Arc<str>, Archived>,
    /// The featured round.
    pub(super) current: u32,
}

impl State {
    pub(super) fn new(audience: Audience, history: &History) -> Self {
        let mut past: HashMap<_, Vec<_>> = HashMap::new();
        for round in history.rounds.iter().filter(|round| round.archived) {
            past.entry(Arc::clone(&round.event)).or_default().push(round.clone());
        }
        Self {
            audience,
            names: StreamNames::new(&history.identity, audience),
            version: 0,
            hall: Hall::default(),
            sections: BTreeMap::new(),
            listed: BTreeSet::new(),
            past,
            featured: None,
            latest_start: None,
            look_at: 0,
        }
    }

    /// Drops the events of rounds that are over and quiet at hall time `now`, and games that are long over if `can_be_read` says that
    /// their entries before number `next` on the disk are what is shown. No number, no name of a stream and no file changes.
    pub(super) fn drop_what_is_over(&mut self, now: UtcMs, next: u64, can_be_read: impl Fn(&str) -> bool) {
        if now < self.look_at {
            return;
        }
        self.look_at = now.saturating_add(LOOK_EVERY);
        for section in self.sections.values_mut() {
            section.drop_events(now);
            section.drop_games(now, next, &can_be_read);
        }
    }

    /// A section that the hall has.
    pub(super) fn section(&self, slug: &str) -> Option<(&Arc<str>, &SectionState)> {
        self.sections.get_key_value(slug).filter(|_| self.hall.sections.contains_key(slug))
    }

    /// What viewers get who ask for no section or no round.
    pub(super) fn featured(&self) -> Featured {
        let rounds = self.sections.iter().map(|(slug, section)| (Arc::clone(slug), section.current)).collect();
        Featured { section: self.featured.clone(), rounds }
    }
}

impl SectionState {
    pub(super) fn new(info: Arc<SectionInfo>, past: Vec<PastRound>, names: &StreamNames) -> Self {
        let slug = Arc::clone(&info.slug);
        let mut rounds = BTreeMap::from([(FIRST_ROUND, Round::new(FIRST_ROUND, names.of_record(&slug, FIRST_ROUND)))]);
        let mut archived = HashMap::new();
        for past in past {
            let mut round = Round::archived(past.number, names.of_this_start(&slug, past.number));
            round.games = past.games.iter().map(|game| Arc::clone(&game.game)).collect();
            let next = past.next;
            let of_before = |at: GameRef| (Arc::clone(&at.game), Archived { at, version: 0, changed_at: None, next });
            archived.extend(past.games.into_iter().map(of_before));
            rounds.insert(past.number, round);
        }
        let current = rounds.keys().next_back().copied().unwrap_or(FIRST_ROUND);
        Self { info, version: 0, rounds, games: HashMap::new(), archived, current }
    }

    fn drop_events(&mut self, now: UtcMs) {
        let runs = |id: &Arc<str>| self.games.get(id).is_some_and(|game| game.game.is_running());
        for round in self.rounds.values_mut().filter(|round| round.is_quiet(now)) {
            if round.finished || !round.shown.iter().any(runs) {
                round.drop_events();
            }
        }
    }

    /// Drops games of all but the latest rounds, and those that were followed by another one at their table.
    fn drop_games(&mut self, now: UtcMs, next: u64, can_be_read: impl Fn(&str) -> bool) {
        let Self { rounds, games, archived, .. } = self;
        let latest = rounds.iter().rev().filter(|(_, round)| !round.shown.is_empty()).map(|(number, _)| *number);
        let latest = latest.take(LATEST_ROUNDS).last().unwrap_or(FIRST_ROUND);
        for (number, round) in rounds {
            let mut tables = HashSet::new();
            // The latest game of a table comes first.
            for id in round.games.iter().rev().filter(|id| round.shown.contains(*id)) {
                let Some(game) = games.get(id) else { continue };
                let is_followed = !tables.insert(game.at.table);
                if (*number < latest || is_followed) && game.is_long_over(now) && can_be_read(id) {
                    // Files of the round are not older than before.
                    round.chosen_at = round.chosen_at.max(game.changed_at);
                    if *number < latest && round.age == Age::Recent {
                        round.age = Age::Earlier;
                    }
                    archived.insert(Arc::clone(id), game.archived(next));
                    games.remove(id);
                }
            }
        }
    }

    /// Whether the view shows a game.
    fn shows(&self, id: &str) -> bool {
        self.rounds.values().any(|round| round.shown.contains(id))
    }

    /// Whether the view has a game at its own address. (A forfeit without tags was never public.)
    pub(super) fn knows(&self, hall: &Hall, id: &str) -> bool {
        let has_tags = |id| self.games.get(id).is_none_or(|game| !game.game.tags().is_empty());
        self.shows(id) || has_tags(id) && hall.game(id).is_some_and(|found| has_address(hall, &found))
    }

    /// A round, if the view shows anything of it. The featured round and the first one are always there: viewers wait in them.
    pub(super) fn round(&self, number: u32) -> Option<&Round> {
        let waited_in = number == FIRST_ROUND || number == self.current;
        self.rounds.get(&number).filter(|round| waited_in || round.published || !round.shown.is_empty())
    }

    pub(super) fn round_view(&self, number: u32) -> Option<RoundView> {
        let round = self.round(number)?;
        let listed = |id: &Arc<str>| match self.games.get(id) {
            Some(game) => Some(Listed::Live(Arc::clone(game))),
            None => self.archived.get(id).map(|game| Listed::Archived { at: game.at.clone(), version: game.version }),
        };
        let shown = round.games.iter().filter(|id| round.shown.contains(*id));
        Some(round.view(number, shown.filter_map(listed).collect()))
    }
}
