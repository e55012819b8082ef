//! One board with its clock and the hands at it, which say to a session what a real one would say.

use shakmaty::{Chess, Position, san::San};

use super::*;
use crate::input::Attach;

/// What one board and its clock have said so far.
pub(super) struct Table {
    session: BoardSession,
    now: u64,
    shown: Board,
    /// White sits at the far end.
    pub(super) rotated: bool,
    /// A square that shows nothing, whatever stands there, as the orientation says that is in use when the board is first seen.
    dead: Option<Field>,
    /// The clock is stopped.
    stopped: bool,
    /// What the clock shows, and whether the left side runs down.
    clock: Option<(u32, bool)>,
    pub(super) told: Vec<Event>,
}

/// How long a player thinks: longer than anything at the board is waited for.
const THINKS_MS: u64 = 15_000;

impl Table {
    pub(super) fn new(clock: bool) -> Self {
        let mut table = Self::unheard(clock);
        table.say(table.dump());
        table.run();
        table
    }

    /// The board is plugged in: it answers what it is asked from now on.
    pub(super) fn attach(&mut self) {
        let attach = Input::Notice(Notice::Attach(Attach::default()));
        self.session.handle_input(Timestamp::from_ms(self.now), &attach);
        self.drain();
    }

    /// A board that has said nothing yet.
    pub(super) fn unheard(clock: bool) -> Self {
        Self {
            session: BoardSession::new(),
            now: 0,
            shown: Board::new(),
            rotated: false,
            dead: None,
            stopped: false,
            clock: clock.then_some((3_000, true)),
            told: Vec::new(),
        }
    }

    fn say(&mut self, bytes: Vec<u8>) {
        self.until_now();
        self.session.handle_input(Timestamp::from_ms(self.now), &Input::Bytes(bytes));
        self.drain();
    }

    /// What is due is done; a board that is asked for its pieces tells them.
    fn until_now(&mut self) {
        while let Some(due) = self.session.next_deadline().filter(|due| due.as_ms() <= self.now) {
            self.session.handle_timeout(due);
            self.drain();
        }
    }

