//! A Lichess of tests: it does what the API's description says, as far as pushes need it, and fails on request.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use notation::pgn::{Game, read_games};
use serde_json::json;

use crate::http::{Http, NoAnswer, Request, Response};

/// Its address; without TLS, which some builds do not have.
pub(super) const SITE: &str = "http://lichess.test";

/// When it made its broadcasts, UTC milliseconds.
pub(super) const MADE_AT: u64 = 1_800_000_000_000;

/// How it answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Mood {
    #[default]
    Well,
    Silent,
    Status(u16, &'static str, &'static str),
    /// It takes what is sent, and the answer is lost.
    Deaf,
}

/// A round that was made: id, name and form.
type MadeRound = (String, String, String);

#[derive(Default)]
struct Inner {
    mood: Mood,
    requests: Vec<Request>,
    /// The games of each round, as PGN, in the order of boards.
    rounds: BTreeMap<String, Vec<Game>>,
    /// Ids of games that it refuses: alone, or with a status for the whole push.
    refused: Vec<&'static str>,
    refuses_whole: bool,
    most_bytes: Option<usize>,
    delay_s: u64,
    /// Moves it plays at boards by itself, as a corrected move that stays.
    changed: BTreeMap<String, String>,
    /// The broadcasts that were made: id, name, and rounds with id, name and form.
    broadcasts: Vec<(String, String, Vec<MadeRound>)>,
}

#[derive(Clone, Default)]
pub(super) struct StandIn(Arc<Mutex<Inner>>);

impl StandIn {
    pub(super) fn http(&self) -> Arc<dyn Http> {
        Arc::new(self.clone())
    }

    pub(super) fn mood(&self, mood: Mood) {
        self.0.lock().unwrap().mood = mood;
    }

    pub(super) fn refuse(&self, games: &[&'static str], whole: bool) {
        let mut inner = self.0.lock().unwrap();
        (inner.refused, inner.refuses_whole) = (games.to_vec(), whole);
    }

    pub(super) fn take_at_most(&self, bytes: usize) {
        self.0.lock().unwrap().most_bytes = Some(bytes);
    }

    pub(super) fn delay(&self, seconds: u64) {
        self.0.lock().unwrap().delay_s = seconds;
    }

    pub(super) fn show_instead(&self, game: &str, pgn: &str) {
        self.0.lock().unwrap().changed.insert(game.to_owned(), pgn.to_owned());
    }

    /// The broadcasts that were made: name, and rounds with name and form.
    pub(super) fn broadcasts(&self) -> Vec<(String, Vec<(String, String)>)> {
        let rounds = |rounds: &[(String, String, String)]| {
            rounds.iter().map(|(_, name, form)| (name.clone(), form.clone())).collect()
        };
        self.0.lock().unwrap().broadcasts.iter().map(|(_, name, of)| (name.clone(), rounds(of))).collect()
    }

    /// The requests since the last call.
    pub(super) fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.0.lock().unwrap().requests)
    }

    /// Ids of the games in each push since the last call.
    pub(super) fn pushes(&self) -> Vec<Vec<String>> {
        let pushes = self.requests().into_iter().filter(|request| request.url.ends_with("/push"));
        pushes.map(|request| games(&request.body).iter().map(id).collect()).collect()
    }

    /// What it shows of a round: id, plies and result of each game in order.
    pub(super) fn shows(&self, round: &str) -> Vec<(String, usize, &'static str)> {
        let inner = self.0.lock().unwrap();
        let games = inner.rounds.get(round).into_iter().flatten();
        games.map(|game| (id(game), game.line().count(), game.outcome.as_str())).collect()
    }
}

fn games(body: &[u8]) -> Vec<Game> {
    read_games(body).map(|game| game.expect("valid PGN is sent")).collect()
}

fn id(game: &Game) -> String {
    game.tags.get("GameId").unwrap_or_default().to_owned()
}

fn answer(status: u16, body: impl Into<String>) -> Response {
    let body: String = body.into();
    Response { status, content_type: "application/json".into(), body: body.into(), ..Response::default() }
}

impl Http for StandIn {
    fn send(&self, request: Request) -> Result<Response, NoAnswer> {
        let mut inner = self.0.lock().unwrap();
        inner.requests.push(request.clone());
        match inner.mood.clone() {
            Mood::Well | Mood::Deaf => {}
            Mood::Silent => return Err(NoAnswer::Late),
            Mood::Status(status, content_type, body) => {
                return Ok(Response { content_type: content_type.into(), ..answer(status, body) });
            }
        }
        assert!(request.headers.contains(&("authorization", "Bearer lip_secret".to_owned())));
        let path = request.url.strip_prefix(SITE).expect("the right site");
        let answer = inner.answer(path, &request);
        if inner.mood == Mood::Deaf && request.method == "POST" {
            Err(NoAnswer::Unreachable { reason: "it broke off".into() })
        } else {
            Ok(answer)
        }
    }
}

