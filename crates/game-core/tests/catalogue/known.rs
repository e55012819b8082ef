//! What is known to be told wrongly, and why. Everything else is expected to be right.

/// Seeds of a class that are told wrongly for one reason.
pub(crate) struct Known {
    pub(crate) class: &'static str,
    pub(crate) seeds: &'static [u64],
    pub(crate) reason: &'static str,
}

/// Nobody handles this case yet.
const fn unhandled(class: &'static str, reason: &'static str) -> Known {
    Known { class, seeds: &[0, 1, 2, 3], reason }
}

pub(crate) const KNOWN: &[Known] = &[
    unhandled("rook as a queen", "the piece stays another than it is said to be after the operator has spoken"),
    unhandled("piece read as another", "a piece that is reported as another is not found"),
    unhandled("wrong start", "nobody says which squares are wrong"),
    unhandled("start mended late", "a start with a missing piece starts no game"),
    unhandled("joined, log", "without a game the log is not asked for"),
    unhandled("joined, dump only", "legal moves from a dump start no game"),
    unhandled("result piece", "result pieces are not known"),
    unhandled("dead square found", "a dead square is not found"),
    unhandled("dead square declared", "a dead square cannot be declared"),
    Known { class: "a move replaced", seeds: &[0], reason: "the press of the move is given to another" },
];
