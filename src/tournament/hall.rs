//! The hall: everything that is recorded of tournaments, boards and tables, as the fold of its facts.
//!
//! Knows what is so. What may become so is [`decide`](super::decide::decide)'s matter: a fact that fits nothing changes
//! nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use game_core::controls::Controls;
use notation::pgn::Outcome;

use super::fact::{Correction, Fact};
use super::names::Names;
use super::order::Order;
use super::person::PlayerId;
use super::round::{Pair, Pairing, PairingState, Round, RoundState};
use super::section::{PlayerFacts, Section, Tournament};
use super::tags::{holds, remove};
use crate::pairings::score::Kind;
use crate::pairings::time_controls::TimeControls;
use crate::record::GameRef;

/// The tag of a game's time control.
pub(super) const TIME_CONTROL: &str = "TimeControl";

/// Stands for the section of games that are kept apart; no section has such a slug.
pub const KEPT_APART: &str = "-";

/// Everything that is recorded of the hall. Cheap to copy: what does not change is shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hall {
    /// Tournaments by slug.
    pub tournaments: BTreeMap<Arc<str>, Tournament>,
    /// Sections by slug.
    pub sections: BTreeMap<Arc<str>, Arc<Section>>,
    /// Table to the board that stands there.
    pub seats: BTreeMap<u32, Arc<str>>,
    /// Board to the id of what is played on it, or was played last: a game or something kept apart.
    pub on_boards: BTreeMap<Arc<str>, Arc<str>>,
    /// What was played on unarmed boards, by id.
    pub parked: BTreeMap<Arc<str>, Parked>,
    /// All corrections, the first one first.
    pub corrections: Vec<Arc<Correction>>,
    /// Where every game is that ever had an id, those that are not paired any more included.
    places: Arc<BTreeMap<Arc<str>, Place>>,
    /// Counts when rounds were armed and began.
    turns: u64,
    last_player: PlayerId,
}

/// What was played on a board for which no game was armed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parked {
    /// Serial number of the board.
    pub board: Arc<str>,
    /// The game that it turned out to be.
    pub claimed: Option<Arc<str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    section: Arc<str>,
    round: u32,
}

/// A game with where it is.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Its section.
    pub section: &'a Section,
    /// Its round.
    pub round: &'a Round,
    /// The game.
    pub game: &'a Pairing,
}

impl Found<'_> {
    /// The table of the hall at which it is played; none without an electronic board.
    pub fn table(&self) -> Option<u32> {
        if self.game.pair.boardless { None } else { self.section.table(self.game.pair.number) }
    }

    /// The time control in PGN form: the game's own, else the round's when both sides have the same.
    pub fn time_control(&self) -> Option<&str> {
        let own = self.game.tags.get(TIME_CONTROL).filter(|control| !control.is_empty());
        let own = own.or_else(|| self.game.pair.tags.get(TIME_CONTROL)).map(String::as_str);
        own.or_else(|| self.section.time_controls(self.round).common())
    }

    /// What the board's session must know of the time control: one for each player where they have not the same.
    pub fn controls(&self) -> Option<Controls> {
        let TimeControls { white, black } = self.section.time_controls(self.round);
        let each = || Some(Controls::Each { white: white.clone()?, black: black.clone()? });
        self.time_control().map(Controls::from).or_else(each)
    }

    /// The game as the record names it. Its table is the board's number in the section.
    pub fn at(&self) -> GameRef {
        GameRef {
            game: Arc::clone(&self.game.id),
            event: Arc::clone(&self.section.slug),
            round: self.round.number,
            table: self.game.pair.number,
        }
    }
}

/// Questions.
impl Hall {
    /// A section.
    pub fn section(&self, slug: &str) -> Option<&Section> {
        self.sections.get(slug).map(|section| &**section)
    }

    /// A round.
    pub fn round(&self, section: &str, number: u32) -> Option<&Round> {
        self.section(section)?.rounds.get(&number).map(|round| &**round)
    }

