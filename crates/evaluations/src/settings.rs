//! The settings of the engine.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Which engine, and how much of the machine it may use.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// A program that speaks UCI: its path, or a name that is looked for in the PATH and in `/usr/games`.
    pub program: PathBuf,
    /// Depth in plies at which the engine stops, 1 to 60.
    #[serde(default = "Settings::usual_depth")]
    pub depth: u32,
    /// Time for each position in milliseconds, 10 to 10,000; the engine stops at the depth or at this time.
    #[serde(default = "Settings::usual_time")]
    pub time_ms: u32,
    /// Threads, 1 to 64.
    #[serde(default = "Settings::usual_threads")]
    pub threads: u32,
    /// Memory for positions in megabytes, 1 to 4,096.
    #[serde(default = "Settings::usual_hash")]
    pub hash_mb: u32,
}

impl Settings {
    /// This program with the usual settings.
    pub fn of(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            depth: Self::usual_depth(),
            time_ms: Self::usual_time(),
            threads: Self::usual_threads(),
            hash_mb: Self::usual_hash(),
        }
    }

    const fn usual_depth() -> u32 {
        18
    }

    const fn usual_time() -> u32 {
        1000
    }

    const fn usual_threads() -> u32 {
        1
    }

    const fn usual_hash() -> u32 {
        16
    }

    /// Whether every number is in its range.
    ///
    /// # Errors
    /// One sentence that names the setting and its range.
    pub fn check(&self) -> Result<(), String> {
        if self.program.as_os_str().is_empty() {
            return Err("program is empty: write the engine's path, e.g. /usr/games/stockfish".into());
        }
        let numbers = [
            ("depth", self.depth, 1..=60, "plies"),
            ("time_ms", self.time_ms, 10..=10_000, "milliseconds"),
            ("threads", self.threads, 1..=64, "threads"),
            ("hash_mb", self.hash_mb, 1..=4096, "megabytes"),
        ];
        for (name, number, range, unit) in numbers {
            if !range.contains(&number) {
                let (least, most) = range.into_inner();
                return Err(format!("{name} is {number}: write a number of {unit} from {least} to {most}"));
            }
        }
        Ok(())
    }

    /// A path that is not a name alone begins at this folder: that of the configuration file.
    pub fn resolve(&mut self, folder: &Path) {
        if self.program.components().count() > 1 {
            self.program = folder.join(&self.program);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_range_and_a_refusal() {
        let read = |text: &str| toml::from_str::<Settings>(&format!("program = \"stockfish\"\n{text}")).unwrap();
        assert_eq!(read(""), Settings::of("stockfish"));
        assert_eq!(read("").check(), Ok(()));
        for right in ["depth = 60", "time_ms = 10", "threads = 64", "hash_mb = 4096"] {
            assert_eq!(read(right).check(), Ok(()), "{right}");
        }
        for (wrong, sentence) in [
            ("depth = 0", "depth is 0: write a number of plies from 1 to 60"),
            ("time_ms = 10001", "time_ms is 10001: write a number of milliseconds from 10 to 10000"),
            ("threads = 65", "threads is 65: write a number of threads from 1 to 64"),
            ("hash_mb = 0", "hash_mb is 0: write a number of megabytes from 1 to 4096"),
        ] {
            assert_eq!(read(wrong).check(), Err(sentence.to_owned()));
        }
        assert!(Settings::of("").check().unwrap_err().starts_with("program is empty"));
    }

    #[test]
    fn a_path_begins_at_the_folder_of_the_file_and_a_name_does_not() {
        for (program, expected) in
            [("stockfish", "stockfish"), ("engines/fish", "/etc/boardcast/engines/fish"), ("/bin/fish", "/bin/fish")]
        {
            let mut settings = Settings::of(program);
            settings.resolve(Path::new("/etc/boardcast"));
            assert_eq!(settings.program, Path::new(expected));
        }
    }
}
