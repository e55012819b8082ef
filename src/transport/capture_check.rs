//! Are the captures of a data folder readable?

use std::path::Path;

use game_core::capture::read_capture;
use journal::Findings;

use crate::input_file::read_bytes;

/// The most that one capture may hold; a day of one board is far below.
const CAPTURE_BYTES: u64 = 256 * 1024 * 1024;

/// Reads all captures below a folder; one that ends in the middle of a line is as a power cut leaves it.
pub fn check_captures(folder: &Path, findings: &mut Findings) {
    let pattern = folder.join("*/*.capture");
    // A folder whose name is no UTF-8 is named as it can be shown.
    let Ok(files) = glob::glob(&pattern.to_string_lossy()) else {
        findings.fault(folder.display().to_string(), "this name cannot be searched: give the folder another one");
        return;
    };
    for file in files {
        let path = match file {
            Ok(path) => path,
            Err(error) => {
                findings.fault(error.path().display().to_string(), "it cannot be listed: check its permissions");
                continue;
            }
        };
        findings.captures += 1;
        let place = path.display().to_string();
        match read_bytes(&path, CAPTURE_BYTES) {
            Ok(bytes) => {
                for error in read_capture(&bytes).errors.iter().filter(|error| !error.torn) {
                    findings.fault(&place, format!("{error}; `boardcast replay` still reads the rest"));
                }
            }
            Err(error) => findings.fault(place, format!("it cannot be read ({error}): check its permissions")),
        }
    }
}
