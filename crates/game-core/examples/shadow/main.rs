//! Runs captures through the session and through the search, and tells where they differ.
//!
//! `cargo run --release -p game-core --example shadow -- [--trace] FILE.capture...`: for each capture whether the moves and the
//! result are those of `FILE.expected.json`, where there is one, of both. `--trace` prints what the search tells, `--explain=FROM-TO`
//! its hypotheses after each input between two times in ms, `--brief` only what the search tells wrongly.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a tool: captures are files, and costs are measured"
)]

mod compare;

use std::path::Path;

use compare::{Expected, Record, Sums};
use game_core::capture::read_capture;

fn main() {
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let trace = flags.iter().any(|flag| flag == "--trace");
    let range = flags.iter().find_map(|flag| flag.strip_prefix("--explain=")?.split_once('-'));
    let explain = range.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?)).unwrap_or(0..0);
    let brief = flags.iter().any(|flag| flag == "--brief");
    let (mut old, mut new) = (Sums::default(), Sums::default());
    for path in &paths {
        let Ok(bytes) = std::fs::read(path) else {
            println!("{path}: cannot be read");
            continue;
        };
        let capture = read_capture(&bytes);
        let expected = Expected::beside(Path::new(path), &capture);
        let records = [Record::of_session(&capture), Record::of_search(&capture, trace, &explain)];
        let name = Path::new(path).file_stem().map_or(path.clone(), |stem| stem.to_string_lossy().into_owned());
        let verdicts = records.each_ref().map(|record| record.verdict(&expected));
        let differ = if records[0].games == records[1].games { "" } else { "  (they differ)" };
        if !brief || !verdicts[1].is_right() {
            println!("{name:32} session {:44} search {:44}{differ}", verdicts[0].to_string(), verdicts[1].to_string());
        }
        old.add(&records[0], &verdicts[0]);
        new.add(&records[1], &verdicts[1]);
    }
    println!("session {old}");
    println!("search  {new}");
}
