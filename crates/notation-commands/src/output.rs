//! The output of a command: standard output, or a new file that appears when it is complete.

use std::fs;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

/// Beginning of the names of files and folders that are not complete yet.
const UNFINISHED: &str = ".boardcast-";

/// An output. Without [`Output::finish`] no file appears.
pub enum Output {
    /// Standard output.
    Standard(BufWriter<StdoutLock<'static>>),
    /// A file and its path.
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl Output {
    /// A new file, or standard output for nothing and for `-`.
    ///
    /// # Errors
    /// The file exists, or none can be created in its folder.
    pub fn open(to: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = to.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Standard(BufWriter::new(io::stdout().lock())));
        };
        let advice =
            || format!("{} cannot be created; name a new file in a folder that you can write to", path.display());
        if fs::symlink_metadata(path).is_ok() {
            return Err(anyhow::Error::new(io::Error::from(io::ErrorKind::AlreadyExists)).context(advice()));
        }
        Ok(Self::File(BufWriter::new(unfinished(folder_of(path)).with_context(advice)?), path.to_owned()))
    }

    /// Writes everything out; a file gets its name.
    ///
    /// # Errors
    /// The output cannot be written, or a file of this name has appeared meanwhile.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Standard(mut out) => out.flush().context("the output cannot be written"),
            Self::File(out, path) => {
                let written = out.into_inner().map_err(io::IntoInnerError::into_error);
                let written = written.and_then(|file| file.as_file().sync_all().map(|()| file));
                let file = written.with_context(|| format!("{} cannot be written", path.display()))?;
                if let Err(error) = file.persist_noclobber(&path) {
                    bail!("{} cannot be written: {}", path.display(), error.error);
                }
                Ok(())
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::File(out, _) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::File(out, _) => out.flush(),
        }
    }
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file in a folder that vanishes unless it gets a name.
fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As for any other file; the mask of the user applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// A folder in another one for files that are not complete yet; it vanishes with its value.
///
/// # Errors
/// The folder cannot be created.
pub fn unfinished_folder(inside: &Path) -> anyhow::Result<tempfile::TempDir> {
    fs::create_dir_all(inside)
        .and_then(|()| tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(inside))
        .with_context(|| format!("{} cannot be written; name a folder that you can write to", inside.display()))
}
