//! A game that goes on on another board: a spare one, or one that others used since the game was adjourned. What stands there
//! and what hands do until the pieces are set up is no part of the game.

#[path = "support/small_board.rs"]
mod small_board;

use board_sim::placement;
use dgt_protocol::{ClockMessage, ClockTimes, Command, EventLog, Field, LogEvent, Message, PieceCode, Side, SideTime};
use game_core::event::{Event, Variant};
use game_core::game::Game;
use game_core::input::{Attach, Input, Notice, Resume, ResumedMove};
use game_core::session::Output;
use shakmaty::{Chess, EnPassantMode, Position, Square, fen::Fen, san::San};
use small_board::{SmallBoard, fields, positions};

/// A board that takes over a game.
impl SmallBoard {
    /// It shows `stands` when it gets the game.
    fn takes_over(moves: &str, stands: &Chess) -> Self {
        let mut spare = Self::begins(moves, stands);
        spare.dump();
        spare
    }

    /// It has not shown yet that `stands` is there when it gets the game.
    fn begins(moves: &str, stands: &Chess) -> Self {
        let mut position = Chess::default();
        let mut game = Game::new();
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        assert!(game.apply(&Event::GameStarted { fen: fen.clone(), variant: Variant::Standard }));
        let mut resumed = Vec::new();
        for (ply, san) in (1..).zip(moves.split_whitespace()) {
            let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
            let uci = mv.to_uci(shakmaty::CastlingMode::Standard).to_string();
            position = position.play(mv).unwrap();
            assert!(game.apply(&Event::Move {
                ply,
                uci: uci.clone(),
                san: san.to_owned(),
                clk_ms: None,
                emt_ms: None
            }));
            resumed.push(ResumedMove { uci, ..ResumedMove::default() });
        }
        // How those sat at the clock who used the board before is known, and is of no use.
        let white_is_left = Some(false);
        let resume =
            Resume { game: "cup-1-1".into(), fen, moves: resumed, set_up: true, white_is_left, ..Resume::default() };
        let mut spare = Self::new(stands, game);
        spare.input(&Input::Notice(Notice::Resume(resume)));
        spare.input(&Input::Notice(Notice::Attach(Attach::default())));
        spare
    }

    /// The clock runs for White, who sits at its left side, or for Black.
    fn press(&mut self, white_moves: bool) {
        let side = SideTime { hours: 1, ..SideTime::default() };
        let times =
            ClockTimes { left: side, right: side, running: true, right_side_up: !white_moves, ..ClockTimes::default() };
        self.input(&Input::Bytes(Message::Clock(ClockMessage::Times(times)).encode()));
    }

    /// What the clock shows while it runs for White, who sits at its left side, or for Black.
    fn clock(&mut self, white: u32, black: u32, white_moves: bool) {
        let times = ClockTimes {
            left: SideTime::from_seconds(white),
            right: SideTime::from_seconds(black),
            running: true,
            right_side_up: !white_moves,
            ..ClockTimes::default()
        };
        self.input(&Input::Bytes(Message::Clock(ClockMessage::Times(times)).encode()));
    }

    /// Hands make what stands there this position, one square after the other.
    fn set(&mut self, position: &Chess) {
        self.set_fields(&fields(position));
    }

    fn set_fields(&mut self, wanted: &[PieceCode; 64]) {
        self.change(wanted);
        self.wait(1_500);
    }

    /// Players make these moves on the board.
    fn play(&mut self, from: &Chess, moves: &str) {
        for position in positions(from, moves) {
            self.set(&position);
            self.wait(5_000);
        }
        self.wait(60_000);
    }

    /// The moves of the game, of which nothing was taken back and which did not end.
    fn kept_moves(&self) -> String {
        let against = |event: &&Event| matches!(event, Event::GameEnded | Event::Retract { .. });
        assert_eq!(self.events().find(against), None);
        self.moves()
    }

    fn asked_for_log(&self) -> bool {
        self.told().any(|output| matches!(output, Output::Send(Command::Log)))
    }
}

