//! One table: board, clock and players in hall time, without I/O.
//!
//! Executes the script of each game on board and clock. Must not know links, threads or real time: the same seed gives the
//! same messages in the same order, at whatever times [`Table::advance`] is called.

use std::collections::VecDeque;

use dgt_protocol::Side;
use fastrand::Rng;
use notation::pgn::{Game, Tags};
use shakmaty::{Board, Color, Piece, Position, Role, Square};

use crate::{
    board::{BoardMode, OwnLog, SimBoard},
    clock::{SimClock, other_side},
    hands::Touch,
    model::Model,
    pieces::{Pieces, SensorChange},
    plan::Plan,
    play,
    play_options::PlayOptions,
    script::{Action, Script},
    script_builder::beginnings::set_up_as,
    trouble::Trouble,
};

/// The settings of a table.
#[derive(Clone, Debug)]
pub struct TableSettings {
    /// The serial number of the board, at most five digits.
    pub serial: u32,
    /// The firmware version of the board, main and sub.
    pub version: (u8, u8),
    /// The board lies the other way round: White's pieces stand on fields 0 to 15.
    pub rotated: bool,
    /// The side of the clock at which White sits.
    pub white_side: Side,
    /// Whether the board keeps a log of its own.
    pub own_log: OwnLog,
    /// How games are played.
    pub play: PlayOptions,
    /// Seed of everything random at this table.
    pub seed: u64,
}

/// Where a table is in its queue of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The pieces are being set up.
    SettingUp,
    /// The pieces stand at the start position; the players wait for the start.
    Ready,
    /// A game is on, or its result is being shown.
    Playing,
    /// All games are over.
    Done,
}

/// One table. Times are milliseconds of hall time.
#[derive(Clone, Debug)]
pub struct Table {
    settings: TableSettings,
    board: SimBoard,
    clock: Option<SimClock>,
    /// The model of board and clock line; `None`: a scan row by row, and readings that arrive at once.
    model: Option<Model>,
    /// What stands on the board, whether the scan has seen it or not.
    pieces: Pieces,
    phase: Phase,
    script: Script,
    /// Hall time of the start of the script: a multiple of the scan period, so that a longer wait never changes what the scan
    /// sees.
    script_began_ms: u64,
    queue: VecDeque<Plan>,
    /// What the clock showed after each ply of the game being played.
    clk_ms: Vec<Option<u64>>,
    plies: u64,
    last_touch_ms: u64,
    clock_plugged: bool,
    taken_back: usize,
    played: Vec<Game>,
    /// What the clock showed after each ply of each game that is over.
    clock_times: Vec<Vec<Option<u64>>>,
    paused: Option<Pause>,
    rng: Rng,
}

#[derive(Clone, Copy, Debug)]
struct Pause {
    since_ms: u64,
    clock_was_running: bool,
}

impl Table {
    /// A table ready for its first game: the pieces stand on the board, the players wait for the start.
    pub fn new(settings: TableSettings, games: Vec<Plan>) -> Self {
        let mut rng = Rng::with_seed(settings.seed);
        let mut scan_ms = rng.u64(200..=250);
        let model = settings.play.pace.is_independent().then(|| Model::new(settings.seed));
        scan_ms = model.as_ref().map_or(scan_ms, |model| model.scan_ms);
        let mut board =
            SimBoard::new(settings.serial, settings.version, scan_ms, rng.u64(..)).with_log(settings.own_log);
        if let Some(model) = &model {
            board = board.of_model(model);
        }
        let troubles = settings.play.troubles;
        let pieces = games.first().map_or_else(Board::empty, |plan| set_up_as(troubles, plan, &mut rng));
        let mut table = Self {
            board,
            clock: None,
            model,
            phase: Phase::Done,
            script: Script::default(),
            script_began_ms: 0,
            queue: games.into(),
            clk_ms: Vec::new(),
            plies: 0,
            last_touch_ms: 0,
            clock_plugged: true,
            taken_back: 0,
            played: Vec::new(),
            clock_times: Vec::new(),
            paused: None,
            pieces: Pieces::new(settings.rotated),
            settings,
            rng,
        };
        for (square, piece) in pieces {
            table.touch(0, Touch::Place(square, piece));
        }
        table.board.power_on();
        table.set_clock(0);
        if !table.queue.is_empty() {
            table.phase = Phase::Ready;
        }
        table
    }

