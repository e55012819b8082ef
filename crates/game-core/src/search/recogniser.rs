//! The search as the recogniser of a session: takes the session's inputs, and turns what the search tells into conclusions about
//! one line, of which the first plies are confirmed and the rest is what is likeliest.
//!
//! Knows the search and when to ask the board for more. Must not know clock times, storage or viewers.

use std::collections::{BTreeMap, VecDeque};

use dgt_protocol::{ClockMessage, EventLog, Field, Fields, LogEvent, Message, PieceCode, Side as ClockSide};
use notation::pgn::Outcome;
use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use super::ending::{Ended, board_view};
use super::game::Game;
use super::history::{Event, Kind};
use super::hypothesis::{Hypothesis, index};
use super::intake::Intake;
use super::line::NodeId;
use super::played_on::PlayedOn;
use super::set_up::{Due, SetUp};
use super::{Search, Told};
use crate::event::{Evidence, Side, Variant};
use crate::line::{Line, start_position};
use crate::placement::{Placement, code_of, square_of};
use crate::recognise::Conclusion;
use crate::time::Timestamp;

/// How long a board that no line explains must be still before a dump is asked for, in ms: two to three rounds of the scan
/// (docs/protocol.md, 9).
const SETTLE_MS: u64 = 700;
/// Most squares that differ when a message is lost or plies went unseen.
const SQUARES: usize = 8;
/// Delay before a dump is repeated that showed something new, in ms: it may be damaged.
const DUMP_AGAIN_MS: u64 = 500;
/// How long an answer with the board's own log is waited for, in ms; sending it takes 8 s (docs/protocol.md, 3).
const LOG_MS: u64 = 20_000;

/// What the clock of the mover showed at presses, by ply, in ms.
type Pressed = BTreeMap<usize, u64>;

/// What is to be concluded, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Started(Box<Chess>, Variant),
    Move {
        mv: Move,
        seen: Option<Timestamp>,
        evidence: Evidence,
    },
    Retracted {
        to_ply: usize,
        pressed: bool,
    },
    Unexplained(Vec<Square>),
    PlayedOn,
    Resolved,
    /// The game has ended and nothing shows how.
    Closed,
    Over {
        outcome: Outcome,
        reason: &'static str,
    },
    Undone,
}

/// What caused something to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Board,
    Clock,
    Log,
    Command,
}

/// The search behind a session.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(crate) struct SearchRecogniser {
    search: Search,
    placement: Placement,
    /// The told plies, then what is likeliest to follow.
    line: Option<Line>,
    /// When each ply of the line was first on the board.
    seen: Vec<Timestamp>,
    confirmed: usize,
    /// The lines that `line` was made of.
    shows: Option<(NodeId, NodeId, usize)>,
    steps: VecDeque<Step>,
    over: bool,
    /// Play has gone on from a position that no line leads to.
    beyond_gap: bool,
    /// The board was out of reach, and has not shown the head since.
    gap: bool,
    /// It has said something since.
    heard: bool,
    /// The gap of which the log was asked for.
    asked_gap: Option<u64>,
    log_until: Option<Timestamp>,
    /// Presses that were heard since.
    presses_since: usize,
    /// What the log told of a game that begins with it, until its moves may follow.
    joined: Option<Pressed>,
    held: bool,
    expected: (Chess, Variant),
    set_up: SetUp,
    played_on: PlayedOn,
    /// When a board that no line explains is asked for a dump.
    settles_at: Option<Timestamp>,
    dump_again_at: Option<Timestamp>,
    dump_wanted: bool,
    log_wanted: bool,
}

impl Default for SearchRecogniser {
    fn default() -> Self {
        Self {
            search: Search::new(),
            placement: Placement::EMPTY,
            line: None,
            seen: Vec::new(),
            confirmed: 0,
            shows: None,
            steps: VecDeque::new(),
            over: false,
            beyond_gap: false,
            gap: false,
            heard: false,
            asked_gap: None,
            log_until: None,
            presses_since: 0,
            joined: None,
            held: false,
            expected: (Chess::default(), Variant::Standard),
            set_up: SetUp::default(),
            played_on: PlayedOn::default(),
            settles_at: None,
            dump_again_at: None,
            dump_wanted: false,
            log_wanted: false,
        }
    }
}

