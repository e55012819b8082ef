//! From what reaches a session to what the search takes: gaps out of silence, and where one game ends and the next begins.
//!
//! Knows messages. Must not know hypotheses.

mod clock;
mod held_back;
mod led_back;
mod pressed_on;
mod taking_over;
pub(super) mod unseen;

use dgt_protocol::{ClockMessage, Field, Message, PieceCode, SideTime};
use shakmaty::{Bitboard, Chess, Position};

use super::Search;
use super::ending::board_view;
use super::game::Game;
use super::history::{Event, shown_by};
use super::hypothesis::Hypothesis;
use super::line::ROOT;
use super::onward::Onward;
use super::weights as w;
use crate::chess960::chess960_start;
use crate::event::Variant;
use crate::placement::{Placement, square_of};
use held_back::{Held, HeldBack};
use led_back::LedBack;

/// The start that a pairing names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assigned {
    pub(super) start: Option<Chess>,
    pub(super) variant: Variant,
}

/// A board with a game whose beginning is unknown, when it was first seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Alone {
    at: u64,
    fields: [PieceCode; 64],
}

/// What was known before a dump that showed more changes than a ply makes, although the board was in reach.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Doubted {
    /// With the changes since.
    fields: Box<[PieceCode; 64]>,
    /// When it came.
    since: u64,
    /// How many such dumps came one after the other.
    dumps: usize,
}

/// What is known about board and clock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "facts about board and clock that do not depend on each other")]
pub(crate) struct Intake {
    last_bytes: u64,
    pub(super) fields: Option<[PieceCode; 64]>,
    /// The dump that is taken now is the first one.
    first_dump: bool,
    pub(super) rotated: bool,
    /// White sits at the other side of the clock than the orientation says.
    turned_clock: Option<bool>,
    pub(super) right_up: Option<bool>,
    pub(super) running: bool,
    /// What the running clock showed last, in s.
    read: Option<[u32; 2]>,
    /// The lever, whether the right side was up, and the times, in s, that the clock showed last.
    showed: Option<(bool, [u32; 2])>,
    /// When that was read; none where it was another clock.
    pub(super) showed_at: Option<u64>,
    /// Whether it has run, and whether it was set to other times since.
    has_run: bool,
    was_set: bool,
    /// The lever and the times, in s, with which a clock that has run was stopped.
    left_with: Option<(bool, [u32; 2])>,
    /// What the clock showed when one message said that it was started.
    started: Option<[SideTime; 2]>,
    /// How often the lever went over while the clock stood, after a flag fell or before it was started.
    standing_flips: u32,
    /// Where it was stopped in the middle of a game.
    stood: Option<Box<pressed_on::Stood>>,
    /// When one message said that there is no clock, while one stood or ran: it may be damaged, or come in the middle of readings
    /// (behaviour paper, 9.1).
    may_be_gone: Option<u64>,
    /// The next dump shows what went unseen.
    pub(super) gap: bool,
    /// The clock was read since.
    read_in_gap: bool,
    /// The last reading of the clock was the first one since something may have gone unseen.
    first_reading: bool,
    /// Plies that were made out of reach and lead back to what stood there.
    led_back: LedBack,
    /// When a change ended a silence. What came before it may be lost, or was late with it.
    ended_silence: Option<u64>,
    /// The line was away, and no dump has come since.
    was_away: bool,
    /// Since when nothing is known of the board: the line was away, and no dump has come since.
    pub(super) unreached: Option<u64>,
    /// A board that is out of reach keeps its changes until they are fetched.
    keeps_changes: bool,
    /// What the board has told since it is in reach again.
    held_back: HeldBack,
    /// Squares that pieces have left since a change ended a silence.
    late: Bitboard,
    /// The pieces that were lifted since one was put down, with the fields where they stood.
    lifted: Vec<(Field, PieceCode)>,
    /// The last piece that was put down, and when: the scan may tell of it before it tells that the piece has left.
    put_down: Option<(u64, PieceCode)>,
    /// The last dump may be damaged.
    doubted: Option<Doubted>,
    /// A lever that went over during a silence.
    pub(super) waiting: Option<bool>,
    pub(super) assigned: Option<Assigned>,
    /// Squares that a person declared blind.
    pub(super) blind: Bitboard,
    /// The board's own log was asked for and may tell how the game began.
    pub(super) waits_for_log: bool,
    /// What was heard while no game was known, and what stood there before.
    heard_alone: Vec<(u64, Event)>,
    stood_alone: Option<Box<Alone>>,
    /// The position that people set up on a board that takes over a game.
    awaited: Option<Box<taking_over::Awaited>>,
}

