//! What operators, pairings and the record decide: the expected start, a resumed game, corrected moves, dead squares.

use dgt_protocol::PieceCode;
use shakmaty::{Bitboard, Chess, Position};

use super::start::stands_turned;
use super::{Conclusion, Recogniser};
use crate::board_faults::BoardFaults;
use crate::event::{Evidence, Variant};
use crate::line::Line;
use crate::placement::Placement;
use crate::play::Play;
use crate::time::Timestamp;

impl Recogniser {
    /// Play goes on from what stands there: these rules cannot do that.
    #[expect(clippy::unused_self, reason = "the same commands as the search takes")]
    pub(crate) fn go_on(&mut self, _now: Timestamp) {}

    /// The position from which the next game starts.
    pub(crate) fn expect_start(&mut self, start: Chess, variant: Variant) {
        let placement = Placement::from_board(start.board());
        self.start_hashes =
            [placement, placement.turned()].map(|placement| self.faults(false).shows_pieces(&placement).hash());
        self.start = (start, variant);
    }

    /// A person names a position: if it is that after the last move, that move was made.
    pub(crate) fn confirm_position(&mut self, named: &Chess) {
        let Some(play) = self.play.as_ref().filter(|play| !play.over) else { return };
        let head = play.line.head();
        if head.board() == named.board() && head.turn() == named.turn() {
            self.confirm_to(play.line.plies(), Evidence::Command);
        }
    }

    /// Starts a game from a position at once, whatever stood there before.
    pub(crate) fn start_from(&mut self, now: Timestamp, start: Chess, variant: Variant) {
        let wanted = Placement::from_board(start.board());
        if !self.known {
            self.placement = self.faults(false).shows_pieces(&wanted);
            self.known = true;
        } else if self.placement.turned().hash() == self.faults(true).shows_pieces(&wanted).hash() {
            self.turn_round();
        }
        self.begin(now, start, variant);
        self.look(now);
    }

    /// Goes on with a game whose moves are confirmed already, on a board whose `dead` squares are not believed.
    pub(crate) fn resume(&mut self, now: Timestamp, mut line: Line, rotated: bool, over: bool, dead: Bitboard) {
        (self.dead, self.found_dead) = (dead, dead);
        line.set_faults(BoardFaults::dead(dead));
        if !self.known {
            self.placement = line.head_placement();
        }
        self.rotated = rotated;
        self.expect_start(self.start.0.clone(), self.start.1);
        self.play = Some(Play { over, gap: true, ..Play::new(line, now) });
    }

    /// A person says which moves were played; the board is looked at again from there.
    pub(crate) fn set_line(&mut self, now: Timestamp, line: &Line) {
        let Some(play) = &mut self.play else { return };
        let same = (1..=line.plies()).take_while(|&ply| play.line.move_at(ply) == line.move_at(ply)).count();
        let retracted = same < play.confirmed;
        play.truncate(same);
        if retracted {
            self.conclusions.push_back(Conclusion::Retracted { to_ply: same, pressed: false });
        }
        if std::mem::take(&mut play.over) && play.claim.take().is_some() {
            self.conclusions.push_back(Conclusion::Undone);
        }
        for mv in (same + 1..=line.plies()).filter_map(|ply| line.move_at(ply)) {
            play.push(now, mv);
        }
        play.ordered = line.plies();
        play.clear_observations();
        self.hypotheses.clear();
        self.confirm_to(line.plies(), Evidence::Command);
        self.accept_misreading();
        self.look(now);
    }

    /// A person has told the moves: where a single piece then reads as another, it is that piece that is read wrongly.
    pub(super) fn accept_misreading(&mut self) {
        let Some(play) = &mut self.play else { return };
        let shown = play.line.head_placement();
        if let [square] = self.placement.difference(&shown)[..]
            && shown.get(square) != PieceCode::Empty
            && self.placement.get(square) != PieceCode::Empty
            && let Some(faults) = play.line.faults().with_misread(square, self.placement.get(square))
        {
            play.line.set_faults(faults);
        }
    }

    /// A person says which squares cannot be believed, and that all others can.
    pub(crate) fn declare_dead(&mut self, now: Timestamp, squares: Bitboard) {
        if self.known && self.play.is_none() && stands_turned(&self.placement) {
            self.turn_round();
        }
        self.dead = squares;
        self.found_dead = Bitboard::EMPTY;
        self.crosstalk = None;
        self.placement = self.placement.without(squares);
        self.hypotheses.clear();
        self.expect_start(self.start.0.clone(), self.start.1);
        if let Some(play) = &mut self.play {
            play.line.set_faults(play.line.faults().with_dead(squares).with_crosstalk(None));
        }
        self.dump_wanted = true;
        if self.known {
            self.look(now);
        }
    }
}