    /// Lets hall time pass. `may_start`: the players of this table begin their game if they are ready.
    pub fn advance(&mut self, now_ms: u64, may_start: bool) {
        while let Some(due_ms) = self.next_due().filter(|&due_ms| due_ms <= now_ms) {
            if self.next_action().is_some_and(|(at_ms, _)| at_ms <= due_ms) {
                self.do_next(due_ms);
            } else if self.clock.as_ref().and_then(SimClock::next_change).is_some_and(|at_ms| at_ms <= due_ms) {
                if let Some(clock) = &mut self.clock {
                    clock.advance(due_ms);
                }
                self.show_clock(due_ms);
            } else if let Some(reading) = self.model.as_mut().and_then(|model| model.clock_line.next_arrived(due_ms)) {
                self.board.show_clock(due_ms, reading.clock);
            } else {
                self.board.advance(due_ms);
            }
        }
        if self.phase == Phase::Ready && may_start && self.paused.is_none() {
            self.begin(now_ms);
        }
    }

    /// When something happens next without outside cause.
    pub fn next_due(&self) -> Option<u64> {
        let clock_ms = self.clock.as_ref().and_then(SimClock::next_change);
        let action_ms = self.next_action().map(|(at_ms, _)| at_ms);
        let reading_ms = self.model.as_ref().and_then(|model| model.clock_line.next_due());
        [self.board.next_due(), clock_ms, action_ms, reading_ms].into_iter().flatten().min()
    }

    /// Stops play and the clock, as when the arbiter is called.
    pub fn pause(&mut self, now_ms: u64) {
        if self.paused.is_some() {
            return;
        }
        let clock_was_running = self.clock.as_ref().is_some_and(SimClock::is_running);
        self.paused = Some(Pause { since_ms: now_ms, clock_was_running });
        if let Some(clock) = &mut self.clock {
            clock.stop(now_ms);
        }
        self.show_clock(now_ms);
    }

    /// Play goes on after [`Table::pause`].
    pub fn resume(&mut self, now_ms: u64) {
        let Some(pause) = self.paused.take() else {
            return;
        };
        let scan_ms = self.board.scan_ms();
        let lost_ms = now_ms.saturating_sub(pause.since_ms).div_ceil(scan_ms) * scan_ms;
        if pause.clock_was_running {
            let at_ms = pause.since_ms.saturating_sub(self.script_began_ms);
            self.script.insert_first(at_ms, Action::StartClock);
        }
        self.script_began_ms += lost_ms;
    }

    /// The game goes on on another board: the pieces stand there as they stood here, perhaps the other way round, and the
    /// clock is plugged in there. The board has no power yet.
    pub(crate) fn exchange_board(&mut self, now_ms: u64, serial: u32, rotated: bool) {
        let (scan_ms, seed) = (self.board.scan_ms(), self.rng.u64(..));
        self.board = SimBoard::new(serial, self.settings.version, scan_ms, seed).with_log(self.settings.own_log);
        if let Some(model) = &mut self.model {
            model.clock_line.restart();
            self.board = self.board.clone().of_model(model);
        }
        self.settings.rotated = rotated;
        let pieces = std::mem::replace(&mut self.pieces, Pieces::new(rotated)).actual().clone();
        for (square, piece) in pieces {
            self.touch(now_ms, Touch::Place(square, piece));
        }
        self.show_clock(now_ms);
    }

    /// Whether White's pieces stand on fields 0 to 15.
    pub fn is_rotated(&self) -> bool {
        self.pieces.is_rotated()
    }

    /// The board.
    pub fn board(&self) -> &SimBoard {
        &self.board
    }

    /// The board, to exchange bytes with it or to cut its power.
    pub fn board_mut(&mut self) -> &mut SimBoard {
        &mut self.board
    }

