//! Every number that decides what is told stands in the table of weights, and there are few: lists those in other files of the
//! search, and fails when a new one appears.
//!
//! A number is a numeric literal, a constant with one, or a literal by which a weight is multiplied or divided. 0, 1 and 2 elsewhere are counts and indices. Every other
//! number outside `weights.rs` is listed below with its meaning, which is the reason why it decides nothing.
#![allow(clippy::disallowed_methods, reason = "the source is read from its files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The table has no more numbers than this (recognition paper, section 7: fewer than 40, all in the table).
const MOST: usize = 39;

/// A file of the search, a constant or literal, and how often it stands there.
type Place = (&'static str, &'static str, usize);

/// Numbers outside the table, with their meaning.
const OTHERS: &[(&str, &[Place])] = &[
    (
        "chess: castling changes four squares, the centre has four, a half of the board has 32",
        &[("hypothesis.rs", "4", 3), ("tell.rs", "CENTRE", 1), ("intake.rs", "0xffff_ffff", 1)],
    ),
    (
        "the code of a piece in four bits, and its eight bits beside the number of its square",
        &[
            ("shown.rs", "ODD", 1),
            ("shown.rs", "ROLES", 1),
            ("shown.rs", "BLACK", 1),
            ("shown.rs", "4", 4),
            ("hypothesis.rs", "8", 1),
        ],
    ),
    (
        "a hash",
        &[
            ("hypothesis.rs", "0x9e37_79b9_7f4a_7c15", 1),
            ("hypothesis.rs", "29", 1),
            ("hypothesis.rs", "0xcbf2_9ce4_8422_2325", 1),
        ],
    ),
    ("a cost without overflow", &[("beam.rs", "MAX scaled by 4", 1)]),
    ("the name of the first line", &[("line.rs", "ROOT", 1)]),
    (
        "how memory grows and when it is cleaned: the results are the same",
        &[
            ("history.rs", "GROWTH", 1),
            ("history.rs", "EVENTS", 1),
            ("history.rs", "KEPT scaled by 2", 2),
            ("checkpoints.rs", "PLACES scaled by 2", 1),
            ("line.rs", "GROWTH", 1),
            ("line.rs", "MANY", 1),
        ],
    ),
    ("moves that an explanation names", &[("explain.rs", "NAMED", 1)]),
];

/// Literals that mean the same in every file.
const EVERYWHERE: &[(&str, &str)] = &[("64", "squares of a board"), ("1_000", "milliseconds of a second")];

/// A number, where it stands, and the constant that has it.
struct Number {
    file: String,
    line: usize,
    name: String,
}

/// Every file of the search but the table and the tests, by its path below `search/`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.ends_with("tests") {
                files(&path, found);
            }
        } else if path.extension().is_some_and(|end| end == "rs")
            && !["weights.rs", "tests.rs"].iter().any(|name| path.ends_with(name))
        {
            found.push(path);
        }
    }
}

/// A literal without the name of its type; `None` for strings and letters.
fn number(literal: &str) -> Option<&str> {
    literal.starts_with(|letter: char| letter.is_ascii_digit()).then(|| {
        let kinds = ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "isize"];
        let end = kinds.iter().find_map(|kind| literal.strip_suffix(kind)).unwrap_or(literal);
        end.trim_end_matches('_')
    })
}

/// The weight that a literal multiplies or divides: the word before it, or the path `w::NAME` after it.
fn scaled_weight(before: &(String, bool), after: impl Iterator<Item = TokenTree>) -> Option<String> {
    if before.1 && before.0.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_') {
        return Some(before.0.clone());
    }
    let after: Vec<String> = after.take(5).map(|token| token.to_string()).collect();
    match after.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["*" | "/", "w", ":", ":", name] => Some(name.to_owned()),
        _ => None,
    }
}

