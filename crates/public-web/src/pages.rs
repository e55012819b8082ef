//! The addresses of the pages, with what the server draws into them, and the files they need.

mod frame;

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use publish::gate::View;

use self::frame::{Filled, Frame};
use super::answer;
use super::asset::{Asset, Pages};
use super::encoding::accepts;
use super::polled::Conditions;
use super::sections::read;
use super::web::Web;
use drawn::game::{page as game_page, summary};
use drawn::hall::{DrawnRound, push_encoded};
use drawn::names;
use drawn::words::{Words, words};

const NO_PAGE: &str = "There is no such page: the games are at /, their PGN is at /live.pgn.";
const NO_GAME: &str = "There is no such game here: the games are at /, their PGN is at /live.pgn.";
const NO_ROUND: &str = "There is no such round: the games are at /, /api/v1/sections lists all rounds.";

/// The section and round that the query of a page names.
#[derive(Debug, Default, serde::Deserialize)]
pub(super) struct Place {
    event: Option<String>,
    round: Option<String>,
}

/// A file of the pages.
pub(super) async fn file(State(web): State<Arc<Web>>, uri: Uri, headers: HeaderMap) -> Response {
    let file = (web.pages)(uri.path());
    // Pages have addresses of their own.
    match file.filter(|file| !file.content_type.starts_with("text/html")) {
        Some(file) => sent(&headers, file),
        None => missing(web.pages, &headers, NO_PAGE),
    }
}

/// A file as it was built, in the best encoding that the client takes.
fn sent(headers: &HeaderMap, file: Asset) -> Response {
    let (coding, bytes) = match (file.brotli, file.gzip) {
        (Some(bytes), _) if accepts(headers, "br") => (Some("br"), bytes),
        (_, Some(bytes)) if accepts(headers, "gzip") => (Some("gzip"), bytes),
        _ => (None, file.bytes),
    };
    let etag = match coding {
        Some(coding) => format!("{}-{coding}\"", file.etag.trim_end_matches('"')),
        None => file.etag,
    };
    let common =
        [(header::ETAG, &*etag), (header::CACHE_CONTROL, file.cache_control), (header::VARY, "Accept-Encoding")];
    if Conditions::of(headers).has_tag(&etag) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let mut response = (common, [(header::CONTENT_TYPE, file.content_type)], bytes).into_response();
    if let Some(coding) = coding {
        response.headers_mut().insert(header::CONTENT_ENCODING, header::HeaderValue::from_static(coding));
    }
    response
}

fn spoken(headers: &HeaderMap) -> &'static Words {
    words(headers.get(header::ACCEPT_LANGUAGE).and_then(|wish| wish.to_str().ok()).unwrap_or_default())
}

/// All boards of a round.
pub(super) async fn hall(
    State(web): State<Arc<Web>>,
    asked: Result<Query<Place>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let place = asked.map(|Query(place)| place).unwrap_or_default();
    let words = spoken(&headers);
    let site = site(&headers);
    let named = place.event.is_some();
    let filled = round(&web, place.event, place.round.and_then(|round| round.parse().ok()), move |drawn| Filled {
        title: format!("{} · {}", drawn.round.info.name, drawn.event()),
        about: drawn.summary(),
        picture: drawn.games.first().map(|game| picture(&site, &game.at.game)),
        place: None,
        feed: Some(feed(named.then(|| (&**drawn.section.slug(), drawn.round.number)))),
        body: drawn.page(words),
    });
    Frame::OWN.page(web.pages, "/", &headers, &filled.await.unwrap_or_default())
}

/// One game.
pub(super) async fn game(State(web): State<Arc<Web>>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    one_game(&web, id, &headers, "/", &Frame::OWN).await
}

/// One game, for the page of another site.
pub(super) async fn embedded_game(State(web): State<Arc<Web>>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    one_game(&web, id, &headers, "/embed.html", &Frame::ANYWHERE).await
}

/// A round, for the page of another site: `current`, a section's current round, or a section's round.
pub(super) async fn embedded_round(
    State(web): State<Arc<Web>>,
    Path(place): Path<String>,
    headers: HeaderMap,
) -> Response {
    let (section, number) = match place.split_once('/') {
        Some((section, number)) => match number.parse() {
            Ok(number) => (Some(section.to_owned()), Some(number)),
            Err(_) => return missing(web.pages, &headers, NO_ROUND),
        },
        None => (Some(place).filter(|section| section != "current"), None),
    };
    let (words, follows) = (spoken(&headers), number.is_none());
    let filled = round(&web, section, number, move |drawn| {
        let slug = drawn.section.slug().to_string();
        Filled {
            title: format!("{} · {}", drawn.round.info.name, drawn.event()),
            about: drawn.summary(),
            place: Some((slug, (!follows).then_some(drawn.round.number), None)),
            body: drawn.page(words),
            ..Filled::default()
        }
    });
    match filled.await {
        Some(filled) => Frame::ANYWHERE.page(web.pages, "/embed.html", &headers, &filled),
        None => missing(web.pages, &headers, NO_ROUND),
    }
}

