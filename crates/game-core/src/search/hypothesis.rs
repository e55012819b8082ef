//! One way to explain what was heard: a line, what is still open in it, what is assumed about board and clock, and its cost.
//!
//! Knows what each observation costs a hypothesis. Must not know other hypotheses.

use shakmaty::{Bitboard, CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position, Role, Square};

use super::explain::turn;
use super::history::{Agreement, History, Kind, Observation};
use super::line::{Lines, NodeId, ROOT};
use super::presses::Presses;
use super::pressing::{EarlyPresses, Habits};
use super::shown::Shown;
use super::terms::{Ledger, Term};
use super::weights::{self as w, Cost};
use crate::board_faults::BoardFaults;
use crate::placement::{code_of, piece_of};

/// A hypothesis.
#[derive(Clone, Debug)]
pub(crate) struct Hypothesis {
    /// After the last ply of the line.
    pub(crate) position: Chess,
    pub(crate) line: NodeId,
    /// What it costs so far, in millinats.
    pub(crate) cost: Cost,
    /// The sides whose last ply is not pressed yet.
    pub(crate) unpressed: [bool; 2],
    /// The presses of each side whose plies are not seen yet.
    pub(crate) early: [EarlyPresses; 2],
    /// How the players press.
    pub(crate) habits: Habits,
    /// Which press ended which ply.
    pub(crate) presses: Presses,
    /// Squares that are not believed.
    pub(crate) faulty: Bitboard,
    /// Those of them that are not believed because they showed a piece; the others showed nothing.
    pub(crate) stuck: Bitboard,
    /// Squares that were not believed at any time: the next time is cheaper.
    pub(crate) suspect: Bitboard,
    /// The number of the ply with which the last fault was assumed.
    pub(crate) fault_ply: Option<u32>,
    /// Pieces that the board takes for others.
    pub(crate) misread: BoardFaults,
    /// Those of them that a person declared.
    pub(crate) blind: Bitboard,
    /// A square whose change is assumed to be lost, until a dump shows it.
    pub(crate) lost: Bitboard,
    /// What is done on the board is no play: it explains everything and says nothing.
    pub(crate) off: bool,
    /// An illegal move stands after the last ply of the line, and play may have gone on from it, in `position`: the line with that
    /// move and the plies after it.
    pub(crate) illegal: Option<NodeId>,
    /// White sits at the clock's left side.
    pub(crate) white_left: bool,
    /// When the first press came after the clock was turned round in mid-game; 0 where it was not.
    pub(crate) turned_at: u64,
    /// The squares that differ from the last observation, and those of them that may have shown it before.
    pub(crate) differs: Bitboard,
    pub(crate) patched: Bitboard,
    /// When the last ply was assumed.
    pub(crate) ply_at: u64,
    /// The player to move began, since then, while a piece of the other one stood where the line has none.
    pub(crate) begun_before: bool,
    /// Plies that were taken back since the last one was played.
    pub(crate) undone: u32,
    /// The part of the line that all lines have that came to the same state and are hardly dearer; none
    /// where that is all of it.
    pub(crate) sure: Option<NodeId>,
    /// The line when another one came to the same state, and that other one.
    pub(crate) rival: Option<(NodeId, NodeId)>,
    /// The terms of its cost, where they are kept.
    pub(crate) ledger: Ledger,
}

/// Two hypotheses of the same key have the same future.
pub(crate) type Key = (u64, u64, u32);

/// What a ply leaves on a square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) square: Square,
    pub(crate) content: Option<Piece>,
}

/// What a ply leaves on the squares that it changes, at most four.
pub(crate) fn changes(position: &Chess, mv: Move) -> ([Change; 4], usize) {
    let color = position.turn();
    let piece = |role| Some(Piece { color, role });
    let mut found = [Change { square: Square::A1, content: None }; 4];
    let mut count = 0;
    let mut add = |square, content| {
        if let Some(slot) = found.get_mut(count) {
            *slot = Change { square, content };
            count += 1;
        }
    };
    match mv {
        Move::Normal { role, from, to, promotion, .. } => {
            add(from, None);
            add(to, piece(promotion.unwrap_or(role)));
        }
        Move::EnPassant { from, to } => {
            add(from, None);
            add(to, piece(Role::Pawn));
            add(Square::from_coords(to.file(), from.rank()), None);
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook > king);
            let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
            for from in [king, rook] {
                if from != king_to && from != rook_to {
                    add(from, None);
                }
            }
            if king_to != king {
                add(king_to, piece(Role::King));
            }
            if rook_to != rook {
                add(rook_to, piece(Role::Rook));
            }
        }
        Move::Put { .. } => {}
    }
    (found, count)
}

