//! What the gate knows of the event until it reads the hall.

/// What is publicly known about the event; never changes while the daemon runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventInfo {
    /// Its part of addresses: small letters, digits and `-`.
    pub slug: String,
    /// As in the PGN tag `Event`.
    pub name: String,
    /// As in the PGN tag `Site`; `?` when unknown.
    pub site: String,
}
