//! Sentences for people, each with a code and parameters: logs and commands show the English sentence, pages translate it.
//!
//! [`coded_texts!`] declares a closed list of them as an enum, and is the one place where the English sentence is made from
//! the parameters. [`KeptText`] is a sentence in a file. Must not know what the sentences are about, nor other languages.

mod kept;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

pub use kept::KeptText;

/// A sentence of a list, for translators and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its code: small letters, digits and underscores. It never changes its meaning.
    pub code: &'static str,
    /// The names of its parameters.
    pub params: &'static [&'static str],
    /// The English sentence, with the parameters as `{name}`.
    pub english: &'static str,
}

/// A value in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Param {
    /// A number.
    Number(u64),
    /// A text: a name, an id, a value as it was given.
    Text(String),
    /// A sentence within the sentence, which is translated by its own code.
    Sentence(Box<CodedText>),
}

/// An instant in a sentence: UTC milliseconds since 1970, as hours and minutes in English. Pages show it in their zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant(pub u64);

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.0 / 60_000;
        write!(f, "{:02}:{:02} UTC", minutes / 60 % 24, minutes % 60)
    }
}

impl From<Instant> for Param {
    fn from(Instant(at): Instant) -> Self {
        Self::Number(at)
    }
}

impl From<u32> for Param {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Param {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<usize> for Param {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<String> for Param {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Box<CodedText>> for Param {
    fn from(text: Box<CodedText>) -> Self {
        Self::Sentence(text)
    }
}

impl From<u16> for Param {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

/// A sentence that is filled in. One that was stored may have a code that is in no list of this version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodedText {
    /// Which sentence.
    pub code: Cow<'static, str>,
    /// Its parameters by name.
    pub params: BTreeMap<Cow<'static, str>, Param>,
    /// The sentence in English, after its place.
    pub english: String,
    /// What it is about, when that is a place in a file.
    pub place: Option<Place>,
}

impl CodedText {
    /// What a person, another program or the system said.
    pub fn in_words(text: impl Into<String>) -> Self {
        InWords::Words { text: text.into() }.coded()
    }