    /// Where the table is.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Plies made in all games of this table so far.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// For how long a player's time has run since the clock was set; `None` without a clock.
    pub fn ran_ms(&self, color: Color) -> Option<u64> {
        self.clock.as_ref().map(|clock| clock.ran_ms(self.side_of(color)))
    }

    /// When a square was touched last.
    pub fn last_touch_ms(&self) -> u64 {
        self.last_touch_ms
    }

    /// How often plies that were pressed have been taken back.
    pub fn taken_back(&self) -> usize {
        self.taken_back
    }

    /// Plies of the game being played that are made.
    pub fn ply(&self) -> usize {
        if self.phase == Phase::Playing { self.clk_ms.len() } else { 0 }
    }

    /// Whether the clock was pressed for the last ply while it was plugged in.
    pub fn press_was_seen(&self) -> bool {
        self.clock_plugged && self.clk_ms.last().is_some_and(Option::is_some)
    }

    /// The games that are over, as they were played.
    pub fn played(&self) -> &[Game] {
        &self.played
    }

    /// What the mover's clock showed after each ply of each game that is over, in whole seconds as milliseconds; `None` for
    /// plies without a press.
    pub fn clock_times(&self) -> &[Vec<Option<u64>>] {
        &self.clock_times
    }

    /// The tags of the game being played or prepared; `None` when all are over.
    pub fn current(&self) -> Option<&Tags> {
        self.plan().map(|plan| &plan.tags)
    }

    /// The game being played or prepared; `None` when all are over.
    pub fn plan(&self) -> Option<&Plan> {
        self.queue.front()
    }

    /// The pieces as they stand.
    pub fn pieces(&self) -> &Board {
        self.pieces.actual()
    }

    fn next_action(&self) -> Option<(u64, Action)> {
        let (at_ms, action) = self.script.next().filter(|_| self.paused.is_none())?;
        Some((self.script_began_ms + at_ms, action))
    }

    /// Begins the script of the next game at the next full scan.
    fn begin(&mut self, now_ms: u64) {
        let Some(plan) = self.queue.front() else {
            return;
        };
        let script = play::play(plan, self.pieces.actual(), self.settings.play, &mut self.rng);
        self.clk_ms.clear();
        self.start_script(now_ms, script, Phase::Playing);
    }

    fn start_script(&mut self, now_ms: u64, script: Script, phase: Phase) {
        self.script_began_ms = now_ms.next_multiple_of(self.board.scan_ms());
        self.script = script;
        self.phase = phase;
    }

    fn do_next(&mut self, now_ms: u64) {
        let Some((_, action)) = self.script.next() else {
            return;
        };
        self.script.pop();
        match action {
            Action::Touch(touch) => self.touch(now_ms, touch),
            Action::SetClock => self.set_clock(now_ms),
            Action::StartClock => {
                if let Some(clock) = &mut self.clock {
                    clock.start(now_ms);
                }
                self.show_clock(now_ms);
            }
            Action::StopClock => {
                if let Some(clock) = &mut self.clock {
                    clock.stop(now_ms);
                }
                self.show_clock(now_ms);
            }
            Action::Ply { pressed } => self.complete_ply(now_ms, pressed),
            Action::Press(color) => {
                self.press(now_ms, color);
            }
            Action::PressLate => {
                let shown_ms =
                    self.mover(self.clk_ms.len().saturating_sub(1)).and_then(|mover| self.press(now_ms, mover));
                if let Some(clk_ms) = self.clk_ms.last_mut() {
                    *clk_ms = shown_ms;
                }
            }
            Action::SetTime(color, ms) => {
                let side = self.side_of(color);
                if let Some(clock) = &mut self.clock {
                    clock.set_remaining(side, ms, now_ms);
                }
                self.show_clock(now_ms);
            }
            Action::ClockPlugged(plugged) => {
                self.clock_plugged = plugged;
                self.show_clock(now_ms);
            }
            Action::TakenBack => self.taken_back += 1,
            Action::ResultPiece(square, winner) => {
                let sensed = self.pieces.declare(square, winner);
                self.sense(now_ms, sensed);
            }
            Action::Misread { square, piece, as_piece } => {
                let sensed = self.pieces.misread(square, piece, as_piece);
                self.sense(now_ms, sensed);
            }
            Action::Ready => self.phase = Phase::Ready,
            Action::GameOver => self.game_over(now_ms),
        }
    }

