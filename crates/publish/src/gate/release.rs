//! What each entry of the record changes in a view.
//!
//! Every step depends on the entries alone, not on how many are released at once: after a restart the state, the names of
//! streams and the numbers of events are as they were. A change here that gives a record other numbers or events raises
//! `RELEASE_RULES` in `stream_name`.

use std::collections::BTreeSet;
use std::sync::Arc;

use game_core::event::Event;
use hall_clock::UtcMs;
use journal::{RecordedEvent, RecordedFact};
use tournament::{Fact, GameRef, Hall, UNASSIGNED, has_address};

use super::audience::Audience;
use super::featured::featured_rank;
use super::game_view::GameView;
use super::hall::{RoundInfo, SectionInfo, is_adjourned, is_finished, listed, shown_number};
use super::past_games::PastGames;
use super::public_event::PublicEvent;
use super::round::Round;
use super::state::{FIRST_ROUND, SectionState, Start, State};
use super::stream_name::StreamNames;

impl State {
    /// Applies a fact of the hall, released at hall time `now`.
    pub(super) fn fact(&mut self, entry: &RecordedFact, now: UtcMs) {
        self.version += 1;
        let change = Change { version: self.version, now };
        let concerned = self.concerned(&entry.fact);
        self.hall.apply(&entry.fact);
        match concerned {
            Concerned::Nothing => return,
            Concerned::Names => self.update_sections(change),
            Concerned::Section(slug) => {
                self.update_sections(change);
                self.update_rounds(&slug, None, change);
            }
            Concerned::Round(slug, round) => {
                self.update_sections(change);
                self.update_rounds(&slug, Some(round), change);
            }
            Concerned::Game(slug, round, game) => {
                if let Some(section) = self.sections.get_mut(&slug) {
                    section.update_games(&self.hall, round, Some(&game), change);
                }
                return;
            }
            Concerned::Boards => {
                for section in self.sections.values_mut() {
                    let rounds = section.rounds.iter().filter(|(_, round)| !round.is_archived());
                    for number in rounds.map(|(number, _)| *number).collect::<Vec<_>>() {
                        section.update_games(&self.hall, number, None, change);
                    }
                }
            }
        }
        self.choose_featured_section();
    }

    /// What a fact may change in the view; asked before the fact is applied.
    fn concerned(&self, fact: &Fact) -> Concerned {
        let of_game = |game: &Arc<str>| {
            let found = self.hall.game(game);
            found.map_or(Concerned::Nothing, |found| {
                Concerned::Game(Arc::clone(&found.section.slug), found.round.number, Arc::clone(game))
            })
        };
        match fact {
            Fact::TournamentSet { .. } => Concerned::Names,
            Fact::SectionSet { section, .. } | Fact::SectionRemoved { section, .. } => {
                Concerned::Section(Arc::clone(section))
            }
            Fact::RoundSet { section, round, .. } | Fact::RoundState { section, round, .. } => {
                Concerned::Round(Arc::clone(section), *round)
            }
            Fact::Paired { section, round, game, .. } => Concerned::Game(Arc::clone(section), *round, Arc::clone(game)),
            Fact::Unpaired { game }
            | Fact::Began { game, .. }
            | Fact::NotBegun { game }
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
    fn update_sections(&mut self, change: Change) {
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
                let state = SectionState::new(Arc::new(info), past, &self.names);
                self.sections.insert(Arc::clone(&section.slug), state);
                changed = true;
            }
        }
        let listed = listed(&self.hall);
        if changed || listed != self.listed {
            self.listed = listed;
            // Every snapshot holds the list.
            for section in self.sections.values_mut() {
                section.rename_streams(change);
            }
        }
    }

    /// Brings a round, or all rounds, of a section up to date.
    fn update_rounds(&mut self, slug: &str, round: Option<u32>, change: Change) {
        let Some(section) = self.sections.get_mut(slug) else { return };
        let in_hall = self.hall.section(slug).into_iter().flat_map(|section| section.rounds.keys().copied());
        // A section that was taken away has rounds here alone.
        let known: BTreeSet<_> = in_hall.chain(section.rounds.keys().copied()).collect();
        for number in known.into_iter().filter(|number| round.is_none_or(|round| round == *number)) {
            section.update_round((&self.hall, self.audience), &self.names, number, change);
        }
        section.choose_featured_round();
    }

    /// The featured section stays until another one ranks higher.
    fn choose_featured_section(&mut self) {
        let rank = |slug: &Arc<str>| self.hall.section(slug).map_or(0, featured_rank);
        let highest = self.listed.iter().map(rank).max().unwrap_or(0);
        let stays = |featured: &Arc<str>| self.listed.contains(featured) && rank(featured) >= highest;
        if !self.featured.as_ref().is_some_and(stays) {
            self.featured = self.listed.iter().find(|slug| rank(slug) == highest).cloned();
        }
    }

