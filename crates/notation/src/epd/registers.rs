//! What comments, variation names and opening codes mean to somebody who goes through a game's
//! records one after another (EPD standard, 6.5, 6.13, 6.17 and 6.32).

use super::opcode::register;
use super::{Operand, Record};

/// The string registers; all empty at the beginning of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Registers {
    /// Comments by rank, `c0` first.
    pub comments: [Option<String>; 10],
    /// Variation names by rank, `v0` first.
    pub variations: [Option<String>; 10],
    /// Code in the *Encyclopedia of Chess Openings*.
    pub eco: Option<String>,
    /// Code of *New In Chess*.
    pub nic: Option<String>,
}

impl Registers {
    /// Takes a record's operations in, from left to right: a comment or name empties its own register
    /// and all of lower rank before it sets its own.
    pub fn apply(&mut self, record: &Record) {
        for (opcode, operands) in record.operations() {
            let value = match operands {
                [Operand::Text(text)] => Some(text.clone()),
                _ => None,
            };
            match (opcode, register(opcode)) {
                ("eco", _) => self.eco = value,
                ("nic", _) => self.nic = value,
                (_, Some((family, rank))) => {
                    let bank = if family == 'c' { &mut self.comments } else { &mut self.variations };
                    let mut lower = bank.iter_mut().skip(rank);
                    if let Some(own) = lower.next() {
                        *own = value;
                    }
                    lower.for_each(|register| *register = None);
                }
                _ => {}
            }
        }
    }
}
