//! Looks for clocks, files, sockets, threads and the environment in the source of a pure crate, outside its tests.
//!
//! Works on text: comments and `#[cfg(test)]` modules are left out first.

use std::path::{Path, PathBuf};

/// Parts of `std` that a pure crate must not use: a module, or items of one.
const FORBIDDEN: [(&str, &[&str]); 5] =
    [("fs", &[]), ("net", &[]), ("thread", &[]), ("env", &[]), ("time", &["Instant", "SystemTime"])];

/// Everything that is forbidden in a folder of source files, one sentence each.
pub(crate) fn check(folder: &Path) -> Vec<String> {
    let (mut files, mut tests) = (Vec::new(), Vec::new());
    collect(folder, &mut files);
    let sources: Vec<_> = files.iter().map(|file| (file, std::fs::read_to_string(file).unwrap())).collect();
    assert!(!sources.is_empty(), "{} has no source", folder.display());
    for (file, text) in &sources {
        tests.extend(test_modules(file, text));
    }
    let shipped = sources
        .iter()
        .filter(|(file, _)| !tests.iter().any(|test| file.starts_with(test) || *file == &test.with_extension("rs")));
    let faults = shipped.flat_map(|(file, text)| {
        forbidden(text).into_iter().map(move |what| format!("{} uses {what}", file.display()))
    });
    faults.collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The folders (and files, with `.rs`) of modules that exist only in tests.
fn test_modules(file: &Path, text: &str) -> Vec<PathBuf> {
    let stem = file.file_stem().unwrap_or_default();
    let own = if stem == "lib" || stem == "mod" { file.with_file_name("") } else { file.with_extension("") };
    let after = text.split("#[cfg(test)]").skip(1);
    let module = |rest: &str| Some(rest.trim_start().strip_prefix("mod ")?.split_once(';')?.0.to_owned());
    let names =
        after.filter_map(module).filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
    names.map(|name| own.join(name)).collect()
}

/// What of `std` a text uses although it is forbidden.
fn forbidden(text: &str) -> Vec<String> {
    let code = without_tests(text);
    let code: String = code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code: String = code.split_whitespace().collect();
    let mut found = Vec::new();
    for (module, items) in FORBIDDEN {
        let names: Vec<_> = if items.is_empty() {
            vec![module.to_owned()]
        } else {
            items.iter().map(|item| format!("{module}::{item}")).collect()
        };
        for name in names {
            if uses(&code, &name) {
                found.push(format!("std::{name}"));
            }
        }
    }
    found
}

/// Whether code without spaces names `std::` and this path, alone or in a list of imports.
fn uses(code: &str, path: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    let plainly = code.split("std::").skip(1).any(|rest| rest.strip_prefix(path).is_some_and(ends));
    let (first, item) = path.split_once("::").map_or((path, None), |(first, item)| (first, Some(item)));
    let in_list = |list: &str, name: &str| {
        let name_ends = |at: usize| ends(&list[at + name.len()..]);
        list.match_indices(name).any(|(at, _)| list[..at].ends_with(['{', ',']) && name_ends(at))
    };
    let lists = |prefix: &str| {
        let rest = code.split(prefix).skip(1).map(|rest| format!("{{{}", rest.split(';').next().unwrap_or_default()));
        rest.collect::<Vec<_>>()
    };
    let listed = lists("std::{").iter().any(|list| match item {
        None => in_list(list, first),
        Some(item) => {
            in_list(list, path) || list.split("time::{").skip(1).any(|rest| in_list(&format!("{{{rest}"), item))
        }
    });
    plainly || listed || item.is_some_and(|item| lists("std::time::{").iter().any(|list| in_list(list, item)))
}

/// A text without its `#[cfg(test)] mod name { ... }`, which rustfmt ends with a brace at the indentation of its beginning.
fn without_tests(text: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let indentation = &line[..line.len() - line.trim_start().len()];
        let begins_tests =
            line.trim() == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.trim_end().ends_with('{'));
        if !begins_tests {
            kept.push(line);
            continue;
        }
        let end = format!("{indentation}}}");
        for line in lines.by_ref() {
            if line == end {
                break;
            }
        }
    }
    kept.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forbidden_is_found_however_it_is_imported() {
        for (code, found) in [
            ("let text = std::fs::read_to_string(path);", "std::fs"),
            ("use std::net;", "std::net"),
            ("use std::{fmt, fs};", "std::fs"),
            ("use std::{\n    fmt,\n    thread::{self, JoinHandle},\n};", "std::thread"),
            ("use std::env::var;", "std::env"),
            ("use std::time::{Duration, Instant};", "std::time::Instant"),
            ("use std::{fmt, time::{Duration, SystemTime}};", "std::time::SystemTime"),
            ("let now = ::std::time::Instant::now();", "std::time::Instant"),
        ] {
            assert_eq!(forbidden(code), [found], "{code}");
        }
    }

    #[test]
    fn comments_tests_and_other_names_are_left_alone() {
        for code in [
            "use std::time::Duration;",
            "// std::fs would be wrong here",
            "/// Unlike `std::thread`.\nstruct Thread;",
            "use std::fmt;\nuse crate::fs_like::env;",
            "use std::{fmt, format};\nlet network = other::net;",
            "#[cfg(test)]\nmod tests {\n    use std::fs;\n    fn read() {\n        fs::read(\"x\");\n    }\n}\n",
        ] {
            assert_eq!(forbidden(code), Vec::<String>::new(), "{code}");
        }
        assert_eq!(forbidden("#[cfg(test)]\nmod tests {\n}\nuse std::fs;"), ["std::fs"], "after the tests");
    }

    #[test]
    fn files_of_tests_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("lib.rs", "mod part;\n#[cfg(test)]\nmod tests;\n");
        write("tests.rs", "use std::fs;\n");
        write("tests/more.rs", "use std::env;\n");
        write("part.rs", "#[cfg(test)]\nmod inner;\nmod shipped;\n");
        write("part/inner.rs", "use std::thread;\n");
        assert_eq!(check(folder.path()), Vec::<String>::new());
        write("part/shipped.rs", "use std::thread;\n");
        let [fault] = &check(folder.path())[..] else { panic!("one fault") };
        assert!(fault.ends_with("part/shipped.rs uses std::thread"), "{fault}");
    }
}
