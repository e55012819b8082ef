//! One source: what it was last seen to have, what was taken of it, and how it is.

use std::collections::{BTreeMap, hash_map::DefaultHasher};
use std::hash::{Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use coded_text::CodedText;
use game_core::event::Author;
use hall_clock::{HallClock, UtcMs};
use journal::Reader;
use tokio::time::Instant;
use tournament::{EnteredMove, Order, TakenStart};

use super::matching::{Candidate, candidates, current_round, match_games};
use super::note::GameNote;
use super::read::{ReadGame, games, readable};
use super::reading::in_background;
use super::refusal::SourceRefusal;
use super::settings::Settings;
use crate::director::DirectorHandle;

/// A source that has fewer moves than before is believed after this time: a feed that stumbles takes nothing back.
const FEWER_MOVES: Duration = Duration::from_mins(1);

/// Failures become an alarm after this time, in milliseconds.
const ALARMING_MS: u64 = 60_000;

/// Lines of games that a state has.
const MOST_LINES: usize = 512;

/// What a source does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceState {
    /// Nothing came yet.
    #[default]
    Waiting,
    /// Its games are taken as they are there.
    Working,
    /// The last attempt failed; it tries again, or waits for what is sent next.
    Retrying,
    /// Attempts have failed for more than a minute.
    Failing,
}

/// A game of a source and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameLine {
    /// As the source names them.
    pub players: String,
    /// As the source counts them.
    pub round: Option<u32>,
    /// As the source counts them.
    pub board: Option<u32>,
    /// The id of the pairing that it is; none when it has none.
    pub game: Option<String>,
    /// Moves of both sides.
    pub plies: usize,
    /// Why it is not taken, or what to look at.
    pub note: Option<CodedText>,
}

/// How a source is. Instants are UTC milliseconds, real time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// What it does.
    pub state: SourceState,
    /// Why it fails, and what to do.
    pub trouble: Option<CodedText>,
    /// Since when.
    pub failing_since: Option<UtcMs>,
    /// When it answered, or something was posted.
    pub answered_at: Option<UtcMs>,
    /// When moves of it were taken last.
    pub taken_at: Option<UtcMs>,
    /// When it is asked next.
    pub next_at: Option<UtcMs>,
    /// Its games.
    pub games: Vec<GameLine>,
}

impl Status {
    /// The state at this instant.
    #[must_use]
    pub fn at(mut self, now: UtcMs) -> Self {
        let long = self.failing_since.is_some_and(|since| now.saturating_sub(since) > ALARMING_MS);
        if self.state == SourceState::Retrying && long {
            self.state = SourceState::Failing;
        }
        self
    }

    /// What a person has to know at once.
    pub fn alarm(&self) -> Option<CodedText> {
        self.trouble.clone().filter(|_| self.state == SourceState::Failing)
    }
}

/// Gives orders about the games of one source.
pub(super) struct Taker {
    pub(super) settings: Settings,
    pub(super) director: DirectorHandle,
    pub(super) reader: Arc<Reader>,
    pub(super) clock: HallClock,
    pub(super) status: Arc<Mutex<Status>>,
    /// What was taken of each game, so that nothing is ordered twice.
    taken: BTreeMap<Arc<str>, u64>,
    /// Games with fewer moves than are recorded, and since when.
    fewer: BTreeMap<Arc<str>, Instant>,
}

impl Taker {
    pub(super) fn new(
        settings: Settings,
        director: DirectorHandle,
        reader: Arc<Reader>,
        clock: HallClock,
        status: Arc<Mutex<Status>>,
    ) -> Self {
        Self { settings, director, reader, clock, status, taken: BTreeMap::new(), fewer: BTreeMap::new() }
    }

