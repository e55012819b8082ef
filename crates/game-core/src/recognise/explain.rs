//! Placements more than one legal move away: several plies at once, moves missed in a gap, takebacks.
//!
//! When two explanations compete, neither is published.

use std::ops::Range;

use dgt_protocol::PieceCode;
use shakmaty::{Move, Position};

use super::edit_distance::Explanation;
use super::{
    Conclusion, DUMP_AGAIN_MS, IN_HAND_MS, LOG_MS, Recogniser, SEARCH_PLIES, SEARCH_POSITIONS, SQUARES_OF_A_GAME,
    TAKEBACK_PLIES, UNEXPLAINED_MS,
};
use crate::board_faults::squares_of;
use crate::event::Evidence;
use crate::line::Line;
use crate::line_search::{SearchLimits, SearchResult, find_line};
use crate::message_log::BoardMessage;
use crate::placement::Placement;
use crate::play::{DumpAgreement, LogSearch, Observed, Play, Standing};
use crate::time::Timestamp;

/// Plies to search back for a corrupted message.
const REVISED_PLIES: usize = 12;
/// Most plies added after a replaced move.
const REVISED_MORE: usize = 4;
/// Most positions examined for each replaced move.
const REVISED_POSITIONS: usize = 500;
/// Most squares changed by one move (castling).
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
        if taken_back || self.only_lifted(play) || self.suspects_another_move() {
            return;
        }
        let mut limits = self.limits(SEARCH_PLIES, play);
        if play.gap && play.log == LogSearch::Untried {
            // The board itself knows the order, and what a search could not find.
            limits.any_order = false;
            match self.search_from(play, play.line.plies(), limits) {
                SearchResult::Found(moves) => self.follow(now, &moves, Evidence::Dump),
                SearchResult::None | SearchResult::Ambiguous(_) => self.ask_log(now),
            }
            return;
        }
        if matches!(play.log, LogSearch::Asked { .. }) || play.gap && self.carry_candidates_on() {
            return;
        }
        let Some(play) = &self.play else { return };
        let head = play.line.plies();
        let provisional = head > play.confirmed;
        let mut going_on = match self.search_from(play, head, limits) {
            SearchResult::Found(moves) => Some((head, moves)),
            SearchResult::Ambiguous(candidates) => return self.keep_candidates(candidates.into()),
            SearchResult::None => None,
        };
        if going_on.is_none() && provisional {
            add_moves(&mut limits, &play.line, head - 1);
            going_on = match self.search_from(play, head - 1, limits) {
                SearchResult::Found(moves) => Some((head - 1, moves)),
                SearchResult::None | SearchResult::Ambiguous(_) => None,
            };
        }
        match going_on {
            Some(explanation) if self.revise(now, Some(&explanation)) => {}
            Some((to_ply, moves)) => {
                if let Some(play) = &mut self.play {
                    play.truncate(to_ply);
                }
                self.follow(now, &moves, Evidence::Dump);
            }
            None => {
                if !provisional {
                    self.look_for_candidates();
                }
                self.give_up_line(now);
            }
        }
    }

    /// No line of play explains the board: it has a fault, or another game begins.
    fn give_up_line(&mut self, now: Timestamp) {
        if self.revise(now, None) {
            return;
        }
        let Some(play) = &self.play else { return };
        if self.placement.difference(&play.line.head_placement()).len() > SQUARES_OF_A_GAME {
            self.suppose_unseen_start(now);
        } else if !self.fault_has_passed(now) {
            self.suspect_faults(now);
            self.suppose_illegal_move(now);
        }
    }

    /// Looks for a line from the position after a ply to the board as it stands, through all that stood in between.
    pub(super) fn search_from(&self, play: &Play, start: usize, limits: SearchLimits) -> SearchResult {
        let (from, faults) = (play.line.position(start), play.line.faults_at(start));
        find_line(from, &self.placement, SearchLimits { faults, ..limits }, |moves| {
            self.weigh(play, from, faults, moves)
        })
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
            let firm = self.play.as_ref().map_or(0, |play| self.plies_before_stop(play));
            self.confirm_to(firm, evidence);
            self.push(now, mv);
        }
        self.stand_on_head(now);
    }

    pub(super) fn limits(&self, plies: usize, play: &Play) -> SearchLimits {
        let faults = play.line.faults();
        let mut touched = self.touched;
        if play.dump_agreement != DumpAgreement::Unknown {
            // A move whose first message was lost may have seemed to be none: the board showed the head again.
            let since = play.seen.last().copied().unwrap_or_default();
            for (_, told) in play.messages.since(since) {
                if let BoardMessage::Change(square, piece) = told {
                    touched.add(square, piece);
                }
            }
        }
        for square in faults.squares() {
            touched.add_all(square);
        }
        for (_, seen) in faults.misread() {
            touched.take_for_any(seen);
        }
        SearchLimits {
            at_least: play.presses,
            plies,
            positions: SEARCH_POSITIONS,
            any_order: true,
            touched: (!play.gap).then_some(touched),
            faults,
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
        let in_hand = !play.line.faults().dead.is_empty() && self.only_lifted(play);
        let earlier = || {
            if in_hand {
                return None;
            }
            let to_ply = play.line.last_ply_with(hash, TAKEBACK_PLIES)?;
            (to_ply < play.confirmed && to_ply >= play.ordered).then_some((to_ply, None))
        };
        // A press of the opponent may have ended an answer that the board does not tell from others: a new piece on a blind square.
        let answered = || {
            let pressed = |observed: &&Observed| observed.pressed == Some(play.line.to_move());
            play.observed.iter().filter(pressed).any(|observed| play.line.may_lead_to(observed.placement.hash()))
        };
        let instead = || {
            let last_certain = head == play.confirmed && head > play.ordered;
            let mv = play.line.other_move_to(hash).filter(|_| last_certain && !answered())?;
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

    /// Two dumps have shown what no message had told: what explains it best is what was played. The next hand is not waited
    /// for.
    pub(super) fn explain_dump_difference(&mut self, now: Timestamp) {
        let Some(play) = self.play.as_ref().filter(|play| !play.gap) else { return };
        if self.contradiction(play).is_some() {
            return;
        }
        if !self.lever {
            self.examine(now);
            return;
        }
        // Each press has ended one move.
        let (head, plies) = (play.line.plies(), (play.presses + 2).min(REVISED_MORE));
        let going_on = match self.search_from(play, head, self.limits(plies, play)) {
            SearchResult::Found(moves) if !self.only_lifted(play) => Some((head, moves)),
            _ => None,
        };
        if !self.revise(now, going_on.as_ref())
            && let Some((_, moves)) = going_on
        {
            self.follow(now, &moves, Evidence::Dump);
        }
    }

    /// What dumps have shown, and of which no message told, may follow from one message of an old move that suffered rather than
    /// from messages of a new one. Gives whether that is so.
    pub(super) fn prefers_revision(&mut self, now: Timestamp) -> bool {
        let play = self
            .play
            .as_ref()
            .filter(|play| play.dump_agreement != DumpAgreement::Unknown && !play.gap && !play.is_over());
        let Some(going_on) = play.and_then(|play| self.continuation(play)) else { return false };
        let shown = self.play.as_ref().is_some_and(|play| play.dump_agreement == DumpAgreement::DiffersOnce);
        let doubts = self.revise(now, Some(&going_on));
        if doubts && shown {
            self.stand_open(now);
        }
        doubts
    }

    /// Dumps have shown what no message had told: a message about one of the last moves was damaged, if that is what the messages
    /// bear out better than going on so. Gives whether that is so; it is acted upon when two dumps have shown it.
    pub(super) fn revise(&mut self, now: Timestamp, going_on: Option<&Explanation>) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| !play.gap && play.dump_agreement != DumpAgreement::Unknown)
        else {
            return false;
        };
        let Some((to_ply, moves)) = self.revision(play, going_on) else { return false };
        if play.dump_agreement == DumpAgreement::DiffersOnce {
            self.dump_again_at = Some(now.plus(DUMP_AGAIN_MS));
        } else {
            self.replace(now, to_ply, &moves, true, Evidence::Quiet);
        }
        true
    }

    /// The game with one of its last moves replaced, perhaps with more moves made since, also instead of one that nothing has
    /// confirmed; when that explains the board with fewer messages that suffered than going on so.
    fn revision(&self, play: &Play, going_on: Option<&Explanation>) -> Option<Explanation> {
        let head = play.line.plies();
        let earliest = head.saturating_sub(REVISED_PLIES).max(play.ordered).max(play.shown);
        let provisional = (head > play.confirmed).then_some(play.confirmed);
        let mut found: Vec<Explanation> = Vec::new();
        for last in [Some(head), provisional].into_iter().flatten() {
            for ply in earliest..last {
                let before = play.line.position(ply);
                for instead in before.legal_moves().into_iter().filter(|&mv| play.line.move_at(ply + 1) != Some(mv)) {
                    let moves = self.explained_by(play, ply..last, instead);
                    found.extend(moves.map(|moves| (ply, moves)));
                }
            }
        }
        let revision = self.likeliest(play, found)?;
        // Where all was told, an illegal move is as likely, and while the clock stands, somebody who moves the pieces about.
        let doubtful = play.dump_agreement == DumpAgreement::Agrees || self.stopped.is_some();
        if doubtful && going_on.is_none() && self.edit_distance(play, revision.0, &revision) > 1 {
            return None;
        }
        let better = |going_on: &Explanation| {
            let stays = revision.0.min(going_on.0);
            self.edit_distance(play, stays, &revision) < self.edit_distance(play, stays, going_on)
        };
        going_on.is_none_or(better).then_some(revision)
    }

    /// Another move after the first of some plies, the others after it, and those of the presses since, if they lead to the board
    /// as it stands.
    fn explained_by(&self, play: &Play, plies: Range<usize>, instead: Move) -> Option<Vec<Move>> {
        let rest = (plies.start + 2..=plies.end).filter_map(|ply| play.line.move_at(ply));
        let mut moves: Vec<Move> = std::iter::once(instead).chain(rest).collect();
        let (mut position, mut faults) = (play.line.position(plies.start).clone(), play.line.faults_at(plies.start));
        for &mv in &moves {
            faults = faults.after(position.turn(), mv);
            position = position.is_legal(mv).then(|| position.play(mv).ok()).flatten()?;
        }
        let differing = faults.shows(position.board()).difference(&self.placement);
        let most = (play.presses + 1).min(REVISED_MORE);
        if differing.is_empty() {
            return Some(moves);
        }
        if differing.len() > SQUARES_OF_A_MOVE * most {
            return None;
        }
        let mut limits = SearchLimits { positions: REVISED_POSITIONS, faults, ..self.limits(most, play) };
        add_moves(&mut limits, &play.line, plies.end);
        let weigh = |moves: &[Move]| self.weigh(play, &position, faults, moves);
        let SearchResult::Found(more) = find_line(&position, &self.placement, limits, weigh) else { return None };
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

    pub(super) fn report_unexplained(&mut self) {
        self.confirm_answered(Some(self.placement));
        let Some(play) = &mut self.play else { return };
        play.unexplained_told = true;
        let placement = self.placement;
        play.note(Observed { placement, pressed: None, dumps: 1 });
        let squares = placement.difference(&play.line.head_placement());
        self.conclusions.push_back(Conclusion::Unexplained(squares));
    }
}

/// The moves of a line after a ply may have been others on their squares.
fn add_moves(limits: &mut SearchLimits, line: &Line, ply: usize) {
    let Some(touched) = &mut limits.touched else { return };
    for ply in ply..line.plies() {
        let squares = line.move_at(ply + 1).map(|mv| squares_of(line.position(ply).turn(), mv));
        for square in squares.into_iter().flatten().flatten() {
            touched.add_all(square);
        }
    }
}
