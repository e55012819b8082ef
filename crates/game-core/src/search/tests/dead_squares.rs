//! Games on boards with a square that shows nothing.

use shakmaty::{Chess, Position};

use super::table::Table;
use super::*;

const GAME: &str = "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 Bg4 h3 Bxf3 Qxf3 c6 Bd2 Nbd7 O-O-O e6 Kb1 Bb4";
const NEXT: &str = "e4 e5 Nf3 Nc6 Bb5 Qf6 O-O Qe6 Re1 Nf6 d3 Be7";

/// A table at which one game was played, with a square that is dead from then on, and the pieces of the next one set up.
fn at_the_second_game(clock: bool, dead: Square) -> Table {
    let mut table = Table::new(clock);
    table.play(Chess::default(), GAME);
    table.draw();
    table.lose(dead);
    set_up(&mut table);
    table
}

/// The pieces of the next game are set up, and its clock is started after a while.
fn set_up(table: &mut Table) {
    table.stop_clock(true);
    table.place(Chess::default().board());
    table.wait(60_000);
    table.stop_clock(false);
}

#[test]
fn a_game_without_a_clock_begins_although_a_square_of_its_start_is_dead() {
    for dead in [Square::D8, Square::A1, Square::F7] {
        let mut table = at_the_second_game(false, dead);
        table.play(Chess::default(), NEXT);
        assert_eq!(table.last_game().1, NEXT, "{dead}: {:?}", table.told);
    }
}

#[test]
fn a_square_that_was_dead_before_the_clock_was_started_is_not_believed_afterwards() {
    let mut table = at_the_second_game(true, Square::D8);
    table.play(Chess::default(), NEXT);
    table.draw();
    set_up(&mut table);
    table.play(Chess::default(), NEXT);
    assert_eq!(table.last_game().1, NEXT, "{:?}", table.told);
}

#[test]
fn trouble_that_is_over_does_not_hide_the_next_one() {
    let mut table = Table::new(true);
    let position = table.play(Chess::default(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7");
    // The player to move thinks with his rook in the hand.
    table.set(Square::F1, None);
    table.wait(100_000);
    table.set(Square::F1, Some(shakmaty::Color::White.rook()));
    table.lose(Square::D5);
    let on = "Re1 d5 exd5 Nxd5";
    table.play(position, on);
    assert!(table.last_game().1.ends_with(on), "{:?}", table.told);
}

/// A square that is not believed explains where any piece went of which nothing is heard: the board is asked before that is told.
#[test]
fn a_piece_whose_arrival_was_lost_is_not_told_to_stand_on_a_dead_square() {
    let mut table = Table::unheard(true);
    table.attach();
    let position = table.play(Chess::default(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7");
    table.lose(Square::D5);
    let position = table.play(position, "Re1 d5 exd5 Nxd5 Nc3 Nf6");
    table.play_with_loss(&position, "Ne2");
    assert!(table.last_game().1.ends_with("Nc3 Nf6 Ne2"), "{:?}", table.told);
    assert!(!table.told.iter().any(|event| matches!(event, Event::Retract { .. })), "{:?}", table.told);
}
