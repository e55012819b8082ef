//! Sources: games of other recorders that join the rounds, and how they are. A secret is taken once and never given out.

use ::outputs::Secret;
use hall_clock::UtcMs;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::same_variants;
use crate::sources::positions::{Clock, Position};
use crate::sources::{self, From as Place, Known, Settings, SourceRefusal};
use public_web::problem::CodedLine;

/// Seconds between two requests where none are given.
const USUAL_EVERY_S: u32 = 10;

/// A source to be added or changed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSource {
    /// Its name in addresses and in the record: small letters, digits and `-`.
    #[schema(min_length = 1, max_length = 40, pattern = "^[a-z0-9-]+$")]
    pub(crate) name: String,
    /// The slug of the section that its games belong to; may be missing where there is one section with pairings only.
    pub(crate) section: Option<String>,
    /// The round that all its games belong to; without it that of their tag `Round`, else the latest public one.
    pub(crate) round: Option<u32>,
    /// The board that board 1 of the source is here; 1 without it.
    pub(crate) first_board: Option<u32>,
    /// Where its games come from.
    #[serde(deserialize_with = "place")]
    pub(crate) from: NewFrom,
}

/// Where games come from. Programs also write the kind without settings like those that have some, `{"post": {}}`.
fn place<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NewFrom, D::Error> {
    let written = Value::deserialize(deserializer)?;
    if written == json!({ "post": {} }) {
        return Ok(NewFrom::Post);
    }
    NewFrom::deserialize(written).map_err(D::Error::custom)
}

/// Where the games of a source come from.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum NewFrom {
    /// A PGN file at a web address.
    Url {
        /// The address. A change without it keeps the one that is known: it may hold a secret, and is never given out.
        url: Option<String>,
        /// Seconds between two requests, 2 to 600; 10 without it.
        every_s: Option<u32>,
        /// Sent as `Authorization: Bearer`. A change without it keeps the one that is known, while the server stays the same.
        token: Option<String>,
    },
    /// The PGN files of a folder of the daemon's machine.
    Folder {
        /// The whole path.
        path: String,
    },
    /// What programs send to `/sources/{name}/games` and `/sources/{name}/boards/{board}`.
    Post,
}

/// What a source does.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SourceState {
    /// Nothing came yet.
    Waiting,
    /// Its games are taken as they are there.
    Working,
    /// The last attempt failed: it tries again by itself, or waits for the next games where programs send them.
    Retrying,
    /// Attempts have failed for more than a minute.
    Failing,
}

same_variants!(from SourceState, sources::SourceState, Waiting, Working, Retrying, Failing);

/// A game of a source and what became of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct SourceGame {
    /// As the source names them.
    pub(crate) players: String,
    /// As the source counts them.
    pub(crate) round: Option<u32>,
    /// As the source counts them.
    pub(crate) board: Option<u32>,
    /// The id of the pairing that it is; none when it has none.
    pub(crate) game: Option<String>,
    /// Moves of both sides.
    pub(crate) plies: usize,
    /// Why it is not taken, or what to look at.
    pub(crate) note: Option<CodedLine>,
}

/// A source and how it is. Instants are UTC milliseconds, real time.
#[derive(Serialize, ToSchema)]
pub(crate) struct SourceLine {
    /// Its name.
    pub(crate) name: String,
    /// `url`, `folder` or `post`.
    pub(crate) kind: &'static str,
    /// Where its games come from, without secrets.
    pub(crate) place: String,
    /// Seconds between two requests; none where no address is asked.
    pub(crate) every_s: Option<u32>,
    /// Whether a token is sent.
    pub(crate) has_token: bool,
    /// The slug of its section; none for the only one.
    pub(crate) section: Option<String>,
    /// The round of all its games, if it was given.
    pub(crate) round: Option<u32>,
    /// The board that board 1 of the source is here.
    pub(crate) first_board: u32,
    /// Who added it.
    pub(crate) added_by: String,
    /// When it was added.
    pub(crate) added_at: UtcMs,
    /// What it does.
    pub(crate) state: SourceState,
    /// Why it fails, and what to do.
    pub(crate) trouble: Option<CodedLine>,
    /// Since when it fails.
    pub(crate) failing_since: Option<UtcMs>,
    /// When it answered last, or something was sent.
    pub(crate) answered_at: Option<UtcMs>,
    /// When moves of it were recorded last.
    pub(crate) taken_at: Option<UtcMs>,
    /// When it is asked next.
    pub(crate) next_at: Option<UtcMs>,
    /// How many games it has.
    pub(crate) game_count: usize,
    /// How many of them have something to look at.
    pub(crate) note_count: usize,
    /// Its games.
    pub(crate) games: Vec<SourceGame>,
}

