//! Finds unseen moves in the board's own log (docs/protocol.md, 6).
//!
//! The log has all changes and presses in order, without times. Each of its games is played to a second recogniser. After a
//! power failure the log lists the pieces on the board: a gap, searched like any other. A logged game counts when it repeats
//! every confirmed move or ends at the present board.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use dgt_protocol::{EventLog, Field, Fields, LogEvent, PieceCode, Side as ClockSide};
use shakmaty::Position;

use super::{Conclusion, LOGS_ASKED, LOGS_MISSED, Recogniser, SEARCH_POSITIONS};
use crate::event::{Evidence, Side};
use crate::line::Line;
use crate::line_search::{SearchLimits, SearchResult, find_line};
use crate::placement::{Placement, square_of};
use crate::play::{LogSearch, Standing};
use crate::time::Timestamp;

/// Time between two events of the log, in ms: too short to start an examination.
const STEP_MS: u64 = 600;
/// Most games of a log; 8 kilobytes have no room for more.
const GAMES_KEPT: usize = 64;
/// Most power failures in one game; each needs a search.
const RESTARTS: usize = 4;

/// Most plies made while the log is being sent.
const PLIES_MEANWHILE: usize = 4;

/// Times after presses by ply, in ms.
type Pressed = BTreeMap<usize, u64>;

/// A game found in a log.
#[derive(Clone, Debug)]
struct Logged {
    /// The recogniser that saw it.
    view: Recogniser,
    pressed: Pressed,
    /// How often the board was without power.
    restarts: usize,
    /// Its plies that were made without power.
    unseen: Vec<RangeInclusive<usize>>,
}

/// The pieces that a log lists after a power failure.
struct Found {
    fields: Fields,
    last: Option<(Field, PieceCode)>,
}

/// A game that began before the board was connected, as far as the board's own log knows it.
#[derive(Clone, Debug, Default)]
pub(super) struct JoinedGame {
    /// Whether it was asked.
    pub(super) search: LogSearch,
    /// How often.
    pub(super) asked: usize,
    /// When it will be.
    pub(super) due: Option<Timestamp>,
    /// A game that it told and that has not begun here.
    pub(super) game: Option<LoggedGame>,
    /// How much of one that has begun is certain.
    pub(super) confirmed: usize,
}

/// A game that the log told, and that begins now.
#[derive(Clone, Debug)]
pub(super) struct LoggedGame {
    line: Line,
    confirmed: usize,
    rotated: bool,
    pressed: Pressed,
}

impl Recogniser {
    /// The board sent its log. `left` is who sits at the clock's left side. Gives back what the clock of the mover showed at
    /// the presses of the moves that were found, by ply.
    pub(crate) fn handle_log(&mut self, now: Timestamp, log: &EventLog, left: Side) -> Pressed {
        let for_gap = self.play.as_ref().is_some_and(|play| matches!(play.log, LogSearch::Asked { .. }));
        let for_start = matches!(self.joined.search, LogSearch::Asked { .. }) && self.is_idle();
        if !for_gap && !for_start {
            // Boards send it unasked too, and so it seems when another message is damaged.
            self.dump_wanted = self.known;
            return Pressed::new();
        }
        self.joined.search = LogSearch::Done;
        let mut games = self.games_of(log, left, for_gap);
        let mut pressed = Pressed::new();
        let same = games.iter().rposition(|game| self.repeats_certain_moves(&game.view)).filter(|_| for_gap);
        let last = games.len().checked_sub(1);
        let followed = |view: &Self| {
            view.play.as_ref().is_some_and(|play| play.over || view.shows_head() || view.only_lifted(play))
        };
        let shows_board = games.last().is_some_and(|game| {
            followed(&game.view) && (self.shows_the_same(&game.view) || self.goes_on_from(&game.view))
        });
        if let Some(play) = self.play.as_mut().filter(|_| for_gap) {
            play.log = LogSearch::Done;
        }
        let tells_this_game = same.filter(|_| same != last || shows_board);
        if let Some(index) = tells_this_game {
            let game = games.swap_remove(index);
            self.take_over(now, &game, same == last);
            pressed = game.pressed;
        }
        if same != last
            && shows_board
            && let Some(game) = games.pop()
            && let Some(line) = game.view.line().filter(|line| line.plies() > 0)
        {
            let (line, confirmed, rotated) = (line.clone(), game.view.confirmed(), game.view.rotated);
            self.joined.game = Some(LoggedGame { line, confirmed, rotated, pressed: game.pressed });
        } else if self.play.is_some() {
            let of_no_use = for_gap && tells_this_game.is_none();
            let most = if same.is_some() { LOGS_ASKED } else { LOGS_MISSED };
            if !of_no_use || !self.ask_log_again(now, most) {
                self.look(now);
            }
        } else {
            self.ask_join_log_again(now);
        }
        // What waited for the log waits no longer.
        self.judge(now);
        pressed
    }

