//! What the entries of the record make of the public state, one after another.
//!
//! Every step depends on the entries alone, not on how many are released at once: after a restart the state and the
//! names of streams are as they were.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use game_core::event::Event;

use super::game_view::GameView;
use super::hall::{RoundInfo, SectionInfo, attention, is_finished, public_number};
use super::public_event::PublicEvent;
use super::round::{Listed, Mark, Released, Round, RoundView};
use super::state::{FIRST_ROUND, SectionState, State};
use hall_clock::UtcMs;
use journal::Archive;
use journal::PastRound;
use journal::{RecordedEvent, RecordedFact};
use tournament::GameRef;
use tournament::{Fact, Hall, UNASSIGNED};

impl State {
    /// A fact of the hall.
    pub(super) fn fact(&mut self, entry: &RecordedFact, version: u64) {
        let change = Change { mark: Mark::Hall(entry.number), version, now: entry.committed_at };
        let concerned = self.concerned(&entry.fact);
        self.hall.apply(&entry.fact);
        match concerned {
            Concerned::Nothing => return,
            Concerned::Names => self.sync_sections(change),
            Concerned::Section(slug) => {
                self.sync_sections(change);
                self.sync(&slug, None, change);
            }
            Concerned::Round(slug, round) => self.sync(&slug, Some(round), change),
            Concerned::Game(slug, round, game) => {
                if let Some(section) = self.sections.get_mut(&slug) {
                    section.sync_games(&self.hall, round, Some(&game), change);
                }
                return;
            }
            Concerned::Boards => {
                for section in self.sections.values_mut() {
                    let rounds = section.rounds.iter().filter(|(_, round)| !round.archived);
                    for number in rounds.map(|(number, _)| *number).collect::<Vec<_>>() {
                        section.sync_games(&self.hall, number, None, change);
                    }
                }
            }
        }
        self.turn_to_section();
    }

    /// What may be shown otherwise after a fact; asked before it is applied.
    fn concerned(&self, fact: &Fact) -> Concerned {
        let of_game = |game: &Arc<str>| {
            let found = self.hall.game(game);
            found.map_or(Concerned::Nothing, |found| {
                Concerned::Game(Arc::clone(&found.section.slug), found.round.number, Arc::clone(game))
            })
        };
        match fact {
            Fact::TournamentSet { .. } => Concerned::Names,
            Fact::SectionSet { section, .. } => Concerned::Section(Arc::clone(section)),
            Fact::RoundSet { section, round, .. } | Fact::RoundState { section, round, .. } => {
                Concerned::Round(Arc::clone(section), *round)
            }
            Fact::Paired { section, round, game, .. } => Concerned::Game(Arc::clone(section), *round, Arc::clone(game)),
            Fact::Unpaired { game }
            | Fact::Began { game, .. }
            | Fact::Moved { game, .. }
            | Fact::ResultSet { game, .. }
            | Fact::ResultMissing { game }
            | Fact::Adjourned { game }
            | Fact::Withdrawn { game, .. }
            | Fact::Adopted { game, .. } => of_game(game),
            Fact::Seated { .. } => Concerned::Boards,
            _ => Concerned::Nothing,
        }
    }

    /// Brings the list of sections up to date.
    fn sync_sections(&mut self, change: Change) {
        let mut changed = false;
        for section in self.hall.sections.values() {
            let info = SectionInfo::of(&self.hall, section);
            if let Some(known) = self.sections.get_mut(&section.slug) {
                if *known.info != info {
                    known.info = Arc::new(info);
                    changed = true;
                }
            } else {
                let past = self.past.remove(&section.slug).unwrap_or_default();
                let state = SectionState::new(Arc::new(info), past, &self.identity);
                self.sections.insert(Arc::clone(&section.slug), state);
                changed = true;
            }
        }
        if changed {
            // Every snapshot holds the list.
            for section in self.sections.values_mut() {
                section.renew_all(change);
            }
        }
    }

    /// Brings a round, or all rounds, of a section up to date.
    fn sync(&mut self, slug: &str, round: Option<u32>, change: Change) {
        let Some(section) = self.sections.get_mut(slug) else { return };
        let known = self.hall.section(slug).into_iter().flat_map(|section| section.rounds.keys().copied());
        for number in known.filter(|number| round.is_none_or(|round| round == *number)) {
            section.sync_round(&self.hall, &self.identity, number, change);
        }
        section.turn_to_later_round();
    }

    /// Featured stays where it is unless another section deserves more.
    fn turn_to_section(&mut self) {
        let deserved = |slug: &Arc<str>| self.hall.section(slug).map_or(0, attention);
        let most = self.sections.keys().map(deserved).max().unwrap_or(0);
        if self.current.as_ref().is_none_or(|current| deserved(current) < most) {
            self.current = self.sections.keys().find(|slug| deserved(slug) == most).cloned();
        }
    }

