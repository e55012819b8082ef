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

pub(crate) const KNOWN: &[Known] = &[
    known("piece read as another", &[98], "the piece misleads the second game from its start, which is not found"),
    known("start mended late", &[62], "the first moves do not tell the missing piece from one that was moved"),
    known("joined, log", &[100, 112, 167], "the log is not believed, and the game begins where the program joined it"),
    known("joined, dump only", &[35, 182], "too few moves are confirmed before the game is over"),
    known("joined, dump only", &[87], "a wrong position explains the first moves, too"),
    known("next game at once", &[47], "a piece set up for the next game makes a legal move while the clock runs"),
    known("bad line", &[75, 195], "the only message about where a piece was put down is lost or damaged"),
    known(
        "very bad line",
        &[31, 54, 67, 81, 90, 109, 117, 119, 131, 155, 165, 179, 189],
        "several messages about one move are lost or damaged",
    ),
    known("chess960, very bad line", &[28, 77, 104, 165, 192], "several messages about one move are lost or damaged"),
    known("messages reordered", &[82, 172], "a slide whose placements come in another order is another move"),
    known(
        "dead square found",
        &[4, 5, 60, 114, 138, 150, 156, 168, 192],
        "too few moves over the square, and not all of one kind, before the board cannot be explained",
    ),
    known("dead square found", &[3, 147], "a new piece on the dead square: nobody can know which"),
    known("dead square declared", &[3, 147], "a new piece on the dead square: nobody can know which"),
    known("dead square found", &[181], "a piece on the dead square is taken, and another move explains the board, too"),
    known(
        "dead square declared",
        &[181],
        "a piece on the dead square is taken, and another move explains the board, too",
    ),
    known("gap of 1 to 6 plies", &[97], "a shorter line explains the board after the gap"),
    known("gap of 7 to 20 plies", &[108, 151], "the result was shown while the cable was out"),
    known("gap, no log", &[33, 98, 159], "a press in the gap is given to a later ply of the same player"),
    known("a move replaced", &[135], "the press of the replaced move is given to another"),
    known("chess960, not told", &[102], "the first move is made before the start has stood for a dump"),
];
