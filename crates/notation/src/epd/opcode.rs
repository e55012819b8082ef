//! The opcodes and what each of them takes (EPD standard, 5.3 and 6).

/// Longest opcode or identifier (EPD standard, 5.1 and 5.2.1).
pub const MAX_OPCODE_BYTES: usize = 15;

/// Lowest and highest evaluation (EPD standard, 6.7).
const EVALUATIONS: (i64, i64) = (-32_768, 32_766);
/// The standard asks for 32 bits; counts of nodes have outgrown them.
const COUNTS: (i64, i64) = (0, i64::MAX);
/// Positive 32-bit numbers.
const NUMBERS: (i64, i64) = (1, i32::MAX as i64);

/// What an opcode takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
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

/// What an opcode takes; opcodes that the standard does not list take anything.
pub fn shape(opcode: &str) -> Shape {
    match opcode {
        "acn" | "acs" => Shape::Integer(COUNTS.0, COUNTS.1),
        "am" | "bm" => Shape::MoveSet,
        "cc" => Shape::Clocks,
        "ce" => Shape::Integer(EVALUATIONS.0, EVALUATIONS.1),
        "dm" | "fmvn" | "rc" | "tcgs" => Shape::Integer(NUMBERS.0, NUMBERS.1),
        "draw_accept" | "draw_claim" | "draw_offer" | "draw_reject" | "resign" => Shape::Nothing,
        "eco" | "nic" => Shape::OptionalText,
        "hmvc" => Shape::Integer(0, NUMBERS.1),
        "id" => Shape::Text,
        "pm" | "sm" => Shape::Move,
        "ptp" => Shape::TagPairs,
        "pv" | "sv" => Shape::Variation,
        "refcom" => Shape::Choice(&["conclude", "disconnect", "execute", "fault", "inform", "reset", "respond"]),
        "refreq" => Shape::Choice(&["fault", "reply", "sign_off", "sign_on"]),
        "tcri" | "tcsi" => Shape::AddressAndName,
        "ts" => Shape::Timestamp,
        _ if register(opcode).is_some() => Shape::OptionalText,
        _ => Shape::Anything,
    }
}

/// Family and rank of a comment (`c0` to `c9`) or variation name (`v0` to `v9`).
pub(super) fn register(opcode: &str) -> Option<(char, usize)> {
    match opcode.as_bytes() {
        [family @ (b'c' | b'v'), rank @ b'0'..=b'9'] => Some((char::from(*family), usize::from(rank - b'0'))),
        _ => None,
    }
}

/// Whether a word can be an opcode: a letter and up to fourteen letters, digits and underscores.
pub fn is_opcode(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && is_identifier(word)
}

/// One to fifteen letters, digits and underscores (EPD standard, 5.2.1).
pub(super) fn is_identifier(word: &str) -> bool {
    (1..=MAX_OPCODE_BYTES).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