impl Default for Intake {
    fn default() -> Self {
        Self {
            last_bytes: 0,
            fields: None,
            first_dump: false,
            rotated: false,
            turned_clock: None,
            right_up: None,
            running: false,
            read: None,
            showed: None,
            showed_at: None,
            has_run: false,
            was_set: false,
            left_with: None,
            started: None,
            standing_flips: 0,
            stood: None,
            may_be_gone: None,
            gap: false,
            read_in_gap: false,
            first_reading: false,
            led_back: LedBack::default(),
            ended_silence: None,
            was_away: false,
            unreached: None,
            keeps_changes: false,
            held_back: HeldBack::default(),
            late: Bitboard::EMPTY,
            lifted: Vec::new(),
            put_down: None,
            doubted: None,
            waiting: None,
            assigned: None,
            blind: Bitboard::EMPTY,
            waits_for_log: false,
            heard_alone: Vec::new(),
            stood_alone: None,
            awaited: None,
        }
    }
}

impl Intake {
    /// Whether the next message may show that the clock was not started after all.
    #[cfg(feature = "equivalence")]
    pub(super) fn may_not_have_started(&self) -> bool {
        self.started.is_some()
    }

    /// A board is there. One that `keeps_changes` tells them when it is asked, in their order.
    pub(super) fn attach(&mut self, keeps_changes: bool) {
        self.keeps_changes = keeps_changes;
    }

    /// The board is out of reach until it tells something.
    pub(super) fn out_of_reach(&mut self, now: u64) {
        self.lose();
        // What came before them went unseen, and what follows them will: the next dump or log has them in their place.
        self.held_back.clear();
        (self.right_up, self.waiting) = (None, None);
        self.unreached.get_or_insert(now);
        self.was_away = true;
    }

    /// The squares of the pieces that are in a hand.
    pub(super) fn in_hand(&self) -> Bitboard {
        self.lifted.iter().map(|&(field, _)| square_of(field, self.rotated)).collect()
    }

    /// Whether what stands on the board is not known: the line was away, and no dump has come since.
    pub(super) fn is_away(&self) -> bool {
        self.fields.is_none() || self.unreached.is_some()
    }

    /// The start of the next game is named.
    pub(super) fn assign(&mut self, search: &mut Search, now: u64, start: Option<Chess>, variant: Variant) {
        // Who plays next may leave a clock alone that stands there.
        self.has_run = false;
        let known = self.assigned.replace(Assigned { start, variant });
        if known.is_some() {
            // The board has the game of another round now.
            self.await_no_position();
        }
        let same = known.is_some_and(|known| {
            let assigned = self.assigned.as_ref();
            assigned.is_some_and(|now| now.variant == known.variant && now.start == known.start)
        });
        if !same {
            self.look_for_start(search, now, false, false);
        }
    }

    /// These squares cannot be believed.
    pub(super) fn declare_blind(&mut self, search: &mut Search, squares: Bitboard) {
        self.blind = squares;
        if let Some(game) = search.game.as_deref_mut() {
            game.declare_blind(self.blind);
        }
    }

    /// A game begins from this position, whatever stands there.
    pub(super) fn start_from(&mut self, search: &mut Search, now: u64, start: Chess, variant: Variant) {
        self.await_no_position();
        search.end_unshown();
        if let Some(fields) = &self.fields {
            let differs = |rotated| shown_by(fields, rotated).differs(start.board()).count();
            self.rotated = if differs(!self.rotated) < differs(self.rotated) { !self.rotated } else { self.rotated };
        }
        search.begin(self.new_game(now, start, variant, self.rotated));
        self.tell_clock(search, now);
        if let Some(fields) = self.fields {
            self.observe(search, now, Event::Dump(Box::new(fields)));
        }
    }