    /// Takes the games of a text; gives a line for each.
    ///
    /// # Errors
    /// When nothing of it can be taken.
    pub(super) async fn take(&mut self, text: &[u8]) -> Result<Vec<GameLine>, SourceRefusal> {
        let matched = matched(&self.settings, &self.director, text);
        let (read, found) = match matched {
            Ok(matched) => matched,
            Err(reason) => {
                self.failed(reason.coded());
                return Err(reason);
            }
        };
        let (mut lines, mut any) = (Vec::new(), false);
        for (game, found) in read.into_iter().zip(found) {
            let mut line = line_of(&game);
            match found {
                Ok(candidate) => {
                    line.game = Some(candidate.game.to_string());
                    let (note, moved) = self.take_game(&candidate, &game).await;
                    any |= moved;
                    line.note = note.or(game.problem.map(Into::into));
                }
                Err(reason) => line.note = Some(unmatched(&game, &reason)),
            }
            lines.push(line);
        }
        lines.truncate(MOST_LINES);
        let now = self.clock.now();
        self.tell(|status| {
            (status.state, status.trouble, status.failing_since) = (SourceState::Working, None, None);
            status.answered_at = Some(now);
            if any {
                status.taken_at = Some(now);
            }
            status.games.clone_from(&lines);
        });
        Ok(lines)
    }

    /// Orders what is new of a game; gives what to look at, and whether anything was recorded.
    async fn take_game(&mut self, pairing: &Candidate, game: &ReadGame) -> (Option<CodedText>, bool) {
        if game.moves.is_empty() && game.result.is_none() {
            return (None, false);
        }
        let digest = digest_of(game);
        if self.taken.get(&pairing.game) == Some(&digest) {
            // It has all moves again: the next stumble has a minute of its own.
            self.fewer.remove(&pairing.game);
            return (self.other_result(pairing, game), false);
        }
        if self.has_fewer_moves(pairing, game).await {
            return (Some(GameNote::FewerMoves.coded()), false);
        }
        let order = Order::TakeMoves {
            game: pairing.game.to_string(),
            source: self.settings.name.clone(),
            moves: game.moves.clone(),
            start: game.start.clone(),
            result: game.result.clone(),
        };
        let by = Author::Rule(format!("source {}", self.settings.name));
        match self.director.order(by, None, None, order).await {
            Ok(receipt) => {
                self.taken.insert(Arc::clone(&pairing.game), digest);
                tracing::debug!(game = %pairing.game, source = self.settings.name, facts = receipt.facts.len(), "moves of a source");
                (self.other_result(pairing, game), true)
            }
            Err(error) => (Some(error.coded()), false),
        }
    }

    /// Whether the source has only a first part of the recorded moves, and has not had it for long.
    async fn has_fewer_moves(&mut self, pairing: &Candidate, game: &ReadGame) -> bool {
        let (reader, id) = (Arc::clone(&self.reader), Arc::clone(&pairing.game));
        let read = move || {
            let past = reader.game(&id).unwrap_or_else(|error| {
                tracing::error!(game = %id, error = &error as &dyn std::error::Error, "a game cannot be read");
                None
            });
            past.map(|past| past.fold())
        };
        let recorded = in_background(read).await.ok().flatten();
        let is_part = recorded.is_some_and(|recorded| {
            let moves = recorded.moves();
            moves.len() > game.moves.len() && moves.iter().zip(&game.moves).all(|(known, new)| known.san == new.san)
        });
        if !is_part {
            self.fewer.remove(&pairing.game);
            return false;
        }
        self.fewer.entry(Arc::clone(&pairing.game)).or_insert_with(Instant::now).elapsed() < FEWER_MOVES
    }

    /// Says that the source has another result than the record.
    fn other_result(&self, pairing: &Candidate, game: &ReadGame) -> Option<CodedText> {
        let hall = self.director.hall();
        let known = hall.game(&pairing.game)?.game.result?;
        let said = game.result.as_deref()?;
        let differs = known.outcome().as_str() != said;
        let note = || GameNote::OtherResult { said: said.to_owned(), recorded: known.to_string() };
        differs.then(|| note().coded())
    }

    /// Notes that the source could not be read.
    pub(super) fn failed(&self, sentence: CodedText) {
        let now = self.clock.now();
        tracing::debug!(source = self.settings.name, reason = %sentence, "a source could not be read");
        self.tell(|status| {
            status.state = SourceState::Retrying;
            status.trouble = Some(sentence);
            status.failing_since.get_or_insert(now);
        });
    }

