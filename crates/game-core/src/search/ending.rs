//! How a game ends: by the rules, by kings in the centre whether or not the clock runs, or by pieces set up for the next one.
//!
//! Knows the game that ends. Must not know the one that follows.

use notation::pgn::Outcome;
use shakmaty::{Bitboard, Board, Color, Position};

use super::game::Game;
use super::history::{Event, Kind, Observation};
use super::intake::unseen::placed;
use super::line::NodeId;
use super::sign::{Shows, Sign};
use super::tell::{decide, mate_stands_ms};
use super::{Search, Told, weights as w};

/// What has shown the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// Mate or stalemate, after so many observations.
    Rules { heard: usize },
    /// Kings in the centre or a result piece, after so many observations.
    Sign { heard: usize, shows: Shows },
}

/// A game that has ended, as it goes on to be heard.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) game: Box<Game>,
    /// What has shown its end, while the board can undo that.
    pub(super) shown: Option<Shown>,
    /// The same game as if it had not ended: a person ended it, and may take that back.
    pub(super) unended: Option<Box<Game>>,
}

impl Ended {
    /// The board says something.
    pub(super) fn hear(&mut self, now: u64, event: Event) {
        if let Some(unended) = &mut self.unended {
            unended.observe(now, event.clone());
        }
        if self.shown.is_some() {
            self.game.observe(now, event);
        }
    }

    /// When a sign that may show another result has stood for long enough.
    pub(super) fn deadline(&self) -> Option<u64> {
        self.shown.and(self.game.sign).map(|sign| sign.since + w::HANDS_DONE_MS)
    }

    /// The sign that kings show after they were put right: no other piece was touched since the result.
    fn corrected(&self, now: u64) -> Option<Sign> {
        let Some(Shown::Sign { heard, shows }) = self.shown else { return None };
        let sign = self.game.sign.filter(|sign| sign.shows != shows && sign.has_stood(now))?;
        let before = &self.game.history.get(heard.checked_sub(1)?)?.shown;
        let after = self.game.history.shown();
        let kings = [before, after].map(|shown| shown.kings(Color::White) | shown.kings(Color::Black));
        (before.differs_from(after) & !kings[0] & !kings[1]).is_empty().then_some(sign)
    }

    /// Whether what was heard since says that the game goes on.
    fn goes_on(&mut self, now: u64) -> bool {
        let Some(shown) = self.shown else { return false };
        self.game.catch_up();
        // Without a clock, play cannot be told from analysis.
        if self.game.is_behind() || !self.game.history.has_clock() || self.game.sign.is_some() {
            return false;
        }
        let history = &self.game.history;
        let since = |heard: usize| (heard..history.end()).filter_map(|index| history.get(index));
        // The kings are back where they stood, and the clock was started again: the players think.
        if let Shown::Sign { heard, .. } = shown
            && since(heard).any(|seen| seen.kind == Kind::Started)
            && !history.last().is_some_and(|last| last.stands)
            && (history.shown().differs(self.game.position(self.game.told).board()) & !self.game.suspects()).is_empty()
        {
            return true;
        }
        let Some(decision) = decide(&self.game, now) else { return false };
        match shown {
            // Players take the mate back and analyse. Where the piece went on, or play did, the clock is pressed over other pieces.
            Shown::Rules { heard } => {
                let (mate, suspects) = (self.game.position(self.game.told), self.game.suspects());
                let elsewhere = |seen: &Observation| !(seen.shown.differs(mate.board()) & !suspects).is_empty();
                let mut presses = since(heard).filter(|seen| matches!(seen.kind, Kind::Press { .. }));
                decision.back_to != self.game.told && presses.any(elsewhere)
            }
            // Pieces are set up for the next game, with moves among them, while a clock that was not stopped runs on.
            Shown::Sign { heard, .. } => {
                let played = since(heard).any(|seen| matches!(seen.kind, Kind::Press { .. } | Kind::Started));
                played && decision.tell != self.game.told && decision.back_to == self.game.told
            }
        }
    }
}

impl Search {
    /// Ends the game when what stands there has ended it for long enough.
    pub(super) fn end_if_over(&mut self) {
        let now = self.intake.unreached.unwrap_or(self.now);
        let Some(game) = self.game.as_deref() else { return };
        if let Some(sign) = game.sign {
            // The board's own log comes first: it may have the last move, which no reply showed, and is searched in slices.
            if !game.waits_for_log && !game.is_behind() && sign.has_stood(now) {
                self.end_shown(sign);
            }
            return;
        }
        let Some(best) = game.likeliest(now).filter(|best| best.differs.is_empty() && best.illegal.is_none()) else {
            return;
        };
        let stands = now.saturating_sub(game.touched_at) >= mate_stands_ms(game, best.line);
        let told = best.line == game.told;
        if stands && !told && game.doubt.is_some() && is_over_by_all(game, now) {
            // Nothing more is played that could decide how the mate came about.
            let end = game.history.end();
            self.close(end, None);
        } else if stands
            && told
            && let Some((result, reason)) = by_rules(game, game.told)
        {
            let heard = game.history.end();
            self.drop_game(Some(Shown::Rules { heard }));
            self.say(Told::Ended { result, reason });
        }
    }

