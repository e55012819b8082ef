//! How a hypothesis goes on: by one ply whose squares are complete, by two or three whose squares came within one round of the
//! scan, by a ply of which one message was lost, and by any number of plies across a gap.
//!
//! Knows the rules and one observation. Must not know which hypotheses are kept.

use shakmaty::{Bitboard, CastlingSide, Move, Position, Role, Square};

use super::bridge::Target;
use super::history::{Agreement, History, Kind, Observation};
use super::hypothesis::{Change, Hypothesis, index};
use super::line::Lines;
use super::terms::Term;
use super::weights as w;

/// Goes on from a hypothesis in all ways that an observation allows.
pub(crate) struct Expansion<'a> {
    pub(crate) history: &'a History,
    pub(crate) at: usize,
    pub(crate) seen: &'a Observation,
    pub(crate) lines: &'a mut Lines,
    pub(crate) found: Vec<Hypothesis>,
    /// Positions whose moves were listed.
    pub(crate) work: u32,
}

impl Expansion<'_> {
    /// All ways on from a hypothesis. `first`: nothing went on with this observation yet, so it has to speak of a ply's square;
    /// `lost`: messages are known to get lost on this line.
    pub(crate) fn expand(&mut self, from: &Hypothesis, first: bool, lost: bool) {
        let differs = from.differs_from(&self.seen.shown);
        // A dump, and the clock that is started, say something about all squares.
        let first = first && !self.seen.dump && self.seen.kind != Kind::Started;
        let told =
            self.seen.patches.iter().fold(self.seen.touched, |told, &(square, _)| told | Bitboard::from_square(square));
        let arrived = differs & self.seen.shown.occupied();
        // A piece that takes, and is taken by one like its victim, leaves both first squares empty and nothing else.
        let board = from.position.board();
        let both = !(differs & board.white()).is_empty() && !(differs & board.black()).is_empty();
        // A piece that has come back may have been elsewhere.
        let speaks = told & (differs | self.seen.shown.occupied());
        let nothing = arrived.is_empty() && !both || first && speaks.is_empty();
        if nothing && self.seen.patches.is_empty() && from.faulty.is_empty() {
            return; // A ply puts a piece somewhere, and changes what it touches.
        }
        let must = if first { told } else { Bitboard::FULL };
        // A dump loses nothing.
        let lost = lost && !self.seen.dump;
        self.chain(from, (Bitboard::EMPTY, Bitboard::EMPTY), must, w::TOGETHER, lost);
    }

    /// Goes on by up to so many plies. The squares `wanted` do not show what was left there yet, and those of them that are
    /// `refilled` showed it a moment ago; one of `must` has to be touched by a ply, unless that is all squares.
    fn chain(
        &mut self,
        from: &Hypothesis,
        (wanted, refilled): (Bitboard, Bitboard),
        must: Bitboard,
        plies: u32,
        lost: bool,
    ) {
        self.work += 1;
        let pawn = Some(from.position.turn().pawn());
        // A rook may stand for a queen (behaviour paper, 5.4).
        let rook = Some(from.position.turn().rook());
        let moves = from.position.legal_moves();
        let few = (Term::FewMoves, of_few(moves.len()));
        for mv in moves {
            let (mut found, count) = from.changes(mv);
            let found = &mut found[..count];
            if mv.promotion() == Some(Role::Queen) && self.seen.shown.is(mv.to(), rook) {
                found.iter_mut().filter(|change| change.square == mv.to()).for_each(|change| change.content = rook);
            }
            let found = &*found;
            let (mut open, mut touched, mut back) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
            let (mut patched, mut unread, mut ignored): (w::Cost, w::Cost, usize) = (0, 0, 0);
            for &Change { square, content } in found {
                touched.add(square);
                if from.ignores(square) {
                    ignored += 1;
                    continue;
                }
                match self.seen.agrees(square, content) {
                    Agreement::Shown => {}
                    Agreement::Patched => patched += 1,
                    Agreement::Unread => unread += 1,
                    // The pawn stands on the last rank until its player has found another piece.
                    Agreement::None if mv.is_promotion() && self.seen.shown.is(square, pawn) => patched += 1,
                    Agreement::None if plies > 2 && content.is_none() && self.was_empty(from, square) => {
                        back.add(square);
                    }
                    Agreement::None => open.add(square),
                }
            }
            if ignored == count {
                continue;
            }
            let left = wanted & !touched | open | back;
            let told = !(touched & must).is_empty();
            let unseen = (Term::PlyPatched, patched * w::PLY);
            let unread = (Term::Unread, unread * w::RARE);
            let castles = castling(mv, from, self.seen).is_some_and(|castle| from.position.is_legal(castle));
            let half = (Term::HalfCastling, if castles { w::RARE } else { 0 });
            if left.is_empty() {
                if told {
                    // The square that went unseen in a third one says already that they came together.
                    let two = wanted.any() && plies + 1 == w::TOGETHER;
                    let more = (Term::PliesTogether, if two { w::OFTEN } else { 0 });
                    let next =
                        from.play(mv, found, &[few, unseen, unread, half, more], self.history, self.at, self.lines);
                    self.found.push(next);
                }
                continue;
            }
            if lost
                && !(touched & self.seen.touched).is_empty()
                && wanted.is_empty()
                && open.count() == 1
                && back.is_empty()
                && count >= 2
                && patched == 0
                && ignored == 0
            {
                // A reply that is forced makes no lost message likelier.
                let mut next = from.play(mv, found, &[(Term::Lost, w::RARE)], self.history, self.at, self.lines);
                next.lost |= open;
                self.found.push(next);
            }
            let back = refilled & left | back;
            let on_the_way = (left & !back).count() <= 1
                && back.count() <= 1
                && open.count() < count
                && (wanted.is_empty() || !(touched & wanted).is_empty() || open.is_empty());
            if plies > 1 && on_the_way {
                let more =
                    if wanted.is_empty() { (Term::PliesTogether, w::OFTEN) } else { (Term::SquareUnseen, w::SELDOM) };
                let next = from.play(mv, found, &[few, unseen, unread, half, more], self.history, self.at, self.lines);
                let must = if told { Bitboard::FULL } else { must };
                self.chain(&next, (left, back), must, plies - 1, false);
            }
        }
    }

    /// Whether a square showed a moment ago, after the last ply of a line, that a piece had left it.
    fn was_empty(&self, from: &Hypothesis, square: Square) -> bool {
        self.history.was_empty(self.at, square, from.ply_at)
    }

    /// Goes on by assuming a fault of the board: one square reports wrongly where the line stands, or where it stands after a
    /// ply that the other squares show.
    pub(crate) fn assume(&mut self, from: &Hypothesis) {
        let board = &self.seen.shown;
        // The mover may still hold the piece, unless he has pressed or his opponent has answered.
        let answered = self.seen.touched & board.by_color(from.position.turn().other());
        if self.seen.kind == Kind::Board && !self.seen.dump && answered.is_empty() {
            return;
        }
        let differs = from.differs_from(board) & !from.faulty & !from.lost;
        // A piece that stands where it does not belong while another one is missing was put there.
        if let Some(square) = differs.single_square() {
            self.found.extend(from.assuming_fault(square, None, board, self.history.filled()));
        }
        self.work += 1;
        for mv in from.position.legal_moves() {
            let (found, count) = from.changes(mv);
            let found = &found[..count];
            let (mut open, mut shows) = (Bitboard::EMPTY, false);
            for &Change { square, content } in found.iter().filter(|change| !from.ignores(change.square)) {
                match self.seen.agrees(square, content) {
                    Agreement::Shown => shows |= differs.contains(square),
                    Agreement::Patched => shows = true,
                    Agreement::Unread => {}
                    Agreement::None => open.add(square),
                }
            }
            if let (true, Some(square)) = (shows, open.single_square()) {
                let next = from.play(mv, found, &[], self.history, self.at, self.lines);
                let misplaced = next.differs_from(board) & !from.faulty & !from.lost & !Bitboard::from_square(square);
                if !(misplaced & board.by_color(from.position.turn())).is_empty() {
                    continue;
                }
                self.found.extend(next.assuming_fault(
                    square,
                    from.position.board().piece_at(square),
                    board,
                    self.history.filled(),
                ));
            }
        }
    }

    /// The shortest lines, and those of two plies more, from a hypothesis to what the board shows after a gap. Looks at no more
    /// positions than `positions` has left, and at lines of `most` plies.
    pub(crate) fn unseen(&mut self, from: &Hypothesis, positions: &mut u32, most: usize) {
        let misread = from.misread.misread().fold(Bitboard::EMPTY, |all, (square, _)| all | square);
        let before = self.at.checked_sub(1).and_then(|at| self.history.get(at));
        let late = if let Kind::Gap { late } = self.seen.kind { late } else { Bitboard::EMPTY };
        let held = before.map_or(Bitboard::EMPTY, |before| {
            let lifted = from.position.board().occupied() & !before.shown.occupied();
            from.differs & lifted & !from.faulty & !late
        });
        // The hand that made the last ply had not let go of its piece.
        let arrived = self.lines.last(from.line).map_or(Bitboard::EMPTY, |mv| Bitboard::from_square(mv.to()));
        let unfinished = from.unpressed[index(from.position.turn().other())] && arrived.intersects(held);
        let target = Target { shown: &self.seen.shown, ignored: from.faulty | misread, held, late, most };
        for way in target.ways(&from.position, positions) {
            let mut next = from.clone();
            if held.any() && !way.held {
                next.pay(Term::OtherThanHeld, w::RARE);
            }
            next.pay(Term::Unfinished, if unfinished { w::SELDOM } else { 0 });
            let mut sure = None;
            for (plies, mv) in way.moves.iter().enumerate() {
                if plies == way.sure {
                    sure = Some(next.sure.unwrap_or(next.line));
                }
                let (found, count) = next.changes(*mv);
                next = next.play(*mv, &found[..count], &[(Term::GapPly, w::OFTEN)], self.history, self.at, self.lines);
            }
            next.sure = next.sure.or(sure);
            if let Some(other) = &way.other {
                let other = self.lines.extended(from.line, other);
                next.rival = Some((next.line, other));
            }
            self.found.push(next);
        }
    }
}

