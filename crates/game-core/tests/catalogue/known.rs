//! The differences between record and game that are known, and why. Every other game is expected to be right.

use std::collections::BTreeSet;

use crate::difference::Kind;

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

const PUT_RIGHT: &str = "the record is right, but a damaged square that a press or a reply confirmed was put right by two dumps: a move was taken back, \
     and after a press its clock time is absent";

pub(crate) const KNOWN: &[Known] = &[
    known(
        "illegal, stands",
        &[54, 130, 184],
        &[Kind::IllegalMoveNotReported],
        "the game from the illegal move is over before two presses show that it goes on",
    ),
    known(
        "illegal, stands, no clock",
        &[54, 130, 184],
        &[Kind::IllegalMoveNotReported],
        "the game from the illegal move is over before four plies show that it goes on",
    ),
    known(
        "gap, two explanations",
        &[12, 36, 45, 48, 72, 120, 122, 156, 192],
        &[Kind::LinesNotShown],
        "the record is right, but the arbiter is shown the squares alone: play went on faster than the two lines were followed",
    ),
    known(
        "power back before the line",
        &[176],
        &[Kind::WrongMoves],
        "the log cannot tell which of several ways a queen took without power, and a shorter line leads to what stands there",
    ),
    known(
        "two squares together",
        &[95],
        &[Kind::MissingMoves],
        "the fault shows two plies before the end, and nobody presses before the kings come to the centre: both are not told",
    ),
    known("bad line", &[81, 82], &[Kind::Retracts], PUT_RIGHT),
    known(
        "very bad line",
        &[5, 21, 69, 77, 82, 101, 117, 118, 131, 134, 145, 151, 156, 166, 182],
        &[Kind::Retracts],
        PUT_RIGHT,
    ),
    known(
        "odd presses",
        &[83],
        &[Kind::WrongTimeSpent],
        "at a press that was pressed back the clock added the time of its next period: what the turn before it had used, less than \
         a second, is not counted, and the time spent is a second short",
    ),
    known(
        "messages reordered",
        &[84],
        &[Kind::Retracts],
        "the record is right, but a reading that came after the press it was sent before looks like a press back: it confirmed a \
         bishop on its way, which was taken back",
    ),
    known("chess960, very bad line", &[11, 22, 30, 38, 88, 119, 126, 178], &[Kind::Retracts], PUT_RIGHT),
    known("gap of 7 to 20 plies", &[108, 151], &[Kind::MissingResult], "the result was shown while the cable was out"),
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
