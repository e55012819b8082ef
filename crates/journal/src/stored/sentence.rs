//! Sentences: the English text, with code and parameters for translations.
//!
//! The text is kept, because the list of codes changes with the versions while the record stays: a code that this version
//! does not know still has its sentence.

use std::collections::BTreeMap;

use coded_text::{CodedText, Param};
use serde::{Deserialize, Serialize};
use tournament::CorrectionText;

/// A sentence; one in a person's own words has no code.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredSentence {
    what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    params: BTreeMap<String, StoredParam>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredParam {
    Number(u64),
    Text(String),
    Sentence(Box<StoredSentence>),
}

/// A sentence in a person's own words.
fn in_words(text: String) -> CodedText {
    CorrectionText::Words { text }.coded()
}

impl From<&CodedText> for StoredSentence {
    fn from(text: &CodedText) -> Self {
        let what = text.english.clone();
        if *text == in_words(what.clone()) {
            return Self { what, code: None, params: BTreeMap::new() };
        }
        let params = text.params.iter().map(|(name, param)| (name.to_string(), param.into()));
        Self { what, code: Some(text.code.to_string()), params: params.collect() }
    }
}

impl From<StoredSentence> for CodedText {
    fn from(StoredSentence { what, code, params }: StoredSentence) -> Self {
        let Some(code) = code else { return in_words(what) };
        let params = params.into_iter().map(|(name, param)| (name.into(), param.into()));
        Self { code: code.into(), params: params.collect(), english: what, place: None }
    }
}

impl From<&Param> for StoredParam {
    fn from(param: &Param) -> Self {
        match param {
            Param::Number(number) => Self::Number(*number),
            Param::Text(text) => Self::Text(text.clone()),
            Param::Sentence(text) => Self::Sentence(Box::new((&**text).into())),
        }
    }
}

impl From<StoredParam> for Param {
    fn from(param: StoredParam) -> Self {
        match param {
            StoredParam::Number(number) => Self::Number(number),
            StoredParam::Text(text) => Self::Text(text),
            StoredParam::Sentence(text) => Self::Sentence(Box::new((*text).into())),
        }
    }
}
