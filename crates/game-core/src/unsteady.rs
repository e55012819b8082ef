//! Pieces that their field reads only now and then: they stand on a border, or their coil is weak (docs/board-behaviour.md, 2.4).
//! Such a piece counts as standing there, and a person is told, who can put it right.
//!
//! Must not know which game is played.

use dgt_protocol::{Field, Fields, PieceCode};

use crate::time::Timestamp;

/// A piece that is lifted after so long was put there, in ms.
const STOOD_MS: u64 = 800;
/// A piece that came so often within a short time, and nowhere else, stands there.
const TIMES: u32 = 3;
/// No hand holds a piece above a field for so long, in ms: what comes and goes for longer is unsteady.
const HAND_MS: u64 = 3_000;
/// A piece that is away for so many times as long as ever before has gone.
const LONGER: u64 = 3;
/// One that is away for so long has gone in any case, in ms.
const GONE_MS: u64 = 10_000;
/// A piece that has been steady for so long is put right, in ms.
const STEADY_MS: u64 = 60_000;

/// The pieces that came a moment ago, and those that are unsteady.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unsteady {
    visits: Vec<Visits>,
}

/// How a piece has come to a field and left it again.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Visits {
    field: Field,
    piece: PieceCode,
    first: Timestamp,
    came: Timestamp,
    left: Option<Timestamp>,
    times: u32,
    /// The longest time between two visits, in ms.
    away: u64,
    unsteady: bool,
}

impl Visits {
    /// Whether more visits may follow.
    fn go_on(&self, now: Timestamp) -> bool {
        match self.left {
            Some(left) if self.unsteady => now.since(left) < (LONGER * self.away).clamp(HAND_MS, GONE_MS),
            Some(left) => now.since(left) < GONE_MS,
            None => now.since(self.came) < if self.unsteady { STEADY_MS } else { STOOD_MS },
        }
    }
}

impl Unsteady {
    /// Time passes, and a change may say that a piece came. Gives back the fields whose unsteady piece has gone.
    pub(crate) fn gone(&mut self, now: Timestamp, came: Option<(Field, PieceCode)>) -> Vec<Field> {
        let elsewhere =
            |visits: &Visits| came.is_some_and(|(field, piece)| piece == visits.piece && field != visits.field);
        let over = self.visits.extract_if(.., |visits| elsewhere(visits) || !visits.go_on(now));
        over.filter(|visits| visits.unsteady && visits.left.is_some()).map(|visits| visits.field).collect()
    }

    /// A field reports a change. Gives back whether an unsteady piece explains it.
    pub(crate) fn explains(&mut self, now: Timestamp, field: Field, piece: PieceCode) -> bool {
        let known = self.visits.iter().position(|visits| visits.field == field);
        let same = |visits: &Visits| [PieceCode::Empty, visits.piece].contains(&piece);
        let Some(at) = known.filter(|&at| same(&self.visits[at])) else {
            known.map(|at| self.visits.swap_remove(at));
            if piece != PieceCode::Empty {
                let new =
                    Visits { field, piece, first: now, came: now, left: None, times: 0, away: 0, unsteady: false };
                self.visits.push(new);
            }
            return false;
        };
        let visits = &mut self.visits[at];
        if piece != PieceCode::Empty {
            if let Some(left) = visits.left.take() {
                (visits.came, visits.away) = (now, visits.away.max(now.since(left)));
            }
        } else if visits.left.is_none() {
            if now.since(visits.came) >= STOOD_MS {
                self.visits.swap_remove(at);
                return false;
            }
            visits.left = Some(now);
            visits.times += 1;
            visits.unsteady |= visits.times >= TIMES && now.since(visits.first) >= HAND_MS;
        }
        visits.unsteady
    }

    /// The fields of a dump, with the unsteady pieces that it does not show.
    pub(crate) fn with_unsteady(&self, mut fields: Fields) -> Fields {
        for visits in self.visits.iter().filter(|visits| visits.unsteady) {
            let shown = &mut fields[visits.field.index()];
            if *shown == PieceCode::Empty {
                *shown = visits.piece;
            }
        }
        fields
    }

