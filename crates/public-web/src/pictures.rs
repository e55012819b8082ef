//! `/board/{game}.svg` and `.png`: the position of a game as a picture, as far as the public may see it.

mod font;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use publish::bodies::etag_of;
use publish::gate::{GameView, View};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::Tree;
use tokio::sync::Semaphore;

use super::answer;
use super::polled::Conditions;
use super::sections::read;
use super::web::Web;
use drawn::board::{Look, picture};
use drawn::preview::{LETTERS, Row, SPACE, preview};
use drawn::{escaped, names};

/// Pixels of a picture for which no size is asked: what sites with link previews take.
const SIZE: u32 = 600;

/// Pixels between which a size is moved.
const SIZES: (u32, u32) = (64, 1200);

/// Finished pictures that are kept.
const KEPT: usize = 256;

/// Pictures that are drawn at the same time.
const DRAWN_AT_ONCE: usize = 2;

/// Finished PNG pictures by the digest of their SVG, with places for drawing new ones.
pub(super) struct Pictures {
    kept: Mutex<BTreeMap<String, Bytes>>,
    places: Arc<Semaphore>,
}

impl Pictures {
    pub(super) fn new() -> Self {
        Self { kept: Mutex::default(), places: Arc::new(Semaphore::new(DRAWN_AT_ONCE)) }
    }

    /// The PNG of an SVG with this tag.
    async fn png(&self, tag: &str, svg: String) -> Option<Bytes> {
        if let Some(kept) = self.kept(tag) {
            return Some(kept);
        }
        let place = Arc::clone(&self.places).acquire_owned().await.ok()?;
        // Another request may have drawn the same picture.
        if let Some(kept) = self.kept(tag) {
            return Some(kept);
        }
        let drawn = read(move || {
            // Kept until it is drawn, also when the client has gone: otherwise clients that leave at once have any number drawn.
            let _place = place;
            rendered(&svg)
        });
        let drawn = drawn.await.ok()??;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(tag.to_owned(), drawn.clone());
        Some(drawn)
    }

    fn kept(&self, tag: &str) -> Option<Bytes> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(tag).cloned()
    }
}

/// What the query of a picture asks for; what cannot be read is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wish {
    size: u32,
    ply: Option<usize>,
    look: Look,
    /// Whether the players stand beside the board; none for the usual of the kind of picture.
    players: Option<bool>,
}

impl Wish {
    fn of(query: &str) -> Self {
        let mut wish = Self { size: SIZE, ply: None, look: Look::default(), players: None };
        for (name, value) in query.split('&').take(20).filter_map(|part| part.split_once('=')) {
            match name {
                "size" => wish.size = value.parse().map_or(SIZE, |size: u32| size.clamp(SIZES.0, SIZES.1)),
                "ply" => wish.ply = value.parse().ok(),
                "flip" | "flipped" => wish.look.flipped = value == "1" || value == "true",
                "players" => wish.players = Some(value == "1" || value == "true"),
                _ => (),
            }
        }
        wish
    }
}

