//! Reads one record.

use std::collections::BTreeMap;

use super::error::{EpdError, Reason};
use super::limits::MAX_RECORD_BYTES;
use super::opcode::{OperandType, is_opcode, operand_type};
use super::operand::Operand;
use super::record::{Record, expected_operand};
use crate::excerpt::excerpt;
use crate::fen::{FenError, Field, FieldText, Reading, read_counter, read_position};

/// Reads a record from its line, the line end taken off.
///
/// Lax reading accepts operations and operands in any order and with any white space, strings without quotes, moves in any
/// notation and a missing last semicolon. The two counters of a FEN may follow the four fields; they become `hmvc` and
/// `fmvn`.
///
/// # Errors
/// The first error with its place.
pub fn read_record(line: &str, reading: Reading) -> Result<Record, EpdError> {
    read_record_noting(line, reading, &mut Vec::new())
}

/// [`read_record`], which also adds the castling rights and the en passant square that lax reading ignored to a list.
pub(super) fn read_record_noting(
    line: &str,
    reading: Reading,
    ignored: &mut Vec<FenError>,
) -> Result<Record, EpdError> {
    let mut lexer = Lexer { line, at: 0, reading };
    if line.len() > MAX_RECORD_BYTES {
        return Err(lexer.error(0, Reason::TooLong));
    }
    let not_printing = line.char_indices().find(|(_, c)| !matches!(c, ' '..='~'));
    if let Some((at, c)) = not_printing {
        reading.tolerate(lexer.error(at, Reason::NotPrinting(c)))?;
    }
    let mut record = lexer.position(ignored)?;
    let mut columns: BTreeMap<String, usize> = BTreeMap::new();
    while let Some((at, opcode)) = lexer.opcode()? {
        let last = columns.last_key_value().map(|(last, _)| last.as_str());
        if last.is_some_and(|last| last > opcode) {
            reading.tolerate(lexer.error(at, Reason::OpcodeOrder(opcode.to_owned())))?;
        }
        if columns.insert(opcode.to_owned(), at).is_some() || record.get(opcode).is_some() {
            return Err(lexer.error(at, Reason::Repeated(opcode.to_owned())));
        }
        let tokens = lexer.operands(at)?;
        lexer.take(&mut record, opcode, at, &tokens)?;
    }
    record.check().map_err(|(opcode, reason)| lexer.error(columns.get(opcode).copied().unwrap_or(0), reason))?;
    Ok(record)
}

/// An operand as written in the line.
struct Token<'a> {
    at: usize,
    text: &'a str,
    quoted: bool,
}

struct Lexer<'a> {
    line: &'a str,
    /// Index of the next byte.
    at: usize,
    reading: Reading,
}

impl<'a> Lexer<'a> {
    fn error(&self, at: usize, reason: Reason) -> EpdError {
        EpdError::Operation { column: self.column(at), reason }
    }

    fn column(&self, at: usize) -> usize {
        self.line.get(..at).unwrap_or_default().chars().count() + 1
    }

    fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// Skips white space. Strict reading accepts exactly this number of spaces, and none at the end of the line.
    fn space(&mut self, spaces: usize) -> Result<(), EpdError> {
        let rest = self.rest();
        let next = rest.trim_start_matches(is_space);
        let gap = rest.get(..rest.len() - next.len()).unwrap_or_default();
        let standard = gap.bytes().all(|b| b == b' ') && gap.len() == if next.is_empty() { 0 } else { spaces };
        if !standard {
            self.reading.tolerate(self.error(self.at, Reason::Spacing))?;
        }
        self.at += gap.len();
        Ok(())
    }

