//! How a game starts: from the expected position in either orientation, from a Chess960 start, or in progress.

use dgt_protocol::PieceCode;
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Position, Setup, Square};

use super::faults::crosstalk_neighbours;
use super::hypotheses::{Basis, Hypothesis};
use super::{Conclusion, NEW_GAME_PLIES, Recogniser, SETTLE_MS, UNEXPLAINED_MS};
use crate::board_faults::BoardFaults;
use crate::chess960::{chess960_start, exchanged_start};
use crate::event::Variant;
use crate::line::Line;
use crate::placement::{Placement, color_of, piece_of};
use crate::play::{LogSearch, Play};
use crate::time::Timestamp;
use crate::touched::Touched;

/// How long the board must be still before its own log is asked for, in ms: the log takes 8 s of the line.
const JOIN_LOG_MS: u64 = 2_000;
/// Most wrong squares of a start position: two exchanged pieces of each player.
const WRONG_AT_START: usize = 4;
/// Most hypotheses about a game in progress, made from dumps that differ.
const MOST_POSITIONS: usize = 6;

/// A start position on the board with some squares wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WrongStart {
    /// Which; none while nothing like a start stands there.
    pub(super) squares: Vec<Square>,
    /// When that is told.
    pub(super) due: Option<Timestamp>,
    /// Whether it was.
    pub(super) told: bool,
}

impl Recogniser {
    /// Whether the board shows the start of a game, which then begins.
    pub(super) fn look_for_start(&mut self, now: Timestamp) -> bool {
        if self.speculative {
            return false;
        }
        let hash = self.placement.hash();
        let turned = hash == self.start_hashes[1];
        if !turned && hash != self.start_hashes[0] {
            return false;
        }
        if let Some(play) = &self.play
            && !play.over
            && play.line.hash(0) == self.start_hashes[0]
        {
            if play.line.plies() == 0 {
                // Set up the other way round before the first move.
                self.turn_round();
                self.stand_on_head(now);
                return true;
            }
            if play.line.plies() < NEW_GAME_PLIES {
                return false;
            }
        }
        if turned {
            self.turn_round();
        }
        let (start, variant) = self.start.clone();
        self.begin(now, start, variant);
        true
    }

    /// Whether a Chess960 game that nobody announced begins: the first legal move from such a start tells. A position that
    /// only stands there starts nothing.
    pub(super) fn look_for_chess960(&mut self, now: Timestamp) -> bool {
        if self.speculative {
            return false;
        }
        // Whether its own pawns may stand before each army; the whole position is looked at only then.
        let pawns = [Square::A2, Square::H2].map(|square| self.placement.get(square));
        let turned = pawns == [PieceCode::BlackPawn; 2];
        if turned || pawns == [PieceCode::WhitePawn; 2] {
            let placement = if turned { self.placement.turned() } else { self.placement };
            let going_on = |start: &Chess| {
                let hash = Placement::from_board(start.board()).hash();
                self.play.as_ref().is_some_and(|play| !play.over && play.line.hash(0) == hash)
            };
            if let Some((start, _)) = chess960_start(&placement).filter(|(start, _)| !going_on(start)) {
                self.chess960_start = Some((Line::new(start, Variant::Chess960), turned));
                return false;
            }
        }
        let Some((line, turned)) = &self.chess960_start else { return false };
        let placement = if *turned { self.placement.turned() } else { self.placement };
        if line.next_move_to(placement.hash()).is_none() {
            return false;
        }
        let (start, turned) = (line.position(0).clone(), *turned);
        self.chess960_start = None;
        if turned {
            self.turn_round();
        }
        self.begin(now, start, Variant::Chess960);
        self.look(now);
        true
    }

    pub(super) fn turn_round(&mut self) {
        self.rotated = !self.rotated;
        self.placement = self.placement.turned();
        self.dead = self.dead.rotate_180();
        self.found_dead = self.found_dead.rotate_180();
        self.working = self.working.rotate_180();
        self.suspected_dead = self.suspected_dead.rotate_180();
        self.crosstalk = self.faults(true).crosstalk();
        self.ghost = self.ghost.map(|(square, seen)| (square.rotate_180(), seen));
        self.changed_at.reverse();
        self.expect_start(self.start.0.clone(), self.start.1);
    }

