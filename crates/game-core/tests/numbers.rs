//! Lists every number of the search that is not in the table of weights, and fails when a new one appears.
//!
//! A number is a numeric literal, or a constant with one. 0, 1 and 2 outside constants are counts and indices. Every other
//! number outside `weights.rs` is listed below: either it decides what is told, and counts with the table, or it has another
//! meaning, which is its reason.
#![allow(clippy::disallowed_methods, reason = "the source is read from its files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The numbers that decide, in the table and outside it, are no more than this. It only ever becomes smaller; the aim is 39.
const MOST: usize = 80;

/// A file of the search, a constant or literal, and how often it stands there.
type Place = (&'static str, &'static str, usize);

/// Numbers that decide and do not stand in the table yet.
const DECIDES: &[Place] = &[
    ("beam.rs", "ROUNDS", 1),
    ("beam.rs", "BACK", 1),
    ("beam.rs", "8", 2),
    ("checkpoints.rs", "EVERY", 1),
    ("checkpoints.rs", "MOST", 1),
    ("checkpoints.rs", "WIDE", 1),
    ("ending.rs", "MOST_SUSPECTS", 1),
    ("expand.rs", "TOGETHER", 1),
    ("game.rs", "BEFORE_CERTAIN", 1),
    ("history.rs", "EVENTS", 1),
    ("instants.rs", "MOST_OBSERVATIONS", 1),
    ("instants.rs", "MOST_PLIES", 1),
    ("intake.rs", "SILENT_MS", 1),
    ("intake.rs", "UNSEEN_SQUARES", 1),
    ("intake.rs", "FAR", 1),
    ("intake.rs", "JUST_BEGUN", 1),
    ("intake.rs", "HEARD_ALONE", 1),
    ("log.rs", "MEET", 1),
    ("onward.rs", "EACH_SIDE", 1),
    ("played_on.rs", "PLIES", 1),
    ("recogniser/inputs.rs", "SQUARES", 1),
    ("recogniser/inputs.rs", "DUMP_AGAIN_MS", 1),
    ("recogniser/inputs.rs", "LOG_MS", 1),
    ("recogniser/steps.rs", "STRETCH", 1),
    ("set_up.rs", "LOG_MS", 1),
    ("set_up.rs", "LOGS", 1),
    ("set_up.rs", "WRONG", 1),
    ("../search.rs", "3", 2),
];

/// Numbers that decide nothing, with their meaning, which is the reason.
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
    ("a cost without overflow", &[("beam.rs", "4", 1)]),
    ("the name of the first line", &[("line.rs", "ROOT", 1)]),
    (
        "how memory grows and when it is cleaned: the results are the same",
        &[("history.rs", "GROWTH", 1), ("line.rs", "GROWTH", 1), ("line.rs", "MANY", 1)],
    ),
    ("moves that an explanation names", &[("explain.rs", "NAMED", 1), ("explain.rs", "8", 1)]),
    ("when two sessions are compared, for tests alone", &[("game/equivalence.rs", "PLIES_TO_TELL", 1)]),
];

/// Literals that mean the same in every file.
const EVERYWHERE: &[(&str, &str)] = &[("64", "squares of a board"), ("1_000", "milliseconds of a second")];

/// A number, where it stands, and the constant that has it.
struct Number {
    file: String,
    line: usize,
    name: String,
}

/// Every file of the search but the table, by its path below `search/`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("weights.rs") {
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

/// The numbers of these tokens, without those of tests and attributes.
fn numbers(tokens: TokenStream, file: &str, constant: Option<&str>, found: &mut Vec<Number>) {
    let mut constant = constant.map(str::to_owned);
    let inherited = constant.clone();
    let mut tokens = tokens.into_iter().peekable();
    let mut test = false;
    while let Some(token) = tokens.next() {
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
                if constant.is_some() || !(everywhere || ["0", "1", "2"].contains(&value)) {
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
fn every_number_outside_the_table_has_a_reason_and_those_that_decide_are_few() {
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
    for &(file, name, times) in DECIDES {
        assert!(known.insert((file, name), (times, "decides, and counts")).is_none(), "{file}: {name} twice");
    }
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
    let (table, outside) = (in_table(), DECIDES.iter().map(|(_, _, times)| times).sum::<usize>());
    println!("{table} numbers in the table, {outside} outside it decide as well");
    assert_eq!(table + outside, MOST, "numbers that decide; when there are fewer, MOST becomes smaller");
}

#[test]
fn numbers_of_code_and_constants_are_found_and_those_of_tests_and_counts_are_not() {
    let source = "/// 9\nconst A: u32 = 2;\nfn f() -> u64 { g(1, 7_u64, \"8\") + 64 }\n#[cfg(test)]\nmod tests { const B: u8 = 5; }\nfn h() -> [u8; 3] { i() }";
    let mut found = Vec::new();
    numbers(source.parse().expect("it is Rust"), "f.rs", None, &mut found);
    let found: Vec<_> = found.iter().map(|each| (each.line, each.name.as_str())).collect();
    assert_eq!(found, [(2, "A"), (3, "7"), (6, "3")]);
}
