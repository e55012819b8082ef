//! The differences between record and game that are known, and why. Every other game is expected to be right.

use std::collections::BTreeSet;

use crate::difference::Kind;
use crate::message_fault::MessageFault;

/// Seeds of a class, 0 to 199, whose record differs from the game in these ways, and why.
pub(crate) struct Known {
    pub(crate) class: &'static str,
    pub(crate) seeds: &'static [u64],
    /// All kinds of differences found at each of the seeds.
    pub(crate) kinds: &'static [Kind],
    pub(crate) reason: &'static str,
}

const fn known(class: &'static str, seeds: &'static [u64], kinds: &'static [Kind], reason: &'static str) -> Known {
    Known { class, seeds, kinds, reason }
}

/// The seeds of a class that are known to differ.
pub(crate) fn seeds_of(class: &str) -> impl Iterator<Item = u64> {
    KNOWN.iter().filter(move |known| known.class == class).flat_map(|known| known.seeds).copied()
}

/// Compares the kinds of differences found at a seed with the kinds known of it.
///
/// # Errors
/// A sentence for the reader of a failed test: differences that are not known, known ones of another kind, or a known seed
/// that has become right.
pub(crate) fn check(known: &[Known], class: &str, seed: u64, found: &BTreeSet<Kind>) -> Result<(), String> {
    let row = known.iter().find(|known| known.class == class && known.seeds.contains(&seed));
    let expected: BTreeSet<Kind> = row.into_iter().flat_map(|row| row.kinds).copied().collect();
    match row {
        _ if expected == *found => Ok(()),
        None => Err(format!("{found:?} is not known")),
        Some(row) if found.is_empty() => {
            Err(format!("right now, though «{}»: remove the seed from known.rs", row.reason))
        }
        Some(_) => Err(format!("{found:?} instead of the known {expected:?}")),
    }
}

const PROMOTED_UNSEEN: &str = "a pawn becomes a piece on a dead square: a queen is told after a while and taken back when the game ends, because the \
     bytes do not decide it";

pub(crate) const KNOWN: &[Known] = &[
    known(
        "illegal, stands",
        &[54, 130, 184],
        &[Kind::IllegalMoveNotReported],
        "the game ends before two presses after the illegal move show that it goes on",
    ),
    known(
        "illegal, stands, no clock",
        &[54, 130, 184],
        &[Kind::IllegalMoveNotReported],
        "the game ends before four plies after the illegal move show that it goes on",
    ),
    known(
        "knocked over",
        &[2],
        &[Kind::Retracts],
        "in check, a pawn that was knocked over is taken for a move, as few others are legal, until all stands again",
    ),
    known("a move replaced", &[0], &[Kind::WrongClockTime], "after the order the presses of two plies are missing"),
    known(
        "moves deleted",
        &[0],
        &[Kind::WrongClockTime],
        "moves that were deleted come back in another order until they are corrected, and each keeps its time",
    ),
    known(
        "rook as a queen",
        &[1, 2, 3],
        &[Kind::Retracts],
        "the rook is one until it moves like a queen; then it is a queen from its promotion on",
    ),
    known(
        "gap of 7 to 20 plies",
        &[3],
        &[Kind::WrongClockTime],
        "of several presses that the log has without their plies between, one is taken for that of the ply before",
    ),
    known(
        "gap, two explanations",
        &[12, 45, 120, 156],
        &[Kind::ArbiterNotAsked],
        "the record is right in the end, but the arbiter was not asked: the doubt ended when the players went on",
    ),
    known(
        "gap, two explanations",
        &[192],
        &[Kind::OneWrongMove, Kind::ArbiterNotAsked],
        "the other line parts from the record before its last ply, so it is not shown, and the likelier one stays",
    ),
    known(
        "gap of 7 to 20 plies",
        &[0, 2],
        &[Kind::WrongClockTime],
        "a press that went unseen is taken for that of the last ply of the gap",
    ),
    known("dead square found", &[3], &[Kind::Retracts], PROMOTED_UNSEEN),
    known("dead square declared", &[3], &[Kind::Retracts], PROMOTED_UNSEEN),
    known(
        "very bad line",
        &[0],
        &[Kind::WrongClockTime],
        "a damaged reading is taken for what the clock showed at the press",
    ),
    known(
        "odd presses",
        &[83],
        &[Kind::WrongTimeSpent],
        "the opponent pressed back in the last second of a period, and the clock added the time of the next period: the time spent is a second too short",
    ),
];

