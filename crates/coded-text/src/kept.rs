//! Sentences in files: the English text, with code and parameters for translations.
//!
//! The text is kept, because the lists of codes change with the versions while files stay: a code that this version does not
//! know still has its sentence. The fields never change.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{CodedText, Param};

/// A sentence as a file has it, without a place; one in own words has no code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptText {
    what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    params: BTreeMap<String, KeptParam>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum KeptParam {
    Number(u64),
    Text(String),
    Sentence(Box<KeptText>),
}

impl From<&CodedText> for KeptText {
    fn from(text: &CodedText) -> Self {
        let what = text.english.clone();
        if *text == CodedText::in_words(&what) {
            return Self { what, code: None, params: BTreeMap::new() };
        }
        let params = text.params.iter().map(|(name, param)| (name.to_string(), param.into()));
        Self { what, code: Some(text.code.to_string()), params: params.collect() }
    }
}

impl From<KeptText> for CodedText {
    fn from(KeptText { what, code, params }: KeptText) -> Self {
        let Some(code) = code else { return Self::in_words(what) };
        let params = params.into_iter().map(|(name, param)| (name.into(), param.into()));
        Self { code: code.into(), params: params.collect(), english: what, place: None }
    }
}

impl From<&Param> for KeptParam {
    fn from(param: &Param) -> Self {
        match param {
            Param::Number(number) => Self::Number(*number),
            Param::Text(text) => Self::Text(text.clone()),
            Param::Sentence(text) => Self::Sentence(Box::new((&**text).into())),
        }
    }
}

impl From<KeptParam> for Param {
    fn from(param: KeptParam) -> Self {
        match param {
            KeptParam::Number(number) => Self::Number(number),
            KeptParam::Text(text) => Self::Text(text),
            KeptParam::Sentence(text) => Self::Sentence(Box::new((*text).into())),
        }
    }
}
