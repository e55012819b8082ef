//! docs/recognition.md has the table of weights as they are; `BOARDCAST_RENEW=1` writes it.
#![allow(clippy::disallowed_methods, reason = "the document is a file, and is renewed when a variable asks for it")]

use std::fmt::Write as _;

const WEIGHTS: &str = include_str!("../src/search/weights.rs");
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/recognition.md");
const HEAD: &str = "| weight | value | what it is, and what it rests on |\n| --- | ---: | --- |\n";

/// The rows of the table: every constant of the file with its value and its comment.
fn rows(source: &str) -> String {
    let (mut rows, mut comment) = (String::new(), Vec::new());
    for line in source.lines() {
        if let Some(words) = line.strip_prefix("/// ") {
            comment.push(words);
            continue;
        }
        let constant = line.strip_prefix("pub(crate) const ").and_then(|rest| rest.split_once(": "));
        if let Some((name, rest)) = constant {
            let value = rest.split_once("= ").map_or("", |(_, value)| value).trim_end_matches(';');
            assert!(value.chars().all(|letter| letter.is_ascii_digit() || letter == '_'), "{name}: {value}");
            let _ = writeln!(rows, "| `{name}` | {} | {} |", value.replace('_', " "), comment.join(" "));
        }
        comment.clear();
    }
    rows
}

#[test]
fn the_document_has_the_weights_as_they_are() {
    let document = std::fs::read_to_string(DOCUMENT).expect("the document is there");
    let begin = document.find(HEAD).expect("the document has the table") + HEAD.len();
    let end = begin + document[begin..].find("\n\n").expect("something follows the table") + 1;
    let rows = rows(WEIGHTS);
    if std::env::var_os("BOARDCAST_RENEW").is_some() {
        std::fs::write(DOCUMENT, format!("{}{rows}{}", &document[..begin], &document[end..]))
            .expect("it can be written");
        return;
    }
    for (told, row) in document[begin..end].lines().zip(rows.lines()) {
        assert_eq!(told, row, "BOARDCAST_RENEW=1 renews the table");
    }
    assert_eq!(document[begin..end].lines().count(), rows.lines().count(), "BOARDCAST_RENEW=1 renews the table");
}

#[test]
fn a_weight_is_a_row_with_its_value_and_its_words() {
    let source = "/// A ply that\n/// is rare.\npub(crate) const PLY_RARE: Cost = 2_000;\n";
    assert_eq!(rows(source), "| `PLY_RARE` | 2 000 | A ply that is rare. |\n");
}