    fn drain(&mut self) {
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(dgt_protocol::Command::Board) => {
                    let at = Timestamp::from_ms(self.now);
                    self.session.handle_input(at, &Input::Bytes(self.dump()));
                }
                Output::Send(_) => {}
                Output::Event(record) => self.told.push(record.event),
            }
        }
    }

    fn dump(&self) -> Vec<u8> {
        let mut fields = [PieceCode::Empty; 64];
        for square in Square::ALL.into_iter().filter(|&square| Some(self.field(square)) != self.dead) {
            fields[self.field(square).index()] = self.shown.piece_at(square).map_or(PieceCode::Empty, code_of);
        }
        Message::BoardDump(fields).encode()
    }

    /// The clock is read.
    fn run(&mut self) {
        let Some((seconds, left_runs)) = self.clock else { return };
        let time = SideTime::from_seconds(seconds);
        let running = !self.stopped;
        let times = ClockTimes { left: time, right: time, running, right_side_up: !left_runs, ..ClockTimes::default() };
        self.say(Message::Clock(ClockMessage::Times(times)).encode());
    }

    /// The arbiter stops the clock, or sets and starts it for the first player.
    pub(super) fn stop_clock(&mut self, stopped: bool) {
        (self.stopped, self.now) = (stopped, self.now + 500);
        if !stopped {
            self.clock = self.clock.map(|_| (3_000, true));
        }
        self.run();
    }

    /// From now on a square shows nothing.
    pub(super) fn lose(&mut self, square: Square) {
        let field = self.field(square);
        if self.shown.piece_at(square).is_some() {
            self.say(Message::FieldUpdate { field, piece: PieceCode::Empty }.encode());
        }
        self.dead = Some(field);
    }

    pub(super) fn wait(&mut self, ms: u64) {
        for _ in 0..ms / 1_000 {
            self.now += 1_000;
            if let Some((seconds, _)) = self.clock.as_mut().filter(|_| !self.stopped) {
                *seconds -= 1;
            }
            self.run();
            self.until_now();
        }
    }

    fn field(&self, square: Square) -> Field {
        Field::all().find(|&field| square_of(field, self.rotated) == square).unwrap()
    }

    pub(super) fn set(&mut self, square: Square, piece: Option<shakmaty::Piece>) {
        self.now += 400;
        match piece {
            Some(piece) => self.shown.set_piece_at(square, piece),
            None => self.shown.discard_piece_at(square),
        }
        let (field, piece) = (self.field(square), piece.map_or(PieceCode::Empty, code_of));
        if Some(field) == self.dead {
            return;
        }
        self.say(Message::FieldUpdate { field, piece }.encode());
    }

    /// Hands make the board show this, one square after the other.
    pub(super) fn place(&mut self, to: &Board) {
        let from = self.shown.clone();
        let differing = || Square::ALL.into_iter().filter(|&square| from.piece_at(square) != to.piece_at(square));
        for square in differing().filter(|&square| from.piece_at(square).is_some()) {
            self.set(square, None);
        }
        for square in differing().filter(|&square| to.piece_at(square).is_some()) {
            self.set(square, to.piece_at(square));
        }
    }

    /// Plays moves on from a position, each of them pressed where there is a clock.
    pub(super) fn play(&mut self, mut position: Chess, moves: &str) -> Chess {
        for san in moves.split_whitespace() {
            self.wait(THINKS_MS);
            let next = after(position.clone(), san);
            self.place(next.board());
            self.press();
            position = next;
        }
        self.wait(THINKS_MS);
        position
    }

    /// Plays a move to a free square. The whole board is read while the piece is in a hand, and the message that it arrived is lost.
    pub(super) fn play_with_loss(&mut self, position: &Chess, san: &str) {
        let next = after(position.clone(), san);
        let left = (position.board().occupied() & !next.board().occupied()).single_square().unwrap();
        self.set(left, None);
        self.now += 1_000;
        self.say(self.dump());
        self.shown = next.board().clone();
        self.press();
        self.wait(THINKS_MS);
    }

    /// The player who has moved presses, where there is a clock.
    fn press(&mut self) {
        if let Some((_, left_runs)) = &mut self.clock {
            *left_runs = !*left_runs;
            self.now += 900;
            self.run();
        }
    }

    /// The kings in the centre end the game.
    pub(super) fn draw(&mut self) {
        let mut board = self.shown.clone();
        for (color, to) in [(shakmaty::Color::White, Square::E4), (shakmaty::Color::Black, Square::E5)] {
            let king = board.king_of(color).and_then(|from| board.remove_piece_at(from)).unwrap();
            board.set_piece_at(to, king);
        }
        self.place(&board);
        self.wait(60_000);
        assert!(self.told.contains(&Event::GameEnded), "{:?}", self.told);
    }

    /// The line is away while hands make the board show this.
    pub(super) fn out_of_reach(&mut self, shows: &Board, white_moves: bool) {
        let at = |now| Timestamp::from_ms(now);
        self.session.handle_input(at(self.now), &Input::Notice(Notice::Detach(Detach::default())));
        self.now += 600_000;
        self.session.handle_input(at(self.now), &Input::Notice(Notice::Attach(Attach::default())));
        self.shown = shows.clone();
        self.drain();
        self.say(self.dump());
        self.clock = self.clock.map(|_| (3_000, white_moves != self.rotated));
        self.wait(1_000);
    }

    /// From where the last game began, and its moves.
    pub(super) fn last_game(&self) -> (&str, String) {
        let (mut fen, mut moves) = ("", Vec::new());
        for event in &self.told {
            match event {
                Event::GameStarted { fen: start, .. } => (fen, moves) = (start, Vec::new()),
                Event::Move { san, .. } => moves.push(san.as_str()),
                Event::Retract { to_ply } => moves.truncate(*to_ply as usize),
                _ => {}
            }
        }
        (fen.split(' ').next().unwrap_or_default(), moves.join(" "))
    }
}

pub(super) fn after(position: Chess, moves: &str) -> Chess {
    moves.split_whitespace().fold(position, |position, san| {
        let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play(mv).unwrap()
    })
}
