//! Creates files below one folder and appends games to them.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Most files open at a time.
const MAX_OPEN: usize = 64;

/// New files below a folder.
pub struct NewFiles {
    folder: PathBuf,
    /// The first spelling of each name by its lower-case form: on some file systems `ABEL` and `Abel` are one file.
    names: BTreeMap<String, String>,
    open: BTreeMap<String, BufWriter<File>>,
}

impl NewFiles {
    /// Files below this folder, which is created with the first file.
    pub fn below(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), names: BTreeMap::new(), open: BTreeMap::new() }
    }

    /// Appends text to a file and creates the file the first time. Names are paths with `/`.
    ///
    /// # Errors
    /// The file existed before, or cannot be written.
    pub fn add(&mut self, name: &str, text: &[u8]) -> anyhow::Result<()> {
        let known = self.names.get(&name.to_lowercase()).cloned();
        let name = known.clone().unwrap_or_else(|| name.to_owned());
        if !self.open.contains_key(&name) {
            if self.open.len() >= MAX_OPEN {
                self.close_all()?;
            }
            let path = self.folder.join(&name);
            let opened = if known.is_some() { OpenOptions::new().append(true).open(&path) } else { create(&path) };
            let file = opened.with_context(|| {
                format!("{} cannot be created; name a new folder in a place that you can write to", path.display())
            })?;
            self.names.insert(name.to_lowercase(), name.clone());
            self.open.insert(name.clone(), BufWriter::new(file));
        }
        if let Some(file) = self.open.get_mut(&name) {
            file.write_all(text).with_context(|| format!("{} cannot be written", self.folder.join(&name).display()))?;
        }
        Ok(())
    }

    /// Names of all files created so far.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(String::as_str)
    }

    /// Writes buffered text and closes all files.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn close_all(&mut self) -> anyhow::Result<()> {
        for (name, mut file) in std::mem::take(&mut self.open) {
            file.flush().with_context(|| format!("{} cannot be written", self.folder.join(name).display()))?;
        }
        Ok(())
    }
}

fn create(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create_new(path)
}
