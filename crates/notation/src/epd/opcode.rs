//! The opcodes and the operands of each (EPD standard, 5.3 and 6).

use super::limits::MAX_OPCODE_BYTES;

/// Range of evaluations (EPD standard, 6.7).
const EVALUATIONS: (i64, i64) = (-32_768, 32_766);
/// Range of counts. The standard says 32 bits, but node counts of engines today exceed them.
const COUNTS: (i64, i64) = (0, i64::MAX);
/// Range of positive 32-bit numbers.
const NUMBERS: (i64, i64) = (1, i32::MAX as i64);

/// The operands that an opcode takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandType {
    /// No operand.
    Nothing,
    /// Any moves playable from the position, in ASCII order.
    MoveSet,
    /// Moves playable one after another.
    Variation,
    /// One move.
    Move,
    /// One string.
    Text,
    /// One string or no operand.
    OptionalText,
    /// An address and a name, both strings.
    AddressAndName,
    /// One integer from the first to the second.
    Integer(i64, i64),
    /// Time used by White and by Black.
    Clocks,
    /// Date and time of day in UTC.
    Timestamp,
    /// PGN tag names, each followed by its value as a string.
    TagPairs,
    /// One of these identifiers.
    Choice(&'static [&'static str]),
    /// Anything: `noop` and every opcode that the standard does not list.
    Anything,
}

/// The operands that an opcode takes; an opcode that the standard does not list takes anything.
pub fn operand_type(opcode: &str) -> OperandType {
    match opcode {
        "acn" | "acs" => OperandType::Integer(COUNTS.0, COUNTS.1),
        "am" | "bm" => OperandType::MoveSet,
        "cc" => OperandType::Clocks,
        "ce" => OperandType::Integer(EVALUATIONS.0, EVALUATIONS.1),
        "dm" | "fmvn" | "rc" | "tcgs" => OperandType::Integer(NUMBERS.0, NUMBERS.1),
        "draw_accept" | "draw_claim" | "draw_offer" | "draw_reject" | "resign" => OperandType::Nothing,
        "eco" | "nic" => OperandType::OptionalText,
        "hmvc" => OperandType::Integer(0, NUMBERS.1),
        "id" => OperandType::Text,
        "pm" | "sm" => OperandType::Move,
        "ptp" => OperandType::TagPairs,
        "pv" | "sv" => OperandType::Variation,
        "refcom" => OperandType::Choice(&["conclude", "disconnect", "execute", "fault", "inform", "reset", "respond"]),
        "refreq" => OperandType::Choice(&["fault", "reply", "sign_off", "sign_on"]),
        "tcri" | "tcsi" => OperandType::AddressAndName,
        "ts" => OperandType::Timestamp,
        _ if register(opcode).is_some() => OperandType::OptionalText,
        _ => OperandType::Anything,
    }
}

/// Letter and number of a comment opcode (`c0` to `c9`) or a variation name opcode (`v0` to `v9`).
pub(super) fn register(opcode: &str) -> Option<(char, usize)> {
    match opcode.as_bytes() {
        [family @ (b'c' | b'v'), rank @ b'0'..=b'9'] => Some((char::from(*family), usize::from(rank - b'0'))),
        _ => None,
    }
}

/// Whether a word has the form of an opcode: a letter and up to 14 letters, digits and underscores.
pub fn is_opcode(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && is_identifier(word)
}

/// One to fifteen letters, digits and underscores (EPD standard, 5.2.1).
pub(super) fn is_identifier(word: &str) -> bool {
    (1..=MAX_OPCODE_BYTES).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
