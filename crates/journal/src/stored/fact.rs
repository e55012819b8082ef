//! Facts of the hall. Version 1 had scores and time controls as objects and undos as commands of the API.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use pairings::score::Score;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tournament::{Fact, LoadedPlace, LoadedReport, LoadedStandings, PlayerId};

use super::correction::StoredCorrection;
use super::settings::{StoredPair, StoredRound, StoredSection, StoredStart, StoredTournament};
use super::values::{StoredScore, Word};
use super::{FormError, read, write};

/// The newest version.
const VERSION: u64 = 2;

#[derive(Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
enum StoredFact {
    TournamentSet {
        tournament: Arc<str>,
        settings: StoredTournament,
    },
    SectionSet {
        section: Arc<str>,
        settings: StoredSection,
    },
    EventEnded {
        section: Arc<str>,
        ended: bool,
    },
    SectionRemoved {
        section: Arc<str>,
        removed: bool,
    },
    ReportLoaded {
        section: Arc<str>,
        text: Arc<str>,
        #[serde(default)]
        encoding: Option<String>,
    },
    StandingsLoaded {
        section: Arc<str>,
        after_round: u32,
        tie_breaks: Vec<String>,
        places: Vec<StoredPlace>,
    },
    RoundSet {
        section: Arc<str>,
        round: u32,
        settings: StoredRound,
    },
    StartSet {
        section: Arc<str>,
        round: u32,
        #[serde(default)]
        start: Option<StoredStart>,
    },
    RoundState {
        section: Arc<str>,
        round: u32,
        state: String,
    },
    Paired {
        section: Arc<str>,
        round: u32,
        game: Arc<str>,
        pair: StoredPair,
    },
    Unpaired {
        game: Arc<str>,
    },
    ByeSet {
        section: Arc<str>,
        round: u32,
        player: u32,
        #[serde(default)]
        kind: Option<String>,
    },
    ByeImported {
        section: Arc<str>,
        round: u32,
        player: u32,
        #[serde(default)]
        kind: Option<String>,
    },
    PlayerSet {
        section: Arc<str>,
        player: u32,
        #[serde(default)]
        number: Option<u32>,
        display: String,
    },
    PlayerRemoved {
        player: u32,
    },
    PlayerForgotten {
        player: u32,
    },
    Seated {
        table: u32,
        #[serde(default)]
        board: Option<Arc<str>>,
    },
    Registered {
        board: Arc<str>,
        number: u32,
    },
    Identifying {
        #[serde(default)]
        table: Option<u32>,
    },
    Began {
        #[serde(default)]
        board: Option<Arc<str>>,
        game: Arc<str>,
        day: NaiveDate,
    },
    NotBegun {
        game: Arc<str>,
    },
    Moved {
        game: Arc<str>,
        #[serde(default)]
        from: Option<Arc<str>>,
        to: Arc<str>,
    },
    #[serde(rename = "parked")]
    Unassigned {
        board: Arc<str>,
        game: Arc<str>,
    },
    #[serde(rename = "claimed")]
    Adopted {
        #[serde(rename = "parked")]
        unassigned: Arc<str>,
        game: Arc<str>,
    },
    ResultSet {
        game: Arc<str>,
        #[serde(default)]
        result: Option<StoredScore>,
    },
    ResultImported {
        game: Arc<str>,
        #[serde(default)]
        result: Option<StoredScore>,
    },
    ResultMissing {
        game: Arc<str>,
    },
    Adjourned {
        game: Arc<str>,
    },
    Withdrawn {
        game: Arc<str>,
        withdrawn: bool,
    },
    Sourced {
        game: Arc<str>,
        source: Arc<str>,
    },
    /// The tags are in `hall_text`.
    TagsSet {
        game: Arc<str>,
        #[serde(default)]
        tags: BTreeMap<String, String>,
    },
    Corrected(StoredCorrection),
    #[serde(other)]
    Unknown,
}

#[derive(Serialize, Deserialize)]
struct StoredPlace {
    player: u32,
    rank: u32,
    #[serde(default)]
    points: Option<u32>,
    #[serde(default)]
    tie_breaks: Vec<String>,
}

