//! Little space on the disk with the data folder, before the record fails for want of it.

use std::path::Path;

use super::HallSentence;

/// Free space in bytes below which a person should look: a day of a big hall writes less.
const LOW: u64 = 500 << 20;
/// Steps in which what is left is said, in bytes: each is a new message to those who are not there.
const STEP: u64 = 100 << 20;

/// What to say about the disk of a folder. Nothing where the system does not tell what is free: the folder is watched elsewhere.
pub(super) fn look(data: &Path) -> Option<HallSentence> {
    low(fs4::available_space(data).ok()?)
}

/// What to say about so many free bytes.
fn low(free: u64) -> Option<HallSentence> {
    (free < LOW).then(|| HallSentence::DiskSpaceLow { megabytes: (free / STEP + 1) * (STEP >> 20) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_space_is_said_in_steps() {
        let said = |megabytes: u64| low(megabytes << 20).map(|sentence| sentence.coded().english);
        assert_eq!(said(500), None);
        let sentence = said(499).unwrap();
        assert!(sentence.contains("less than 500 MB left"), "{sentence}");
        assert_eq!(said(401), said(499));
        assert!(said(0).unwrap().contains("less than 100 MB left"));
    }
}
