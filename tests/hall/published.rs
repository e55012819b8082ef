//! Published PGN read by pgn-reader and shakmaty, so that an error of our own reader cannot hide one of our writer.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::ControlFlow;

use board_sim::hall::PlayedGame;
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// A game of a published PGN.
#[derive(Clone, Debug, Default)]
pub(crate) struct Published {
    pub(crate) tags: BTreeMap<String, String>,
    /// The moves, each legal, with their check and mate marks.
    pub(crate) sans: Vec<String>,
    /// The `%clk` of each move, in milliseconds.
    pub(crate) clocks: Vec<Option<u64>>,
    /// The result at the end of the moves.
    pub(crate) result: String,
}

impl Published {
    /// A tag; empty if it is absent.
    pub(crate) fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }
}

/// All games of a PGN text. Panics at an illegal move, a variation or a torn command: none of them is ever published.
pub(crate) fn published(text: &str) -> Vec<Published> {
    let mut reader = Reader::new(Cursor::new(text));
    std::iter::from_fn(|| reader.read_game(&mut GameReader).expect("text in memory")).collect()
}

/// The moves of a game that was played, as shakmaty writes them.
pub(crate) fn played_sans(played: &PlayedGame) -> Vec<String> {
    played.game.line().map(|ply| ply.san.to_string()).collect()
}

/// How many clock times are wrong, and how many are missing.
pub(crate) fn wrong_and_missing(told: &[Option<u64>], shown: &[Option<u64>]) -> (usize, usize) {
    let wrong = told.iter().zip(shown).filter(|(told, shown)| told.is_some() && told != shown).count();
    (wrong, told.iter().filter(|told| told.is_none()).count())
}

struct GameReader;

impl Visitor for GameReader {
    type Tags = Published;
    type Movetext = (Published, Chess);
    type Output = Published;

    fn begin_tags(&mut self) -> ControlFlow<Published, Published> {
        ControlFlow::Continue(Published::default())
    }

    fn tag(&mut self, game: &mut Published, name: &[u8], value: RawTag<'_>) -> ControlFlow<Published> {
        let name = std::str::from_utf8(name).expect("UTF-8").to_owned();
        game.tags.insert(name, value.decode_utf8().expect("UTF-8").into_owned());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Published) -> ControlFlow<Published, (Published, Chess)> {
        let start = game.tags.get("FEN").map_or_else(Chess::default, |fen| {
            let fen: Fen = fen.parse().expect("a FEN");
            fen.into_position(CastlingMode::Standard).expect("a legal position")
        });
        ControlFlow::Continue((game, start))
    }

    fn san(&mut self, (game, position): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Published> {
        let mv = san.san.to_move(position).unwrap_or_else(|error| panic!("{san}: {error}"));
        position.play_unchecked(mv);
        game.sans.push(san.to_string());
        game.clocks.push(None);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (game, _): &mut Self::Movetext, comment: RawComment<'_>) -> ControlFlow<Published> {
        let text = std::str::from_utf8(comment.0).expect("UTF-8");
        assert_eq!(text.matches("[%").count(), text.matches(']').count(), "{text}");
        if let (Some(clock), Some((_, command))) = (game.clocks.last_mut(), text.split_once("[%clk ")) {
            let value = command.split(']').next().expect("a whole command").trim();
            let seconds = value.split(':').fold(0, |sum, part| sum * 60 + part.parse::<u64>().expect("a clock time"));
            *clock = Some(seconds * 1_000);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Published, Skip> {
        panic!("a published game has no variations")
    }

    fn outcome(&mut self, (game, _): &mut Self::Movetext, outcome: pgn_reader::Outcome) -> ControlFlow<Published> {
        outcome.as_str().clone_into(&mut game.result);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (game, _): Self::Movetext) -> Published {
        game
    }
}
