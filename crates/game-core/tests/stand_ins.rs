//! Pieces that stand for others: a rook for a queen, as players without a second one put it; another piece for one that the line
//! needs; a king that is lifted off a square that shows nothing. The record goes on with what can have been played.

use board_sim::placement;
use dgt_protocol::{ClockMessage, ClockTimes, Message, PieceCode, SideTime};
use game_core::event::{Event, Variant};
use game_core::game::Game;
use game_core::input::{Attach, Command as OperatorCommand, Input, Notice, Order};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use notation::pgn::Outcome;
use shakmaty::{Color, Piece, Role, Square, fen::Fen};

/// A board with a clock whose left side is White's. What stands on a `dead` square is not reported.
struct Table {
    session: BoardSession,
    now: Timestamp,
    game: Game,
    fields: dgt_protocol::Fields,
    dead: Option<Square>,
    seconds: [u32; 2],
    to_move: Color,
    retracts: usize,
}

impl Table {
    fn new(fen: &str, dead: Option<Square>) -> Self {
        let setup = fen.parse::<Fen>().unwrap().into_setup();
        let mut fields = [PieceCode::Empty; 64];
        for square in Square::ALL {
            fields[placement::field(square, false).unwrap().index()] = placement::code(setup.board.piece_at(square));
        }
        let mut table = Self {
            session: BoardSession::new(),
            now: Timestamp::ZERO,
            game: Game::new(),
            fields,
            dead,
            seconds: [300; 2],
            to_move: setup.turn,
            retracts: 0,
        };
        table.input(&Input::Notice(Notice::Attach(Attach::default())));
        table.say(&Message::BoardDump(fields));
        let order = Order::StartFrom { fen: fen.to_owned(), variant: Variant::Standard };
        table.input(&Input::Notice(Notice::Command(OperatorCommand { by: "Ada".to_owned(), order })));
        table.clock();
        table.wait(1_000);
        table
    }

    fn say(&mut self, message: &Message) {
        self.input(&Input::Bytes(message.encode()));
    }

    fn input(&mut self, input: &Input) {
        self.session.handle_input(self.now, input);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(dgt_protocol::Command::Board) => {
                    let dump = Message::BoardDump(self.fields).encode();
                    self.session.handle_input(self.now, &Input::Bytes(dump));
                }
                Output::Send(_) => {}
                Output::Event(record) => {
                    self.retracts += usize::from(matches!(record.event, Event::Retract { .. }));
                    assert!(self.game.apply(&record.event), "{record:?}");
                }
            }
        }
    }

    /// Time passes; the clock is read each second.
    fn wait(&mut self, ms: u64) {
        let until = self.now.plus(ms);
        let mut reading = self.now.plus(1_000);
        while let Some(due) =
            self.session.next_deadline().into_iter().chain([reading]).min().filter(|due| *due <= until)
        {
            self.now = due;
            if due == reading {
                self.seconds[usize::from(self.to_move.is_black())] -= 1;
                self.clock();
                reading = due.plus(1_000);
            } else {
                self.session.handle_timeout(due);
                self.drain();
            }
        }
        self.now = until;
    }

    fn clock(&mut self) {
        let [left, right] = self.seconds.map(SideTime::from_seconds);
        let times =
            ClockTimes { left, right, running: true, right_side_up: self.to_move.is_black(), ..ClockTimes::default() };
        self.say(&Message::Clock(ClockMessage::Times(times)));
    }

    fn set(&mut self, square: Square, piece: Option<Piece>) {
        let field = placement::field(square, false).unwrap();
        let piece = placement::code(piece.filter(|_| self.dead != Some(square)));
        if self.fields[field.index()] != piece {
            self.fields[field.index()] = piece;
            self.say(&Message::FieldUpdate { field, piece });
        }
        self.wait(300);
    }

    /// The player to move takes a piece and puts one down, this one if it is another, and presses. What is taken goes first.
    fn play(&mut self, from: Square, to: Square, piece: Piece) {
        self.set(from, None);
        self.set(to, Some(piece));
        self.to_move = !self.to_move;
        self.clock();
        self.wait(3_000);
    }

    fn moves(&self) -> String {
        self.game.moves().iter().map(|mv| mv.san.as_str()).collect::<Vec<_>>().join(" ")
    }
}

const fn white(role: Role) -> Piece {
    Piece { color: Color::White, role }
}

const fn black(role: Role) -> Piece {
    Piece { color: Color::Black, role }
}

