//! Comments, variation names and opening codes that stay in force from record to record of a game (EPD standard, 6.5, 6.13,
//! 6.17 and 6.32).

use super::opcode::register;
use super::operand::Operand;
use super::record::Record;

/// The values in force; all empty at the beginning of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Registers {
    /// Comments, `c0` first.
    pub comments: [Option<String>; 10],
    /// Variation names, `v0` first.
    pub variations: [Option<String>; 10],
    /// Code in the *Encyclopedia of Chess Openings*.
    pub eco: Option<String>,
    /// Code of *New In Chess*.
    pub nic: Option<String>,
}

impl Registers {
    /// Applies a record's operations from left to right. A comment or variation name sets its own value and clears those with
    /// a higher number.
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
                    let mut own_and_higher = bank.iter_mut().skip(rank);
                    if let Some(own) = own_and_higher.next() {
                        *own = value;
                    }
                    own_and_higher.for_each(|register| *register = None);
                }
                _ => {}
            }
        }
    }
}