impl StoredPlace {
    fn of((player, place): (&PlayerId, &LoadedPlace)) -> Self {
        let LoadedPlace { rank, points, tie_breaks } = place.clone();
        Self { player: player.0, rank, points, tie_breaks }
    }

    fn into_place(self) -> (PlayerId, LoadedPlace) {
        let Self { player, rank, points, tie_breaks } = self;
        (PlayerId(player), LoadedPlace { rank, points, tie_breaks })
    }
}

pub(crate) fn write_fact(fact: &Fact) -> serde_json::Result<String> {
    write(VERSION, StoredFact::of(fact)?)
}

pub(crate) fn read_fact(json: &str) -> Result<Fact, FormError> {
    match read(json, VERSION)? {
        StoredFact::Unknown => {
            let document: Value = serde_json::from_str(json)?;
            let kind = document.get("fact").and_then(Value::as_str).unwrap_or_default();
            Err(FormError::Newer(format!("fact \"{kind}\"")))
        }
        known => known.into_fact(),
    }
}

impl StoredFact {
    fn of(fact: &Fact) -> serde_json::Result<Self> {
        let word = |kind: Option<pairings::model::ByeKind>| kind.map(|kind| kind.word().to_owned());
        Ok(match fact.clone() {
            Fact::TournamentSet { tournament, settings } => {
                Self::TournamentSet { tournament, settings: (&settings).into() }
            }
            Fact::SectionSet { section, settings } => Self::SectionSet { section, settings: (&settings).into() },
            Fact::EventEnded { section, ended } => Self::EventEnded { section, ended },
            Fact::SectionRemoved { section, removed } => Self::SectionRemoved { section, removed },
            Fact::ReportLoaded { section, report: LoadedReport { text, encoding } } => {
                Self::ReportLoaded { section, text, encoding }
            }
            Fact::StandingsLoaded { section, standings } => Self::StandingsLoaded {
                section,
                after_round: standings.after_round,
                tie_breaks: standings.tie_breaks.clone(),
                places: standings.places.iter().map(StoredPlace::of).collect(),
            },
            Fact::RoundSet { section, round, settings } => {
                Self::RoundSet { section, round, settings: (&settings).into() }
            }
            Fact::StartSet { section, round, start } => {
                Self::StartSet { section, round, start: start.as_ref().map(Into::into) }
            }
            Fact::RoundState { section, round, state } => {
                Self::RoundState { section, round, state: state.word().to_owned() }
            }
            Fact::Paired { section, round, game, pair } => Self::Paired { section, round, game, pair: (&pair).into() },
            Fact::Unpaired { game } => Self::Unpaired { game },
            Fact::ByeSet { section, round, player, kind } => {
                Self::ByeSet { section, round, player: player.0, kind: word(kind) }
            }
            Fact::ByeImported { section, round, player, kind } => {
                Self::ByeImported { section, round, player: player.0, kind: word(kind) }
            }
            Fact::PlayerSet { section, player, number, display } => {
                Self::PlayerSet { section, player: player.0, number, display: display.word().to_owned() }
            }
            Fact::PlayerRemoved { player } => Self::PlayerRemoved { player: player.0 },
            Fact::PlayerForgotten { player } => Self::PlayerForgotten { player: player.0 },
            Fact::Seated { table, board } => Self::Seated { table, board },
            Fact::Registered { board, number } => Self::Registered { board, number },
            Fact::Identifying { table } => Self::Identifying { table },
            Fact::Began { board, game, day } => Self::Began { board, game, day },
            Fact::NotBegun { game } => Self::NotBegun { game },
            Fact::Moved { game, from, to } => Self::Moved { game, from, to },
            Fact::Unassigned { board, game } => Self::Unassigned { board, game },
            Fact::Adopted { unassigned, game } => Self::Adopted { unassigned, game },
            Fact::ResultSet { game, result } => Self::ResultSet { game, result: result.map(Into::into) },
            Fact::ResultImported { game, result } => Self::ResultImported { game, result: result.map(Into::into) },
            Fact::ResultMissing { game } => Self::ResultMissing { game },
            Fact::Adjourned { game } => Self::Adjourned { game },
            Fact::Withdrawn { game, withdrawn } => Self::Withdrawn { game, withdrawn },
            Fact::Sourced { game, source } => Self::Sourced { game, source },
            Fact::TagsSet { game, tags } => Self::TagsSet { game, tags },
            Fact::Corrected(correction) => Self::Corrected((&correction).try_into()?),
        })
    }

