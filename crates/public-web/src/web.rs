//! The state that the handlers of the public addresses share.

use std::sync::Mutex;

use hall_clock::HallClock;
use publish::gate::PublicView;
use publish::hub::HubHandle;
use publish::snapshot::Snapshots;

use super::asset::Pages;
use super::pgn_files::PgnFiles;
use super::serve::Addresses;

/// Whether the daemon works at this moment; the reasons are not public.
pub type Health = Box<dyn Fn() -> bool + Send + Sync>;

/// The state that the handlers share.
pub struct Web {
    pub(super) public: PublicView,
    pub(super) files: PgnFiles<PublicView>,
    pub(super) snapshots: Mutex<Snapshots<PublicView>>,
    pub(super) hub: HubHandle,
    /// Which addresses the viewers at the hub have.
    pub(super) seats: Addresses,
    pub(super) clock: HallClock,
    pub(super) pages: Pages,
    pub(super) health: Health,
}

impl Web {
    /// Serves a public view, with its hub and the pages of this build; `health` says whether the daemon works.
    pub fn new(public: PublicView, hub: HubHandle, clock: HallClock, pages: Pages, health: Health) -> Self {
        Self {
            files: PgnFiles::new(public.clone(), clock),
            snapshots: Mutex::new(Snapshots::new(public.clone(), clock)),
            public,
            seats: Addresses::sharing(hub.limits().viewers),
            hub,
            clock,
            pages,
            health,
        }
    }
}
