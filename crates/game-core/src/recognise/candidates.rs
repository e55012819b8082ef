//! Several lines that explain the board equally well: they follow the board together until an operator decides.
//!
//! None of them is ever published as the game.

use shakmaty::Move;

use super::{Recogniser, SEARCH_PLIES};
use crate::line::Line;
use crate::line_search::{SearchLimits, SearchResult, find_line};
use crate::play::Play;

/// Most plies played on before the candidates are compared with the board again.
const PLIES_PLAYED_ON: usize = 6;

impl Recogniser {
    /// Lines that explain the board equally well, in SAN, from the last move that is certain.
    pub(crate) fn candidates(&self) -> Vec<Vec<String>> {
        let Some(play) = &self.play else { return Vec::new() };
        let spell = |moves: &Vec<Move>| {
            let line = played_on(play, moves);
            (play.line.plies() + 1..=line.plies()).filter_map(|ply| line.name(ply)).map(|name| name.san).collect()
        };
        play.candidates.iter().map(spell).collect()
    }

    pub(super) fn keep_candidates(&mut self, candidates: Vec<Vec<Move>>) {
        if let Some(play) = &mut self.play {
            play.candidates = candidates;
        }
    }

    /// Lets each candidate go on to what stands on the board now. Whether all of them do.
    pub(super) fn carry_candidates_on(&mut self) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| !play.candidates.is_empty()) else { return false };
        let Some(carried) = self.carried_on(play, &play.candidates) else { return false };
        self.keep_candidates(carried);
        true
    }

    /// So much was played on after a gap that no search finds it: what could have been played until the first look at the
    /// board, and from there to what stands now.
    pub(super) fn look_for_candidates(&mut self) {
        let Some(play) = self.play.as_ref().filter(|play| play.gap) else { return };
        let Some(first) = play.observed.first().filter(|observed| observed.pressed.is_none()) else { return };
        let candidates = (1..=SEARCH_PLIES).find_map(|plies| {
            let limits = SearchLimits { at_least: plies, ..self.limits(plies, play) };
            let faults = play.line.faults();
            match find_line(play.line.head(), &first.placement, SearchLimits { faults, ..limits }, |_| Some(0)) {
                SearchResult::Ambiguous(candidates) => self.carried_on(play, &candidates),
                SearchResult::Found(_) | SearchResult::None => None,
            }
        });
        self.keep_candidates(candidates.unwrap_or_default());
    }

    /// The candidates with what was played after them; none when one of them cannot have been played on.
    fn carried_on(&self, play: &Play, candidates: &[Vec<Move>]) -> Option<Vec<Vec<Move>>> {
        let carried = candidates.iter().map(|moves| {
            let line = played_on(play, moves);
            let mut moves = moves.clone();
            if !self.lifted_from(&line.head_placement()) {
                let limits = self.limits(PLIES_PLAYED_ON, play);
                let limits = SearchLimits { at_least: 0, touched: Some(self.touched), faults: line.faults(), ..limits };
                match find_line(line.head(), &self.placement, limits, |_| Some(0)) {
                    SearchResult::Found(more) => moves.extend(more),
                    SearchResult::Ambiguous(_) | SearchResult::None => return None,
                }
            }
            self.weigh(play, play.line.head(), play.line.faults(), &moves).map(|_| moves)
        });
        carried.collect()
    }
}

/// The game with more moves.
fn played_on(play: &Play, moves: &[Move]) -> Line {
    let mut line = play.line.clone();
    moves.iter().take_while(|&&mv| line.push(mv)).count();
    line
}