/// How many squares there are.
pub(crate) fn count(squares: Bitboard) -> Cost {
    Cost::try_from(squares.count()).unwrap_or(64)
}

pub(crate) fn index(color: Color) -> usize {
    usize::from(color.is_black())
}

fn mixed(hash: u64, squares: Bitboard) -> u64 {
    let hash = (hash ^ u64::from(squares)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}

/// A hash of a position, without its en passant square.
pub(crate) fn hash_of(position: &Chess) -> u64 {
    let board = position.board();
    let roles = Role::ALL.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, role| mixed(hash, board.by_role(role)));
    mixed(mixed(roles, board.white()), position.castles().castling_rights())
}

impl Hypothesis {
    pub(crate) fn start(position: &Chess, white_left: bool, cost: Cost) -> Self {
        Self {
            position: position.clone(),
            line: ROOT,
            cost,
            unpressed: [false; 2],
            early: Default::default(),
            habits: Habits::default(),
            presses: Presses::default(),
            faulty: Bitboard::EMPTY,
            stuck: Bitboard::EMPTY,
            suspect: Bitboard::EMPTY,
            fault_ply: None,
            misread: BoardFaults::default(),
            blind: Bitboard::EMPTY,
            lost: Bitboard::EMPTY,
            off: false,
            illegal: None,
            white_left,
            turned_at: 0,
            differs: Bitboard::EMPTY,
            patched: Bitboard::EMPTY,
            ply_at: 0,
            begun_before: false,
            undone: 0,
            sure: None,
            rival: None,
            ledger: Ledger::default(),
        }
    }

    /// All lines that it names.
    pub(crate) fn lines_mut(&mut self) -> impl Iterator<Item = &mut NodeId> {
        let rival = self.rival.as_mut().map(|(mine, other)| [mine, other]);
        [&mut self.line].into_iter().chain(&mut self.illegal).chain(&mut self.sure).chain(rival.into_iter().flatten())
    }

    /// Pays for a weight.
    pub(crate) fn pay(&mut self, term: Term, cost: Cost) {
        if cost != 0 {
            self.cost = self.cost.saturating_add(cost);
            let position = &self.position;
            self.ledger.note(term, cost, || turn(position));
        }
    }

    pub(crate) fn key(&self) -> Key {
        let mut hash = hash_of(&self.position);
        let mut mix = |squares: Bitboard| hash = mixed(hash, squares);
        mix(self.faulty);
        mix(self.lost);
        mix(self.suspect);
        for (square, code) in self.misread.misread() {
            mix(Bitboard(u64::from(code.to_byte()) << 8 | u64::from(u8::from(square))));
        }
        if self.off || self.illegal.is_some() {
            mix(Bitboard(u64::from(self.line.number())));
        }
        let en_passant = self.position.ep_square(EnPassantMode::Legal).map_or(64, u32::from);
        let flags = [
            self.position.turn().is_black(),
            self.unpressed[0],
            self.unpressed[1],
            !self.early[0].is_empty(),
            !self.early[1].is_empty(),
            self.early[0].are_two(),
            self.early[1].are_two(),
            self.white_left,
            self.off,
            self.illegal.is_some(),
        ];
        let flags = flags.iter().fold(en_passant, |bits, &flag| bits << 1 | u32::from(flag));
        (hash, u64::from(self.position.board().occupied()), flags)
    }

    /// What a square shows in this hypothesis, if it is believed.
    pub(crate) fn content(&self, square: Square) -> Option<Piece> {
        let read = self.misread.misread().find(|&(at, _)| at == square);
        read.map_or_else(|| self.position.board().piece_at(square), |(_, code)| piece_of(code))
    }

