//! The kinds of consumers: what each wants, and how it is sent. One file for each kind.
//!
//! Must not know when to try again (`queue`) or what has been acknowledged.

mod answers;
mod command;
mod folder;
mod ftp;
mod http_file;
pub(crate) mod lichess;
mod process;
mod site;
mod web_hook;

use std::sync::Arc;

use coded_text::CodedText;
use hall_clock::UtcMs;

use crate::end::End;
use crate::http::Http;
use crate::queue::{Failure, Memory, Parcel, Work};
use crate::sentence::OutputSentence;
use crate::settings::{Settings, Target};
use crate::status::ItemProblem;
use crate::wanted::Wanted;

/// One attempt: send what has changed.
pub(crate) struct Job<'a> {
    pub(crate) wanted: &'a Wanted,
    /// Everything that the consumer is to have.
    pub(crate) parcels: &'a [Parcel],
    /// The part that has to be sent; not empty.
    pub(crate) work: &'a Work<'a>,
    pub(crate) memory: &'a Memory,
    /// Nothing more is sent once it has come.
    pub(crate) end: &'a End,
    pub(crate) now: UtcMs,
}

/// What became of an attempt. Parcels that it does not name are tried again.
#[derive(Debug, Default)]
pub(crate) struct Delivered {
    /// Keys of parcels that the consumer has now.
    pub(crate) taken: Vec<String>,
    /// Keys of parcels that it will not take as they are, with its reasons.
    pub(crate) refused: Vec<(String, CodedText)>,
    /// Keys of parcels that are gone at the consumer, or stay there for good.
    pub(crate) removed: Vec<String>,
    /// Keys of parcels that could not be removed at the consumer, which is tried again by [`Consumer::look`].
    pub(crate) left: Vec<String>,
    /// Rounds with the order in which the consumer has them.
    pub(crate) ordered: Vec<(u32, Vec<String>)>,
    /// What it answered, for people.
    pub(crate) answer: Option<CodedText>,
    /// Why the attempt ended early.
    pub(crate) failure: Option<Failure>,
}

impl Delivered {
    pub(crate) fn failed(failure: Failure) -> Self {
        Self { failure: Some(failure), ..Self::default() }
    }
}

/// What a look at the consumer found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// What differs from what was sent.
    pub(crate) problems: Vec<ItemProblem>,
    /// What a person has to look at.
    pub(crate) warnings: Vec<CodedText>,
    /// Keys of parcels that were left there and are gone now.
    pub(crate) removed: Vec<String>,
}

/// A kind of consumer.
pub(crate) trait Consumer: Send {
    /// Everything that the consumer is to have.
    fn parcels(&self, wanted: &Wanted) -> Vec<Parcel>;

    /// Sends what has changed, or a first part of it.
    fn deliver(&mut self, job: &Job<'_>) -> Delivered;

    /// Shortest time between two attempts, in milliseconds: what changes meanwhile goes with the next one.
    fn spacing_ms(&self) -> u64 {
        250
    }

    /// Tries whether the consumer would take something, without changing what it shows; sentences for people.
    fn test(&mut self) -> Result<Vec<CodedText>, Failure>;

    /// Empties a round, or all, at the consumer, before everything is sent again.
    fn reset(&mut self, _wanted: &Wanted, _round: Option<u32>) -> Result<(), Failure> {
        Ok(())
    }

    /// What a person has to look at, without asking the consumer.
    fn warnings(&self, _wanted: &Wanted) -> Vec<CodedText> {
        Vec::new()
    }

    /// Whether it may lose files without an error, and is looked at from time to time.
    fn may_lose(&self) -> bool {
        false
    }

    /// Keys of these parcels, which were acknowledged, that the consumer has lost, such as those of a folder that was removed.
    fn lost(&mut self, _sent: &[&Parcel]) -> Vec<String> {
        Vec::new()
    }

    /// When it wants to look at what the consumer has; none for never.
    fn look_at(&self, _memory: &Memory) -> Option<UtcMs> {
        None
    }

    /// Looks at what the consumer has, beside what it acknowledged.
    fn look(&mut self, _wanted: &Wanted, _parcels: &[Parcel], _memory: &Memory, _now: UtcMs) -> Option<Found> {
        None
    }
}

/// The consumer of these settings.
pub(crate) fn of(settings: &Settings, http: &Arc<dyn Http>) -> Box<dyn Consumer> {
    let http = Arc::clone(http);
    match settings.target.clone() {
        Target::Lichess(target) => Box::new(lichess::Lichess::new(target, http)),
        Target::Folder(target) => Box::new(folder::Folder::new(target)),
        Target::Http(target) => Box::new(http_file::HttpFile::new(target, http)),
        Target::WebHook(target) => Box::new(web_hook::WebHook::new(settings.name.clone(), target, http)),
        Target::Command(target) => Box::new(command::Program::new(target)),
        Target::Ftp(target) => Box::new(ftp::Ftp::new(target)),
        Target::Site(target) => Box::new(site::Site::new(target.to, http)),
    }
}

/// A PGN file of each round, or that of the running rounds when the name has no `{round}`.
pub(crate) fn round_files(wanted: &Wanted, name: &str) -> Vec<Parcel> {
    let name_of = |round: &str| name.replace("{section}", &wanted.section).replace("{round}", round);
    if !name.contains("{round}") {
        let live = wanted.live.iter().filter(|(pgn, _)| !pgn.is_empty());
        let file = |(bytes, digest): &(bytes::Bytes, String)| Parcel {
            key: name_of(""),
            label: OutputSentence::RunningRounds.into(),
            round: 0,
            digest: digest.clone(),
            bytes: bytes.clone(),
            game: None,
        };
        return live.map(file).collect();
    }
    let rounds = wanted.rounds.iter().filter(|round| !round.pgn.is_empty());
    let file = |round: &std::sync::Arc<crate::wanted::WantedRound>| Parcel {
        key: name_of(&round.number.to_string()),
        label: OutputSentence::Round { round: round.number }.into(),
        round: round.number,
        digest: round.digest.clone(),
        bytes: round.pgn.clone(),
        game: None,
    };
    rounds.map(file).collect()
}

/// Sends each changed file by itself until one fails or the output is ended. What is no longer wanted stays at the consumer.
pub(crate) fn one_by_one(job: &Job<'_>, mut send: impl FnMut(&Parcel) -> Result<OutputSentence, Failure>) -> Delivered {
    let mut delivered = Delivered { removed: job.work.gone.clone(), ..Delivered::default() };
    for parcel in job.work.changed.iter().take_while(|_| !job.end.has_come()) {
        match send(parcel) {
            Ok(answer) => {
                delivered.taken.push(parcel.key.clone());
                delivered.answer = Some(answer.coded());
            }
            Err(failure) => {
                delivered.failure = Some(failure);
                break;
            }
        }
    }
    delivered
}

/// The keys of a round in order.
fn order_of(parcels: &[Parcel], round: u32) -> Vec<String> {
    parcels.iter().filter(|parcel| parcel.round == round).map(|parcel| parcel.key.clone()).collect()
}