    /// Both kings have stood in the centre: what was there before the hands took them is the game.
    pub(super) fn end_shown(&mut self, sign: Sign) {
        let Some(game) = self.game.as_deref() else { return };
        let end = game.before_sign(sign);
        self.close(end, Some(sign));
    }

    /// The pieces stand for the next game.
    pub(super) fn end_unshown(&mut self) {
        let Some(game) = self.game.as_deref() else { return };
        let stood = game.sign.filter(|sign| sign.has_stood(self.now));
        // How long the kings stood there is not known, or it was short, but a game was set up after them.
        if let Some(sign) = stood.or_else(|| game.untimed_sign()).or_else(|| game.brief_sign()) {
            return self.end_shown(sign);
        }
        let end = game.matched_end();
        // Pieces that were put back unseen lead to the start as moves that were all taken back do.
        let end = game.start_after_gap().map_or(end, |gap| gap.min(end));
        self.close(end, None);
    }

    /// The game is over; what it showed of the board stays known.
    pub(super) fn drop_game(&mut self, shown: Option<Shown>) {
        if let Some(game) = self.game.take() {
            // A game of which many squares are not believed says nothing about the board.
            let suspects = game.suspects();
            self.filled |= board_view(game.history.filled(), game.rotated);
            let few = suspects.count() <= w::FEW_SQUARES;
            self.suspects = if few { board_view(suspects, game.rotated) } else { Bitboard::EMPTY };
            self.ended = Some(Ended { game, shown, unended: None });
        }
    }

    /// A person is about to end the game: the last plies that stood there belong to it, pressed or not, by the likeliest line.
    /// Nothing is taken back.
    pub(super) fn tell_what_stood(&mut self) {
        let Some(game) = self.game.as_deref() else { return };
        let sign = game.sign.or_else(|| game.untimed_sign());
        let end = match sign {
            Some(sign) => game.before_sign(sign),
            None if game.is_standing(self.now) => game.history.end(),
            None => game.matched_end(),
        };
        let end = game.after_stop().map_or(end, |stop| stop.min(end));
        // The game itself may go on: a person can take the result back.
        let mut ended = game.clone();
        let line = ended.line_to_end(end, sign);
        if !ended.lines.begins_with(line, ended.told) {
            return;
        }
        let moves = ended.lines.moves_since(line, ended.told);
        let Some(game) = self.game.as_deref_mut() else { return };
        let told = game.told;
        let line = game.lines.extended(told, &moves);
        self.tell(told, line);
    }

    /// A person says that the game is over.
    pub(super) fn end_by_order(&mut self) {
        let unended = self.game.clone();
        self.drop_game(None);
        if let Some(ended) = self.ended.as_mut().filter(|_| unended.is_some()) {
            ended.unended = unended;
        }
    }

    /// Whether a person has ended the game and can take that back.
    pub(super) fn can_play_on(&self) -> bool {
        self.game.is_none() && self.ended.as_ref().is_some_and(|ended| ended.unended.is_some())
    }

    /// The game that a person has ended goes on with all that was heard since.
    pub(super) fn play_on(&mut self) {
        if let Some(mut unended) = self.ended.take().and_then(|ended| ended.unended) {
            unended.declare_blind(self.intake.blind);
            self.game = Some(unended);
        }
    }

    /// The end of the game is final.
    pub(super) fn finalise_end(&mut self) {
        if let Some(ended) = &mut self.ended {
            ended.shown = None;
        }
    }

    /// A game that has ended goes on when its clock runs and more of it would be told.
    pub(super) fn go_on_after_end(&mut self) {
        let now = self.now;
        let Some(ended) = self.ended.as_mut().filter(|_| self.game.is_none()) else { return };
        if ended.goes_on(now)
            && let Some(ended) = self.ended.take()
        {
            self.game = Some(ended.game);
            self.say(Told::Undone);
        }
    }

    /// A game ends anew with the result that the kings show after they were put right.
    pub(super) fn correct_result(&mut self) {
        let now = self.now;
        let Some(ended) = self.ended.as_ref().filter(|_| self.game.is_none()) else { return };
        let Some(sign) = ended.corrected(now) else { return };
        self.game = self.ended.take().map(|ended| ended.game);
        self.say(Told::Undone);
        self.end_shown(sign);
    }