    /// The squares that show something else than this hypothesis says, whether or not they are believed.
    pub(crate) fn differs_from(&self, shown: &Shown) -> Bitboard {
        let mut differs = shown.differs(self.position.board());
        for (square, code) in self.misread.misread() {
            differs.set(square, !shown.is(square, piece_of(code)));
        }
        differs
    }

    /// Whether a piece that stands unseen by this line, on a square that is not believed, shows on another one.
    pub(crate) fn shows_elsewhere(&self, shown: &Shown) -> bool {
        let unseen = self.differs_from(shown) & (self.faulty | self.lost);
        let stands_unseen = |piece| !(self.position.board().by_piece(piece) & unseen).is_empty();
        (self.differs & shown.occupied()).into_iter().filter_map(|square| shown.piece_at(square)).any(stands_unseen)
    }

    /// Whether a piece shows on a believed square of which this line has fewer than are shown.
    pub(crate) fn lacks_a_piece(&self, shown: &Shown) -> bool {
        let fewer = |piece| self.position.board().by_piece(piece).count() < shown.count(piece);
        (self.differs & shown.occupied()).into_iter().filter_map(|square| shown.piece_at(square)).any(fewer)
    }

    /// The believed squares that show something else, and of which nothing proves that they may have shown the right thing.
    pub(crate) fn differs_for_sure(&self, seen: &Observation) -> Bitboard {
        let differs = self.differs_from(&seen.shown) & !self.faulty & !self.lost;
        differs.into_iter().filter(|&square| seen.agrees(square, self.content(square)) == Agreement::None).collect()
    }

    /// What a ply leaves on the squares that it changes, as this board shows it.
    pub(crate) fn changes(&self, mv: Move) -> ([Change; 4], usize) {
        let (mut found, count) = changes(&self.position, mv);
        if self.misread.misread().next().is_some() {
            for (square, code) in self.misread.after(self.position.turn(), mv).misread() {
                found.iter_mut().take(count).filter(|change| change.square == square).for_each(|change| {
                    change.content = piece_of(code);
                });
            }
        }
        (found, count)
    }

    /// Pays for a square that is assumed to report wrongly, beyond what was paid for it as a lost message. `filled`: squares that
    /// have shown a piece. Most that report wrongly have never shown one.
    fn pay_fault(&mut self, square: Square, shown: &Shown, filled: Bitboard, paid: Cost) {
        if self.suspect.contains(square) {
            return self.pay(Term::FaultAgain, (w::OFTEN - paid).max(0));
        }
        self.pay(Term::Fault, w::VERY_RARE - paid);
        let shows_pieces = (filled | shown.occupied()).contains(square);
        self.pay(Term::FaultFilled, if shows_pieces { w::OFTEN } else { 0 });
    }

    /// Whether a fault of this square can be assumed now; notes that it was.
    fn may_be_faulty(&mut self, square: Square) -> bool {
        if self.suspect.contains(square) {
            return true;
        }
        let plies = 2 * u32::from(self.position.fullmoves()) + u32::from(self.position.turn().is_black());
        let borne_out = self.fault_ply.is_none_or(|last| plies >= last + w::BORNE_OUT);
        self.fault_ply = Some(plies);
        borne_out
    }

    /// A square is not believed until it shows the right thing.
    fn distrust(&mut self, square: Square, shown: &Shown) {
        self.faulty.add(square);
        self.suspect.add(square);
        self.stuck.set(square, shown.occupied().contains(square));
    }

    /// Assumes that a square that shows something else than the line says reports wrongly: a piece there that shows as another
    /// is read as that one wherever it goes, or, which is dearer, on this square alone. Any other square is not believed, nor one that
    /// goes on showing the piece that was `taken` there. Another fault is assumed only when some plies have borne the last one out.
    /// `filled`: squares that have shown a piece.
    pub(crate) fn assuming_fault(
        &self,
        square: Square,
        taken: Option<Piece>,
        shown: &Shown,
        filled: Bitboard,
    ) -> impl Iterator<Item = Self> + use<> {
        let mut next = self.clone();
        let may_be = !self.waits_for_piece(square, shown) && next.may_be_faulty(square);
        next.pay_fault(square, shown, filled, 0);
        let read = shown.piece_at(square).filter(|_| self.position.board().piece_at(square).is_some());
        let read = read.filter(|&read| taken != Some(read));
        let misread = read.and_then(|read| self.misread.with_misread(square, code_of(read)));
        let misread = misread.map(|misread| Self { misread, ..next.clone() });
        next.pay(Term::FaultAgain, if misread.is_some() { w::OFTEN } else { 0 });
        next.distrust(square, shown);
        [misread, Some(next)].into_iter().flatten().filter(move |_| may_be)
    }

