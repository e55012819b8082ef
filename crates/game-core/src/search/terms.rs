//! The terms of a cost: what was paid for which weight. Only a search that explains itself keeps them.
//!
//! Must not know what the weights are worth.

use std::sync::Arc;

use super::weights::Cost;

/// What a hypothesis pays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Term {
    Waiting,
    DiffersAtChange,
    DiffersAtPress,
    DiffersAtPressOther,
    BegunBefore,
    DiffersAfterGap,
    Ply,
    FewMoves,
    PlyRare,
    RookForQueen,
    PlyLate,
    Foresight,
    PlyClockStands,
    PlyNotPressed,
    PressWithoutPly,
    PressAfterReply,
    PressFirst,
    PlyPatched,
    PliesTogether,
    SquareUnseen,
    Lost,
    Unread,
    HalfCastling,
    KingFollowed,
    Fault,
    FaultFilled,
    FaultAgain,
    FaultEnds,
    LeverSaysOther,
    ClockTurned,
    ClockExchanged,
    TakenBack,
    TakenBackPly,
    PlyChanged,
    GapPly,
    OtherThanHeld,
    Unfinished,
    Illegal,
    Off,
    OffChange,
}

impl Term {
    /// The weight in `weights`, and what it was paid for, in words.
    pub(crate) fn describe(self) -> (&'static str, &'static str) {
        match self {
            Self::Waiting => ("DIFFERS_PER_S", "squares differ from the line, for as long as they do"),
            Self::DiffersAtChange => ("DIFFERS_PER_CHANGE", "squares differ from the line when the board changes"),
            Self::DiffersAtPress => ("UNUSUAL", "squares differ from the line when a player presses"),
            Self::DiffersAtPressOther => {
                ("OFTEN", "squares of the other player differ from the line when a player presses")
            }
            Self::BegunBefore => {
                ("OFTEN", "a player begins while a piece of the other one stands where the line has none")
            }
            Self::DiffersAfterGap => ("DIFFERS_PER_S", "squares differ from the line when the board is in reach again"),
            Self::Ply => ("PLY", "a ply that the board shows"),
            Self::FewMoves => ("LEGAL_MOVES", "the rules allow few other plies"),
            Self::PlyRare => ("UNUSUAL", "a promotion with another piece than a queen"),
            Self::RookForQueen => {
                ("RARE", "another piece comes where a pawn has become one, or a rook stands for its queen")
            }
            Self::PlyLate => ("DIFFERS_PER_S", "its squares were complete long before"),
            Self::Foresight => ("RARE", "it stood before the ply that it answers was begun"),
            Self::PlyClockStands => ("HOPELESS", "its squares changed while the clock stood"),
            Self::PlyNotPressed => ("SELDOM", "the player's ply before was never pressed"),
            Self::PressWithoutPly => ("SELDOM", "a press that belongs to no ply"),
            Self::PressAfterReply => ("UNUSUAL", "a press that came after the reply"),
            Self::PressFirst => ("OFTEN", "the press came long before the squares, or before any of them changed"),
            Self::PlyPatched => ("PLY", "squares changed unseen, as a later message proves"),
            Self::PliesTogether => ("OFTEN", "further plies with the same message"),
            Self::SquareUnseen => ("SELDOM", "a square was filled and left again between two visits of the scan"),
            Self::Lost => ("RARE", "a message is assumed to be lost"),
            Self::Unread => ("RARE", "a piece was put down beside the middle of its square, which was read later"),
            Self::HalfCastling => ("RARE", "a rook alone was moved, where its king stands as after castling"),
            Self::KingFollowed => {
                ("VERY_RARE", "a king has followed his rook as in castling, and the line has the rook's move alone")
            }
            Self::Fault => ("VERY_RARE", "a square is assumed to report wrongly"),
            Self::FaultFilled => ("OFTEN", "and it has shown a piece before, or shows one that is not there"),
            Self::FaultAgain => ("OFTEN", "a square that did so before reports wrongly"),
            Self::FaultEnds => ("OFTEN", "a square that showed nothing shows a piece again"),
            Self::LeverSaysOther => {
                ("UNUSUAL", "the lever shows the other side to move: the last ply is not pressed yet")
            }
            Self::ClockTurned => ("VERY_RARE", "White sits at the other side of the clock"),
            Self::ClockExchanged => ("RARE", "the clock showed its times exchanged, and was not turned round"),
            Self::TakenBack => ("RARE", "plies are taken back"),
            Self::TakenBackPly => ("OFTEN", "each ply that is taken back"),
            Self::PlyChanged => (
                "SELDOM",
                "another piece was promoted, a rook's move was half of castling, or a piece was put elsewhere after its press",
            ),
            Self::GapPly => ("OFTEN", "plies made while the board was out of reach"),
            Self::OtherThanHeld => ("RARE", "another piece was moved than the one that was in a hand before the gap"),
            Self::Unfinished => {
                ("SELDOM", "the piece of the last ply, not pressed yet, was in a hand again before the gap")
            }
            Self::Illegal => ("VERY_RARE", "an illegal move stands, and the game goes on from it"),
            Self::Off => ("OFF", "what is done on the board is no play any more"),
            Self::OffChange => ("UNUSUAL", "changes of a board on which nothing is played"),
        }
    }
}

