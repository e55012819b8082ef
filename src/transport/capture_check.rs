//! Checks that the captures of a data folder are readable.

use std::path::Path;

use game_core::capture::read_capture;
use journal::Findings;

use crate::input_file::read_bytes;

/// Maximum size of a capture; a day of one board is far smaller.
pub(crate) const CAPTURE_BYTES: u64 = 256 * 1024 * 1024;

/// Reads all captures below a folder. An incomplete last line is not a fault: a power cut leaves one.
pub fn check_captures(folder: &Path, findings: &mut Findings) {
    let pattern = folder.join("*/*.capture");
    let Ok(files) = glob::glob(&pattern.to_string_lossy()) else {
        findings.fault(folder.display().to_string(), "a folder of this name cannot be searched: rename the folder");
        return;
    };
    for file in files {
        let path = match file {
            Ok(path) => path,
            Err(error) => {
                findings
                    .fault(error.path().display().to_string(), "this folder cannot be listed: check its permissions");
                continue;
            }
        };
        findings.captures += 1;
        let place = path.display().to_string();
        match read_bytes(&path, CAPTURE_BYTES) {
            Ok(bytes) => {
                for error in read_capture(&bytes).errors.iter().filter(|error| !error.torn) {
                    findings.fault(&place, format!("{error}; `boardcast replay` can read the rest"));
                }
            }
            Err(error) => findings.fault(place, format!("this file cannot be read ({error}): check its permissions")),
        }
    }
}
