//! The rules of the walls, over any graph of crates.

use std::collections::BTreeSet;

use crate::PURE;
use crate::graph::Graph;

/// Crates that serve the public: through `publish` alone.
const SERVE_THE_PUBLIC: [&str; 4] = ["drawn", "evaluations", "public-web", "outputs"];

/// Packages through which undelayed data can be read.
const UNDELAYED: [&str; 6] = ["journal", "tournament", "accounts", "boardcast", "rusqlite", "libsqlite3-sys"];

/// Packages that no pure crate may have compiled in: tasks, files, databases, sockets, chance.
const IMPURE: [&str; 16] = [
    "tokio",
    "tokio-util",
    "mio",
    "axum",
    "hyper",
    "rusqlite",
    "libsqlite3-sys",
    "tempfile",
    "fs4",
    "glob",
    "fastrand",
    "getrandom",
    "rand",
    "rustix",
    "serialport",
    "tracing",
];

/// Features of chrono that read the clock.
const CLOCK_OF_CHRONO: [&str; 2] = ["clock", "now"];

/// Which crates of the workspace a crate may depend on directly (not for tests). The daemon may depend on all.
const MAY_DEPEND_ON: [(&str, &[&str]); 17] = [
    ("dgt-protocol", &[]),
    ("coded-text", &[]),
    ("notation", &[]),
    ("uci", &["notation"]),
    ("notation-commands", &["notation", "uci"]),
    ("board-sim", &["dgt-protocol", "notation"]),
    ("game-core", &["coded-text", "dgt-protocol", "notation"]),
    ("pairings", &["coded-text", "notation"]),
    ("tournament", &["coded-text", "game-core", "notation", "pairings"]),
    ("hall-clock", &["game-core"]),
    ("accounts", &["coded-text", "hall-clock"]),
    ("journal", &["coded-text", "game-core", "hall-clock", "notation", "pairings", "tournament"]),
    ("publish", &["game-core", "hall-clock", "journal", "notation", "tournament"]),
    ("drawn", &["publish"]),
    ("evaluations", &["notation", "publish", "uci"]),
    ("public-web", &["coded-text", "publish", "drawn", "evaluations", "hall-clock"]),
    ("outputs", &["coded-text", "publish", "drawn", "hall-clock", "notation"]),
];

/// The daemon: wires everything, and nothing depends on it.
const DAEMON: &str = "boardcast";

/// The feature of `publish` that has the undelayed view.
const KEYS: &str = "keys";

/// Everything that breaks a rule, one sentence each.
pub(crate) fn check(graph: &Graph) -> Vec<String> {
    let mut faults = Vec::new();
    arrows(graph, &mut faults);
    public_path(graph, &mut faults);
    keys(graph, &mut faults);
    purity(graph, &mut faults);
    faults
}

fn arrows(graph: &Graph, faults: &mut Vec<String>) {
    for name in graph.crates.keys().filter(|name| *name != DAEMON) {
        let Some((_, allowed)) = MAY_DEPEND_ON.iter().find(|(known, _)| known == name) else {
            faults.push(format!("{name} is not in the table of tests/walls/rules.rs: say there what it may depend on"));
            continue;
        };
        for direct in graph.direct(name).into_iter().filter(|direct| !allowed.contains(direct)) {
            faults.push(format!(
                "{name} depends on {direct}: arrows point the other way, or around (tests/walls/rules.rs)"
            ));
        }
    }
}

fn public_path(graph: &Graph, faults: &mut Vec<String>) {
    for name in SERVE_THE_PUBLIC {
        let reached = graph.reached(name, Some("publish"));
        for undelayed in UNDELAYED.into_iter().filter(|package| reached.contains(package)) {
            faults.push(format!("{name} reaches {undelayed} past the gate: it may read views of publish alone"));
        }
    }
}

fn keys(graph: &Graph, faults: &mut Vec<String>) {
    for (name, member) in &graph.crates {
        let switched_on: BTreeSet<_> = member.features.values().flatten().map(String::as_str).collect();
        let by_feature = ["publish/keys", "publish?/keys"].iter().any(|spelling| switched_on.contains(spelling));
        if name != DAEMON && (by_feature || member.publish_features.contains(KEYS)) {
            faults.push(format!(
                "{name} switches on the feature keys of publish: only {DAEMON} may name undelayed views"
            ));
        }
        if name == "publish" && switched_on.contains(KEYS) {
            faults.push("another feature of publish switches keys on: it has to be switched on by its name".to_owned());
        }
    }
}

