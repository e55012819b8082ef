//! Fields on which one piece comes and goes at the speed of the scan: it stands on a border, or its coil is weak (behaviour
//! paper, 2.4).
//!
//! Recognition lives with it; a person can put the piece right. Knows fields, piece codes and time. Must not know which game
//! is played.

use dgt_protocol::{Field, PieceCode};

use crate::time::Timestamp;

/// Changes of one field that follow each other faster than this, in ms, are no hand's: two to three scans of the board
/// (protocol paper, 9).
const FAST_MS: u64 = 700;
/// So many of them, one after the other, are no accident: the piece came four times.
const MANY: u8 = 8;
/// It is told until the piece has stood for so long, in ms.
const CALM_MS: u64 = 60_000;

/// What the fields did lately.
#[derive(Clone, Debug)]
pub(crate) struct Unsteady {
    fields: [Comings; 64],
}

/// The comings and goings of one piece on one field.
#[derive(Clone, Copy, Debug)]
struct Comings {
    piece: PieceCode,
    fast: u8,
    last: Timestamp,
    told: Option<Timestamp>,
}

impl Default for Unsteady {
    fn default() -> Self {
        let never = Comings { piece: PieceCode::Empty, fast: 0, last: Timestamp::ZERO, told: None };
        Self { fields: [never; 64] }
    }
}

impl Unsteady {
    /// A field reports a change.
    pub(crate) fn update(&mut self, now: Timestamp, field: Field, piece: PieceCode) {
        let comings = &mut self.fields[field.index()];
        let other = piece != PieceCode::Empty && piece != comings.piece;
        if other {
            (comings.piece, comings.told) = (piece, None);
        }
        let fast = !other && now.since(comings.last) <= FAST_MS;
        comings.fast = if fast { comings.fast.saturating_add(1) } else { 1 };
        comings.last = now;
        if comings.fast >= MANY {
            comings.told = Some(now);
        }
    }

    /// The fields to tell a person of.
    pub(crate) fn fields(&self, now: Timestamp) -> impl Iterator<Item = Field> {
        let recent = move |comings: &Comings| comings.told.is_some_and(|told| now.since(told) < CALM_MS);
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
