//! Which board stands at which table: what is not assigned yet, and a proposal.
//!
//! The order in which boards were found never matters. Must not know which boards are connected: the caller names them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::hall::{Found, Hall, serial_order};
use crate::order::Seat;
use crate::round::RoundState;
use pairings::model::MAX_TABLE;

/// The tables that boards would get in the order of their serial numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// Tables and boards.
    pub seats: Vec<Seat>,
    /// Boards for which there is no table.
    pub spare: Vec<Arc<str>>,
}

impl Proposal {
    /// The proposal for these boards; those with a table are left out. Before there are pairings the tables are counted
    /// from 1.
    pub fn of(hall: &Hall, boards: impl IntoIterator<Item = Arc<str>>) -> Self {
        let boards: BTreeSet<_> = boards.into_iter().filter(|board| hall.table_of(board).is_none()).collect();
        let mut boards: Vec<_> = boards.into_iter().collect();
        boards.sort_by(|a, b| serial_order(a).cmp(&serial_order(b)));
        let paired = tables_of_pairings(hall);
        let all: Vec<_> = if paired.is_empty() { (1..=MAX_TABLE).collect() } else { paired.into_iter().collect() };
        let mut free = all.into_iter().filter(|table| !hall.seats.contains_key(table));
        let mut proposal = Self::default();
        for board in boards {
            match free.next() {
                Some(table) => proposal.seats.push(Seat { table, board: Some(board.to_string()) }),
                None => proposal.spare.push(board),
            }
        }
        proposal
    }
}

/// The tables of the pairings that have no board.
pub fn tables_without_board(hall: &Hall) -> Vec<u32> {
    tables_of_pairings(hall).into_iter().filter(|table| !hall.seats.contains_key(table)).collect()
}

/// The game of a pairing that a board is to play and that has not begun: of an armed round if there is one, else of the
/// first round with such a game.
pub fn awaited_on<'a>(hall: &'a Hall, board: &str) -> Option<Found<'a>> {
    let paired = hall.games().filter(|found| !found.section.settings.open_play && found.game.is_expected());
    let here = paired.filter(|found| found.round.state != RoundState::Finished && !found.section.ended);
    let here = here.filter(|found| hall.board_of(found).is_some_and(|own| **own == *board));
    here.min_by_key(|found| (!found.round.state.opens_games(), found.round.number))
}

/// The tables at which the pairings of rounds that are not over are played with an electronic board.
fn tables_of_pairings(hall: &Hall) -> BTreeSet<u32> {
    let paired = hall.games().filter(|found| !found.section.settings.open_play && !found.section.ended);
    paired.filter(|found| found.round.state != RoundState::Finished).filter_map(|found| found.table()).collect()
}