    /// Applies an event of a game, released at hall time `now`.
    pub(super) fn game(&mut self, entry: &RecordedEvent, now: UtcMs, past: &PastGames) {
        self.version += 1;
        let (at, change) = (&entry.game, Change { version: self.version, now });
        let Some(section) = self.sections.get_mut(&at.event) else {
            if *at.event != *UNASSIGNED {
                tracing::warn!(section = %at.event, game = %at.game, "no fact makes this game's section: the game stays private");
            }
            return;
        };
        let with_start = self.latest_start.as_ref().is_some_and(|start| start.is_followed_by(entry));
        section.load_archived(&self.hall, entry, past);
        section.event(&self.hall, &self.names, entry, with_start, change);
        if matches!(entry.event, Event::GameStarted { .. }) {
            self.latest_start = Some(Start { game: Arc::clone(&at.game), number: entry.number, step: entry.step });
        }
    }

    /// Takes an archived game into memory before something happens to it.
    pub(super) fn load_archived(&mut self, entry: &RecordedEvent, past: &PastGames) {
        if let Some(section) = self.sections.get_mut(&entry.game.event) {
            section.load_archived(&self.hall, entry, past);
        }
    }
}

impl Start {
    /// Whether an entry sets the tags that were recorded together with the start: they are released with it, without a number
    /// of their own.
    fn is_followed_by(&self, entry: &RecordedEvent) -> bool {
        let next = (entry.number, entry.step) == (self.number + 1, self.step);
        next && entry.game.game == self.game && matches!(entry.event, Event::Tags { .. })
    }
}

/// What a fact can change in a view.
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

/// A change of a view: the view's version after it, and the hall time of its release.
#[derive(Clone, Copy, Debug)]
struct Change {
    version: u64,
    now: UtcMs,
}

/// The hall as far as it was released, and for whom the view is.
type ShownHall<'a> = (&'a Hall, Audience);

impl SectionState {
    fn rename_streams(&mut self, change: Change) {
        self.version = change.version;
        for round in self.rounds.values_mut() {
            round.rename_stream(change.now);
        }
    }

    /// Brings a round up to date with the hall.
    fn update_round(&mut self, (hall, audience): ShownHall<'_>, names: &StreamNames, number: u32, change: Change) {
        let slug = Arc::clone(&self.info.slug);
        let info = RoundInfo::of(hall, audience, &slug, number);
        if info.is_none() && !self.rounds.contains_key(&number) {
            return;
        }
        let round = self.rounds.entry(number).or_insert_with(|| Round::new(number, names.of_record(&slug, number)));
        let finished = is_finished(hall, &slug, number);
        if finished != round.finished {
            round.finished = finished;
            // It may leave the live file with that.
            round.chosen_at = change.now;
            self.version = change.version;
        }
        let taken_back = round.published && info.is_none();
        round.published = info.is_some();
        let info = info.unwrap_or_else(|| RoundInfo::unnamed(number));
        if info != round.info {
            round.info = info;
            round.rename_stream(change.now);
            self.version = change.version;
        }
        self.update_games(hall, number, None, change);
        if taken_back {
            self.version = change.version;
            if self.current == number {
                let shown = |round: &Round| round.published || !round.shown.is_empty();
                let earlier = self.rounds.range(..number).rev().find(|(_, round)| shown(round));
                self.current = earlier.map_or(FIRST_ROUND, |(number, _)| *number);
            }
        }
    }

    /// Brings one game of a round, or all its games, up to date with the hall.
    fn update_games(&mut self, hall: &Hall, number: u32, only: Option<&Arc<str>>, change: Change) {
        let SectionState { rounds, games, archived, .. } = self;
        let Some(round) = rounds.get_mut(&number) else { return };
        let ids = only.map_or_else(|| round.games.clone(), |id| vec![Arc::clone(id)]);
        let (mut changed, mut apart) = (false, false);
        for id in ids {
            let at = games.get(&id).map(|game| &game.at).or_else(|| archived.get(&id).map(|game| &game.at));
            let Some(GameRef { table, .. }) = at else { continue };
            let Some(place) = shown_number(hall, &id) else {
                changed |= round.shown.remove(&id);
                apart = true;
                continue;
            };
            if place != *table {
                changed = true;
                if let Some(game) = games.get_mut(&id) {
                    let game = Arc::make_mut(game);
                    (game.at.table, game.version) = (place, change.version);
                } else if let Some(game) = archived.get_mut(&id) {
                    game.at.table = place;
                }
            }
            // An archived game is made anew for each reader.
            apart |= only.is_some() && archived.contains_key(&id);
            let adjourned = is_adjourned(hall, &id);
            if let Some(game) = games.get_mut(&id).filter(|game| game.adjourned != adjourned) {
                let game = Arc::make_mut(game);
                (game.adjourned, game.version) = (adjourned, change.version);
                changed = true;
            }
            changed |= round.shown.insert(id);
        }
        if changed {
            round.rename_stream(change.now);
        }
        if changed || apart {
            // Also where the game has a file of its own alone, or is archived.
            self.version = change.version;
        }
    }

