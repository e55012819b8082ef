//! Runs a program on this machine, with a time limit. What it writes goes to files, so that nothing blocks.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use coded_text::CodedText;

use crate::queue::Failure;
use crate::sentence::OutputSentence;

/// Time between two looks whether the program has ended.
const LOOK: Duration = Duration::from_millis(20);

/// Bytes of its error messages that are read, and shown.
const SHOWN: u64 = 300;

/// Runs a program with this standard input until it ends.
pub(super) fn run(program: &Path, arguments: &[String], input: &[u8], patience: Duration) -> Result<(), Failure> {
    run_known(program, arguments, input, patience, |_| None)
}

/// The same for a program of which it is known what its exit codes mean.
pub(super) fn run_known(
    program: &Path,
    arguments: &[String],
    input: &[u8],
    patience: Duration,
    meaning: impl FnOnce(i32) -> Option<Box<CodedText>>,
) -> Result<(), Failure> {
    let mut stdin = tempfile::tempfile().map_err(no_temporary_file)?;
    stdin.write_all(input).and_then(|()| stdin.seek(SeekFrom::Start(0))).map_err(no_temporary_file)?;
    let mut errors = tempfile::tempfile().map_err(no_temporary_file)?;
    let name = || program.display().to_string();
    let mut command = Command::new(program);
    command.args(arguments).stdin(stdin).stdout(Stdio::null()).stderr(errors.try_clone().map_err(no_temporary_file)?);
    // With a group of its own, the programs that it starts end with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command
        .spawn()
        .map_err(|error| Failure::refused(OutputSentence::NotStarted { program: name(), reason: error.to_string() }))?;
    let began = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => {
                let unknown = || OutputSentence::ProgramFailed { program: name(), status: status.to_string() }.into();
                let sentence = status.code().and_then(meaning).unwrap_or_else(unknown);
                let said = said(&mut errors);
                if said.is_empty() {
                    return Err(Failure::unreachable(sentence));
                }
                return Err(Failure::unreachable(OutputSentence::ItSays { sentence, said }));
            }
            Ok(None) if began.elapsed() < patience => std::thread::sleep(LOOK),
            Ok(None) | Err(_) => {
                end(&mut child);
                let slow = OutputSentence::ProgramSlow { program: name(), seconds: patience.as_secs() };
                return Err(Failure::unreachable(slow));
            }
        }
    }
}

/// Ends a program, and those that it started: a script that hangs nearly always waits for one.
fn end(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(child), rustix::process::Signal::KILL);
    let _ = child.kill();
    let _ = child.wait();
}

/// A temporary file that cannot be written.
#[expect(clippy::needless_pass_by_value, reason = "callers write map_err(no_temporary_file)")]
pub(super) fn no_temporary_file(error: std::io::Error) -> Failure {
    Failure::unreachable(OutputSentence::NoTemporaryFile { reason: error.to_string() })
}

/// The beginning of the error messages; empty without any.
fn said(errors: &mut File) -> String {
    let mut text = Vec::new();
    if errors.seek(SeekFrom::Start(0)).is_err() || errors.take(SHOWN).read_to_end(&mut text).is_err() {
        return String::new();
    }
    let text = String::from_utf8_lossy(&text);
    text.trim().chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, patience: Duration) -> Result<(), Failure> {
        run(Path::new("/bin/sh"), &["-c".into(), script.into()], b"[Event \"x\"]\n", patience)
    }

    #[test]
    fn a_program_gets_its_input_and_its_errors_are_shown() {
        let minute = Duration::from_mins(1);
        assert_eq!(shell("grep -q Event", minute), Ok(()));
        let failure = shell("echo no disk >&2; exit 3", minute).unwrap_err();
        let sentence = &failure.sentence.english;
        assert!(sentence.contains('3') && sentence.ends_with("It says: «no disk»"), "{sentence}");
        let missing = run(Path::new("/no/such/program"), &[], b"", minute).unwrap_err();
        assert_eq!(missing.sentence.code, "output_program_not_started");
        // More output than a pipe holds does not stop it.
        assert_eq!(shell("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2", minute), Ok(()));
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let failure = shell("sleep 1000", Duration::from_millis(50)).unwrap_err();
        assert!(failure.sentence.english.contains("did not end"), "{}", failure.sentence);
    }

    #[test]
    fn programs_that_a_script_started_end_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let started = folder.path().join("started");
        let script = format!("sleep 1000 & echo $! >{}; wait", started.display());
        let failure = shell(&script, Duration::from_millis(500)).unwrap_err();
        assert!(failure.sentence.english.contains("did not end"), "{}", failure.sentence);
        let id: i32 = std::fs::read_to_string(started).unwrap().trim().parse().unwrap();
        let id = rustix::process::Pid::from_raw(id).unwrap();
        let began = Instant::now();
        while is_running(id) {
            assert!(began.elapsed() < Duration::from_secs(20), "it still runs");
            std::thread::sleep(LOOK);
        }
    }

    /// Whether there is a process; one that has ended and that no process has asked about counts as none.
    fn is_running(id: rustix::process::Pid) -> bool {
        let ended = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).unwrap_or_default();
            stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z'))
        };
        rustix::process::test_kill_process(id).is_ok() && !ended()
    }
}