    /// Begins the game that the log told, if it told one that was not known. Gives back what [`Self::handle_log`] does; its
    /// moves follow with [`Self::confirm_logged_game`].
    pub(crate) fn begin_logged_game(&mut self, now: Timestamp) -> Option<Pressed> {
        let LoggedGame { line, confirmed, rotated, pressed } = self.joined.game.take()?;
        if rotated != self.rotated {
            self.turn_round();
        }
        self.begin(now, line.position(0).clone(), line.variant());
        for mv in (1..=line.plies()).filter_map(|ply| line.move_at(ply)) {
            self.push(now, mv);
        }
        self.joined.confirmed = confirmed;
        Some(pressed)
    }

    /// The moves of a game that the log told are certain as far as the log made them so.
    pub(crate) fn confirm_logged_game(&mut self, now: Timestamp) {
        self.confirm_to(self.joined.confirmed, Evidence::Log);
        if let Some(play) = &mut self.play {
            // Moves may have been made while the log was on the line.
            play.gap = true;
            play.log = LogSearch::Done;
        }
        self.look(now);
    }

    /// The log did not come.
    pub(super) fn give_up_log(&mut self, now: Timestamp) {
        if let Some(play) = &mut self.play {
            play.log = LogSearch::Done;
        }
        if !self.ask_log_again(now, LOGS_MISSED) {
            self.examine(now);
        }
    }

    /// Asks again when what the log told is of no use for the moves that are missing, as soon as no hand is at work: it may have
    /// broken off in the middle of a move, or the board have moved on.
    fn ask_log_again(&mut self, now: Timestamp, most: usize) -> bool {
        let Some(play) = self.play.as_mut().filter(|play| play.logs_asked < most) else { return false };
        play.log = LogSearch::Untried;
        if let Standing::Open { changed, examined, .. } = &mut play.standing {
            (*changed, *examined) = (now, false);
        }
        true
    }

    /// What the log told is of no use for a game that nobody saw begin.
    pub(super) fn ask_join_log_again(&mut self, now: Timestamp) {
        self.joined.search = LogSearch::Done;
        if self.joined.asked < LOGS_MISSED {
            self.joined.due = Some(now);
        }
    }

    /// Goes on with this game as the log tells it; what its last position made only likely counts only while it lasts.
    fn take_over(&mut self, now: Timestamp, Logged { view, unseen, .. }: &Logged, goes_on: bool) {
        let (Some(play), Some(line)) = (&mut self.play, view.line()) else { return };
        play.truncate(play.confirmed);
        let plies = if goes_on { line.plies() } else { view.confirmed() };
        for mv in (play.confirmed + 1..=plies).filter_map(|ply| line.move_at(ply)) {
            play.push(now, mv);
        }
        for plies in unseen.iter().filter(|plies| *plies.end() <= view.confirmed()) {
            self.confirm_to(plies.start() - 1, Evidence::Log);
            self.confirm_to(*plies.end(), Evidence::Dump);
        }
        self.confirm_to(view.confirmed(), Evidence::Log);
    }

    /// The games that a log tells, each played to a recogniser of its own from its start on. Only of a game that is `known`
    /// can it be told that it is the same before and after a time without power.
    fn games_of(&self, log: &EventLog, left: Side, known: bool) -> Vec<Logged> {
        let (start, variant) = match self.line() {
            Some(line) => (line.position(0).clone(), line.variant()),
            None => self.start.clone(),
        };
        let wanted = Placement::from_board(start.board());
        let wanted = [wanted.hash(), wanted.turned().hash()];
        let mut placement = Placement::EMPTY;
        // What stands on a board that has power again, while the log names its pieces.
        let mut found: Option<Found> = None;
        let mut games: Vec<Logged> = Vec::new();
        let mut now = Timestamp::ZERO;
        for event in log.events() {
            match (event, &mut found) {
                (LogEvent::Field { field, piece, .. }, Some(found)) if piece != PieceCode::Empty => {
                    found.fields[field.index()] = piece;
                    found.last = Some((field, piece));
                }
                (LogEvent::Field { .. } | LogEvent::Clock { .. }, _) => {
                    if let (Some(found), Some(game)) = (found.take(), games.last_mut()) {
                        now = now.plus(STEP_MS);
                        match game.after(now, found) {
                            Some(gone_on) => *game = gone_on,
                            None => games.clear(),
                        }
                    }
                }
                _ => {}
            }
            match event {
                LogEvent::Field { field, piece, .. } => {
                    placement.set(square_of(field, self.rotated), piece);
                }
                LogEvent::StartPosition | LogEvent::StartPositionRotated => {
                    let start = Placement::from_board(shakmaty::Chess::default().board());
                    let rotated = event == LogEvent::StartPositionRotated;
                    placement = if rotated == self.rotated { start } else { start.turned() };
                }
                LogEvent::PowerUp | LogEvent::Watchdog => {
                    // What happened without power is not in the log.
                    placement = Placement::EMPTY;
                    found = Some(Found { fields: [PieceCode::Empty; 64], last: None });
                    match games.last_mut().filter(|game| known && game.restarts < RESTARTS) {
                        Some(game) => {
                            game.restarts += 1;
                            game.view.unplugged();
                        }
                        None => games.clear(),
                    }
                }
                _ => {}
            }
            let stands = wanted.iter().position(|&hash| hash == placement.hash());
            if let Some(turned) = stands.filter(|_| !matches!(event, LogEvent::Clock { .. })) {
                let mut view = Self { rotated: self.rotated, lever: true, ..Self::new() };
                view.expect_start(start.clone(), variant);
                view.placement = placement;
                view.known = true;
                if turned == 1 {
                    view.turn_round();
                }
                view.begin(now, start.clone(), variant);
                view.conclusions.clear();
                found = None;
                games.retain(|game| game.view.line().is_some_and(|line| line.plies() > 0));
                if games.len() < GAMES_KEPT {
                    games.push(Logged { view, pressed: Pressed::new(), restarts: 0, unseen: Vec::new() });
                }
                continue;
            }
            if found.is_some() {
                continue;
            }
            if let Some(game) = games.last_mut().filter(|game| !game.view.is_over()) {
                now = now.plus(STEP_MS);
                game.hear(now, event, left);
            }
        }
        games
    }