fn purity(graph: &Graph, faults: &mut Vec<String>) {
    for name in PURE {
        let Some(member) = graph.crates.get(name) else { continue };
        for (package, features) in &member.compiled_in {
            if IMPURE.contains(&package.as_str()) {
                faults.push(format!("{name} has {package} compiled in: it is pure"));
            }
            if package == "chrono" && CLOCK_OF_CHRONO.iter().any(|clock| features.contains(*clock)) {
                faults.push(format!("{name} has the clock of chrono compiled in: it is pure"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Crate;

    /// The graph as it should be, in small.
    fn sound() -> Graph {
        let mut graph = Graph::default();
        for (name, direct) in MAY_DEPEND_ON {
            graph.crates.insert(name.to_owned(), Crate::default());
            graph.normal.insert(name.to_owned(), direct.iter().map(|&direct| direct.to_owned()).collect());
        }
        graph
            .crates
            .insert(DAEMON.to_owned(), Crate { publish_features: [KEYS.to_owned()].into(), ..Crate::default() });
        graph.normal.insert(DAEMON.to_owned(), MAY_DEPEND_ON.iter().map(|(name, _)| (*name).to_owned()).collect());
        graph.normal.get_mut("journal").unwrap().insert("rusqlite".to_owned());
        assert_eq!(check(&graph), Vec::<String>::new());
        graph
    }

    /// The only fault of a graph.
    fn fault(graph: &Graph) -> String {
        let [fault] = &check(graph)[..] else { panic!("{:?}", check(graph)) };
        fault.clone()
    }

    fn depend(graph: &mut Graph, from: &str, on: &str) {
        graph.normal.entry(from.to_owned()).or_default().insert(on.to_owned());
    }

    #[test]
    fn an_arrow_that_points_back_is_found() {
        let mut graph = sound();
        depend(&mut graph, "tournament", "journal");
        assert!(fault(&graph).starts_with("tournament depends on journal"), "{}", fault(&graph));
    }

    #[test]
    fn a_crate_that_nobody_placed_is_found() {
        let mut graph = sound();
        graph.crates.insert("helpers".to_owned(), Crate::default());
        assert!(fault(&graph).starts_with("helpers is not in the table"), "{}", fault(&graph));
    }

    #[test]
    fn a_path_past_the_gate_is_found_over_any_package() {
        for undelayed in UNDELAYED {
            let mut graph = sound();
            depend(&mut graph, "outputs", "sender");
            depend(&mut graph, "sender", undelayed);
            assert!(check(&graph).iter().any(|fault| fault.starts_with(&format!("outputs reaches {undelayed}"))));
        }
        let mut graph = sound();
        depend(&mut graph, "public-web", "rusqlite");
        assert!(fault(&graph).starts_with("public-web reaches rusqlite past the gate"), "{}", fault(&graph));
        // The clock is allowed, and no way around.
        depend(&mut graph, "hall-clock", "accounts");
        assert!(check(&graph).iter().any(|fault| fault.starts_with("outputs reaches accounts past the gate")));
    }

    #[test]
    fn the_feature_keys_is_the_daemons_alone() {
        let mut graph = sound();
        graph.crates.get_mut("public-web").unwrap().publish_features.insert(KEYS.to_owned());
        assert!(fault(&graph).starts_with("public-web switches on the feature keys"), "{}", fault(&graph));
        for spelling in ["publish/keys", "publish?/keys"] {
            let mut graph = sound();
            graph.crates.get_mut("outputs").unwrap().features.insert("fast".to_owned(), vec![spelling.to_owned()]);
            assert!(fault(&graph).starts_with("outputs switches on the feature keys"), "{}", fault(&graph));
        }
        let mut graph = sound();
        graph.crates.get_mut("publish").unwrap().features.insert("default".to_owned(), vec![KEYS.to_owned()]);
        assert!(fault(&graph).starts_with("another feature of publish"), "{}", fault(&graph));
    }

    #[test]
    fn what_is_not_pure_is_found_in_pure_crates() {
        for impure in IMPURE {
            let mut graph = sound();
            let compiled_in = &mut graph.crates.get_mut("notation").unwrap().compiled_in;
            compiled_in.insert(impure.to_owned(), BTreeSet::new());
            assert_eq!(fault(&graph), format!("notation has {impure} compiled in: it is pure"));
        }
        for feature in CLOCK_OF_CHRONO {
            let mut graph = sound();
            let compiled_in = &mut graph.crates.get_mut("tournament").unwrap().compiled_in;
            compiled_in.insert("chrono".to_owned(), ["std".to_owned(), feature.to_owned()].into());
            assert_eq!(fault(&graph), "tournament has the clock of chrono compiled in: it is pure");
        }
    }
}
