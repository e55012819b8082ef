//! pgn-reader reads the same content as our reader, and shakmaty finds every move legal.

use std::io::Cursor;
use std::ops::ControlFlow;

use notation::pgn::{Element, Game};
use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// What pgn-reader reports of each game of a text, one item a token.
pub(super) fn read(text: &str) -> Vec<Vec<String>> {
    Reader::new(Cursor::new(text))
        .read_games(&mut Tokens)
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The items that pgn-reader has to report of a game. Values of tags keep their escapes: `RawTag::decode` of
/// pgn-reader 0.29 takes the second backslash of a pair for the beginning of another escape.
pub(super) fn expected(game: &Game) -> Vec<String> {
    let mut tokens: Vec<String> = game
        .tags
        .iter()
        .map(|(name, value)| format!("[{name}] {}", value.replace('\\', "\\\\").replace('"', "\\\"")))
        .collect();
    tokens.extend(game.movetext.iter().map(|element| match element {
        Element::Move(san) => san.to_string(),
        Element::Nag(nag) => format!("${nag}"),
        Element::Comment(comment) => format!("{{{comment}}}"),
        Element::Open => "(".to_owned(),
        Element::Close => ")".to_owned(),
    }));
    tokens.push(game.outcome.to_string());
    tokens
}

struct Tokens;

struct Seen {
    tokens: Vec<String>,
    /// For each open line the position before and after its last move.
    positions: Vec<(Chess, Chess)>,
}

impl Visitor for Tokens {
    type Tags = (Vec<String>, Chess);
    type Movetext = Seen;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue((Vec::new(), Chess::default()))
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let value = std::str::from_utf8(value.as_bytes()).expect("a value in UTF-8");
        if name == b"FEN" {
            let fen: Fen = value.parse().expect("a FEN");
            tags.1 = fen.into_position(CastlingMode::Standard).expect("a legal position");
        }
        tags.0.push(format!("[{}] {value}", String::from_utf8_lossy(name)));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (tokens, start): Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(Seen { tokens, positions: vec![(start.clone(), start)] })
    }

    fn san(&mut self, seen: &mut Seen, san: SanPlus) -> ControlFlow<Self::Output> {
        let (before, now) = seen.positions.last_mut().expect("an open line");
        let played = san.san.to_move(now).unwrap_or_else(|error| panic!("{san}: {error}"));
        before.clone_from(now);
        now.play_unchecked(played);
        seen.tokens.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn nag(&mut self, seen: &mut Seen, nag: Nag) -> ControlFlow<Self::Output> {
        seen.tokens.push(nag.to_string());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, seen: &mut Seen, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        let comment = std::str::from_utf8(comment.as_bytes()).expect("a comment in UTF-8");
        seen.tokens.push(format!("{{{}}}", comment.replace('\n', " ")));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, seen: &mut Seen) -> ControlFlow<Self::Output, Skip> {
        let (before, _) = seen.positions.last().expect("an open line").clone();
        seen.positions.push((before.clone(), before));
        seen.tokens.push("(".to_owned());
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, seen: &mut Seen) -> ControlFlow<Self::Output> {
        seen.positions.pop();
        seen.tokens.push(")".to_owned());
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, seen: &mut Seen, outcome: pgn_reader::Outcome) -> ControlFlow<Self::Output> {
        seen.tokens.push(outcome.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, seen: Seen) -> Self::Output {
        seen.tokens
    }
}
