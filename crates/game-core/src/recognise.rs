//! From what stands on the board to what was played.
//!
//! Keeps the line of play that explains the board, follows every placement one legal move away from the last two
//! positions, and holds the newest move back as *provisional* until something confirms it: the clock's lever, a reply
//! that is legal from it, or enough quiet. So slides, hesitation, rook-first castling and promotion choices correct
//! themselves before anybody hears of them. A placement that is several plies away is bridged; one that nothing
//! explains is said to be unexplained and play resumes from it when it can.
//!
//! Knows placements, the rules, and time as an argument. Knows nothing of bytes, clock readings, storage or viewers.

mod ending;
mod explain;
mod follow;
mod hypotheses;
mod log;
mod start;
mod witness;

use std::collections::VecDeque;

use dgt_protocol::{Field, Fields, PieceCode};
use hypotheses::Hypothesis;
use log::LoggedGame;
use notation::pgn::Outcome;
use shakmaty::{Bitboard, Chess, Position, Square};
use start::stands_turned;

use crate::event::{Evidence, Side, Variant};
use crate::lens::Lens;
use crate::line::Line;
use crate::placement::{Placement, square_of};
use crate::play::{Claim, LogSearch, Play, Standing, Stood};
use crate::quiet::quiet_ms;
use crate::sign::SIGN_HELD_MS;
use crate::time::Timestamp;
use crate::touched::Touched;

/// A placement that nothing explains is looked at closely when it stood unchanged this long, in ms: two to three scans
/// of the board (protocol paper, 9).
const SETTLE_MS: u64 = 700;
/// A published move is taken back only when what contradicts it stood this long.
const CORRECTION_MS: u64 = 3_000;
/// A position that nothing explains is told to the arbiter after this long.
const UNEXPLAINED_MS: u64 = 10_000;
/// Pieces in the hand are no error for at least this long (behaviour paper, 1.4).
const IN_HAND_MS: u64 = 60_000;
/// A press belongs to a move that is seen at most this much later.
const PRESS_BEFORE_MOVE_MS: u64 = 1_500;
/// A dump cannot overrule a change reported after the dump was asked for; it is asked for again after this long.
const DUMP_AGAIN_MS: u64 = 500;
/// Most plies to bridge; the bound on positions keeps the worst search to some milliseconds.
const BRIDGE_PLIES: usize = 6;
const BRIDGE_POSITIONS: usize = 30_000;
/// A move seen this long after the clock was stopped was still made before: a scan and the line, in ms.
const STOP_MS: u64 = 1_000;
/// The board's log takes 8 s of the line (protocol paper, 3); it is not waited for longer than this, in ms.
const LOG_MS: u64 = 20_000;
/// How far back a takeback is looked for.
const TAKEBACK_PLIES: usize = 40;
/// A start position after fewer plies than this is a takeback, after more a new game.
const NEW_GAME_PLIES: usize = 3;

/// What recognition concluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// A new game begins; an earlier one has ended.
    Started,
    /// The line's ply is certain.
    Confirmed {
        /// From 1, in order.
        ply: usize,
        /// When it was first on the board.
        seen: Timestamp,
        /// Why.
        evidence: Evidence,
    },
    /// Confirmed plies after this one were not played after all.
    Retracted {
        /// The last ply that stays.
        to_ply: usize,
        /// The clock was pressed on the plies after it all the same: the moves that replace them are the ones that were made.
        pressed: bool,
    },
    /// Nothing explains these squares.
    Unexplained(Vec<Square>),
    /// The board is explained again.
    Resolved,
    /// The game is over by the rules or by a sign.
    Over {
        /// The result.
        outcome: Outcome,
        /// What tells it.
        reason: &'static str,
        /// On what evidence.
        evidence: Evidence,
    },
    /// What ended the game was undone on the board: it goes on.
    Undone,
}

/// The recogniser of one board.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub struct Recogniser {
    placement: Placement,
    /// Whether a dump or a start gave the placement a base.
    known: bool,
    rotated: bool,
    start: (Chess, Variant),
    start_hashes: [u64; 2],
    /// A Chess960 start that stood on the board before a game, and whether it stood turned round.
    stood: Option<(Line, bool)>,
    /// Squares that are not believed: declared by a person, or found; on the board as it stands.
    blind: Bitboard,
    /// Those of them that were found.
    found: Bitboard,
    /// Squares that have reported a piece.
    working: Bitboard,
    /// Other ways to see the board while nothing explains it.
    hypotheses: Vec<Hypothesis>,
    /// This recogniser follows a hypothesis of another.
    speculative: bool,
    /// A square that it does not believe has shown to work.
    refuted: bool,
    /// While no game is played: when what stands there is looked at.
    settles_at: Option<Timestamp>,
    /// The squares on which a start position is wrong, when that is told, and whether it was.
    wrong_start: Vec<Square>,
    wrong_start_due: Option<Timestamp>,
    wrong_start_told: bool,
    /// Whether the board's own log was asked about a game that began before anybody looked, and when it will be.
    joined: LogSearch,
    join_log_due: Option<Timestamp>,
    /// A game that the log told and that has not begun here, and how much of one that has begun is certain.
    logged_game: Option<LoggedGame>,
    logged_confirmed: usize,
    /// Squares with changes since the board last showed the head.
    touched: Touched,
    changed_at: [Timestamp; 64],
    play: Option<Play>,
    lever: bool,
    /// Whose time runs.
    running: Option<Side>,
    /// Since when the clock stands that was at work in this game.
    stopped: Option<Timestamp>,
    dump_wanted: bool,
    log_wanted: bool,
    dump_again_at: Option<Timestamp>,
    conclusions: VecDeque<Conclusion>,
}