    /// Tells the likeliest line up to an observation and ends the game.
    fn close(&mut self, end: usize, sign: Option<Sign>) {
        let Some(game) = self.game.as_deref_mut() else { return };
        let end = game.after_stop().map_or(end, |stop| stop.min(end));
        let line = game.line_to_end(end, sign);
        let unseen = game.unseen_before(end, line);
        // Of a line that does not lead to what stood there, only what all likely lines have.
        let agreed = unseen.as_ref().and_then(|_| game.agreed());
        let line = agreed.map_or(line, |agreed| game.lines.common(agreed, line));
        let common = game.lines.common(line, game.told);
        self.tell(common, line);
        let told = self.game.as_deref().is_some_and(|game| game.told_plies() > 0);
        let went_on = self.go_on_unseen(unseen);
        if let (Some(sign), Some(game)) = (sign, self.game.as_deref())
            && !went_on
            && game.ended_unseen(sign)
        {
            self.say(Told::Stops);
        }
        let unplayed = !went_on && !told;
        let by_rules = self.game.as_deref().and_then(|game| by_rules(game, game.told));
        let heard = self.game.as_deref().map_or(0, |game| game.history.end());
        self.drop_game(sign.map(|sign| Shown::Sign { heard, shows: sign.shows }));
        if !unplayed || sign.is_some() {
            let shown = sign.map(|sign| (sign.result(), sign.reason()));
            let (result, reason) = by_rules.or(shown).unwrap_or((Outcome::Unknown, ""));
            self.say(Told::Ended { result, reason });
        }
    }
}

impl Search {
    /// What stood there in the end, and whose turn it was, is where the game has come to: what led there is a gap of the record.
    /// Says whether a game can have come to it.
    fn go_on_unseen(&mut self, unseen: Option<(Board, Color)>) -> bool {
        let (Some((board, turn)), Some(game)) = (unseen, self.game.as_deref()) else { return false };
        let fullmoves = game.position(game.told).fullmoves();
        let Some(start) = [turn, !turn].into_iter().find_map(|turn| placed(board.clone(), turn, fullmoves)) else {
            return false;
        };
        let white_left = game.beam.best().is_none_or(|best| best.white_left);
        let mut next = Game::new(self.now, start, game.variant, game.rotated, white_left);
        next.suspect(game.suspects());
        next.declare_blind(game.blind);
        next.show(game.history.shown().clone());
        self.go_on_with(next);
        true
    }
}

impl Game {
    /// Whether moves before the kings came into the centre went unseen, and no line has led to how the other pieces stand there.
    /// Without the kings' squares it is no position that the game could go on from.
    fn ended_unseen(&self, sign: Sign) -> bool {
        let (Some(gap_at), Some(seen)) = (self.gap_at, self.history.get(sign.at)) else { return false };
        let matched = self.matched.checked_sub(1).and_then(|index| self.history.get(index));
        let position = self.position(self.told);
        let board = position.board();
        let kings = board.kings() | seen.shown.kings(Color::White) | seen.shown.kings(Color::Black);
        let elsewhere = seen.shown.differs(board) & !kings & !self.suspects();
        gap_at <= seen.at && matched.is_none_or(|seen| seen.at < gap_at) && elsewhere.any()
    }

    /// Mate or stalemate that stood in the board's log after the last ply that a line has: the log has no times, so the ply
    /// stood there for no time, and no line that has it was the likeliest.
    pub(super) fn find_logged_mate(&mut self) {
        let from = self.matched_end();
        let line = self.line_before(from);
        let position = self.position(line);
        let next = |mv| position.clone().play(mv).ok().filter(|next| next.legal_moves().is_empty());
        let over: Vec<_> = position.legal_moves().into_iter().filter_map(next).collect();
        let stands = |index: &usize| {
            let seen = self.history.get(*index);
            seen.is_some_and(|seen| over.iter().any(|next| seen.shown.differs(next.board()).is_empty()))
        };
        if let Some(at) = (from..self.history.end()).find(stands) {
            self.matched = at + 1;
        }
    }
}

/// Squares as the board counts them, or back.
pub(super) fn board_view(squares: Bitboard, rotated: bool) -> Bitboard {
    if rotated { squares.rotate_180() } else { squares }
}

/// Whether all that is likely is over by the rules, in whatever way it came about.
fn is_over_by_all(game: &Game, now: u64) -> bool {
    let (Some(best), Some(seen)) = (game.likeliest(now), game.seen()) else { return false };
    let bound = best.cost_at(now, seen).saturating_add(w::RARE);
    let mut likely = game.beam.hypotheses.iter().filter(|each| each.cost_at(now, seen) < bound);
    likely.all(|each| by_rules(game, each.line).is_some())
}

/// What the rules say about a line: mate or stalemate. Other draws have to be claimed or confirmed by people.
fn by_rules(game: &Game, line: NodeId) -> Option<(Outcome, &'static str)> {
    let position = game.position(line);
    if !position.legal_moves().is_empty() {
        return None;
    }
    let reason = if position.is_check() { "checkmate" } else { "stalemate" };
    Some((Outcome::parse(position.outcome().as_str())?, reason))
}
