//! A board without a clock whose line can be out, and which may keep a log.

use board_sim::placement;
use dgt_protocol::{Command as DgtCommand, EventLog, Message, PieceCode};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Attach, Command, Detach, Input, Notice, Order};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use notation::pgn::write_game;
use shakmaty::{Chess, Color, Position, Square, san::San};

/// A board without a clock that answers when it is asked for its pieces, and shows its changes by dumps.
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) shown: Vec<u8>,
    pub(crate) within_reach: bool,
    pub(crate) session: BoardSession,
    pub(crate) now: Timestamp,
    pub(crate) game: Game,
    pub(crate) events: Vec<Event>,
    /// What its own log tells; nothing if it keeps none.
    pub(crate) log: EventLog,
    /// When the log that was asked for has come over the line.
    pub(crate) log_due: Option<Timestamp>,
    /// How often the log was asked for.
    pub(crate) logs_asked: u32,
}

/// Sending the whole log takes 8 s (protocol paper, 3).
pub(crate) const LOG_MS: u64 = 8_000;

impl Board {
    pub(crate) fn new() -> Self {
        let session = BoardSession::new();
        let shown = dump(&Chess::default());
        let (now, game, log) = (Timestamp::ZERO, Game::new(), EventLog::default());
        let (events, log_due, logs_asked) = (Vec::new(), None, 0);
        let mut board = Self { shown, within_reach: true, session, now, game, events, log, log_due, logs_asked };
        board.notice(Notice::Attach(Attach::default()));
        board.show(&Chess::default());
        board
    }

    pub(crate) fn show(&mut self, position: &Chess) {
        self.show_board(position.board());
    }

    pub(crate) fn show_board(&mut self, board: &shakmaty::Board) {
        self.shown = dump_of(board);
        if self.within_reach {
            self.input(&Input::Bytes(self.shown.clone()));
        }
    }

    pub(crate) fn order(&mut self, order: Order) {
        self.notice(Notice::Command(Command { by: "Ada".to_owned(), order }));
    }

    pub(crate) fn notice(&mut self, notice: Notice) {
        self.input(&Input::Notice(notice));
    }

    pub(crate) fn input(&mut self, input: &Input) {
        self.session.handle_input(self.now, input);
        self.wait(20_000);
    }

    pub(crate) fn wait(&mut self, ms: u64) {
        let until = self.now.plus(ms);
        self.drain();
        while let Some(due) =
            self.session.next_deadline().into_iter().chain(self.log_due).min().filter(|due| *due <= until)
        {
            self.now = due;
            if self.log_due == Some(due) {
                self.log_due = None;
                let log = Message::Log(self.log.clone()).encode();
                self.session.handle_input(due, &Input::Bytes(log));
            } else {
                self.session.handle_timeout(due);
            }
            self.drain();
        }
        self.now = until;
    }

    pub(crate) fn drain(&mut self) {
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(DgtCommand::Board) if self.within_reach => {
                    self.session.handle_input(self.now, &Input::Bytes(self.shown.clone()));
                }
                Output::Send(DgtCommand::Log) if self.log != EventLog::default() => {
                    self.log_due = Some(self.now.plus(LOG_MS));
                    self.logs_asked += 1;
                }
                Output::Send(_) => {}
                Output::Event(record) => {
                    if let (Event::GameStarted { .. }, true) = (&record.event, self.game.ended()) {
                        self.game = Game::new();
                    }
                    assert!(self.game.apply(&record.event), "{record:?}");
                    self.events.push(record.event);
                }
            }
        }
    }

    /// The cable is out while hands make the board show this.
    pub(crate) fn out_of_sight(&mut self, position: &Chess) {
        self.board_out_of_sight(position.board());
    }

    pub(crate) fn board_out_of_sight(&mut self, board: &shakmaty::Board) {
        self.within_reach = false;
        self.notice(Notice::Detach(Detach::default()));
        self.show_board(board);
        self.within_reach = true;
        self.notice(Notice::Attach(Attach::default()));
    }

    /// Plays moves on from a position, one after the other; gives back the last position.
    pub(crate) fn play(&mut self, mut position: Chess, moves: &str) -> Chess {
        for san in moves.split_whitespace() {
            position = after(position, san);
            self.show(&position);
        }
        position
    }

    pub(crate) fn moves(&self) -> String {
        self.game.moves().iter().map(|mv| mv.san.as_str()).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn pgn(&self) -> String {
        write_game(&self.game.to_pgn())
    }
}

/// What the board says when it is asked for its pieces.
pub(crate) fn dump(position: &Chess) -> Vec<u8> {
    dump_of(position.board())
}

pub(crate) fn dump_of(board: &shakmaty::Board) -> Vec<u8> {
    let mut fields = [PieceCode::Empty; 64];
    for square in Square::ALL {
        let field = placement::field(square, false).unwrap();
        fields[field.index()] = placement::code(board.piece_at(square));
    }
    Message::BoardDump(fields).encode()
}

/// The pieces of a position, the kings put elsewhere.
pub(crate) fn kings_at(position: &Chess, white: Square, black: Square) -> shakmaty::Board {
    let mut board = position.board().clone();
    for (color, to) in [(Color::White, white), (Color::Black, black)] {
        let king = board.king_of(color).and_then(|from| board.remove_piece_at(from)).unwrap();
        board.set_piece_at(to, king);
    }
    board
}

pub(crate) fn after(position: Chess, moves: &str) -> Chess {
    moves.split_whitespace().fold(position, |position, san| {
        let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play(mv).unwrap()
    })
}
