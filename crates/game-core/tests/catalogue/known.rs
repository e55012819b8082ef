//! What is known to be told wrongly, and why; where the cause has not been traced, what is seen. Everything else is expected to
//! be right.

/// Seeds of a class, up to 200, that are told wrongly for one reason.
pub(crate) struct Known {
    pub(crate) class: &'static str,
    pub(crate) seeds: &'static [u64],
    pub(crate) reason: &'static str,
}

const fn known(class: &'static str, seeds: &'static [u64], reason: &'static str) -> Known {
    Known { class, seeds, reason }
}

pub(crate) const KNOWN: &[Known] = &[
    known("illegal, stands", &[54], "the game from the illegal move is over before two presses show that it goes on"),
    known(
        "illegal, stands, no clock",
        &[54],
        "the game from the illegal move is over before four plies show that it goes on",
    ),
    known(
        "gap, two explanations",
        &[24, 36, 45, 48, 72, 105, 150, 156, 189, 192],
        "the record is right, but the arbiter is shown the squares alone: play went on faster than the two lines were followed",
    ),
    known(
        "very bad line",
        &[117, 131],
        "not traced: wrong squares, moves taken back; six messages in a hundred suffer",
    ),
    known(
        "chess960, very bad line",
        &[11, 30, 38, 88, 119, 126, 178],
        "the record is right, but a damaged square that a reply confirmed was put right by two dumps: a move was taken back",
    ),
    known("gap of 7 to 20 plies", &[108, 151], "the result was shown while the cable was out"),
];