    /// An event of a game.
    pub(super) fn game(&mut self, entry: &RecordedEvent, version: u64, archive: Option<&Archive<GameView>>) {
        let at = &entry.game;
        let Some(section) = self.sections.get_mut(&at.event) else {
            if *at.event != *UNASSIGNED {
                tracing::warn!(section = %at.event, game = %at.game, "a game of a section that nobody made stays private");
            }
            return;
        };
        section.bring_back(entry, archive);
        section.event(&self.hall, &self.identity, entry, version);
    }
}

/// What a fact can change for the public.
enum Concerned {
    Nothing,
    /// Names of tournaments and sections.
    Names,
    /// A section with all its rounds.
    Section(Arc<str>),
    /// A round with all its games.
    Round(Arc<str>, u32),
    Game(Arc<str>, u32, Arc<str>),
    /// Every game that waits for a board.
    Boards,
}

/// By what and when the view changes.
#[derive(Clone, Copy)]
struct Change {
    mark: Mark,
    version: u64,
    now: UtcMs,
}

impl SectionState {
    fn new(info: Arc<SectionInfo>, past: Vec<PastRound>, identity: &str) -> Self {
        let slug = Arc::clone(&info.slug);
        let mut rounds = BTreeMap::from([(FIRST_ROUND, Round::new(&slug, FIRST_ROUND, identity))]);
        let mut archived = HashMap::new();
        for past in past {
            let mut round = Round::new(&slug, past.number, identity);
            round.of_the_past(past.seq, past.first_move_at);
            round.games = past.games.iter().map(|game| Arc::clone(&game.game)).collect();
            archived.extend(past.games.into_iter().map(|game| (Arc::clone(&game.game), game)));
            rounds.insert(past.number, round);
        }
        let current = rounds.keys().next_back().copied().unwrap_or(FIRST_ROUND);
        Self { info, version: 0, rounds, games: HashMap::new(), archived, current }
    }

    /// Whether the public may see a game.
    pub(super) fn is_public(&self, id: &str) -> bool {
        self.rounds.values().any(|round| round.told.contains(id))
    }

    pub(super) fn view(&self, number: u32, round: &Round) -> RoundView {
        let listed = |id: &Arc<str>| match self.games.get(id) {
            Some(game) => Some(Listed { at: game.at.clone(), live: Some(Arc::clone(game)) }),
            None => self.archived.get(id).map(|at| Listed { at: at.clone(), live: None }),
        };
        let public = round.games.iter().filter(|id| round.told.contains(*id));
        round.view(number, public.filter_map(listed).collect())
    }

    fn renew_all(&mut self, change: Change) {
        self.version = change.version;
        for round in self.rounds.values_mut() {
            round.renew(change.mark, change.now);
        }
    }

    /// Brings a round up to date with the hall.
    fn sync_round(&mut self, hall: &Hall, identity: &str, number: u32, change: Change) {
        let slug = Arc::clone(&self.info.slug);
        let info = RoundInfo::of(hall, &slug, number);
        if info.is_none() && !self.rounds.contains_key(&number) {
            return;
        }
        let round = self.rounds.entry(number).or_insert_with(|| Round::new(&slug, number, identity));
        let finished = is_finished(hall, &slug, number);
        if finished != round.finished {
            round.finished = finished;
            self.version = change.version;
        }
        round.published |= info.is_some();
        if let Some(info) = info.filter(|info| *info != round.info) {
            round.info = info;
            round.renew(change.mark, change.now);
            self.version = change.version;
        }
        self.sync_games(hall, number, None, change);
    }

    /// Brings one game of a round, or all its games, up to date with the hall.
    fn sync_games(&mut self, hall: &Hall, number: u32, only: Option<&Arc<str>>, change: Change) {
        let SectionState { rounds, games, archived, .. } = self;
        let Some(round) = rounds.get_mut(&number) else { return };
        let ids = only.map_or_else(|| round.games.clone(), |id| vec![Arc::clone(id)]);
        let mut renewed = false;
        for id in ids {
            let at = games.get(&id).map(|game| &game.at).or_else(|| archived.get(&id));
            let Some(GameRef { table, .. }) = at else { continue };
            let Some(place) = public_number(hall, &id) else {
                renewed |= round.told.remove(&id);
                continue;
            };
            if place != *table {
                renewed = true;
                if let Some(game) = games.get_mut(&id) {
                    let game = Arc::make_mut(game);
                    (game.at.table, game.version) = (place, change.version);
                } else if let Some(at) = archived.get_mut(&id) {
                    at.table = place;
                }
            }
            renewed |= round.told.insert(id);
        }
        if renewed {
            round.renew(change.mark, change.now);
            self.version = change.version;
        }
    }

