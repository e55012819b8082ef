//! The state that the handlers of the public addresses share.

use std::sync::Arc;

use axum::http::HeaderMap;
use evaluations::Evaluations;
use hall_clock::HallClock;
use publish::gate::PublicView;
use publish::hub::HubHandle;

use super::asset::Pages;
use super::live::Rounds;
use super::pgn_files::PgnFiles;
use super::pictures::Pictures;
use super::reports::{Allowance, TakeReport};
use super::serve::{Addresses, CameIn};

/// How the daemon is at this moment, as the asker may know it: the reasons are not public.
pub type Health = Box<dyn Fn(CameIn, &HeaderMap) -> HealthReport + Send + Sync>;

/// How the daemon is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HealthReport {
    /// Whether games are recorded and published.
    pub ready: bool,
    /// What is wrong, one sentence each; empty for the public.
    pub reasons: Vec<String>,
}

impl HealthReport {
    /// All is well, as far as the asker may know.
    pub fn well() -> Self {
        Self { ready: true, reasons: Vec::new() }
    }
}

/// The state that the handlers share.
pub struct Web {
    pub(super) public: PublicView,
    pub(super) files: Arc<PgnFiles<PublicView>>,
    pub(super) rounds: Rounds<PublicView>,
    /// The same for rounds whose games are read from the disk: who asks for others does not wait for it.
    pub(super) past_rounds: Rounds<PublicView>,
    pub(super) hub: HubHandle,
    /// Which addresses the viewers at the hub have.
    pub(super) seats: Addresses,
    pub(super) clock: HallClock,
    pub(super) pages: Pages,
    pub(super) health: Health,
    pub(super) pictures: Pictures,
    /// None without an engine.
    pub(super) evaluations: Option<Evaluations>,
    pub(super) take_report: TakeReport,
    pub(super) allowance: Allowance,
}

impl Web {
    /// Serves a public view, with its hub and the pages of this build; `health` says whether the daemon works.
    pub fn new(public: PublicView, hub: HubHandle, clock: HallClock, pages: Pages, health: Health) -> Self {
        Self {
            files: PgnFiles::new(public.clone(), clock),
            rounds: Rounds::new(public.clone(), clock),
            past_rounds: Rounds::new(public.clone(), clock),
            public,
            seats: Addresses::each(hub.limits().viewers / 2),
            hub,
            clock,
            pages,
            health,
            pictures: Pictures::new(),
            evaluations: None,
            take_report: Box::new(|_| false),
            allowance: Allowance::new(),
        }
    }

    /// The same with at most so many live viewers of one address; half of all without this.
    #[must_use]
    pub fn with_seats_per_address(self, most: usize) -> Self {
        Self { seats: Addresses::each(most), ..self }
    }

    /// The same with an engine for games whose delay allows it.
    #[must_use]
    pub fn with_evaluations(self, evaluations: Option<Evaluations>) -> Self {
        Self { evaluations, ..self }
    }

    /// The same with a taker of what visitors report; without one every report is refused.
    #[must_use]
    pub fn with_reports(self, take_report: TakeReport) -> Self {
        Self { take_report, ..self }
    }
}
