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

const PUT_RIGHT: &str = "the record is right, but a damaged square that a reply confirmed was put right by two dumps: a move was taken back";

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
        "illegal, stands, no clock",
        &[145],
        "not traced: a record is said to stop at an illegal move, and none was made",
    ),
    known("illegal, stands, no clock", &[150, 184], "not traced: the last ply is not told"),
    known("rook as a queen", &[72], "not traced: the record is right, and is said to stop at an illegal move"),
    known(
        "dead square, from a FEN",
        &[113],
        "not traced: a move taken back near the end, and play after it told as the game",
    ),
    known(
        "gap, two explanations",
        &[12, 36, 45, 48, 72, 120, 122, 156, 192],
        "the record is right, but the arbiter is shown the squares alone: play went on faster than the two lines were followed",
    ),
    known(
        "gap, two explanations",
        &[189],
        "not traced: one of the two lines is told before somebody says which it was",
    ),
    known("stuck piece", &[20], "a king sticks in the centre, where it showed the result: the next game is not told"),
    known(
        "stuck piece",
        &[29],
        "a bishop that went on over a square where it stuck is told to have stopped there: the reply hid the difference",
    ),
    known(
        "stuck piece",
        &[133],
        "one of two pawns that could have taken is stuck, and the record stops, although the board shows later which",
    ),
    known(
        "power lost",
        &[120, 175, 182],
        "not traced: a clock time that is a second or two off, or a move on a neighbouring square, after a loss of less than five seconds",
    ),
    known("bad line", &[82], PUT_RIGHT),
    known("very bad line", &[49, 61, 69, 70, 77, 78, 101, 113, 128, 133, 134, 151, 187], PUT_RIGHT),
    known(
        "very bad line",
        &[83, 95, 117, 131],
        "not traced: wrong squares, moves taken back; six messages in a hundred suffer",
    ),
    known("odd presses", &[83], "not traced: more than a second off in the time spent on one move"),
    known("messages reordered", &[144], PUT_RIGHT),
    known("messages reordered", &[84], "not traced: a bishop is told on its way, and the record stops there"),
    known("chess960, very bad line", &[11, 30, 38, 88, 119, 126, 178], PUT_RIGHT),
    known("gap of 7 to 20 plies", &[108, 151], "the result was shown while the cable was out"),
];

/// Of so many lines with one loss or damage one may cost more than it tells: a square that was damaged into another legal one, and
/// to which the piece then goes, or from which it is taken, before a dump shows the board.
pub(crate) const LINES_TO_ONE_BEYOND: usize = 2_000;

/// Classes with more of them: most lines that cost more, and why.
pub(crate) const COSTLY: &[(&str, usize, &str)] = &[
    (
        "joined, dump only",
        50,
        "a damaged first dump: the game begins with what it showed, or where both sides had moved again",
    ),
    ("power lost", 47, "not traced: the loss of less than five seconds and the damage together"),
    ("piece read as another", 32, "what is damaged while the piece is being found out: the record stops"),
    (
        "gap, two explanations",
        23,
        "a damaged square leaves other lines than the two: the arbiter is shown none, or one is followed",
    ),
    ("wrong start", 22, "a damaged dump begins the wait anew after which the wrong squares are named"),
    ("joined, log", 14, "a damaged first dump, or a damaged log whose moves lead to what stands there"),
    (
        "analysis after",
        11,
        "one damaged message says that the clock that stood runs again, or is gone: the analysis is told as the game",
    ),
    ("a position set", 6, "the press of the last move before a person sets another position: that move is not told"),
];