    /// The board says something.
    pub(super) fn heard(&mut self, now: u64) {
        let silent = now.saturating_sub(std::mem::replace(&mut self.last_bytes, now));
        if silent >= w::SILENT_MS && self.running && !self.is_pressed_on() {
            self.lose();
        }
    }

    /// Something may have gone unseen.
    pub(super) fn lose(&mut self) {
        (self.gap, self.read_in_gap, self.ended_silence, self.late) = (true, false, None, Bitboard::EMPTY);
        self.led_back = LedBack::default();
    }

    pub(super) fn message(&mut self, search: &mut Search, now: u64, message: Message) {
        self.release_late(search, now);
        // A running clock is read every second.
        if self.running && self.may_be_gone.is_some_and(|since| now.saturating_sub(since) >= w::SILENT_MS) {
            self.clock_is_gone(search, now);
        }
        if matches!(message, Message::FieldUpdate { .. }) {
            self.led_back.note_change();
        }
        match message {
            Message::BoardDump(fields) => self.dump(search, now, fields),
            Message::FieldUpdate { field, piece } if self.holds_back(search) => {
                self.held_back.push(now, Held::Change(field, piece));
            }
            Message::Clock(ClockMessage::Times(times)) if self.holds_back(search) => {
                self.held_back.push(now, Held::Clock(times));
            }
            Message::FieldUpdate { field, piece } => self.change(search, now, field, piece),
            Message::Clock(ClockMessage::Times(times)) => self.clock(search, now, times),
            Message::Log(log) => self.log(search, now, &log),
            _ => {}
        }
    }

    fn change(&mut self, search: &mut Search, now: u64, field: Field, piece: PieceCode) {
        self.end_silence(search, now);
        if self.ended_silence.is_some() && piece == PieceCode::Empty {
            self.late.add(square_of(field, self.rotated));
        }
        if let Some(fields) = &mut self.fields {
            let before = std::mem::replace(&mut fields[field.index()], piece);
            let moved = |&(at, code): &(u64, PieceCode)| code == before && now.saturating_sub(at) <= w::ROUND_MS;
            if piece != PieceCode::Empty {
                self.lifted.clear();
                self.put_down = Some((now, piece));
            } else if self.lifted.len() > w::TWICE as usize {
                self.lifted.clear();
            } else if before != PieceCode::Empty && !self.put_down.as_ref().is_some_and(moved) {
                self.lifted.push((field, before));
            }
            if let Some(doubted) = &mut self.doubted {
                doubted.fields[field.index()] = piece;
            }
            self.observe(search, now, Event::Square(field, piece));
        }
    }

    /// A board that tells its changes is in reach, and was, unless its line was away. Until its first dump, changes say nothing about
    /// what stands there.
    fn end_silence(&mut self, search: &mut Search, now: u64) {
        if self.fields.is_none() || self.unreached.is_some() && !self.keeps_changes {
            return;
        }
        self.unreached = None;
        if std::mem::take(&mut self.gap) {
            self.ended_silence = Some(now);
        }
        if let Some(left) = self.waiting.take() {
            self.observe(search, now, Event::Press { left });
            // What it ends is told before the next hand is at work.
            search.settle();
        }
    }

