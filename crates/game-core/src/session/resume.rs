//! Handing a game over to another session, after a restart or a change of day.

use notation::pgn::Outcome;
use shakmaty::Square;

use super::state::{BoardSession, ply_number};
use crate::input::{Resume, ResumedGap, ResumedMove};
use crate::line::{fen_of, square_names};
use crate::time::Timestamp;
use crate::times::Times;

impl BoardSession {
    /// The state of the game for the session that continues it: the first line of a new capture. None without a game.
    pub fn to_resume(&self) -> Option<Resume> {
        let line = self.recogniser.line()?;
        let moves = (1..=self.recogniser.confirmed())
            .filter_map(|ply| {
                let (clk_ms, emt_ms) = self.times.published(ply);
                Some(ResumedMove { uci: line.name(ply)?.uci, clk_ms, emt_ms })
            })
            .collect();
        Some(Resume {
            game: self.game.clone(),
            fen: line.start_fen(),
            variant: line.variant(),
            moves,
            gaps: line
                .gaps()
                .map(|(after, position)| ResumedGap { after_ply: ply_number(after), fen: fen_of(position) })
                .collect(),
            time_control: self.time_control.clone(),
            result_rule: self.result_rule,
            doubting: self.doubting,
            rotated: self.recogniser.rotated(),
            blind: square_names(self.recogniser.dead()),
            white_is_left: self.clock.white_is_left(),
            result: self.result.as_str().to_owned(),
            ended: !self.open,
            set_up: self.recogniser.awaits_position(),
            continued: false,
        })
    }

    /// Continues the game of an earlier session.
    pub(super) fn handle_resume(&mut self, now: Timestamp, resume: &Resume) {
        let Some(line) = resume.line() else { return };
        self.times = Times::new(resume.time_control.as_ref(), line.mover(1));
        for (ply, mv) in (1..=line.plies()).zip(&resume.moves) {
            self.times.publish_known(ply, now, mv.clk_ms, mv.emt_ms);
        }
        self.game.clone_from(&resume.game);
        self.time_control.clone_from(&resume.time_control);
        self.result_rule = resume.result_rule;
        self.doubting = resume.doubting;
        self.recogniser.wait_in_doubt(resume.doubting.wait_ms());
        // How the players of the game before sat at this board's clock says nothing about those who set theirs up here.
        let white_is_left = resume.white_is_left.filter(|_| !resume.set_up);
        self.clock.resume_seating(white_is_left);
        self.result = Outcome::parse(&resume.result).unwrap_or_default();
        self.open = !resume.ended;
        let over = resume.ended || line.is_finished() || self.result != Outcome::Unknown;
        let mated = line.is_finished() && self.open && self.result == Outcome::Unknown;
        let dead = resume.blind.iter().filter_map(|name| name.parse::<Square>().ok()).collect();
        self.recogniser.resume(now, line, resume.rotated, over, dead, white_is_left);
        if mated {
            self.recogniser.end_by_rules();
        }
        if resume.set_up {
            self.recogniser.await_position();
        }
        self.catching_up = true;
    }
}
