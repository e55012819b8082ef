//! The graph of crates as cargo has it, without the network.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::PURE;
use crate::graph::{Crate, Graph};

/// The graph of the workspace.
pub(crate) fn graph(root: &Path) -> Graph {
    let metadata = metadata(root);
    let names: BTreeMap<_, _> =
        list(&metadata["packages"]).map(|package| (text(&package["id"]), text(&package["name"]))).collect();
    let name = |id: &Value| names[text(id)].to_owned();
    let mut graph = Graph::default();
    for node in list(&metadata["resolve"]["nodes"]) {
        let is_normal = |dependency: &&Value| list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null());
        let normal = list(&node["deps"]).filter(is_normal).map(|dependency| name(&dependency["pkg"]));
        // Two versions of a package count as one.
        graph.normal.entry(name(&node["id"])).or_default().extend(normal);
    }
    for package in members(&metadata) {
        let mut member = Crate::default();
        for dependency in list(&package["dependencies"]).filter(|dependency| dependency["name"] == "publish") {
            member.publish_features.extend(list(&dependency["features"]).map(|feature| text(feature).to_owned()));
        }
        for (feature, switched_on) in package["features"].as_object().unwrap() {
            member.features.insert(feature.clone(), list(switched_on).map(|it| text(it).to_owned()).collect());
        }
        graph.crates.insert(text(&package["name"]).to_owned(), member);
    }
    for pure in PURE {
        graph.crates.get_mut(pure).unwrap_or_else(|| panic!("there is no crate {pure}")).compiled_in =
            compiled_in(root, pure);
    }
    graph
}

/// The manifests of all crates of the workspace.
pub(crate) fn manifests(root: &Path) -> Vec<PathBuf> {
    members(&metadata(root)).map(|package| text(&package["manifest_path"]).into()).collect()
}

fn members(metadata: &Value) -> impl Iterator<Item = &Value> {
    let members: BTreeSet<_> = list(&metadata["workspace_members"]).map(text).collect();
    list(&metadata["packages"]).filter(move |package| members.contains(text(&package["id"])))
}

fn metadata(root: &Path) -> Value {
    // Packages of other systems may never have been downloaded.
    let version = run(Command::new("rustc").arg("-vV").current_dir(root));
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    serde_json::from_str(&cargo(root, &["metadata", "--format-version", "1", "--filter-platform", host])).unwrap()
}

/// What is compiled into a crate when it is compiled alone: cargo's metadata gives the features of the whole workspace.
fn compiled_in(root: &Path, name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut packages = BTreeMap::<_, BTreeSet<_>>::new();
    let lines = cargo(root, &["tree", "-p", name, "--edges", "normal", "--prefix", "none", "--format", "{p}|{f}"]);
    for line in lines.lines().filter(|line| !line.is_empty()) {
        let (package, features) = line.trim_end_matches(" (*)").split_once('|').unwrap();
        let package = package.split(' ').next().unwrap_or_default().to_owned();
        packages.entry(package).or_default().extend(features.split(',').map(str::to_owned));
    }
    packages
}

fn cargo(root: &Path, arguments: &[&str]) -> String {
    run(Command::new(env!("CARGO")).current_dir(root).args(arguments).arg("--offline"))
}

/// What a command prints.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}")).iter()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}
