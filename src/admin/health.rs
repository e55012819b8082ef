//! The health of the daemon: what does not work now, and what a person should look at.

use axum::http::HeaderMap;
use coded_text::{CodedText, coded_texts, joined};
use game_core::alarm::Audience;

use super::api::daemon::Health;
use super::reach::is_here;
use super::state::Admin;
use crate::alarms::HallSentence;
use public_web::problem::CodedLine;
use public_web::{CameIn, HealthReport};

coded_texts! {
    /// What does not work, or will soon not work, and has no alarm of its own.
    pub(crate) enum HealthSentence {
        Hangs = "health_hangs",
            "The recorder or the director does not answer: check the disk, and restart the daemon.";
        NoAccounts = "health_no_accounts",
            "The accounts cannot be read and no one can log in: restore accounts.sqlite from a backup or move it away, and \
             restart the daemon.";
    }
}

impl Admin {
    /// What does not work now, one sentence each.
    fn troubles(&self) -> Vec<CodedText> {
        let parts = &self.parts;
        let mut troubles: Vec<_> = HallSentence::of_recorder(&parts.recorder).map(Into::into).into_iter().collect();
        if !parts.liveness.is_live() {
            troubles.push(HealthSentence::Hangs.into());
        }
        if parts.accounts.is_none() {
            troubles.push(HealthSentence::NoAccounts.into());
        }
        troubles.extend(parts.review.sentence());
        troubles
    }

    /// What a person should look at while games are recorded and published: sentences for each thing.
    fn concerns(&self) -> Vec<Vec<CodedText>> {
        let alarms = self.parts.alarms.list(|audience| audience == Audience::Operator);
        alarms.into_iter().map(|alarm| alarm.sentences).collect()
    }

    /// How the daemon is, as this asker may know it: the reasons are for programs on this machine. A key reads them at
    /// `/api/v1/admin/health`.
    pub(crate) fn health(&self, came_in: CameIn, headers: &HeaderMap) -> HealthReport {
        let troubles = self.troubles();
        let ready = troubles.is_empty();
        if !is_here(came_in, headers) {
            return HealthReport { ready, reasons: Vec::new() };
        }
        let concerns = self.concerns().into_iter().map(|sentences| joined(&sentences));
        HealthReport { ready, reasons: troubles.into_iter().map(|one| one.english).chain(concerns).collect() }
    }

    /// How the daemon is, for the dashboard and programs with a key.
    pub(super) fn full_health(&self) -> Health {
        Health { concerns: self.concerns().into_iter().flatten().map(CodedLine::from).collect(), ..self.brief_health() }
    }

    /// The same without concerns, which the dashboard shows as alarms.
    pub(super) fn brief_health(&self) -> Health {
        let troubles: Vec<_> = self.troubles().into_iter().map(CodedLine::from).collect();
        Health { ok: troubles.is_empty(), troubles, concerns: Vec::new() }
    }
}