    /// The same board where it is the pieces on these squares, and not the squares, that report wrongly: each is read as another one
    /// wherever it goes. Dearer, so that until one of them has moved people are told of the squares.
    pub(crate) fn with_pieces_misread(&self, squares: Bitboard, shown: &Shown) -> Option<Self> {
        let board = self.position.board();
        let misread = squares.into_iter().try_fold(self.misread, |misread, square| {
            let read = shown.piece_at(square).filter(|_| board.piece_at(square).is_some())?;
            misread.with_misread(square, code_of(read))
        })?;
        let (faulty, stuck) = (self.faulty & !squares, self.stuck & !squares);
        let mut next = Self { faulty, stuck, misread, ..self.clone() };
        next.pay(Term::FaultAgain, w::OFTEN);
        Some(next)
    }

    /// Whether a pawn stands on its last rank until its player has found the piece that it becomes.
    fn waits_for_piece(&self, square: Square, shown: &Shown) -> bool {
        let piece = self.position.board().piece_at(square);
        piece.is_some_and(|piece| {
            piece.color.other().backrank() == square.rank() && shown.is(square, Some(piece.color.pawn()))
        })
    }

    /// Whether another piece comes to a square of the last rank than the one that a pawn has become there.
    fn became_another(&self, square: Square, seen: &Observation) -> bool {
        let (became, shown) = (self.position.board().piece_at(square), seen.shown.piece_at(square));
        became.zip(shown).is_some_and(|(became, shown)| {
            became.color == shown.color
                && became.color.other().backrank() == square.rank()
                && became.role != Role::Pawn
                && shown.role != Role::Pawn
        })
    }

    /// Compares the line with an observation.
    pub(crate) fn compare(&mut self, seen: &Observation) {
        if !self.faulty.is_empty() {
            // A square that shows the right piece is believed again.
            let differs = self.differs_from(&seen.shown);
            let right = self.faulty & !self.blind & seen.touched & (seen.shown.occupied() | self.stuck) & !differs;
            // A square that showed nothing shows a piece that is not there: another fault.
            let lit = self.faulty & !self.blind & !self.stuck & seen.shown.occupied() & differs;
            self.pay(Term::Fault, count(lit) * w::VERY_RARE);
            // A dead square shows nothing for good.
            self.pay(Term::FaultEnds, count(right & !self.stuck) * w::OFTEN);
            self.stuck |= lit;
            self.faulty &= !right;
            self.stuck &= !right;
        }
        if !seen.dump {
            // A square that reports a change says what stands there now, whatever was lost before.
            self.lost &= !seen.touched;
        }
        self.differs = self.differs_from(&seen.shown) & !self.faulty & !self.lost;
        let patched = self.differs.into_iter().filter(|&square| {
            self.waits_for_piece(square, &seen.shown)
                || !seen.patches.is_empty() && seen.agrees(square, self.content(square)) != Agreement::None
        });
        self.patched = patched.collect();
    }

    /// The differing squares of which a later message proves that they had changed unseen.
    pub(crate) fn proved(&self, seen: &Observation) -> Bitboard {
        let proved = |&square: &Square| seen.agrees(square, self.content(square)) == Agreement::Patched;
        if seen.patches.is_empty() { Bitboard::EMPTY } else { self.differs.into_iter().filter(proved).collect() }
    }

    /// The differing squares, without those that are known to have changed unseen.
    pub(crate) fn differs_unproved(&self) -> Cost {
        count(self.differs & !self.patched)
    }

    /// Whether the board shows the position of the line.
    pub(crate) fn is_shown(&self) -> bool {
        self.differs.is_empty() && !self.off && self.illegal.is_none()
    }