    /// Whether another recogniser found all moves that are certain here.
    fn repeats_certain_moves(&self, other: &Self) -> bool {
        let (Some(line), Some(logged)) = (self.line(), other.line()) else { return false };
        let confirmed = self.confirmed();
        logged.plies() >= confirmed && (1..=confirmed).all(|ply| line.move_at(ply) == logged.move_at(ply))
    }

    /// Whether the board can have come from where another recogniser sees the game, while the log was on the line.
    fn goes_on_from(&self, other: &Self) -> bool {
        let Some(line) = other.line() else { return false };
        let placement = if other.rotated == self.rotated { self.placement } else { self.placement.turned() };
        let limits = SearchLimits {
            at_least: 0,
            plies: PLIES_MEANWHILE,
            positions: SEARCH_POSITIONS,
            any_order: true,
            touched: None,
            faults: line.faults(),
        };
        find_line(line.head(), &placement, limits, |_| Some(0)) != SearchResult::None
    }

    /// Whether another recogniser sees this board, but for pieces that are in a hand.
    fn shows_the_same(&self, other: &Self) -> bool {
        let placement = if other.rotated == self.rotated { other.placement } else { other.placement.turned() };
        self.placement
            .difference(&placement)
            .iter()
            .all(|&square| self.placement.get(square) == PieceCode::Empty || placement.get(square) == PieceCode::Empty)
    }
}

impl Logged {
    /// The game when the board has power again, if one line leads to what it found. A hand may have put down the piece that was
    /// found last, before it lifted one.
    fn after(&self, now: Timestamp, mut found: Found) -> Option<Self> {
        let stood = self.clone().goes_on_at(now, &found.fields);
        if stood.is_some() {
            return stood;
        }
        let (field, piece) = found.last?;
        found.fields[field.index()] = PieceCode::Empty;
        let mut without = self.clone().goes_on_at(now, &found.fields)?;
        without.view.handle_update(now, field, piece);
        Some(without)
    }

    fn goes_on_at(mut self, now: Timestamp, fields: &Fields) -> Option<Self> {
        let before = self.plies();
        if let Some(play) = &mut self.view.play {
            // There is no other log to ask.
            play.log = LogSearch::Done;
        }
        self.view.handle_dump(now, fields, None);
        if !self.view.shows_head() {
            self.view.examine(now);
        }
        if self.plies() > before {
            self.unseen.push(before + 1..=self.plies());
        }
        let play = self.view.play.as_ref()?;
        (self.view.shows_head() || self.view.only_lifted(play)).then_some(self)
    }

    fn plies(&self) -> usize {
        self.view.line().map_or(0, Line::plies)
    }

    fn hear(&mut self, now: Timestamp, event: LogEvent, left: Side) {
        match event {
            LogEvent::Field { field, piece, .. } => self.view.handle_update(now, field, piece),
            LogEvent::Clock { side, total_seconds } => {
                let mover = if side == ClockSide::Left { left } else { left.other() };
                self.view.handle_press(now, mover);
                while let Some(conclusion) = self.view.conclusions.pop_front() {
                    if let Conclusion::Confirmed { ply, evidence: Evidence::Lever, .. } = conclusion {
                        self.pressed.insert(ply, u64::from(total_seconds) * 1000);
                    }
                }
            }
            _ => {}
        }
    }
}