    /// A game, by its id.
    pub fn game(&self, id: &str) -> Option<Found<'_>> {
        let place = self.places.get(id)?;
        let section = self.section(&place.section)?;
        let round = section.rounds.get(&place.round)?;
        Some(Found { section, round, game: round.game(id)? })
    }

    /// What the record calls a game or something that was kept apart.
    pub fn game_ref(&self, id: &str) -> Option<GameRef> {
        if let Some(found) = self.game(id) {
            return Some(found.at());
        }
        let (game, _) = self.parked.get_key_value(id)?;
        Some(GameRef { game: Arc::clone(game), event: KEPT_APART.into(), round: 1, table: 1 })
    }

    /// All games.
    pub fn games(&self) -> impl Iterator<Item = Found<'_>> {
        self.sections.values().flat_map(|section| {
            let rounds = section.rounds.values();
            rounds.flat_map(|round| round.games.iter().map(|game| Found { section, round, game }))
        })
    }

    /// The section and what is recorded of a player.
    pub fn player(&self, id: PlayerId) -> Option<(&Section, PlayerFacts)> {
        self.sections.values().find_map(|section| Some((&**section, *section.players.get(&id)?)))
    }

    /// The table at which a board stands.
    pub fn table_of(&self, board: &str) -> Option<u32> {
        self.seats.iter().find(|(_, seated)| &***seated == board).map(|(table, _)| *table)
    }

    /// The board on which a game is played, or would be when it begins.
    pub fn board_of<'a>(&'a self, found: &Found<'a>) -> Option<&'a Arc<str>> {
        found.game.board.as_ref().or_else(|| self.seats.get(&found.table()?))
    }

    /// The game or the id of what is kept apart that a board plays now.
    pub fn playing(&self, board: &str) -> Option<&Arc<str>> {
        self.on_boards.get(board)
    }

    /// The board that plays a game, or played it last and nothing since.
    pub fn on_board(&self, game: &str) -> Option<&Arc<str>> {
        self.on_boards.iter().find(|(_, on_board)| &***on_board == game).map(|(board, _)| board)
    }

    /// The board on which a game is played at this moment; none before its start, after its end and while it is adjourned.
    pub fn live_board<'a>(&'a self, found: &Found<'a>) -> Option<&'a Arc<str>> {
        let board = self.board_of(found)?;
        let here = self.on_boards.get(board).is_some_and(|game| *game == found.game.id);
        (here && matches!(found.game.state, PairingState::Playing | PairingState::Finished)).then_some(board)
    }

    /// Whether a game, or something kept apart, ever had this id.
    pub fn knows_id(&self, id: &str) -> bool {
        self.places.contains_key(id) || self.parked.contains_key(id)
    }

    /// The number of the next player.
    pub fn next_player(&self) -> PlayerId {
        PlayerId(self.last_player.0.saturating_add(1))
    }

    /// The number of the next correction.
    pub fn next_correction(&self) -> u32 {
        self.corrections.len() as u32 + 1
    }

    /// Whether pairings say who plays: then open play has an end.
    pub fn is_paired(&self) -> bool {
        self.sections.values().any(|section| !section.settings.open_play)
    }
}

/// The fold.
impl Hall {
    /// The hall of all these facts.
    pub fn of<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Self {
        let mut hall = Self::default();
        hall.apply_all(facts);
        hall
    }