/// The numbers of these tokens, without those of tests and attributes.
fn numbers(tokens: TokenStream, file: &str, constant: Option<&str>, found: &mut Vec<Number>) {
    let mut constant = constant.map(str::to_owned);
    let inherited = constant.clone();
    let mut tokens = tokens.into_iter().peekable();
    let mut test = false;
    // The last word, and whether it is multiplied or divided by what follows.
    let mut word_before = (String::new(), false);
    while let Some(token) = tokens.next() {
        let scaled = matches!(&token, TokenTree::Punct(mark) if ['*', '/'].contains(&mark.as_char()));
        word_before.1 = scaled || word_before.1 && matches!(token, TokenTree::Literal(_));
        if let TokenTree::Ident(word) = &token {
            word_before = (word.to_string(), false);
        }
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                let attribute = tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
                test |= attribute.is_some_and(|group| group.to_string().replace(' ', "") == "[cfg(test)]");
            }
            TokenTree::Punct(mark) if mark.as_char() == ';' => {
                test = false;
                constant.clone_from(&inherited);
            }
            TokenTree::Ident(word) if word == "const" => {
                if let Some(TokenTree::Ident(name)) = tokens.peek()
                    && name != "fn"
                {
                    constant = Some(name.to_string());
                }
            }
            TokenTree::Group(group) => {
                if !test {
                    numbers(group.stream(), file, constant.as_deref(), found);
                }
                test &= group.delimiter() != Delimiter::Brace;
            }
            TokenTree::Literal(literal) if !test => {
                let line = literal.span().start().line;
                let written = literal.to_string();
                let Some(value) = number(&written) else { continue };
                let everywhere = EVERYWHERE.iter().any(|(known, _)| *known == value) && constant.is_none();
                let weight = scaled_weight(&word_before, tokens.clone());
                if let Some(weight) = weight {
                    found.push(Number { file: file.to_owned(), line, name: format!("{weight} scaled by {value}") });
                } else if constant.is_some() || !(everywhere || ["0", "1", "2"].contains(&value)) {
                    let name = constant.clone().unwrap_or_else(|| value.to_owned());
                    found.push(Number { file: file.to_owned(), line, name });
                }
            }
            _ => {}
        }
    }
}

/// How many constants the table has.
fn in_table() -> usize {
    include_str!("../src/search/weights.rs").lines().filter(|line| line.starts_with("pub(crate) const ")).count()
}

#[test]
fn every_number_that_decides_stands_in_the_table_and_they_are_few() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folder = source.join("search");
    let mut paths = vec![source.join("search.rs")];
    files(&folder, &mut paths);
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let file = path.strip_prefix(&folder).unwrap_or(Path::new("../search.rs")).to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        numbers(text.parse().expect("it is Rust"), &file, None, &mut found);
    }
    let mut known: BTreeMap<(&str, &str), (usize, &str)> = BTreeMap::new();
    for &(reason, places) in OTHERS {
        for &(file, name, times) in places {
            assert!(known.insert((file, name), (times, reason)).is_none(), "{file}: {name} twice");
        }
    }
    let mut wrong = Vec::new();
    for Number { file, line, name } in &found {
        let reason = known.get_mut(&(file.as_str(), name.as_str())).filter(|(left, _)| *left > 0);
        let reason = reason.map(|(left, reason)| (*left -= 1, *reason).1);
        println!("{file}:{line}: {name}: {}", reason.unwrap_or("NEW"));
        if reason.is_none() {
            wrong.push(format!("{file}:{line}: {name} stands neither in the table nor in this list"));
        }
    }
    for ((file, name), (left, _)) in known.into_iter().filter(|(_, (left, _))| *left > 0) {
        wrong.push(format!("{file}: {name} is listed {left} times more than it is there"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} numbers in the table", in_table());
    assert!(in_table() <= MOST, "{} numbers in the table instead of {MOST} at most", in_table());
}

#[test]
fn numbers_of_code_and_constants_are_found_and_those_of_tests_and_counts_are_not() {
    let source = "/// 9\nconst A: u32 = 2;\nfn f() -> u64 { g(1, 7_u64, \"8\") + 64 + w::B / 2 + 2 * w::C }\n#[cfg(test)]\nmod tests { const B: u8 = 5; }\nfn h() -> [u8; 3] { i() }";
    let mut found = Vec::new();
    numbers(source.parse().expect("it is Rust"), "f.rs", None, &mut found);
    let found: Vec<_> = found.iter().map(|each| (each.line, each.name.as_str())).collect();
    assert_eq!(found, [(2, "A"), (3, "7"), (3, "B scaled by 2"), (3, "C scaled by 2"), (6, "3")]);
}
