//! Applies facts to the hall.

use std::collections::BTreeMap;
use std::sync::Arc;

use notation::pgn::Outcome;

use super::{Hall, Place, Unassigned};
use crate::fact::Fact;
use crate::free_tags::{have_name, remove_names};
use crate::names::Names;
use crate::person::PlayerId;
use crate::round::{Pair, Pairing, PairingState, Round, RoundState};
use crate::section::{LoadedReport, LoadedStandings, Section};
use crate::undo::Undo;
use pairings::score::Kind;

impl Hall {
    /// The hall after these facts.
    pub fn of<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Self {
        let mut hall = Self::default();
        hall.apply_all(facts);
        hall
    }

    /// Applies facts in order.
    pub fn apply_all<'a>(&mut self, facts: impl IntoIterator<Item = &'a Fact>) {
        for fact in facts {
            self.apply(fact);
        }
    }

    fn report_loaded(&mut self, section: &str, report: &LoadedReport) {
        if let Some(section) = self.section_mut(section) {
            section.report = Some(report.clone());
        }
    }

    fn standings_loaded(&mut self, section: &str, standings: &Arc<LoadedStandings>) {
        if let Some(section) = self.section_mut(section) {
            section.standings = Some(Arc::clone(standings));
        }
    }

    /// The section of a player, also where it was taken away.
    fn sections_of(&mut self, player: PlayerId) -> impl Iterator<Item = &mut Section> {
        let sections = self.sections.values_mut().chain(self.removed.values_mut());
        sections.filter(move |section| section.players.contains_key(&player)).map(Arc::make_mut)
    }

    fn section_removed(&mut self, section: &str, removed: bool) {
        let (from, to) =
            if removed { (&mut self.sections, &mut self.removed) } else { (&mut self.removed, &mut self.sections) };
        if let Some((slug, section)) = from.remove_entry(section) {
            to.insert(slug, section);
        }
    }

    fn round_state(&mut self, section: &str, round: u32, state: RoundState) {
        let turn = self.turns + 1;
        let Some(round) = self.round_mut(section, round) else { return };
        let taken_back = round.enter(state);
        if state.opens_games() && round.armed.is_none() {
            round.armed = Some(turn);
            self.turns = turn;
        }
        if !taken_back.is_empty() {
            self.on_boards.retain(|_, game| !taken_back.contains(game));
        }
    }

    /// Applies a fact.
    pub fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::TournamentSet { tournament, settings } => {
                self.tournaments.insert(Arc::clone(tournament), settings.clone());
            }
            Fact::SectionSet { section, settings } => {
                let known = self.sections.entry(Arc::clone(section)).or_insert_with(|| {
                    let (rounds, players) = (BTreeMap::new(), BTreeMap::new());
                    let (slug, settings) = (Arc::clone(section), settings.clone());
                    Arc::new(Section { slug, settings, rounds, players, ended: false, report: None, standings: None })
                });
                Arc::make_mut(known).settings.clone_from(settings);
            }
            Fact::EventEnded { section, ended } => {
                if let Some(section) = self.section_mut(section) {
                    section.ended = *ended;
                }
            }
            Fact::SectionRemoved { section, removed } => self.section_removed(section, *removed),
            Fact::ReportLoaded { section, report } => self.report_loaded(section, report),
            Fact::StandingsLoaded { section, standings } => self.standings_loaded(section, standings),
            Fact::RoundSet { section, round, settings } => {
                let Some(section) = self.section_mut(section) else { return };
                let known = section.rounds.entry(*round).or_default();
                let known = Arc::make_mut(known);
                known.number = *round;
                known.settings.clone_from(settings);
            }
            Fact::StartSet { section, round, start } => {
                if let Some(round) = self.round_mut(section, *round) {
                    round.start.clone_from(start);
                }
            }
            Fact::RoundState { section, round, state } => self.round_state(section, *round, *state),
            Fact::Paired { section, round, game, pair } => self.paired(section, *round, game, pair),
            Fact::Unpaired { game } => self.unpaired(game),
            Fact::ByeSet { section, round, player, kind } => {
                let Some(round) = self.round_mut(section, *round) else { return };
                match kind {
                    Some(kind) => round.byes.insert(*player, *kind),
                    None => round.byes.remove(player),
                };
            }
            Fact::ByeImported { section, round, player, kind } => {
                let Some(round) = self.round_mut(section, *round) else { return };
                match kind {
                    Some(kind) => round.imported_byes.insert(*player, *kind),
                    None => round.imported_byes.remove(player),
                };
            }
            Fact::PlayerSet { section, player, number, display } => {
                let last = self.last_player.max(*player);
                let Some(section) = self.section_mut(section) else { return };
                let known = section.players.entry(*player).or_default();
                (known.number, known.display) = (*number, *display);
                self.last_player = last;
            }
            Fact::PlayerRemoved { player } => {
                for section in self.sections_of(*player) {
                    section.players.remove(player);
                }
            }
            Fact::PlayerForgotten { player } => {
                for section in self.sections_of(*player) {
                    if let Some(known) = section.players.get_mut(player) {
                        known.forgotten = true;
                    }
                }
            }
            Fact::Seated { table, board } => {
                if let Some(board) = board {
                    self.seats.retain(|_, seated| seated != board);
                    self.seats.insert(*table, Arc::clone(board));
                    self.number_board(board, *table);
                    self.identifying = self.identifying.filter(|identified| identified != table);
                } else {
                    self.seats.remove(table);
                }
            }
            Fact::Registered { board, number } => self.number_board(board, *number),
            Fact::Identifying { table } => self.identifying = *table,
            Fact::Unassigned { board, game } => self.began_unassigned(board, game),
            Fact::Adopted { unassigned, game } => {
                if let Some(known) = self.unassigned.get_mut(unassigned) {
                    known.adopted_as = Some(Arc::clone(game));
                }
            }
            Fact::Corrected(correction) => self.corrections.push(Arc::new(correction.clone())),
            Fact::Began { .. }
            | Fact::NotBegun { .. }
            | Fact::Moved { .. }
            | Fact::ResultSet { .. }
            | Fact::ResultImported { .. }
            | Fact::ResultMissing { .. }
            | Fact::Adjourned { .. }
            | Fact::Withdrawn { .. }
            | Fact::Sourced { .. }
            | Fact::TagsSet { .. } => self.apply_to_game(fact),
        }
    }

    /// Removes persons from tags that people wrote, also from those in undos.
    pub fn forget(&mut self, names: &Names) {
        let in_tags = |tags: &BTreeMap<String, String>| have_name(tags, names);
        for section in self.sections.values_mut().chain(self.removed.values_mut()) {
            for number in section.rounds.keys().copied().collect::<Vec<_>>() {
                let in_game = |game: &Pairing| in_tags(&game.tags) || in_tags(&game.pair.tags);
                let in_round = |round: &Arc<Round>| round.games.iter().chain(&round.taken_out).any(in_game);
                if !section.rounds.get(&number).is_some_and(in_round) {
                    continue;
                }
                let round = Arc::make_mut(section).rounds.get_mut(&number).map(Arc::make_mut);
                let games = round.into_iter().flat_map(|round| round.games.iter_mut().chain(&mut round.taken_out));
                for game in games {
                    remove_names(&mut game.tags, names);
                    remove_names(&mut game.pair.tags, names);
                }
            }
        }
        for correction in &mut self.corrections {
            if let Some(Undo::Tags { tags, .. }) = &correction.undo
                && in_tags(tags)
                && let Some(Undo::Tags { tags, .. }) = &mut Arc::make_mut(correction).undo
            {
                remove_names(tags, names);
            }
        }
    }

    fn apply_to_game(&mut self, fact: &Fact) {
        match fact {
            Fact::Began { board, game, day } => {
                let usual = board.as_ref().is_none_or(|board| self.is_seat_of(board, game));
                let Some(known) = self.game_mut(game) else { return };
                known.state = PairingState::Playing;
                known.day = Some(*day);
                if !usual {
                    known.board.clone_from(board);
                }
                self.round_began(game);
                if let Some(board) = board {
                    self.play_on(board, game);
                }
            }
            Fact::NotBegun { game } => {
                let Some(known) = self.game_mut(game) else { return };
                known.take_back();
                self.on_boards.retain(|_, on_board| on_board != game);
            }
            Fact::Moved { game, to, .. } => {
                let usual = self.is_seat_of(to, game);
                let Some(known) = self.game_mut(game) else { return };
                known.board = Some(Arc::clone(to)).filter(|_| !usual);
                if known.state == PairingState::Adjourned {
                    known.state = PairingState::Playing;
                }
                self.play_on(to, game);
            }
            Fact::ResultSet { game, result } => {
                if result.is_some_and(|score| score.outcome() == Outcome::Unknown) {
                    // A session has no command for this result: its board is free.
                    self.on_boards.retain(|_, on_board| on_board != game);
                }
                let on_board = self.on_boards.values().any(|on_board| on_board == game);
                let Some(known) = self.game_mut(game) else { return };
                known.result = *result;
                known.state = match result {
                    Some(score) if score.kind == Kind::Forfeit => PairingState::Forfeit,
                    Some(_) => PairingState::Finished,
                    None if on_board => PairingState::Playing,
                    None if known.has_begun() => PairingState::ResultMissing,
                    None => PairingState::Paired,
                };
            }
            Fact::ResultImported { game, result } => {
                if let Some(known) = self.game_mut(game) {
                    known.imported = *result;
                }
            }
            Fact::ResultMissing { game } => {
                if let Some(known) = self.game_mut(game) {
                    known.state = PairingState::ResultMissing;
                }
            }
            Fact::Adjourned { game } => {
                let Some(known) = self.game_mut(game) else { return };
                known.state = PairingState::Adjourned;
                self.on_boards.retain(|_, on_board| on_board != game);
            }
            Fact::Withdrawn { game, withdrawn } => {
                if let Some(known) = self.game_mut(game) {
                    known.withdrawn = *withdrawn;
                }
            }
            Fact::Sourced { game, source } => {
                if let Some(known) = self.game_mut(game) {
                    known.source = Some(Arc::clone(source));
                }
            }
            Fact::TagsSet { game, tags } => {
                if let Some(known) = self.game_mut(game) {
                    known.tags.clone_from(tags);
                }
            }
            _ => {}
        }
    }

    fn paired(&mut self, section: &Arc<str>, number: u32, game: &Arc<str>, pair: &Pair) {
        let on_board = self.on_board(game).is_some();
        let Some(round) = self.round_mut(section, number) else { return };
        let mut is_back = false;
        if let Some(known) = round.games.iter_mut().find(|known| known.id == *game) {
            known.pair.clone_from(pair);
        } else {
            let place = round.taken_out.iter().position(|known| known.id == *game);
            is_back = place.is_some();
            let known = place.map(|place| round.taken_out.remove(place)).unwrap_or_default();
            let state = match known.state {
                // Its board has begun another game since.
                PairingState::Playing if !on_board => PairingState::ResultMissing,
                state => state,
            };
            round.games.push(Pairing { id: Arc::clone(game), pair: pair.clone(), state, ..known });
        }
        round.games.sort_by_key(|game| game.pair.number);
        if is_back {
            self.unassigned.remove(game);
        }
        if !self.places.contains_key(game) {
            let place = Place { section: Arc::clone(section), round: number };
            Arc::make_mut(&mut self.places).insert(Arc::clone(game), place);
        }
    }

    fn began_unassigned(&mut self, board: &Arc<str>, game: &Arc<str>) {
        let before_table = self.table_of(board).is_none().then_some(self.turns);
        let unassigned = Unassigned { board: Arc::clone(board), adopted_as: None, before_table };
        self.unassigned.insert(Arc::clone(game), unassigned);
        self.on_boards.insert(Arc::clone(board), Arc::clone(game));
    }

    /// An unpaired game that has begun becomes unassigned: it may belong to another pairing. The round keeps what is known
    /// of it, in case the pair comes back.
    fn unpaired(&mut self, game: &Arc<str>) {
        let Some(Place { section, round }) = self.places.get(game).cloned() else { return };
        let found = self.game(game).filter(|found| found.game.has_begun());
        let board = self.on_board(game).or_else(|| self.board_of(&found?)).cloned();
        if let Some(round) = self.round_mut(&section, round)
            && let Some(place) = round.games.iter().position(|known| known.id == *game)
        {
            let known = round.games.remove(place);
            // A pair that is not known does not come back.
            if known.pair.white.is_some() && known.pair.black.is_some() {
                round.taken_out.push(known);
            }
        }
        if let Some(board) = board {
            let unassigned = Unassigned { board, adopted_as: None, before_table: None };
            self.unassigned.insert(Arc::clone(game), unassigned);
        }
    }

    /// Whether a board stands at the table of a game.
    fn is_seat_of(&self, board: &Arc<str>, game: &str) -> bool {
        let table = self.game(game).and_then(|found| found.table());
        table.is_some_and(|table| self.seats.get(&table) == Some(board))
    }

    /// Gives a board its number. The board that had it takes the number that becomes free, or a new one.
    fn number_board(&mut self, board: &Arc<str>, number: u32) {
        let other = self.numbers.iter().find(|(_, taken)| **taken == number).map(|(other, _)| Arc::clone(other));
        let before = self.numbers.insert(Arc::clone(board), number);
        if let Some(other) = other.filter(|other| other != board) {
            let free = before.unwrap_or_else(|| self.next_number());
            self.numbers.insert(other, free);
        }
    }

    /// A game is on one board at a time.
    fn play_on(&mut self, board: &Arc<str>, game: &Arc<str>) {
        self.on_boards.retain(|_, on_board| on_board != game);
        self.on_boards.insert(Arc::clone(board), Arc::clone(game));
    }

    fn round_began(&mut self, game: &str) {
        let turn = self.turns + 1;
        let Some(Place { section, round }) = self.places.get(game).cloned() else { return };
        if let Some(round) = self.round_mut(&section, round).filter(|round| round.began.is_none()) {
            round.began = Some(turn);
            self.turns = turn;
        }
    }

    fn section_mut(&mut self, slug: &str) -> Option<&mut Section> {
        self.sections.get_mut(slug).or_else(|| self.removed.get_mut(slug)).map(Arc::make_mut)
    }

    fn round_mut(&mut self, section: &str, number: u32) -> Option<&mut Round> {
        self.section_mut(section)?.rounds.get_mut(&number).map(Arc::make_mut)
    }

    fn game_mut(&mut self, id: &str) -> Option<&mut Pairing> {
        let Place { section, round } = self.places.get(id)?.clone();
        self.round_mut(&section, round)?.games.iter_mut().find(|game| &*game.id == id)
    }
}