    fn into_fact(self) -> Result<Fact, FormError> {
        let bye = |kind: Option<String>| kind.as_deref().map(Word::read).transpose();
        let score = |score: Option<StoredScore>| score.map(Score::try_from).transpose();
        Ok(match self {
            Self::TournamentSet { tournament, settings } => {
                Fact::TournamentSet { tournament, settings: settings.try_into()? }
            }
            Self::SectionSet { section, settings } => Fact::SectionSet { section, settings: settings.try_into()? },
            Self::EventEnded { section, ended } => Fact::EventEnded { section, ended },
            Self::SectionRemoved { section, removed } => Fact::SectionRemoved { section, removed },
            Self::ReportLoaded { section, text, encoding } => {
                Fact::ReportLoaded { section, report: LoadedReport { text, encoding } }
            }
            Self::StandingsLoaded { section, after_round, tie_breaks, places } => {
                let places = places.into_iter().map(StoredPlace::into_place).collect();
                let standings = Arc::new(LoadedStandings { after_round, tie_breaks, places });
                Fact::StandingsLoaded { section, standings }
            }
            Self::RoundSet { section, round, settings } => {
                Fact::RoundSet { section, round, settings: settings.try_into()? }
            }
            Self::StartSet { section, round, start } => {
                Fact::StartSet { section, round, start: start.map(TryInto::try_into).transpose()? }
            }
            Self::RoundState { section, round, state } => {
                Fact::RoundState { section, round, state: Word::read(&state)? }
            }
            Self::Paired { section, round, game, pair } => Fact::Paired { section, round, game, pair: pair.into() },
            Self::Unpaired { game } => Fact::Unpaired { game },
            Self::ByeSet { section, round, player, kind } => {
                Fact::ByeSet { section, round, player: PlayerId(player), kind: bye(kind)? }
            }
            Self::ByeImported { section, round, player, kind } => {
                Fact::ByeImported { section, round, player: PlayerId(player), kind: bye(kind)? }
            }
            Self::PlayerSet { section, player, number, display } => {
                Fact::PlayerSet { section, player: PlayerId(player), number, display: Word::read(&display)? }
            }
            Self::PlayerRemoved { player } => Fact::PlayerRemoved { player: PlayerId(player) },
            Self::PlayerForgotten { player } => Fact::PlayerForgotten { player: PlayerId(player) },
            Self::Seated { table, board } => Fact::Seated { table, board },
            Self::Registered { board, number } => Fact::Registered { board, number },
            Self::Identifying { table } => Fact::Identifying { table },
            Self::Began { board, game, day } => Fact::Began { board, game, day },
            Self::NotBegun { game } => Fact::NotBegun { game },
            Self::Moved { game, from, to } => Fact::Moved { game, from, to },
            Self::Unassigned { board, game } => Fact::Unassigned { board, game },
            Self::Adopted { unassigned, game } => Fact::Adopted { unassigned, game },
            Self::ResultSet { game, result } => Fact::ResultSet { game, result: score(result)? },
            Self::ResultImported { game, result } => Fact::ResultImported { game, result: score(result)? },
            Self::ResultMissing { game } => Fact::ResultMissing { game },
            Self::Adjourned { game } => Fact::Adjourned { game },
            Self::Withdrawn { game, withdrawn } => Fact::Withdrawn { game, withdrawn },
            Self::Sourced { game, source } => Fact::Sourced { game, source },
            Self::TagsSet { game, tags } => Fact::TagsSet { game, tags },
            Self::Corrected(correction) => Fact::Corrected(correction.try_into()?),
            Self::Unknown => return Err(FormError::Newer("fact".into())),
        })
    }
}
