//! Makes a broadcast at Lichess with its rounds, for pushes, and moves the starts of these rounds.
//!
//! What is there already by the same name is used, so that a repeated call, also one after an answer that was lost, makes nothing
//! twice. Facts: the API's description (github.com/lichess-org/api).

use std::sync::Arc;

use bytes::Bytes;
use coded_text::CodedText;
use hall_clock::UtcMs;
use serde::Deserialize;

use super::failed;
use super::sentence::LichessSentence;
use crate::consumer::answers::silent;
use crate::http::{Http, Request};
use crate::queue::Failure;
use crate::settings::LichessTarget;

/// Lengths that Lichess takes for names, in characters.
const NAMES: (usize, usize) = (3, 80);

/// A broadcast of the same name is the one of an earlier call only when it is not older than this, in milliseconds: next year's event
/// may have the same name.
const RECENT_MS: u64 = 24 * 60 * 60_000;

/// A round as it is planned here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRound {
    /// Its number.
    pub number: u32,
    /// Its name for people.
    pub name: String,
    /// When its moves begin to come, UTC milliseconds: the planned start and the delay. None when that is not known.
    pub starts_at: Option<UtcMs>,
}

#[derive(Deserialize)]
struct Account {
    id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    current_page_results: Vec<OfUser>,
}

