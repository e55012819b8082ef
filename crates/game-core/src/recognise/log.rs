//! What the board's own log tells about moves that nobody was there to see (protocol paper, 6).
//!
//! Part of the recogniser; knows what it knows. The log has the order of all changes and every press, but no times: it is
//! played to a second recogniser, from the game's start on, and believed only where it repeats every move that is certain.

use std::collections::BTreeMap;

use dgt_protocol::{EventLog, LogEvent, PieceCode, Side as ClockSide};
use shakmaty::Position;

use super::{Conclusion, Recogniser};
use crate::event::{Evidence, Side};
use crate::placement::{Placement, square_of};
use crate::play::LogSearch;
use crate::time::Timestamp;

/// Time between two events of the log, in ms: less than anything is looked at closely after.
const STEP_MS: u64 = 600;

impl Recogniser {
    /// The board sent its log. `left` is who sits at the clock's left side. Gives back what the clock of the mover showed at
    /// the presses of the moves that were found, by ply.
    pub fn handle_log(&mut self, now: Timestamp, log: &EventLog, left: Side) -> BTreeMap<usize, u64> {
        let asked = self.play.as_ref().is_some_and(|play| matches!(play.log, LogSearch::Asked { .. }));
        if !asked {
            // Boards send it unasked too, and so it seems when another message is damaged.
            self.dump_wanted = self.known;
            return BTreeMap::new();
        }
        let mut found = self.read_log(log, left);
        let pressed = match &found {
            Some((logged, pressed)) if self.repeats_certain_moves(logged) => pressed.clone(),
            _ => {
                found = None;
                BTreeMap::new()
            }
        };
        let Some(play) = &mut self.play else { return BTreeMap::new() };
        play.log = LogSearch::Done;
        if let Some((logged, _)) = found
            && let Some(line) = logged.line()
        {
            play.truncate(play.confirmed);
            for ply in play.confirmed + 1..=line.plies() {
                if let Some(mv) = line.move_at(ply) {
                    play.push(now, mv);
                }
            }
            let certain = logged.confirmed();
            self.confirm_to(certain, Evidence::Log);
        }
        self.look(now);
        pressed
    }

    /// Nobody waits for the log any more.
    pub(super) fn give_up_log(&mut self, now: Timestamp) {
        if let Some(play) = &mut self.play {
            play.log = LogSearch::Done;
        }
        self.examine(now);
    }

    /// Plays the log to another recogniser from where this game's start stood last.
    fn read_log(&self, log: &EventLog, left: Side) -> Option<(Self, BTreeMap<usize, u64>)> {
        let line = self.line()?;
        let start = line.position(0).clone();
        let wanted = Placement::from_board(start.board());
        let mut placement = Placement::EMPTY;
        let mut began = None;
        for (index, event) in log.events().enumerate() {
            match event {
                LogEvent::Field { field, piece, .. } => {
                    placement.set(square_of(field, self.rotated), piece);
                }
                LogEvent::PowerUp | LogEvent::Watchdog => {
                    placement = Placement::EMPTY;
                    began = None; // What happened without power is not in the log.
                }
                LogEvent::StartPosition | LogEvent::StartPositionRotated => {
                    let usual = Placement::from_board(shakmaty::Chess::default().board());
                    placement = usual;
                }
                _ => continue,
            }
            if placement.hash() == wanted.hash() {
                began = Some(index);
            }
        }
        let mut scratch = Self { rotated: self.rotated, ..Self::new() };
        scratch.expect_start(start.clone(), line.variant());
        scratch.start_from(Timestamp::ZERO, start, line.variant());
        scratch.lever = true;
        scratch.conclusions.clear();
        let mut pressed = BTreeMap::new();
        let mut now = Timestamp::ZERO;
        for event in log.events().skip(began? + 1) {
            now = now.plus(STEP_MS);
            match event {
                LogEvent::Field { field, piece, .. } => scratch.handle_update(now, field, piece),
                LogEvent::Clock { side, total_seconds } => {
                    let mover = if side == ClockSide::Left { left } else { left.other() };
                    scratch.handle_press(now, mover);
                    while let Some(conclusion) = scratch.conclusions.pop_front() {
                        if let Conclusion::Confirmed { ply, evidence: Evidence::Lever, .. } = conclusion {
                            pressed.insert(ply, u64::from(total_seconds) * 1000);
                        }
                    }
                }
                _ => {}
            }
            // Another game, or something that the log alone does not explain.
            if scratch.is_over() {
                break;
            }
        }
        Some((scratch, pressed))
    }

    /// Whether another recogniser found all moves that are certain here, and at least one more or the board as it stands.
    fn repeats_certain_moves(&self, other: &Self) -> bool {
        let (Some(line), Some(logged)) = (self.line(), other.line()) else { return false };
        let confirmed = self.confirmed();
        let same_board = self.placement.difference(&other.placement).iter().all(|&square| {
            self.placement.get(square) == PieceCode::Empty || other.placement.get(square) == PieceCode::Empty
        });
        logged.plies() >= confirmed && same_board && (1..=confirmed).all(|ply| line.move_at(ply) == logged.move_at(ply))
    }
}
