//! Other ways to see the board when nothing explains it: a square that cannot be believed, a piece that reads as another, a game
//! that began from a position nobody saw. Each is followed by a recogniser of its own until the board decides between them.
//!
//! Part of the recogniser; knows what it knows. A hypothesis is believed when it alone explains the board, with moves of both
//! players that something confirmed. It is never believed because it is the first.

use dgt_protocol::PieceCode;
use shakmaty::{Bitboard, Chess, Move, Position, Square};

use super::witness::settles_on;
use super::{Conclusion, Recogniser, SETTLE_MS};
use crate::bridge::{Bridge, Limits, bridge};
use crate::event::{Evidence, Variant};
use crate::lens::{Lens, squares_of};
use crate::line::Line;
use crate::placement::{Placement, code_of};
use crate::play::{LogSearch, Play, Standing};
use crate::time::Timestamp;

/// More hypotheses than this are not followed at once: as many as a queen has moves.
const FOLLOWED: usize = 28;
/// Plies of a hypothesis that must be certain before it is believed: a move of each player.
const CERTAIN_PLIES: usize = 2;
/// The same for a fault of the board where no clock tells when moves are complete: a lost message looks like one.
const CERTAIN_PLIES_WITHOUT_CLOCK: usize = 6;

/// What a hypothesis goes on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    /// The game after this ply.
    Ply(usize),
    /// The start of a new game, which stood there but for some squares.
    Start,
    /// A position in the middle of a game that nobody saw.
    Position,
}

/// Another way to see the board.
#[derive(Clone, Debug)]
pub(super) struct Hypothesis {
    basis: Basis,
    /// The faults of the board when it began.
    lens: Lens,
    /// The board as it sees it, and the line from where it began.
    view: Recogniser,
    refuted: bool,
    /// A press ended no move of it.
    unanswered: bool,
}

impl Hypothesis {
    /// Whether it can still be true. Takes notice of what its recogniser concluded.
    fn stands(&mut self) -> bool {
        while let Some(conclusion) = self.view.conclusions.pop_front() {
            self.refuted |= matches!(conclusion, Conclusion::Unexplained(_) | Conclusion::Retracted { .. });
        }
        self.unanswered |= self.view.play.as_ref().is_some_and(|play| play.presses > 0);
        !self.refuted && !self.view.refuted
    }

