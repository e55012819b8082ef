//! Which game the first move on a board belongs to.
//!
//! A game begins when its pieces are set up, which may be the next round's while players of it still play. Where the game before is
//! played again from its start (Laws, 7.2 and 7.3), the start position looks the same: the first move shows which one it is.

use std::sync::Arc;

use game_core::event::{Event, Side};
use game_core::game::ClockRecord;

use super::Work;
use crate::fact::Fact;
use crate::hall::Found;
use crate::opening::next_game;
use crate::refusal::Refusal;
use crate::round::{Pairing, PairingState};
use crate::tags::tags_of;

impl Work<'_> {
    /// The first move on a board: where a player of its game plays elsewhere and the game before it has no result, it is of no
    /// pairing; where such a game without a pairing began before, it is of the next pairing once both players are free.
    pub(super) fn first_move(&mut self, board: &str) -> Result<(), Refusal> {
        let Some((board, id)) = self.hall.on_boards.get_key_value(board) else { return Ok(()) };
        let (board, id) = (Arc::clone(board), Arc::clone(id));
        let Some(ready) = self.games.game(&id).filter(|ready| ready.moves().is_empty() && !ready.ended()) else {
            return Ok(());
        };
        if let Some(found) = self.hall.game(&id) {
            let again = found.game.state == PairingState::Playing && self.has_game_without_result(&found, &board);
            if again && self.plays_elsewhere(&found) {
                self.fact(Fact::NotBegun { game: Arc::clone(&id) });
                self.stand_apart(&board, &ready);
                let found = self.found(&id)?;
                let (at, tags) = (found.at(), tags_of(&self.persons, &found));
                // What its clock showed meanwhile was not its.
                let start = Event::GameStarted { fen: ready.fen().to_owned(), variant: ready.variant() };
                self.events(at, vec![start, Event::Tags { tags }]);
            }
            return Ok(());
        }
        let next = next_game(&self.hall, &board, ready.fen(), self.now);
        match next.filter(|next| !self.plays_elsewhere(next)).map(|next| Arc::clone(&next.game.id)) {
            Some(next) => self.take_over(&id, &next, &board, &ready),
            None => Ok(()),
        }
    }

    /// Whether a board has a game of an earlier round that came to no result there.
    fn has_game_without_result(&self, found: &Found<'_>, board: &Arc<str>) -> bool {
        let section = found.section;
        section.rounds.range(..found.round.number).any(|(_, round)| {
            let missing = round.games.iter().filter(|game| game.state == PairingState::ResultMissing);
            let mut missing = missing.map(|game| Found { section, round, game });
            missing.any(|other| self.hall.board_of(&other) == Some(board))
        })
    }

    /// Whether a player of a game still plays one of an earlier round: the clock beside its board runs.
    fn plays_elsewhere(&self, found: &Found<'_>) -> bool {
        let Found { section, game: Pairing { pair, .. }, .. } = *found;
        let has_player = |game: &Pairing| [pair.white, pair.black].into_iter().flatten().any(|player| game.has(player));
        let mut earlier = section.rounds.range(..found.round.number).flat_map(|(_, round)| {
            let games = round.games.iter().filter(|game| game.state == PairingState::Playing && has_player(game));
            games.map(move |game| Found { section, round, game })
        });
        earlier.any(|other| {
            let clock = self.games.game(&other.game.id).and_then(|game| game.clock().copied());
            self.live_board(&other).is_some() && clock.is_some_and(|clock| time_runs(&clock, self.now))
        })
    }
}

/// Whether a clock runs that was read then, and the time of the player to move is not used up since: a clock that was left running
/// after a game says nothing in the end.
fn time_runs(clock: &ClockRecord, now: u64) -> bool {
    let left = match clock.running {
        Some(Side::White) => clock.white_ms,
        Some(Side::Black) => clock.black_ms,
        None => return false,
    };
    left.is_none_or(|left| clock.read_at.saturating_add(left) > now)
}
