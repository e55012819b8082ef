//! Games that begin while the board is out of reach.

use shakmaty::{Chess, Position};

use super::table::{Table, after};
use super::*;

const GAME: &str = "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 Bg4 h3 Bxf3 Qxf3 c6 Bd2 Nbd7 O-O-O e6 Kb1 Bb4";

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const OPENING: &str = "Nf3 Nf6 c4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7 O-O O-O d3 d6 a3 a6 Rb1 Rb8";
const GOES_ON: &str = "b4 cxb4 axb4 b5 cxb5 axb5";

fn placement(position: &Chess) -> String {
    position.board().to_string()
}

#[test]
fn after_the_end_of_a_game_the_next_one_is_told_from_what_stands_there() {
    for clock in [true, false] {
        let mut table = Table::new(clock);
        table.play(Chess::default(), GAME);
        table.draw();
        let stands = after(Chess::default(), OPENING);
        table.out_of_reach(stands.board(), stands.turn().is_white());
        table.play(stands.clone(), GOES_ON);
        assert_eq!(table.last_game(), (placement(&stands).as_str(), GOES_ON.to_owned()), "clock: {clock}");
    }
}

#[test]
fn without_a_clock_a_few_plies_from_the_start_are_the_next_game() {
    let mut table = Table::new(false);
    table.play(Chess::default(), GAME);
    table.draw();
    let stands = after(Chess::default(), "e4 e5");
    table.out_of_reach(stands.board(), stands.turn().is_white());
    table.play(stands, "Nf3 Nc6 Bb5 a6");
    assert_eq!(table.last_game(), (START, "e4 e5 Nf3 Nc6 Bb5 a6".to_owned()), "{:?}", table.told);
}

#[test]
fn without_a_clock_pieces_on_their_way_to_the_start_are_no_game() {
    let mut table = Table::new(false);
    table.play(Chess::default(), GAME);
    table.draw();
    let mut half = Board::new();
    half.discard_piece_at(Square::E2);
    half.discard_piece_at(Square::G8);
    table.out_of_reach(&half, true);
    let starts = table.told.iter().filter(|event| matches!(event, Event::GameStarted { .. })).count();
    assert_eq!(starts, 1, "{:?}", table.told);
    table.set(Square::E2, Some(shakmaty::Color::White.pawn()));
    table.set(Square::G8, Some(shakmaty::Color::Black.knight()));
    table.play(Chess::default(), "e4 e5");
    assert_eq!(table.last_game(), (START, "e4 e5".to_owned()));
}

#[test]
fn a_game_without_a_clock_that_is_first_seen_in_the_middle_is_told_from_there() {
    let mut table = Table::unheard(false);
    let stands = after(Chess::default(), OPENING);
    table.out_of_reach(stands.board(), stands.turn().is_white());
    table.play(stands.clone(), GOES_ON);
    assert_eq!(table.last_game(), (placement(&stands).as_str(), GOES_ON.to_owned()), "{:?}", table.told);
}

#[test]
fn the_next_game_of_which_the_order_of_unseen_plies_is_open_has_all_of_them() {
    let mut table = Table::new(true);
    table.play(Chess::default(), GAME);
    let stands = after(Chess::default(), "d4 d5 c4");
    table.out_of_reach(stands.board(), stands.turn().is_white());
    table.play(stands, "e6 Nc3 Nf6 Bg5 Be7 e3");
    table.wait(130_000);
    let (start, moves) = table.last_game();
    assert_eq!((start, moves.len()), (START, "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3".len()), "{:?}", table.told);
}

#[test]
fn the_next_game_is_told_where_its_pieces_were_set_up_the_other_way_round() {
    for (clock, unseen) in [(true, OPENING), (false, OPENING), (true, "d4 d5"), (false, "d4 d5")] {
        let mut table = Table::new(clock);
        table.play(Chess::default(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6");
        table.rotated = true;
        let stands = after(Chess::default(), unseen);
        table.out_of_reach(stands.board(), stands.turn().is_white());
        let on = if unseen == OPENING { GOES_ON } else { "c4 e6 Nc3 Nf6 Bg5 Be7" };
        table.play(stands.clone(), on);
        table.wait(130_000);
        let expected = if unseen == OPENING {
            (placement(&stands), on.to_owned())
        } else {
            (START.to_owned(), format!("{unseen} {on}"))
        };
        let (start, moves) = table.last_game();
        assert_eq!((start.to_owned(), moves), expected, "clock: {clock}, {:?}", table.told);
    }
}