#[derive(Deserialize)]
struct OfUser {
    tour: Tour,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tour {
    id: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    created_at: Option<UtcMs>,
}

#[derive(Deserialize)]
struct Broadcast {
    tour: Tour,
    #[serde(default)]
    rounds: Vec<Round>,
}

#[derive(Deserialize)]
struct MadeRound {
    round: Round,
}

#[derive(Clone, Deserialize)]
struct Round {
    id: String,
    #[serde(default)]
    name: String,
}

/// Makes what is missing of a broadcast, and writes the ids into its settings as they come: what was made before a failure is in them.
pub(crate) fn complete(
    target: &mut LichessTarget,
    http: &Arc<dyn Http>,
    event: &str,
    rounds: &[PlannedRound],
    now: UtcMs,
) -> Result<CodedText, Failure> {
    let wanted: Vec<_> = rounds.iter().filter(|round| target.id_of(round.number).is_none()).collect();
    if wanted.is_empty() {
        return Ok(LichessSentence::AllThere.coded());
    }
    let tour = if let Some(tour) = &target.broadcast {
        tour.clone()
    } else {
        let tour = broadcast(target, http, &fitting(event), now)?;
        target.broadcast = Some(tour.clone());
        tour
    };
    let known: Broadcast = ask(target, http, "GET", &format!("/api/broadcast/{}", plain(&tour)?), &[])?;
    let mut made = 0;
    for round in &wanted {
        let name = fitting(&round.name);
        let used = |id: &str| target.rounds.iter().any(|used| used == id);
        let there = known.rounds.iter().find(|known| known.name == name && !used(&known.id)).cloned();
        let id = if let Some(known) = there {
            known.id
        } else {
            let starts_at = round.starts_at.map(|at| at.to_string());
            let mut form = vec![("name", &*name), ("syncSource", "push"), ("delay", "0")];
            form.extend(starts_at.as_deref().map(|at| ("startsAt", at)));
            let answer: MadeRound = ask(target, http, "POST", &format!("/broadcast/{}/new", plain(&tour)?), &form)?;
            made += 1;
            target.starts.extend(round.starts_at.map(|at| (round.number, at)));
            answer.round.id
        };
        let place = usize::try_from(round.number).unwrap_or(usize::MAX).saturating_sub(1);
        if place >= crate::settings::MOST_ROUNDS {
            return Err(Failure::refused(LichessSentence::ManyRounds { round: round.number }));
        }
        if target.rounds.len() <= place {
            target.rounds.resize(place + 1, String::new());
        }
        if let Some(known) = target.rounds.get_mut(place) {
            plain(&id)?.clone_into(known);
        }
    }
    let address = format!("{}/broadcast/-/{tour}", target.site.trim_end_matches('/'));
    let answer = match wanted.len() - made {
        0 => LichessSentence::Made { made, address },
        found => LichessSentence::MadeAndFound { made, found, address },
    };
    Ok(answer.coded())
}

/// Moves the starts at Lichess of rounds that were made from here and are planned for another time now; says how many. Each that was
/// moved is noted in the settings, also before a failure.
pub(crate) fn move_starts(
    target: &mut LichessTarget,
    http: &Arc<dyn Http>,
    rounds: &[PlannedRound],
) -> Result<usize, Failure> {
    let mut moved = 0;
    for (number, at, id) in moves(target, rounds) {
        // Without `patch` Lichess takes fields that the form does not have as removed.
        let path = format!("/broadcast/round/{}/edit?patch=1", plain(&id)?);
        let _: MadeRound = ask(target, http, "POST", &path, &[("startsAt", &at.to_string())])?;
        target.starts.insert(number, at);
        moved += 1;
    }
    Ok(moved)
}

/// The rounds whose start Lichess has otherwise: number, start and id.
pub(crate) fn moves(target: &LichessTarget, rounds: &[PlannedRound]) -> Vec<(u32, UtcMs, String)> {
    if target.broadcast.is_none() {
        return Vec::new();
    }
    let moves = rounds.iter().filter_map(|round| {
        let at = round.starts_at.filter(|at| target.starts.get(&round.number) != Some(at))?;
        Some((round.number, at, target.id_of(round.number)?.to_owned()))
    });
    moves.collect()
}

/// The id of the broadcast of this name: one that an earlier call made, or a new one.
fn broadcast(target: &LichessTarget, http: &Arc<dyn Http>, name: &str, now: UtcMs) -> Result<String, Failure> {
    let account: Account = ask(target, http, "GET", "/api/account", &[])?;
    let page: Page = ask(target, http, "GET", &format!("/api/broadcast/by/{}", plain(&account.id)?), &[])?;
    let recent = |tour: &Tour| tour.created_at.is_some_and(|at| now.saturating_sub(at) < RECENT_MS);
    let mut known = page.current_page_results.into_iter().map(|of_user| of_user.tour);
    if let Some(tour) = known.find(|tour| tour.name == name && recent(tour)) {
        return Ok(tour.id);
    }
    let made: Broadcast = ask(target, http, "POST", "/broadcast/new", &[("name", name)])?;
    Ok(made.tour.id)
}

/// One request with a form, and its answer.
fn ask<T: for<'de> Deserialize<'de>>(
    target: &LichessTarget,
    http: &Arc<dyn Http>,
    method: &'static str,
    path: &str,
    form: &[(&str, &str)],
) -> Result<T, Failure> {
    let token = target.token.read().map_err(Failure::refused)?;
    let mut headers = vec![("authorization", format!("Bearer {token}")), ("accept", "application/json".to_owned())];
    if method == "POST" {
        headers.push(("content-type", "application/x-www-form-urlencoded".to_owned()));
    }
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let url = format!("{}{path}", target.site.trim_end_matches('/'));
    let response = http.send(Request { method, url, headers, body: Bytes::from(body) }).map_err(silent)?;
    if response.status != 200 {
        return Err(failed(&response));
    }
    serde_json::from_slice(&response.body).map_err(|_| Failure::unreachable(LichessSentence::NotUnderstood))
}

/// An id that Lichess gave, as a part of addresses.
fn plain(id: &str) -> Result<&str, Failure> {
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let good = !id.is_empty() && id.len() <= 40 && id.bytes().all(letters);
    good.then_some(id).ok_or_else(|| Failure::unreachable(LichessSentence::NotUnderstood))
}

/// A name as Lichess takes it.
fn fitting(name: &str) -> String {
    let name: String = name.chars().filter(|letter| !letter.is_control()).take(NAMES.1).collect();
    let name = name.trim();
    if name.chars().count() < NAMES.0 { format!("Round {name}").trim().to_owned() } else { name.to_owned() }
}
