//! Names of streams: a viewer that resumes a stream by its name and a number must find the same events under that number.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::audience::Audience;

/// Version of the rules in `release` by which events are released and numbered. Raise it when the same record gives other
/// numbers or other events: then streams have other names, and viewers that resume get a snapshot.
const RELEASE_RULES: u32 = 5;

/// Names the streams of one view: `{section}/{round}/{digest}`.
#[derive(Debug)]
pub(super) struct StreamNames {
    /// What all names of the view have in common.
    view: String,
    /// Another number at each start of the daemon.
    start: u64,
}

impl StreamNames {
    pub(super) fn new(identity: &str, audience: Audience) -> Self {
        // Keys of `RandomState` come from the system.
        let start = RandomState::new().build_hasher().finish();
        Self { view: format!("{identity}/{}/{RELEASE_RULES}", audience.id()), start }
    }

    /// A round whose entries are all in the feed. Its events have the same numbers after a restart, and so the same name.
    pub(super) fn of_record(&self, section: &str, round: u32) -> Arc<str> {
        let digest = digest(&format!("{section}/{round}/{}", self.view));
        format!("{section}/{round}/{digest:016x}").into()
    }

    /// A round whose earlier events are not in the feed: its numbers begin at 1 at each start of the daemon, so its name is
    /// another one at each start.
    pub(super) fn of_this_start(&self, section: &str, round: u32) -> Arc<str> {
        let digest = digest(&format!("{section}/{round}/{}/{}", self.view, self.start));
        format!("{section}/{round}/{digest:016x}").into()
    }
}

/// The name of a stream after something changed that no event says: it follows from the name before and from the last number.
/// The number of the entry that renamed it would say how much was recorded, and perhaps held back.
pub(super) fn renamed(name: &str, stream: &str, seq: u64) -> Arc<str> {
    let digest = digest(&format!("{stream}/{seq}")) >> 32;
    format!("{name}-{digest:08x}").into()
}

fn digest(text: &str) -> u64 {
    Sha256::digest(text).first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::audience::Policy;

    #[test]
    fn names_differ_by_journal_round_start_and_renaming() {
        let public = Audience::Public(Policy::PUBLIC);
        let (one, other) = (StreamNames::new("1234", public), StreamNames::new("1235", public));
        let name = one.of_record("cup", 1);
        assert!(name.starts_with("cup/1/"), "{name}");
        assert_eq!(name, StreamNames::new("1234", public).of_record("cup", 1), "the same after a restart");
        let archived = one.of_this_start("cup", 1);
        assert_ne!(archived, StreamNames::new("1234", public).of_this_start("cup", 1), "another start");
        let second = renamed(&name, &name, 7);
        let marks = [renamed(&name, &name, 8), renamed(&name, &second, 7), second];
        let mut names = vec![name, other.of_record("cup", 1), one.of_record("cup", 2), archived];
        names.extend(marks);
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    }

    #[cfg(feature = "keys")]
    #[test]
    fn names_differ_by_audience() {
        let names = [Audience::Public(Policy::PUBLIC), Audience::KeyHolders];
        let [public, keys] = names.map(|audience| StreamNames::new("1234", audience).of_record("cup", 1));
        assert_ne!(public, keys);
    }
}
