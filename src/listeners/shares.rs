//! How the open files that the system allows are shared among clients and the rest of the daemon.

use publish::hub;

use super::settings::ClientLimits;

/// Open files that clients leave to boards, captures and the journal. A board has three.
const FILES_KEPT: usize = 4096;

/// What clients may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    /// At each listener.
    pub(crate) web: public_web::Limits,
    /// At the hub.
    pub(crate) hub: hub::Limits,
    /// Live viewers of one address.
    pub(crate) viewers_per_address: usize,
}

/// Raises the limit of open files as far as the system allows, and shares it among so many listeners and the hub: at least half,
/// up to [`FILES_KEPT`], is not for clients.
pub(crate) fn shares(wanted: &ClientLimits, listeners: usize) -> Shares {
    let (web, viewers) = (wanted.web(), wanted.hub());
    let (web, hub) = match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(files) => shared(usize::try_from(files).unwrap_or(usize::MAX), listeners, web, viewers),
        Err(error) => {
            tracing::warn!(%error, "the limit of open files is not known: many viewers may take what boards need");
            (web, viewers)
        }
    };
    tracing::debug!(connections = web.connections, viewers = hub.viewers, "what clients may hold");
    Shares { web, hub, viewers_per_address: wanted.viewers_per_address(hub.viewers) }
}

/// The limits when so many files may be open.
fn shared(
    files: usize,
    listeners: usize,
    web: public_web::Limits,
    viewers: hub::Limits,
) -> (public_web::Limits, hub::Limits) {
    let for_clients = files - (files / 2).min(FILES_KEPT);
    let connections = web.connections.min(for_clients / 2 / listeners.max(1)).max(1);
    let connections_per_address = web.connections_per_address.min((connections / 2).max(1));
    let bodies = web.bodies.min(connections / 4).max(1);
    let seats = viewers.viewers.min(for_clients.saturating_sub(connections * listeners));
    let web = public_web::Limits { connections, connections_per_address, bodies, ..web };
    (web, hub::Limits { viewers: seats, ..viewers })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_leave_open_files_to_boards_and_journal() {
        let shared = |files, listeners| {
            let (web, viewers) = shared(files, listeners, public_web::Limits::default(), hub::Limits::default());
            (web.connections, web.connections_per_address, web.bodies, viewers.viewers)
        };
        assert_eq!(shared(524_288, 1), (4096, 2048, 64, 20_000));
        assert_eq!(shared(1024, 1), (256, 128, 64, 256));
        assert_eq!(shared(1024, 4), (64, 32, 16, 256));
        assert_eq!(shared(300, 1), (75, 37, 18, 75));
        assert_eq!(shared(0, 3), (1, 1, 1, 0));
    }
}
