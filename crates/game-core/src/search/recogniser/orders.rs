//! What operators, pairings and the record decide: the expected start, a resumed game, corrected moves, dead squares, results.

use dgt_protocol::{Field, PieceCode};
use notation::pgn::Outcome;
use shakmaty::{Bitboard, Chess, Color, Move, Position};

use super::{Cause, Recogniser, Step};
use crate::event::Variant;
use crate::line::Line;
use crate::placement::{code_of, square_of};
use crate::search::ending::Ended;
use crate::search::game::Game;
use crate::time::Timestamp;

impl Recogniser {
    pub(crate) fn expect_start(&mut self, start: Chess, variant: Variant) {
        self.expected = (start.clone(), variant);
        let now = Timestamp::from_ms(self.search.now);
        self.during(now, Cause::Board, |intake, search, at| intake.assign(search, at, Some(start), variant));
        if self.has_seen_board() {
            self.set_up.changed(now);
        }
    }

    /// A person names a position: if it is that after the last move, that move was made.
    pub(crate) fn confirm_position(&mut self, named: &Chess) {
        let Some(game) = self.search.game.as_deref() else { return };
        let Some(best) = self.likeliest() else { return };
        let same = best.position.board() == named.board() && best.position.turn() == named.turn();
        if same && game.lines.begins_with(best.line, game.told) {
            let (told, line) = (game.told, best.line);
            self.search.tell(told, line);
            self.gather(Cause::Command);
        }
    }

    pub(crate) fn start_from(&mut self, now: Timestamp, start: Chess, variant: Variant) {
        if self.search.intake.fields.is_none() {
            let mut fields = [PieceCode::Empty; 64];
            for field in Field::all() {
                let piece = start.board().piece_at(square_of(field, self.rotated()));
                fields[field.index()] = piece.map_or(PieceCode::Empty, code_of);
            }
            self.search.intake.fields = Some(fields);
        }
        self.during(now, Cause::Command, |intake, search, at| intake.start_from(search, at, start, variant));
        self.show_placement();
    }

    /// Goes on with a game whose moves are confirmed already, on a board whose `dead` squares are not believed.
    pub(crate) fn resume(
        &mut self,
        now: Timestamp,
        line: Line,
        rotated: bool,
        over: bool,
        dead: Bitboard,
        white_is_left: Option<bool>,
    ) {
        self.search.advance(now);
        let at = self.search.now;
        let intake = &mut self.search.intake;
        intake.lose();
        (intake.rotated, intake.blind) = (rotated, dead);
        let white_left = white_is_left.unwrap_or_else(|| intake.white_left(rotated, line.head().turn()));
        self.base = line.last_gap().unwrap_or(0);
        let mut game = Game::new(at, line.position(self.base), line.variant(), rotated, white_left);
        game.resume(&moves_after(&line, self.base));
        game.before_gaps = line.before_gaps();
        game.declare_blind(dead);
        self.search.begun = true;
        // What waits to be said is of the game before.
        self.steps.clear();
        (self.search.onward, self.held) = (None, false);
        if over {
            self.search.ended = Some(Ended { game: Box::new(game), shown: None, unended: None });
        } else {
            self.search.game = Some(Box::new(game));
        }
        self.set_up.begin();
        if !self.has_seen_board() {
            self.placement = line.head_placement();
        }
        (self.confirmed, self.seen) = (line.plies(), vec![now; line.plies()]);
        (self.line, self.over, self.gap) = (Some(line), over, true);
        self.follow_anew();
    }

    /// People set the last position of the game up on this board before they play on.
    pub(crate) fn await_position(&mut self) {
        if let (Some(line), Some(_)) = (&self.line, &self.search.game) {
            self.search.intake.await_position(line.head());
        }
    }

    /// Another game is played on this board: until the last position of its own one stands there, nothing is of that. Returns whether
    /// a game waits so.
    pub(crate) fn await_own_position(&mut self) -> bool {
        let (Some(line), Some(_)) = (&self.line, &self.search.game) else { return false };
        self.search.intake.await_own_position(&line.position(self.confirmed));
        self.search.onward = None;
        true
    }

    /// It was not another game that was played there.
    pub(crate) fn await_no_position(&mut self) {
        self.search.intake.await_no_position();
    }

    /// Whether that position is still to come.
    pub(crate) fn awaits_position(&self) -> bool {
        self.search.intake.awaits_position()
    }