/// Lines with one bad message to one that may cost more than the move or clock time it describes. It does where several moves
/// follow a damaged one and their messages fit another line as well.
pub(crate) const LINES_TO_ONE_BEYOND: usize = 2_500;

/// Lines of the short run that cost more, and why.
pub(crate) const COSTLY_LINES: &[(&str, MessageFault, &str)] = &[
    (
        "piece read as another",
        MessageFault::Lost(34),
        "the message of a move is lost while the square of its piece is ignored: the reading of the next press is taken for its own",
    ),
    (
        "moves deleted",
        MessageFault::Lost(usize::MAX),
        "the ply that is played in the place of a deleted one has the reading of another press",
    ),
];

/// Classes with more such lines: how many at most, and why.
pub(crate) const COSTLY: &[(&str, usize, &str)] = &[
    (
        "odd presses",
        7,
        "one of several presses back and forth is lost: its clock time is taken for that of another press",
    ),
    (
        "two squares together",
        5,
        "the bad message comes when the fault shows first and leaves another square or none: the record stops, or names the pawn \
         beside it",
    ),
    (
        "joined, dump only",
        5,
        "the first lift is lost: two moves are made before the next dump, and the game starts after one of them",
    ),
];

#[test]
fn a_known_difference_passes_and_nothing_else_does() {
    let rows = [known("class", &[3, 7], &[Kind::Retracts, Kind::MissingClockTime], "a reason")];
    let check = |seed, found: &[Kind]| check(&rows, "class", seed, &found.iter().copied().collect());
    assert_eq!(check(1, &[]), Ok(()));
    assert_eq!(check(7, &[Kind::MissingClockTime, Kind::Retracts]), Ok(()));

    let error = |seed, found: &[Kind]| check(seed, found).expect_err("another difference than the known one");
    assert_eq!(error(1, &[Kind::WrongMoves]), "{WrongMoves} is not known");
    assert_eq!(error(3, &[]), "right now, though «a reason»: remove the seed from known.rs");
    assert_eq!(error(3, &[Kind::WrongMoves]), "{WrongMoves} instead of the known {MissingClockTime, Retracts}");
    for found in [&[Kind::Retracts][..], &[Kind::Retracts, Kind::MissingClockTime, Kind::MissingResult]] {
        assert!(error(3, found).contains("instead of the known"), "one kind less or more: {found:?}");
    }
}

#[test]
fn the_difference_of_another_class_is_not_known() {
    let rows = [known("class", &[3], &[Kind::Retracts], "a reason")];
    assert!(check(&rows, "another class", 3, &BTreeSet::from([Kind::Retracts])).is_err());
    assert_eq!(check(&rows, "another class", 3, &BTreeSet::new()), Ok(()));
}

#[test]
fn every_known_seed_is_played_by_the_full_campaign_once_and_by_no_clean_class() {
    let mut seen = BTreeSet::new();
    for row in KNOWN {
        let class = crate::classes::all().find(|class| class.name == row.class).expect(row.class);
        assert!(!class.clean, "{}: every game of a clean class has to be right", row.class);
        assert!(!row.kinds.is_empty() && !row.reason.is_empty(), "{}", row.class);
        for &seed in row.seeds {
            assert!(seed < crate::FULL_SEEDS && seen.insert((row.class, seed)), "{}, seed {seed}", row.class);
        }
    }
}
