//! Who says something and why it is believed, one JSON value each: `"board"`, `{"operator":"Ada"}`; `"lever"`.

use game_core::event::{Author, Evidence};
use serde::Serialize;
use serde_json::Value;

use super::FormError;
use super::values::Word;

/// Version 1, the only one.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum StoredAuthor<'a> {
    Board,
    Operator(&'a str),
    Rule(&'a str),
}

pub(crate) fn write_author(author: &Author) -> serde_json::Result<String> {
    serde_json::to_string(&match author {
        Author::Board => StoredAuthor::Board,
        Author::Operator(name) => StoredAuthor::Operator(name),
        Author::Rule(name) => StoredAuthor::Rule(name),
    })
}

pub(crate) fn read_author(json: &str) -> Result<Author, FormError> {
    let newer = |kind: &str| Err(FormError::Newer(format!("author \"{kind}\"")));
    match serde_json::from_str(json)? {
        Value::String(kind) if kind == "board" => Ok(Author::Board),
        Value::String(kind) => newer(&kind),
        Value::Object(object) => match object.into_iter().next() {
            Some((kind, Value::String(name))) if kind == "operator" => Ok(Author::Operator(name)),
            Some((kind, Value::String(name))) if kind == "rule" => Ok(Author::Rule(name)),
            Some((kind, _)) => newer(&kind),
            None => Err(FormError::damaged("an author without a kind")),
        },
        _ => Err(FormError::damaged("an author is a text or an object")),
    }
}

pub(crate) fn write_evidence(evidence: Evidence) -> String {
    format!("\"{}\"", evidence.word())
}

pub(crate) fn read_evidence(json: &str) -> Result<Evidence, FormError> {
    Evidence::read(&serde_json::from_str::<String>(json)?)
}