    /// What it costs at a moment after the last observation, which is `seen`. A piece may be in a hand for long; one that goes on
    /// standing somewhere was put there.
    pub(crate) fn cost_at(&self, now: u64, seen: &Observation) -> Cost {
        if self.off {
            return self.cost;
        }
        let ms = |most| Cost::try_from(now.saturating_sub(seen.at).min(most)).unwrap_or(0);
        let (differs, silence) = (self.differs_unproved(), ms(w::SILENCE_MS));
        let stand = count(self.differs & seen.shown.occupied()).min(differs);
        let waited = differs * silence + stand * (ms(w::LATEST_MS) - ms(w::HANDS_DONE_MS));
        self.cost.saturating_add(w::DIFFERS_PER_S * waited / 1_000)
    }

    /// What the last observation costs as it was made, and not for the time after it.
    /// `lifted`: whose piece the observation shows to be lifted.
    pub(crate) fn charge_event(&mut self, seen: &Observation, lifted: Option<Color>) {
        if self.off {
            let change = matches!(seen.kind, Kind::Board | Kind::Gap { .. });
            self.pay(Term::OffChange, if change { w::UNUSUAL } else { 0 });
            return;
        }
        let (term, each) = match seen.kind {
            Kind::Board => (Term::DiffersAtChange, w::DIFFERS_PER_CHANGE),
            // It may have differed all the time of the gap.
            Kind::Gap { .. } => (Term::DiffersAfterGap, w::DIFFERS_PER_S),
            Kind::Press { left, .. } => return self.charge_press(seen, left),
            Kind::Lever { .. } | Kind::Started | Kind::Stopped => return,
        };
        self.pay(term, self.differs_unproved() * each);
        if seen.kind == Kind::Board && !seen.dump {
            let another = (self.differs & seen.touched).into_iter().any(|square| self.became_another(square, seen));
            self.pay(Term::RookForQueen, if another { w::RARE } else { 0 });
        }
        let stands = lifted.map_or(Bitboard::EMPTY, |color| self.differs & seen.shown.by_color(color.other()));
        let stands = stands & !self.proved(seen);
        if !self.begun_before && !stands.is_empty() {
            self.begun_before = true;
            self.pay(Term::BegunBefore, count(stands) * w::OFTEN);
        }
    }

    /// A dump shows all squares: what was lost is not lost any more. `filled`: squares that have shown a piece.
    pub(crate) fn dump(&mut self, seen: &Observation, filled: Bitboard) {
        for square in self.lost {
            if seen.agrees(square, self.content(square)) == Agreement::None {
                // It reports wrongly whenever it is asked.
                let more = if self.may_be_faulty(square) { 0 } else { w::VERY_RARE };
                self.pay_fault(square, &seen.shown, filled, w::RARE);
                self.pay(Term::Fault, more);
                self.distrust(square, &seen.shown);
            }
        }
        self.lost = Bitboard::EMPTY;
    }

    /// Goes on by a ply, at an extra cost.
    pub(crate) fn play(
        &self,
        mv: Move,
        found: &[Change],
        extra: &[(Term, Cost)],
        history: &History,
        at: usize,
        lines: &mut Lines,
    ) -> Self {
        let mut next = self.clone();
        let Some(seen) = history.get(at) else { return next };
        let rare = mv.promotion().is_some_and(|role| role != Role::Queen);
        next.pay(Term::Ply, w::PLY);
        next.pay(Term::PlyRare, if rare { w::UNUSUAL } else { 0 });
        let mut unseen = false;
        for &(term, cost) in extra {
            let square = term == Term::SquareUnseen;
            next.pay(term, if square { self.habits.unseen.price(cost) } else { cost });
            unseen |= square;
        }
        next.habits.unseen.note(unseen);
        next.charge_foresight(found, history, at, lines);
        let complete_at = next.charge_lateness(found, history, at);
        next.take_press(seen, found, complete_at, lines);
        next.off = false;
        if next.misread.misread().next().is_some() {
            next.misread = next.misread.after(self.position.turn(), mv);
        }
        next.position.play_unchecked(mv);
        let arrived = found.iter().find(|change| change.square == mv.to()).and_then(|change| change.content);
        if mv.promotion() == Some(Role::Queen)
            && arrived.is_some_and(|piece| piece.role == Role::Rook)
            && let Some(read) = next.reading_queen_as_rook(mv.to())
        {
            next = read;
            next.pay(Term::PlyRare, w::UNUSUAL);
        }
        next.follow_line(mv, lines);
        (next.ply_at, next.begun_before, next.undone) = (seen.at, false, 0);
        // What is assumed to be lost on a square ends with what comes there next.
        for change in found {
            next.lost.discard(change.square);
        }
        next
    }