impl Inner {
    fn answer(&mut self, path: &str, request: &Request) -> Response {
        if let Some(answer) = self.broadcast(path, request) {
            return answer;
        }
        if let Some(id) = path.strip_prefix("/api/broadcast/-/-/") {
            return answer(
                200,
                json!({ "round": { "id": id, "name": "Round", "delay": self.delay_s }, "study": { "writeable": true } })
                    .to_string(),
            );
        }
        let Some((round, action)) =
            path.strip_prefix("/api/broadcast/round/").and_then(|rest| rest.split_at_checked(8))
        else {
            return answer(404, "{}");
        };
        match (request.method, action) {
            ("POST", "/push") => self.push(round, &request.body),
            ("POST", "/reset") => {
                self.rounds.remove(round);
                answer(200, r#"{"ok":true}"#)
            }
            ("GET", action) if action.starts_with(".pgn") => {
                let games = self.rounds.get(round).into_iter().flatten();
                let shown = games.map(|game| match self.changed.get(&id(game)) {
                    Some(pgn) => format!("[GameId \"{}\"]\n\n{pgn}\n\n", id(game)),
                    None => notation::pgn::write_game(game),
                });
                answer(200, shown.collect::<String>())
            }
            _ => answer(405, "{}"),
        }
    }

    /// Making of broadcasts.
    fn broadcast(&mut self, path: &str, request: &Request) -> Option<Response> {
        let form = String::from_utf8_lossy(&request.body).into_owned();
        let name = || {
            let name = form_urlencoded::parse(form.as_bytes()).find(|(key, _)| key == "name");
            name.map(|(_, value)| value.into_owned()).unwrap_or_default()
        };
        let tour = |(id, name, _): &(String, String, Vec<_>)| json!({ "id": id, "name": name, "createdAt": MADE_AT });
        let of = |rounds: &[(String, String, String)]| {
            rounds.iter().map(|(id, name, _)| json!({ "id": id, "name": name })).collect::<Vec<_>>()
        };
        let body = match (request.method, path) {
            ("GET", "/api/account") => json!({ "id": "club", "username": "Club" }),
            ("GET", "/api/broadcast/by/club") => {
                let tours: Vec<_> =
                    self.broadcasts.iter().map(|broadcast| json!({ "tour": tour(broadcast) })).collect();
                json!({ "currentPage": 1, "currentPageResults": tours })
            }
            ("POST", "/broadcast/new") => {
                let id = format!("tour000{}", self.broadcasts.len());
                self.broadcasts.push((id, name(), Vec::new()));
                json!({ "tour": tour(self.broadcasts.last()?), "rounds": [] })
            }
            ("POST", path) if path.starts_with("/broadcast/round/") => {
                let id = path.strip_prefix("/broadcast/round/")?.strip_suffix("/edit?patch=1")?;
                let mut rounds = self.broadcasts.iter_mut().flat_map(|(_, _, rounds)| rounds);
                let round = rounds.find(|(known, ..)| known == id)?;
                round.2.extend(["&", &form]);
                json!({ "round": { "id": round.0, "name": round.1 }, "study": {} })
            }
            ("POST", path) if path.starts_with("/broadcast/tour") => {
                let id = path.strip_prefix("/broadcast/")?.strip_suffix("/new")?;
                let (_, _, rounds) = self.broadcasts.iter_mut().find(|(known, ..)| known == id)?;
                let made = (format!("round00{}", rounds.len()), name(), form.clone());
                rounds.push(made.clone());
                json!({ "round": { "id": made.0, "name": made.1 }, "study": {} })
            }
            ("GET", path) if path.starts_with("/api/broadcast/tour") => {
                let id = path.strip_prefix("/api/broadcast/")?;
                let broadcast = self.broadcasts.iter().find(|(known, ..)| known == id)?;
                json!({ "tour": tour(broadcast), "rounds": of(&broadcast.2) })
            }
            _ => return None,
        };
        Some(answer(200, body.to_string()))
    }

    fn push(&mut self, round: &str, body: &[u8]) -> Response {
        if self.most_bytes.is_some_and(|most| body.len() > most) {
            return answer(413, "");
        }
        let pushed = games(body);
        assert!(pushed.len() <= 100, "at most a hundred games");
        if self.refuses_whole && pushed.iter().any(|game| self.refused.contains(&&*id(game))) {
            return answer(400, r#"{"error":"Cannot parse moves"}"#);
        }
        let known = self.rounds.entry(round.to_owned()).or_default();
        let mut lines = Vec::new();
        // Boards are put into another order only when all that are there were sent.
        let all = known.iter().all(|known| pushed.iter().any(|game| id(game) == id(known)));
        for game in &pushed {
            if self.refused.contains(&&*id(game)) {
                lines.push(json!({ "tags": {}, "error": "Invalid move Qe9" }));
                continue;
            }
            lines.push(json!({ "tags": {}, "moves": game.line().count() }));
            match known.iter_mut().find(|known| id(known) == id(game)) {
                Some(known) => *known = game.clone(),
                None => known.push(game.clone()),
            }
        }
        if all {
            let place = |game: &Game| pushed.iter().position(|other| id(other) == id(game));
            known.sort_by_key(|game| place(game).unwrap_or(usize::MAX));
        }
        answer(200, json!({ "games": lines }).to_string())
    }
}
