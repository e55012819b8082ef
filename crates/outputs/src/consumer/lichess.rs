//! A broadcast of Lichess, by pushes: only changed games, all of a round when their order changed.
//!
//! `broadcast` makes a broadcast with its rounds, `push` makes bodies and reads answers, `sentence` has what is said of it, `read_back` compares what Lichess shows with what it acknowledged. Facts: the API's
//! description (github.com/lichess-org/api) and lila's modules `relay` and `study`.

pub(crate) mod broadcast;
pub(crate) mod push;
mod read_back;
pub(crate) mod sentence;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use coded_text::CodedText;
use hall_clock::UtcMs;

use crate::consumer::answers::{failure, silent};
use crate::consumer::{Consumer, Delivered, Found, Job, order_of};
use crate::http::{Http, Request, Response};
use crate::queue::{Failure, Memory, Parcel};
use crate::sentence::OutputSentence;
use crate::settings::LichessTarget;
use crate::wanted::{Wanted, WantedRound};
use push::{Batch, MOST_BYTES, MOST_GAMES, Outcome};
use read_back::RoundState;
use sentence::LichessSentence;

/// Time between a push and the look at what became of it: Lichess works on pushes one after another, ten seconds each.
const LOOK_AFTER_MS: u64 = 15_000;

/// Shortest time between two looks.
const LOOK_EVERY_MS: u64 = 60_000;

/// A round without a new move for so many minutes is near its end at Lichess, which ends it after an hour.
const QUIET_MINUTES: u64 = 45;

/// A broadcast of Lichess.
pub(super) struct Lichess {
    target: LichessTarget,
    http: Arc<dyn Http>,
    /// Largest body now; smaller after one was too large.
    most_bytes: usize,
    /// Whether games go one by one, because Lichess refused several at once without saying which.
    singly: bool,
    /// Rounds that were pushed to since they were looked at.
    pushed: BTreeMap<u32, UtcMs>,
    look_at: Option<UtcMs>,
    looked_at: UtcMs,
}

impl Lichess {
    pub(super) fn new(target: LichessTarget, http: Arc<dyn Http>) -> Self {
        Self {
            target,
            http,
            most_bytes: MOST_BYTES,
            singly: false,
            pushed: BTreeMap::new(),
            look_at: None,
            looked_at: 0,
        }
    }

    fn ask(&self, method: &'static str, path: &str, body: Bytes) -> Result<Response, Failure> {
        let token = self.target.token.read().map_err(Failure::refused)?;
        let mut headers = vec![("authorization", format!("Bearer {token}"))];
        if method == "POST" {
            // Without the charset a body with accents was once refused.
            headers.push(("content-type", "text/plain; charset=utf-8".to_owned()));
        }
        let url = format!("{}{path}", self.target.site.trim_end_matches('/'));
        self.http.send(Request { method, url, headers, body }).map_err(silent)
    }

    /// The games of a round that are sent.
    fn games<'a>(&self, round: &'a WantedRound) -> impl Iterator<Item = &'a crate::wanted::WantedGame> {
        let (first, last) = self.target.tables.unwrap_or((1, u32::MAX));
        round.games.iter().filter(move |game| (first..=last).contains(&game.line.board))
    }

    /// What Lichess says of a round.
    fn state(&self, round: u32, id: &str) -> Result<RoundState, Failure> {
        // The names in the address do not matter.
        let response = self.ask("GET", &format!("/api/broadcast/-/-/{id}"), Bytes::new())?;
        if response.status != 200 {
            let failure = failed(&response);
            let sentence = LichessSentence::InRound { round, reason: failure.sentence }.into();
            return Err(Failure { sentence, ..failure });
        }
        RoundState::read(&response.body).ok_or_else(|| {
            let reason = LichessSentence::NotUnderstood.into();
            Failure::unreachable(LichessSentence::InRound { round, reason })
        })
    }

    fn push(&mut self, job: &Job<'_>, batch: &Batch<'_>, id: &str) -> Delivered {
        let mut delivered = Delivered { removed: job.work.gone.clone(), ..Delivered::default() };
        let answered = self.ask("POST", &format!("/api/broadcast/round/{id}/push"), batch.body());
        let response = match answered {
            Ok(response) => response,
            Err(failure) => return Delivered::failed(failure),
        };
        match push::read(&response, batch.games.len()) {
            Outcome::Games(games) => {
                self.singly = false;
                self.most_bytes = MOST_BYTES;
                self.pushed.insert(batch.round, job.now);
                self.look_at = Some((job.now + LOOK_AFTER_MS).max(self.looked_at + LOOK_EVERY_MS));
                for (parcel, answer) in batch.games.iter().zip(&games) {
                    match answer {
                        Ok(_) => delivered.taken.push(parcel.key.clone()),
                        Err(said) => {
                            let reason = LichessSentence::GameRefused { said: said.clone() };
                            delivered.refused.push((parcel.key.clone(), reason.coded()));
                        }
                    }
                }
                let (round, games, refused) = (batch.round, delivered.taken.len(), delivered.refused.len());
                let answer = match refused {
                    0 => LichessSentence::GamesTaken { round, games },
                    _ => LichessSentence::GamesRefused { round, games, refused },
                };
                delivered.answer = Some(answer.coded());
                delivered.ordered.push((batch.round, order_after(job, batch)));
            }
            // Which of the games is wrong is found by sending them one by one.
            Outcome::Split if batch.games.len() > 1 => self.singly = true,
            Outcome::TooLarge if batch.games.len() > 1 => self.most_bytes = batch.size() / 2,
            Outcome::Split | Outcome::TooLarge => {
                let reason = *failed(&response).sentence;
                delivered.refused.extend(batch.games.iter().map(|parcel| (parcel.key.clone(), reason.clone())));
                delivered.answer = Some(reason);
            }
            Outcome::Failed(failure) => delivered.failure = Some(failure),
        }
        delivered
    }
}

