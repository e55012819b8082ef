//! Starts that are set up instead of others: until its first move a game begins where its pieces stand, and the rules of one game
//! are none of the next one.

use board_sim::placement;
use dgt_protocol::{Field, Message, PieceCode};
use game_core::event::{Event, Variant};
use game_core::game::Game;
use game_core::input::{Assign, Attach, Input, Notice};
use game_core::line::start_position;
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use shakmaty::{Chess, Position, Square, san::San};

const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const DRAWN: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
/// Only the queens and two knights stand otherwise than usual.
const NEARLY_USUAL: &str = "rqbnkbnr/pppppppp/8/8/8/8/PPPPPPPP/RQBNKBNR w KQkq - 0 1";

fn start(fen: &str) -> Chess {
    let variant = if fen == USUAL { Variant::Standard } else { Variant::Chess960 };
    start_position(fen, variant).unwrap()
}

/// A board without a clock.
struct Board {
    session: BoardSession,
    now: Timestamp,
    fields: [PieceCode; 64],
    /// The start of each game that began, and what ended.
    told: Vec<String>,
    game: Game,
}

impl Board {
    fn new(position: &Chess) -> Self {
        let mut board = Self {
            session: BoardSession::new(),
            now: Timestamp::ZERO,
            fields: fields(position),
            told: Vec::new(),
            game: Game::new(),
        };
        board.input(&Input::Notice(Notice::Attach(Attach::default())));
        board.input(&Input::Bytes(Message::BoardDump(board.fields).encode()));
        board
    }

    fn input(&mut self, input: &Input) {
        self.session.handle_input(self.now, input);
        self.wait(1_500);
    }

    fn wait(&mut self, ms: u64) {
        self.now = self.now.plus(ms);
        loop {
            while let Some(output) = self.session.poll_output() {
                let Output::Event(record) = output else { continue };
                match &record.event {
                    Event::GameStarted { fen, variant } => self.told.push(format!("{} {fen}", variant.name())),
                    Event::GameEnded => self.told.push("ended".to_owned()),
                    _ => {}
                }
                assert!(self.game.apply(&record.event), "{record:?}");
            }
            let Some(due) = self.session.next_deadline().filter(|due| *due <= self.now) else { break };
            self.session.handle_timeout(due);
        }
    }

    /// Hands make what stands there this position, one square after the other.
    fn set(&mut self, position: &Chess) {
        let wanted = fields(position);
        let changed = |board: &Self, field: &Field| board.fields[field.index()] != wanted[field.index()];
        let fields: Vec<_> = Field::all().filter(|field| changed(self, field)).collect();
        // What stands wrongly is taken off first.
        for (field, piece) in
            fields.iter().map(|field| (*field, PieceCode::Empty)).chain(fields.iter().map(|f| (*f, wanted[f.index()])))
        {
            if std::mem::replace(&mut self.fields[field.index()], piece) != piece {
                self.session.handle_input(self.now, &Input::Bytes(Message::FieldUpdate { field, piece }.encode()));
                self.wait(400);
            }
        }
        self.wait(5_000);
    }

    fn play(&mut self, from: &Chess, moves: &str) {
        let mut position = from.clone();
        for san in moves.split_whitespace() {
            position = position.clone().play(san.parse::<San>().unwrap().to_move(&position).unwrap()).unwrap();
            self.set(&position);
        }
        self.wait(60_000);
    }

    fn moves(&self) -> String {
        self.game.moves().iter().map(|mv| mv.san.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The daemon says which game began.
    fn assign(&mut self, game: &str, variant: Variant) {
        let assign = Assign { game: game.into(), variant, ..Assign::default() };
        self.input(&Input::Notice(Notice::Assign(assign)));
    }
}

fn fields(position: &Chess) -> [PieceCode; 64] {
    let mut fields = [PieceCode::Empty; 64];
    for square in Square::ALL {
        let field = placement::field(square, false).unwrap();
        fields[field.index()] = placement::code(position.board().piece_at(square));
    }
    fields
}

#[test]
fn a_game_without_a_move_begins_anew_from_the_start_that_is_set_up() {
    for drawn in [DRAWN, NEARLY_USUAL] {
        let mut board = Board::new(&start(USUAL));
        board.assign("cup-1-1", Variant::Standard);
        board.wait(60_000);
        board.set(&start(drawn));
        board.assign("cup-1-1", Variant::Chess960);
        let begun = [format!("Standard {USUAL}"), format!("Chess960 {drawn}")];
        assert_eq!(board.told, begun, "the game does not end in between");
        board.play(&start(drawn), "e4 e5 d3");
        assert_eq!(board.moves(), "e4 e5 d3");
        assert_eq!(board.told, begun);
    }
}

#[test]
fn a_game_with_a_move_ends_where_another_start_is_set_up() {
    let mut board = Board::new(&start(USUAL));
    board.play(&start(USUAL), "e4 e5 d3 d6");
    board.set(&start(DRAWN));
    assert_eq!(board.told, [format!("Standard {USUAL}"), "ended".to_owned(), format!("Chess960 {DRAWN}")]);
}

#[test]
fn the_game_after_one_of_chess960_is_of_standard_chess_where_the_usual_start_is_set_up() {
    for moves in ["", "e4 e5 d3 d6"] {
        let mut board = Board::new(&start(DRAWN));
        board.assign("nine-1-1", Variant::Chess960);
        board.play(&start(DRAWN), moves);
        board.set(&start(USUAL));
        assert_eq!(board.told.last().unwrap(), &format!("Standard {USUAL}"), "{:?}", board.told);
        board.play(&start(USUAL), "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
        let castled = board.game.moves().last().unwrap();
        assert_eq!((&*castled.san, &*castled.uci), ("O-O", "e1g1"));
    }
}
