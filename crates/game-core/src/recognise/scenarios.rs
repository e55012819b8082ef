//! Tests with faulty boards, wrong starts and games in progress, change by change.

use dgt_protocol::{Field, Fields, PieceCode};
use notation::pgn::Outcome;
use shakmaty::{Bitboard, CastlingMode, Chess, Position, Square, fen::Fen, san::San};

use super::{Conclusion, Recogniser};
use crate::board_faults::BoardFaults;
use crate::event::{Side, Variant};
use crate::placement::{Placement, square_of};
use crate::time::Timestamp;

/// A board at which two players sit, with a clock that is pressed after every move.
struct Table {
    recogniser: Recogniser,
    now: Timestamp,
    position: Chess,
    /// What the board makes of the position.
    faults: BoardFaults,
    /// What it reports.
    shown: Placement,
    told: Vec<Conclusion>,
}

impl Table {
    fn new(position: Chess, faults: BoardFaults) -> Self {
        let shown = faults.shows(position.board());
        let (recogniser, now, told) = (Recogniser::new(), Timestamp::ZERO, Vec::new());
        let mut table = Self { recogniser, now, position, faults, shown, told };
        table.dump();
        table.wait(1_000);
        table
    }

    /// A rook on f8 may go to d8 and on to c8.
    fn where_a_rook_may_slide() -> Self {
        let position: Fen = "5rk1/p4ppp/8/8/8/8/P3BPPP/6K1 b - - 0 1".parse().unwrap();
        let position: Chess = position.into_position(CastlingMode::Standard).unwrap();
        let mut table = Self::new(position.clone(), BoardFaults::default());
        table.recogniser.start_from(table.now, position, Variant::Standard);
        table
    }

    /// The rook rests on d8 until it is believed to have gone there, and goes on to c8.
    fn rest_on_d8_and_go_on(&mut self, ms: u64) {
        self.touch(Square::F8, PieceCode::Empty);
        self.touch(Square::D8, PieceCode::BlackRook);
        self.wait(ms);
        assert_eq!(self.moves(), "Rd8", "it stood long enough");
        self.touch(Square::D8, PieceCode::Empty);
        self.touch(Square::C8, PieceCode::BlackRook);
    }

    fn wait(&mut self, ms: u64) {
        let until = self.now.plus(ms);
        while let Some(due) = self.recogniser.next_deadline().filter(|due| *due <= until) {
            self.now = due.max(self.now);
            self.recogniser.handle_timeout(self.now);
            if self.recogniser.take_dump_request() {
                self.dump();
            }
        }
        self.now = until;
        while let Some(conclusion) = self.recogniser.poll() {
            self.told.push(conclusion);
        }
    }

    fn dump(&mut self) {
        self.recogniser.handle_dump(self.now, &fields(&self.shown), None);
    }

    /// The board reads otherwise from now on.
    fn change_faults(&mut self, faults: BoardFaults) {
        self.faults = faults;
        self.shown = faults.shows(self.position.board());
    }

    fn touch(&mut self, square: Square, shown: PieceCode) {
        self.wait(300);
        let field = Field::all().find(|&field| square_of(field, false) == square).unwrap();
        self.shown.set(square, shown);
        self.recogniser.handle_update(self.now, field, shown);
    }

    fn show(&mut self, before: &Placement) {
        let after = self.faults.shows(self.position.board());
        let mut changes = before.difference(&after);
        changes.sort_by_key(|&square| after.get(square) != PieceCode::Empty); // Lifted first.
        for square in changes {
            self.touch(square, after.get(square));
        }
    }

    /// A move, and a press of the clock a second later.
    fn play(&mut self, san: &str) {
        let mover = Side::from(self.position.turn());
        self.recogniser.set_clock(self.now, Some(mover), false);
        self.make(san);
        self.wait(1_000);
        self.recogniser.set_clock(self.now, Some(mover.other()), false);
        self.recogniser.handle_press(self.now, mover);
        self.wait(2_000);
    }

