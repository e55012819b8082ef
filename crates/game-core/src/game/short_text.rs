//! Texts of a few bytes without memory of their own: the names of a move.

use std::fmt;
use std::ops::Deref;

/// A text of at most `N` bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ShortText<const N: usize> {
    /// In bytes, at most `N`.
    length: u8,
    /// The text, then zeros.
    bytes: [u8; N],
}

impl<const N: usize> ShortText<N> {
    /// A copy of the text; none when it is longer.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; N];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { length: u8::try_from(text.len()).ok()?, bytes })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        let text = self.bytes.get(..usize::from(self.length)).unwrap_or_default();
        // The bytes are those of a text.
        str::from_utf8(text).unwrap_or_default()
    }
}

impl<const N: usize> Deref for ShortText<N> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> fmt::Display for ShortText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl<const N: usize> fmt::Debug for ShortText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const N: usize> PartialEq<&str> for ShortText<N> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl<const N: usize> PartialEq<String> for ShortText<N> {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_unless_it_is_too_long() {
        for text in ["", "e4", "Qa1xb2+", "é", "dxe8=Q+ab"] {
            let short = ShortText::<9>::new(text).unwrap();
            assert!(short == text);
            assert_eq!((short.to_string(), format!("{short:?}")), (text.to_owned(), format!("{text:?}")));
        }
        assert_eq!(ShortText::<9>::new("0123456789"), None);
        assert_eq!(ShortText::<300>::new(&"x".repeat(256)), None);
    }
}
