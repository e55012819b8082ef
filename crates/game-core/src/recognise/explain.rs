//! Placements that are more than one legal move away: several plies at once, moves missed in a gap, takebacks.
//!
//! Part of the recogniser; knows what it knows. An explanation that competes with another is no explanation.

use std::ops::Range;

use dgt_protocol::PieceCode;
use shakmaty::{Move, Position};

use super::{
    BRIDGE_PLIES, BRIDGE_POSITIONS, Conclusion, IN_HAND_MS, LOG_MS, Recogniser, SQUARES_OF_A_GAME, TAKEBACK_PLIES,
    UNEXPLAINED_MS,
};
use crate::bridge::{Bridge, Limits, bridge};
use crate::event::Evidence;
use crate::lens::squares_of;
use crate::line::Line;
use crate::placement::Placement;
use crate::play::{LogSearch, Mended, Play, Standing, Stood};
use crate::time::Timestamp;

/// A damaged message is found by a dump before so many more plies were played.
const REVISED_PLIES: usize = 12;
/// Most plies made after those that were told, and most positions to look at for each move that may have been another.
const REVISED_MORE: usize = 4;
const REVISED_POSITIONS: usize = 500;
/// Castling changes so many squares.
const SQUARES_OF_A_MOVE: usize = 4;

impl Recogniser {
    /// Looks closely at a placement that has settled and that nothing explains.
    pub(super) fn examine(&mut self, now: Timestamp) {
        let Some(play) = &mut self.play else { return };
        if let Standing::Open { examined, .. } = &mut play.standing {
            *examined = true;
        }
        self.dump_wanted = true;
        let Some(play) = &self.play else { return };
        let taken_back = !play.gap && self.contradiction(play).is_some();
        if taken_back || self.only_lifted(play) {
            return;
        }
        let mut limits = self.limits(BRIDGE_PLIES, play);
        if play.gap && play.log == LogSearch::Untried {
            // The board itself knows the order, and what a search could not find.
            limits.any_order = false;
            match self.bridge_from(play, play.line.plies(), limits) {
                Bridge::Found(moves) => self.follow(now, &moves, Evidence::Dump),
                Bridge::None | Bridge::Ambiguous(_) => self.ask_log(now),
            }
            return;
        }
        if matches!(play.log, LogSearch::Asked { .. }) || play.gap && self.carry_candidates_on() {
            return;
        }
        let Some(play) = &self.play else { return };
        match self.bridge_from(play, play.line.plies(), limits) {
            Bridge::Found(moves) => self.follow(now, &moves, Evidence::Dump),
            Bridge::Ambiguous(candidates) => self.keep_candidates(candidates.into()),
            Bridge::None if play.line.plies() > play.confirmed => {
                let before = play.line.plies() - 1;
                add_moves(&mut limits, &play.line, before);
                match self.bridge_from(play, before, limits) {
                    Bridge::Found(moves) => {
                        if let Some(play) = &mut self.play {
                            play.truncate(before);
                        }
                        self.follow(now, &moves, Evidence::Dump);
                    }
                    Bridge::None | Bridge::Ambiguous(_) => self.doubt(now),
                }
            }
            Bridge::None => {
                self.look_for_candidates();
                self.doubt(now);
            }
        }
    }

    /// No line of play explains the board: it has a fault, or another game begins.
    fn doubt(&mut self, now: Timestamp) {
        if self.revise(now, true) {
            return;
        }
        let Some(play) = &self.play else { return };
        if self.placement.difference(&play.line.head_placement()).len() > SQUARES_OF_A_GAME {
            self.look_for_unseen_start(now);
        } else if !self.reads_rightly_again(now) {
            self.suspect_faults(now);
            self.suppose_illegal_move(now);
        }
    }

    /// Looks for a line from the position after a ply to the board as it stands, through all that stood in between.
    pub(super) fn bridge_from(&self, play: &Play, start: usize, limits: Limits) -> Bridge {
        let (from, lens) = (play.line.position(start), play.line.lens_at(start));
        bridge(from, &self.placement, Limits { lens, ..limits }, |moves| self.weigh(play, from, lens, moves))
    }

    pub(super) fn ask_log(&mut self, now: Timestamp) {
        if let Some(play) = &mut self.play {
            play.logs_asked += 1;
            play.log = LogSearch::Asked { until: now.plus(LOG_MS) };
            self.log_wanted = true;
        }
    }

    /// Adds moves found by a bridge; each but the last is confirmed by the one after it.
    pub(super) fn follow(&mut self, now: Timestamp, moves: &[Move], evidence: Evidence) {
        for &mv in moves {
            let firm = self.play.as_ref().map_or(0, |play| self.firm(play));
            self.confirm_to(firm, evidence);
            self.push(now, mv);
        }
        self.stand_on_head(now);
    }