    pub(super) fn begin(&mut self, now: Timestamp, start: Chess, variant: Variant) {
        self.touched = Touched::NOTHING;
        self.hypotheses.clear();
        self.played_on = None;
        self.clear_wrong_start();
        self.settles_at = None;
        self.joined.due = None;
        let faults = self.faults(false);
        self.play = Some(Play::new(Line::with_faults(faults, start, variant), now));
        self.conclusions.push_back(Conclusion::Started);
    }

    /// Whether no game is being played on the board, as far as anybody knows.
    pub(super) fn is_idle(&self) -> bool {
        !self.speculative && self.play.as_ref().is_none_or(Play::is_over)
    }

    /// The start of a game may stand on the board with some pieces wrong, or a game may have begun before anybody looked: what
    /// is played from there will tell.
    pub(super) fn suppose_unseen_start(&mut self, now: Timestamp) {
        if self.hypothesis_explains_board() {
            return;
        }
        self.hypotheses.clear();
        self.joined.due = None;
        let (wrong, turned) = self.differs_from_start();
        if (1..=WRONG_AT_START).contains(&wrong.len()) {
            let start = self.start.clone();
            let squares: Bitboard = wrong.iter().copied().collect();
            let dead = self.faults(turned);
            let dead = dead.with_dead(dead.dead | squares);
            self.suppose_game(now, Basis::Start, dead, start.clone(), turned);
            // A piece that is there may be the right one and read as another.
            let placement = if turned { self.placement.turned() } else { self.placement };
            let misread = wrong.iter().try_fold(self.faults(turned), |faults, &square| {
                let seen = placement.get(square);
                if seen == PieceCode::Empty {
                    Some(faults.with_dead(faults.dead | square))
                } else {
                    faults.with_misread(square, seen)
                }
            });
            if let Some(misread) = misread.filter(|misread| misread.misread().next().is_some()) {
                self.suppose_game(now, Basis::Start, misread, start.clone(), turned);
            }
            // Or a square lights up with the one beside it.
            if let [square] = wrong[..]
                && let Some(beside) = crosstalk_neighbours(&placement, square).next()
            {
                let faults = self.faults(turned).with_crosstalk(Some((beside, square)));
                self.suppose_game(now, Basis::Start, faults, start.clone(), turned);
            }
            // Or nobody minds, and they play from what stands there.
            if let Some(start) = exchanged_start(&placement) {
                let faults = self.faults(turned);
                self.suppose_game(now, Basis::Start, faults, (start, Variant::Chess960), turned);
            }
            if wrong != self.wrong_start.squares {
                self.clear_wrong_start();
                self.wrong_start.due = Some(now.plus(UNEXPLAINED_MS - SETTLE_MS));
                self.wrong_start.squares = wrong;
            }
            return;
        }
        self.clear_wrong_start();
        if self.play.is_none() {
            self.suppose_positions(now);
        }
    }

    /// A start position has stood with some squares wrong: somebody should mend it. A square that only a damaged dump had shown
    /// is right by now.
    pub(super) fn report_wrong_start(&mut self) {
        self.wrong_start.due = None;
        let (wrong, _) = self.differs_from_start();
        self.wrong_start.squares.retain(|square| wrong.contains(square));
        self.wrong_start.told = true;
        self.conclusions.push_back(Conclusion::Unexplained(self.wrong_start.squares.clone()));
    }

    fn clear_wrong_start(&mut self) {
        self.wrong_start.squares.clear();
        self.wrong_start.due = None;
        if std::mem::take(&mut self.wrong_start.told) {
            self.conclusions.push_back(Conclusion::Resolved);
        }
    }

    /// What is known to be wrong with the board, wherever its pieces stand; `turned` for the board turned round.
    pub(super) fn faults(&self, turned: bool) -> BoardFaults {
        if !turned {
            return BoardFaults::dead(self.dead).with_crosstalk(self.crosstalk);
        }
        let crosstalk = self.crosstalk.map(|(square, beside)| (square.rotate_180(), beside.rotate_180()));
        BoardFaults::dead(self.dead.rotate_180()).with_crosstalk(crosstalk)
    }

