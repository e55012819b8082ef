//! When the plies of a line were first on the board, read again from what was heard.
//!
//! For plies that are told together, long after they were made. Must not know costs.

use shakmaty::{Bitboard, Board, Position};

use super::game::Game;
use super::history::Kind;
use super::line::NodeId;

/// Observations that are compared at most: of a longer stretch the last ones.
const MOST_OBSERVATIONS: usize = 4_000;
/// Plies that are compared at most, likewise.
const MOST_PLIES: usize = 400;

impl Game {
    /// When each ply of a line after its first `told` plies was first on the board, UTC ms; none for one that never stood there
    /// by itself. Squares of `wrong` are not compared.
    ///
    /// As many plies as possible find an observation, in their order: a position that comes back later takes no place of a ply between.
    pub(crate) fn instants(&self, line: NodeId, told: u32, wrong: Bitboard) -> Vec<Option<u64>> {
        let boards = self.boards(line, told);
        let mut instants = vec![None; boards.len()];
        let skipped = boards.len().saturating_sub(MOST_PLIES);
        let plies = boards.get(skipped..).unwrap_or_default();
        let history = &self.history;
        let first = history.first().max(history.end().saturating_sub(MOST_OBSERVATIONS));
        let heard: Vec<_> = (first..history.end())
            .filter_map(|index| history.get(index))
            .filter(|heard| matches!(heard.kind, Kind::Board | Kind::Gap))
            .collect();
        let shows = |ply: usize, at: usize| {
            let (board, heard) = (plies.get(ply), heard.get(at));
            board.zip(heard).is_some_and(|(board, heard)| (heard.shown.differs(board) & !wrong).is_empty())
        };
        // How many of the plies from one on find their place in the observations from one on.
        let width = heard.len() + 1;
        let mut found = vec![0_u16; (plies.len() + 1) * width];
        let count = |found: &[u16], ply: usize, at: usize| found.get(ply * width + at).copied().unwrap_or(0);
        for ply in (0..plies.len()).rev() {
            for at in (0..heard.len()).rev() {
                let here = if shows(ply, at) { count(&found, ply + 1, at + 1) + 1 } else { 0 };
                let most = here.max(count(&found, ply + 1, at)).max(count(&found, ply, at + 1));
                if let Some(slot) = found.get_mut(ply * width + at) {
                    *slot = most;
                }
            }
        }
        let (mut ply, mut at) = (0, 0);
        while ply < plies.len() && at < heard.len() {
            let most = count(&found, ply, at);
            if shows(ply, at) && most == count(&found, ply + 1, at + 1) + 1 {
                if let (Some(slot), Some(heard)) = (instants.get_mut(skipped + ply), heard.get(at)) {
                    *slot = Some(heard.at);
                }
                (ply, at) = (ply + 1, at + 1);
            } else if most == count(&found, ply, at + 1) {
                at += 1;
            } else {
                ply += 1;
            }
        }
        instants
    }

    /// What stands after each ply of a line beyond its first `told` plies.
    fn boards(&self, line: NodeId, told: u32) -> Vec<Board> {
        let mut position = self.start.clone();
        let after = self.lines.moves(line).into_iter().map(|mv| {
            position.play_unchecked(mv);
            position.board().clone()
        });
        after.skip(told as usize).collect()
    }
}
