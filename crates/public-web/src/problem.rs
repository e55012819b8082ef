//! Refusals for programs: `application/problem+json` (RFC 9457).
//!
//! Must not reveal whether an account exists, nor why the machine fails.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use coded_text::{CodedText, Entry, Param, Place, coded_texts};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// The content type of every refusal of the API.
pub const PROBLEM_JSON: &str = "application/problem+json";

coded_texts! {
    /// Refusals that any address may give.
    pub(crate) enum Common {
        TooManyAttempts { seconds: u64 } = "too_many_attempts",
            "Too many attempts: wait {seconds} seconds and try again.";
        Failing = "failing", "This does not work at the moment: the daemon's log says why.";
        TooLarge = "too_large", "The body is too large: send less at once.";
        Incomplete = "incomplete", "The body is incomplete: send it again.";
        NotValid { reason: String } = "not_valid", "The request is not valid: {reason}";
    }
}

/// The sentences of this crate that have a code.
pub fn problem_entries() -> &'static [Entry] {
    Common::ENTRIES
}

/// A sentence with its code and parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CodedLine {
    /// Which sentence, e.g. `round_empty`.
    #[schema(value_type = String)]
    code: Cow<'static, str>,
    /// Its parameters by name: numbers, texts, and sentences of this form.
    #[schema(value_type = BTreeMap<String, Value>)]
    params: BTreeMap<Cow<'static, str>, Shown>,
    /// The sentence in English, after its place.
    text: String,
    /// What it is about, when that is a place in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<FilePlace>,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Shown {
    Number(u64),
    Text(String),
    Sentence(Box<CodedLine>),
}

/// A place in a file that was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FilePlace {
    /// The file's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The line, from 1; missing for the file as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The column, from 1: in a table the cell, otherwise the character.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl From<Place> for FilePlace {
    fn from(Place { file, position }: Place) -> Self {
        let (line, column) = position.unzip();
        Self { file, line, column }
    }
}

impl From<CodedText> for CodedLine {
    fn from(CodedText { code, params, english, place }: CodedText) -> Self {
        let params = params.into_iter().map(|(name, param)| (name, param.into())).collect();
        Self { code, params, text: english, place: place.map(FilePlace::from) }
    }
}

impl From<Param> for Shown {
    fn from(param: Param) -> Self {
        match param {
            Param::Number(number) => Self::Number(number),
            Param::Text(text) => Self::Text(text),
            Param::Sentence(text) => Self::Sentence(Box::new((*text).into())),
        }
    }
}

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// `about:blank`: the status says what kind of problem it is.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The name of the status.
    title: &'static str,
    /// The status of the answer.
    status: u16,
    /// One sentence that says what to do.
    #[schema(value_type = String)]
    detail: Box<str>,
    /// Which sentence `detail` is, for translations; missing where a program is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    code: Option<Box<str>>,
    /// The parameters of the sentence by name: numbers, texts, and sentences as in `questions`.
    #[serde(serialize_with = "as_map", skip_serializing_if = "<[_]>::is_empty")]
    #[schema(value_type = BTreeMap<String, Value>)]
    params: Box<[(Cow<'static, str>, Shown)]>,
    /// The place in a file that was sent, which `detail` is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<FilePlace>)]
    place: Option<Box<FilePlace>>,
    /// What a person has to confirm before the order is carried out.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(value_type = Vec<CodedLine>)]
    questions: Box<[CodedLine]>,
    /// Seconds until the next attempt is allowed, sent as `Retry-After`.
    #[serde(skip)]
    wait_s: Option<u32>,
}

impl Problem {
    /// A refusal with its sentence.
    pub fn new(status: StatusCode, detail: impl Into<Box<str>>) -> Self {
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Problem"),
            status: status.as_u16(),
            detail: detail.into(),
            code: None,
            params: Box::default(),
            place: None,
            questions: Box::default(),
            wait_s: None,
        }
    }

    /// A refusal with its sentence, code and parameters.
    pub fn coded(status: StatusCode, text: impl Into<CodedText>) -> Self {
        let CodedLine { code, params, text, place } = text.into().into();
        let params = params.into_iter().collect();
        Self { code: Some(code.into()), params, place: place.map(Box::new), ..Self::new(status, text) }
    }

    /// With what a person has to confirm.
    #[must_use]
    pub fn asking(mut self, questions: &[CodedText]) -> Self {
        self.questions = questions.iter().cloned().map(CodedLine::from).collect();
        self
    }

    /// Too many attempts.
    pub fn wait(wait_ms: u64) -> Self {
        let seconds = wait_ms.div_ceil(1000);
        let coded = Self::coded(StatusCode::TOO_MANY_REQUESTS, Common::TooManyAttempts { seconds });
        Self { wait_s: u32::try_from(seconds).ok(), ..coded }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = [(header::CONTENT_TYPE, PROBLEM_JSON), (header::CACHE_CONTROL, "no-store")];
        // Strings and numbers always have a JSON form.
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, headers, body).into_response();
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait_s) = self.wait_s {
            response.headers_mut().insert(header::RETRY_AFTER, wait_s.into());
        }
        response
    }
}

/// Something inside fails; the log says what.
pub fn failing() -> Problem {
    Problem::coded(StatusCode::SERVICE_UNAVAILABLE, Common::Failing)
}

/// An error's text as a sentence; a file's name at its beginning stays as it is.
pub fn sentence(text: &str) -> String {
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    let mut sentence = format!("{text}{end}");
    let word = text.split(' ').next().unwrap_or_default();
    if word.bytes().all(|byte| byte.is_ascii_lowercase())
        && let Some(first) = sentence.get_mut(..1)
    {
        first.make_ascii_uppercase();
    }
    sentence
}

fn as_map<S: Serializer>(params: &[(Cow<'static, str>, Shown)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(params.iter().map(|(name, value)| (name, value)))
}
