//! Folders that are made where they belong, and nowhere else.

use std::io::{self, ErrorKind};
use std::path::Path;

/// Makes a folder that is missing. The folder around it has to be there: a data folder that was unmounted must find its place
/// free when it comes back.
///
/// # Errors
/// When it cannot be made.
pub(crate) fn folder_there(path: &Path) -> io::Result<()> {
    match std::fs::create_dir(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made,
    }
}
