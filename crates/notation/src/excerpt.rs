//! Excerpts: the part of a refused text that an error message shows.

/// The first 20 characters of a text and an ellipsis for the rest; control characters become U+FFFD.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 20;
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}
