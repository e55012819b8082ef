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

const PUT_RIGHT: &str = "a damaged message named a wrong square and a press or a reply confirmed the move; two dumps corrected the record, which is \
     right in the end";

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
        "gap, two explanations",
        &[12, 36, 45, 48, 72, 120, 122, 156, 192],
        &[Kind::LinesNotShown],
        "the record is right in the end, but the arbiter is shown only squares: the players went on before the session had both lines",
    ),
    known(
        "power back before the line",
        &[176],
        &[Kind::WrongMoves],
        "a queen moved while the board had no power; the log fits several ways, and a shorter line leads to the same pieces",
    ),
    known(
        "two squares together",
        &[95],
        &[Kind::MissingMoves],
        "the fault appears two plies before the end, and no press follows before the kings show the result: both plies are missing",
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
        "the opponent pressed back in the last second of a period, and the clock added the time of the next period: the time spent \
         is a second too short",
    ),
    known(
        "messages reordered",
        &[84],
        &[Kind::Retracts],
        "a clock reading overtaken by a press looks like a press back: it confirmed a bishop on its way; the record is right in the \
         end",
    ),
    known("chess960, very bad line", &[11, 22, 30, 38, 88, 119, 126, 178], &[Kind::Retracts], PUT_RIGHT),
    known(
        "gap of 7 to 20 plies",
        &[108, 151],
        &[Kind::MissingResult],
        "the players showed the result while the cable was out",
    ),
];

/// Lines with one bad message to one that may cost more than the move or clock time it describes. It does where several moves
/// follow a damaged one and their messages fit another line as well.
pub(crate) const LINES_TO_ONE_BEYOND: usize = 2_500;

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