    /// Takes the next facts.
    pub fn apply_all<'a>(&mut self, facts: impl IntoIterator<Item = &'a Fact>) {
        for fact in facts {
            self.apply(fact);
        }
    }

    /// Takes the next fact.
    pub fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::TournamentSet { tournament, settings } => {
                self.tournaments.insert(Arc::clone(tournament), settings.clone());
            }
            Fact::SectionSet { section, settings } => {
                let known = self.sections.entry(Arc::clone(section)).or_insert_with(|| {
                    let (rounds, players) = (BTreeMap::new(), BTreeMap::new());
                    let (slug, settings) = (Arc::clone(section), settings.clone());
                    Arc::new(Section { slug, settings, rounds, players, ended: false })
                });
                Arc::make_mut(known).settings.clone_from(settings);
            }
            Fact::EventEnded { section, ended } => {
                if let Some(section) = self.section_mut(section) {
                    section.ended = *ended;
                }
            }
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
            Fact::RoundState { section, round, state } => {
                let turn = self.turns + 1;
                let Some(round) = self.round_mut(section, *round) else { return };
                round.state = *state;
                round.published |= *state != RoundState::Prepared && *state != RoundState::Finished;
                if state.opens_games() && round.armed.is_none() {
                    round.armed = Some(turn);
                    self.turns = turn;
                }
            }
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
            Fact::PlayerForgotten { player } => {
                for section in self.sections.values_mut().filter(|section| section.players.contains_key(player)) {
                    if let Some(known) = Arc::make_mut(section).players.get_mut(player) {
                        known.forgotten = true;
                    }
                }
            }
            Fact::Seated { table, board } => {
                if let Some(board) = board {
                    self.seats.retain(|_, seated| seated != board);
                    self.seats.insert(*table, Arc::clone(board));
                } else {
                    self.seats.remove(table);
                }
            }
            Fact::Parked { board, game } => {
                self.parked.insert(Arc::clone(game), Parked { board: Arc::clone(board), claimed: None });
                self.on_boards.insert(Arc::clone(board), Arc::clone(game));
            }
            Fact::Claimed { parked, game } => {
                if let Some(parked) = self.parked.get_mut(parked) {
                    parked.claimed = Some(Arc::clone(game));
                }
            }
            Fact::Corrected(correction) => self.corrections.push(Arc::new(correction.clone())),
            Fact::Began { .. }
            | Fact::Moved { .. }
            | Fact::ResultSet { .. }
            | Fact::ResultImported { .. }
            | Fact::ResultMissing { .. }
            | Fact::Adjourned { .. }
            | Fact::Withdrawn { .. }
            | Fact::TagsSet { .. } => self.apply_to_game(fact),
        }
    }

    /// Removes persons from the tags of games that people wrote, also from those that a correction would bring back.
    pub fn forget(&mut self, names: &Names) {
        let in_tags = |tags: &BTreeMap<String, String>| holds(tags, names);
        for section in self.sections.values_mut() {
            for number in section.rounds.keys().copied().collect::<Vec<_>>() {
                let in_game = |game: &Pairing| in_tags(&game.tags) || in_tags(&game.pair.tags);
                if !section.rounds.get(&number).is_some_and(|round| round.games.iter().any(in_game)) {
                    continue;
                }
                let round = Arc::make_mut(section).rounds.get_mut(&number).map(Arc::make_mut);
                for game in round.into_iter().flat_map(|round| &mut round.games) {
                    remove(&mut game.tags, names);
                    remove(&mut game.pair.tags, names);
                }
            }
        }
        for correction in &mut self.corrections {
            if let Some(Order::SetTags { tags, .. }) = &correction.undo
                && in_tags(tags)
                && let Some(Order::SetTags { tags, .. }) = &mut Arc::make_mut(correction).undo
            {
                remove(tags, names);
            }
        }
    }

    fn apply_to_game(&mut self, fact: &Fact) {
        match fact {
            Fact::Began { board, game, day } => {
                let Some(known) = self.game_mut(game) else { return };
                known.state = PairingState::Playing;
                known.day = known.day.or(Some(*day));
                self.round_began(game);
                if let Some(board) = board {
                    self.play_on(board, game);
                }
            }
            Fact::Moved { game, to, .. } => {
                let table = self.game(game).and_then(|found| found.table());
                let usual = table.is_some_and(|table| self.seats.get(&table) == Some(to));
                let Some(known) = self.game_mut(game) else { return };
                known.board = Some(Arc::clone(to)).filter(|_| !usual);
                if known.state == PairingState::Adjourned {
                    known.state = PairingState::Playing;
                }
                self.play_on(to, game);
            }
            Fact::ResultSet { game, result } => {
                if result.is_some_and(|score| score.outcome() == Outcome::Unknown) {
                    // No session can say such a result: its board is free.
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
            Fact::TagsSet { game, tags } => {
                if let Some(known) = self.game_mut(game) {
                    known.tags.clone_from(tags);
                }
            }
            _ => {}
        }
    }

    fn paired(&mut self, section: &Arc<str>, number: u32, game: &Arc<str>, pair: &Pair) {
        let Some(round) = self.round_mut(section, number) else { return };
        match round.games.iter_mut().find(|known| known.id == *game) {
            Some(known) => known.pair.clone_from(pair),
            None => round.games.push(Pairing { id: Arc::clone(game), pair: pair.clone(), ..Pairing::default() }),
        }
        round.games.sort_by_key(|game| game.pair.number);
        if !self.places.contains_key(game) {
            let place = Place { section: Arc::clone(section), round: number };
            Arc::make_mut(&mut self.places).insert(Arc::clone(game), place);
        }
    }

    /// What was played of a game that is not paired any more is kept apart: it may be another's.
    fn unpaired(&mut self, game: &Arc<str>) {
        let Some(Place { section, round }) = self.places.get(game).cloned() else { return };
        let found = self.game(game).filter(|found| found.game.has_begun());
        let board = self.on_board(game).or_else(|| self.board_of(&found?)).cloned();
        if let Some(round) = self.round_mut(&section, round) {
            round.games.retain(|known| known.id != *game);
        }
        if let Some(board) = board {
            self.parked.insert(Arc::clone(game), Parked { board, claimed: None });
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
        self.sections.get_mut(slug).map(Arc::make_mut)
    }

    fn round_mut(&mut self, section: &str, number: u32) -> Option<&mut Round> {
        self.section_mut(section)?.rounds.get_mut(&number).map(Arc::make_mut)
    }

    fn game_mut(&mut self, id: &str) -> Option<&mut Pairing> {
        let Place { section, round } = self.places.get(id)?.clone();
        self.round_mut(&section, round)?.games.iter_mut().find(|game| &*game.id == id)
    }
}

/// Where a serial number stands among others: shorter before longer, so that 9 comes before 10.
pub fn serial_order(serial: &str) -> (usize, &str) {
    (serial.len(), serial)
}
