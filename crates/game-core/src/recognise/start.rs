//! How a game starts: the expected position, in both orientations.
//!
//! Part of the recogniser; knows what it knows.

use shakmaty::{Bitboard, Chess};

use super::{Conclusion, NEW_GAME_PLIES, Recogniser};
use crate::event::Variant;
use crate::line::Line;
use crate::play::Play;
use crate::time::Timestamp;

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

    pub(super) fn turn_round(&mut self) {
        self.rotated = !self.rotated;
        self.placement = self.placement.turned();
    }

    pub(super) fn begin(&mut self, now: Timestamp, start: Chess, variant: Variant) {
        self.touched = Bitboard::EMPTY;
        self.play = Some(Play::new(Line::new(start, variant), now));
        self.conclusions.push_back(Conclusion::Started);
    }
}