    fn line(&self) -> Option<&Line> {
        self.view.line()
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
    pub(super) fn view(&self, now: Timestamp, lens: Lens, line: Line, turned: bool) -> Self {
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
        (view.blind, view.found) = (lens.blind, lens.blind);
        view.placement = view.placement.without(lens.blind);
        view.play = Some(Play::new(line, now));
        view
    }

    /// Follows a game of its own as a hypothesis, from what the board shows now; `turned` when it stands turned round.
    pub(super) fn suppose_game(
        &mut self,
        now: Timestamp,
        basis: Basis,
        lens: Lens,
        start: (Chess, Variant),
        turned: bool,
    ) {
        let line = Line::seen_through(lens, start.0, start.1);
        let view = self.view(now, lens, line, turned);
        self.hypotheses.push(Hypothesis { basis, lens, view, refuted: false, unanswered: false });
    }

    /// Looks for faults of the board that would explain it: a move to a square that never reported a piece, a piece that is
    /// not seen where it stands or still seen where it was lifted, or one that reads as another.
    pub(super) fn suspect_faults(&mut self, now: Timestamp) {
        let Some(play) = self.play.as_ref().filter(|_| !self.speculative && self.hypotheses.is_empty()) else { return };
        let (head, slid_over) = self.where_the_hand_was(play);
        let (from, lens) = (play.line.position(head), play.line.lens_at(head));
        let limits = self.limits(2, play);
        let mut found: Vec<(Lens, Vec<Move>)> = Vec::new();
        let taken = play.line.move_at(head).and_then(Move::capture).map(|role| code_of(role.of(from.turn())));
        for suspected in self.suspects(from, lens, taken) {
            let mut touched = self.touched;
            for square in slid_over {
                touched.add_all(square);
            }
            for square in suspected.squares() | suspected.odd().next().map_or(Bitboard::EMPTY, |_| Bitboard::FULL) {
                touched.add_all(square);
            }
            let limits = Limits { touched: limits.touched.map(|_| touched), lens: suspected, ..limits };
            let placement = self.placement.without(suspected.blind);
            let seen = bridge(from, &placement, limits, |moves| {
                self.weigh(play, from, suspected, moves).filter(|_| settles_on(&play.settled, from, suspected, moves))
            });
            if let Bridge::Found(moves) = seen {
                found.push((suspected, moves));
            }
        }
        if found.len() > FOLLOWED {
            return;
        }
        let press = play.press;
        let start = Line::seen_through(lens, from.clone(), play.line.variant());
        for (suspected, moves) in found {
            let mut line = start.clone();
            line.look_through(suspected);
            let mut view = self.view(now, suspected, line, false);
            view.stuck = (suspected.blind & !lens.blind & self.placement.occupied())
                .first()
                .map(|square| (square, self.placement.get(square)));
            view.supposed_dead = suspected.blind & !lens.blind & !self.working;
            view.follow(now, &moves, Evidence::Dump);
            if let Some((side, at)) = press
                && let Some(play) = &mut view.play
            {
                play.press = Some((side, at));
                view.use_press(now);
            }
            self.hypotheses.push(Hypothesis {
                basis: Basis::Ply(head),
                lens: suspected,
                view,
                refuted: false,
                unanswered: false,
            });
        }
    }

    /// The ply after which nothing explains the board. A move that is not certain and whose piece has gone from its square
    /// again, or has been seen on another since, was on the way there: then it is the one before, and the squares of that move.
    fn where_the_hand_was(&self, play: &Play) -> (usize, Bitboard) {
        let head = play.line.plies();
        let arrived = self.arrived(&play.line.head_placement());
        let went_on = |mv: &Move| {
            let gone = self.placement.get(mv.to()) == PieceCode::Empty;
            !mv.is_castle() && (gone || self.was_seen_later(mv.to(), arrived))
        };
        let Some(mv) = play.line.move_at(head).filter(|mv| head > play.confirmed && went_on(mv)) else {
            return (head, Bitboard::EMPTY);
        };
        let turn = play.line.position(head - 1).turn();
        (head - 1, squares_of(turn, mv).into_iter().flatten().collect())
    }

    /// The faults that could explain what differs from a position after one more move, or two. `taken`: the piece that the last
    /// move took.
    fn suspects(&self, from: &Chess, lens: Lens, taken: Option<PieceCode>) -> Vec<Lens> {
        let (turn, shown) = (from.turn(), lens.shows(from.board()));
        let moves = from.legal_moves();
        let silent = |square: &Square| !self.working.contains(*square) && !lens.blind.contains(*square);
        let goals: Bitboard = moves.iter().flat_map(|&mv| squares_of(turn, mv)).flatten().filter(silent).collect();
        // Or a piece stands so badly that it is not seen any more.
        let different: Bitboard = self.placement.difference(&shown).into_iter().collect();
        let unseen = different & shown.occupied() & !self.placement.occupied();
        let mut suspects: Vec<Lens> = (goals | unseen | self.sticking(from, &shown, taken))
            .into_iter()
            .map(|square| lens.with_blind(lens.blind | square))
            .collect();
        // A piece that reads as another: where a square shows what stood nowhere near it.
        for square in different & self.placement.occupied() {
            let seen = self.placement.get(square);
            let arriving = moves.iter().filter(|mv| mv.to() == square).filter_map(|mv| mv.from());
            let stayed = (shown.get(square) != PieceCode::Empty).then_some(square);
            for piece in arriving.chain(stayed) {
                let plausible = shown.get(piece) != seen && self.placement.get(piece) != shown.get(piece);
                if plausible {
                    suspects.extend(lens.with_odd(piece, seen));
                }
            }
        }
        suspects
    }

    /// Where a piece may still be seen although it has gone: on a square that the next move leaves, that it passed on its way
    /// to one on which the same piece was seen later, or over which it went when it was taken.
    fn sticking(&self, from: &Chess, shown: &Placement, taken: Option<PieceCode>) -> Bitboard {
        let arrived = self.arrived(shown);
        // It was seen there before the next hand came.
        let first = self.placement.difference(shown).into_iter().map(|square| self.changed_at[square.to_usize()]).min();
        let came_first = |square: Square| Some(self.changed_at[square.to_usize()]) == first;
        let aside = |square: Square| Some(self.placement.get(square)) == taken && came_first(square);
        let passed = arrived.into_iter().filter(|&square| self.was_seen_later(square, arrived) || aside(square));
        let left = from.legal_moves().into_iter().filter_map(|mv| {
            let after = Placement::from_board(from.clone().play(mv).ok()?.board());
            let squares: Bitboard = squares_of(from.turn(), mv).into_iter().flatten().collect();
            let is_there = |square: Square| self.placement.get(square) == after.get(square);
            let goals = squares & arrived;
            (!goals.is_empty() && goals.into_iter().all(is_there)).then(|| squares & !goals)
        });
        let left = left.flatten();
        let still = |square: &Square| {
            let seen = self.placement.get(*square);
            seen != PieceCode::Empty && seen == shown.get(*square)
        };
        passed.chain(left.filter(still)).collect()
    }

    /// The squares with a piece that is not there in a position.
    fn arrived(&self, shown: &Placement) -> Bitboard {
        let different: Bitboard = self.placement.difference(shown).into_iter().collect();
        different & self.placement.occupied()
    }

    /// Whether the piece that is seen on a square was seen on one of these later.
    fn was_seen_later(&self, square: Square, arrived: Bitboard) -> bool {
        let (seen, since) = (self.placement.get(square), self.changed_at[square.to_usize()]);
        arrived.into_iter().any(|other| self.placement.get(other) == seen && self.changed_at[other.to_usize()] > since)
    }

    /// A piece that read as another may be read rightly where it goes, or be exchanged for a good one. Whether the board is
    /// explained without that fault, which is then forgotten.
    pub(super) fn reads_rightly_again(&mut self, now: Timestamp) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| play.line.lens().odd().next().is_some()) else {
            return false;
        };
        let from = play.line.head();
        let lens = Lens::blind(play.line.lens().blind);
        let moves = if lens.shows(from.board()) == self.placement {
            Vec::new()
        } else {
            let limits = Limits { lens, ..self.limits(2, play) };
            match bridge(from, &self.placement, limits, |moves| self.weigh(play, from, lens, moves)) {
                Bridge::Found(moves) => moves,
                Bridge::Ambiguous(_) | Bridge::None => return false,
            }
        };
        if let Some(play) = &mut self.play {
            play.line.look_through(lens);
        }
        self.follow(now, &moves, Evidence::Dump);
        true
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
        let log = match self.joined {
            LogSearch::Asked { until } => Some(until),
            LogSearch::Untried | LogSearch::Done => None,
        };
        let played_on = self.played_on.as_ref().and_then(|view| view.next_deadline());
        let views = self.hypotheses.iter().filter_map(|hypothesis| hypothesis.view.next_deadline());
        views.chain(played_on).chain(log).min()
    }

    /// Whether the board's log, which knows more of a game that nobody saw begin, is going to be heard.
    fn waits_for_log(&self) -> bool {
        self.join_log_due.is_some() || self.logged_game.is_some() || matches!(self.joined, LogSearch::Asked { .. })
    }

    /// Whether a hypothesis explains what stands on the board, but for pieces in the hand, or has moves that may.
    pub(super) fn supposes_what_stands(&self) -> bool {
        self.hypotheses.iter().any(|hypothesis| {
            let view = &hypothesis.view;
            view.play.as_ref().is_some_and(|play| play.line.plies() > 0 || view.shows_head() || view.only_lifted(play))
        })
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
        if matches!(self.joined, LogSearch::Asked { until } if until <= now) {
            self.ask_join_log_again(now);
        }
        self.judge_illegal_move();
        if self.hypotheses.is_empty() {
            return;
        }
        if let Some(since) = self.stands_on_head_since() {
            // A piece that is taken where a press had ended its move shows it for a moment.
            let lasts = now.since(since) >= SETTLE_MS;
            let moved =
                |hypothesis: &Hypothesis| matches!(hypothesis.basis, Basis::Ply(_)) && hypothesis.view.confirmed() > 0;
            self.hypotheses.retain(|hypothesis| !lasts && moved(hypothesis));
            return;
        }
        self.hypotheses.retain_mut(Hypothesis::stands);
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
        let mut explaining: Vec<&Hypothesis> =
            self.hypotheses.iter().filter(|hypothesis| hypothesis.view.shows_head()).collect();
        // Who was to move is told by the presses: each of them ends a move of the game that was played.
        if explaining.iter().any(|hypothesis| !hypothesis.unanswered && hypothesis.view.lever) {
            explaining.retain(|hypothesis| !hypothesis.unanswered || hypothesis.basis != Basis::Position);
        }
        let most = explaining.iter().map(|hypothesis| hypothesis.view.confirmed()).max();
        // Of faults that tell the same, a piece that reads as another is likelier than one that is seen where none is.
        explaining.sort_by_key(|hypothesis| hypothesis.lens.odd().next().is_none());
        let Some(best) = explaining.iter().find(|hypothesis| Some(hypothesis.view.confirmed()) == most) else { return };
        let fault = matches!(best.basis, Basis::Ply(_));
        let certain = if fault && !best.view.lever { CERTAIN_PLIES_WITHOUT_CLOCK } else { CERTAIN_PLIES };
        if best.view.confirmed() < certain || self.waits_for_log() && best.basis == Basis::Position {
            return;
        }
        if !explaining.iter().all(|other| other.agrees(best)) {
            let lines = explaining.iter().filter_map(|hypothesis| hypothesis.line()).map(moves_of).take(2).collect();
            self.keep_candidates(lines);
            return;
        }
        let best = (*best).clone();
        self.hypotheses.clear();
        self.believe(now, &best);
    }

    /// The board is seen this way from now on.
    fn believe(&mut self, now: Timestamp, hypothesis: &Hypothesis) {
        let Some((line, other)) = hypothesis.line().zip(hypothesis.view.play.as_ref()) else { return };
        if hypothesis.view.rotated != self.rotated {
            self.turn_round();
        }
        self.blind = hypothesis.view.blind;
        self.found = hypothesis.view.found;
        self.stuck = hypothesis.view.stuck;
        self.supposed_dead = hypothesis.view.supposed_dead & self.blind;
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
        let lens = hypothesis.lens.with_blind(self.blind);
        play.line.look_through(lens);
        if !lens.squares().is_empty() {
            let squares = lens.squares().into_iter().collect();
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

    /// A square that is not believed reports something. One that shows what the game has there works again, and one that was
    /// supposed to be dead is not dead.
    pub(super) fn hear_blind(&mut self, now: Timestamp, square: Square, piece: PieceCode) {
        match self.stuck {
            Some((stuck, seen)) if stuck == square && seen == piece => return,
            Some((stuck, _)) if stuck == square => self.stuck = None,
            _ if piece == PieceCode::Empty => return,
            _ => {}
        }
        self.refuted |= self.supposed_dead.contains(square);
        if !self.found.contains(square) {
            return;
        }
        let Some(play) = &mut self.play else { return };
        let shown = play.line.lens().with_blind(self.blind.without(square));
        let dead = self.supposed_dead.contains(square);
        if shown.shows(play.line.head().board()).get(square) != piece && !dead {
            self.refuted |= self.speculative;
            return;
        }
        self.blind.discard(square);
        self.found.discard(square);
        self.supposed_dead.discard(square);
        play.line.look_through(shown);
        self.placement.set(square, piece);
        self.expect_start(self.start.0.clone(), self.start.1);
        self.look(now);
    }

    /// The squares that are not believed, declared and found ones.
    pub fn blind(&self) -> Bitboard {
        self.blind
    }

    /// The squares that are not believed, and that of a piece that reads as another.
    pub fn disbelieved(&self) -> Bitboard {
        self.play.as_ref().map_or(self.blind, |play| play.line.lens().squares())
    }
}

fn moves_of(line: &Line) -> Vec<Move> {
    (1..=line.plies()).filter_map(|ply| line.move_at(ply)).collect()
}