/// That there is no such page: a browser gets the way to the games, everything else one sentence.
fn missing(pages: Pages, headers: &HeaderMap, sentence: &'static str) -> Response {
    let wanted = headers.get(header::ACCEPT).and_then(|wish| wish.to_str().ok()).unwrap_or_default();
    if wanted.contains("text/html") {
        Frame::missing(pages, spoken(headers))
    } else {
        answer::sentence(StatusCode::NOT_FOUND, sentence)
    }
}

/// An overlay for a stream; its script draws everything.
pub(super) async fn overlay(State(web): State<Arc<Web>>, headers: HeaderMap) -> Response {
    Frame::OWN.page(web.pages, "/overlay.html", &headers, &Filled::default())
}

/// A screen in the hall; its script draws everything.
pub(super) async fn screen(State(web): State<Arc<Web>>, headers: HeaderMap) -> Response {
    Frame::OWN.page(web.pages, "/screen.html", &headers, &Filled::default())
}

/// An overlay or a screen at an address with a key, which must not go to other sites: `overlay/...` or `screen`.
pub fn page_with_key(pages: Pages, address: &str, headers: &HeaderMap) -> Option<Response> {
    let page = match address.split('/').next() {
        Some("overlay") => "/overlay.html",
        Some("screen") => "/screen.html",
        _ => return None,
    };
    let mut page = Frame::OWN.page(pages, page, headers, &Filled::default());
    page.headers_mut().insert(header::REFERRER_POLICY, header::HeaderValue::from_static("no-referrer"));
    page.headers_mut().insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    Some(page)
}

async fn one_game(web: &Arc<Web>, id: String, headers: &HeaderMap, page: &'static str, frame: &Frame) -> Response {
    let (words, site) = (spoken(headers), site(headers));
    let public = web.public.clone();
    let found = read(move || public.game(&id)).await.ok().flatten();
    let Some((section, game)) = found else { return missing(web.pages, headers, NO_GAME) };
    let info = section.info();
    let event = info.as_ref().map(|info| drawn::short(&info.name)).unwrap_or_default();
    let video = info.and_then(|info| info.video.clone());
    let round = section.round(game.at.round);
    let later = round.as_ref().and_then(|round| drawn::delay(round, words));
    let place = format!("{event} · {}", drawn::short(&round.map(|round| round.info.name).unwrap_or_default()));
    let filled = Filled {
        title: names(&game),
        about: summary(&game, &place),
        picture: Some(picture(&site, &game.at.game)),
        place: Some((section.slug().to_string(), Some(game.at.round), Some(game.at.game.to_string()))),
        feed: None,
        body: game_page(&game, &place, later.as_deref(), video.as_deref(), words),
    };
    frame.page(web.pages, page, headers, &filled)
}

/// A round as something is made of it; the featured one where none is named.
async fn round(
    web: &Arc<Web>,
    section: Option<String>,
    number: Option<u32>,
    make: impl FnOnce(&DrawnRound) -> Filled + Send + 'static,
) -> Option<Filled> {
    let public = web.public.clone();
    let work = move || {
        let section = section.map_or_else(|| public.featured_section(), |slug| public.section(&slug))?;
        let number = number.unwrap_or_else(|| section.current_round());
        DrawnRound::of(section, number).map(|drawn| make(&drawn))
    };
    read(work).await.ok().flatten()
}

/// The address of the site as this client sees it; empty when it says none. Link previews need whole addresses.
fn site(headers: &HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let host = text("host");
    let plain = |host: &str| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    if host.is_empty() || host.len() > 255 || !plain(host) {
        return String::new();
    }
    let scheme = if text("x-forwarded-proto") == "https" { "https" } else { "http" };
    format!("{scheme}://{host}")
}

fn picture(site: &str, game: &str) -> String {
    let mut address = format!("{site}/board/");
    push_encoded(&mut address, game);
    address + ".png"
}

/// The address of the snapshot that the page will ask for.
fn feed(place: Option<(&str, u32)>) -> String {
    place.map_or_else(|| "/api/v1/round".to_owned(), |(slug, _)| format!("/api/v1/round?event={slug}"))
}
