//! One record: a position and its operations, always valid and always sorted.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use shakmaty::{Chess, Position};

use super::error::Reason;
use super::limits::{MAX_RECORD_BYTES, MAX_STRING_BYTES};
use super::opcode::{OperandType, is_identifier, is_opcode, operand_type};
use super::operand::Operand;
use crate::excerpt::excerpt;
use crate::fen::{Style, write_four_fields};
use crate::play::{MoveError, find_move, write_move};

/// A position with operations. Operands have the type and range of their opcode, moves are legal, sets are sorted, and the
/// canonical form is at most [`MAX_RECORD_BYTES`] long.
///
/// [`fmt::Display`] writes the canonical form: fields, operations and operands with one space between them, operations in
/// ASCII order of their opcodes, the en passant square by the standard's rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    position: Chess,
    operations: BTreeMap<String, Vec<Operand>>,
}

impl Record {
    /// A position without operations. Its halfmove clock and fullmove number are ignored: EPD holds them in the operations
    /// `hmvc` and `fmvn`.
    pub fn new(position: Chess) -> Self {
        Self { position, operations: BTreeMap::new() }
    }

    /// The position.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The position as FEN, with the counters of `hmvc` and `fmvn`, or 0 and 1 without them.
    pub fn fen(&self, style: Style) -> String {
        let (half, full) = (self.integer("hmvc").unwrap_or(0), self.integer("fmvn").unwrap_or(1));
        format!("{} {half} {full}", write_four_fields(&self.position, style))
    }

    /// All operations in ASCII order.
    pub fn operations(&self) -> impl Iterator<Item = (&str, &[Operand])> {
        self.operations.iter().map(|(opcode, operands)| (opcode.as_str(), operands.as_slice()))
    }

    /// The operands of an operation; `None` without it.
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

    /// Sets an operation and replaces an earlier one of that opcode. Moves may have any form that [`find_move`] accepts;
    /// sets are sorted.
    ///
    /// # Errors
    /// The operands do not fit the opcode or the other operations. The record is then unchanged.
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

    /// Removes an operation and returns its operands.
    ///
    /// # Errors
    /// Another operation needs it, such as a draw offer its move. The record is then unchanged.
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

    /// Sets an operation without checking it against the others. An error has the index of the wrong operand, if it is about
    /// one.
    pub(super) fn set_alone(
        &mut self,
        opcode: &str,
        mut operands: Vec<Operand>,
    ) -> Result<(), (Option<usize>, Reason)> {
        if !is_opcode(opcode) {
            return Err((None, Reason::NotAnOpcode(excerpt(opcode))));
        }
        let shape = operand_type(opcode);
        check_count(opcode, shape, operands.len()).map_err(|reason| (None, reason))?;
        self.canonical_moves(shape, &mut operands).map_err(|(index, error)| (Some(index), error.into()))?;
        for (index, operand) in operands.iter().enumerate() {
            check_operand(opcode, shape, index, operand).map_err(|reason| (Some(index), reason))?;
        }
        match shape {
            OperandType::MoveSet => {
                operands.sort();
                operands.dedup();
            }
            OperandType::TagPairs => {
                operands = sorted_pairs(operands).map_err(|tag| (None, Reason::RepeatedTag(tag)))?;
            }
            _ => {}
        }
        self.operations.insert(opcode.to_owned(), operands);
        Ok(())
    }

    /// Checks the operations against each other. An error has the opcode that is wrong.
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