    fn dump(&mut self, search: &mut Search, now: u64, fields: [PieceCode; 64]) {
        let lifted = self.take_held_back(search, now, &fields);
        let silent = self.ended_silence.take().is_some_and(|ended| now.saturating_sub(ended) < w::LATEST_MS);
        let late = Some(std::mem::take(&mut self.late)).filter(|_| silent).unwrap_or(Bitboard::EMPTY);
        let late = late | lifted;
        let doubted = self.doubted.take().and_then(|doubted| self.refute(search, now, doubted, &fields));
        let differs = self.fields.as_ref().map_or(64, |known| differing(known, &fields));
        let in_reach = !self.gap && self.unreached.is_none();
        let read = std::mem::take(&mut self.read_in_gap) || !self.gap;
        let lost = std::mem::take(&mut self.gap);
        // What changed unseen was most likely played out of reach, though changes have come before this dump.
        let away = std::mem::take(&mut self.was_away) && differs > 0;
        let gap = lost && (differs > 0 || self.led_back.dump_is_unchanged(now))
            || away
            || differs > w::FEW_SQUARES
            || silent && differs == w::FEW_SQUARES;
        if let Some(known) = self.fields.filter(|_| gap && in_reach) {
            let Doubted { fields, since, dumps } =
                doubted.unwrap_or(Doubted { fields: Box::new(known), since: now, dumps: 0 });
            self.doubted = Some(Doubted { fields, since, dumps: dumps + 1 });
        } else if !gap {
            self.doubted = doubted;
        }
        self.unreached = None;
        self.put_down = None;
        if differs > 0 {
            self.lifted.clear();
        }
        self.first_dump = self.fields.replace(fields).is_none();
        let unknown = !search.begun || gap && self.has_another_position(search, now);
        if search.game.is_none() && (self.first_dump || gap && unknown) {
            // More men of White stand on the half that is White's, of whichever game.
            let white = Placement::from_fields(&fields, false).board();
            let near = (white.white() & Bitboard(0xffff_ffff)).count();
            self.rotated = near * 2 < white.white().count();
        }
        if gap && !read && self.running {
            // Whether the lever went over meanwhile is not known. That of a clock that stood says which game it belongs to.
            self.right_up = None;
        }
        let shown = Box::new(fields);
        self.observe(search, now, if gap { Event::Gap { fields: shown, late } } else { Event::Dump(shown) });
        if search.game.is_none() && unknown && (self.stood_alone.is_none() || gap) {
            self.heard_alone.clear();
            self.stood_alone = Some(Box::new(Alone { at: now, fields }));
        }
        if gap && !read {
            self.right_up = None;
        }
        if let Some(left) = self.waiting.take() {
            let event = if gap { Event::Lever { left_runs: !left } } else { Event::Press { left } };
            self.observe(search, now, event);
        }
    }

    /// Another dump came after one that may be damaged: where it shows what was known before, that one was. Gives it back where
    /// neither fits, and for some time where this one shows the same: the line may damage two alike.
    fn refute(&mut self, search: &mut Search, now: u64, doubted: Doubted, fields: &[PieceCode; 64]) -> Option<Doubted> {
        let now_known = self.fields.as_ref().map_or(64, |known| differing(known, fields));
        if now_known <= w::FEW_SQUARES {
            return Some(doubted).filter(|doubted| now.saturating_sub(doubted.since) < w::LATEST_MS);
        }
        if differing(&doubted.fields, fields) > w::FEW_SQUARES {
            return Some(doubted);
        }
        self.fields = Some(*doubted.fields);
        if let Some(game) = search.game.as_deref_mut() {
            game.withdraw_gaps(doubted.dumps);
        }
        search.onward = search.onward.take().and_then(|mut onward| {
            let stays = onward.withdraw_gaps(doubted.dumps, doubted.since);
            stays.then_some(onward)
        });
        None
    }

    /// The game takes a message; the board may stand for the next one.
    fn observe(&mut self, search: &mut Search, now: u64, event: Event) {
        if self.is_set_up_by(search, now, &event) {
            return;
        }
        let started = event == Event::Runs(true);
        let first = std::mem::take(&mut self.first_dump) || event.is_gap() && self.has_begun_unseen(search, now);
        let board = event.is_board();
        if search.game.is_some() {
            self.heard_alone.clear();
            self.stood_alone = None;
            if board {
                search.settle_before(now);
            }
            let gap = event.is_gap();
            if gap && !search.may_go_on() {
                search.onward = None;
            }
            let cost = search.game.as_deref().map_or(0, |game| game.beam.cost());
            let before = search.onward.as_ref().map_or(cost, Onward::cost_before);
            let in_order = self.keeps_changes || self.held_back.is_being_told();
            if let Some(onward) = &mut search.onward {
                onward.games_mut().for_each(|game| game.history.kept = in_order);
                onward.hear(now, &event);
            }
            if let Some(game) = search.game.as_deref_mut() {
                game.history.kept = in_order;
                game.observe(now, event);
            }
            // What stands there after another outage belongs to what goes on from the first one, if that leads there.
            if gap && !search.onward.as_mut().is_some_and(|onward| onward.explains(now)) {
                let games = self.supposed(search, now);
                search.onward = search.game.as_deref().map(|game| Onward::new(games, now, game, before));
            }
        } else {
            self.hear_alone(search, now, event);
        }
        let far = |game: &Game| game.told == ROOT && game.far > w::STRETCH + w::MANY_SQUARES;
        if board && self.is_spent() && search.game.as_deref().is_some_and(far) {
            // So far from its start it is a game, and its players leave the clock alone.
            self.was_set = true;
            self.observe(search, now, Event::Set);
        }
        if board || started {
            self.look_for_start(search, now, started, first);
        }
    }

