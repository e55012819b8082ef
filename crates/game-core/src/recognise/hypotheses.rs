//! Other explanations of a board that the line does not explain: a fault, or a game in progress. A recogniser of its own
//! follows each of them until the board decides.
//!
//! A hypothesis is adopted when it alone explains the board, with confirmed moves of both players, never because it was the
//! first.

use dgt_protocol::PieceCode;
use shakmaty::{Bitboard, Chess, Move, Position, Square};

use super::{Conclusion, Recogniser, SCAN_MS, SETTLE_MS, SQUARES_OF_A_GAME};
use crate::board_faults::BoardFaults;
use crate::event::{Evidence, Variant};
use crate::line::Line;
use crate::play::{DumpAgreement, LogSearch, Play, Standing};
use crate::time::Timestamp;

/// Confirmed plies before a hypothesis is adopted: one move of each player.
const CERTAIN_PLIES: usize = 2;
/// The same for a fault that has passed.
const CERTAIN_PLIES_OF_HEALED: usize = 1;
/// The same for a fault without a clock, where a lost message looks like a fault.
const CERTAIN_PLIES_WITHOUT_CLOCK: usize = 6;

/// Where the line of a hypothesis begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    /// The game after this ply.
    Ply(usize),
    /// The start of a new game, which stood there but for some squares.
    Start,
    /// A position in the middle of a game that nobody saw.
    Position,
}

/// Another explanation of the board.
#[derive(Clone, Debug)]
pub(super) struct Hypothesis {
    basis: Basis,
    /// The faults of the board when it began.
    faults: BoardFaults,
    /// The board as it sees it, and the line from where it began.
    view: Recogniser,
    refuted: bool,
    /// A press ended no move of it.
    unanswered: bool,
}

impl Hypothesis {
    pub(super) fn new(basis: Basis, faults: BoardFaults, view: Recogniser) -> Self {
        Self { basis, faults, view, refuted: false, unanswered: false }
    }

    /// Whether it can still be true. Takes notice of what its recogniser concluded.
    fn stands(&mut self, now: Timestamp) -> bool {
        while let Some(conclusion) = self.view.conclusions.pop_front() {
            self.refuted |= matches!(conclusion, Conclusion::Unexplained(_) | Conclusion::Retracted { .. });
        }
        if let Some((square, beside)) = self.faults.crosstalk() {
            let view = &self.view;
            let stands = view.placement.get(square) != PieceCode::Empty;
            let settled = now.since(view.changed_at[square.to_usize()]) > SCAN_MS;
            // It stands there alone.
            self.refuted |= stands && settled && view.placement.get(beside) == PieceCode::Empty;
        }
        self.unanswered |= self.view.play.as_ref().is_some_and(|play| play.presses > 0);
        !self.refuted && !self.view.refuted
    }

    fn line(&self) -> Option<&Line> {
        self.view.line()
    }

    /// Whether a square that it took for faulty has been seen to work since, and no other is left: what was taken for a fault has
    /// passed, and the board bears it out.
    fn has_healed(&self, dead: Bitboard) -> bool {
        self.faults.dead != self.view.dead && self.view.dead == dead && self.faults.misread().next().is_none()
    }

    /// Whether it is no position in mid-game, or shows what stands there.
    pub(super) fn explains_otherwise(&self) -> bool {
        self.basis != Basis::Position || self.view.shows_head()
    }

    /// Whether a press has ended a move that it does not know, although the board was looked at closely.
    pub(super) fn missed_a_move(&self) -> bool {
        let lost = |play: &Play| play.presses > 0 && matches!(play.standing, Standing::Open { examined: true, .. });
        self.view.play.as_ref().is_some_and(lost)
    }

    /// Whether both tell the same game as far as both are certain.
    fn agrees(&self, other: &Self) -> bool {
        let (Some(mine), Some(theirs)) = (self.line(), other.line()) else { return false };
        let certain = self.view.confirmed().min(other.view.confirmed());
        mine.start_fen() == theirs.start_fen() && (1..=certain).all(|ply| mine.move_at(ply) == theirs.move_at(ply))
    }
}

