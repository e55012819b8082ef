//! One record: a position and its operations, always sound and always in order.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use shakmaty::{Chess, Position};

use super::Reason;
use super::opcode::{Shape, is_identifier, is_opcode, shape};
use super::operand::{MAX_STRING_BYTES, Operand};
use crate::fen::{Style, write_four_fields};
use crate::play::{MoveError, excerpt, find_move, write_move};

/// Longest record in bytes, its line end not counted (EPD standard, 4).
pub const MAX_RECORD_BYTES: usize = 4096;

/// A position with operations. Whatever a record holds is of the opcode's types and ranges, its
/// moves are legal, sets are sorted, and its canonical form fits [`MAX_RECORD_BYTES`].
///
/// [`fmt::Display`] writes the canonical form: fields, operations and operands with one space
/// between them, operations in ASCII order of their opcodes, the en passant square by the standard's
/// rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    position: Chess,
    operations: BTreeMap<String, Vec<Operand>>,
}

impl Record {
    /// A position without operations. Its halfmove clock and fullmove number do not count: they are
    /// the operations `hmvc` and `fmvn`.
    pub fn new(position: Chess) -> Self {
        Self { position, operations: BTreeMap::new() }
    }

    /// The position.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The position as FEN, with the counters that `hmvc` and `fmvn` tell, else 0 and 1.
    pub fn fen(&self, style: Style) -> String {
        let (half, full) = (self.integer("hmvc").unwrap_or(0), self.integer("fmvn").unwrap_or(1));
        format!("{} {half} {full}", write_four_fields(&self.position, style))
    }

    /// All operations in ASCII order.
    pub fn operations(&self) -> impl Iterator<Item = (&str, &[Operand])> {
        self.operations.iter().map(|(opcode, operands)| (opcode.as_str(), operands.as_slice()))
    }

    /// The operands of an operation; `None` if it is not there.
    pub fn get(&self, opcode: &str) -> Option<&[Operand]> {
        self.operations.get(opcode).map(Vec::as_slice)
    }

    /// The moves of an operation.
    pub fn moves(&self, opcode: &str) -> impl Iterator<Item = &str> {
        self.get(opcode).unwrap_or_default().iter().filter_map(|operand| match operand {
            Operand::Move(san) => Some(san.as_str()),
            _ => None,
        })
    }

    /// The number of an operation that takes one.
    pub fn integer(&self, opcode: &str) -> Option<i64> {
        match self.get(opcode)? {
            [Operand::Integer(number)] => Some(*number),
            _ => None,
        }
    }

