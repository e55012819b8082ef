//! Starts outputs and sources, and raises an alarm while one of them fails; starts the engine.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use coded_text::CodedText;
use evaluations::Evaluations;
use game_core::alarm::AlarmKind;
use hall_clock::HallClock;
use journal::Reader;
use outputs::Outputs;
use publish::gate::Gate;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Tasks;
use crate::alarms::{AlarmBook, HallSentence};
use crate::director::DirectorHandle;
use crate::sources::positions::Positions;
use crate::sources::{self, GameSources};
use crate::transport::ask::FoundBoard;

/// How often the outputs and sources are asked whether they fail.
const LOOKS: Duration = Duration::from_secs(1);

/// Starts what sends the games to other programs and sites, each with a view of its own delay.
pub(super) fn start_outputs(
    tasks: &mut Tasks,
    gate: &Gate,
    configured: Vec<outputs::Settings>,
    alarms: &AlarmBook,
) -> anyhow::Result<Outputs> {
    let gate = gate.clone();
    let views = Box::new(move |policy| gate.public(policy));
    let http = Arc::new(outputs::Web::default());
    let start = outputs::Start { views, hall: tasks.clock, http, folder: tasks.data.clone(), configured };
    let outputs = Outputs::start(start).map_err(anyhow::Error::msg)?;
    watch_outputs(tasks, &outputs, alarms);
    Ok(outputs)
}

/// Starts the engine for games whose delay allows it, if one is wanted. One that cannot be used is logged.
pub(super) fn start_engine(gate: &Gate, engine: Option<evaluations::Settings>) -> anyhow::Result<Option<Evaluations>> {
    let started = engine.map(|settings| Evaluations::start(gate, settings)).transpose();
    started.context("the thread of the engine does not start")
}

/// Starts what reads games of other recorders, and raises an alarm about sources that fail.
pub(super) fn start_sources(
    tasks: &mut Tasks,
    director: &DirectorHandle,
    reader: &Arc<Reader>,
    found: mpsc::Sender<FoundBoard>,
    alarms: &AlarmBook,
) -> GameSources {
    let sources = GameSources::start(sources::Start {
        director: director.clone(),
        reader: Arc::clone(reader),
        http: Arc::new(outputs::Web::default()),
        positions: Positions::new(found),
        folder: tasks.data.clone(),
        stop: tasks.stop.clone(),
    });
    let (watched, alarms, clock, stop) = (sources.clone(), alarms.clone(), tasks.clock, tasks.stop.clone());
    tasks.supervisor.replaceable("watch of the sources", move || {
        let (sources, alarms, stop) = (watched.clone(), alarms.clone(), stop.clone());
        async move {
            let failing = || about_sources(sources.failing());
            raise_while_failing(AlarmKind::SourceFailing, failing, &alarms, clock, &stop).await;
        }
    });
    sources
}

/// Raises an alarm about outputs that fail, and ends them at the stop.
fn watch_outputs(tasks: &mut Tasks, outputs: &Outputs, alarms: &AlarmBook) {
    let (outputs, alarms, clock, stop) = (outputs.clone(), alarms.clone(), tasks.clock, tasks.stop.clone());
    tasks.supervisor.replaceable("watch of the outputs", move || {
        let (outputs, alarms, stop) = (outputs.clone(), alarms.clone(), stop.clone());
        async move {
            let failing = || {
                let failing = outputs.failing().into_iter();
                let failing =
                    failing.map(|(output, reason)| HallSentence::OutputFailing { output, reason: reason.into() });
                with_help(failing, HallSentence::OutputHelp)
            };
            raise_while_failing(AlarmKind::OutputFailing, failing, &alarms, clock, &stop).await;
            outputs.stop();
        }
    });
}

/// Which sources fail, if any does, and then what helps: those that are read here are tried again, the others wait.
fn about_sources(failing: Vec<(sources::Settings, CodedText)>) -> Vec<HallSentence> {
    let receives = |settings: &sources::Settings| settings.from == sources::From::Post;
    let helps = [(true, HallSentence::SourceReceivesHelp), (false, HallSentence::SourceHelp)];
    let helps = helps.into_iter().filter(|(of, _)| failing.iter().any(|(settings, _)| receives(settings) == *of));
    let helps: Vec<_> = helps.map(|(_, help)| help).collect();
    let failing = failing.into_iter().map(|(settings, reason)| {
        let source = settings.name;
        HallSentence::SourceFailing { source, reason: reason.into() }
    });
    failing.chain(helps).collect()
}

/// What fails, if anything does, and then what helps.
fn with_help(failing: impl Iterator<Item = HallSentence>, help: HallSentence) -> Vec<HallSentence> {
    let mut sentences: Vec<_> = failing.collect();
    if !sentences.is_empty() {
        sentences.push(help);
    }
    sentences
}

/// Raises an alarm of this kind while there are sentences for it, until the stop.
async fn raise_while_failing(
    kind: AlarmKind,
    sentences: impl Fn() -> Vec<HallSentence>,
    alarms: &AlarmBook,
    clock: HallClock,
    stop: &CancellationToken,
) {
    let mut looks = tokio::time::interval(LOOKS);
    while stop.run_until_cancelled(looks.tick()).await.is_some() {
        alarms.daemon(clock.now(), kind, sentences().iter().map(HallSentence::coded).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{From, Settings, SourceRefusal};

    #[test]
    fn a_source_that_receives_is_not_said_to_try_again() {
        let failing = |from| {
            let settings = Settings { name: "hall-b".into(), section: None, round: None, first_board: 1, from };
            (settings, SourceRefusal::NoGame.coded())
        };
        let said = |failing| {
            let sentences: Vec<_> = about_sources(failing).iter().map(ToString::to_string).collect();
            sentences.join(" ")
        };
        let read = || failing(From::Folder { path: "/games".into() });
        assert_eq!(said(Vec::new()), "");
        let received = said(vec![failing(From::Post)]);
        assert!(received.contains("waits for the next games"), "{received}");
        assert!(!received.contains("tries again"), "{received}");
        assert!(said(vec![read()]).ends_with("It tries again by itself."));
        let both = said(vec![failing(From::Post), read()]);
        assert!(both.contains("waits for the next games") && both.contains("tries again"), "{both}");
    }
}
