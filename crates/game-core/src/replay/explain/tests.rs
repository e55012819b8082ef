use dgt_protocol::{ClockMessage, ClockTimes, Field, Message, PieceCode, SideTime};
use shakmaty::san::San;
use shakmaty::{Board, Chess, Position, Square};

use super::*;
use crate::capture::{CaptureHeader, CaptureLine, read_capture};
use crate::input::{Attach, Detach};
use crate::placement::{Placement, code_of, square_of};

/// What a board and its clock say, one after the other.
#[derive(Default)]
struct Told {
    at: u64,
    lines: Vec<CaptureLine>,
    board: Board,
    left_runs: bool,
}

fn after(moves: &str) -> Board {
    let play = |position: Chess, san: &str| {
        let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play(mv).unwrap()
    };
    moves.split_whitespace().fold(Chess::default(), play).board().clone()
}

impl Told {
    /// A game from the start position, whose clock runs.
    fn new() -> Self {
        let mut told = Self { board: Board::new(), left_runs: true, ..Self::default() };
        told.input(Input::Notice(Notice::Attach(Attach::default())));
        told.dump();
        told.clock();
        told
    }

    fn input(&mut self, input: Input) {
        self.at += 300;
        self.lines.push(CaptureLine { at: Timestamp::from_ms(self.at), entry: Entry::In(input) });
    }

    fn message(&mut self, message: &Message) {
        self.input(Input::Bytes(message.encode()));
    }

    fn dump(&mut self) {
        let mut fields = [PieceCode::Empty; 64];
        for field in Field::all() {
            fields[field.index()] = self.board.piece_at(square_of(field, false)).map_or(PieceCode::Empty, code_of);
        }
        self.message(&Message::BoardDump(fields));
    }

    fn clock(&mut self) {
        let time = SideTime::from_seconds(3_000);
        let right_side_up = !self.left_runs;
        let times = ClockTimes { left: time, right: time, running: true, right_side_up, ..ClockTimes::default() };
        self.message(&Message::Clock(ClockMessage::Times(times)));
    }

    fn press(&mut self) {
        self.left_runs = !self.left_runs;
        self.clock();
    }

    /// The squares change one after the other, those that become empty first; that of `lost` is not told.
    fn show(&mut self, board: &Board, lost: Option<Square>) {
        let before = Placement::from_board(&self.board);
        let now = Placement::from_board(board);
        let mut changed = before.difference(&now);
        changed.sort_by_key(|&square| now.get(square) != PieceCode::Empty);
        for square in changed.into_iter().filter(|&square| lost != Some(square)) {
            let field = Field::all().find(|&field| square_of(field, false) == square).unwrap();
            self.message(&Message::FieldUpdate { field, piece: now.get(square) });
        }
        self.board = board.clone();
    }

    fn play(&mut self, moves: &str) {
        self.show(&after(moves), None);
        self.press();
    }

    fn wait(&mut self, ms: u64) {
        self.at += ms;
    }

    fn explain(self, ply: u32) -> Result<String, ExplainError> {
        explain_ply(&[Capture { header: CaptureHeader::default(), lines: self.lines, errors: Vec::new() }], ply)
    }
}

fn blitz() -> Capture {
    read_capture(include_bytes!("../../../../../tests/captures/simulated-blitz.capture"))
}

#[test]
fn a_clean_ply_is_explained_by_its_press_and_what_it_costs_to_leave_it_out() {
    let mut told = Told::new();
    told.play("e4");
    told.play("e4 e5");
    told.play("e4 e5 Nf3");
    let text = told.explain(3).unwrap();
    assert!(text.starts_with("Ply 3: Nf3\nTold at 0:00:03.600: its player pressed the clock.\n"), "{text}");
    assert!(text.contains("The runner-up has no ply there. It costs "), "{text}");
    let row = |what: &str| text.lines().find(|line| line.ends_with(what)).unwrap_or_else(|| panic!("{what}: {text}"));
    let ply = row("a ply that the board shows");
    assert!(ply.starts_with("PLY ") && ply.contains(" 0.40 "), "{text}");
    assert!(row("squares differ from the line when a player presses").contains(" 0.00 "), "{text}");
}