/// What was paid, the last first.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) term: Term,
    pub(crate) cost: Cost,
    /// Twice the number of the move, and one more when Black is to move: when it was paid.
    pub(crate) turn: u32,
    count: u32,
    before: Ledger,
}

/// All that a hypothesis has paid; nothing is kept in a search that does not explain itself. Hypotheses share what they
/// paid before they parted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger(Option<Arc<Entry>>);

impl Drop for Entry {
    /// One after the other: as a recursion a long list would not fit on the stack.
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(mut entry) = next.and_then(Arc::into_inner) {
            next = entry.before.0.take();
        }
    }
}

impl Ledger {
    /// One that is kept, without terms so far.
    pub(crate) fn kept() -> Self {
        let nothing = Entry { term: Term::Ply, cost: 0, turn: 0, count: 0, before: Self(None) };
        Self(Some(Arc::new(nothing)))
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Notes a term, where terms are kept.
    pub(crate) fn note(&mut self, term: Term, cost: Cost, turn: impl FnOnce() -> u32) {
        let Some(before) = &self.0 else { return };
        let count = before.count + 1;
        self.0 = Some(Arc::new(Entry { term, cost, turn: turn(), count, before: Self(Some(before.clone())) }));
    }

    /// What was paid since it parted from another one, the last first.
    pub(crate) fn since(&self, other: &Self) -> Vec<&Entry> {
        let (mut mine, mut theirs) = (self.0.as_deref(), other.0.as_deref());
        let mut paid = Vec::new();
        while let Some(entry) = mine {
            match theirs {
                Some(its) if std::ptr::eq(its, entry) => break,
                Some(its) if its.count >= entry.count => theirs = its.before.0.as_deref(),
                _ => {
                    paid.push(entry);
                    mine = entry.before.0.as_deref();
                }
            }
        }
        paid.retain(|entry| entry.count > 0);
        paid
    }

    /// Everything that was paid, the last first.
    #[cfg(test)]
    pub(crate) fn all(&self) -> Vec<&Entry> {
        self.since(&Self(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_ledgers_share_is_not_counted() {
        let mut one = Ledger::kept();
        one.note(Term::Ply, 400, || 3);
        let mut other = one.clone();
        one.note(Term::Waiting, 250, || 3);
        other.note(Term::PlyLate, 1_000, || 3);
        other.note(Term::Ply, 400, || 4);
        let costs = |paid: Vec<&Entry>| paid.into_iter().map(|entry| entry.cost).collect::<Vec<_>>();
        assert_eq!(costs(one.since(&other)), [250]);
        assert_eq!(costs(other.since(&one)), [400, 1_000]);
        assert_eq!(costs(one.all()), [250, 400]);
    }

    #[test]
    fn nothing_is_kept_unless_it_is_wanted_and_a_long_list_can_be_dropped() {
        let mut none = Ledger::default();
        none.note(Term::Ply, 400, || panic!("terms are not recorded"));
        assert!(none.all().is_empty());
        let mut long = Ledger::kept();
        (0..1_000_000).for_each(|turn| long.note(Term::Waiting, 1, || turn));
        drop(long);
    }

    #[test]
    fn the_terms_have_the_names_of_weights() {
        let table = include_str!("weights.rs");
        for term in [Term::Waiting, Term::PlyLate, Term::Off, Term::OffChange, Term::DiffersAtPress] {
            let (weight, _) = term.describe();
            assert!(table.contains(&format!("const {weight}: Cost")), "{weight}");
        }
    }
}
