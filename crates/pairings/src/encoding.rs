//! Decodes the bytes of a file: UTF-8, UTF-16 with its mark or by its zero bytes, else the encoding that its letters speak for.

use std::borrow::Cow;
use std::cmp::Ordering;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{ISO_8859_2, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250};

use super::problem::{FileProblem, Problem};

/// How a text was encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    encoding: &'static encoding_rs::Encoding,
    /// Whether the file begins with a byte-order mark.
    mark: bool,
}

impl Encoding {
    /// UTF-8 without a mark.
    pub const UTF8: Self = Self { encoding: UTF_8, mark: false };

    /// Its name, when it was guessed: nothing in the file tells it, and a person should check the names.
    pub fn guessed(self) -> Option<&'static str> {
        let told = self.mark || [UTF_8, UTF_16LE, UTF_16BE].contains(&self.encoding);
        (!told).then(|| self.encoding.name())
    }

    /// The encoding of this name without a mark; UTF-8 for an unknown name.
    pub fn of_name(name: &str) -> Self {
        Self { encoding: encoding_rs::Encoding::for_label(name.as_bytes()).unwrap_or(UTF_8), mark: false }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.encoding.name()
    }

    /// A text in this encoding; a letter that it does not have becomes a question mark.
    pub fn encode(self, text: &str) -> Vec<u8> {
        let text = if self.mark { Cow::Owned(format!("\u{feff}{text}")) } else { Cow::Borrowed(text) };
        if self.encoding == UTF_16LE {
            return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        }
        if self.encoding == UTF_16BE {
            return text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        }
        let (bytes, _, incomplete) = self.encoding.encode(&text);
        if !incomplete {
            return bytes.into_owned();
        }
        let has = |letter: char| !self.encoding.encode(letter.encode_utf8(&mut [0; 4])).2;
        let plain: String = text.chars().map(|letter| if has(letter) { letter } else { '?' }).collect();
        self.encoding.encode(&plain).0.into_owned()
    }
}

/// The warning about a guessed encoding.
pub fn guess_warning(encoding: &str) -> Problem {
    Problem::of(FileProblem::GuessedEncoding { encoding: encoding.to_owned() })
}

/// The text of a file without a byte-order mark, and how it was encoded.
///
/// # Errors
/// The place of the first control character: the file is a spreadsheet, a picture or the like.
pub fn decode(bytes: &[u8]) -> Result<(String, Encoding), Problem> {
    let encoding = match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, _)) => Encoding { encoding, mark: true },
        None if bytes.contains(&0) => Encoding { encoding: by_zero_bytes(bytes).unwrap_or(UTF_8), mark: false },
        None if std::str::from_utf8(bytes).is_ok() => Encoding::UTF8,
        None => Encoding { encoding: by_letters(bytes), mark: false },
    };
    let (text, _) = encoding.encoding.decode_with_bom_removal(bytes);
    let Some(place) = text.find(is_control) else {
        return Ok((text.into_owned(), encoding));
    };
    let before = text.get(..place).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().map_or(0, |rest| rest.chars().count());
    Err(Problem::at(line, column, FileProblem::NotText))
}

/// Whether a text file has no such letter.
fn is_control(letter: char) -> bool {
    letter.is_ascii_control() && !matches!(letter, '\t' | '\n' | '\r' | '\x0c' | '\x1a')
}