impl Default for Recogniser {
    fn default() -> Self {
        Self::new()
    }
}

impl Recogniser {
    /// A recogniser that has seen nothing and waits for the usual start position.
    pub fn new() -> Self {
        let mut new = Self {
            placement: Placement::EMPTY,
            known: false,
            rotated: false,
            start: (Chess::default(), Variant::Standard),
            start_hashes: [0; 2],
            stood: None,
            blind: Bitboard::EMPTY,
            found: Bitboard::EMPTY,
            working: Bitboard::EMPTY,
            hypotheses: Vec::new(),
            speculative: false,
            refuted: false,
            settles_at: None,
            wrong_start: Vec::new(),
            wrong_start_due: None,
            wrong_start_told: false,
            joined: LogSearch::Untried,
            join_log_due: None,
            logged_game: None,
            logged_confirmed: 0,
            touched: Touched::NOTHING,
            changed_at: [Timestamp::ZERO; 64],
            play: None,
            lever: false,
            running: None,
            stopped: None,
            dump_wanted: false,
            log_wanted: false,
            dump_again_at: None,
            conclusions: VecDeque::new(),
        };
        new.expect_start(Chess::default(), Variant::Standard);
        new
    }

    /// The line of play, while there is a game.
    pub fn line(&self) -> Option<&Line> {
        self.play.as_ref().map(|play| &play.line)
    }

    /// When the first ply of the line was first on the board.
    pub fn first_seen(&self) -> Option<Timestamp> {
        self.play.as_ref().and_then(|play| play.seen.first().copied())
    }

    /// How many plies of the line are confirmed.
    pub fn confirmed(&self) -> usize {
        self.play.as_ref().map_or(0, |play| play.confirmed)
    }

    /// What stands on the board, in real squares.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Whether White sits at the far end.
    pub fn rotated(&self) -> bool {
        self.rotated
    }

    /// The squares on which the start position that stands on the board is wrong, until a game begins or it is mended.
    pub fn wrong_start(&self) -> &[Square] {
        &self.wrong_start
    }

