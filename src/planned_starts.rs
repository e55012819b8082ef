//! Keeps the starts of rounds at Lichess as they are planned here, later by the delay.
//!
//! Only rounds that were made from here are moved. Must not know how Lichess is asked.

use std::time::Duration;

use outputs::settings::Target;
use outputs::{Outputs, PlannedRound, Settings, State};
use tokio_util::sync::CancellationToken;
use tournament::{Delay, Hall};

use crate::admin::problem::AdminRefusal;
use crate::director::DirectorHandle;

/// Time between two looks, so that several orders in a row are one change at Lichess.
const LOOK: Duration = Duration::from_secs(2);

/// Time after which a change that failed is tried again.
const AGAIN: Duration = Duration::from_mins(1);

/// Moves starts whenever their plan changes, until the stop.
pub(crate) async fn follow(director: DirectorHandle, outputs: Outputs, stop: CancellationToken) -> anyhow::Result<()> {
    let mut changes = director.changes();
    let following = async {
        loop {
            move_all(&director, &outputs).await?;
            tokio::time::sleep(LOOK).await;
            // An output can change as well, and Lichess may not have answered.
            if let Ok(Err(_)) = tokio::time::timeout(AGAIN, changes.changed()).await {
                return Ok(());
            }
        }
    };
    stop.run_until_cancelled(following).await.unwrap_or(Ok(()))
}

/// Looks at every output once.
async fn move_all(director: &DirectorHandle, outputs: &Outputs) -> anyhow::Result<()> {
    let hall = director.hall();
    for known in outputs.list() {
        let is_made = matches!(&known.settings.target, Target::Lichess(lichess) if lichess.broadcast.is_some());
        if !is_made || known.status.state == State::Paused {
            continue;
        }
        let Ok((_, rounds)) = plan(&hall, &known.settings) else { continue };
        let (outputs, name) = (outputs.clone(), known.settings.name);
        let moving = tokio::task::spawn_blocking(move || (outputs.move_starts(&name, &rounds), name));
        match moving.await? {
            (Ok(0), _) => {}
            (Ok(moved), name) => tracing::info!(moved, "the output {name} has changed starts of rounds at Lichess"),
            (Err(refusal), name) => tracing::warn!(%refusal, "the output {name} could not change a start at Lichess"),
        }
    }
    Ok(())
}

/// The name of the event of an output, and its rounds with the instants at which their moves become public.
pub(crate) fn plan(hall: &Hall, settings: &Settings) -> Result<(String, Vec<PlannedRound>), AdminRefusal> {
    let section = if let Some(slug) = &settings.section {
        hall.section(slug).ok_or_else(|| AdminRefusal::SectionGone { section: slug.clone() })?
    } else {
        let mut sections = hall.sections.values();
        let (Some(only), None) = (sections.next(), sections.next()) else {
            return Err(AdminRefusal::WhichSection);
        };
        only
    };
    let rounds = section.rounds.values().map(|round| {
        let delays = [settings.delay, hall.round_delay(section, round.number)];
        let shift_s = delays.into_iter().try_fold(0, |longest, delay| match delay {
            Delay::Seconds(seconds) => Some(seconds.max(longest)),
            // No one knows when the games are over.
            Delay::UntilOver => None,
        });
        let starts_at = round.settings.planned_start.zip(shift_s);
        let starts_at = starts_at.map(|(at, shift_s)| at + u64::from(shift_s) * 1000);
        PlannedRound { number: round.number, name: round.title(), starts_at }
    });
    let rounds: Vec<_> = rounds.collect();
    if rounds.is_empty() {
        return Err(AdminRefusal::NoRounds);
    }
    Ok((section.settings.name.clone(), rounds))
}