    /// Brings the moves among the operands to standard algebraic notation.
    fn canonical_moves(&self, shape: OperandType, operands: &mut [Operand]) -> Result<(), (usize, MoveError)> {
        if !matches!(shape, OperandType::Move | OperandType::MoveSet | OperandType::Variation) {
            return Ok(());
        }
        let mut position = self.position.clone();
        for (index, operand) in operands.iter_mut().enumerate() {
            if let Operand::Move(text) | Operand::Word(text) = operand {
                let m = find_move(&position, text).map_err(|wrong| (index, wrong))?;
                *operand = Operand::Move(write_move(&position, m));
                if shape == OperandType::Variation {
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

fn check_count(opcode: &str, shape: OperandType, count: usize) -> Result<(), Reason> {
    let (valid, takes) = match shape {
        OperandType::Nothing => (count == 0, "no operands"),
        OperandType::Move => (count == 1, "one move"),
        OperandType::Text => (count == 1, "one string"),
        OperandType::OptionalText => (count <= 1, "at most one string"),
        OperandType::AddressAndName => (count == 2, "two strings, an address and a name"),
        OperandType::Integer(..) => (count == 1, "one number"),
        OperandType::Clocks => (count == 2, "two times, those of White and Black"),
        OperandType::Timestamp => (count == 2, "a date and a time of day"),
        OperandType::TagPairs => (count.is_multiple_of(2), "pairs of tag name and value"),
        OperandType::Choice(_) => (count == 1, "one word"),
        OperandType::MoveSet | OperandType::Variation | OperandType::Anything => (true, ""),
    };
    if valid { Ok(()) } else { Err(Reason::Count { opcode: opcode.to_owned(), takes }) }
}

/// Checks type and range of the operand at an index.
fn check_operand(opcode: &str, shape: OperandType, index: usize, operand: &Operand) -> Result<(), Reason> {
    let expected = expected_operand(shape, index);
    match (shape, operand) {
        (OperandType::MoveSet | OperandType::Variation | OperandType::Move, Operand::Move(_))
        | (OperandType::Clocks, Operand::Clock(_)) => Ok(()),
        (OperandType::Timestamp, Operand::Date(_)) if index == 0 => Ok(()),
        (OperandType::Timestamp, Operand::Time(_)) if index == 1 => Ok(()),
        (OperandType::Integer(least, most), Operand::Integer(value)) => {
            let range = || Reason::Range { opcode: opcode.to_owned(), value: *value, least, most };
            if (least..=most).contains(value) { Ok(()) } else { Err(range()) }
        }
        (OperandType::TagPairs, Operand::Word(name)) if index.is_multiple_of(2) && is_identifier_of_tag(name) => Ok(()),
        (OperandType::TagPairs, Operand::Text(text)) if !index.is_multiple_of(2) => check_text(text),
        (
            OperandType::Text | OperandType::OptionalText | OperandType::AddressAndName | OperandType::Anything,
            Operand::Text(text),
        ) => check_text(text),
        (OperandType::Choice(choices), Operand::Word(word)) => {
            let unknown =
                || Reason::Choice { opcode: opcode.to_owned(), text: excerpt(word), choices: choices.join(", ") };
            if choices.contains(&word.as_str()) { Ok(()) } else { Err(unknown()) }
        }
        (OperandType::Anything, Operand::Word(word)) if is_word(word) => Ok(()),
        (OperandType::Anything, Operand::Integer(_) | Operand::Date(_) | Operand::Time(_) | Operand::Clock(_)) => {
            Ok(())
        }
        _ => Err(Reason::Type { text: excerpt(&operand.to_string()), expected }),
    }
}

/// The kind of operand expected at an index, for error messages.
pub(super) fn expected_operand(shape: OperandType, index: usize) -> &'static str {
    match shape {
        OperandType::MoveSet | OperandType::Variation | OperandType::Move => "a move",
        OperandType::Text | OperandType::OptionalText | OperandType::AddressAndName => "a string in quotes",
        OperandType::Integer(..) => "a whole number",
        OperandType::Clocks => "an amount of time, ddd:hh:mm:ss",
        OperandType::Timestamp if index == 0 => "a date, yyyy.mm.dd",
        OperandType::Timestamp => "a time of day, hh:mm:ss",
        OperandType::TagPairs if index.is_multiple_of(2) => "a tag name",
        OperandType::TagPairs => "a tag value in quotes",
        OperandType::Choice(_) | OperandType::Nothing | OperandType::Anything => "a word",
    }
}

/// The standard says that a tag name is an identifier, but some of its own tag names are longer.
fn is_identifier_of_tag(name: &str) -> bool {
    is_identifier(name) || crate::pgn::is_tag_name(name) && name.len() <= MAX_STRING_BYTES
}

/// Whether a word can be written without quotes.
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

/// Tag pairs sorted by name; the error is a repeated name.
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
