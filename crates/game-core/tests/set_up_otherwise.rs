//! Starts that are set up instead of others: until its first move a game begins where its pieces stand, and the rules of one game
//! are none of the next one.

#[path = "support/small_board.rs"]
mod small_board;

use dgt_protocol::PieceCode;
use game_core::event::{Event, Variant};
use game_core::game::Game;
use game_core::input::{Assign, Attach, Input, Notice};
use game_core::line::start_position;
use shakmaty::Chess;
use small_board::{SmallBoard, fields, positions};

const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const DRAWN: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
/// Pawns alone.
const PAWNS: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
/// Only the queens and two knights stand otherwise than usual.
const NEARLY_USUAL: &str = "rqbnkbnr/pppppppp/8/8/8/8/PPPPPPPP/RQBNKBNR w KQkq - 0 1";

fn start(fen: &str) -> Chess {
    let variant = if fen == USUAL || fen == PAWNS { Variant::Standard } else { Variant::Chess960 };
    start_position(fen, variant).unwrap()
}

/// A board without a clock, and what hands and the daemon do.
impl SmallBoard {
    /// It is attached and shows a position.
    fn attached(position: &Chess) -> Self {
        let mut board = Self::new(position, Game::new());
        board.input(&Input::Notice(Notice::Attach(Attach::default())));
        board.dump();
        board
    }

    /// Hands make what stands there this position. What stands wrongly is taken off first.
    fn set(&mut self, position: &Chess) {
        let wanted = fields(position);
        let mut cleared = self.fields;
        for (stands, wanted) in cleared.iter_mut().zip(wanted) {
            if *stands != wanted {
                *stands = PieceCode::Empty;
            }
        }
        self.change(&cleared);
        self.change(&wanted);
        self.wait(5_000);
    }

    fn play(&mut self, from: &Chess, moves: &str) {
        for position in positions(from, moves) {
            self.set(&position);
        }
        self.wait(60_000);
    }

    /// The start of each game that began, and what ended.
    fn course(&self) -> Vec<String> {
        let told = self.events().filter_map(|event| match event {
            Event::GameStarted { fen, variant } => Some(format!("{} {fen}", variant.name())),
            Event::GameEnded => Some("ended".to_owned()),
            _ => None,
        });
        told.collect()
    }

    /// The daemon says which game began.
    fn assign(&mut self, game: &str, variant: Variant) {
        let assign = Assign { game: game.into(), variant, ..Assign::default() };
        self.input(&Input::Notice(Notice::Assign(assign)));
    }
}

#[test]
fn a_game_without_a_move_begins_anew_from_the_start_that_is_set_up() {
    for drawn in [DRAWN, NEARLY_USUAL] {
        let mut board = SmallBoard::attached(&start(USUAL));
        board.assign("cup-1-1", Variant::Standard);
        board.wait(60_000);
        board.set(&start(drawn));
        board.assign("cup-1-1", Variant::Chess960);
        let begun = [format!("Standard {USUAL}"), format!("Chess960 {drawn}")];
        assert_eq!(board.course(), begun, "the game does not end in between");
        board.play(&start(drawn), "e4 e5 d3");
        assert_eq!(board.moves(), "e4 e5 d3");
        assert_eq!(board.course(), begun);
    }
}

#[test]
fn a_game_with_a_move_ends_where_another_start_is_set_up() {
    let mut board = SmallBoard::attached(&start(USUAL));
    board.play(&start(USUAL), "e4 e5 d3 d6");
    board.set(&start(DRAWN));
    assert_eq!(board.course(), [format!("Standard {USUAL}"), "ended".to_owned(), format!("Chess960 {DRAWN}")]);
}

#[test]
fn the_game_after_one_of_chess960_is_of_standard_chess_where_the_usual_start_is_set_up() {
    for moves in ["", "e4 e5 d3 d6"] {
        let mut board = SmallBoard::attached(&start(DRAWN));
        board.assign("nine-1-1", Variant::Chess960);
        board.play(&start(DRAWN), moves);
        board.set(&start(USUAL));
        assert_eq!(board.course().last().unwrap(), &format!("Standard {USUAL}"), "{:?}", board.course());
        board.play(&start(USUAL), "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
        let castled = board.game.moves().last().unwrap();
        assert_eq!((&*castled.san, &*castled.uci), ("O-O", "e1g1"));
    }
}

#[test]
fn a_game_from_a_set_start_goes_on_when_its_round_is_taken_back_and_published_again() {
    let mut board = SmallBoard::attached(&Chess::default());
    let named = |game: &str, fen: Option<&str>| {
        Input::Notice(Notice::Assign(Assign { game: game.into(), fen: fen.map(str::to_owned), ..Assign::default() }))
    };
    board.input(&named("", Some(PAWNS)));
    board.set(&start(PAWNS));
    board.assign("cup-1-1", Variant::Standard);
    board.input(&named("10001-apart-1", None));
    board.play(&start(PAWNS), "e4 e5");
    board.input(&named("10001-apart-1", Some(PAWNS)));
    let last = positions(&start(PAWNS), "e4 e5").pop().unwrap();
    board.play(&last, "d3");
    assert_eq!(board.moves(), "e4 e5 d3");
    let begun = [format!("Standard {USUAL}"), format!("Standard {PAWNS}")];
    assert_eq!(board.course(), begun);
}