    /// Notes that the source answered that nothing changed.
    pub(super) fn unchanged(&self) {
        let now = self.clock.now();
        self.tell(|status| {
            (status.state, status.trouble, status.failing_since) = (SourceState::Working, None, None);
            status.answered_at = Some(now);
        });
    }

    pub(super) fn tell(&self, change: impl FnOnce(&mut Status)) {
        change(&mut self.status.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The games of a text, each with its pairing or why it has none.
type Matched = (Vec<ReadGame>, Vec<Result<Candidate, GameNote>>);

fn matched(settings: &Settings, director: &DirectorHandle, text: &[u8]) -> Result<Matched, SourceRefusal> {
    let read = games(text)?;
    let snapshot = director.snapshot();
    let candidates = candidates(&snapshot.hall, &snapshot.persons, settings)?;
    let current = current_round(&snapshot.hall, settings);
    let found = match_games(&read, &candidates, current, settings).into_iter();
    let found = found.map(|found| found.and_then(|index| candidates.get(index).cloned().ok_or(GameNote::NoRound)));
    let placed = read.into_iter().zip(found).map(|(game, found)| match &found {
        Ok(Candidate { start: Some(start), .. }) => (game.played_from(start), found),
        _ => (game, found),
    });
    let (read, found): Matched = placed.unzip();
    readable(&read)?;
    Ok((read, found))
}

/// What would be taken of a text; nothing is changed.
///
/// # Errors
/// When nothing of it could be taken.
pub(super) fn preview(
    settings: &Settings,
    director: &DirectorHandle,
    text: &[u8],
) -> Result<Vec<GameLine>, SourceRefusal> {
    let (read, found) = matched(settings, director, text)?;
    let hall = director.hall();
    let lines = read.iter().zip(found).map(|(game, found)| {
        let mut line = line_of(game);
        match found {
            Ok(candidate) => {
                line.game = Some(candidate.game.to_string());
                let board = hall.game(&candidate.game).and_then(|found| hall.live_board(&found));
                let played = board.map(|board| GameNote::BoardCounts { board: board.to_string() });
                line.note = played.or_else(|| game.problem.clone()).map(Into::into);
            }
            Err(reason) => line.note = Some(unmatched(game, &reason)),
        }
        line
    });
    Ok(lines.take(MOST_LINES).collect())
}

/// Why a game is no pairing. One that cannot be read lacks what its tags would say, so that is said in its place.
fn unmatched(game: &ReadGame, reason: &GameNote) -> CodedText {
    match &game.problem {
        Some(damaged @ GameNote::NotReadable { .. }) => damaged.coded(),
        _ => reason.coded(),
    }
}

fn line_of(game: &ReadGame) -> GameLine {
    GameLine {
        players: game.players(),
        round: game.round,
        board: game.board,
        game: None,
        plies: game.moves.len(),
        note: None,
    }
}

fn digest_of(game: &ReadGame) -> u64 {
    let mut digest = DefaultHasher::new();
    if let Some(TakenStart { fen, variant }) = &game.start {
        (fen, variant.name()).hash(&mut digest);
    }
    for EnteredMove { san, clk_ms, emt_ms } in &game.moves {
        (san, clk_ms, emt_ms).hash(&mut digest);
    }
    game.result.hash(&mut digest);
    digest.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game_core::event::Variant;

    #[test]
    fn another_start_or_result_is_another_answer() {
        let game = ReadGame {
            moves: vec![EnteredMove { san: "e4".into(), clk_ms: None, emt_ms: None }],
            ..ReadGame::default()
        };
        let from =
            |fen: &str, variant| ReadGame { start: Some(TakenStart { fen: fen.to_owned(), variant }), ..game.clone() };
        let (first, second) = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "3k4/8/8/8/8/8/4P3/4K3 w - - 0 1");
        let games = [
            game.clone(),
            ReadGame { result: Some("1-0".into()), ..game.clone() },
            from(first, Variant::Standard),
            from(first, Variant::Chess960),
            from(second, Variant::Standard),
        ];
        let digests: std::collections::BTreeSet<_> = games.iter().map(digest_of).collect();
        assert_eq!(digests.len(), games.len());
        assert_eq!(digest_of(&game), digest_of(&game.clone()));
    }
}
