//! What the board, its clock and time tell the search, and what it then asks the board for.
//!
//! Must not know what is concluded.

use dgt_protocol::{ClockMessage, EventLog, Field, Fields, LogEvent, Message, PieceCode, Side as ClockSide};
use shakmaty::{Color, Position};

use super::{Cause, Pressed, Recogniser, Step, differs};
use crate::placement::{Placement, square_of};
use crate::search::Intake;
use crate::search::history::Kind;
use crate::search::hypothesis::{Hypothesis, index};
use crate::search::line::ROOT;
use crate::search::set_up::Due;
use crate::search::weights as w;
use crate::time::Timestamp;
use crate::unsteady::Unsteady;

impl Recogniser {
    pub(crate) fn handle_timeout(&mut self, now: Timestamp) {
        if self.log_until.take_if(|at| *at <= now).is_some() {
            self.end_log_wait();
        }
        self.during(now, Cause::Board, Intake::release_late);
        if self.dump_again_at.take_if(|at| *at <= now).is_some() {
            self.dump_wanted = true;
        }
        if self.settles_at.take_if(|at| *at <= now).is_some() {
            // Where more differs, pieces are moved about or set up. Where a game's position is set up on another board, it may stand there
            // with a ply or two that went unseen.
            let few = self.likeliest().is_some_and(|best| (1..=w::MANY_SQUARES).contains(&best.differs.count()));
            self.dump_wanted |= few || self.ends_unseen() || self.awaits_position();
        }
        self.look_at_set_up(now);
    }

    /// Bytes arrived, whatever they say.
    pub(crate) fn hear(&mut self, now: Timestamp) {
        self.search.advance(now);
        self.pieces_gone(now, None);
        self.search.intake.heard(self.search.now);
    }

    pub(crate) fn hear_clock(&mut self, now: Timestamp, message: &ClockMessage) {
        let message = Message::Clock(*message);
        let observed = self.game().map_or(0, |game| game.history.end());
        let asked = self.asked_gap;
        self.during(now, Cause::Clock, |intake, search, at| intake.message(search, at, message));
        let presses = self.game().map_or(0, |game| {
            let new = (observed..game.history.end()).filter_map(|index| game.history.get(index));
            new.filter(|seen| matches!(seen.kind, Kind::Press { .. })).count()
        });
        if presses > 0 {
            // The log that is asked for now has this press.
            if self.asked_gap == asked {
                self.presses_since += presses;
            }
            let awaited = |best: &Hypothesis| differs(best) || best.early.iter().any(|early| !early.is_empty());
            self.dump_wanted |= self.likeliest().is_some_and(awaited) || self.ends_unseen();
            if self.search.unexplained && self.played_on.press() && !self.is_finished() {
                self.steps.push_back(Step::PlayedOn);
            }
        }
    }

    /// The board's log began to come, and its rest does not: it is asked for again, once for each gap, as it holds the line.
    pub(crate) fn log_was_cut(&mut self) {
        if self.log_until.is_some() && self.asked_gap.is_some() && self.cut_gap != self.asked_gap {
            self.cut_gap = self.asked_gap.take();
        }
    }

    pub(crate) fn lost_contact(&mut self) {
        if self.log_until.is_some() {
            // What was on its way of the log is lost: it is asked for again.
            self.asked_gap = None;
        }
        self.search.intake.lose();
        self.went_unseen();
    }

    /// The clock shows that something went unseen, on a line that is not gone.
    pub(crate) fn missed(&mut self) {
        self.search.intake.clock_missed();
        self.went_unseen();
    }

    fn went_unseen(&mut self) {
        self.unsteady = Unsteady::default();
        (self.gap, self.heard) = (true, false);
        self.set_up.lost_contact();
    }

    /// A board is there. One that `keeps_changes` tells them when it is asked.
    pub(crate) fn attached(&mut self, keeps_changes: bool) {
        self.search.intake.attach(keeps_changes);
    }

    /// The line is gone.
    pub(crate) fn unplugged(&mut self, now: Timestamp) {
        self.search.advance(now);
        self.search.intake.out_of_reach(self.search.now);
        self.lost_contact();
    }

    /// Another board said what was heard after this instant, but for what was told since. Gives back up to when what was heard
    /// counts; nothing where it cannot be told apart any more.
    pub(crate) fn forget_since(&mut self, at: Timestamp) -> Option<Timestamp> {
        self.search.intake.showed_at = None;
        let game = self.search.game.as_deref_mut()?;
        let since = game.forget_since(at.as_ms())?;
        self.search.intake.fields = Some(game.history.fields());
        self.search.onward = self.search.onward.take().filter(|onward| onward.began_before(since));
        self.follow_anew();
        Some(Timestamp::from_ms(since))
    }

