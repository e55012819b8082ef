//! Words of messages.

/// A number with its noun, e.g. `1 game`, `2 games`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