    /// Whether the next game may have begun while the board was out of reach: the last one has ended, the board shows another
    /// position than that of its end, and the clock runs, if there is one.
    fn has_begun_unseen(&self, search: &Search, now: u64) -> bool {
        (self.running || !self.has_clock()) && self.has_another_position(search, now)
    }

    /// Whether the last game has ended, and the board shows another position than that of its end.
    fn has_another_position(&self, search: &Search, now: u64) -> bool {
        let Some(ended) = &search.ended else { return false };
        let last = ended.game.likeliest(now).filter(|_| ended.game.far > w::MANY_SQUARES);
        let (Some(fields), Some(last)) = (&self.fields, last) else { return false };
        last.differs_from(&shown_by(fields, ended.game.rotated)).count() > w::MANY_SQUARES
    }

    /// Whether a clock was ever read.
    fn has_clock(&self) -> bool {
        self.showed.is_some()
    }

    /// Begins a game where its pieces stand.
    fn look_for_start(&mut self, search: &mut Search, now: u64, started: bool, first: bool) {
        let Some(fields) = &self.fields else { return };
        let mut own = None;
        if let Some(game) = search.game.as_deref() {
            if game.next_start.is_some() {
                return;
            }
            let known = board_view(search.suspects, game.rotated) | self.blind;
            let played = game.begun_plies();
            let known = if played > 0 { known | game.suspects() } else { known };
            let shown = (game.history.shown().differs(game.start.board()) & !known).count();
            let again = shown == 0 && played == 0 && game.history.end() > game.history.first() + 1;
            // Until the first move, a start position that is set up instead is the start, however little it differs.
            let other = || {
                let found = self.start(search, fields, 0);
                found.is_some_and(|(start, ..)| start.board() != game.start.board())
            };
            let turned = played == 0 && (shown > w::MANY_SQUARES || shown > 0 && other());
            // A few plies that began with pieces exchanged are no game: it begins anew.
            let exchanged = Some(game.suspects().count()).filter(|&count| count >= w::TWICE as usize);
            let far = game.far > w::MANY_SQUARES + exchanged.unwrap_or(0);
            let set = self.was_set && game.clock_set_at.is_some();
            let over = shown == 0 && played > 0 && (far || set && exchanged.is_none());
            // A square that reports wrongly since the pieces of the last game were put back.
            let nearly = started && played > 0 && game.far > w::MANY_SQUARES && shown <= w::MANY_SQUARES && {
                let best = game.likeliest(now);
                best.is_some_and(|best| best.differs_from(game.history.shown()).count() > w::MANY_SQUARES)
            };
            if !(again || turned || over || nearly || game.far > w::MANY_SQUARES && shown > w::MANY_SQUARES) {
                return;
            }
            own = again.then(|| (game.start.clone(), game.variant, game.rotated));
        }
        let may_have_begun = started || first && search.game.is_none();
        let most = if may_have_begun && own.is_none() { w::MANY_SQUARES } else { 0 };
        let found = self.start(search, fields, most);
        // A start that was ordered stands there still: only another one with the same pieces takes its place.
        let alike =
            |found: &(Chess, Variant, bool)| own.as_ref().is_none_or(|(own, ..)| own.board() == found.0.board());
        let Some((start, variant, rotated)) = found.filter(alike).or(own) else { return };
        if let Some(game) = search.game.as_deref() {
            let known = board_view(search.suspects, game.rotated) | self.blind;
            self.turned_clock = game.beam.best().map(|best| best.white_left == game.rotated);
            if game.begun_plies() == 0
                && game.start == start
                && game.rotated == rotated
                && (game.history.shown().differs(start.board()) & !known).is_empty()
            {
                // It is the same game, whose rules are known.
                let mut same = self.new_game(now, start, game.variant, rotated);
                same.suspect(board_view(search.suspects, rotated));
                search.game = Some(Box::new(same));
                self.tell_clock(search, now);
                self.show_first(search, now);
                return;
            }
            if game.may_have_ended_unseen() && self.doubted.is_none() {
                return search.await_log(now, start, variant, rotated);
            }
            search.end_unshown();
        } else if let Some(ended) = search.ended.as_ref().filter(|_| self.lever_was_left()) {
            self.turned_clock = ended.game.beam.best().map(|best| best.white_left == ended.game.rotated);
        }
        let joined = !shown_by(fields, rotated).differs(start.board()).is_empty();
        if joined && search.begun && !self.has_clock() {
            // Without a clock it is a game where a line leads there: else its pieces may be on their way to the start.
            let mut line = self.new_game(now, start.clone(), variant, rotated);
            line.suspect(board_view(search.suspects, rotated));
            line.observe(now, Event::Gap { fields: Box::new(*fields), late: Bitboard::EMPTY });
            if !line.likeliest(now).is_some_and(Hypothesis::is_shown) {
                return;
            }
        }
        self.rotated = rotated;
        search.begin(self.new_game(now, start, variant, rotated));
        self.tell_clock(search, now);
        self.show_first(search, now);
    }