/// The picture of an address.
pub(super) async fn board(
    State(web): State<Arc<Web>>,
    Path(file): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let none = || answer::sentence(StatusCode::NOT_FOUND, "There is no such game: the games are at /.");
    let Some((id, kind)) = file.rsplit_once('.').filter(|(_, kind)| matches!(*kind, "svg" | "png")) else {
        return none();
    };
    let (id, png) = (id.to_owned(), kind == "png");
    let mut wish = Wish::of(query.as_deref().unwrap_or_default());
    // Link previews take the PNG; an SVG is a board on another page, which has its own text.
    wish.players.get_or_insert(png);
    let public = web.public.clone();
    let Ok(Some((_, game))) = read(move || public.game(&id)).await else { return none() };
    let svg = drawn(&game, wish);
    let tag = etag_of(&Bytes::from(format!("{svg}{kind}")));
    let common = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if Conditions::of(&headers).has_tag(&tag) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    if !png {
        return (common, [(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response();
    }
    match web.pictures.png(&tag, svg).await {
        Some(bytes) => (common, [(header::CONTENT_TYPE, "image/png")], bytes).into_response(),
        None => super::problem::failing().into_response(),
    }
}

/// The SVG of a game.
fn drawn(game: &GameView, wish: Wish) -> String {
    let moves = game.game.moves();
    let ply = wish.ply.unwrap_or(moves.len()).min(moves.len());
    let last = ply.checked_sub(1).and_then(|index| moves.get(index));
    let fen = game.game.fen_after(ply).unwrap_or_default();
    let (last, title) = (last.map(|last| &*last.uci), escaped(&names(game)));
    if wish.players != Some(true) {
        return picture(&fen, last, wish.look, wish.size, &title);
    }
    preview(&fen, last, wish.look, wish.size, (&title, font::FAMILY), &["Black", "White"].map(|side| row(game, side)))
}

/// What stands beside a board of one player, as far as it is public. A player without a public name has no row.
fn row(game: &GameView, side: &str) -> Row {
    let tags = game.game.tags();
    let tag =
        |name: String| tags.get(&name).map(|value| value.trim()).filter(|value| !matches!(*value, "" | "?" | "-"));
    let points = match (game.game.shown_result(), side) {
        ("1-0", "White") | ("0-1", "Black") => "1",
        ("1-0" | "0-1" | "0-0", _) => "0",
        ("1/2-1/2", _) => "½",
        _ => "",
    };
    let federation = tag(format!("{side}Fed")).or_else(|| tag(format!("{side}Team"))).unwrap_or_default();
    // A federation has three letters; a team's name gives way to that of its player.
    let federation = font::fitted(federation, LETTERS, SPACE / 3.0);
    let space = if federation.is_empty() { SPACE } else { SPACE * 0.62 };
    let title = tag(format!("{side}Title")).map(|title| format!("{title} ")).unwrap_or_default();
    let name = tag(side.to_owned()).map(|name| format!("{title}{name}")).unwrap_or_default();
    Row { name: font::fitted(&name, LETTERS, space), federation, points: points.to_owned() }
}

/// Draws an SVG that was made here.
fn rendered(svg: &str) -> Option<Bytes> {
    let tree = Tree::from_str(svg, &font::options()).inspect_err(log).ok()?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height())?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().inspect_err(log).ok().map(Bytes::from)
}

fn log(error: &impl std::fmt::Display) {
    tracing::error!(%error, "a picture of a board cannot be drawn");
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_query_is_read_as_far_as_it_makes_sense() {
        let wish = |query| Wish::of(query);
        assert_eq!(
            wish("size=99999&ply=7&flip=1"),
            Wish { size: 1200, ply: Some(7), look: Look { flipped: true }, players: None }
        );
        for rubbish in ["", "&&&=&", "size=-1&ply=x", "size=99999999999999999999&ply=&%00=%ff"] {
            assert_eq!(
                wish(rubbish),
                Wish { size: SIZE, ply: None, look: Look::default(), players: None },
                "{rubbish}"
            );
        }
    }

    #[test]
    fn names_are_drawn_in_every_script_of_the_font() {
        let blank = preview(START, None, Look::default(), 800, ("", font::FAMILY), &Default::default());
        let blank = Pixmap::decode_png(&rendered(&blank).unwrap()).unwrap();
        for name in ["Bos", "Đukić", "Иванчук", "Ωμέγα", "גלפנד", "فيروزجا"] {
            let row = Row { name: name.into(), federation: "NED".into(), points: "½".into() };
            let svg = preview(START, None, Look::default(), 800, ("", font::FAMILY), &[row.clone(), row]);
            let drawn = Pixmap::decode_png(&rendered(&svg).unwrap()).unwrap();
            let bright = |from: u32, to: u32| {
                let squares = (20..60).flat_map(|y| (from..to).map(move |x| (x, y)));
                squares.filter(|(x, y)| drawn.pixel(*x, *y) != blank.pixel(*x, *y)).count()
            };
            assert!(bright(20, 200) > 300, "{name}: {}", bright(20, 200));
            assert!(bright(620, 720) > 100 && bright(745, 780) > 50, "{name}");
        }
    }

    #[tokio::test]
    async fn a_picture_has_its_place_until_it_is_drawn_also_when_the_client_has_gone() {
        let pictures = Pictures::new();
        for tag in ["a", "b"] {
            let svg = picture(START, None, Look::default(), 1200, "");
            let gone = tokio::time::timeout(Duration::ZERO, pictures.png(tag, svg)).await;
            assert!(gone.is_err(), "drawn at once");
        }
        assert_eq!(pictures.places.available_permits(), 0);
        while pictures.places.available_permits() < DRAWN_AT_ONCE {
            tokio::task::yield_now().await;
        }
    }

    #[test]
    fn a_picture_has_its_size_and_its_pieces() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let bytes = rendered(&picture(fen, None, Look::default(), 64, "A &amp; B")).unwrap();
        let pixels = Pixmap::decode_png(&bytes).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (64, 64));
        let at = |x, y| pixels.pixel(x, y).unwrap().demultiply();
        // The middle of a black pawn, of an empty square and of a white pawn.
        assert!(at(4, 12).red() < 60 && at(4, 52).red() > 200 && at(3, 35) != at(4, 12), "{:?}", at(4, 12));
    }
}