impl Recogniser {
    /// Another recogniser that sees the same board through other faults, perhaps turned round, and follows another line.
    pub(super) fn view(&self, now: Timestamp, faults: BoardFaults, line: Line, turned: bool) -> Self {
        let mut view = Self {
            placement: self.placement,
            known: true,
            rotated: self.rotated,
            changed_at: self.changed_at,
            lever: self.lever,
            running: self.running,
            stopped: self.stopped,
            speculative: true,
            ..Self::new()
        };
        if turned {
            view.turn_round();
        }
        (view.dead, view.found_dead, view.crosstalk) = (faults.dead, faults.dead, faults.crosstalk());
        view.placement = view.placement.without(faults.dead);
        view.play = Some(Play::new(line, now));
        view
    }

    /// Follows a game of its own as a hypothesis, from what the board shows now; `turned` when it stands turned round.
    pub(super) fn suppose_game(
        &mut self,
        now: Timestamp,
        basis: Basis,
        faults: BoardFaults,
        start: (Chess, Variant),
        turned: bool,
    ) {
        let placement = if turned { self.placement.turned() } else { self.placement };
        // Where the game has no piece, one may be seen that was lifted.
        let too_many = faults.dead & placement.occupied() & !start.0.board().occupied();
        let line = Line::with_faults(faults, start.0, start.1);
        let mut view = self.view(now, faults, line, turned);
        view.ghost = too_many.first().map(|square| (square, placement.get(square)));
        self.hypotheses.push(Hypothesis::new(basis, faults, view));
    }

    /// Lets every hypothesis take part in what happens.
    pub(super) fn each_view(&mut self, mut happens: impl FnMut(&mut Self)) {
        for hypothesis in &mut self.hypotheses {
            happens(&mut hypothesis.view);
        }
        if let Some(view) = &mut self.played_on {
            happens(view);
        }
    }

    /// When a hypothesis is due next, or what all of them wait for.
    pub(super) fn hypotheses_deadline(&self) -> Option<Timestamp> {
        let log = match self.joined.search {
            LogSearch::Asked { until } => Some(until),
            LogSearch::Untried | LogSearch::Done => None,
        };
        let played_on = self.played_on.as_ref().and_then(|view| view.next_deadline());
        let views = self.hypotheses.iter().filter_map(|hypothesis| hypothesis.view.next_deadline());
        views.chain(played_on).chain(log).min()
    }

    /// Whether the board's log, which knows more of a game that nobody saw begin, is going to be heard.
    fn waits_for_log(&self) -> bool {
        self.joined.due.is_some() || self.joined.game.is_some() || matches!(self.joined.search, LogSearch::Asked { .. })
    }

    /// Whether a hypothesis explains what stands on the board, but for pieces in the hand, or has moves that may.
    pub(super) fn hypothesis_explains_board(&self) -> bool {
        self.hypotheses.iter().any(|hypothesis| {
            let view = &hypothesis.view;
            view.play.as_ref().is_some_and(|play| {
                let differing = view.placement.difference(&play.line.head_placement()).len();
                play.line.plies() > 0 && differing <= SQUARES_OF_A_GAME || view.only_lifted(play)
            })
        })
    }

