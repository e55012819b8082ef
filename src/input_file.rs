//! Files that people give: read whole, up to a limit.
//!
//! Knows nothing of what is in them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The file's content.
///
/// # Errors
/// What the system says, or that the file is larger than `limit` bytes.
pub fn read_bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if File::open(path)?.take(limit + 1).read_to_end(&mut bytes)? as u64 > limit {
        let reason = format!("it is larger than {} MB", limit / (1024 * 1024));
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// The file's text; what is not UTF-8 becomes the replacement character, so that damage stays where it is.
///
/// # Errors
/// As [`read_bytes`].
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let bytes = read_bytes(path, limit)?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned()))
}