    /// On which squares the board differs from the expected start, and whether it then stands turned round.
    fn differs_from_start(&self) -> (Vec<Square>, bool) {
        let start = Placement::from_board(self.start.0.board());
        let straight = self.placement.difference(&self.faults(false).shows_pieces(&start));
        let turned = self.placement.turned().difference(&self.faults(true).shows_pieces(&start));
        if turned.len() < straight.len() { (turned, true) } else { (straight, false) }
    }

    /// A game that was begun before anybody looked goes on from what stands there, whoever is to move.
    fn suppose_positions(&mut self, now: Timestamp) {
        let turned = stands_turned(&self.placement);
        let placement = if turned { self.placement.turned() } else { self.placement };
        let faults = self.faults(turned);
        for turn in Color::ALL {
            if let Some(position) = position_of(&placement, turn) {
                self.suppose_game(now, Basis::Position, faults, (position, Variant::Standard), turned);
            }
        }
        self.supposed = Some((now, self.placement));
        if self.joined.search == LogSearch::Untried && !self.hypotheses.is_empty() {
            self.joined.due.get_or_insert(now.plus(JOIN_LOG_MS));
        }
    }

    /// A dump has shown what no message had told, and no game that was supposed to go on from what stood there explains it: the
    /// dump that they began with may have been damaged. Those games are followed on, as this one may be damaged too.
    pub(super) fn suppose_positions_as_shown(&mut self, now: Timestamp) {
        let Some((since, begun)) = self.supposed.filter(|_| self.play.is_none()) else { return };
        if self.hypotheses.len() > MOST_POSITIONS || self.hypotheses.iter().any(Hypothesis::explains_otherwise) {
            return;
        }
        let mut mended = begun;
        for square in Square::ALL.into_iter().filter(|square| self.changed_at[square.to_usize()] <= since) {
            mended.set(square, self.placement.get(square));
        }
        if mended == begun {
            return;
        }
        let shown = std::mem::replace(&mut self.placement, mended);
        let others = std::mem::take(&mut self.hypotheses);
        self.suppose_positions(now);
        (self.placement, self.supposed) = (shown, Some((since, mended)));
        let rotated = self.rotated;
        self.each_view(|view| view.go_on_to(now, if view.rotated == rotated { shown } else { shown.turned() }));
        self.hypotheses.extend(others);
    }

    /// The board shows this, and was not seen to come to it.
    fn go_on_to(&mut self, now: Timestamp, shown: Placement) {
        let shown = shown.without(self.dead);
        for square in self.placement.difference(&shown) {
            self.touched.add_all(square);
        }
        self.placement = shown;
        self.look(now);
    }
}

/// Whether the white pieces stand further up the board than the black ones: it is seen from the other side.
pub(super) fn stands_turned(placement: &Placement) -> bool {
    let up = |color| {
        let ranks = Square::ALL.into_iter().filter(move |&square| color_of(placement.get(square)) == Some(color));
        let (sum, count) = ranks.fold((0, 0), |(sum, count), square| (sum + u32::from(square.rank()), count + 1));
        (sum, count.max(1))
    };
    let ((white, whites), (black, blacks)) = (up(Color::White), up(Color::Black));
    white * blacks > black * whites
}

/// The position with these pieces and this player to move, kings and rooks at home still allowed to castle; none when the
/// rules do not allow it.
pub(super) fn position_of(placement: &Placement, turn: Color) -> Option<Chess> {
    let mut board = Board::empty();
    for square in placement.occupied() {
        board.set_piece_at(square, piece_of(placement.get(square))?);
    }
    let mut castling_rights = Bitboard::EMPTY;
    for color in Color::ALL {
        let (king, rooks) =
            color.fold_wb((Square::E1, [Square::A1, Square::H1]), (Square::E8, [Square::A8, Square::H8]));
        if board.king_of(color) == Some(king) {
            castling_rights |= board.by_piece(color.rook()) & rooks.into_iter().collect::<Bitboard>();
        }
    }
    let setup = Setup { board, turn, castling_rights, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).or_else(shakmaty::PositionError::ignore_too_much_material).ok()
}
