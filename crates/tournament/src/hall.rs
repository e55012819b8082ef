//! The hall: the state of tournaments, boards and tables, as the fold of the facts.
//!
//! It has no rules: [`decide`](super::decide::decide) has them. A fact that refers to something unknown changes nothing.

mod fold;

use std::collections::BTreeMap;
use std::sync::Arc;

use game_core::controls::Controls;

use super::fact::Correction;
use super::person::PlayerId;
use super::round::{Pairing, PairingState, Round};
use super::section::{PlayerFacts, Section, Tournament};
use crate::GameRef;
use pairings::time_controls::TimeControls;

/// The tag of a game's time control.
pub(super) const TIME_CONTROL: &str = "TimeControl";

/// The section of unassigned games in a [`GameRef`]; no section has this slug.
pub const UNASSIGNED: &str = "-";

/// The state of the hall. Cheap to clone: unchanged parts are shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hall {
    /// Tournaments by slug.
    pub tournaments: BTreeMap<Arc<str>, Tournament>,
    /// Sections by slug.
    pub sections: BTreeMap<Arc<str>, Arc<Section>>,
    /// Sections that were taken away, by slug, with what they had: facts about them still count, in case they come back.
    pub removed: BTreeMap<Arc<str>, Arc<Section>>,
    /// Table to the board that stands there.
    pub seats: BTreeMap<u32, Arc<str>>,
    /// Every board that was ever found, with the number that it keeps in open play. A board has the number of its table.
    pub numbers: BTreeMap<Arc<str>, u32>,
    /// The table whose board will show itself by a king on e4.
    pub identifying: Option<u32>,
    /// Board to the id of what is played on it, or was played last: of a pairing or unassigned.
    pub on_boards: BTreeMap<Arc<str>, Arc<str>>,
    /// Games that began on a board for which no game was armed, by id.
    pub unassigned: BTreeMap<Arc<str>, Unassigned>,
    /// All corrections, the first one first.
    pub corrections: Vec<Arc<Correction>>,
    /// The round of every game that ever had an id, unpaired games included.
    places: Arc<BTreeMap<Arc<str>, Place>>,
    /// Counter for the order in which rounds were armed and began.
    turns: u64,
    last_player: PlayerId,
}

/// A game on a board for which no game was armed: it belongs to no pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unassigned {
    /// Serial number of the board.
    pub board: Arc<str>,
    /// The pairing's game that it became.
    pub adopted_as: Option<Arc<str>>,
    /// For a game that began on a board without a table: when it began, by the hall's counter for rounds.
    pub before_table: Option<u64>,
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

    /// The time control for the board's session: one for each player where they differ.
    pub fn controls(&self) -> Option<Controls> {
        let TimeControls { white, black } = self.section.time_controls(self.round);
        let each = || Some(Controls::Each { white: white.clone()?, black: black.clone()? });
        self.time_control().map(Controls::from).or_else(each)
    }

    /// How the record names the game. Its table is the board number in the section.
    pub fn at(&self) -> GameRef {
        GameRef {
            game: Arc::clone(&self.game.id),
            event: Arc::clone(&self.section.slug),
            round: self.round.number,
            table: self.game.pair.number,
        }
    }
}

/// Queries.
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

    /// How the record names a game, of a pairing or unassigned.
    pub fn game_ref(&self, id: &str) -> Option<GameRef> {
        if let Some(found) = self.game(id) {
            return Some(found.at());
        }
        let (game, _) = self.unassigned.get_key_value(id)?;
        Some(GameRef { game: Arc::clone(game), event: UNASSIGNED.into(), round: 1, table: 1 })
    }

    /// All games.
    pub fn games(&self) -> impl Iterator<Item = Found<'_>> {
        self.sections.values().flat_map(|section| {
            let rounds = section.rounds.values();
            rounds.flat_map(|round| round.games.iter().map(|game| Found { section, round, game }))
        })
    }

    /// The section, which may have been taken away, and what is recorded of a player.
    pub fn player(&self, id: PlayerId) -> Option<(&Section, PlayerFacts)> {
        let sections = self.sections.values().chain(self.removed.values());
        sections.into_iter().find_map(|section| Some((&**section, *section.players.get(&id)?)))
    }

    /// The table at which a board stands.
    pub fn table_of(&self, board: &str) -> Option<u32> {
        self.seats.iter().find(|(_, seated)| &***seated == board).map(|(table, _)| *table)
    }

    /// The board on which a game is played, or would be when it begins.
    pub fn board_of<'a>(&'a self, found: &Found<'a>) -> Option<&'a Arc<str>> {
        found.game.board.as_ref().or_else(|| self.seats.get(&found.table()?))
    }

    /// The id of the game that a board plays now, of a pairing or unassigned.
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

    /// Whether any game ever had this id, of a pairing or unassigned.
    pub fn knows_id(&self, id: &str) -> bool {
        self.places.contains_key(id) || self.unassigned.contains_key(id)
    }

    /// The number of the next board that is found: no board and no table has it.
    pub(crate) fn next_number(&self) -> u32 {
        let tables = self.seats.keys().next_back();
        self.numbers.values().chain(tables).max().map_or(1, |last| last.saturating_add(1))
    }

    /// The number of the next player.
    pub(crate) fn next_player(&self) -> PlayerId {
        PlayerId(self.last_player.0.saturating_add(1))
    }

    /// The number of the next correction.
    pub(crate) fn next_correction(&self) -> u32 {
        self.corrections.len() as u32 + 1
    }

    /// Whether there is a section with pairings; then there is no open play.
    pub fn is_paired(&self) -> bool {
        self.sections.values().any(|section| !section.settings.open_play)
    }
}

/// Sort key of serial numbers: shorter before longer, so that 9 comes before 10.
pub fn serial_order(serial: &str) -> (usize, &str) {
    (serial.len(), serial)
}