/// What the board logs while a position becomes another one.
fn changes(from: &Chess, to: &Chess) -> Vec<LogEvent> {
    let (from, to) = (fields(from), fields(to));
    let changed = || Field::all().filter(|field| from[field.index()] != to[field.index()]);
    let event = |field: Field, piece| LogEvent::Field { field, piece, within_250ms: false };
    let lifted = changed().filter(|field| from[field.index()] != PieceCode::Empty);
    let put = changed().filter(|field| to[field.index()] != PieceCode::Empty);
    let lifted = lifted.map(|field| event(field, PieceCode::Empty));
    lifted.chain(put.map(|field| event(field, to[field.index()]))).collect()
}

fn after(moves: &str) -> Chess {
    positions(&Chess::default(), moves).pop().unwrap_or_default()
}

const FOUR: &str = "e4 e5 Nf3 Nc6";
const TEN: &str = "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O";

#[test]
fn a_spare_board_in_the_start_position_takes_nothing_back() {
    let mut spare = SmallBoard::takes_over(FOUR, &Chess::default());
    spare.wait(300_000);
    assert_eq!(spare.kept_moves(), FOUR);
    spare.set(&after(FOUR));
    spare.play(&after(FOUR), "Bb5 a6 Ba4");
    assert_eq!(spare.kept_moves(), format!("{FOUR} Bb5 a6 Ba4"));
}

/// The last ply before the other board failed went unseen: the spare board is asked what stands there, before more is played.
#[test]
fn a_ply_that_went_unseen_on_the_other_board_comes_before_those_that_are_played_on_the_spare_one() {
    let mut spare = SmallBoard::takes_over("d4", &Chess::default());
    let set_up = after("d4 d5");
    let before = spare.told().count();
    spare.set(&set_up);
    let asked = spare.told().skip(before).any(|output| matches!(output, Output::Send(Command::Board)));
    assert!(asked, "what stands there is not asked for");
    spare.dump();
    for (position, white_moves) in positions(&set_up, "Nf3 Nf6 c4 e6").iter().zip([false, true].into_iter().cycle()) {
        spare.set(position);
        spare.press(white_moves);
        spare.wait(2_000);
    }
    assert_eq!(spare.kept_moves(), "d4 d5 Nf3 Nf6 c4 e6");
}

#[test]
fn a_clock_that_tells_its_times_before_the_board_shows_its_pieces_changes_nothing_of_that() {
    for left in ["", "d4 d5"] {
        let mut spare = SmallBoard::begins(FOUR, &after(left));
        spare.press(true);
        spare.dump();
        spare.wait(60_000);
        assert_eq!(spare.kept_moves(), FOUR, "after {left}");
        spare.set(&after(FOUR));
        spare.play(&after(FOUR), "Bb5 a6 Ba4");
        assert_eq!(spare.kept_moves(), format!("{FOUR} Bb5 a6 Ba4"), "after {left}");
    }
}

#[test]
fn the_times_are_those_of_the_players_of_the_game_and_not_of_those_who_used_the_board_before() {
    let mut spare = SmallBoard::takes_over(FOUR, &Chess::default());
    spare.set(&after(FOUR));
    spare.clock(300, 290, true);
    let mut clocks = [300, 290];
    for position in positions(&after(FOUR), "Bb5 a6 Ba4 Nf6") {
        let white_moved = !position.turn().is_white();
        clocks[usize::from(!white_moved)] -= 5;
        spare.wait(5_000);
        spare.set(&position);
        spare.clock(clocks[0], clocks[1], !white_moved);
    }
    spare.wait(60_000);
    assert_eq!(spare.kept_moves(), format!("{FOUR} Bb5 a6 Ba4 Nf6"));
    let times: Vec<_> = spare.game.moves()[4..].iter().map(|played| played.clk_ms).collect();
    assert_eq!(times, [295_000, 285_000, 290_000, 280_000].map(Some));
}