#[test]
fn a_ply_of_which_a_message_was_lost_says_so() {
    let mut told = Told::new();
    told.play("e4");
    told.show(&after("e4 e5"), Some(Square::E5));
    told.press();
    told.dump();
    told.play("e4 e5 Nf3");
    let text = told.explain(2).unwrap();
    assert!(text.starts_with("Ply 2: e5\n"), "{text}");
    let reasons = ["squares changed unseen, as a later message proves", "a message is assumed to be lost"];
    assert!(reasons.iter().any(|reason| text.lines().any(|line| line.ends_with(reason))), "{text}");
}

#[test]
fn a_doubtful_gap_names_the_line_that_was_as_likely() {
    let mut told = Told::new();
    told.play("e4");
    told.play("e4 e5");
    told.input(Input::Notice(Notice::Detach(Detach { reason: "unplugged".to_owned() })));
    told.wait(60_000);
    told.input(Input::Notice(Notice::Attach(Attach::default())));
    told.board = after("e4 e5 Nc3 h6 Nb5");
    told.left_runs = false;
    told.dump();
    told.clock();
    for _ in 0..60 {
        told.wait(4_000);
        told.clock();
    }
    let text = told.explain(3).unwrap();
    let lines = [["Ply 3: Nc3", "was as likely: Na3 h6 Nb5."], ["Ply 3: Na3", "was as likely: Nc3 h6 Nb5."]];
    assert!(lines.iter().any(|line| line.iter().all(|words| text.contains(words))), "{text}");
}

#[test]
fn a_ply_that_does_not_exist_is_refused_with_what_there_is() {
    let mut told = Told::new();
    told.play("e4");
    told.play("e4 e5");
    let error = told.explain(9).unwrap_err();
    assert_eq!(error.to_string(), "no game has a ply 9. Game 1 ends with ply 2.");
    let error = explain_ply(&[], 1).unwrap_err();
    assert_eq!(error.to_string(), "no game has a ply 1. The record has no games.");
}

#[test]
fn after_an_illegal_move_the_missing_ply_is_explained_by_it() {
    let mut told = Told::new();
    told.play("e4");
    told.play("e4 e5");
    let mut board = after("e4 e5");
    let king = board.remove_piece_at(Square::E1).unwrap();
    board.set_piece_at(Square::E3, king);
    told.show(&board, None);
    told.press();
    told.wait(15_000);
    told.clock();
    let error = told.explain(3).unwrap_err().to_string();
    assert!(error.starts_with("no game has a ply 3. Game 1 ends with ply 2; at 0:00:"), "{error}");
    assert!(error.contains("no line explained the squares e1, e3."), "{error}");
}

#[test]
fn a_ply_that_an_earlier_capture_has_is_refused_with_a_hint() {
    let mut told = Told::new();
    let moves = ["e2e4", "e7e5"].map(|uci| crate::input::ResumedMove { uci: uci.to_owned(), ..Default::default() });
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
    let resume = crate::input::Resume { fen, moves: moves.to_vec(), ..Default::default() };
    told.lines.insert(0, CaptureLine { at: Timestamp::ZERO, entry: Entry::In(Input::Notice(Notice::Resume(resume))) });
    assert_eq!(told.explain(2), Err(ExplainError::Earlier { ply: 2, known: 2 }));
}

#[test]
fn the_terms_add_up_to_what_the_runner_up_costs_more() {
    let replay = replay_explained(&[blitz()]);
    assert!(replay.explained.len() > 20);
    for (_, explanation) in &replay.explained {
        let Some(runner_up) = &explanation.runner_up else { continue };
        let sum: i32 = explanation.terms.iter().map(|term| term.runner_up - term.paid).sum();
        assert_eq!(sum, runner_up.dearer, "{explanation:?}");
    }
}

#[test]
fn what_is_told_does_not_depend_on_whether_it_is_explained() {
    assert_eq!(super::super::replay(&[blitz()]).records, replay_explained(&[blitz()]).records);
}
