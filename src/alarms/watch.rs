//! What the alarms look at: the games of the armed rounds, folded from the committed feed, and their boards.
//!
//! Must not know which facts are alarms.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use chrono::Offset;
use coded_text::CodedText;
use game_core::alarm::{AlarmChange, Alarms, Watched};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::Notice;
use game_core::placement::Placement;
use game_core::session::Doubts;
use shakmaty::Board;

use super::exchanged::{Played, exchanged};
use super::sentence::HallSentence;
use crate::director::DirectorHandle;
use hall_clock::UtcMs;
use journal::{Committed, FeedReader};
use tournament::{self, BoardState, Found, Hall, PairingState, RoundState};

/// The hall as the alarms see it.
#[derive(Debug)]
pub(super) struct Watch {
    feed: FeedReader,
    games: HashMap<Arc<str>, Game>,
    /// Since when boards are out of reach.
    silent: BTreeMap<Arc<str>, UtcMs>,
    /// When a round had its first move, or the first clock that runs.
    began: HashMap<(Arc<str>, u32), UtcMs>,
    /// What boards are to be told that show another game than their own.
    exchanged: Vec<(Arc<str>, Notice)>,
}

/// How far a venue is ahead of UTC at an instant, in s.
fn utc_offset_s(zone: chrono_tz::Tz, now: UtcMs) -> i32 {
    let now = i64::try_from(now).ok().and_then(chrono::DateTime::from_timestamp_millis);
    now.map_or(0, |now| now.with_timezone(&zone).offset().fix().local_minus_utc())
}

impl Watch {
    pub(super) fn new(feed: FeedReader) -> Self {
        Self { feed, games: HashMap::new(), silent: BTreeMap::new(), began: HashMap::new(), exchanged: Vec::new() }
    }

    /// Looks at everything once.
    pub(super) fn look(&mut self, alarms: &mut Alarms, director: &DirectorHandle, now: UtcMs) -> Vec<AlarmChange> {
        self.read_feed();
        let hall = director.hall();
        let boards = self.look_at_boards(director.board_states(), now);
        let nothing_yet = Game::new();
        let differing = hall.games().filter(|found| found.game.result_differs());
        let differing: HashMap<_, _> = differing.filter_map(|found| Some((&found.game.id, both(&found)?))).collect();
        let several = hall.sections.values().filter(|section| !section.rounds.is_empty()).count() > 1;
        let mut tables = Vec::new();
        for found in hall.games() {
            let (open, differing) = (found.round.state.opens_games(), differing.get(&found.game.id));
            if !open && differing.is_none() {
                continue;
            }
            let board = hall.board_of(&found);
            let here = board.and_then(|board| boards.get(board));
            let plays_this = here.is_some_and(|here| here.game.as_ref() == Some(&found.game.id));
            let game = self.games.get(&found.game.id).unwrap_or(&nothing_yet);
            tables.push(Watched {
                table: found.table().unwrap_or(found.game.pair.number),
                section: Some(&*found.section.settings.name).filter(|_| several),
                game_id: &found.game.id,
                game,
                armed: open && !found.game.withdrawn,
                adjourned: found.game.state == PairingState::Adjourned,
                placement: here.filter(|_| plays_this).and_then(|here| here.placement.as_ref()),
                // What a board says now is nothing about a game that was played on it before.
                doubts: here.filter(|_| plays_this || game.is_running()).map(|here| &here.doubts),
                unconfirmed: here.filter(|_| plays_this).and_then(|here| here.unconfirmed.as_deref()),
                shows_other: here.filter(|_| plays_this).and_then(|here| {
                    let other = hall.game(here.shows_other.as_ref()?)?;
                    Some(other.table().unwrap_or(other.game.pair.number))
                }),
                silent_since: here.and_then(|here| here.silent_since),
                utc_offset_s: utc_offset_s(found.section.settings.zone, now),
                started_at: self.started_at(&found, now),
                default_ms: found.round.settings.default_time_s.map(|seconds| u64::from(seconds) * 1000),
                differing: differing.map(|[own, said]| [own.as_str(), said.as_str()]),
            });
        }
        self.exchanged = exchanged(&here_played(&hall, &boards, &self.games));
        let changes = alarms.update(now, &tables);
        // What no armed round and no board plays is not looked at again.
        let on_boards: BTreeSet<_> = hall.on_boards.values().collect();
        self.games.retain(|id, _| {
            on_boards.contains(id) || hall.game(id).is_some_and(|found| found.round.state != RoundState::Finished)
        });
        changes
    }

    /// The number of moves of a running game; 0 when it is over.
    pub(super) fn running_moves(&self, game: &str) -> usize {
        self.games.get(game).filter(|game| !game.ended()).map_or(0, |game| game.moves().len())
    }

