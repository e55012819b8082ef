//! The walls between the crates: which crate may know which, and what pure crates must not reach.
//!
//! `rules` judges a graph of crates, made up in its own tests and read from cargo here; `sources` reads the source of the pure
//! crates; `picture` draws the arrows into ARCHITECTURE.md. What the compiler itself proves is in `tests/wall`.

mod cargo;
mod graph;
mod picture;
mod rules;
mod sources;

use std::path::Path;

/// Crates without clock, files, tasks and chance: time comes in as an argument.
const PURE: [&str; 6] = ["dgt-protocol", "coded-text", "notation", "game-core", "pairings", "tournament"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str) -> std::path::PathBuf {
    root().join("crates").join(name)
}

#[test]
fn crates_know_only_what_they_may() {
    let graph = cargo::graph(root());
    assert!(graph.crates.len() > 10, "cargo says little: {graph:?}");
    let faults = rules::check(&graph);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn pure_crates_use_no_clock_files_threads_or_environment() {
    for name in PURE {
        let faults = sources::check(&folder(name).join("src"));
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn pure_crates_forbid_the_same_things_to_clippy() {
    let rules = PURE.map(|name| std::fs::read_to_string(folder(name).join("clippy.toml")).unwrap_or_default());
    for (name, rules_of_crate) in PURE.iter().zip(&rules) {
        assert!(rules_of_crate.contains("std::time::Instant"), "{name} has no clippy.toml of a pure crate");
        assert_eq!(*rules_of_crate, rules[0], "the clippy.toml of {name} is not that of {}", PURE[0]);
    }
}

#[test]
fn every_crate_has_the_lints_of_the_workspace() {
    for manifest in cargo::manifests(root()) {
        let text = std::fs::read_to_string(&manifest).unwrap();
        let manifest_of_crate: toml::Table = text.parse().unwrap();
        let lints = manifest_of_crate.get("lints").and_then(|lints| lints.get("workspace"));
        assert_eq!(lints, Some(&toml::Value::Boolean(true)), "{}: add `[lints] workspace = true`", manifest.display());
    }
}

#[test]
fn the_picture_of_the_arrows_is_current() {
    let path = root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let current = picture::renew(&text, &cargo::graph(root())).expect("ARCHITECTURE.md has no markers for the picture");
    if std::env::var_os("BOARDCAST_RENEW").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(
        kept == current,
        "the arrows in ARCHITECTURE.md are not those of the manifests; renew them with\n\
         BOARDCAST_RENEW=1 cargo test -p boardcast --test walls the_picture"
    );
}