    /// Takes an archived game into memory when something happens to it.
    fn load_archived(&mut self, hall: &Hall, entry: &RecordedEvent, past: &PastGames) {
        let id = &entry.game.game;
        if let Some(archived) = self.archived.remove(id)
            && let Some(mut view) = past.take(&archived)
        {
            (view.at, view.adjourned) = (archived.at, is_adjourned(hall, id));
            self.games.insert(Arc::clone(id), Arc::new(view));
        }
    }

    /// Applies an event of one of its games, and releases it when the view shows the game.
    fn event(&mut self, hall: &Hall, names: &StreamNames, entry: &RecordedEvent, with_start: bool, change: Change) {
        let (draft, Change { version, now }) = (entry, change);
        let id = &draft.game.game;
        let number = self.place(&draft.game, names);
        let shown = shown_number(hall, id);
        let renamed = self.games.get(id).is_some_and(|game| game.renames(&draft.event));
        let fits = self.apply(entry, shown, change);
        let SectionState { rounds, games, .. } = self;
        let (Some(round), game) = (rounds.get_mut(&number), games.get(id)) else { return };
        if shown.is_none() {
            if hall.game(id).is_some_and(|found| has_address(hall, &found)) {
                // The file of the game alone.
                self.version = version;
            }
            return;
        }
        if with_start {
            if let Some(game) = game {
                round.complete_start(id, game.game.tags());
            }
            return;
        }
        self.version = version;
        let event = match game {
            Some(game) if fits => PublicEvent::of(&draft.event, game),
            _ => {
                tracing::error!(game = %id, event = ?draft.event, "the record does not fit the game: not published");
                PublicEvent::Waiting { waiting: game.is_some_and(|game| game.game.unexplained()) }
            }
        };
        let begins = matches!(event, PublicEvent::GameStarted { .. });
        let ends = matches!(event, PublicEvent::Result { .. } | PublicEvent::GameEnded);
        if matches!(event, PublicEvent::Move { .. }) {
            round.first_move_at = round.first_move_at.or(Some(now));
        }
        round.release(id, event, (draft.at, entry.committed_at), now);
        if renamed {
            round.forget_earlier();
        }
        let new = game.is_some() && round.shown.insert(Arc::clone(id));
        if new && !begins {
            // No event says that there is such a game.
            round.rename_stream(now);
        }
        if begins || ends || new {
            self.choose_featured_round();
        }
    }

    /// Lists a game in its round; gives the round's number.
    fn place(&mut self, at: &GameRef, names: &StreamNames) -> u32 {
        let name = || names.of_record(&at.event, at.round);
        let round = self.rounds.entry(at.round).or_insert_with(|| Round::new(at.round, name()));
        if !self.games.contains_key(&at.game) && !round.games.contains(&at.game) {
            round.games.push(Arc::clone(&at.game));
        }
        at.round
    }

    /// Applies an event to its game, in place unless a reader holds the game at this moment; false when it does not fit.
    fn apply(&mut self, entry: &RecordedEvent, shown: Option<u32>, change: Change) -> bool {
        let Change { version, now } = change;
        let at = &entry.game;
        if let Some(game) = self.games.get_mut(&at.game) {
            return Arc::make_mut(game).apply(entry, now, version);
        }
        let mut game = GameView::new(GameRef { table: shown.unwrap_or(at.table), ..at.clone() });
        let fits = game.apply(entry, now, version);
        if fits {
            self.games.insert(Arc::clone(&at.game), Arc::new(game));
        }
        fits
    }

    /// Features a later round as soon as it has as many games under way as the featured one, or nothing more is expected of
    /// the featured one; never an earlier round. (Boards that are done early start the next round while others still play.)
    fn choose_featured_round(&mut self) {
        let shown = |round: &Round| round.shown.iter().filter_map(|id| self.games.get(id)).cloned().collect::<Vec<_>>();
        let under_way = |round: &Round| shown(round).iter().filter(|game| game.is_under_way()).count();
        let now = self.rounds.get(&self.current);
        let enough = now.map_or(0, under_way).max(1);
        let later = || self.rounds.range(self.current.saturating_add(1)..);
        let busier = later().rev().find(|(_, round)| under_way(round) >= enough);
        let is_over = now.is_none_or(|round| round.finished || !shown(round).iter().any(|game| game.game.is_running()));
        let next = busier.or_else(|| later().find(|(_, round)| is_over && !round.shown.is_empty()));
        self.current = next.map_or(self.current, |(number, _)| *number);
    }
}

impl GameView {
    /// Whether an event replaces a player's name, or other tags of a player, that was released.
    fn renames(&self, event: &Event) -> bool {
        let Event::Tags { tags } = event else { return false };
        let of_a_player =
            |name: &str| (name.starts_with("White") || name.starts_with("Black")) && !name.ends_with("Clock");
        tags.iter()
            .any(|(name, value)| of_a_player(name) && self.game.tags().get(name).is_some_and(|known| known != value))
    }
}