    /// The game that begins is shown what stands there: squares of its start may be wrong, or plies made already.
    fn show_first(&self, search: &mut Search, now: u64) {
        if let (Some(fields), Some(game)) = (&self.fields, search.game.as_deref_mut()) {
            game.begin_with(now, fields);
        }
    }

    /// A game that begins from this position.
    fn new_game(&self, at: u64, start: Chess, variant: Variant, rotated: bool) -> Game {
        let white_left = self.white_left(rotated, start.turn());
        let mut game = Game::new(at, start, variant, rotated, white_left);
        game.declare_blind(self.blind);
        game
    }

    /// The rules of the next game, and its start if it is not the usual one.
    fn next_variant(&self) -> Variant {
        self.assigned.as_ref().map_or(Variant::Standard, |assigned| assigned.variant)
    }

    fn next_start(&self) -> Chess {
        self.assigned.as_ref().and_then(|assigned| assigned.start.clone()).unwrap_or_default()
    }

    /// Whether a game stands on the board whose beginning is unknown.
    pub(super) fn is_alone(&self) -> bool {
        self.stood_alone.is_some()
    }

    /// The start that stands on the board, its rules, and whether White sits at the far end.
    /// At most so many squares differ from it.
    fn start(&self, search: &Search, fields: &[PieceCode; 64], most: usize) -> Option<(Chess, Variant, bool)> {
        let (variant, usual) = (self.next_variant(), self.next_start());
        let known = |rotated| board_view(search.suspects, rotated) | self.blind;
        let nearest = [self.rotated, !self.rotated]
            .map(|rotated| ((shown_by(fields, rotated).differs(usual.board()) & !known(rotated)).count(), rotated))
            .into_iter()
            .min_by_key(|&(differs, _)| differs)?;
        if nearest.0 == 0 {
            return Some((usual, variant, nearest.1));
        }
        let other = [self.rotated, !self.rotated].into_iter().find_map(|rotated| {
            let (start, _) = chess960_start(&Placement::from_fields(fields, rotated))?;
            Some((start, Variant::Chess960, rotated))
        });
        other.or_else(|| (nearest.0 <= most).then_some((usual, variant, nearest.1)))
    }
}

/// How many fields differ.
fn differing(one: &[PieceCode; 64], other: &[PieceCode; 64]) -> usize {
    one.iter().zip(other).filter(|(one, other)| one != other).count()
}