    fn make(&mut self, san: &str) {
        let mv = san.parse::<San>().unwrap().to_move(&self.position).unwrap();
        let before = self.faults.shows(self.position.board());
        self.faults = self.faults.after(self.position.turn(), mv);
        self.position.play_unchecked(mv);
        self.show(&before);
    }

    fn moves(&self) -> String {
        let line = self.recogniser.line();
        let names = |line: &crate::line::Line| {
            let sans = (1..=self.recogniser.confirmed()).filter_map(|ply| line.name(ply)).map(|name| name.san);
            sans.collect::<Vec<_>>().join(" ")
        };
        line.map(names).unwrap_or_default()
    }

    fn unexplained<'a>(&'a self) -> Vec<&'a [Square]> {
        let squares = |conclusion: &'a Conclusion| match conclusion {
            Conclusion::Unexplained(squares) => Some(&squares[..]),
            _ => None,
        };
        self.told.iter().filter_map(squares).collect()
    }
}

fn fields(shown: &Placement) -> Fields {
    let mut fields = [PieceCode::Empty; 64];
    for field in Field::all() {
        fields[field.index()] = shown.get(square_of(field, false));
    }
    fields
}

fn dead(square: Square) -> BoardFaults {
    BoardFaults::dead(square.into())
}

#[test]
fn a_dead_square_is_found_when_no_other_explains_what_follows() {
    let mut table = Table::new(Chess::default(), dead(Square::F3));
    for san in ["e4", "e5", "Nf3", "Nc6"] {
        table.play(san);
    }
    // The knight may as well have gone to h3: nothing is told of it.
    assert_eq!(table.moves(), "e4 e5");
    table.wait(60_000);
    assert!(!table.unexplained().is_empty());
    for san in ["Nxe5", "Nxe5", "d4"] {
        table.play(san);
    }
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Nxe5 Nxe5 d4");
    assert_eq!(table.recogniser.faulty_squares(), Square::F3.into());
}

#[test]
fn a_square_that_was_declared_blind_disturbs_nothing_from_the_first_move_on() {
    let mut table = Table::new(Chess::default(), dead(Square::E4));
    table.recogniser.declare_dead(table.now, Square::E4.into());
    table.dump();
    for san in ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qe4+", "Nxe4"] {
        table.play(san);
    }
    assert_eq!(table.moves(), "e4 d5 exd5 Qxd5 Nc3 Qe4+ Nxe4");
    assert!(table.unexplained().is_empty());
}

#[test]
fn a_square_that_reports_again_is_believed_again() {
    let mut table = Table::new(Chess::default(), dead(Square::A2));
    table.play("e4");
    table.play("e5");
    assert_eq!((table.moves().as_str(), table.recogniser.faulty_squares()), ("e4 e5", Square::A2.into()));
    // The pawn had been forgotten.
    table.change_faults(BoardFaults::default());
    table.dump();
    assert_eq!(table.recogniser.faulty_squares(), Bitboard::EMPTY);
    table.play("a3");
    assert_eq!(table.moves(), "e4 e5 a3");
}

#[test]
fn a_knight_that_reads_as_a_bishop_goes_on_as_a_knight() {
    let mut table = Table::new(Chess::default(), BoardFaults::default());
    table.play("e4");
    table.play("e5");
    table.change_faults(BoardFaults::default().with_misread(Square::G1, PieceCode::WhiteBishop).unwrap());
    for san in ["Nf3", "Nc6", "Ng5", "Qxg5"] {
        table.play(san);
    }
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Ng5 Qxg5");
    assert_eq!(table.recogniser.faulty_squares(), Bitboard::EMPTY, "it has left the board");
}

