//! A person enters the result while the board is out of reach: the last plies, which the board shows when it is back, belong to the
//! game.

#[path = "support/small_board.rs"]
mod small_board;

use dgt_protocol::{ClockMessage, ClockTimes, Message, SideTime};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Attach, Command, Detach, Input, Notice, Order};
use notation::pgn::Outcome;
use shakmaty::{Chess, Position, Square};
use small_board::{SmallBoard, fields, positions};

const PLAYED: &str = "d4 d5 Nf3";
/// What is played out of reach.
const UNSEEN: &str = "Nf6 Bf4";

impl SmallBoard {
    fn order(&mut self, order: Order) {
        self.input(&Input::Notice(Notice::Command(Command { by: "Ada".to_owned(), order })));
    }

    fn result(&mut self, result: &str) {
        self.order(Order::Result { result: result.to_owned(), reason: None });
    }

    fn clock(&mut self, white_moves: bool) {
        let side = SideTime { hours: 1, ..SideTime::default() };
        let times =
            ClockTimes { left: side, right: side, running: true, right_side_up: !white_moves, ..ClockTimes::default() };
        self.input(&Input::Bytes(Message::Clock(ClockMessage::Times(times)).encode()));
    }

    fn attach(&mut self) {
        self.input(&Input::Notice(Notice::Attach(Attach::default())));
    }

    fn results(&self) -> usize {
        self.events().filter(|event| matches!(event, Event::Result { .. })).count()
    }
}

/// A game whose board is out of reach after [`PLAYED`], and the position after [`UNSEEN`].
fn out_of_reach() -> (SmallBoard, Chess) {
    let mut board = SmallBoard::new(&Chess::default(), Game::new());
    board.attach();
    board.dump();
    board.clock(true);
    for position in positions(&Chess::default(), PLAYED) {
        board.change(&fields(&position));
        board.clock(position.turn().is_white());
    }
    assert_eq!(board.moves(), PLAYED);
    board.input(&Input::Notice(Notice::Detach(Detach::default())));
    let last = positions(&Chess::default(), &format!("{PLAYED} {UNSEEN}")).pop().unwrap();
    board.fields = fields(&last);
    (board, last)
}

fn ended(board: &SmallBoard, moves: &str, result: Outcome) {
    assert_eq!((board.moves().as_str(), board.game.result()), (moves, result));
    assert!(board.game.ended(), "the game is still open");
}

#[test]
fn the_last_plies_are_told_when_the_board_is_back() {
    let all = format!("{PLAYED} {UNSEEN}");
    let (mut board, _) = out_of_reach();
    board.result("1-0");
    assert_eq!(
        (board.moves().as_str(), board.game.result()),
        (PLAYED, Outcome::WhiteWins),
        "the result waits for nothing"
    );
    board.wait(30_000);
    board.attach();
    board.dump();
    board.wait(60_000);
    ended(&board, &all, Outcome::WhiteWins);
    // What is done on the board after the game is none of it.
    let (mut board, last) = out_of_reach();
    board.result("0-1");
    board.attach();
    board.dump();
    board.wait(60_000);
    for position in positions(&last, "e6 e3 Be7") {
        board.change(&fields(&position));
    }
    board.wait(60_000);
    ended(&board, &all, Outcome::BlackWins);
}

#[test]
fn a_result_that_is_entered_as_soon_as_the_board_is_back_has_them_too() {
    let (mut board, _) = out_of_reach();
    board.attach();
    board.result("1/2-1/2");
    board.dump();
    board.wait(60_000);
    ended(&board, &format!("{PLAYED} {UNSEEN}"), Outcome::Draw);
}

#[test]
fn kings_and_pieces_for_the_next_game_say_nothing_against_the_result_that_a_person_entered() {
    let (mut board, last) = out_of_reach();
    board.result("1-0");
    // Kings on dark squares of the centre say that Black has won.
    let mut kings = last.board().clone();
    let pieces = [kings.remove_piece_at(Square::E1).unwrap(), kings.remove_piece_at(Square::E8).unwrap()];
    kings.set_piece_at(Square::D4, pieces[0]);
    kings.set_piece_at(Square::E5, pieces[1]);
    for square in Square::ALL {
        let field = board_sim::placement::field(square, false).unwrap();
        board.fields[field.index()] = board_sim::placement::code(kings.piece_at(square));
    }
    board.attach();
    board.dump();
    board.wait(120_000);
    assert_eq!((board.game.result(), board.results()), (Outcome::WhiteWins, 1));
    assert!(board.game.ended());

    let (mut board, _) = out_of_reach();
    board.result("1-0");
    board.fields = fields(&Chess::default());
    board.attach();
    board.dump();
    board.wait(60_000);
    let ended = board.events().position(|event| *event == Event::GameEnded);
    let started = board.events().collect::<Vec<_>>();
    let started = started.iter().rposition(|event| matches!(event, Event::GameStarted { .. }));
    assert!(ended.is_some() && ended < started, "the next game begins: {ended:?}, {started:?}");
}

#[test]
fn a_result_that_is_taken_back_meanwhile_ends_nothing_and_a_board_that_stays_away_is_not_waited_for() {
    let (mut board, _) = out_of_reach();
    board.result("1-0");
    board.order(Order::PlayOn);
    board.attach();
    board.dump();
    board.clock(true);
    board.wait(60_000);
    assert_eq!(board.game.result(), Outcome::Unknown);
    assert!(!board.game.ended());
    assert_eq!(board.moves(), format!("{PLAYED} {UNSEEN}"));

    let (mut board, _) = out_of_reach();
    board.result("1-0");
    board.wait(180_000);
    ended(&board, PLAYED, Outcome::WhiteWins);
}
