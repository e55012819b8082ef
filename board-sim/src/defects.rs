//! Defects of a board and of its line, applied to each message that the board sends.
//!
//! Knows messages of the wire and chance. Must not know chess, which game is played, or real time: the faults of ports and
//! plugs are in `faults`.

use dgt_protocol::{EventLog, Field, Fields, Message, PieceCode};
use fastrand::Rng;

/// What is wrong with the board or the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Defect {
    /// Nothing.
    #[default]
    None,
    /// The line damages some messages.
    Line {
        /// Damaged messages in a thousand; of [`LineFault::Any`], of each of the four kinds.
        per_mille: u32,
        /// The damage.
        fault: LineFault,
    },
    /// A square always reports to be empty (docs/board-behaviour.md, 10.6).
    DeadSquare,
    /// A piece on one square is also reported on the square beside it while that one is empty
    /// (docs/board-behaviour.md, 10.6).
    Crosstalk,
    /// A badly placed piece comes and goes with every scan, now and then for some seconds
    /// (docs/board-behaviour.md, 2.4).
    Flicker {
        /// It is missing in dumps too, between two changes.
        in_dumps: bool,
    },
    /// Now and then a lifted piece is still reported, in dumps too, until some more squares have changed
    /// (docs/board-behaviour.md, 10.10).
    Ghost,
    /// The board sends its log now and then unasked (docs/board-behaviour.md, 10.5).
    UnaskedLog,
    /// Now and then the line stands still for up to so many messages, which then arrive at once, as from a serial server whose
    /// wireless network stopped.
    StandsStill {
        /// At most so many messages wait.
        messages: u32,
    },
    /// The clock reports now and then that it is absent, or all zeros (docs/board-behaviour.md, 9.1 and 9.4).
    NoisyClock,
}

/// What the line does to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// It is lost, damaged, repeated, or overtaken by the next.
    Any,
    /// It is overtaken by the next.
    Overtaken,
    /// Its end is lost.
    Cut,
    /// Other bytes come before it.
    Noise,
}

/// One board's defects, decided by a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defects {
    defect: Defect,
    rng: Rng,
    square: Field,
    /// What really stands there.
    piece: PieceCode,
    flickers: u32,
    /// The square beside it, for crosstalk.
    beside: Field,
    /// What really stands on each field.
    shown: Fields,
    /// The ghost, and for how many more changes it is reported.
    ghost: Option<(PieceCode, u32)>,
    held_back: Option<Vec<u8>>,
    /// Messages that wait, and how many more will.
    waiting: (Vec<Vec<u8>>, u32),
}

impl Defects {
    /// The defects of this seed.
    pub fn new(defect: Defect, seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let number = rng.u8(0..64);
        let square = Field::all().nth(usize::from(number)).or_else(|| Field::new(0));
        let square = square.unwrap_or_else(|| unreachable!("field 0 exists"));
        let beside = Field::new(number ^ if seed.is_multiple_of(2) { 1 } else { 8 }).unwrap_or(square);
        Self {
            defect,
            rng,
            square,
            beside,
            piece: PieceCode::Empty,
            flickers: 0,
            shown: [PieceCode::Empty; 64],
            ghost: None,
            held_back: None,
            waiting: (Vec::new(), 0),
        }
    }

    /// The square concerned, as the wire counts it.
    pub fn square(&self) -> Field {
        self.square
    }

    /// With crosstalk: the square beside it that reports its piece too.
    pub fn beside(&self) -> Field {
        self.beside
    }

    /// The lifted piece that is still reported, and where.
    pub fn ghost(&self) -> Option<(Field, PieceCode)> {
        self.ghost.map(|(piece, _)| (self.square, piece))
    }