    /// A person says which moves were played; the board is looked at again from there.
    pub(crate) fn set_line(&mut self, now: Timestamp, line: &Line) {
        self.search.advance(now);
        self.search.intake.await_no_position();
        if self.search.game.is_none() {
            let Some(ended) = self.search.ended.take() else { return };
            if ended.shown.is_some() {
                self.steps.push_back(Step::Undone);
            }
            self.search.game = Some(ended.game);
        }
        self.over = false;
        let Some(before) = self.line.as_ref() else { return };
        let base = line.last_gap().unwrap_or(0);
        let filled = before.last_gap().filter(|&gap| line.last_gap() != Some(gap));
        let begins = |game: &Game| {
            let position = line.position(base);
            (game.start.board(), game.start.turn()) == (position.board(), position.turn())
        };
        if filled.is_some() || !self.search.game.as_deref().is_some_and(begins) {
            // The search knows only what was played since the gap, or another game, which was to begin.
            let Some(onward) = self.search.game.as_deref() else { return };
            let white_left = onward.beam.best().is_none_or(|best| best.white_left);
            let (shown, rotated) = (onward.history.shown().clone(), onward.rotated);
            let mut game = Game::new(self.search.now, line.position(base), line.variant(), rotated, white_left);
            game.declare_blind(self.search.intake.blind);
            let mut told = before.clone();
            told.truncate(filled.unwrap_or(self.confirmed));
            game.resume(&moves_after(&told, base));
            game.show(shown);
            game.before_gaps = line.before_gaps();
            (self.search.game, self.search.onward) = (Some(Box::new(game)), None);
            self.steps.retain(|step| !matches!(step, Step::Started(..)));
            self.steps.extend(filled.map(|after_ply| Step::Filled { after_ply }));
        }
        let Some(game) = self.search.game.as_deref_mut() else { return };
        let moves = moves_after(line, base);
        game.set_line(&moves);
        let Some(set) = game.beam.best().map(|best| best.line) else { return };
        let common = game.lines.common(game.told, set);
        self.search.tell(common, set);
        self.gather(Cause::Command);
    }

    /// How long equally likely lines wait for a person, in ms; none for ever.
    pub(crate) fn wait_in_doubt(&mut self, wait_ms: Option<u64>) {
        self.search.doubt_ms = wait_ms;
    }

    /// A person says that play goes on from what stands there: once the board says what it is, if that is not known.
    pub(crate) fn go_on(&mut self, now: Timestamp) {
        self.search.intake.await_no_position();
        self.goes_on = self.search.intake.is_away();
        if self.goes_on {
            self.dump_wanted = true;
            return;
        }
        self.search.go_on_from_board(now);
        self.gather(Cause::Command);
    }

    /// A person says which squares cannot be believed, and that all others can.
    pub(crate) fn declare_dead(&mut self, now: Timestamp, squares: Bitboard) {
        self.during(now, Cause::Command, |intake, search, _| intake.declare_blind(search, squares));
        self.show_placement();
        self.dump_wanted = true;
    }

    /// The last confirmed move has left no legal move.
    pub(crate) fn end_by_rules(&mut self) {
        let Some(line) = &self.line else { return };
        let head = line.head();
        let (outcome, reason) = match (head.is_check(), head.turn()) {
            (false, _) => (Outcome::Draw, "stalemate"),
            (true, Color::White) => (Outcome::BlackWins, "checkmate"),
            (true, Color::Black) => (Outcome::WhiteWins, "checkmate"),
        };
        self.steps.push_back(Step::Over { outcome, reason });
    }

    /// Tells the last plies that stood there, before a person ends the game.
    pub(crate) fn tell_what_stood(&mut self, now: Timestamp) {
        self.search.advance(now);
        self.search.tell_what_stood();
        self.gather(Cause::Board);
    }

    /// Whether the board cannot show how the game ended: it is out of reach, or what it shows is not explained yet.
    pub(crate) fn is_out_of_sight(&self) -> bool {
        let searches = |game: &Game| game.waits_for_log || game.is_behind();
        let open = self.search.game.as_deref();
        open.is_some_and(|game| self.search.intake.is_away() || self.log_until.is_some() || searches(game))
    }

    /// Whether so many squares differed from the start position that pieces which stand there are those of the next game.
    pub(crate) fn is_far_from_start(&self) -> bool {
        self.search.game.as_deref().is_some_and(Game::is_far_from_start)
    }

    /// Whether lines of play are equally likely.
    pub(crate) fn is_in_doubt(&self) -> bool {
        self.search.game.as_deref().is_some_and(|game| game.doubt.is_some())
    }

    /// Ends the game: later changes on the board do not belong to it.
    pub(crate) fn close(&mut self) {
        self.search.end_by_order();
        self.over = true;
    }

    /// Whether [`Self::close`] ended the game and can be taken back.
    pub(crate) fn can_play_on(&self) -> bool {
        self.over && self.search.can_play_on()
    }

    /// Takes [`Self::close`] back: what was heard since belongs to the game.
    pub(crate) fn play_on(&mut self, now: Timestamp) {
        self.search.play_on();
        self.over = false;
        self.follow_anew();
        self.during(now, Cause::Board, |_, _, _| {});
    }

    pub(crate) fn finalise_end(&mut self) {
        self.search.finalise_end();
    }
}

/// The moves of a line after a ply.
fn moves_after(line: &Line, ply: usize) -> Vec<Move> {
    (ply + 1..=line.plies()).filter_map(|ply| line.move_at(ply)).collect()
}
