//! What a viewer asks for in the query of the live feed.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;

use super::Rounds;
use crate::problem::Problem;
use crate::web::Web;
use publish::gate::{PublicView, SectionView, View};
use publish::hub::{Choice, Form, Games, Request};

/// The most games that one viewer may choose; more are a round.
const MOST_GAMES: usize = 100;

/// The query of a viewer.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct LiveQuery {
    event: Option<String>,
    round: Option<u32>,
    /// Ids with commas between them.
    games: Option<String>,
    stream: Option<String>,
    since: Option<u64>,
}

pub(crate) type AnyQuery = Result<Query<LiveQuery>, QueryRejection>;

/// What exists of that which a viewer asks for.
pub(super) struct Asked {
    pub(super) choice: Choice,
    pub(super) section: SectionView<PublicView>,
    /// The round at this moment.
    pub(super) round: u32,
    resume: Option<(String, u64)>,
}

impl Asked {
    /// Where snapshots of its round come from.
    pub(super) fn rounds<'a>(&self, web: &'a Web) -> &'a Rounds<PublicView> {
        if self.section.is_archived(self.round) { &web.past_rounds } else { &web.rounds }
    }

    /// The request to the hub. A browser that reconnects to server-sent events says in a header what it has.
    pub(super) fn request(self, form: Form, headers: &HeaderMap) -> Request {
        let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.rsplit_once(':'));
        let resume = last.and_then(|(stream, seq)| Some((stream.to_owned(), seq.parse().ok()?)));
        Request { choice: self.choice, resume: resume.filter(|_| form == Form::EventStream).or(self.resume), form }
    }
}

/// Reads a query.
///
/// # Errors
/// With a sentence, when it cannot be read or names what is not there.
pub(super) fn asked(web: &Web, query: AnyQuery) -> Result<Asked, Problem> {
    let Query(query) = query.map_err(|_| {
        bad("The query is not understood: round and since are numbers, event and stream are names, games are ids with commas \
             between them.")
    })?;
    let games = query.games.as_deref().map(chosen).transpose()?;
    let mut choice = Choice { section: query.event.map(Into::into), round: query.round, games: None };
    if let Some(games) = games {
        of_games(web, &mut choice, games)?;
    }
    let section = match &choice.section {
        Some(slug) => web.public.section(slug),
        None => web.public.featured_section(),
    };
    let section = section.ok_or_else(unknown)?;
    let round = choice.round.unwrap_or_else(|| section.current_round());
    section.tail(round, u64::MAX).ok_or_else(unknown)?;
    Ok(Asked { choice, section, round, resume: query.stream.zip(query.since) })
}

/// The ids of games.
fn chosen(list: &str) -> Result<BTreeSet<Arc<str>>, Problem> {
    let games: BTreeSet<Arc<str>> =
        list.split(',').map(str::trim).filter(|id| !id.is_empty()).map(Into::into).collect();
    match games.len() {
        0 => Err(bad("The list of games is empty: name the ids of games, or leave games out to follow a round.")),
        1..=MOST_GAMES => Ok(games),
        _ => Err(bad("More than 100 games: follow their round instead.")),
    }
}

/// Completes a choice of games by their section and round, which they have to share.
fn of_games(web: &Web, choice: &mut Choice, games: BTreeSet<Arc<str>>) -> Result<(), Problem> {
    for id in &games {
        let (section, round) = web.public.round_of_game(id).ok_or_else(|| {
            Problem::new(StatusCode::NOT_FOUND, "There is no such game: the rounds at /api/v1/sections list them.")
        })?;
        let here = choice.section.get_or_insert_with(|| Arc::clone(section.slug())) == section.slug();
        if !here || *choice.round.get_or_insert(round) != round {
            return Err(bad("These games are of different rounds: open one connection for each round."));
        }
    }
    choice.games = Some(Games::new(games));
    Ok(())
}

/// What was chosen does not exist.
pub(super) fn unknown() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "There is no such event or round: leave the choice out to see the one being played.",
    )
}

fn bad(sentence: &'static str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, sentence)
}