#[test]
fn a_wrong_start_is_told_and_the_game_begins_when_play_shows_what_is_meant() {
    let mut table = Table::new(Chess::default(), dead(Square::H8));
    table.wait(12_000);
    assert_eq!(table.unexplained(), [&[Square::H8][..]]);
    assert_eq!(table.recogniser.line().map(|_| ()), None);
    table.play("e4");
    assert_eq!(table.recogniser.line().map(|_| ()), None, "one move may still be somebody setting up");
    table.play("e5");
    assert_eq!(table.moves(), "e4 e5");
}

#[test]
fn a_position_in_mid_game_starts_a_game_when_both_players_have_moved() {
    let mut position = Chess::default();
    for san in ["d4", "Nf6", "c4"] {
        let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(mv);
    }
    let start = position.board().clone();
    let mut table = Table::new(position, BoardFaults::default());
    table.wait(3_600_000);
    assert_eq!(table.recogniser.line().map(|_| ()), None, "it only stands there");
    for san in ["e6", "Nc3", "Bb4"] {
        table.play(san);
    }
    assert_eq!(table.moves(), "e6 Nc3 Bb4");
    assert_eq!(table.recogniser.line().map(|line| line.position(0).board()), Some(&start));
}

#[test]
fn an_illegal_move_that_was_pressed_is_not_explained_by_legal_ones() {
    let mut table = Table::new(Chess::default(), BoardFaults::default());
    for san in ["e4", "e5", "Nf3"] {
        table.play(san);
    }
    // The queen goes over its own pawn to g4, White answers, and it goes on to h4, where it could have gone at once.
    let steps = [
        (Square::D8, Square::G4, PieceCode::BlackQueen, Side::Black),
        (Square::A2, Square::A3, PieceCode::WhitePawn, Side::White),
        (Square::G4, Square::H4, PieceCode::BlackQueen, Side::Black),
    ];
    for (from, to, piece, mover) in steps {
        table.touch(from, PieceCode::Empty);
        table.touch(to, piece);
        table.recogniser.handle_press(table.now, mover);
        table.dump();
        table.wait(300);
    }
    assert_eq!(table.moves(), "e4 e5 Nf3");
}

#[test]
fn a_piece_made_for_it_declares_the_result_while_the_clock_stands() {
    let mut table = Table::new(Chess::default(), BoardFaults::default());
    table.play("e4");
    table.play("e5");
    let signal = |table: &mut Table, code| {
        table.touch(Square::D4, code);
        table.wait(6_000);
    };
    signal(&mut table, PieceCode::BlackWinsPiece);
    assert!(!table.recogniser.is_over(), "the clock runs");
    signal(&mut table, PieceCode::Empty);
    table.recogniser.set_clock(table.now, None, true);
    signal(&mut table, PieceCode::BlackWinsPiece);
    assert!(table.recogniser.is_over());
    let over = |conclusion: &Conclusion| matches!(conclusion, Conclusion::Over { outcome: Outcome::BlackWins, .. });
    assert!(table.told.iter().any(over));
}

#[test]
fn a_piece_held_on_its_way_until_it_was_believed_is_pressed_where_it_goes() {
    let mut table = Table::where_a_rook_may_slide();
    table.recogniser.set_clock(table.now, Some(Side::Black), false);
    table.rest_on_d8_and_go_on(8_000);
    table.wait(500);
    table.recogniser.set_clock(table.now, Some(Side::White), false);
    table.recogniser.handle_press(table.now, Side::Black);
    table.wait(0);
    assert_eq!(table.moves(), "Rc8");
    table.position = table.recogniser.line().unwrap().head().clone();
    table.play("Bb5");
    table.play("a6");
    assert_eq!(table.moves(), "Rc8 Bb5 a6");
}

#[test]
fn a_piece_held_on_its_way_without_a_clock_is_where_the_reply_finds_it() {
    let mut table = Table::where_a_rook_may_slide();
    table.rest_on_d8_and_go_on(4_000);
    table.touch(Square::E2, PieceCode::Empty);
    table.touch(Square::B5, PieceCode::WhiteBishop);
    table.wait(10_000);
    assert_eq!(table.moves(), "Rc8 Bb5");
}
