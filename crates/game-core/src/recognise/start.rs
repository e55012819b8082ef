//! How a game starts: the expected position, in both orientations, or a Chess960 start that moves show to be one.
//!
//! Part of the recogniser; knows what it knows.

use dgt_protocol::PieceCode;
use shakmaty::{Chess, Position, Square};

use super::{Conclusion, NEW_GAME_PLIES, Recogniser};
use crate::chess960::chess960_start;
use crate::event::Variant;
use crate::line::Line;
use crate::placement::Placement;
use crate::play::Play;
use crate::time::Timestamp;
use crate::touched::Touched;

impl Recogniser {
    /// Whether the board shows the start of a game, which then begins.
    pub(super) fn look_for_start(&mut self, now: Timestamp) -> bool {
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
                self.stood = Some((Line::new(start, Variant::Chess960), turned));
                return false;
            }
        }
        let Some((line, turned)) = &self.stood else { return false };
        let placement = if *turned { self.placement.turned() } else { self.placement };
        if line.next_move_to(placement.hash()).is_none() {
            return false;
        }
        let (start, turned) = (line.position(0).clone(), *turned);
        self.stood = None;
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
    }

    pub(super) fn begin(&mut self, now: Timestamp, start: Chess, variant: Variant) {
        self.touched = Touched::NOTHING;
        self.play = Some(Play::new(Line::new(start, variant), now));
        self.conclusions.push_back(Conclusion::Started);
    }
}