impl SearchRecogniser {
    pub(crate) fn line(&self) -> Option<&Line> {
        self.line.as_ref()
    }

    pub(crate) fn confirmed(&self) -> usize {
        self.confirmed
    }

    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    pub(crate) fn has_seen_board(&self) -> bool {
        self.search.intake.fields.is_some()
    }

    pub(crate) fn rotated(&self) -> bool {
        self.search.intake.rotated
    }

    pub(crate) fn wrong_start(&self) -> &[Square] {
        &self.set_up.wrong
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Whether the board shows the position after the last move.
    pub(crate) fn shows_head(&self) -> bool {
        let Some((_, line, _)) = self.shows else { return false };
        !self.beyond_gap && self.likeliest().is_some_and(|best| best.line == line && best.differs.is_empty())
    }

    pub(crate) fn has_gap(&self) -> bool {
        self.gap
    }

    pub(crate) fn dead(&self) -> Bitboard {
        self.search.intake.blind | self.found_faulty()
    }

    pub(crate) fn found_faulty(&self) -> Bitboard {
        // Before the first ply it may be the pieces that stand wrong.
        let played = self.likeliest().filter(|_| self.confirmed > 0);
        played.map_or(Bitboard::EMPTY, |best| best.faulty & !best.blind)
    }

    /// Lines that explain the board equally well, each from the last told move, the likeliest first.
    pub(crate) fn candidates(&self) -> Vec<Vec<String>> {
        let Some(game) = self.search.game.as_deref() else { return Vec::new() };
        let Some(best) = self.likeliest().filter(|best| best.differs.is_empty()) else { return Vec::new() };
        let Some((line, rival)) = best.rival.filter(|_| best.sure.is_some() && self.search.doubt.is_some()) else {
            return Vec::new();
        };
        let (line, other) = (game.lines.moves(best.line).len() - game.lines.depth(line) as usize, rival);
        let moves = game.lines.moves(best.line);
        let mut others = game.lines.moves(other);
        others.extend_from_slice(moves.get(moves.len() - line..).unwrap_or_default());
        let told = game.lines.depth(game.told) as usize;
        let spell = |moves: Vec<Move>| {
            let mut position = game.position(game.told);
            let moves = moves.into_iter().skip(told);
            moves.map(|mv| SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string()).collect()
        };
        [moves, others].into_iter().map(spell).collect()
    }

    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        let idle = self.is_idle().then(|| self.set_up.next_deadline()).flatten();
        [self.search.next_deadline(), idle, self.settles_at, self.dump_again_at, self.log_until]
            .into_iter()
            .flatten()
            .min()
    }

    /// The next conclusion, in order.
    pub(crate) fn poll(&mut self) -> Option<Conclusion> {
        loop {
            if self.held {
                return None;
            }
            let Some(step) = self.next_step() else {
                if self.steps.is_empty() {
                    self.follow();
                }
                return None;
            };
            if let Some(conclusion) = self.conclude(step) {
                return Some(conclusion);
            }
        }
    }

    pub(crate) fn take_dump_request(&mut self) -> bool {
        std::mem::take(&mut self.dump_wanted)
    }

    pub(crate) fn take_log_request(&mut self) -> bool {
        std::mem::take(&mut self.log_wanted)
    }

    pub(crate) fn handle_timeout(&mut self, now: Timestamp) {
        self.during(now, Cause::Board, |_, _, _| {});
        if self.dump_again_at.take_if(|at| *at <= now).is_some() {
            self.dump_wanted = true;
        }
        if self.settles_at.take_if(|at| *at <= now).is_some() {
            // Where more differs, pieces are moved about or set up.
            self.dump_wanted |= self.likeliest().is_some_and(|best| (1..=SQUARES).contains(&best.differs.count()));
        }
        if self.log_until.take_if(|at| *at <= now).is_some() {
            self.end_log_wait();
        }
        self.look_at_set_up(now);
    }

    /// Bytes arrived, whatever they say.
    pub(crate) fn hear(&mut self, now: Timestamp) {
        self.search.advance(now);
        self.search.intake.heard(self.search.now);
    }

