//! Puts the pages that the binary embeds into `OUT_DIR/web`.
//!
//! `BOARDCAST_WEB` says where they come from: `build` (the default) builds `web` with npm, `none` makes do with one
//! page that says so, and anything else is a folder of ready-made files. Knows nothing of what the pages do; npm works
//! in a copy under `OUT_DIR`, so that the source tree stays as it is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// What the build of the pages reads, files and folders, relative to `web`.
const SOURCES: [&str; 14] = [
    "admin.html",
    "build",
    "data",
    "embed.html",
    "index.html",
    "overlay.html",
    "package.json",
    "package-lock.json",
    "public",
    "screen.html",
    "src",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

/// The oldest Node.js that Vite runs on.
const NODE: (u32, u32) = (20, 19);

const NO_PAGES: &str = "<!doctype html>
<html lang=\"en\">
  <meta charset=\"utf-8\" />
  <title>boardcast</title>
  <p>This boardcast was built without pages. To have them, build it with BOARDCAST_WEB=build, which needs Node.js and npm.</p>
  <p>The games as text: <a href=\"/live.pgn\">live.pgn</a></p>
</html>
";

type Outcome<T = ()> = Result<T, String>;

fn main() {
    println!("cargo::rerun-if-env-changed=BOARDCAST_WEB");
    println!("cargo::rerun-if-changed=build.rs");
    if let Err(sentence) = pages() {
        println!("cargo::error={sentence}");
    }
}

fn pages() -> Outcome {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set; run this with cargo.")?);
    let pages = out.join("web");
    let wish = env::var_os("BOARDCAST_WEB").unwrap_or_else(|| "build".into());
    if wish == "build" {
        build(Path::new("web"), &out.join("web-build"), &pages)
    } else if wish == "none" {
        empty(&pages)?;
        told(fs::write(pages.join("index.html"), NO_PAGES), "write", &pages)
    } else {
        take(Path::new(&wish), &pages)
    }
}

/// Takes ready-made files.
fn take(folder: &Path, pages: &Path) -> Outcome {
    if !folder.join("index.html").is_file() {
        return Err(format!(
            "BOARDCAST_WEB names {}, where there is no index.html; set it to `build`, `none` or a folder of built pages.",
            folder.display()
        ));
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    empty(pages)?;
    copy(folder, pages)
}

/// Builds the pages of `web` in `work`.
fn build(web: &Path, work: &Path, pages: &Path) -> Outcome {
    for source in SOURCES {
        watch(&web.join(source))?;
    }
    find_node()?;
    told(fs::create_dir_all(work), "create", work)?;
    for source in SOURCES {
        let (from, to) = (web.join(source), work.join(source));
        if from.is_dir() {
            empty(&to)?;
        }
        copy(&from, &to)?;
    }
    install(work)?;
    empty(pages)?;
    npm(work, &["run", "build", "--", "--outDir"], Some(pages.as_os_str()))
}

/// Installs what the lock file says, unless that has been done.
fn install(work: &Path) -> Outcome {
    let lock = work.join("package-lock.json");
    let wanted = told(fs::read(&lock), "read", &lock)?;
    let installed = work.join("node_modules").join(".boardcast-lock");
    if fs::read(&installed).is_ok_and(|lock| lock == wanted) {
        return Ok(());
    }
    npm(work, &["ci", "--omit=dev", "--no-audit", "--no-fund"], None)?;
    told(fs::write(&installed, wanted), "write", &installed)
}

/// Whether a Node.js is there that can build the pages.
fn find_node() -> Outcome {
    let missing = |what: &str| {
        let (major, minor) = NODE;
        format!(
            "{what}; install Node.js {major}.{minor} or newer with npm to build the pages, or set BOARDCAST_WEB=none to \
             build without them."
        )
    };
    let version = said(Command::new("node").arg("--version")).ok_or_else(|| missing("Node.js was not found"))?;
    let mut numbers = version.trim_start_matches('v').split('.').map_while(|part| part.parse::<u32>().ok());
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < NODE {
        return Err(missing(&format!("Node.js {version} is too old")));
    }
    said(npm_command().arg("--version")).map(drop).ok_or_else(|| missing("npm was not found"))
}

/// The first line that a program prints, if it runs.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}

fn npm_command() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// Runs npm in `work`; what it prints appears only if it fails.
fn npm(work: &Path, arguments: &[&str], last: Option<&OsStr>) -> Outcome {
    let mut command = npm_command();
    command.args(arguments).args(last).current_dir(work);
    let output = told(command.output(), "run npm in", work)?;
    if output.status.success() {
        return Ok(());
    }
    for stream in [&output.stdout, &output.stderr] {
        for line in String::from_utf8_lossy(stream).lines() {
            println!("cargo::warning={line}");
        }
    }
    Err(format!(
        "`npm {}` failed, see its output; repair what it names, or set BOARDCAST_WEB=none to build without pages.",
        arguments.join(" ")
    ))
}

/// Has cargo run this again when a file changes, comes or goes. Tests of the pages are no part of them.
fn watch(path: &Path) -> Outcome {
    println!("cargo::rerun-if-changed={}", path.display());
    if path.is_dir() {
        for entry in entries(path)? {
            watch(&entry)?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Outcome {
    if !from.is_dir() {
        return told(fs::copy(from, to).map(drop), "copy", from);
    }
    told(fs::create_dir_all(to), "create", to)?;
    for entry in entries(from)? {
        if let Some(name) = entry.file_name() {
            copy(&entry, &to.join(name))?;
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let list = fs::read_dir(folder).and_then(|list| list.map(|entry| entry.map(|entry| entry.path())).collect());
    let mut paths: Vec<PathBuf> = told(list, "read", folder)?;
    paths.retain(|path| !path.to_string_lossy().ends_with(".test.ts"));
    Ok(paths)
}

/// Makes `folder` an empty one: what was built before must not be embedded again.
fn empty(folder: &Path) -> Outcome {
    if folder.exists() {
        told(fs::remove_dir_all(folder), "empty", folder)?;
    }
    told(fs::create_dir_all(folder), "create", folder)
}

fn told<T>(result: io::Result<T>, deed: &str, place: &Path) -> Outcome<T> {
    result.map_err(|error| format!("Cannot {deed} {}: {error}.", place.display()))
}