    /// What boards are to be told, as the last look has shown that they have another game than their own.
    pub(super) fn exchanged(&mut self) -> Vec<(Arc<str>, Notice)> {
        std::mem::take(&mut self.exchanged)
    }

    fn read_feed(&mut self) {
        for entry in self.feed.ready_entries() {
            if let Committed::Game(entry) = entry {
                self.games.entry(Arc::clone(&entry.game.game)).or_default().apply(&entry.event);
                // Pieces may stand ready long before, when the round is published in the evening.
                if matches!(entry.event, Event::Move { .. } | Event::Clock { running: Some(_), .. }) {
                    let round = (Arc::clone(&entry.game.event), entry.game.round);
                    self.began.entry(round).or_insert(entry.at);
                }
            }
        }
    }

    fn look_at_boards(&mut self, states: Vec<BoardState>, now: UtcMs) -> HashMap<Arc<str>, Seen> {
        let mut boards = HashMap::new();
        for state in states {
            if state.connected {
                self.silent.remove(&state.board);
            } else {
                self.silent.entry(Arc::clone(&state.board)).or_insert(now);
            }
            let placement = Board::from_ascii_board_fen(state.fen.as_bytes()).ok();
            let seen = Seen {
                game: state.game,
                placement: placement.filter(|_| state.connected).map(|board| Placement::from_board(&board)),
                unconfirmed: state.claim.filter(|claim| claim.due.is_none()).map(|claim| claim.to_string()),
                doubts: Doubts {
                    wrong_start: state.wrong_start,
                    unsteady: state.unsteady,
                    faulty: state.faulty,
                    candidates: state.candidates,
                    clock_battery_low: state.clock_battery_low,
                    battery_low: state.battery.filter(|battery| battery.is_low()).map(|battery| battery.percent),
                },
                follows_game: state.follows_game,
                shows_other: state.shows_other,
                silent_since: self.silent.get(&state.board).copied(),
            };
            boards.insert(state.board, seen);
        }
        boards
    }

    /// When the play of a game's round began: as planned, or with its first move or clock.
    fn started_at(&self, found: &Found<'_>, now: UtcMs) -> Option<UtcMs> {
        match found.round.settings.planned_start {
            Some(planned) => Some(planned).filter(|planned| *planned <= now),
            None => self.began.get(&(Arc::clone(&found.section.slug), found.round.number)).copied(),
        }
    }
}

/// The running games of pairings, each with what its board shows. A game of open play belongs to its board: it has no table of its own.
fn here_played<'a>(
    hall: &Hall,
    boards: &'a HashMap<Arc<str>, Seen>,
    games: &'a HashMap<Arc<str>, Game>,
) -> Vec<Played<'a>> {
    let paired = |found: &Found<'_>| found.game.state == PairingState::Playing && !found.section.settings.open_play;
    let played = hall.games().filter(paired).filter_map(|found| {
        let (id, game) = games.get_key_value(&found.game.id)?;
        let (board, seen) = hall.board_of(&found).and_then(|board| boards.get_key_value(board)).unzip();
        Some(Played {
            id,
            game,
            board: board.zip(seen).filter(|(_, seen)| seen.game.as_ref() == Some(id)).map(|(board, _)| board),
            shown: seen.and_then(|seen| seen.placement.as_ref()),
            is_settled: seen.is_some_and(|seen| seen.follows_game || seen.shows_other.is_some()),
        })
    });
    played.collect()
}

/// Byes of which the pairings say something else than the record: what to do about them.
pub(super) fn differing_byes(director: &DirectorHandle) -> Vec<CodedText> {
    let (hall, persons) = (director.hall(), director.persons());
    let rounds = hall.sections.values().flat_map(|section| section.rounds.keys().map(|round| (&section.slug, *round)));
    let differing = rounds.flat_map(|(section, round)| tournament::differing_byes(&hall, &persons, section, round));
    let mut sentences: Vec<_> = differing.map(CodedText::from).collect();
    if !sentences.is_empty() {
        sentences.push(HallSentence::CorrectOne.into());
    }
    sentences
}

/// Our result of a game and that of the pairings.
fn both(found: &Found<'_>) -> Option<[String; 2]> {
    Some([found.game.result?.to_string(), found.game.imported?.to_string()])
}

/// A board at this moment.
struct Seen {
    game: Option<Arc<str>>,
    placement: Option<Placement>,
    doubts: Doubts,
    unconfirmed: Option<String>,
    follows_game: bool,
    shows_other: Option<Arc<str>>,
    silent_since: Option<UtcMs>,
}