    /// Whether a press has ended another move than the last one, which is not certain, if the board has a fault: what shows the
    /// last one for a moment is the next hand.
    pub(super) fn suspects_another_move(&self) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| play.line.plies() > play.confirmed) else { return false };
        let instead = |hypothesis: &Hypothesis| {
            let last = play.line.plies();
            let first = hypothesis.line().and_then(|line| line.move_at(1));
            hypothesis.basis == Basis::Ply(last - 1)
                && hypothesis.view.confirmed() > 0
                && first != play.line.move_at(last)
        };
        self.hypotheses.iter().any(instead)
    }

    /// Since when the board shows the head, of a game that goes on.
    fn stands_on_head_since(&self) -> Option<Timestamp> {
        match self.play.as_ref().filter(|play| !play.over)?.standing {
            Standing::Head { since } => Some(since),
            Standing::Open { .. } => None,
        }
    }

    /// Decides between the hypotheses when the board does.
    pub(super) fn judge(&mut self, now: Timestamp) {
        if matches!(self.joined.search, LogSearch::Asked { until } if until <= now) {
            self.ask_join_log_again(now);
        }
        self.report_play_after_illegal_move();
        if self.hypotheses.is_empty() {
            return;
        }
        if let Some(since) = self.stands_on_head_since() {
            // A piece that is taken where a press had ended its move shows it for a moment.
            let lasts = now.since(since) >= SETTLE_MS;
            // The game has gone on as well without a fault.
            let confirmed = self.confirmed();
            let goes_on = |ply| confirmed >= ply + CERTAIN_PLIES;
            let moved = |hypothesis: &Hypothesis| {
                matches!(hypothesis.basis, Basis::Ply(ply) if !goes_on(ply)) && hypothesis.view.confirmed() > 0
            };
            self.hypotheses.retain(|hypothesis| !lasts && moved(hypothesis));
            return;
        }
        self.hypotheses.retain_mut(|hypothesis| hypothesis.stands(now));
        // One that does not explain the board may still be right while a hand is at work.
        let undecided = |hypothesis: &Hypothesis| {
            let play = hypothesis.view.play.as_ref();
            play.is_some_and(|play| {
                let in_play = play.presses == 0 && hypothesis.view.lever;
                matches!(play.standing, Standing::Open { examined, .. } if !examined || in_play)
            })
        };
        if self.hypotheses.iter().any(undecided) {
            return;
        }
        let explains = |hypothesis: &&Hypothesis| {
            let view = &hypothesis.view;
            let lifted = || view.play.as_ref().is_some_and(|play| view.only_lifted(play));
            view.shows_head() || hypothesis.has_healed(self.dead) && lifted()
        };
        let mut explaining: Vec<&Hypothesis> = self.hypotheses.iter().filter(explains).collect();
        // Who was to move is told by the presses: each of them ends a move of the game that was played.
        if explaining.iter().any(|hypothesis| !hypothesis.unanswered && hypothesis.view.lever) {
            explaining.retain(|hypothesis| !hypothesis.unanswered || hypothesis.basis != Basis::Position);
        }
        let most = explaining.iter().map(|hypothesis| hypothesis.view.confirmed()).max();
        // Of faults that tell the same, a piece that reads as another is likelier than one that is seen where none is, and two squares
        // that light up together for good are the last to be believed.
        let faults = |hypothesis: &&Hypothesis| hypothesis.faults;
        explaining.sort_by_key(|hypothesis| {
            (faults(hypothesis).crosstalk().is_some(), faults(hypothesis).misread().next().is_none())
        });
        let Some(best) = explaining.iter().find(|hypothesis| Some(hypothesis.view.confirmed()) == most) else { return };
        let fault = matches!(best.basis, Basis::Ply(_));
        let certain = match best.view.lever {
            true if best.has_healed(self.dead) => CERTAIN_PLIES_OF_HEALED,
            false if fault => CERTAIN_PLIES_WITHOUT_CLOCK,
            _ => CERTAIN_PLIES,
        };
        // A dump has just shown that a message was lost, which looks like a fault.
        let mended = fault && self.play.as_ref().is_some_and(|play| play.dump_agreement == DumpAgreement::DiffersOnce);
        if mended || best.view.confirmed() < certain || self.waits_for_log() && best.basis == Basis::Position {
            return;
        }
        if !explaining.iter().all(|other| other.agrees(best)) {
            let lines = explaining.iter().filter_map(|hypothesis| hypothesis.line()).map(moves_of).take(2).collect();
            self.keep_candidates(lines);
            return;
        }
        let best = (*best).clone();
        self.hypotheses.clear();
        self.adopt(now, &best);
    }

    /// The board is seen this way from now on.
    fn adopt(&mut self, now: Timestamp, hypothesis: &Hypothesis) {
        let Some((line, other)) = hypothesis.line().zip(hypothesis.view.play.as_ref()) else { return };
        if hypothesis.view.rotated != self.rotated {
            self.turn_round();
        }
        self.dead = hypothesis.view.dead;
        self.found_dead = hypothesis.view.found_dead;
        self.ghost = hypothesis.view.ghost;
        self.crosstalk = hypothesis.view.crosstalk;
        self.suspected_dead = hypothesis.view.suspected_dead & self.dead;
        self.placement = hypothesis.view.placement;
        self.expect_start(self.start.0.clone(), self.start.1);
        let moves = moves_of(line);
        let mut known = 0;
        match hypothesis.basis {
            Basis::Start | Basis::Position => self.begin(now, line.position(0).clone(), line.variant()),
            Basis::Ply(from) => {
                let Some(play) = &mut self.play else { return };
                // Moves may have been told since, and only some of them are those of the hypothesis.
                let told = (from + 1..=play.confirmed).filter_map(|ply| play.line.move_at(ply));
                known = told.zip(&moves).take_while(|(told, mv)| told == *mv).count();
                if from + known < play.confirmed {
                    self.conclusions.push_back(Conclusion::Retracted { to_ply: from + known, pressed: true });
                }
                play.truncate(from + known);
            }
        }
        let Some(play) = &mut self.play else { return };
        // Some of the squares may have been put right since.
        let faults = hypothesis.faults.with_dead(self.dead);
        play.line.set_faults(faults);
        if !faults.squares().is_empty() {
            let squares = faults.squares().into_iter().collect();
            play.unexplained_told = true;
            self.conclusions.push_back(Conclusion::Unexplained(squares));
        }
        let before = play.line.plies() - known;
        for (mv, &seen) in moves.into_iter().zip(&other.seen).skip(known) {
            play.push(seen, mv);
        }
        self.confirm_to(before + other.confirmed, Evidence::Dump);
        self.look(now);
    }

    /// A square that is not believed reports something. One that shows what the game has there works again, as does one on which
    /// a piece was seen that was lifted, and one that was supposed to be dead is not dead.
    pub(super) fn handle_dead_report(&mut self, now: Timestamp, square: Square, piece: PieceCode) {
        let ghost = self.ghost.filter(|&(ghost, _)| ghost == square);
        match ghost {
            Some((_, seen)) if seen == piece => return,
            Some(_) => self.ghost = None,
            None if piece == PieceCode::Empty => return,
            None => {}
        }
        self.refuted |= self.suspected_dead.contains(square);
        if !self.found_dead.contains(square) {
            return;
        }
        let Some(play) = &mut self.play else { return };
        let shown = play.line.faults().with_dead(self.dead.without(square));
        let mended = ghost.is_some() || self.suspected_dead.contains(square);
        if shown.shows(play.line.head().board()).get(square) != piece && !mended {
            self.refuted |= self.speculative;
            return;
        }
        self.dead.discard(square);
        self.found_dead.discard(square);
        self.suspected_dead.discard(square);
        play.line.set_faults(shown);
        self.placement.set(square, piece);
        self.expect_start(self.start.0.clone(), self.start.1);
        self.look(now);
    }

    /// The squares that are not believed, declared and found ones.
    pub(crate) fn dead(&self) -> Bitboard {
        self.dead
    }

    /// The squares that were found not to be believed, and that of a piece that reads as another; not those that were declared.
    pub(crate) fn found_faulty(&self) -> Bitboard {
        self.faulty_squares() & !(self.dead & !self.found_dead)
    }

    /// The squares that are not believed, and that of a piece that reads as another.
    pub(crate) fn faulty_squares(&self) -> Bitboard {
        self.play.as_ref().map_or(self.dead, |play| play.line.faults().squares())
    }
}

fn moves_of(line: &Line) -> Vec<Move> {
    (1..=line.plies()).filter_map(|ply| line.move_at(ply)).collect()
}