const PAWN_BEFORE_ITS_LAST_MOVE: &str = "8/4P3/1k6/8/8/8/p6K/8 w - - 0 1";

#[test]
fn a_rook_that_is_put_down_for_a_pawn_is_a_rook_until_it_moves_like_a_queen() {
    let mut table = Table::new(PAWN_BEFORE_ITS_LAST_MOVE, None);
    table.play(Square::E7, Square::E8, white(Role::Rook));
    table.play(Square::B6, Square::B7, black(Role::King));
    assert_eq!(table.moves(), "e8=R Kb7");
    table.play(Square::E8, Square::H5, white(Role::Rook));
    table.play(Square::A2, Square::A1, black(Role::Queen));
    assert_eq!(table.moves(), "e8=Q Kb7 Qh5 a1=Q");
    table.play(Square::H5, Square::D5, white(Role::Rook));
    assert_eq!((table.moves().as_str(), table.retracts), ("e8=Q Kb7 Qh5 a1=Q Qd5+", 1));
}

#[test]
fn a_rook_takes_the_place_of_a_pawn_that_stood_on_the_last_rank() {
    let mut table = Table::new(PAWN_BEFORE_ITS_LAST_MOVE, None);
    table.set(Square::E7, None);
    table.set(Square::E8, Some(white(Role::Pawn)));
    table.wait(4_000);
    table.set(Square::E8, None);
    table.play(Square::E8, Square::E8, white(Role::Rook));
    table.play(Square::B6, Square::B7, black(Role::King));
    table.play(Square::E8, Square::H5, white(Role::Rook));
    table.play(Square::B7, Square::B6, black(Role::King));
    assert_eq!(table.moves(), "e8=Q Kb7 Qh5 Kb6");
}

#[test]
fn a_rook_that_moves_like_a_rook_stays_one() {
    let mut table = Table::new(PAWN_BEFORE_ITS_LAST_MOVE, None);
    table.play(Square::E7, Square::E8, white(Role::Rook));
    table.play(Square::B6, Square::B7, black(Role::King));
    table.play(Square::E8, Square::E1, white(Role::Rook));
    table.play(Square::B7, Square::B6, black(Role::King));
    table.wait(130_000);
    assert_eq!((table.moves().as_str(), table.retracts), ("e8=R Kb7 Re1 Kb6", 0));
}

#[test]
fn what_was_told_and_cannot_go_on_is_taken_back_after_the_time_that_doubts_have() {
    let mut table = Table::new(PAWN_BEFORE_ITS_LAST_MOVE, None);
    // A knight for a queen: no rule is made for it.
    table.play(Square::E7, Square::E8, white(Role::Knight));
    table.play(Square::B6, Square::B7, black(Role::King));
    assert_eq!(table.moves(), "e8=N Kb7");
    table.play(Square::E8, Square::H5, white(Role::Knight));
    table.play(Square::B7, Square::B6, black(Role::King));
    table.wait(130_000);
    table.play(Square::H5, Square::H8, white(Role::Knight));
    table.play(Square::B6, Square::B7, black(Role::King));
    assert_eq!(table.moves(), "e8=Q Kb7 Qh5 Kb6 Qh8 Kb7");
}

#[test]
fn a_king_that_is_lifted_off_a_dead_square_for_the_result_leaves_all_moves_told() {
    let mut table = Table::new("7k/8/8/8/8/8/PP3PPP/5RK1 w - - 0 1", Some(Square::H1));
    table.play(Square::G1, Square::H1, white(Role::King));
    for (white_pawn, black_king) in [
        ([Square::A2, Square::A3], [Square::H8, Square::G8]),
        ([Square::A3, Square::A4], [Square::G8, Square::F8]),
        ([Square::A4, Square::A5], [Square::F8, Square::E8]),
        ([Square::A5, Square::A6], [Square::E8, Square::D8]),
    ] {
        table.play(black_king[0], black_king[1], black(Role::King));
        table.play(white_pawn[0], white_pawn[1], white(Role::Pawn));
    }
    table.wait(130_000);
    let told = table.moves();
    assert_eq!(told, "Kh1 Kg8 a3 Kf8 a4 Ke8 a5 Kd8 a6");
    table.set(Square::H1, None);
    table.set(Square::D4, Some(white(Role::King)));
    table.set(Square::D8, None);
    table.set(Square::E5, Some(black(Role::King)));
    table.wait(40_000);
    assert_eq!((table.moves(), table.game.result()), (told, Outcome::BlackWins));
}