#[test]
fn what_others_left_on_the_board_is_no_end_of_the_game() {
    for left in ["", "e4 e5 Nf3 Nc6", "d4 d5", "d4 d5 c4 e6 Nc3 Nf6 Bg5"] {
        let mut spare = SmallBoard::takes_over(TEN, &after(left));
        spare.set(&Chess::default());
        spare.wait(60_000);
        spare.set(&after(TEN));
        spare.play(&after(TEN), "Nf3 h6 Bh4");
        assert_eq!(spare.kept_moves(), format!("{TEN} Nf3 h6 Bh4"), "after {left}");
    }
}

#[test]
fn a_position_that_stands_there_already_is_played_on_from() {
    let mut spare = SmallBoard::takes_over(TEN, &after(TEN));
    spare.play(&after(TEN), "Nf3 h6 Bh4");
    assert_eq!(spare.kept_moves(), format!("{TEN} Nf3 h6 Bh4"));
}

#[test]
fn the_next_ply_may_be_made_before_the_board_has_shown_the_last_one() {
    let mut spare = SmallBoard::takes_over(TEN, &after(""));
    // The line to the board is out while the pieces are set up.
    let next = after(&format!("{TEN} Nf3"));
    spare.fields = fields(&next);
    spare.dump();
    spare.play(&next, "h6 Bh4");
    assert_eq!(spare.kept_moves(), format!("{TEN} Nf3 h6 Bh4"));
}

/// A pawn that was forgotten while the position was set up keeps no game from its record.
#[test]
fn play_with_the_clock_goes_on_whatever_stands_there() {
    let mut spare = SmallBoard::takes_over(TEN, &after(""));
    let pawn = placement::field(Square::A2, false).unwrap();
    let mut position = after(TEN);
    spare.press(true);
    for san in ["Nf3", "h6", "Bh4", "b6", "cxd5", "Nxd5"] {
        let white_moves = position.turn().is_white();
        position = position.clone().play(san.parse::<San>().unwrap().to_move(&position).unwrap()).unwrap();
        let mut shown = fields(&position);
        shown[pawn.index()] = PieceCode::Empty;
        spare.set_fields(&shown);
        spare.press(!white_moves);
        spare.wait(10_000);
    }
    spare.wait(200_000);
    assert_eq!(spare.kept_moves(), format!("{TEN} Nf3 h6 Bh4 b6 cxd5 Nxd5"));
}

/// Players have gone on by some plies before the board is in reach, and its log comes while they play.
#[test]
fn what_the_clock_showed_at_moves_that_a_spare_board_has_in_its_log_belongs_to_those_moves() {
    const UNSEEN: &str = "Bb5 a6 Ba4 Nf6 O-O";
    let stood: Vec<_> = [after(FOUR)].into_iter().chain(positions(&after(FOUR), UNSEEN)).collect();
    // Black has pressed after four of them, White after the fifth; the last two presses are heard.
    let seconds = [288, 305, 289, 306, 290];
    let log = |plies: usize| -> EventLog {
        (1..=plies)
            .flat_map(|ply| {
                let side = if ply % 2 == 1 { Side::Left } else { Side::Right };
                let total_seconds = seconds[ply - 1];
                changes(&stood[ply - 1], &stood[ply]).into_iter().chain([LogEvent::Clock { side, total_seconds }])
            })
            .collect()
    };
    let mut spare = SmallBoard::begins(FOUR, &stood[3]);
    spare.clock(289, 305, false);
    spare.dump();
    for (ply, white) in [(4, 289), (5, 290)] {
        spare.set(&stood[ply]);
        spare.clock(white, 306, ply % 2 == 0);
    }
    assert!(spare.asked_for_log(), "the log was not asked for");
    let log = Message::Log(log(5)).encode();
    spare.input(&Input::Bytes(log));
    spare.wait(20_000);
    assert_eq!(spare.kept_moves(), format!("{FOUR} {UNSEEN}"));
    let shown: Vec<_> = spare.game.moves().iter().map(|mv| mv.clk_ms.map(|ms| ms / 1_000)).collect();
    let (before, unseen) = shown.split_at(4);
    assert_eq!(before, [None; 4], "the record has none");
    assert_eq!(unseen, seconds.map(|seconds| Some(u64::from(seconds))));
}
