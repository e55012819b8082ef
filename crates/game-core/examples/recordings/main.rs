//! Plays captures to a session, and says which records are those of the games that were played.
//!
//! `cargo run --release -p game-core --example recordings -- FILE.capture...`: for each capture whether the moves and the result
//! are those of `FILE.expected.json` or `FILE.moves` beside it, where there is one. `--trace` prints inputs and events,
//! `--explain=FROM-TO` the hypotheses after each input between two times in ms, `--brief` only what is wrong.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a tool: captures are files, and costs are measured"
)]

mod expected;
mod record;

use std::path::Path;

use expected::Expected;
use game_core::capture::read_capture;
use record::{Options, Record, Sums};

fn main() {
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let range = flags.iter().find_map(|flag| flag.strip_prefix("--explain=")?.split_once('-'));
    let options = Options {
        trace: flags.iter().any(|flag| flag == "--trace"),
        explain: range.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?)).unwrap_or(0..0),
    };
    let brief = flags.iter().any(|flag| flag == "--brief");
    let mut sums = Sums::default();
    for path in &paths {
        let Ok(bytes) = std::fs::read(path) else {
            println!("{path}: cannot be read");
            continue;
        };
        let capture = read_capture(&bytes);
        let expected = Expected::beside(Path::new(path), &capture);
        let record = Record::of(&capture, &options);
        let name = Path::new(path).file_stem().map_or(path.clone(), |stem| stem.to_string_lossy().into_owned());
        let verdict = expected.verdict(&record.games);
        if !brief || !verdict.is_right() {
            println!("{name:32} {verdict}");
        }
        sums.add(&record, &verdict);
    }
    println!("{sums}");
}