    /// A rook stands for the queen on this square, and is read as one wherever it goes.
    pub(crate) fn reading_queen_as_rook(&self, square: Square) -> Option<Self> {
        let queen = self.position.board().piece_at(square).filter(|piece| piece.role == Role::Queen)?;
        let misread = self.misread.with_misread(square, code_of(queen.color.rook()))?;
        let mut next = Self { misread, ..self.clone() };
        next.pay(Term::RookForQueen, w::RARE);
        Some(next)
    }

    /// What it costs that a ply which leaves these changes is assumed with an observation and not before, or that the clock stood.
    /// Gives back when all its squares came to show what they show, if they do.
    fn charge_lateness(&mut self, found: &[Change], history: &History, at: usize) -> Option<u64> {
        let seen = history.get(at).filter(|seen| !seen.kind.is_gap())?;
        let shown: Vec<(u64, bool)> = found
            .iter()
            .filter(|change| !self.ignores(change.square))
            .filter(|change| seen.agrees(change.square, change.content) == Agreement::Shown)
            .map(|change| history.changed(at, change.square, w::LATEST_MS))
            .collect();
        let (age, stood) = shown.iter().copied().min()?;
        // A piece that was lifted before the clock was stopped is put down in the middle of a move.
        let in_hand = stood && shown.iter().any(|&(_, stood)| !stood);
        if stood && !in_hand {
            self.pay(Term::PlyClockStands, w::HOPELESS);
        }
        if in_hand {
            self.pay(Term::PlyLate, w::RARE);
        } else if age > w::SETTLED_MS {
            // Its squares differed for so long.
            let per_s: Cost = shown.iter().map(|_| w::DIFFERS_PER_S).sum();
            self.pay(Term::PlyLate, (per_s * age as Cost / 1_000).min(w::RARE));
        }
        (shown.len() == found.len()).then(|| seen.at.saturating_sub(age))
    }

    /// What it costs that the squares of a ply were complete before the ply that it answers was begun, by more than a round of the
    /// scan.
    fn charge_foresight(&mut self, found: &[Change], history: &History, at: usize, lines: &Lines) {
        let came = |square: Square| history.came(at, square, w::LATEST_MS);
        let believed = |square: &Square| !self.ignores(*square);
        let complete = found.iter().map(|change| change.square).filter(believed).map(came).max();
        let answered = lines.last(self.line).filter(|_| self.illegal.is_none());
        let begun = answered.and_then(|mv| [mv.from()?, mv.to()].into_iter().filter(believed).map(came).min());
        let Some((complete, begun)) = complete.zip(begun) else { return };
        let [stood, next] = [complete, begun].map(|at| history.get(at));
        let earlier = |(stood, next): (&Observation, &Observation)| {
            next.at > stood.at + w::ROUND_MS || complete < begun && stood.logged && next.logged
        };
        if stood.zip(next).is_some_and(earlier) {
            self.pay(Term::Foresight, w::RARE);
        }
    }

    /// The line takes a ply, unless an illegal move stands before it.
    fn follow_line(&mut self, mv: Move, lines: &mut Lines) {
        let line = self.illegal.as_mut().unwrap_or(&mut self.line);
        *line = lines.child(*line, mv);
    }

    /// The line with what stands after it.
    pub(crate) fn played(&self) -> NodeId {
        self.illegal.unwrap_or(self.line)
    }

    /// Whether a square does not matter.
    pub(crate) fn ignores(&self, square: Square) -> bool {
        (self.faulty | self.lost).contains(square)
    }

    /// Takes over what a dearer hypothesis of the same state says about other lines.
    pub(crate) fn merge(&mut self, dearer: &Self, lines: &Lines) {
        if dearer.cost.saturating_sub(self.cost) > w::OFTEN {
            return;
        }
        let mine = self.sure.unwrap_or(self.line);
        let common = lines.common(mine, dearer.sure.unwrap_or(dearer.line));
        self.sure = (common != self.line).then_some(common);
        if self.line != dearer.line {
            self.rival = Some((self.line, dearer.line));
        }
    }
}
