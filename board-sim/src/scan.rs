//! How a board sees its pieces: the squares are sampled one after another, again and again.
//!
//! Knows the scan (docs/protocol.md, 9): a change is seen when its field is sampled, so two quick changes of one field
//! are one, and a piece may be seen at its new place before it is missed at the old one. Must not know chess or the
//! wire.

use std::collections::BTreeSet;

use dgt_protocol::{Field, Fields, PieceCode};

use crate::model::{ScanOrder, rows};

/// The 64 sensors and what they have reported. Times are milliseconds of hall time.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    period_ms: u64,
    order: ScanOrder,
    /// What stands on the board.
    real: Fields,
    /// What the scan has found so far.
    seen: Fields,
    /// The next samples of fields that were touched, in the order of time.
    due: BTreeSet<(u64, Field)>,
}

impl Scanner {
    /// An empty board whose full scan takes `period_ms`, 200 to 250 on real boards. Field 0 is sampled at multiples of the
    /// period, the others in rows evenly after it.
    pub(crate) fn new(period_ms: u64) -> Self {
        Self {
            period_ms: period_ms.max(1),
            order: rows(),
            real: [PieceCode::Empty; 64],
            seen: [PieceCode::Empty; 64],
            due: BTreeSet::new(),
        }
    }

    /// From now on the fields are sampled in this order.
    pub(crate) fn set_order(&mut self, order: ScanOrder) {
        self.order = order;
    }

    /// The time of a full scan in milliseconds.
    pub(crate) fn period_ms(&self) -> u64 {
        self.period_ms
    }

    /// A piece is put on the field or leaves it.
    pub(crate) fn touch(&mut self, now_ms: u64, field: Field, piece: PieceCode) {
        if let Some(real) = self.real.get_mut(field.index()) {
            *real = piece;
            self.due.insert((self.next_sample(now_ms, field), field));
        }
    }

    /// When the next sample of a touched field is due.
    pub(crate) fn next_due(&self) -> Option<u64> {
        self.due.first().map(|&(time_ms, _)| time_ms)
    }

    /// Takes the next change found up to `now_ms`: its time, field and new content. Call until `None`.
    pub(crate) fn next_change(&mut self, now_ms: u64) -> Option<(u64, Field, PieceCode)> {
        while let Some(&(time_ms, field)) = self.due.first().filter(|(time_ms, _)| *time_ms <= now_ms) {
            self.due.pop_first();
            let real = self.real[field.index()];
            let seen = &mut self.seen[field.index()];
            if *seen != real {
                *seen = real;
                return Some((time_ms, field, real));
            }
        }
        None
    }

    /// Power on: the first scan finds everything at once.
    pub(crate) fn power_up(&mut self) {
        self.seen = self.real;
        self.due.clear();
    }

    /// What the scan has found so far: the content of a dump.
    pub(crate) fn seen(&self) -> &Fields {
        &self.seen
    }

    fn next_sample(&self, now_ms: u64, field: Field) -> u64 {
        let offset = u64::from(self.order[field.index()]) * self.period_ms / 64;
        let scans = (now_ms + self.period_ms - offset) / self.period_ms;
        scans * self.period_ms + offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const E2: u8 = 52;
    const E4: u8 = 36;

    fn field(number: u8) -> Field {
        Field::new(number).expect("a field number")
    }

    fn changes(scanner: &mut Scanner, now_ms: u64) -> Vec<(u8, PieceCode)> {
        std::iter::from_fn(|| scanner.next_change(now_ms)).map(|(_, field, piece)| (field.number(), piece)).collect()
    }

    #[test]
    fn a_fast_move_up_the_board_is_placed_before_it_is_lifted() {
        let mut scanner = Scanner::new(256);
        scanner.touch(0, field(E2), PieceCode::WhitePawn);
        scanner.power_up();
        // Both touches between two samples; field 36 comes before 52 in the scan.
        scanner.touch(10, field(E2), PieceCode::Empty);
        scanner.touch(100, field(E4), PieceCode::WhitePawn);
        let found = changes(&mut scanner, 1_000);
        assert_eq!(found, [(E4, PieceCode::WhitePawn), (E2, PieceCode::Empty)]);
    }

    #[test]
    fn a_victim_replaced_within_a_scan_is_never_seen_missing() {
        let mut scanner = Scanner::new(200);
        scanner.touch(0, field(E4), PieceCode::BlackKnight);
        scanner.power_up();
        scanner.touch(410, field(E4), PieceCode::Empty);
        scanner.touch(500, field(E4), PieceCode::WhitePawn);
        assert_eq!(scanner.next_due(), Some(512));
        assert_eq!(changes(&mut scanner, 511), []);
        assert_eq!(changes(&mut scanner, 512), [(E4, PieceCode::WhitePawn)]);
        assert_eq!(changes(&mut scanner, 5_000), []);
    }

    #[test]
    fn a_change_is_seen_within_one_period() {
        let period_ms = 233;
        for now_ms in (10_000..11_000).step_by(7) {
            for tested in Field::all() {
                let mut scanner = Scanner::new(period_ms);
                scanner.touch(now_ms, tested, PieceCode::WhiteKing);
                let seen_ms = scanner.next_due().expect("a sample is due");
                assert!(seen_ms > now_ms && seen_ms <= now_ms + period_ms, "{tested:?}: {now_ms} {seen_ms}");
            }
        }
    }
}