    /// With its place in a file.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        let Place { file, position } = place.clone();
        let sentence = self.english;
        let english = match (file, position) {
            (Some(file), Some((line, column))) => Placed::InFileAtLine { file, line, column, sentence }.to_string(),
            (Some(file), None) => Placed::InFile { file, sentence }.to_string(),
            (None, Some((line, column))) => Placed::AtLine { line, column, sentence }.to_string(),
            (None, None) => return Self { english: sentence, ..self },
        };
        Self { english, place: Some(place), ..self }
    }
}

/// A place in the files that a sentence is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file's name.
    pub file: Option<String>,
    /// Line and column from 1.
    pub position: Option<(usize, usize)>,
}

coded_texts! {
    /// What has no sentence of a list: own words, which pages show as they are.
    pub enum InWords {
        Words { text: String } = "words", "{text}";
    }
}

coded_texts! {
    /// A sentence after its place. Pages put the translated sentence after the translated place in the same way.
    pub enum Placed {
        InFile { file: String, sentence: String } = "in_file", "{file}: {sentence}";
        AtLine { line: usize, column: usize, sentence: String } = "at_line", "line {line}, column {column}: {sentence}";
        InFileAtLine { file: String, line: usize, column: usize, sentence: String } = "in_file_at_line",
            "{file}, line {line}, column {column}: {sentence}";
    }
}

impl fmt::Display for CodedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

/// Sentences in English one after the other.
pub fn joined(sentences: &[CodedText]) -> String {
    let sentences: Vec<_> = sentences.iter().map(ToString::to_string).collect();
    sentences.join(" ")
}

/// Declares a closed list of sentences: an enum with a variant for each, its parameters as fields.
///
/// ```
/// coded_text::coded_texts! {
///     /// Why a round cannot begin.
///     pub enum Obstacle {
///         NoPairings { round: u32 } = "no_pairings", "Round {round} has no pairings: load them first.";
///         TooEarly = "too_early", "It is too early: wait for the start.";
///     }
/// }
/// let obstacle = Obstacle::NoPairings { round: 3 };
/// assert_eq!(obstacle.to_string(), "Round 3 has no pairings: load them first.");
/// assert_eq!(obstacle.coded().code, "no_pairings");
/// assert_eq!(obstacle.coded().params["round"], coded_text::Param::Number(3));
/// assert_eq!(Obstacle::ENTRIES[1].english, "It is too early: wait for the start.");
/// ```
#[macro_export]
macro_rules! coded_texts {
    ($(#[$about:meta])* $vis:vis enum $name:ident {
        $($variant:ident $({ $($field:ident: $type:ty),+ $(,)? })? = $code:literal, $english:literal;)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each variant shows its sentence, which has the fields")]
        $vis enum $name {
            $(#[doc = $english] $variant $({ $($field: $type),+ })?,)+
        }

        impl $name {
            /// All sentences of this list.
            pub const ENTRIES: &'static [$crate::Entry] = &[$($crate::Entry {
                code: $code,
                params: &[$($(stringify!($field)),+)?],
                english: $english,
            }),+];

            /// The sentence with its code and parameters.
            pub fn coded(&self) -> $crate::CodedText {
                let (code, params): (_, ::std::vec::Vec<(&'static str, $crate::Param)>) = match self {
                    $(Self::$variant $({ $($field),+ })? => (
                        $code,
                        vec![$($((stringify!($field), $crate::Param::from($field.clone()))),+)?],
                    ),)+
                };
                $crate::CodedText {
                    code: code.into(),
                    params: params.into_iter().map(|(name, param)| (name.into(), param)).collect(),
                    english: self.to_string(),
                    place: None,
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? => ::std::write!(f, $english $($(, $field = $field)+)?),)+
                }
            }
        }

        impl ::std::error::Error for $name {}

        impl From<$name> for $crate::CodedText {
            fn from(text: $name) -> Self {
                text.coded()
            }
        }

        impl From<$name> for ::std::boxed::Box<$crate::CodedText> {
            fn from(text: $name) -> Self {
                Self::new(text.coded())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{CodedText, Instant, Param, Place};

    coded_texts! {
        /// For these tests.
        pub enum Sample {
            Board { board: String, tables: usize } = "board", "Board «{board}» is at {tables} tables: leave it at one.";
            Nothing = "nothing", "Nothing is here.";
            Undone { number: u32, what: Box<CodedText> } = "undone", "Correction {number} undone: {what}";
        }
    }

    #[test]
    fn an_instant_is_a_time_of_day_in_english_and_a_number_for_pages() {
        let at = Instant(1_700_000_000_000);
        assert_eq!((at.to_string().as_str(), Param::from(at)), ("22:13 UTC", Param::Number(1_700_000_000_000)));
    }

    #[test]
    fn the_english_sentence_and_the_parameters_are_of_the_same_variant() {
        let text = CodedText::from(Sample::Board { board: "{x}".into(), tables: 2 });
        assert_eq!(text.to_string(), "Board «{x}» is at 2 tables: leave it at one.");
        assert_eq!(
            text.params,
            [("board".into(), Param::Text("{x}".into())), ("tables".into(), Param::Number(2))].into()
        );
        assert_eq!(Sample::Nothing.coded().params, BTreeMap::new());
        let names: Vec<_> = Sample::ENTRIES.iter().map(|entry| (entry.code, entry.params)).collect();
        assert_eq!(names, [("board", &["board", "tables"][..]), ("nothing", &[]), ("undone", &["number", "what"])]);
    }

    #[test]
    fn a_sentence_within_a_sentence_keeps_its_code() {
        let text = Sample::Undone { number: 3, what: Box::new(Sample::Nothing.coded()) }.coded();
        assert_eq!(text.to_string(), "Correction 3 undone: Nothing is here.");
        assert_eq!(text.params["what"], Param::Sentence(Box::new(Sample::Nothing.coded())));
    }

    #[test]
    fn a_sentence_comes_after_its_place() {
        let at = |file: Option<&str>, position| {
            Sample::Nothing.coded().at(Place { file: file.map(str::to_owned), position }).to_string()
        };
        assert_eq!(at(Some("a.csv"), Some((2, 5))), "a.csv, line 2, column 5: Nothing is here.");
        assert_eq!(at(Some("a.csv"), None), "a.csv: Nothing is here.");
        assert_eq!(at(None, Some((2, 5))), "line 2, column 5: Nothing is here.");
        assert_eq!(Sample::Nothing.coded().at(Place::default()), Sample::Nothing.coded());
        let placed = Sample::Nothing.coded().at(Place { file: None, position: Some((2, 5)) });
        assert_eq!((&*placed.code, placed.params.len()), ("nothing", 0), "the code stays that of the sentence");
    }
}