    /// The text up to white space or a semicolon.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let word = rest.split(|c| is_space(c) || c == ';').next().unwrap_or_default();
        self.at += word.len();
        word
    }

    fn position(&mut self, ignored: &mut Vec<FenError>) -> Result<Record, EpdError> {
        let mut fields = [FieldText { text: "", column: 0 }; 4];
        for (index, field) in fields.iter_mut().enumerate() {
            self.space(usize::from(index > 0))?;
            let column = self.column(self.at);
            *field = FieldText { text: self.word(), column };
            if field.text.is_empty() {
                return Err(self.error(self.at, Reason::MissingField));
            }
        }
        // Files named EPD often hold FEN.
        let mut counters = Vec::new();
        for name in [Field::HalfmoveClock, Field::FullmoveNumber] {
            let before = self.at;
            self.at += self.rest().len() - self.rest().trim_start_matches(is_space).len();
            let column = self.column(self.at);
            let text = self.word();
            if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
                self.at = before;
                break;
            }
            let at = self.at - text.len();
            self.reading.tolerate(self.error(at, Reason::NotAnOpcode(excerpt(text))))?;
            counters.push(read_counter(FieldText { text, column }, name, self.reading)?);
        }
        let mut record = Record::new(read_position(fields, (0, 1), self.reading, ignored)?);
        for (opcode, number) in ["hmvc", "fmvn"].into_iter().zip(counters) {
            let set = record.set(opcode, vec![Operand::Integer(number.into())]);
            set.map_err(|reason| self.error(0, reason))?;
        }
        Ok(record)
    }

    /// The next opcode with its place; `None` at the end of the line.
    fn opcode(&mut self) -> Result<Option<(usize, &'a str)>, EpdError> {
        self.space(1)?;
        // Some files have an empty operation after the last one.
        while self.rest().starts_with(';') {
            self.reading.tolerate(self.error(self.at, Reason::NotAnOpcode(";".to_owned())))?;
            self.at += 1;
            self.space(1)?;
        }
        let at = self.at;
        let word = self.word();
        if word.is_empty() {
            return Ok(None);
        }
        if is_opcode(word) { Ok(Some((at, word))) } else { Err(self.error(at, Reason::NotAnOpcode(excerpt(word)))) }
    }

    /// The operands up to the semicolon of the operation that begins at `opcode_at`.
    fn operands(&mut self, opcode_at: usize) -> Result<Vec<Token<'a>>, EpdError> {
        let mut tokens = Vec::new();
        loop {
            let rest = self.rest();
            let next = rest.trim_start_matches(is_space);
            if next.is_empty() {
                self.reading.tolerate(self.error(opcode_at, Reason::OpenOperation))?;
                self.at += rest.len();
                return Ok(tokens);
            }
            if next.starts_with(';') {
                self.space(0)?;
                self.at += 1;
                return Ok(tokens);
            }
            self.space(1)?;
            tokens.push(self.token()?);
        }
    }

    fn token(&mut self) -> Result<Token<'a>, EpdError> {
        let at = self.at;
        let Some(inside) = self.rest().strip_prefix('"') else {
            return Ok(Token { at, text: self.word(), quoted: false });
        };
        let Some((text, _)) = inside.split_once('"') else {
            return Err(self.error(at, Reason::OpenString));
        };
        self.at += text.len() + 2;
        Ok(Token { at, text, quoted: true })
    }

    /// Puts an operation into the record.
    fn take(&self, record: &mut Record, opcode: &str, at: usize, tokens: &[Token<'a>]) -> Result<(), EpdError> {
        let shape = operand_type(opcode);
        let mut operands = Vec::new();
        // A string without quotes extends to the end of the operation.
        if matches!(shape, OperandType::Text | OperandType::OptionalText)
            && let [first, .., last] = tokens
            && tokens.iter().all(|token| !token.quoted)
        {
            self.reading.tolerate(self.error(first.at, Reason::Unquoted))?;
            let text = self.line.get(first.at..last.at + last.text.len()).unwrap_or_default();
            operands.push(Operand::Text(text.to_owned()));
        } else {
            for (index, token) in tokens.iter().enumerate() {
                operands.push(self.operand(shape, index, token)?);
            }
        }
        let given = operands.clone();
        let set = record.set_alone(opcode, operands);
        set.map_err(|(index, reason)| {
            let place = index.and_then(|index| tokens.get(index)).map_or(at, |token| token.at);
            self.error(place, reason)
        })?;
        self.check_form(record, opcode, &given, tokens, at)
    }

    /// Parses a token as the operand that the opcode takes at an index. The record checks range and legality.
    fn operand(&self, shape: OperandType, index: usize, token: &Token<'a>) -> Result<Operand, EpdError> {
        let text = token.text;
        let wrong =
            || self.error(token.at, Reason::Type { text: excerpt(text), expected: expected_operand(shape, index) });
        let is_value = matches!(shape, OperandType::TagPairs) && index % 2 == 1;
        if matches!(shape, OperandType::Text | OperandType::OptionalText | OperandType::AddressAndName) || is_value {
            if !token.quoted {
                self.reading.tolerate(self.error(token.at, Reason::Unquoted))?;
            }
            return Ok(Operand::Text(text.to_owned()));
        }
        if token.quoted {
            return if shape == OperandType::Anything {
                Ok(Operand::Text(text.to_owned()))
            } else {
                Err(self.error(token.at, Reason::Quoted(excerpt(text))))
            };
        }
        let operand = match shape {
            OperandType::Integer(..) => {
                let number: i64 = text.parse().map_err(|_| wrong())?;
                if number.to_string() != text {
                    self.reading.tolerate(self.error(token.at, Reason::NumberForm(number)))?;
                }
                Operand::Integer(number)
            }
            OperandType::Clocks => Operand::Clock(text.parse().map_err(|_| wrong())?),
            OperandType::Timestamp if index == 0 => Operand::Date(text.parse().map_err(|_| wrong())?),
            OperandType::Timestamp => Operand::Time(text.parse().map_err(|_| wrong())?),
            _ => Operand::Word(text.to_owned()),
        };
        Ok(operand)
    }

    /// Checks the form of valid operands in strict reading: standard algebraic notation, sets in order.
    fn check_form(
        &self,
        record: &Record,
        opcode: &str,
        given: &[Operand],
        tokens: &[Token<'a>],
        at: usize,
    ) -> Result<(), EpdError> {
        let kept = record.get(opcode).unwrap_or_default();
        let texts = |operands: &[Operand]| operands.iter().map(ToString::to_string).collect::<Vec<_>>();
        let (kept, given) = (texts(kept), texts(given));
        if kept == given {
            return Ok(());
        }
        let (mut sorted, mut once) = (given.clone(), kept.clone());
        sorted.sort();
        once.sort();
        if sorted == once || kept.len() != given.len() {
            return self.reading.tolerate(self.error(at, Reason::OperandOrder(opcode.to_owned())));
        }
        // A move is not in canonical form: report the first one.
        let changed = given.iter().zip(tokens).find(|(text, _)| !kept.contains(text));
        let place = changed.map_or(at, |(_, token)| token.at);
        let missing = kept.into_iter().find(|text| !given.contains(text)).unwrap_or_default();
        self.reading.tolerate(self.error(place, Reason::NotSan(missing)))
    }
}

fn is_space(c: char) -> bool {
    c == ' ' || c == '\t' || c == '\r'
}