    pub(crate) fn hear_clock(&mut self, now: Timestamp, message: &ClockMessage) {
        let message = Message::Clock(*message);
        let observed = self.game().map_or(0, |game| game.history.end());
        self.during(now, Cause::Clock, |intake, search, at| intake.message(search, at, message));
        let pressed = self.game().is_some_and(|game| {
            let pressed = game.history.last().is_some_and(|last| matches!(last.kind, Kind::Press { .. }));
            pressed && game.history.end() > observed
        });
        if pressed {
            self.presses_since += 1;
            if self.likeliest().is_some_and(|best| differs(best) || best.early.iter().any(Option::is_some)) {
                self.dump_wanted = true;
            }
            if self.search.unexplained && self.played_on.press() && !self.is_finished() {
                self.steps.push_back(Step::PlayedOn);
            }
        }
    }

    pub(crate) fn lost_contact(&mut self) {
        self.search.intake.gap = true;
        (self.gap, self.heard) = (true, false);
        self.set_up.lost_contact();
    }

    pub(crate) fn unplugged(&mut self) {
        self.search.intake.out_of_reach();
        self.lost_contact();
    }

    pub(crate) fn lost_message(&mut self, _now: Timestamp) {
        if let Some(game) = self.search.game.as_deref_mut() {
            game.history.damaged();
        }
    }

    pub(crate) fn handle_dump(&mut self, now: Timestamp, fields: &Fields, _asked: Option<Timestamp>) {
        self.heard = true;
        let known = self.search.intake.fields;
        let changed = known.as_ref() != Some(fields);
        if changed {
            if known.is_some() && !self.is_idle() {
                // The dump itself may be damaged.
                self.dump_again_at = Some(now.plus(DUMP_AGAIN_MS));
            }
            self.board_changed(now);
        }
        let first = known.is_none() || self.gap;
        let fields = *fields;
        self.played_on.hear(now, &Event::Dump(Box::new(fields)));
        self.during(now, Cause::Board, |intake, search, at| {
            intake.message(search, at, Message::BoardDump(fields));
        });
        self.show_placement();
        if first && self.search.game.is_none() && self.search.intake.is_alone() && self.line.is_none() {
            // The board's own log may know how the game began: what is played meanwhile waits for it.
            self.search.intake.waits_for_log = self.set_up.expects_log(now, &self.placement, &self.expected.0);
            self.log_until = self.search.intake.waits_for_log.then(|| now.plus(LOG_MS));
        }
    }