    /// The string of an operation that takes one.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        match self.get(opcode)? {
            [Operand::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Sets an operation, in place of an earlier one. Moves may be given in any form that
    /// [`find_move`] understands; sets are sorted.
    ///
    /// # Errors
    /// The operands are not what the opcode takes, or do not go with the other operations. The
    /// record is then as it was.
    pub fn set(&mut self, opcode: &str, operands: Vec<Operand>) -> Result<(), Reason> {
        let before = self.operations.get(opcode).cloned();
        let set = self
            .set_alone(opcode, operands)
            .map_err(|(_, reason)| reason)
            .and_then(|()| self.check().map_err(|(_, reason)| reason));
        if set.is_err() {
            match before {
                Some(operands) => self.operations.insert(opcode.to_owned(), operands),
                None => self.operations.remove(opcode),
            };
        }
        set
    }

    /// Takes an operation away; returns its operands.
    ///
    /// # Errors
    /// Another operation needs it (a draw offer its move). The record is then as it was.
    pub fn remove(&mut self, opcode: &str) -> Result<Option<Vec<Operand>>, Reason> {
        let Some(operands) = self.operations.remove(opcode) else {
            return Ok(None);
        };
        if let Err((_, reason)) = self.check() {
            self.operations.insert(opcode.to_owned(), operands);
            return Err(reason);
        }
        Ok(Some(operands))
    }

    /// The canonical form with another rule for en passant or other castling letters.
    pub fn write(&self, style: Style) -> String {
        let mut text = write_four_fields(&self.position, style);
        for (opcode, operands) in &self.operations {
            let _ = write!(text, " {opcode}");
            for operand in operands {
                let _ = write!(text, " {operand}");
            }
            text.push(';');
        }
        text
    }

    /// Sets an operation without regard to the others. An error tells the operand that is wrong,
    /// if it is one.
    pub(super) fn set_alone(
        &mut self,
        opcode: &str,
        mut operands: Vec<Operand>,
    ) -> Result<(), (Option<usize>, Reason)> {
        if !is_opcode(opcode) {
            return Err((None, Reason::NotAnOpcode(excerpt(opcode))));
        }
        let shape = shape(opcode);
        check_count(opcode, shape, operands.len()).map_err(|reason| (None, reason))?;
        self.canonical_moves(shape, &mut operands).map_err(|(index, wrong)| (Some(index), wrong.into()))?;
        for (index, operand) in operands.iter().enumerate() {
            check_operand(opcode, shape, index, operand).map_err(|reason| (Some(index), reason))?;
        }
        match shape {
            Shape::MoveSet => {
                operands.sort();
                operands.dedup();
            }
            Shape::TagPairs => operands = sorted_pairs(operands).map_err(|tag| (None, Reason::RepeatedTag(tag)))?,
            _ => {}
        }
        self.operations.insert(opcode.to_owned(), operands);
        Ok(())
    }

    /// What operations ask of each other. An error tells the opcode that is wrong.
    pub(super) fn check(&self) -> Result<(), (&'static str, Reason)> {
        for (one, other) in [
            ("draw_reject", "draw_accept"),
            ("draw_offer", "draw_claim"),
            ("resign", "draw_accept"),
            ("resign", "draw_claim"),
            ("resign", "draw_offer"),
            ("resign", "draw_reject"),
        ] {
            if self.operations.contains_key(one) && self.operations.contains_key(other) {
                return Err((one, Reason::Excluded(one, other)));
            }
        }
        for opcode in ["draw_claim", "draw_offer"] {
            if self.operations.contains_key(opcode) && !self.operations.contains_key("sm") {
                return Err((opcode, Reason::NeedsMove(opcode)));
            }
        }
        for (single, line) in [("pm", "pv"), ("sm", "sv")] {
            if let (Some(one), Some(first)) = (self.moves(single).next(), self.moves(line).next())
                && one != first
            {
                return Err((line, Reason::FirstMove(single, line)));
            }
        }
        if self.to_string().len() > MAX_RECORD_BYTES { Err(("", Reason::TooLong)) } else { Ok(()) }
    }

    /// Finds the moves among the operands and writes them as the standard does.
    fn canonical_moves(&self, shape: Shape, operands: &mut [Operand]) -> Result<(), (usize, MoveError)> {
        if !matches!(shape, Shape::Move | Shape::MoveSet | Shape::Variation) {
            return Ok(());
        }
        let mut position = self.position.clone();
        for (index, operand) in operands.iter_mut().enumerate() {
            if let Operand::Move(text) | Operand::Word(text) = operand {
                let m = find_move(&position, text).map_err(|wrong| (index, wrong))?;
                *operand = Operand::Move(write_move(&position, m));
                if shape == Shape::Variation {
                    position.play_unchecked(m);
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.write(Style::STANDARD))
    }
}

fn check_count(opcode: &str, shape: Shape, count: usize) -> Result<(), Reason> {
    let (sound, takes) = match shape {
        Shape::Nothing => (count == 0, "no operand"),
        Shape::Move => (count == 1, "one move"),
        Shape::Text => (count == 1, "one string"),
        Shape::OptionalText => (count <= 1, "one string or nothing"),
        Shape::AddressAndName => (count == 2, "two strings, address and name"),
        Shape::Integer(..) => (count == 1, "one number"),
        Shape::Clocks => (count == 2, "two times, White’s and Black’s"),
        Shape::Timestamp => (count == 2, "a date and a time of day"),
        Shape::TagPairs => (count.is_multiple_of(2), "pairs of tag name and value"),
        Shape::Choice(_) => (count == 1, "one word"),
        Shape::MoveSet | Shape::Variation | Shape::Anything => (true, ""),
    };
    if sound { Ok(()) } else { Err(Reason::Count { opcode: opcode.to_owned(), takes }) }
}

/// Whether an operand is of the type and in the range that its place asks for.
fn check_operand(opcode: &str, shape: Shape, index: usize, operand: &Operand) -> Result<(), Reason> {
    let wanted = wanted(shape, index);
    match (shape, operand) {
        (Shape::MoveSet | Shape::Variation | Shape::Move, Operand::Move(_)) | (Shape::Clocks, Operand::Clock(_)) => {
            Ok(())
        }
        (Shape::Timestamp, Operand::Date(_)) if index == 0 => Ok(()),
        (Shape::Timestamp, Operand::Time(_)) if index == 1 => Ok(()),
        (Shape::Integer(least, most), Operand::Integer(value)) => {
            let range = || Reason::Range { opcode: opcode.to_owned(), value: *value, least, most };
            if (least..=most).contains(value) { Ok(()) } else { Err(range()) }
        }
        (Shape::TagPairs, Operand::Word(name)) if index.is_multiple_of(2) && is_identifier_of_tag(name) => Ok(()),
        (Shape::TagPairs, Operand::Text(text)) if !index.is_multiple_of(2) => check_text(text),
        (Shape::Text | Shape::OptionalText | Shape::AddressAndName | Shape::Anything, Operand::Text(text)) => {
            check_text(text)
        }
        (Shape::Choice(choices), Operand::Word(word)) => {
            let unknown =
                || Reason::Choice { opcode: opcode.to_owned(), text: excerpt(word), choices: choices.join(", ") };
            if choices.contains(&word.as_str()) { Ok(()) } else { Err(unknown()) }
        }
        (Shape::Anything, Operand::Word(word)) if is_word(word) => Ok(()),
        (Shape::Anything, Operand::Integer(_) | Operand::Date(_) | Operand::Time(_) | Operand::Clock(_)) => Ok(()),
        _ => Err(Reason::Type { text: excerpt(&operand.to_string()), wanted }),
    }
}

/// What an operand at this place is, in words.
pub(super) fn wanted(shape: Shape, index: usize) -> &'static str {
    match shape {
        Shape::MoveSet | Shape::Variation | Shape::Move => "move",
        Shape::Text | Shape::OptionalText | Shape::AddressAndName => "string in quotes",
        Shape::Integer(..) => "whole number",
        Shape::Clocks => "amount of time, ddd:hh:mm:ss",
        Shape::Timestamp if index == 0 => "date, yyyy.mm.dd",
        Shape::Timestamp => "time of day, hh:mm:ss",
        Shape::TagPairs if index.is_multiple_of(2) => "tag name",
        Shape::TagPairs => "tag value in quotes",
        Shape::Choice(_) | Shape::Nothing | Shape::Anything => "word",
    }
}

/// The standard makes a tag name an identifier; the names of its own tags are sometimes longer.
fn is_identifier_of_tag(name: &str) -> bool {
    is_identifier(name) || crate::pgn::is_tag_name(name) && name.len() <= MAX_STRING_BYTES
}

/// Whether a word can stand without quotes.
pub(super) fn is_word(word: &str) -> bool {
    !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | ';'))
}

fn check_text(text: &str) -> Result<(), Reason> {
    match text.chars().find(|&c| c == '"' || c.is_control()) {
        Some('"') => Err(Reason::QuoteInString),
        Some(c) => Err(Reason::NotPrinting(c)),
        None if text.len() > MAX_STRING_BYTES => Err(Reason::LongString),
        None => Ok(()),
    }
}

/// Pairs in order of their names; a name that is there twice is the error.
fn sorted_pairs(operands: Vec<Operand>) -> Result<Vec<Operand>, String> {
    let mut pairs = BTreeMap::new();
    let mut operands = operands.into_iter();
    while let (Some(name), Some(value)) = (operands.next(), operands.next()) {
        let tag = name.to_string();
        if pairs.insert(name, value).is_some() {
            return Err(tag);
        }
    }
    Ok(pairs.into_iter().flat_map(|(name, value)| [name, value]).collect())
}