    pub(super) fn limits(&self, plies: usize, play: &Play) -> Limits {
        let lens = play.line.lens();
        let mut touched = self.touched;
        for square in lens.squares() {
            touched.add_all(square);
        }
        for (_, seen) in lens.odd() {
            touched.take_for_any(seen);
        }
        Limits {
            at_least: play.presses,
            plies,
            positions: BRIDGE_POSITIONS,
            any_order: true,
            touched: (!play.gap).then_some(touched),
            lens,
        }
    }

    /// Whether the board differs from the head only by pieces that are not on it.
    pub(super) fn only_lifted(&self, play: &Play) -> bool {
        self.lifted_from(&play.line.head_placement())
    }

    /// Whether the board differs from a placement only by pieces that are not on it.
    pub(super) fn lifted_from(&self, placement: &Placement) -> bool {
        let lifted = self.placement.difference(placement);
        lifted.iter().all(|&square| self.placement.get(square) == PieceCode::Empty)
    }

    pub(super) fn patience_ms(&self, play: &Play) -> u64 {
        if self.only_lifted(play) { IN_HAND_MS } else { UNEXPLAINED_MS }
    }

    /// What the board says against the last confirmed moves: how many plies stay, and the move then played, if any.
    pub(super) fn contradiction(&self, play: &Play) -> Option<(usize, Option<Move>)> {
        let head = play.line.plies();
        let hash = self.placement.hash();
        // A piece that comes from a blind square and is lifted again shows the position before it came: it is in the hand.
        let in_hand = !play.line.lens().blind.is_empty() && self.only_lifted(play);
        let earlier = || {
            if in_hand {
                return None;
            }
            let to_ply = play.line.last_ply_with(hash, TAKEBACK_PLIES)?;
            (to_ply < play.confirmed && to_ply >= play.ordered).then_some((to_ply, None))
        };
        let instead = || {
            let mv = play.line.other_move_to(hash).filter(|_| head == play.confirmed && head > play.ordered)?;
            Some((head - 1, Some(mv)))
        };
        // The same pieces may be the game's position of some moves ago or the last move made otherwise. What is put right
        // while the clock stands goes back to what was; a hand that is at work goes on.
        if self.stopped.is_some() { earlier().or_else(instead) } else { instead().or_else(earlier) }
    }

    /// The contradiction that may be acted upon. With the clock stopped it may be analysis; when it runs again it is a
    /// correction. After a gap the board's log is heard first.
    pub(super) fn correction(&self, play: &Play) -> Option<(usize, Option<Move>)> {
        let heard = !play.gap || play.log == LogSearch::Done;
        self.contradiction(play).filter(|_| heard && self.stopped.is_none())
    }

    /// Two dumps have shown what no message had told: the moves that lead there are known, or if none do but the game with another
    /// move does, that is the game. The next hand is not waited for.
    pub(super) fn mend(&mut self, now: Timestamp) {
        let Some(play) = self.play.as_ref().filter(|play| !play.gap) else { return };
        if self.contradiction(play).is_some() {
            return;
        }
        // Each press has ended one move.
        let pressed = play.presses;
        if self.bridge_at_once(now, pressed) || self.revise(now, true) {
            return;
        }
        self.bridge_at_once(now, (pressed + 2).min(REVISED_MORE));
    }

