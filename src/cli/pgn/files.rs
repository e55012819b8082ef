//! Many files below one folder, each made new and added to game by game.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Most files that are open at a time.
const MAX_OPEN: usize = 64;

/// Files below a folder.
pub(in crate::cli) struct NewFiles {
    folder: PathBuf,
    /// The names as they were given first, by their small letters: some file systems take `ABEL` and `Abel` for one.
    names: BTreeMap<String, String>,
    open: BTreeMap<String, BufWriter<File>>,
}

impl NewFiles {
    /// Files below this folder, which is made if it is not there.
    pub(in crate::cli) fn below(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), names: BTreeMap::new(), open: BTreeMap::new() }
    }

    /// Adds to a file; names are paths with `/`. The first time the file is made.
    ///
    /// # Errors
    /// The file was there before, or cannot be written.
    pub(in crate::cli) fn add(&mut self, name: &str, text: &[u8]) -> anyhow::Result<()> {
        let known = self.names.get(&name.to_lowercase()).cloned();
        let name = known.clone().unwrap_or_else(|| name.to_owned());
        if !self.open.contains_key(&name) {
            if self.open.len() >= MAX_OPEN {
                self.close_all()?;
            }
            let path = self.folder.join(&name);
            let opened = if known.is_some() { OpenOptions::new().append(true).open(&path) } else { make(&path) };
            let file = opened.with_context(|| {
                format!("{} cannot be made; name a new folder, in a place you may write to", path.display())
            })?;
            self.names.insert(name.to_lowercase(), name.clone());
            self.open.insert(name.clone(), BufWriter::new(file));
        }
        if let Some(file) = self.open.get_mut(&name) {
            file.write_all(text).with_context(|| format!("{} cannot be written", self.folder.join(&name).display()))?;
        }
        Ok(())
    }

    /// Names of all files so far.
    pub(in crate::cli) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(String::as_str)
    }

    /// Writes out what is still in memory.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(in crate::cli) fn close_all(&mut self) -> anyhow::Result<()> {
        for (name, mut file) in std::mem::take(&mut self.open) {
            file.flush().with_context(|| format!("{} cannot be written", self.folder.join(name).display()))?;
        }
        Ok(())
    }
}

fn make(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create_new(path)
}