/// UTF-16 without its mark: spaces, separators and ends of lines have a zero byte each, always in the same half. None when the
/// bytes are no text in it.
fn by_zero_bytes(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let zeros = |half: usize| bytes.iter().skip(half).step_by(2).filter(|byte| **byte == 0).count();
    let encoding = match zeros(0).cmp(&zeros(1)) {
        Ordering::Less => UTF_16LE,
        Ordering::Greater => UTF_16BE,
        Ordering::Equal => return None,
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    let is_text = !text.contains(is_control) && text.contains(['\n', '\r', '\t', ' ', ';', ',', '|']);
    is_text.then_some(encoding)
}

/// Letters of ISO-8859-2 that are punctuation in windows-1250. Without one of them a text is taken for windows-1250, because
/// pairing programs run on Windows.
const ISO_8859_2_LETTERS: [u8; 10] = [0xa1, 0xa6, 0xa9, 0xab, 0xac, 0xae, 0xb1, 0xb5, 0xb6, 0xbb];

/// The encoding whose languages the bytes beside ASCII look like.
fn by_letters(bytes: &[u8]) -> &'static encoding_rs::Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    let only_there = |byte: &u8| ISO_8859_2_LETTERS.contains(byte);
    if guess == ISO_8859_2 && !bytes.iter().any(only_there) { WINDOWS_1250 } else { guess }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_arrive_whole_in_every_encoding() {
        for (bytes, name, encoding) in [
            ("Žilinský, Jörg".as_bytes(), "Žilinský, Jörg", None),
            ("\u{feff}Ødegård".as_bytes(), "Ødegård", None),
            (b"\xff\xfe\xd8\0d\0", "Ød", None),
            (b"\xfe\xff\0\xd8\0d", "Ød", None),
            // Without the mark; letters of other alphabets have no zero byte, or have it in the other half.
            (b"\xd8\0d\0\n\0", "Ød\n", None),
            (b"\0\xd8\0d\0;", "Ød;", None),
            (b"\x18\x04;\0\x00\x01\n\0", "И;Ā\n", None),
            (b"M\xfcller, J\xf6rg; Gro\xdf, K\xe4the", "Müller, Jörg; Groß, Käthe", Some("windows-1252")),
            (b"O\x92Hara \x96 Dub\xe9, Fran\xe7oise", "O’Hara – Dubé, Françoise", Some("windows-1252")),
            (
                b"W\xf3jcik, Micha\xb3; D\xb9browska, Ma\xb3gorzata",
                "Wójcik, Michał; Dąbrowska, Małgorzata",
                Some("windows-1250"),
            ),
            (b"Dvo\xf8\xe1k, Tom\xe1\x9a; \x8e\xe1k, Ji\xf8\xed", "Dvořák, Tomáš; Žák, Jiří", Some("windows-1250")),
            (b"Gy\xf5ri, \xc1gnes; T\xf3th, L\xe1szl\xf3", "Győri, Ágnes; Tóth, László", Some("windows-1250")),
            (b"\xc8\xe2\xe0\xed\xee\xe2, \xd1\xe5\xf0\xe3\xe5\xe9", "Иванов, Сергей", Some("windows-1251")),
            (b"\xbf\xe6\xe0\xea, \xb2\xe3\xee\xf0", "їжак, Ігор", Some("windows-1251")),
        ] {
            let (text, found) = decode(bytes).unwrap();
            assert_eq!((text.as_str(), found.guessed()), (name, encoding));
            assert_eq!(found.encode(&text), bytes, "{name}");
        }
        let (_, polish) = decode(b"W\xf3jcik, Micha\xb3").unwrap();
        assert_eq!(polish.encode("Ж½ł"), b"??\xb3", "what the encoding does not have");
    }

    #[test]
    fn a_spreadsheet_is_refused_at_its_first_odd_byte() {
        let refusal = decode(b"PK\x03\x04rest").unwrap_err().to_string();
        assert!(refusal.starts_with("line 1, column 3: this is not a text file"), "{refusal}");
        for bytes in [&b"T\0a\0b"[..], b"T\0\0\0", b"\0\0T\0\x01\0", b"Anna\nBo\0bc"] {
            assert!(decode(bytes).unwrap_err().to_string().contains("this is not a text file"), "{bytes:?}");
        }
        assert!(decode(b"Anna\nBo\0b").unwrap_err().to_string().starts_with("line 2, column 3: "));
    }
}