    pub(crate) fn lost_message(&mut self) {
        if let Some(game) = self.search.game.as_deref_mut() {
            game.history.damaged();
        }
    }

    pub(crate) fn handle_dump(&mut self, now: Timestamp, fields: &Fields) {
        self.heard = true;
        let fields = self.unsteady.with_unsteady(*fields);
        let known = self.search.intake.fields;
        let changed = known.as_ref() != Some(&fields);
        if changed {
            if known.is_some() && !self.is_idle() {
                // The dump itself may be damaged.
                self.dump_again_at = Some(now.plus(w::SETTLED_MS));
            }
            self.board_changed(now);
        }
        let first = known.is_none() || self.gap;
        self.during(now, Cause::Board, |intake, search, at| {
            intake.message(search, at, Message::BoardDump(fields));
        });
        self.show_placement();
        if std::mem::take(&mut self.goes_on) {
            self.go_on(now);
        }
        if first && self.is_idle() && self.search.intake.is_alone() {
            // The board's own log may know how the game began: what is played meanwhile waits for it.
            self.search.intake.waits_for_log = self.set_up.expects_log(now, &self.placement, &self.expected.0);
            self.log_until = self.search.intake.waits_for_log.then(|| now.plus(w::LOG_ANSWER_MS));
        }
    }

    pub(crate) fn handle_update(&mut self, now: Timestamp, field: Field, piece: PieceCode) {
        self.heard = true;
        self.pieces_gone(now, Some((field, piece)));
        if !self.unsteady.explains(now, field, piece) {
            self.change(now, field, piece);
        }
    }

    /// Unsteady pieces that have gone leave their fields empty.
    fn pieces_gone(&mut self, now: Timestamp, change: Option<(Field, PieceCode)>) {
        for field in self.unsteady.gone(now, change) {
            self.change(now, field, PieceCode::Empty);
        }
    }

    fn change(&mut self, now: Timestamp, field: Field, piece: PieceCode) {
        let repeated = self.search.intake.fields.is_some_and(|fields| fields[field.index()] == piece);
        // What came before it was lost.
        self.dump_wanted |= repeated;
        self.board_changed(now);
        let rotated = self.rotated();
        self.during(now, Cause::Board, |intake, search, at| {
            intake.message(search, at, Message::FieldUpdate { field, piece });
        });
        if self.rotated() == rotated {
            let square = square_of(field, rotated);
            if !self.search.intake.blind.contains(square) {
                self.placement.set(square, piece);
            }
        } else {
            self.show_placement();
        }
    }

    /// The board sent its log. Gives back what the clock of the mover showed at the presses of the moves that were found, by
    /// ply.
    pub(crate) fn handle_log(&mut self, now: Timestamp, log: &EventLog) -> Pressed {
        let message = Message::Log(log.clone());
        let had_game = self.search.game.is_some();
        let confirmed = self.confirmed;
        let asked = self.log_until.take().is_some();
        if had_game && !asked {
            // Boards send it unasked too, and so it seems when another message is damaged.
            self.dump_wanted = true;
            return Pressed::new();
        }
        self.end_log_wait();
        self.during(now, Cause::Log, |intake, search, at| intake.message(search, at, message));
        let joined = !had_game && self.search.game.is_some();
        if !had_game && !joined {
            self.set_up.log_failed();
        }
        let pressed = self.pressed_in(log, if joined { 0 } else { confirmed });
        if joined {
            self.joined = Some(pressed);
            return Pressed::new();
        }
        pressed
    }

    pub(crate) fn begin_logged_game(&mut self) -> Option<Pressed> {
        self.joined.take()
    }

    pub(crate) fn confirm_logged_game(&mut self) {
        self.held = false;
    }

    /// Play goes on from an illegal move: said once it was reported that no line explains what stands there.
    pub(super) fn watch_illegal_play(&mut self) {
        let game = self.search.game.as_deref();
        let best = game.and_then(|game| Some((game, game.likeliest(self.search.now)?)));
        let Some((game, best)) = best.filter(|(_, best)| differs(best)) else {
            self.played_on.end();
            return;
        };
        let plies = game.lines.depth(best.played()) - game.lines.depth(best.line);
        if self.search.unexplained && self.played_on.goes_on(plies) {
            self.steps.push_back(Step::PlayedOn);
        }
    }

    pub(super) fn board_changed(&mut self, now: Timestamp) {
        self.settles_at = Some(now.plus(w::SETTLED_MS));
        self.set_up.changed(now);
    }

    pub(super) fn show_placement(&mut self) {
        if let Some(fields) = &self.search.intake.fields {
            self.placement = Placement::from_fields(fields, self.rotated()).without(self.search.intake.blind);
        }
    }