/// What an answer of Lichess that is no success means.
fn failed(response: &Response) -> Failure {
    failure(CodedText::in_words("Lichess"), response)
}

/// In which order Lichess has the games of a round after this push: new ones come last, unless all were in it.
fn order_after(job: &Job<'_>, batch: &Batch<'_>) -> Vec<String> {
    let now = order_of(job.parcels, batch.round);
    // Where not all fit into one body the order cannot be changed at all, so that it is not tried again.
    if batch.games.len() == now.len() || !batch.is_whole_round_possible {
        return now;
    }
    let mut order = job.memory.order.get(&batch.round).cloned().unwrap_or_default();
    for parcel in &batch.games {
        if !order.contains(&parcel.key) {
            order.push(parcel.key.clone());
        }
    }
    order
}

impl Consumer for Lichess {
    fn parcels(&self, wanted: &Wanted) -> Vec<Parcel> {
        let rounds = wanted.rounds.iter().filter(|round| self.target.id_of(round.number).is_some());
        let parcels = rounds.flat_map(|round| {
            self.games(round).take(MOST_GAMES).map(|game| Parcel {
                key: format!("{}/{}", round.number, game.line.game),
                label: OutputSentence::Table { round: round.number, table: game.line.board }.into(),
                round: round.number,
                digest: game.digest.clone(),
                bytes: game.pgn.clone(),
                game: Some(game.line.clone()),
            })
        });
        parcels.collect()
    }

    fn deliver(&mut self, job: &Job<'_>) -> Delivered {
        let next = Batch::next(job.parcels, job.work, self.most_bytes, self.singly);
        let Some(batch) = next else {
            // Lichess keeps games that were withdrawn.
            return Delivered { removed: job.work.gone.clone(), ..Delivered::default() };
        };
        match self.target.id_of(batch.round).map(str::to_owned) {
            Some(id) => self.push(job, &batch, &id),
            None => Delivered::default(),
        }
    }

    fn spacing_ms(&self) -> u64 {
        1_000
    }

    fn test(&mut self) -> Result<Vec<CodedText>, Failure> {
        let mut sentences = Vec::new();
        for (round, _) in (1..).zip(&self.target.rounds) {
            let Some(id) = self.target.id_of(round) else { continue };
            let state = self.state(round, id)?;
            if state.is_writeable == Some(false) {
                return Err(Failure::refused(LichessSentence::NotWriteable { round }));
            }
            sentences.push(LichessSentence::RoundThere { round, name: state.name }.coded());
        }
        if sentences.is_empty() {
            return Err(Failure::refused(LichessSentence::NoRound));
        }
        Ok(sentences)
    }

    fn reset(&mut self, _wanted: &Wanted, only: Option<u32>) -> Result<(), Failure> {
        let rounds = (1..).zip(&self.target.rounds).map(|(round, _)| round);
        for round in rounds.filter(|round| only.is_none_or(|only| only == *round)) {
            let Some(id) = self.target.id_of(round) else { continue };
            let response = self.ask("POST", &format!("/api/broadcast/round/{id}/reset"), Bytes::new())?;
            if response.status != 200 {
                return Err(failed(&response));
            }
        }
        Ok(())
    }

    fn warnings(&self, wanted: &Wanted) -> Vec<CodedText> {
        let mut warnings = Vec::new();
        for round in &wanted.rounds {
            let (number, games) = (round.number, self.games(round).count());
            let is_sent = self.target.id_of(number).is_some();
            if games > MOST_GAMES && is_sent {
                let many = LichessSentence::ManyGames { round: number, games, most: MOST_GAMES };
                warnings.push(many.coded());
            }
            if round.is_running && !is_sent {
                warnings.push(LichessSentence::RoundNotSent { round: number }.coded());
            }
        }
        warnings
    }

    fn look_at(&self, _: &Memory) -> Option<UtcMs> {
        self.look_at
    }

    fn look(&mut self, wanted: &Wanted, parcels: &[Parcel], memory: &Memory, now: UtcMs) -> Option<Found> {
        let mut found = Found::default();
        (self.looked_at, self.look_at) = (now, None);
        for (number, pushed_at) in self.pushed.clone() {
            let round = wanted.rounds.iter().find(|round| round.number == number);
            let (Some(id), Some(round)) = (self.target.id_of(number), round) else { continue };
            let path = format!("/api/broadcast/round/{id}.pgn?clocks=false&comments=false");
            let shown = match (self.state(number, id), self.ask("GET", &path, Bytes::new())) {
                (Ok(state), Ok(answer)) if answer.status == 200 => {
                    found.warnings.extend(state.warnings(number, round));
                    answer.body
                }
                // Pushes tell what is wrong with the connection or the token.
                _ => {
                    self.look_at = Some(now + 5 * LOOK_EVERY_MS);
                    return None;
                }
            };
            let sent: Vec<_> = parcels
                .iter()
                .filter(|parcel| parcel.round == number && memory.sent.get(&parcel.key) == Some(&parcel.digest))
                .collect();
            let problems = read_back::differences(&sent, &shown);
            if problems.is_empty() && !round.is_running {
                self.pushed.remove(&number);
            }
            if round.is_running && now.saturating_sub(pushed_at) > QUIET_MINUTES * 60_000 {
                let quiet = LichessSentence::Quiet { round: number, minutes: QUIET_MINUTES };
                found.warnings.push(quiet.coded());
            }
            found.problems.extend(problems);
        }
        if !self.pushed.is_empty() {
            self.look_at = Some(now + LOOK_EVERY_MS);
        }
        Some(found)
    }
}