    /// Follows the one line of so many plies at most that leads to the board as it stands; without any, nothing happens.
    fn bridge_at_once(&mut self, now: Timestamp, plies: usize) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| !self.only_lifted(play)) else { return false };
        let bridge = self.bridge_from(play, play.line.plies(), self.limits(plies, play));
        let Bridge::Found(moves) = bridge else { return false };
        self.follow(now, &moves, Evidence::Dump);
        true
    }

    /// What dumps have shown, and of which no message told, rather follows from one message of an old move that suffered than
    /// from all messages of a new one: the game with that move replaced explains the board. Gives whether that is so; it is acted
    /// upon when two dumps have shown it.
    pub(super) fn revise_unmoved(&mut self, now: Timestamp) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| !play.gap && !play.moved) else { return false };
        match play.mended {
            Mended::Nothing => false,
            Mended::Shown => self.revision(play, false).is_some(),
            Mended::Sure => self.revise(now, false),
        }
    }

    pub(super) fn revise(&mut self, now: Timestamp, goes_on: bool) -> bool {
        let mended = self.play.as_ref().filter(|play| play.mended == Mended::Sure);
        let revision = mended.and_then(|play| self.revision(play, goes_on));
        let Some((to_ply, moves)) = revision else { return false };
        self.replace(now, to_ply, &moves, true, Evidence::Quiet);
        true
    }

    /// A dump showed what no message had told: the game with one of its last moves replaced, when that explains the board in
    /// fewer plies than any other: a message about that move was damaged. Gives the plies that stay, and what was played after
    /// them. `goes_on`: more moves may have been made since, also instead of one that nothing has confirmed.
    fn revision(&self, play: &Play, goes_on: bool) -> Option<(usize, Vec<Move>)> {
        if self.stopped.is_some() {
            return None;
        }
        let head = play.line.plies();
        let earliest = head.saturating_sub(REVISED_PLIES).max(play.ordered);
        let provisional = (goes_on && head > play.confirmed).then_some(play.confirmed);
        let mut found: Vec<(usize, Vec<Move>)> = Vec::new();
        for last in [Some(head), provisional].into_iter().flatten() {
            for ply in earliest..last {
                let before = play.line.position(ply);
                for instead in before.legal_moves().into_iter().filter(|&mv| play.line.move_at(ply + 1) != Some(mv)) {
                    let moves = self.explained_by(play, ply..last, instead, goes_on);
                    found.extend(moves.map(|moves| (ply, moves)));
                }
            }
        }
        let plies = |(stays, moves): &(usize, Vec<Move>)| stays + moves.len();
        let fewest = found.iter().map(plies).min()?;
        found.retain(|line| plies(line) == fewest);
        found.dedup();
        found.pop().filter(|_| found.is_empty())
    }

    /// Another move after the first of some plies, the others after it, and those of the presses since, if they lead to the board
    /// as it stands.
    fn explained_by(&self, play: &Play, plies: Range<usize>, instead: Move, goes_on: bool) -> Option<Vec<Move>> {
        let rest = (plies.start + 2..=plies.end).filter_map(|ply| play.line.move_at(ply));
        let mut moves: Vec<Move> = std::iter::once(instead).chain(rest).collect();
        let (mut position, mut lens) = (play.line.position(plies.start).clone(), play.line.lens_at(plies.start));
        for &mv in &moves {
            lens = lens.after(position.turn(), mv);
            position = position.is_legal(mv).then(|| position.play(mv).ok()).flatten()?;
        }
        let differing = lens.shows(position.board()).difference(&self.placement);
        let most = if goes_on { (play.presses + 1).min(REVISED_MORE) } else { 0 };
        if differing.is_empty() {
            return Some(moves);
        }
        if differing.len() > SQUARES_OF_A_MOVE * most {
            return None;
        }
        let mut limits = Limits { positions: REVISED_POSITIONS, lens, ..self.limits(most, play) };
        add_moves(&mut limits, &play.line, plies.end);
        let weigh = |moves: &[Move]| self.weigh(play, &position, lens, moves);
        let Bridge::Found(more) = bridge(&position, &self.placement, limits, weigh) else { return None };
        moves.extend(more);
        Some(moves)
    }

    pub(super) fn correct(&mut self, now: Timestamp, (to_ply, instead): (usize, Option<Move>)) {
        let moves: Vec<Move> = instead.into_iter().collect();
        self.replace(now, to_ply, &moves, false, Evidence::Quiet);
    }

    /// Takes back published moves and goes on with others; `pressed` when the presses of the plies stay theirs.
    pub(super) fn replace(&mut self, now: Timestamp, to_ply: usize, moves: &[Move], pressed: bool, evidence: Evidence) {
        let Some(play) = &mut self.play else { return };
        self.hypotheses.clear();
        let published = play.confirmed.max(to_ply + usize::from(!pressed && !moves.is_empty()));
        play.truncate(to_ply);
        self.conclusions.push_back(Conclusion::Retracted { to_ply, pressed });
        self.undo_end(now);
        for &mv in moves {
            self.push(now, mv);
        }
        self.confirm_to(published, evidence);
        if pressed && let Some(play) = &self.play {
            // Moves were made on top of those that were told.
            self.confirm_to(play.line.plies().saturating_sub(1), Evidence::Dump);
        }
        self.stand_on_head(now);
    }

    pub(super) fn tell_unexplained(&mut self) {
        let Some(play) = &mut self.play else { return };
        play.unexplained_told = true;
        let placement = self.placement;
        play.note(Stood { placement, pressed: None, sure: true });
        let squares = placement.difference(&play.line.head_placement());
        self.conclusions.push_back(Conclusion::Unexplained(squares));
    }
}

/// The moves of a line after a ply may have been others on their squares.
fn add_moves(limits: &mut Limits, line: &Line, ply: usize) {
    let Some(touched) = &mut limits.touched else { return };
    for ply in ply..line.plies() {
        let squares = line.move_at(ply + 1).map(|mv| squares_of(line.position(ply).turn(), mv));
        for square in squares.into_iter().flatten().flatten() {
            touched.add_all(square);
        }
    }
}
