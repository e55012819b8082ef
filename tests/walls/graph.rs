//! The crates and what they depend on, as far as the rules ask.

use std::collections::{BTreeMap, BTreeSet};

/// The crates of the workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// By name.
    pub(crate) crates: BTreeMap<String, Crate>,
    /// Every package to the packages that it depends on normally: not for tests, not for the build.
    pub(crate) normal: BTreeMap<String, BTreeSet<String>>,
}

/// A crate of the workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crate {
    /// Features that it switches on in `publish`, for tests and for the build as well.
    pub(crate) publish_features: BTreeSet<String>,
    /// Its own features and what each switches on.
    pub(crate) features: BTreeMap<String, Vec<String>>,
    /// Every package that is compiled into it with the features that it has there; only for pure crates.
    pub(crate) compiled_in: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// The crates of the workspace that a crate depends on directly and normally.
    pub(crate) fn direct(&self, name: &str) -> BTreeSet<&str> {
        let normal = self.normal.get(name).into_iter().flatten();
        normal.map(String::as_str).filter(|package| self.crates.contains_key(*package)).collect()
    }

    /// Every package on normal paths from a crate that do not lead through `wall`.
    pub(crate) fn reached(&self, from: &str, wall: Option<&str>) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<_> = self.normal.get(from).into_iter().flatten().map(String::as_str).collect();
        while let Some(package) = open.pop() {
            if Some(package) != wall && reached.insert(package) {
                open.extend(self.normal.get(package).into_iter().flatten().map(String::as_str));
            }
        }
        reached
    }
}
