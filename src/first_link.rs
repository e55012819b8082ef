//! Shows the link for the first administrator: on standard output and in a file, both with a QR code.
//!
//! Not through the log: the link is a secret. The file is readable by the daemon's account and root alone, and vanishes when
//! there is an administrator and when the daemon ends.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Name of the file.
pub(crate) const FILE: &str = "first-login.txt";

/// The file while the link holds; removed when dropped.
#[derive(Debug)]
pub(crate) struct ShownLink(PathBuf);

impl ShownLink {
    /// Shows the link with its explanation (QR code, fingerprint).
    pub(crate) fn show(link: &str, explained: &str, data: &Path) -> Option<Self> {
        let text = format!("Make the first administrator: {link}\n{explained}");
        // Standard output may be closed.
        let _ = writeln!(io::stdout(), "{text}");
        let shown = Self(Self::place(data));
        match write_private(&shown.0, &text) {
            Ok(()) => {
                tracing::info!("the link for the first administrator is in {}", shown.0.display());
                Some(shown)
            }
            Err(error) => {
                tracing::warn!(%error, "{} cannot be written: the link is on standard output only", shown.0.display());
                None
            }
        }
    }

    /// Removes the file of a daemon that was killed.
    pub(crate) fn remove_old(data: &Path) {
        drop(Self(Self::place(data)));
    }

    /// The runtime directory that systemd made for the service, else the data folder.
    fn place(data: &Path) -> PathBuf {
        // Several directories are separated by colons; the unit has one.
        let runtime = std::env::var_os("RUNTIME_DIRECTORY").map(PathBuf::from).filter(|folder| folder.is_absolute());
        runtime.unwrap_or_else(|| data.to_owned()).join(FILE)
    }
}

impl Drop for ShownLink {
    fn drop(&mut self) {
        // A folder that is gone took the file with it.
        let _ = fs::remove_file(&self.0);
    }
}

/// Writes a file that only its owner can read, whatever was there.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_is_in_a_private_file_while_it_holds() {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join(FILE);
        fs::write(&path, "the link of a start that was killed").unwrap();
        let shown = ShownLink::show("https://192.0.2.7:8443/admin/first#secret", "QR", data.path()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("first#secret") && text.ends_with("QR"), "{text}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        drop(shown);
        assert!(!path.exists());
    }
}