    /// The fields with an unsteady piece.
    pub(crate) fn fields(&self, now: Timestamp) -> impl Iterator<Item = Field> {
        self.visits.iter().filter(move |visits| visits.unsteady && visits.go_on(now)).map(|visits| visits.field)
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: PieceCode = PieceCode::Empty;
    const PAWN: PieceCode = PieceCode::WhitePawn;

    fn field(index: u8) -> Field {
        Field::new(index).unwrap()
    }

    /// What of these changes of one field is told on: the piece, when it came and when it went.
    fn told(unsteady: &mut Unsteady, at: impl IntoIterator<Item = (u64, PieceCode)>) -> Vec<(u64, PieceCode)> {
        let mut told = Vec::new();
        for (ms, piece) in at {
            let now = Timestamp::from_ms(ms);
            told.extend(unsteady.gone(now, Some((field(36), piece))).into_iter().map(|_| (ms, EMPTY)));
            if !unsteady.explains(now, field(36), piece) {
                told.push((ms, piece));
            }
        }
        told
    }

    fn every(ms: u64, pieces: &[PieceCode]) -> impl Iterator<Item = (u64, PieceCode)> {
        (0..).step_by(usize::try_from(ms).unwrap()).zip(pieces.iter().copied())
    }

    fn unsteady_at(unsteady: &Unsteady, ms: u64) -> usize {
        unsteady.fields(Timestamp::from_ms(ms)).count()
    }

    #[test]
    fn a_piece_that_is_read_now_and_then_stands_there_until_it_shows_elsewhere() {
        let mut unsteady = Unsteady::default();
        let read = [(0, PAWN), (130, EMPTY), (4_400, PAWN), (4_530, EMPTY), (4_900, PAWN), (5_030, EMPTY)];
        assert_eq!(told(&mut unsteady, read), read[..5], "it stands there from the third visit on");
        assert_eq!(told(&mut unsteady, [(12_000, PAWN), (12_130, EMPTY)]), []);
        let mut dump = [EMPTY; 64];
        assert_eq!(unsteady.with_unsteady(dump)[36], PAWN);
        dump[36] = PieceCode::BlackKnight;
        assert_eq!(unsteady.with_unsteady(dump)[36], PieceCode::BlackKnight, "it was taken");
        let gone = unsteady.gone(Timestamp::from_ms(13_000), Some((field(44), PAWN)));
        assert_eq!((gone, unsteady_at(&unsteady, 13_000)), (vec![field(36)], 0));
    }

    #[test]
    fn a_piece_that_is_away_for_longer_than_ever_has_gone() {
        let mut unsteady = Unsteady::default();
        told(&mut unsteady, every(400, &[PAWN, EMPTY].repeat(6)));
        let gone = |unsteady: &mut Unsteady, ms| unsteady.gone(Timestamp::from_ms(ms), None).len();
        assert_eq!((gone(&mut unsteady, 7_000), gone(&mut unsteady, 7_500), gone(&mut unsteady, 7_600)), (0, 1, 0));
    }

    #[test]
    fn a_person_is_told_until_the_piece_stands_well() {
        let mut unsteady = Unsteady::default();
        told(&mut unsteady, every(230, &[PAWN, EMPTY].repeat(10)));
        told(&mut unsteady, [(4_600, PAWN)]);
        assert_eq!((unsteady_at(&unsteady, 60_000), unsteady_at(&unsteady, 65_000)), (1, 0));
        assert_eq!(told(&mut unsteady, [(70_000, EMPTY)]), [(70_000, EMPTY)], "it was lifted");
    }

    #[test]
    fn hands_are_told_as_they_are() {
        for (ms, pieces) in [
            (900, [PAWN, EMPTY].repeat(20)),
            (200, [PAWN, PieceCode::BlackPawn].repeat(20)),
            (200, [PAWN, EMPTY].repeat(7)),
        ] {
            let changes: Vec<_> = every(ms, &pieces).collect();
            assert_eq!(told(&mut Unsteady::default(), changes.clone()), changes, "every {ms} ms");
        }
    }
}
