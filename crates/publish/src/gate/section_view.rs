//! One section of a view: its games as far as they were released, and the latest events of each round.
//!
//! Must not know the record behind the gate, wire formats, or who reads it.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

use hall_clock::UtcMs;
use tournament::{Delay, GameRef, LoadedPlace, PlayerId};

use super::game_view::GameView;
use super::hall::{SectionInfo, is_adjourned};
use super::projection::Projection;
use super::round::{Age, Listed, RoundView, StreamTail};
use super::state::{FIRST_ROUND, SectionState};

/// One section of a view of type `V`; copies share it.
#[derive(Clone)]
pub struct SectionView<V> {
    projection: Arc<Projection>,
    slug: Arc<str>,
    view: PhantomData<fn() -> V>,
}

/// The standings of a pairing program. Players have no names here but those in the tags of their games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// The last round that they include.
    pub after_round: u32,
    /// Names of the tie-breaks, the most important first.
    pub tie_breaks: Vec<String>,
    /// By game: the places of White and of Black.
    pub games: BTreeMap<Arc<str>, [Option<Arc<Place>>; 2]>,
}

/// The place of a player in standings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// From 1; players may share a rank.
    pub rank: u32,
    /// Points twice, byes included.
    pub half_points: Option<u32>,
    /// Values of the tie-breaks as the pairing program wrote them.
    pub tie_breaks: Vec<String>,
}

impl<V> SectionView<V> {
    pub(super) fn new(projection: &Arc<Projection>, slug: &Arc<str>) -> Self {
        Self { projection: Arc::clone(projection), slug: Arc::clone(slug), view: PhantomData }
    }

    /// The section's part of addresses.
    pub fn slug(&self) -> &Arc<str> {
        &self.slug
    }

    /// The section.
    pub fn info(&self) -> Option<Arc<SectionInfo>> {
        self.read(|section| Some(Arc::clone(&section.info)))
    }

    /// When the gate was opened, hall time.
    pub fn opened_at(&self) -> UtcMs {
        self.projection.opened_at
    }

    /// Changes whenever anything in the section changes.
    pub(crate) fn version(&self) -> u64 {
        self.read(|section| Some(section.version)).unwrap_or(0)
    }

    /// Number of the featured round.
    pub fn current_round(&self) -> u32 {
        self.read(|section| Some(section.current)).unwrap_or(FIRST_ROUND)
    }

    /// One round, if anything of it is shown.
    pub fn round(&self, number: u32) -> Option<RoundView> {
        self.read(|section| section.round_view(number))
    }

    /// All rounds of which anything is shown, in order.
    pub fn rounds(&self) -> Vec<RoundView> {
        self.select_rounds(true)
    }

    /// The rounds that were not archived before the gate was opened, in order.
    pub(crate) fn recent_rounds(&self) -> Vec<RoundView> {
        self.select_rounds(false)
    }

    fn select_rounds(&self, archived: bool) -> Vec<RoundView> {
        let rounds = self.read(|section| {
            let rounds = section.rounds.iter().filter(|(_, round)| archived || !round.is_archived());
            Some(rounds.filter_map(|(number, _)| section.round_view(*number)).collect())
        });
        rounds.unwrap_or_default()
    }

    /// The standings of the pairing program, as far as they were released.
    pub fn standings(&self) -> Option<Standings> {
        let state = self.projection.state();
        let section = state.hall.section(&self.slug)?;
        let loaded = section.standings.as_ref()?;
        let place = |(player, place): (&PlayerId, &LoadedPlace)| {
            let half_points = place.points.map(|tenths| tenths / 5);
            (*player, Arc::new(Place { rank: place.rank, half_points, tie_breaks: place.tie_breaks.clone() }))
        };
        let places: BTreeMap<_, _> = loaded.places.iter().map(place).collect();
        let of_player = |player: Option<PlayerId>| places.get(&player?).cloned();
        let games = section.rounds.values().flat_map(|round| &round.games);
        let games = games.map(|game| (Arc::clone(&game.id), [game.pair.white, game.pair.black].map(of_player)));
        Some(Standings {
            after_round: loaded.after_round,
            tie_breaks: loaded.tie_breaks.clone(),
            games: games.collect(),
        })
    }

    /// Whether the organiser's delay of a game is at least this long now: that of its round, and that of its board where it has one of
    /// its own. Until the game is over is longer than any number of seconds. What an output waits beyond it does not count.
    pub fn has_delay(&self, at: &GameRef, at_least: Delay) -> bool {
        let hall = &self.projection.state().hall;
        hall.section(&self.slug).is_some_and(|section| {
            hall.round_delay(section, at.round) >= at_least && hall.delay(section, at.round, at.table) >= at_least
        })
    }

    /// The games of a round, archived ones included: those are read from the journal.
    pub fn games(&self, round: &RoundView) -> Vec<Arc<GameView>> {
        round.games.iter().filter_map(|listed| self.listed(listed)).collect()
    }

    /// A game of the list of a round; an archived one is read from the journal.
    pub fn listed(&self, listed: &Listed) -> Option<Arc<GameView>> {
        listed.live().cloned().or_else(|| self.game(&listed.at().game))
    }

    /// One game, by its id; also one that its round does not show because it is a forfeit. An archived game is read from the
    /// journal, outside the lock.
    pub fn game(&self, id: &str) -> Option<Arc<GameView>> {
        let (archived, adjourned) = {
            let state = self.projection.state();
            let (_, section) = state.section(&self.slug).filter(|(_, section)| section.knows(&state.hall, id))?;
            if let Some(game) = section.games.get(id) {
                return Some(Arc::clone(game));
            }
            (section.archived.get(id)?.clone(), is_adjourned(&state.hall, id))
        };
        let mut game = self.projection.past.game(&archived)?;
        if game.adjourned != adjourned {
            // The journal has it with its round, not with its events.
            Arc::make_mut(&mut game).adjourned = adjourned;
        }
        Some(game)
    }

    /// Whether games of a round are read from the disk.
    pub fn is_archived(&self, round: u32) -> bool {
        self.read(|section| section.round(round).map(|round| round.age != Age::Recent)).unwrap_or(false)
    }

    /// The round of a game that [`SectionView::game`] has.
    pub(super) fn round_of_game(&self, id: &str) -> Option<u32> {
        let state = self.projection.state();
        let (_, section) = state.section(&self.slug).filter(|(_, section)| section.knows(&state.hall, id))?;
        let at = section.games.get(id).map(|game| &game.at).or_else(|| Some(&section.archived.get(id)?.at))?;
        Some(at.round)
    }

    /// The PGN of an archived game; none when it cannot be read at this moment, which is logged.
    pub(crate) fn archived_pgn(&self, id: &str) -> Option<String> {
        let archived = {
            let state = self.projection.state();
            let (_, section) = state.section(&self.slug).filter(|(_, section)| section.knows(&state.hall, id))?;
            section.archived.get(id)?.clone()
        };
        self.projection.past.pgn(&archived)
    }

    /// The events of a round's stream after number `seq`, if the round is known.
    pub fn tail(&self, round: u32, seq: u64) -> Option<StreamTail> {
        self.read(|section| section.round(round).map(|round| round.tail(seq)))
    }

    fn read<T>(&self, read: impl FnOnce(&SectionState) -> Option<T>) -> Option<T> {
        self.projection.state().section(&self.slug).and_then(|(_, section)| read(section))
    }
}