/// The castling of which a rook's move was the first half, where the king stands now as well: the press came before it was seen.
pub(crate) fn castling(mv: Move, best: &Hypothesis, seen: &Observation) -> Option<Move> {
    let Move::Normal { role: Role::Rook, from, to, capture: None, .. } = mv else { return None };
    let color = [to, from].into_iter().find_map(|square| best.position.board().color_at(square))?;
    let king = best.position.board().king_of(color)?;
    let side = CastlingSide::from_king_side(from > king);
    let king_to = side.king_to(color);
    let stands = seen.shown.is(king_to, Some(color.king())) && seen.shown.is(king, None);
    let halves = to == side.rook_to(color) && king.rank() == from.rank();
    (halves && stands && !best.ignores(king_to)).then_some(Move::Castle { king, rook: from })
}

/// What a ply costs that was one of so many legal ones: nothing or less, 1000 times the logarithm of their share of
/// [`w::LEGAL_MOVES`], as a sum over whole numbers.
fn of_few(moves: usize) -> w::Cost {
    let moves = w::Cost::try_from(moves).unwrap_or(w::LEGAL_MOVES);
    -(moves + 1..=w::LEGAL_MOVES).map(|more| 2 * 1_000 / (2 * more - 1)).sum::<w::Cost>()
}
