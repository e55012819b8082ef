//! A clock whose lever was at the wrong side when it was started: the time of the player who is not to move runs first. The presses
//! tell who sits where, and the times of all moves are those of the players who made them.

#[path = "support/small_board.rs"]
mod small_board;

use dgt_protocol::{ClockMessage, ClockTimes, Message, SideTime};
use game_core::game::Game;
use game_core::input::{Attach, Input, Notice};
use shakmaty::{Chess, Color, Position};
use small_board::{SmallBoard, fields, positions};

const MOVES: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 d3 b5 Bb3 Bb7 O-O Be7 Re1 O-O";
const INCREMENT_S: u32 = 5;

/// A clock with White at its left side, which is read every second and a half.
struct Clock {
    seconds: [u32; 2],
    right_side_up: bool,
}

impl Clock {
    fn read(&self, board: &mut SmallBoard, running: bool) {
        let [left, right] = self.seconds.map(SideTime::from_seconds);
        let times = ClockTimes { left, right, running, right_side_up: self.right_side_up, ..ClockTimes::default() };
        board.input(&Input::Bytes(Message::Clock(ClockMessage::Times(times)).encode()));
    }

    fn run(&mut self, board: &mut SmallBoard, readings: u32) {
        for _ in 0..readings {
            self.seconds[usize::from(self.right_side_up)] -= 2;
            self.read(board, true);
        }
    }

    /// The player whose time runs presses. Returns the time that he has left.
    fn press(&mut self, board: &mut SmallBoard) -> u32 {
        let side = usize::from(self.right_side_up);
        self.seconds[side] += INCREMENT_S;
        self.right_side_up = !self.right_side_up;
        self.read(board, true);
        self.seconds[side]
    }
}

/// The time left after each move in seconds: as the board's record has it, and as the clock showed it. `notices`: Black presses
/// before the first move, so that White's time runs; otherwise White moves while Black's does, and does not press.
fn played(notices: bool) -> [Vec<Option<u32>>; 2] {
    let mut board = SmallBoard::new(&Chess::default(), Game::new());
    board.input(&Input::Notice(Notice::Attach(Attach::default())));
    board.dump();
    let mut clock = Clock { seconds: [600, 600], right_side_up: true };
    clock.read(&mut board, false);
    clock.run(&mut board, 2);
    if notices {
        clock.press(&mut board);
    }
    let mut shown = Vec::new();
    for position in positions(&Chess::default(), MOVES) {
        clock.run(&mut board, 3);
        board.change(&fields(&position));
        let mover_runs = clock.right_side_up == (position.turn() == Color::White);
        shown.push(mover_runs.then(|| clock.press(&mut board)));
    }
    clock.run(&mut board, 2);
    assert_eq!(board.moves(), MOVES);
    let told = board.game.moves().iter().map(|mv| mv.clk_ms.map(|ms| (ms / 1_000) as u32)).collect();
    [told, shown]
}

#[test]
fn the_times_are_those_of_their_players_after_a_press_that_puts_the_lever_right() {
    let [told, shown] = played(true);
    assert_eq!(told, shown);
}

#[test]
fn the_times_are_those_of_their_players_where_the_first_move_was_not_pressed() {
    let [told, shown] = played(false);
    assert_eq!(told, shown);
}