    fn touch(&mut self, now_ms: u64, touch: Touch) {
        self.last_touch_ms = now_ms;
        let mut sensed = self.pieces.touch(touch);
        if let Touch::Place(square, piece) = touch
            && self.is_upside_down(square, piece)
        {
            sensed = self.pieces.misread(square, piece, Piece { role: Role::Rook, ..piece });
        }
        self.sense(now_ms, sensed);
    }

    /// Whether this is the first new queen of the game, and a rook upside down.
    fn is_upside_down(&self, square: Square, piece: Piece) -> bool {
        if !self.settings.play.troubles.has(Trouble::UpsideDown) || piece.role != Role::Queen {
            return false;
        }
        let promotions = self.plan().into_iter().flat_map(|plan| plan.plies.iter().enumerate());
        let first =
            promotions.filter(|(_, ply)| ply.m.promotion() == Some(Role::Queen)).min_by_key(|(index, _)| *index);
        self.phase == Phase::Playing && first.is_some_and(|(index, ply)| index == self.ply() && ply.m.to() == square)
    }

    fn sense(&mut self, now_ms: u64, sensed: SensorChange) {
        if let Some((field, code)) = sensed {
            self.board.touch(now_ms, field, code);
        }
    }

    fn set_clock(&mut self, now_ms: u64) {
        self.clock = self
            .queue
            .front()
            .filter(|_| self.settings.play.clock)
            .map(|plan| plan.clock_at(self.settings.white_side, now_ms));
        self.show_clock(now_ms);
    }

    fn show_clock(&mut self, now_ms: u64) {
        let reading = self.clock.as_ref().filter(|_| self.clock_plugged).map(SimClock::reading);
        match &mut self.model {
            Some(model) => model.clock_line.send(now_ms, self.board.mode() == BoardMode::Bus, reading),
            None => self.board.show_clock(now_ms, reading),
        }
    }

    fn complete_ply(&mut self, now_ms: u64, pressed: bool) {
        let Some(mover) = self.mover(self.clk_ms.len()) else {
            return;
        };
        let clk_ms = if pressed { self.press(now_ms, mover) } else { None };
        self.clk_ms.push(clk_ms);
        self.plies += 1;
        self.show_clock(now_ms);
    }

    /// Who makes the ply of this index in the game being played.
    fn mover(&self, index: usize) -> Option<Color> {
        let first = self.queue.front()?.start.turn();
        Some(if index.is_multiple_of(2) { first } else { first.other() })
    }

    /// Presses a player's side. Returns what it shows then, in milliseconds.
    fn press(&mut self, now_ms: u64, color: Color) -> Option<u64> {
        let side = self.side_of(color);
        let shown_ms = self.clock.as_mut().map(|clock| {
            clock.press(side, now_ms);
            u64::from(clock.shown_s(side)) * 1_000
        });
        self.show_clock(now_ms);
        shown_ms
    }

    fn side_of(&self, color: Color) -> Side {
        match color {
            Color::White => self.settings.white_side,
            Color::Black => other_side(self.settings.white_side),
        }
    }

    fn game_over(&mut self, now_ms: u64) {
        if let Some(plan) = self.queue.pop_front() {
            self.played.push(plan.played(&self.clk_ms));
            self.clock_times.push(self.clk_ms.clone());
        }
        let sensed = self.pieces.put_away();
        self.sense(now_ms, sensed);
        if self.settings.play.troubles.has(Trouble::BoardTurned) {
            self.turn_board();
        }
        let Some(next) = self.queue.front() else {
            self.phase = Phase::Done;
            return;
        };
        let wanted = set_up_as(self.settings.play.troubles, next, &mut self.rng);
        let script = play::set_up(self.pieces.actual(), &wanted, &mut self.rng);
        self.start_script(now_ms, script, Phase::SettingUp);
    }

    /// White sits where Black sat, and the clock stays.
    fn turn_board(&mut self) {
        self.pieces.turn_round();
        self.settings.white_side = other_side(self.settings.white_side);
    }
}