/// The position of a board.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPosition {
    /// The position; only the first field of a FEN counts.
    pub(crate) fen: String,
    /// White's time left, in seconds; with it, Black's has to be there.
    pub(crate) white_s: Option<u32>,
    /// Black's time left, in seconds.
    pub(crate) black_s: Option<u32>,
    /// Whose time runs; none while the clock stands.
    pub(crate) running: Option<Runs>,
}

/// A side.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Runs {
    /// White.
    White,
    /// Black.
    Black,
}

/// The board that a position belongs to.
#[derive(Serialize, ToSchema)]
pub(crate) struct PositionBoard {
    /// The serial number that it has here: it gets a table like any other board.
    pub(crate) board: String,
}

impl NewSource {
    /// The settings of the source; an address that is missing is the one of `before`, and so is a token for the same server.
    pub(crate) fn into_settings(self, before: Option<&Settings>) -> Settings {
        let Self { name, section, round, first_board, from } = self;
        let from = match from {
            NewFrom::Url { url, every_s, token } => {
                let known = before.and_then(|before| match &before.from {
                    Place::Url { url, token, .. } => Some((url, token)),
                    _ => None,
                });
                let url = url.filter(|url| !url.is_empty()).or_else(|| known.map(|(url, _)| url.clone()));
                let url = url.unwrap_or_default();
                // A token never goes to another server.
                let kept = known.filter(|(before, _)| sources::host(before) == sources::host(&url));
                let token = token.filter(|token| !token.is_empty()).map(Secret::Text);
                let token = token.or_else(|| kept.and_then(|(_, token)| token.clone()));
                Place::Url { url, every_s: every_s.unwrap_or(USUAL_EVERY_S), token }
            }
            NewFrom::Folder { path } => Place::Folder { path: path.into() },
            NewFrom::Post => Place::Post,
        };
        let section = section.filter(|section| !section.is_empty());
        Settings { name, section, round, first_board: first_board.unwrap_or(1), from }
    }
}

impl NewPosition {
    /// The position.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn position(&self) -> Result<Position, SourceRefusal> {
        let clock = match (self.white_s, self.black_s) {
            (Some(white_s), Some(black_s)) => {
                let white_runs = self.running.map(|side| matches!(side, Runs::White));
                Some(Clock { white_s, black_s, white_runs })
            }
            (None, None) => None,
            _ => return Err(SourceRefusal::OneClock),
        };
        Position::of_fen(&self.fen, clock)
    }
}

impl SourceLine {
    /// How a source is, without the lines of its games.
    pub(crate) fn brief(mut known: Known) -> Self {
        let games = std::mem::take(&mut known.status.games);
        let note_count = games.iter().filter(|game| game.note.is_some()).count();
        Self { game_count: games.len(), note_count, ..Self::from(known) }
    }
}

impl From<sources::GameLine> for SourceGame {
    fn from(line: sources::GameLine) -> Self {
        let sources::GameLine { players, round, board, game, plies, note } = line;
        Self { players, round, board, game, plies, note: note.map(CodedLine::from) }
    }
}

impl From<Known> for SourceLine {
    fn from(known: Known) -> Self {
        let Known { settings, added_by, added_at, status } = known;
        let (every_s, has_token) = match &settings.from {
            Place::Url { every_s, token, .. } => (Some(*every_s), token.is_some()),
            Place::Folder { .. } | Place::Post => (None, false),
        };
        Self {
            kind: settings.kind(),
            place: settings.place(),
            every_s,
            has_token,
            name: settings.name,
            section: settings.section,
            round: settings.round,
            first_board: settings.first_board,
            added_by,
            added_at,
            state: status.state.into(),
            trouble: status.trouble.map(CodedLine::from),
            failing_since: status.failing_since,
            answered_at: status.answered_at,
            taken_at: status.taken_at,
            next_at: status.next_at,
            game_count: status.games.len(),
            note_count: status.games.iter().filter(|game| game.note.is_some()).count(),
            games: status.games.into_iter().map(Into::into).collect(),
        }
    }
}
