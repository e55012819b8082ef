//! A stream in pieces of any size yields the games of the whole text, in bounded memory.

use notation::pgn::{Game, MAX_GAME_BYTES, PgnError, Reader, read_games, write_game};
use proptest::collection::vec;
use proptest::prelude::*;

use super::games::game;
use super::round_trip::PIECES;
use super::{moves, read_one, write_all};

/// The games of a text fed in pieces of these sizes, over and over.
fn stream(text: &[u8], sizes: &[usize]) -> Vec<Result<Game, PgnError>> {
    let mut reader = Reader::new();
    let mut games = Vec::new();
    let mut rest = text;
    for size in sizes.iter().cycle() {
        let (piece, behind) = rest.split_at((*size).min(rest.len()));
        reader.feed(piece);
        games.extend(std::iter::from_fn(|| reader.next_game()));
        rest = behind;
        if rest.is_empty() {
            break;
        }
    }
    reader.finish();
    games.extend(std::iter::from_fn(|| reader.next_game()));
    games
}

proptest! {
    #[test]
    fn pieces_of_any_size_give_the_same_games(games in vec(game(), 0..5), sizes in vec(1..200_usize, 1..5), crlf in any::<bool>()) {
        let text = write_all(&games);
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        prop_assert_eq!(stream(text.as_bytes(), &sizes), games.into_iter().map(Ok).collect::<Vec<_>>());
    }

    /// Damage included, with its line and column.
    #[test]
    fn pieces_of_any_size_give_the_same_errors(
        pieces in vec(proptest::sample::select(PIECES), 0..80), sizes in vec(1..20_usize, 1..5),
    ) {
        let text = pieces.concat();
        prop_assert_eq!(stream(text.as_bytes(), &sizes), read_games(&text).collect::<Vec<_>>(), "{:?}", text);
    }

    #[test]
    fn pieces_of_any_bytes_give_the_same_errors(bytes in vec(any::<u8>(), 0..300), sizes in vec(1..20_usize, 1..5)) {
        prop_assert_eq!(stream(&bytes, &sizes), read_games(&bytes).collect::<Vec<_>>());
    }
}

#[test]
fn games_come_out_as_soon_as_the_next_one_begins() {
    let mut reader = Reader::new();
    reader.feed(b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4");
    assert_eq!(reader.next_game().map(|game| moves(&game.expect("whole"))).as_deref(), Some("e4"));
    assert_eq!(reader.start_line(), 1);
    assert_eq!(reader.next_game(), None);
    reader.finish();
    assert_eq!(reader.next_game().map(|game| moves(&game.expect("whole"))).as_deref(), Some("d4"));
    assert_eq!(reader.start_line(), 5);
    assert_eq!(reader.next_game(), None);
}

/// A game without an end is one error, and the game after it is read.
#[test]
fn endless_damage_is_passed_without_being_kept() {
    let whole = "[Event \"B\"]\n\n1. d4 d5 *\n\n";
    for piece in ["{", "(", "e4 ", "[A \"x\"] ", "\"", "\0\u{1}\u{ff}", "$", "%", "1. e4 {\n"] {
        let piece = piece.repeat(64 * 1024 / piece.len());
        let mut reader = Reader::new();
        let mut told = Vec::new();
        for fed in 0..200 {
            reader.feed(piece.as_bytes());
            told.extend(std::iter::from_fn(|| reader.next_game()).map(|game| (fed, game)));
        }
        reader.feed(b"\n\n");
        reader.feed(whole.as_bytes());
        reader.finish();
        told.extend(std::iter::from_fn(|| reader.next_game()).map(|game| (200, game)));
        let [(fed, Err(_)), (_, Ok(game))] = &told[..] else { panic!("{:?}", told.len()) };
        assert!(fed * piece.len() <= 2 * MAX_GAME_BYTES, "told after {fed} pieces");
        assert_eq!(*game, read_one(whole));
    }
}

#[test]
fn a_long_game_in_small_pieces_is_not_read_again_with_each() {
    let mut game = read_one("1. Nf3 Nf6 2. Ng1 Ng8 *");
    let again = game.movetext.clone();
    for _ in 0..5_000 {
        game.movetext.extend(again.iter().cloned());
    }
    let text = write_game(&game);
    let read: Vec<_> = stream(text.as_bytes(), &[100]);
    assert_eq!(read.len(), 1);
    assert_eq!(read[0].as_ref().map(|read| read.movetext.len()), Ok(game.movetext.len()));
}