    /// What arrives of a message that was sent.
    pub fn pass(&mut self, message: Vec<u8>) -> Vec<Vec<u8>> {
        match self.defect {
            Defect::None => vec![message],
            Defect::Line { per_mille, fault } => self.line(message, per_mille, fault),
            Defect::DeadSquare => self.dead_square(message),
            Defect::Crosstalk => self.crosstalk(message),
            Defect::Flicker { in_dumps } => self.flicker(message, in_dumps),
            Defect::Ghost => self.ghost_piece(message),
            Defect::UnaskedLog => self.unasked_log(message),
            Defect::StandsStill { messages } => self.stands_still(message, messages),
            Defect::NoisyClock => self.noisy_clock(message),
        }
    }

    fn line(&mut self, mut message: Vec<u8>, per_mille: u32, fault: LineFault) -> Vec<Vec<u8>> {
        let mut arriving: Vec<Vec<u8>> = Vec::new();
        let late = self.held_back.take();
        match (self.rng.u32(0..1_000) / per_mille.max(1), fault) {
            (0, LineFault::Any) => {}
            (1, LineFault::Any) => {
                if let Some(at) = self.rng.choice(0..message.len()) {
                    message[at] ^= 1 << self.rng.u32(0..8);
                }
                arriving.push(message);
            }
            (2, LineFault::Any) => arriving.extend([message.clone(), message]),
            (3, LineFault::Any) | (0, LineFault::Overtaken) => self.held_back = Some(message),
            (0, LineFault::Cut) => {
                message.truncate(self.rng.usize(0..message.len().max(1)));
                arriving.push(message);
            }
            (0, LineFault::Noise) => {
                let noise = (0..self.rng.usize(1..12)).map(|_| self.rng.u8(..)).collect();
                arriving.extend([noise, message]);
            }
            _ => arriving.push(message),
        }
        arriving.extend(late);
        arriving
    }

    fn dead_square(&mut self, message: Vec<u8>) -> Vec<Vec<u8>> {
        match Message::decode(&message) {
            Ok(Message::FieldUpdate { field, .. }) if field == self.square => Vec::new(),
            Ok(Message::BoardDump(mut fields)) => {
                fields[self.square.index()] = PieceCode::Empty;
                vec![Message::BoardDump(fields).encode()]
            }
            _ => vec![message],
        }
    }

    fn crosstalk(&mut self, message: Vec<u8>) -> Vec<Vec<u8>> {
        let (square, beside) = (self.square.index(), self.beside.index());
        let reported = |shown: &Fields| if shown[beside] == PieceCode::Empty { shown[square] } else { shown[beside] };
        let before = reported(&self.shown);
        match Message::decode(&message) {
            Ok(Message::FieldUpdate { field, piece }) => {
                self.shown[field.index()] = piece;
                let after = reported(&self.shown);
                let change =
                    (after != before).then(|| Message::FieldUpdate { field: self.beside, piece: after }.encode());
                let own = Some(message).filter(|_| field != self.beside);
                own.into_iter().chain(change).collect()
            }
            Ok(Message::BoardDump(mut fields)) => {
                self.shown = fields;
                fields[beside] = reported(&self.shown);
                vec![Message::BoardDump(fields).encode()]
            }
            _ => vec![message],
        }
    }

    fn flicker(&mut self, message: Vec<u8>, in_dumps: bool) -> Vec<Vec<u8>> {
        let mut dump = None;
        match Message::decode(&message) {
            Ok(Message::FieldUpdate { field, piece }) if field == self.square => self.piece = piece,
            Ok(Message::BoardDump(fields)) => {
                self.piece = fields[self.square.index()];
                dump = Some(fields).filter(|_| in_dumps);
            }
            _ => {}
        }
        if self.flickers == 0 && self.rng.u32(0..40) == 0 {
            self.flickers = self.rng.u32(2..12);
        }
        if self.flickers == 0 || self.piece == PieceCode::Empty {
            return vec![message];
        }
        self.flickers -= 1;
        let change = |piece| Message::FieldUpdate { field: self.square, piece }.encode();
        let (gone, back) = (change(PieceCode::Empty), change(self.piece));
        let Some(mut fields) = dump else { return vec![message, gone, back] };
        fields[self.square.index()] = PieceCode::Empty;
        vec![gone, Message::BoardDump(fields).encode(), back]
    }

