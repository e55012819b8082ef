//! Finds fields whose piece comes and goes at the speed of the scan: it stands on a border, or its coil is weak
//! (docs/board-behaviour.md, 2.4).
//!
//! Recognition works around such a piece; a person can put it right. Must not know which game is played.

use dgt_protocol::{Field, PieceCode};

use crate::time::Timestamp;

/// Longest time between two changes of a field that no hand can make, in ms: two to three scans of the board
/// (docs/protocol.md, 9).
const FAST_MS: u64 = 700;
/// Fast changes in a row before a field counts as unsteady: the piece has come four times.
const FAST_CHANGES: u8 = 8;
/// How long after the last fast change the field is still reported, in ms.
const REPORT_MS: u64 = 60_000;

/// The recent changes of all fields.
#[derive(Clone, Debug)]
pub(crate) struct Unsteady {
    fields: [RecentChanges; 64],
}

/// The recent changes of one field.
#[derive(Clone, Copy, Debug)]
struct RecentChanges {
    piece: PieceCode,
    fast: u8,
    last: Timestamp,
    told: Option<Timestamp>,
}

impl Default for Unsteady {
    fn default() -> Self {
        let never = RecentChanges { piece: PieceCode::Empty, fast: 0, last: Timestamp::ZERO, told: None };
        Self { fields: [never; 64] }
    }
}

impl Unsteady {
    /// A field reports a change.
    pub(crate) fn update(&mut self, now: Timestamp, field: Field, piece: PieceCode) {
        let changes = &mut self.fields[field.index()];
        let other = piece != PieceCode::Empty && piece != changes.piece;
        if other {
            (changes.piece, changes.told) = (piece, None);
        }
        let fast = !other && now.since(changes.last) <= FAST_MS;
        changes.fast = if fast { changes.fast.saturating_add(1) } else { 1 };
        changes.last = now;
        if changes.fast >= FAST_CHANGES {
            changes.told = Some(now);
        }
    }

    /// The fields that are unsteady at `now`.
    pub(crate) fn fields(&self, now: Timestamp) -> impl Iterator<Item = Field> {
        let recent = move |changes: &RecentChanges| changes.told.is_some_and(|told| now.since(told) < REPORT_MS);
        Field::all().filter(move |field| recent(&self.fields[field.index()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(unsteady: &mut Unsteady, from: u64, every: u64, codes: &[PieceCode]) {
        let field = Field::new(36).unwrap();
        for (at, &code) in (from..).step_by(usize::try_from(every).unwrap()).zip(codes) {
            unsteady.update(Timestamp::from_ms(at), field, code);
        }
    }

    fn told(unsteady: &Unsteady, at: u64) -> usize {
        unsteady.fields(Timestamp::from_ms(at)).count()
    }

    #[test]
    fn a_piece_on_a_border_is_told_until_it_stands_well_or_has_gone() {
        let flicker = [PieceCode::Empty, PieceCode::WhitePawn].repeat(5);
        let mut unsteady = Unsteady::default();
        changes(&mut unsteady, 0, 230, &flicker);
        assert_eq!((told(&unsteady, 3_000), told(&unsteady, 60_000), told(&unsteady, 63_000)), (1, 1, 0));
        changes(&mut unsteady, 100_000, 230, &flicker);
        changes(&mut unsteady, 110_000, 1, &[PieceCode::BlackKnight]);
        assert_eq!(told(&unsteady, 110_001), 0, "it was taken");
    }

    #[test]
    fn hands_are_not_told() {
        let mut unsteady = Unsteady::default();
        changes(&mut unsteady, 0, 900, &[PieceCode::Empty, PieceCode::WhitePawn].repeat(20));
        assert_eq!(told(&unsteady, 20_000), 0, "somebody thinks with the piece in the hand");
        changes(&mut unsteady, 40_000, 200, &[PieceCode::WhitePawn, PieceCode::BlackPawn].repeat(20));
        assert_eq!(told(&unsteady, 50_000), 0, "pieces are set up");
        changes(&mut unsteady, 60_000, 200, &[PieceCode::Empty, PieceCode::BlackPawn].repeat(3));
        assert_eq!(told(&unsteady, 63_000), 0, "adjusted three times");
    }
}
