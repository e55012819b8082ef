//! An arbiter who corrects the moves of a game at the dashboard: whatever was told before, the record becomes what the
//! order says, and the game goes on from there.

use board_sim::placement;
use dgt_protocol::{Message, PieceCode};
use game_core::event::{Author, Event, Variant};
use game_core::game::Game;
use game_core::input::{Command, Input, Notice, Order};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use shakmaty::{Chess, Position, Square, san::San, uci::UciMove};

/// A board without a clock whose pieces are set as after these moves.
struct Board {
    session: BoardSession,
    now: Timestamp,
    game: Game,
    by_operator: usize,
}

impl Board {
    fn new() -> Self {
        let mut board = Self { session: BoardSession::new(), now: Timestamp::ZERO, game: Game::new(), by_operator: 0 };
        board.show(&Chess::default());
        board
    }

    fn show(&mut self, position: &Chess) {
        let mut fields = [PieceCode::Empty; 64];
        for square in Square::ALL {
            let field = placement::field(square, false).unwrap();
            fields[field.index()] = placement::code(position.board().piece_at(square));
        }
        self.input(&Input::Bytes(Message::BoardDump(fields).encode()));
    }

    fn order(&mut self, keep: u32, moves: &[&str]) {
        let moves = moves.iter().map(|uci| (*uci).to_owned()).collect();
        let order = Order::Moves { keep, moves };
        self.input(&Input::Notice(Notice::Command(Command { by: "Ada".to_owned(), order })));
    }

    fn input(&mut self, input: &Input) {
        self.session.handle_input(self.now, input);
        self.now = self.now.plus(20_000);
        while let Some(due) = self.session.next_deadline().filter(|due| *due <= self.now) {
            self.session.handle_timeout(due);
        }
        while let Some(output) = self.session.poll_output() {
            if let Output::Event(record) = output {
                self.by_operator += usize::from(record.author == Author::Operator("Ada".to_owned()));
                assert!(self.game.apply(&record.event), "{record:?}");
                assert!(!matches!(record.event, Event::GameEnded));
            }
        }
    }

    fn moves(&self) -> String {
        self.game.moves().iter().map(|mv| mv.san.as_str()).collect::<Vec<_>>().join(" ")
    }
}

fn after(moves: &str) -> Chess {
    moves.split_whitespace().fold(Chess::default(), |position, san| {
        let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play(mv).unwrap()
    })
}

#[test]
fn a_move_is_replaced_and_the_game_goes_on_from_there() {
    let mut board = Board::new();
    board.show(&after("e4"));
    board.show(&after("e4 e5"));
    assert_eq!(board.moves(), "e4 e5");
    board.order(1, &["e7e6"]);
    assert_eq!((board.moves().as_str(), board.by_operator), ("e4 e6", 2));
    board.show(&after("e4 e6 d4"));
    assert_eq!(board.moves(), "e4 e6 d4");
}

#[test]
fn moves_that_nobody_saw_are_inserted_and_an_illegal_list_changes_nothing() {
    let mut board = Board::new();
    board.show(&after("Nf3 Nf6 Ng1 Ng8 e4"));
    board.order(0, &["g1f3", "g8f6", "f3g1", "f6g8", "e2e4"]);
    assert_eq!(board.moves(), "Nf3 Nf6 Ng1 Ng8 e4");
    board.order(0, &["e2e5"]);
    assert_eq!(board.moves(), "Nf3 Nf6 Ng1 Ng8 e4");
    board.order(4, &[]);
    board.order(4, &["d2d4"]);
    assert_eq!(board.moves(), "Nf3 Nf6 Ng1 Ng8 d4");
    board.show(&after("Nf3 Nf6 Ng1 Ng8 d4 c5"));
    assert_eq!(board.moves(), "Nf3 Nf6 Ng1 Ng8 d4 c5");
}

/// Fuzzing found it: the search went on from the other start with the moves of the recorded game, until a king was missing.
#[test]
fn moves_are_entered_while_the_game_of_another_start_has_not_begun() {
    let mut board = Board::new();
    let mut position = Chess::default();
    let say = |board: &mut Board, ms: u64, input: Input| {
        board.now = board.now.plus(ms);
        board.session.handle_input(board.now, &input);
        while let Some(output) = board.session.poll_output() {
            if let Output::Event(record) = output {
                assert!(board.game.apply(&record.event), "{record:?}");
            }
        }
    };
    let order = |order: Order| Input::Notice(Notice::Command(Command { by: "Ada".to_owned(), order }));
    let start_from = |fen: &str| order(Order::StartFrom { fen: fen.to_owned(), variant: Variant::Standard });
    let mut played = |uci: &str| {
        let before = position.board().clone();
        let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(mv);
        let board = position.board();
        let mut changed: Vec<_> =
            Square::ALL.into_iter().filter(|&at| before.piece_at(at) != board.piece_at(at)).collect();
        changed.sort_by_key(|&square| board.piece_at(square).is_some());
        let update = |&square: &Square| {
            let field = placement::field(square, false).unwrap();
            Message::FieldUpdate { field, piece: placement::code(board.piece_at(square)) }.encode()
        };
        Input::Bytes(changed.iter().flat_map(update).collect())
    };
    let moves = |keep: u32, moves: &[&str]| {
        order(Order::Moves { keep, moves: moves.iter().map(|&uci| uci.to_owned()).collect() })
    };
    say(&mut board, 20_000, played("h2h4"));
    say(&mut board, 1_000, start_from("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 99 120"));
    say(&mut board, 50, played("f7f5"));
    say(&mut board, 480, played("f2f3"));
    say(&mut board, 350, moves(3, &[]));
    say(&mut board, 830, played("e8f7"));
    say(&mut board, 1_310, moves(0, &["h2h4", "f7f5", "f2f3", "e8f7"]));
    assert_eq!(board.moves(), "h4 f5 f3 Kf7");
    say(&mut board, 1_310, start_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
}
