//! What is known to be told wrongly, and why. Everything else is expected to be right.

/// Seeds of a class, up to 200, that are told wrongly for one reason.
pub(crate) struct Known {
    pub(crate) class: &'static str,
    pub(crate) seeds: &'static [u64],
    pub(crate) reason: &'static str,
}

const fn known(class: &'static str, seeds: &'static [u64], reason: &'static str) -> Known {
    Known { class, seeds, reason }
}

const PUT_RIGHT: &str = "the record is right, but a damaged square that a press or a reply confirmed was put right by two dumps: a move was taken back, \
     and after a press its clock time is absent";

pub(crate) const KNOWN: &[Known] = &[
    known(
        "illegal, stands",
        &[54, 130, 184],
        "the game from the illegal move is over before two presses show that it goes on",
    ),
    known(
        "illegal, stands, no clock",
        &[54, 130, 184],
        "the game from the illegal move is over before four plies show that it goes on",
    ),
    known(
        "gap, two explanations",
        &[12, 36, 45, 48, 72, 120, 122, 156, 192],
        "the record is right, but the arbiter is shown the squares alone: play went on faster than the two lines were followed",
    ),
    known(
        "power back before the line",
        &[176],
        "the log cannot tell which of several ways a queen took without power, and a shorter line leads to what stands there",
    ),
    known(
        "two squares together",
        &[95],
        "the fault shows two plies before the end, and nobody presses before the kings come to the centre: both are not told",
    ),
    known("bad line", &[81, 82], PUT_RIGHT),
    known("very bad line", &[5, 21, 69, 77, 82, 101, 117, 118, 131, 134, 145, 151, 156, 166, 182], PUT_RIGHT),
    known(
        "odd presses",
        &[83],
        "at a press that was pressed back the clock added the time of its next period: what the turn before it had used, less than \
         a second, is not counted, and the time spent is a second short",
    ),
    known(
        "messages reordered",
        &[84],
        "the record is right, but a reading that came after the press it was sent before looks like a press back: it confirmed a \
         bishop on its way, which was taken back",
    ),
    known("chess960, very bad line", &[11, 22, 30, 38, 88, 119, 126, 178], PUT_RIGHT),
    known("gap of 7 to 20 plies", &[108, 151], "the result was shown while the cable was out"),
];

/// Of so many lines with one loss or damage one may cost more than it tells: where several moves were made on a damaged one, and what
/// was told of them fits another line as well.
pub(crate) const LINES_TO_ONE_BEYOND: usize = 2_500;

/// Classes with more of them: most lines that cost more, and why.
pub(crate) const COSTLY: &[(&str, usize, &str)] = &[
    ("odd presses", 7, "of presses back and forth one is not told: what the clock showed is told of another one"),
    (
        "two squares together",
        5,
        "what is lost or damaged as the fault shows first leaves another square or none: the record stops, or tells a pawn beside it",
    ),
    (
        "joined, dump only",
        5,
        "a first lift that is lost: in this game two moves are made before the next dump, and the game begins after one",
    ),
];