    /// Whether the game has ended for the board.
    pub fn is_over(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.over)
    }

    /// Whether the board shows the position after the last move.
    pub fn shows_head(&self) -> bool {
        self.play.as_ref().is_some_and(|play| matches!(play.standing, Standing::Head { .. }))
    }

    /// Whether changes may have gone unseen since the board last showed the head.
    pub fn has_gap(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.gap)
    }

    /// What the clock does. Whose time is `running`, if it is at work: its lever confirms moves instead of quiet; stopped after it was at work, nothing that
    /// is done on the board counts until it runs again or is pressed.
    pub fn set_clock(&mut self, now: Timestamp, running: Option<Side>, stopped: bool) {
        let at_work = running.is_some();
        self.each_view(|view| view.set_clock(now, running, stopped));
        self.running = running;
        self.lever = at_work;
        let restarted = self.stopped.is_some() && !stopped;
        let went_back = self.play.as_ref().filter(|_| restarted).and_then(|play| self.contradiction(play));
        self.stopped = stopped.then(|| self.stopped.unwrap_or(now));
        if let (true, Some(play)) = (restarted, &mut self.play) {
            // What was wrong on the board has been dealt with.
            play.stood.clear();
        }
        let claim = self.play.as_ref().and_then(|play| play.claim);
        // The clock may run for the next game, whose pieces stand there, if not quite right.
        if at_work && claim == Some(Claim::Sign) && self.wrong_start.is_empty() {
            self.undo_end(now);
        }
        if let (Some(play), Some(since)) = (&mut self.play, self.stopped) {
            // The sign counts while the clock stands.
            play.sign_since = play.sign_since.map(|shown| shown.max(since));
        }
        // What the players went back to while the clock stood is where they go on from.
        if let Some(went_back) = went_back
            && let Some(play) = self.play.as_ref().filter(|play| !play.over)
            && let Standing::Open { changed, .. } = play.standing
            && now.since(changed) >= SETTLE_MS
        {
            self.correct(now, went_back);
        }
    }

    /// How many plies of the line were made while the clock did not stand.
    fn firm(&self, play: &Play) -> usize {
        let head = play.line.plies();
        let Some(stopped) = self.stopped else { return head };
        let before = |&&seen: &&Timestamp| seen <= stopped.plus(STOP_MS);
        play.seen.iter().take_while(before).count().clamp(play.confirmed, head)
    }

    /// The position from which the next game starts.
    pub fn expect_start(&mut self, start: Chess, variant: Variant) {
        let placement = Placement::from_board(start.board());
        self.start_hashes = [placement, placement.turned()].map(|placement| placement.without(self.blind).hash());
        self.start = (start, variant);
    }

    /// Starts a game from a position at once, whatever stood there before.
    pub fn start_from(&mut self, now: Timestamp, start: Chess, variant: Variant) {
        let wanted = Placement::from_board(start.board());
        if !self.known {
            self.placement = wanted.without(self.blind);
            self.known = true;
        } else if self.placement.turned().hash() == wanted.without(self.blind.rotate_180()).hash() {
            self.turn_round();
        }
        self.begin(now, start, variant);
        self.look(now);
    }

    /// Goes on with a game whose moves are confirmed already, on a board whose `blind` squares are not believed.
    pub fn resume(&mut self, now: Timestamp, mut line: Line, rotated: bool, over: bool, blind: Bitboard) {
        (self.blind, self.found) = (blind, blind);
        line.look_through(Lens::blind(blind));
        if !self.known {
            self.placement = line.head_placement();
        }
        self.rotated = rotated;
        self.expect_start(self.start.0.clone(), self.start.1);
        self.play = Some(Play { over, gap: true, ..Play::new(line, now) });
    }

    /// Somebody who knows says which moves were played; the board is looked at again from there.
    pub fn set_line(&mut self, now: Timestamp, line: &Line) {
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
        play.forget_what_stood();
        self.hypotheses.clear();
        self.confirm_to(line.plies(), Evidence::Command);
        self.look_through_misreading();
        self.look(now);
    }

    /// Changes may go unseen from now on: the board is out of reach.
    pub fn lost_sight(&mut self) {
        self.hypotheses.clear();
        self.joined = LogSearch::Untried;
        self.join_log_due = None;
        if let Some(play) = &mut self.play {
            play.gap = true;
            play.log = LogSearch::Untried;
            play.press = None;
        }
    }

    /// Ends the game: nothing more on the board belongs to it.
    pub fn close(&mut self) {
        if let Some(play) = &mut self.play {
            play.over = true;
        }
    }

    /// The end of the game stands: nothing on the board undoes it any more.
    pub fn settle_end(&mut self) {
        if let Some(play) = &mut self.play {
            play.claim = None;
        }
    }

    /// The next conclusion, in order.
    pub fn poll(&mut self) -> Option<Conclusion> {
        self.conclusions.pop_front()
    }

    /// Whether a dump should be asked for; asking resets it.
    pub fn take_dump_wish(&mut self) -> bool {
        std::mem::take(&mut self.dump_wanted)
    }

    /// Whether the board's own log should be asked for; asking resets it.
    pub fn take_log_wish(&mut self) -> bool {
        std::mem::take(&mut self.log_wanted)
    }

    /// When [`Self::handle_timeout`] is due next.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let play = self.play.as_ref().and_then(|play| self.play_deadline(play));
        let others =
            [self.dump_again_at, self.settles_at, self.wrong_start_due, self.join_log_due, self.hypotheses_deadline()];
        others.into_iter().chain([play]).flatten().min()
    }

    fn play_deadline(&self, play: &Play) -> Option<Timestamp> {
        if play.is_over() {
            return None;
        }
        let sign = play.sign_since.filter(|_| !self.lever).map(|since| since.plus(SIGN_HELD_MS));
        let standing = match play.standing {
            Standing::Head { since } => {
                (self.firm(play) > play.confirmed).then(|| since.plus(quiet_ms(&play.line, self.lever)))
            }
            Standing::Open { changed, examined: false, .. } => Some(changed.plus(SETTLE_MS)),
            Standing::Open { since, changed, examined: true } => [
                (!play.unexplained_told).then(|| since.plus(self.patience_ms(play))),
                self.correction(play).map(|_| changed.plus(CORRECTION_MS)),
                match play.log {
                    LogSearch::Asked { until } => Some(until),
                    LogSearch::Untried | LogSearch::Done => None,
                },
            ]
            .into_iter()
            .flatten()
            .min(),
        };
        [sign, standing].into_iter().flatten().min()
    }

    /// A field update. The placement follows it whatever it says.
    pub fn handle_update(&mut self, now: Timestamp, field: Field, piece: PieceCode) {
        self.each_view(|view| view.handle_update(now, field, piece));
        let square = square_of(field, self.rotated);
        self.changed_at[square.to_usize()] = now;
        if piece != PieceCode::Empty {
            self.working.add(square);
        }
        if self.blind.contains(square) {
            self.hear_blind(now, square, piece);
        } else {
            self.touched.add(square, piece);
            if self.placement.set(square, piece) == piece {
                // What came before it was lost.
                self.dump_wanted = self.known;
            } else {
                self.look(now);
            }
        }
        self.judge(now);
    }

    /// A full dump, asked for at `asked`: the truth, except for squares that changed after it was asked for.
    pub fn handle_dump(&mut self, now: Timestamp, fields: &Fields, asked: Option<Timestamp>) {
        self.each_view(|view| view.handle_dump(now, fields, asked));
        let mut shown = Placement::from_fields(fields, self.rotated);
        if !self.known && self.play.is_none() && !self.blind.is_empty() && stands_turned(&shown) {
            // Somebody named squares of a board that nobody had looked at.
            self.rotated = !self.rotated;
            shown = shown.turned();
        }
        for square in shown.occupied() {
            self.working.add(square);
        }
        for square in self.found {
            self.hear_blind(now, square, shown.get(square));
        }
        let dump = shown.without(self.blind);
        let before = self.placement.hash();
        let (mut changed, mut doubtful) = (false, false);
        for square in self.placement.difference(&dump) {
            let late = asked.is_some_and(|asked| self.changed_at[square.to_usize()] >= asked);
            if late && self.known {
                self.dump_again_at = Some(now.plus(DUMP_AGAIN_MS));
                doubtful = true;
            } else {
                self.placement.set(square, dump.get(square));
                self.touched.add(square, dump.get(square));
                changed = true;
            }
        }
        if let (true, Some(play)) = (changed && self.known, &mut self.play) {
            play.mended = true;
        }
        if !doubtful {
            self.bear_witness(before);
        }
        let unlooked = |play: &Play| play.gap && !matches!(play.standing, Standing::Open { examined: true, .. });
        let unsure = !self.known || self.play.as_ref().is_some_and(unlooked);
        if changed || unsure {
            let first = !std::mem::replace(&mut self.known, true);
            self.look(now);
            if first && self.play.is_none() {
                // A move may be made from here before it has settled.
                self.look_for_unseen_start(now);
            }
        }
        self.judge(now);
    }

    /// A player pressed the clock.
    pub fn handle_press(&mut self, now: Timestamp, side: Side) {
        self.each_view(|view| view.handle_press(now, side));
        if let Some(play) = &mut self.play {
            play.press = Some((side, now));
            if matches!(play.standing, Standing::Open { .. }) {
                play.presses += 1;
                play.note(Stood { placement: self.placement, pressed: Some(side), sure: false });
            }
            self.use_press(now);
        }
        self.judge(now);
    }

    /// Runs what is due at `now`.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        self.each_view(|view| {
            if view.next_deadline().is_some_and(|due| due <= now) {
                view.handle_timeout(now);
            }
        });
        self.run_deadlines(now);
        self.judge(now);
    }

    fn run_deadlines(&mut self, now: Timestamp) {
        if self.settles_at.is_some_and(|at| at <= now) {
            self.settles_at = None;
            self.dump_wanted = true;
            self.look_for_unseen_start(now);
        }
        if self.wrong_start_due.is_some_and(|at| at <= now) {
            self.tell_wrong_start();
        }
        if self.join_log_due.is_some_and(|at| at <= now) {
            self.join_log_due = None;
            self.joined = LogSearch::Asked { until: now.plus(LOG_MS) };
            self.log_wanted = true;
        }
        if self.dump_again_at.is_some_and(|at| at <= now) {
            self.dump_again_at = None;
            self.dump_wanted = true;
        }
        let Some(play) = &self.play else { return };
        if self.play_deadline(play).is_none_or(|at| at > now) {
            return;
        }
        if !self.lever && play.sign_since.is_some_and(|since| now.since(since) >= SIGN_HELD_MS) {
            self.end_by_sign();
            return;
        }
        match play.standing {
            Standing::Head { .. } => self.confirm_to(self.firm(play), Evidence::Quiet),
            Standing::Open { examined: false, .. } => self.examine(now),
            Standing::Open { since, changed, examined: true } => {
                if matches!(play.log, LogSearch::Asked { until } if until <= now) {
                    self.give_up_log(now);
                } else if now.since(changed) >= CORRECTION_MS
                    && let Some(correction) = self.correction(play)
                {
                    self.correct(now, correction);
                } else if now.since(since) >= self.patience_ms(play) {
                    self.tell_unexplained();
                }
            }
        }
    }
}