    fn ghost_piece(&mut self, message: Vec<u8>) -> Vec<Vec<u8>> {
        match Message::decode(&message) {
            Ok(Message::FieldUpdate { field, piece }) => {
                let was = std::mem::replace(&mut self.shown[field.index()], piece);
                let (ghost, more) = self.ghost.take().unwrap_or((PieceCode::Empty, 0));
                if field == self.square || ghost == PieceCode::Empty {
                    if piece == PieceCode::Empty && was != piece && self.rng.u32(0..60) == 0 {
                        self.square = field;
                        self.ghost = Some((was, self.rng.u32(2..8)));
                        return Vec::new();
                    }
                } else if more == 0 {
                    let gone = Message::FieldUpdate { field: self.square, piece: PieceCode::Empty };
                    return vec![gone.encode(), message];
                } else {
                    self.ghost = Some((ghost, more - 1));
                }
                vec![message]
            }
            Ok(Message::BoardDump(mut fields)) => {
                self.shown = fields;
                if let Some((ghost, _)) = self.ghost {
                    fields[self.square.index()] = ghost;
                }
                vec![Message::BoardDump(fields).encode()]
            }
            _ => vec![message],
        }
    }

    fn unasked_log(&mut self, message: Vec<u8>) -> Vec<Vec<u8>> {
        const NOTHING: [u8; 256] = [0x7f; 256];
        let log = (self.rng.u32(0..100) == 0).then(|| Message::Log(EventLog::from_bytes(&NOTHING)).encode());
        log.into_iter().chain([message]).collect()
    }

    fn stands_still(&mut self, message: Vec<u8>, messages: u32) -> Vec<Vec<u8>> {
        let (waiting, more) = &mut self.waiting;
        waiting.push(message);
        if *more > 0 {
            *more -= 1;
        } else if self.rng.u32(0..40) == 0 {
            *more = self.rng.u32(1..=messages.max(1));
        }
        if *more > 0 { Vec::new() } else { std::mem::take(waiting) }
    }

    fn noisy_clock(&mut self, message: Vec<u8>) -> Vec<Vec<u8>> {
        const NO_CLOCK: [u8; 10] = [0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x20];
        const ZEROS: [u8; 10] = [0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0];
        let is_clock = message.first() == Some(&0x8d);
        match self.rng.u32(0..60) {
            0 if is_clock => vec![ZEROS.to_vec(), message],
            1 if is_clock => vec![NO_CLOCK.to_vec(), message],
            _ => vec![message],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn updates(count: u8) -> Vec<Vec<u8>> {
        (0..count)
            .filter_map(|n| Field::new(n % 64))
            .map(|field| Message::FieldUpdate { field, piece: PieceCode::WhitePawn }.encode())
            .collect()
    }

    #[test]
    fn a_dead_square_is_never_seen_occupied() {
        let mut defects = Defects::new(Defect::DeadSquare, 7);
        let dump = Message::BoardDump([PieceCode::WhiteRook; 64]).encode();
        let arrived: Vec<_> = updates(64).into_iter().chain([dump]).flat_map(|m| defects.pass(m)).collect();
        assert_eq!(arrived.len(), 64);
        let Some(Ok(Message::BoardDump(fields))) = arrived.last().map(|m| Message::decode(m)) else {
            panic!("the dump arrives")
        };
        assert_eq!(fields.iter().filter(|piece| **piece == PieceCode::Empty).count(), 1);
    }

    #[test]
    fn a_bad_line_loses_damages_repeats_and_reorders_by_its_seed() {
        let run = |seed| {
            let mut defects = Defects::new(Defect::Line { per_mille: 100, fault: LineFault::Any }, seed);
            updates(250).into_iter().map(|m| defects.pass(m)).collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        let counts = [0, 1, 2].map(|n| run(1).iter().filter(|arrived| arrived.len() == n).count());
        assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
    }
}