    pub(crate) fn handle_update(&mut self, now: Timestamp, field: Field, piece: PieceCode) {
        self.heard = true;
        let repeated = self.search.intake.fields.is_some_and(|fields| fields[field.index()] == piece);
        // What came before it was lost.
        self.dump_wanted |= repeated;
        self.board_changed(now);
        self.played_on.hear(now, &Event::Square(field, piece));
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
    pub(crate) fn handle_log(&mut self, now: Timestamp, log: &EventLog, _left: Side) -> Pressed {
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

    pub(crate) fn begin_logged_game(&mut self, _now: Timestamp) -> Option<Pressed> {
        self.joined.take()
    }

    pub(crate) fn confirm_logged_game(&mut self, _now: Timestamp) {
        self.held = false;
    }

    pub(crate) fn expect_start(&mut self, start: Chess, variant: Variant) {
        self.expected = (start.clone(), variant);
        let now = Timestamp::from_ms(self.search.now);
        self.during(now, Cause::Board, |intake, search, at| intake.assign(search, at, Some(start), variant));
        if self.has_seen_board() {
            self.set_up.changed(now);
        }
    }

    /// Somebody who knows names a position: if it is that after the last move, that move was made.
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
        (intake.rotated, intake.blind, intake.gap) = (rotated, dead, true);
        let white_left = white_is_left.unwrap_or_else(|| intake.white_left(rotated));
        let mut game = Game::new(at, line.position(0).clone(), line.variant(), rotated, white_left);
        let moves: Vec<Move> = (1..=line.plies()).filter_map(|ply| line.move_at(ply)).collect();
        game.resume(&moves);
        game.declare_blind(dead);
        self.search.begun = true;
        if over {
            self.search.ended = Some(Ended { game: Box::new(game), shown: None });
        } else {
            self.search.game = Some(Box::new(game));
        }
        self.set_up.begin();
        if !self.has_seen_board() {
            self.placement = line.head_placement();
        }
        (self.confirmed, self.seen) = (line.plies(), vec![now; line.plies()]);
        (self.line, self.over, self.gap, self.shows) = (Some(line), over, true, None);
    }

    /// Somebody who knows says which moves were played; the board is looked at again from there.
    pub(crate) fn set_line(&mut self, now: Timestamp, line: &Line) {
        self.search.advance(now);
        if self.search.game.is_none() {
            let Some(ended) = self.search.ended.take() else { return };
            if ended.shown.is_some() {
                self.steps.push_back(Step::Undone);
            }
            self.search.game = Some(ended.game);
        }
        self.over = false;
        if std::mem::take(&mut self.beyond_gap)
            && let Some(onward) = self.search.game.as_deref()
        {
            let white_left = onward.beam.best().is_none_or(|best| best.white_left);
            let (shown, rotated) = (onward.history.shown().clone(), onward.rotated);
            let mut game = Game::new(self.search.now, line.position(0).clone(), line.variant(), rotated, white_left);
            game.declare_blind(self.search.intake.blind);
            if let Some(before) = &self.line {
                let told: Vec<Move> = (1..=self.confirmed).filter_map(|ply| before.move_at(ply)).collect();
                game.resume(&told);
            }
            game.show(shown);
            self.search.game = Some(Box::new(game));
        }
        let Some(game) = self.search.game.as_deref_mut() else { return };
        let moves: Vec<Move> = (1..=line.plies()).filter_map(|ply| line.move_at(ply)).collect();
        game.set_line(&moves);
        let Some(set) = game.beam.best().map(|best| best.line) else { return };
        let common = game.lines.common(game.told, set);
        self.search.tell(common, set);
        self.gather(Cause::Command);
    }

    /// A person says which squares cannot be believed, and that all others can.
    pub(crate) fn declare_dead(&mut self, now: Timestamp, squares: Bitboard) {
        self.during(now, Cause::Command, |intake, search, _| intake.declare_blind(search, squares));
        self.show_placement();
        self.dump_wanted = true;
    }

    /// The last confirmed move has left no legal move.
    pub(crate) fn end_by_rules(&mut self, _evidence: Evidence) {
        let Some(line) = &self.line else { return };
        let head = line.head();
        let (outcome, reason) = match (head.is_check(), head.turn()) {
            (false, _) => (Outcome::Draw, "stalemate"),
            (true, Color::White) => (Outcome::BlackWins, "checkmate"),
            (true, Color::Black) => (Outcome::WhiteWins, "checkmate"),
        };
        self.steps.push_back(Step::Over { outcome, reason });
    }

    /// Ends the game: later changes on the board do not belong to it.
    pub(crate) fn close(&mut self) {
        self.search.drop_game(None);
        self.over = true;
    }

    pub(crate) fn finalise_end(&mut self) {
        self.search.finalise_end();
    }

    fn game(&self) -> Option<&Game> {
        self.search.game.as_deref().or_else(|| self.search.ended.as_ref().map(|ended| &*ended.game))
    }

    fn likeliest(&self) -> Option<&Hypothesis> {
        self.game()?.likeliest(self.search.now)
    }

    /// Whether no game is being played on the board, as far as anybody knows.
    fn is_idle(&self) -> bool {
        self.search.game.as_deref().is_none_or(|game| {
            game.lines.depth(game.told) == 0 && self.confirmed == 0 && !self.over && !self.stands_at_start(game)
        })
    }

    /// Whether the pieces of a game stand as they do in its beginning, as far as the board can tell.
    fn stands_at_start(&self, game: &Game) -> bool {
        let known = board_view(self.search.suspects, game.rotated) | self.search.intake.blind;
        (game.history.shown().differs(game.start.board()) & !known).is_empty()
    }

    fn next_step(&mut self) -> Option<Step> {
        let note = |step: &Step| matches!(step, Step::Unexplained(_) | Step::Resolved);
        let started = |step: Option<&Step>| matches!(step, Some(Step::Started(..)));
        while started(self.steps.front()) && started(self.steps.get(1)) {
            self.steps.pop_front();
        }
        // A game whose pieces do not stand right begins when its clock runs, or with its first ply.
        if started(self.steps.front())
            && self.steps.iter().skip(1).all(note)
            && self.search.game.as_deref().is_some_and(|game| {
                !game.history.has_clock() && !self.stands_at_start(game) && game.lines.depth(game.told) == 0
            })
        {
            return self.steps.remove(self.steps.iter().position(note)?);
        }
        self.steps.pop_front()
    }

    fn is_finished(&self) -> bool {
        self.line.as_ref().is_some_and(Line::is_finished)
    }

    fn during(&mut self, now: Timestamp, cause: Cause, work: impl FnOnce(&mut Intake, &mut Search, u64)) {
        self.search.advance(now);
        let at = self.search.now;
        let mut intake = std::mem::take(&mut self.search.intake);
        work(&mut intake, &mut self.search, at);
        self.search.intake = intake;
        self.search.settle();
        self.gather(cause);
        let shows_head = self.heard && !self.search.intake.gap && self.likeliest().is_some_and(|best| !differs(best));
        self.gap &= !shows_head;
        self.watch_illegal_play(now);
        self.note_gap(now);
        if !self.set_up.wrong.is_empty() && !self.is_idle() && self.set_up.begin().is_some() {
            self.steps.push_back(Step::Resolved);
        }
    }

    fn watch_illegal_play(&mut self, now: Timestamp) {
        let Some(game) = self.search.game.as_deref() else {
            self.played_on.end();
            return;
        };
        let Some(best) = game.likeliest(self.search.now).filter(|best| differs(best)) else {
            self.played_on.end();
            return;
        };
        let stands = game.history.last().is_some_and(|last| last.stands);
        let still = self.search.now.saturating_sub(game.touched_at) >= SETTLE_MS;
        if still && !stands && !game.history.has_clock() && !self.gap {
            self.played_on.suppose(now, &self.placement, !best.position.turn(), game);
        }
        if self.search.unexplained && !best.position.legal_moves().is_empty() && self.played_on.goes_on(now) {
            self.steps.push_back(Step::PlayedOn);
        }
    }

    fn board_changed(&mut self, now: Timestamp) {
        self.settles_at = Some(now.plus(SETTLE_MS));
        self.set_up.changed(now);
    }

    fn show_placement(&mut self) {
        if let Some(fields) = &self.search.intake.fields {
            self.placement = Placement::from_fields(fields, self.rotated()).without(self.search.intake.blind);
        }
    }

    /// A dump has shown what went unseen: where several lines lead there, the board's own log knows.
    fn note_gap(&mut self, now: Timestamp) {
        let Some(game) = self.search.game.as_deref_mut() else { return };
        let Some(at) = game.gap_at.filter(|&at| self.asked_gap != Some(at)) else { return };
        if game.is_behind() {
            return;
        }
        self.asked_gap = Some(at);
        if game.history.get(game.history.first()).is_none_or(|first| first.at == at) {
            // The game was joined with this dump.
            return;
        }
        let certain = game.likeliest(self.search.now).is_some_and(|best| !game.is_open(best));
        if !certain {
            game.waits_for_log = true;
            self.presses_since = 0;
            self.log_wanted = true;
            self.log_until = Some(now.plus(LOG_MS));
        }
    }

    fn end_log_wait(&mut self) {
        self.search.intake.waits_for_log = false;
        if let Some(game) = self.search.game.as_deref_mut() {
            game.waits_for_log = false;
        }
    }

    fn look_at_set_up(&mut self, now: Timestamp) {
        if !self.is_idle() {
            return;
        }
        for due in self.set_up.look(now, &self.placement, &self.expected.0, self.search.intake.blind) {
            match due {
                Due::AskDump => self.dump_wanted = true,
                Due::AskLog => {
                    self.presses_since = 0;
                    self.log_wanted = true;
                    self.log_until = Some(now.plus(LOG_MS));
                }
                Due::TellWrong => self.steps.push_back(Step::Unexplained(self.set_up.wrong.clone())),
                Due::TellRight => self.steps.push_back(Step::Resolved),
            }
        }
    }

    /// What the clock showed at the presses that the log tells, for plies after the first `known` ones. The last press in the
    /// log ended the last pressed ply, and each press before it the ply before.
    fn pressed_in(&self, log: &EventLog, known: usize) -> Pressed {
        let mut pressed = Pressed::new();
        let (Some(game), Some(best)) = (self.game(), self.likeliest()) else { return pressed };
        let mut ended = Vec::new();
        for event in log.events() {
            match event {
                LogEvent::Clock { side, total_seconds } => ended.push((side == ClockSide::Left, total_seconds)),
                LogEvent::PowerUp | LogEvent::Watchdog | LogEvent::StartTag => ended.clear(),
                _ => {}
            }
        }
        let mut ply = game.lines.depth(best.line) as usize;
        let mut color = best.position.turn().other();
        if best.unpressed[index(color)] {
            (ply, color) = (ply.saturating_sub(1), color.other());
        }
        // What was pressed since the log was asked for is not in it.
        for _ in 0..self.presses_since {
            (ply, color) = (ply.saturating_sub(1), color.other());
        }
        while let Some((left, seconds)) = ended.pop() {
            let by = if left == best.white_left { Color::White } else { Color::Black };
            if ply <= known || by != color {
                break;
            }
            pressed.insert(ply, u64::from(seconds) * 1_000);
            (ply, color) = (ply - 1, color.other());
        }
        pressed
    }

    /// Takes over what the search has told.
    fn gather(&mut self, cause: Cause) {
        let told: Vec<Told> = std::iter::from_fn(|| self.search.poll()).map(|(_, told)| told).collect();
        if told.is_empty() {
            return;
        }
        let started = told.iter().rposition(|told| matches!(told, Told::Started { .. }));
        for (number, each) in told.iter().enumerate() {
            let of_this_game = started.is_none_or(|started| number > started);
            self.beyond_gap &= !matches!(each, Told::Started { .. });
            if self.beyond_gap && matches!(each, Told::Move { .. } | Told::Retract { .. }) {
                continue;
            }
            let step = match each {
                Told::Started { fen, variant } => {
                    let Ok(start) = start_position(fen, *variant) else { continue };
                    // With pieces wrong it may be another one.
                    if self.search.game.as_deref().is_none_or(|game| self.stands_at_start(game))
                        && self.set_up.begin().is_some()
                    {
                        self.steps.push_back(Step::Resolved);
                    }
                    Step::Started(Box::new(start), *variant)
                }
                Told::Move { ply, mv, .. } => {
                    let (seen, evidence) =
                        if of_this_game { self.grounds(*ply, cause) } else { (None, Evidence::Quiet) };
                    Step::Move { mv: *mv, seen, evidence }
                }
                Told::Retract { to_ply } => {
                    let moves = told.iter().skip(number + 1).take_while(|told| matches!(told, Told::Move { .. }));
                    let to_ply = *to_ply as usize;
                    let replaced = to_ply + moves.count() >= self.confirmed;
                    Step::Retracted { to_ply, pressed: replaced && cause != Cause::Clock && cause != Cause::Command }
                }
                Told::Unexplained => {
                    self.played_on.tell();
                    let differs = self.likeliest().map_or(Bitboard::EMPTY, |best| best.differs);
                    Step::Unexplained(differs.into_iter().collect())
                }
                Told::Resolved => Step::Resolved,
                Told::Gap { .. } => {
                    // The record has no event for what follows a stretch that nobody can fill: it stops there.
                    self.beyond_gap = true;
                    continue;
                }
                Told::Doubt { .. } => continue,
                Told::Ended { reason: "", .. } => Step::Closed,
                Told::Ended { result, reason } => Step::Over { outcome: *result, reason },
                Told::Undone => Step::Undone,
            };
            if matches!(step, Step::Started(..)) {
                self.held = false;
            }
            self.steps.push_back(step);
        }
    }

    /// When a ply that is told was first on the board, and what makes it certain.
    fn grounds(&self, ply: u32, cause: Cause) -> (Option<Timestamp>, Evidence) {
        let (Some(game), Some(best)) = (self.game(), self.likeliest()) else { return (None, Evidence::Quiet) };
        let depth = game.lines.depth(best.line);
        let seen = (depth <= ply + 1).then(|| Timestamp::from_ms(best.ply_at));
        let evidence = match cause {
            Cause::Command => Evidence::Command,
            Cause::Log => Evidence::Log,
            Cause::Board | Cause::Clock => {
                let turn = best.position.turn();
                let mover = if depth.abs_diff(ply) % 2 == 0 { turn.other() } else { turn };
                let pressing = game.history.last().is_some_and(|last| last.pressing);
                if game.gap_at == Some(best.ply_at) {
                    Evidence::Dump
                } else if pressing && depth <= ply + 1 && !best.unpressed[index(mover)] {
                    Evidence::Lever
                } else if depth > ply {
                    Evidence::Reply
                } else {
                    Evidence::Quiet
                }
            }
        };
        (seen, evidence)
    }

    fn conclude(&mut self, step: Step) -> Option<Conclusion> {
        Some(match step {
            Step::Started(start, variant) => {
                (self.line, self.confirmed, self.over) = (Some(Line::new(*start, variant)), 0, false);
                self.seen.clear();
                self.shows = None;
                self.extend();
                self.held = self.joined.is_some();
                Conclusion::Started
            }
            Step::Move { mv, seen, evidence } => {
                let now = Timestamp::from_ms(self.search.now);
                let line = self.line.as_mut()?;
                let ply = self.confirmed + 1;
                if line.move_at(ply) != Some(mv) {
                    line.truncate(self.confirmed);
                    self.seen.truncate(self.confirmed);
                    if !line.push(mv) {
                        return None;
                    }
                    self.seen.push(seen.unwrap_or(now));
                    self.extend();
                }
                self.confirmed = ply;
                self.shows = None;
                if self.set_up.begin().is_some() {
                    self.steps.push_front(Step::Resolved);
                }
                let seen = self.seen.get(ply - 1).copied().unwrap_or(now);
                Conclusion::Confirmed { ply, seen, evidence }
            }
            Step::Retracted { to_ply, pressed } => {
                self.line.as_mut()?.truncate(to_ply);
                self.seen.truncate(to_ply);
                self.confirmed = self.confirmed.min(to_ply);
                self.shows = None;
                self.extend();
                Conclusion::Retracted { to_ply, pressed }
            }
            Step::Unexplained(squares) => Conclusion::Unexplained(squares),
            Step::PlayedOn => Conclusion::PlayedOn,
            Step::Resolved => Conclusion::Resolved,
            Step::Closed => {
                self.over = true;
                return None;
            }
            Step::Over { outcome, reason } => {
                self.over = true;
                let by_rules = matches!(reason, "checkmate" | "stalemate");
                let evidence = if by_rules { Evidence::Rules } else { Evidence::Quiet };
                Conclusion::Over { outcome, reason, evidence }
            }
            Step::Undone => {
                self.over = false;
                Conclusion::Undone
            }
        })
    }

    /// The moves that are about to be confirmed belong to the line already.
    fn extend(&mut self) {
        let now = Timestamp::from_ms(self.search.now);
        let Some(line) = &mut self.line else { return };
        for step in &self.steps {
            let Step::Move { mv, seen, .. } = step else { return };
            if !line.push(*mv) {
                return;
            }
            self.seen.push(seen.unwrap_or(now));
        }
    }

    /// After the told plies the line goes on as is likeliest.
    fn follow(&mut self) {
        let Some(game) = self.search.game.as_deref().filter(|_| !self.beyond_gap) else { return };
        let Some(best) = game.likeliest(self.search.now) else { return };
        let head = if game.lines.begins_with(best.line, game.told) { best.line } else { game.told };
        let shows = (game.told, head, game.lines.len());
        let same = self.shows.is_some_and(|(told, line, lines)| (told, line) == (game.told, head) && lines <= shows.2);
        self.shows = Some(shows);
        if same {
            return;
        }
        let at = Timestamp::from_ms(best.ply_at);
        let moves = game.lines.moves(head);
        let Some(line) = &mut self.line else { return };
        let common = (1..=line.plies()).zip(&moves).take_while(|&(ply, &mv)| line.move_at(ply) == Some(mv)).count();
        line.truncate(common);
        self.seen.truncate(common);
        for &mv in &moves[common..] {
            if !line.push(mv) {
                return;
            }
            self.seen.push(at);
        }
    }
}

fn differs(best: &Hypothesis) -> bool {
    !best.differs.is_empty()
}