    /// Takes a game of the past into memory when something happens to it.
    fn bring_back(&mut self, entry: &RecordedEvent, archive: Option<&Archive<GameView>>) {
        let id = &entry.game.game;
        if let Some(at) = self.archived.remove(id)
            && let Some(mut past) = archive.and_then(|archive| archive.take(id))
        {
            past.entries.retain(|earlier| earlier.number < entry.number);
            let mut view = GameView::of_the_past(&past);
            view.at = at;
            self.games.insert(Arc::clone(id), Arc::new(view));
        }
    }

    /// An event of one of its games.
    fn event(&mut self, hall: &Hall, identity: &str, entry: &RecordedEvent, version: u64) {
        let (draft, now) = (entry, &entry.committed_at);
        let id = &draft.game.game;
        let number = self.place(&draft.game, identity);
        let public = public_number(hall, id);
        let renamed = self.games.get(id).is_some_and(|game| game.renames(&draft.event));
        let fits = self.apply(entry, public, version);
        let SectionState { rounds, games, .. } = self;
        let (Some(round), game) = (rounds.get_mut(&number), games.get(id)) else { return };
        if public.is_none() {
            return;
        }
        let Some(seq) = entry.seq else {
            if let Some(game) = game {
                round.complete_start(id, game.game.tags());
            }
            return;
        };
        self.version = version;
        let event = match game {
            Some(game) if fits => PublicEvent::of(&draft.event, game),
            _ => {
                tracing::error!(game = %id, event = ?draft.event, "the record does not fit the game: not published");
                PublicEvent::Waiting { waiting: game.is_some_and(|game| game.game.unexplained()) }
            }
        };
        let begins = matches!(event, PublicEvent::GameStarted { .. });
        let turns = begins || matches!(event, PublicEvent::Result { .. } | PublicEvent::GameEnded);
        if matches!(event, PublicEvent::Move { .. }) {
            round.first_move_at = round.first_move_at.or(Some(*now));
        }
        round.publish(Released { seq, at: draft.at, game: Arc::clone(id), event, more: false }, *now);
        if renamed {
            round.forget_earlier();
        }
        let new = game.is_some() && round.told.insert(Arc::clone(id));
        if new && !begins {
            // Nobody was told that there is such a game.
            round.renew(Mark::Game(entry.number), *now);
        }
        if turns || new {
            self.turn_to_later_round();
        }
    }

    /// The round of a game, which is listed there.
    fn place(&mut self, at: &GameRef, identity: &str) -> u32 {
        let round = self.rounds.entry(at.round).or_insert_with(|| Round::new(&at.event, at.round, identity));
        if !self.games.contains_key(&at.game) && !round.games.contains(&at.game) {
            round.games.push(Arc::clone(&at.game));
        }
        at.round
    }

    /// Folds an event into its game, in place unless somebody reads that very game at this moment.
    fn apply(&mut self, entry: &RecordedEvent, public: Option<u32>, version: u64) -> bool {
        let at = &entry.game;
        if let Some(game) = self.games.get_mut(&at.game) {
            return Arc::make_mut(game).apply(entry, version);
        }
        let mut game = GameView::new(GameRef { table: public.unwrap_or(at.table), ..at.clone() });
        let fits = game.apply(entry, version);
        if fits {
            self.games.insert(Arc::clone(&at.game), Arc::new(game));
        }
        fits
    }

    /// Boards that are done early set up the next round while others still play: attention turns to it when it has as
    /// many games under way, or when nothing more is expected of the round at hand; and never back.
    fn turn_to_later_round(&mut self) {
        let told = |round: &Round| round.told.iter().filter_map(|id| self.games.get(id)).cloned().collect::<Vec<_>>();
        let under_way = |round: &Round| told(round).iter().filter(|game| game.is_under_way()).count();
        let now = self.rounds.get(&self.current);
        let enough = now.map_or(0, under_way).max(1);
        let later = || self.rounds.range(self.current.saturating_add(1)..);
        let busier = later().rev().find(|(_, round)| under_way(round) >= enough);
        let is_over = now.is_none_or(|round| round.finished || !told(round).iter().any(|game| game.game.is_running()));
        let next = busier.or_else(|| later().find(|(_, round)| is_over && !round.told.is_empty()));
        self.current = next.map_or(self.current, |(number, _)| *number);
    }
}

impl GameView {
    /// Whether an event gives the players other names than those that were told.
    fn renames(&self, event: &Event) -> bool {
        let Event::Tags { tags } = event else { return false };
        let of_a_player =
            |name: &str| (name.starts_with("White") || name.starts_with("Black")) && !name.ends_with("Clock");
        tags.iter()
            .any(|(name, value)| of_a_player(name) && self.game.tags().get(name).is_some_and(|told| told != value))
    }
}