    /// A dump has shown what went unseen: where several lines lead there, the board's own log knows.
    pub(super) fn note_gap(&mut self, now: Timestamp) {
        // The next dump is to show what went unseen: the log is asked for once, after it.
        let unknown = self.search.intake.gap || self.search.intake.is_away();
        let Some(game) = self.search.game.as_deref_mut().filter(|_| self.heard && !unknown) else { return };
        let Some(at) = game.gap_at.filter(|&at| self.asked_gap != Some(at)) else { return };
        if game.is_behind() {
            return;
        }
        // It has this gap as well where it was asked for another one and has not come.
        let on_its_way = self.log_until.is_some() && self.asked_gap.is_some();
        self.asked_gap = Some(at);
        // A game that was joined with this dump may have pieces that stand wrongly. Where plies lead to what stands there, the log tells
        // their order.
        let joined = game.history.get(game.history.first()).is_none_or(|first| first.at == at);
        let whole = |each: &&Hypothesis| each.line != ROOT && each.is_shown() && each.faulty == each.blind;
        let mut played = game.beam.hypotheses.iter().filter(whole);
        let first = played.next().map(|first| (first.line, first.sure));
        if joined && first.is_none() {
            return;
        }
        let one_way = first.is_some_and(|(line, sure)| sure.is_none() && played.all(|each| each.line == line));
        let ended = game.next_start.is_some();
        let led_back = self.search.intake.take_led_back();
        let likeliest = game.likeliest(self.search.now);
        let known = if joined { one_way } else { likeliest.is_some_and(|best| !game.is_open(best)) };
        let certain = !ended && !led_back && known;
        if !certain {
            game.waits_for_log = true;
            self.gap_plies = game.beam.best().map_or(0, |best| game.lines.depth(best.line));
            if on_its_way {
                return;
            }
            self.presses_since = 0;
            self.log_wanted = true;
            self.log_until = Some(now.plus(w::LOG_ANSWER_MS));
        }
    }

    pub(super) fn end_log_wait(&mut self) {
        self.search.intake.waits_for_log = false;
        self.search.end_log_wait();
    }

    pub(super) fn look_at_set_up(&mut self, now: Timestamp) {
        if !self.is_idle() {
            return;
        }
        for due in self.set_up.look(now, &self.placement, &self.expected.0, self.search.intake.blind) {
            match due {
                Due::AskDump => self.dump_wanted = true,
                Due::AskLog => {
                    self.presses_since = 0;
                    self.log_wanted = true;
                    self.log_until = Some(now.plus(w::LOG_ANSWER_MS));
                }
                Due::TellWrong => self.steps.push_back(Step::Unexplained(self.set_up.wrong.clone())),
                Due::TellRight => self.steps.push_back(Step::Resolved),
            }
        }
    }

    /// What the clock showed at the presses that the log tells, for plies after the first `known` ones, and for the last two of
    /// these, so that it is seen whether they fit. The last press in the log ended the last pressed ply, and each press before it the
    /// pressed ply before.
    pub(super) fn pressed_in(&self, log: &EventLog, known: usize) -> Pressed {
        let mut pressed = Pressed::new();
        let (Some(game), Some(best)) = (self.game(), self.likeliest()) else { return pressed };
        if game.next_start.is_some() {
            // Which of them ended its plies is not known yet.
            return pressed;
        }
        let mut ended = Vec::new();
        for event in log.events() {
            match event {
                LogEvent::Clock { side, total_seconds } => ended.push((side == ClockSide::Left, total_seconds)),
                LogEvent::PowerUp | LogEvent::Watchdog | LogEvent::StartTag => ended.clear(),
                _ => {}
            }
        }
        let mut ply = self.base + game.lines.depth(best.line) as usize;
        let mut color = best.position.turn().other();
        if best.unpressed[index(color)] {
            (ply, color) = (ply.saturating_sub(1), color.other());
        }
        // What was pressed since the log was asked for is not in it.
        for _ in 0..self.presses_since {
            (ply, color) = (ply.saturating_sub(1), color.other());
        }
        let was_pressed = |ply: usize| {
            let of_search = ply.checked_sub(self.base).and_then(|ply| u32::try_from(ply).ok());
            of_search.is_none_or(|ply| best.presses.of(ply).is_some())
        };
        while let Some((left, seconds)) = ended.pop() {
            // Where a press was forgotten, the reply has none either.
            while ply > known && !was_pressed(ply) {
                (ply, color) = (ply - 1, color.other());
            }
            let by = if left == best.white_left { Color::White } else { Color::Black };
            if ply + 2 <= known || ply == 0 || by != color {
                break;
            }
            pressed.insert(ply, u64::from(seconds) * 1_000);
            (ply, color) = (ply - 1, color.other());
        }
        pressed
    }
}
