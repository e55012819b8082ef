//! What publication costs, beside nginx and beside programs that do only what the system cannot spare them. Prints figures;
//! judges nothing.
//!
//! `cargo bench -p public-web -- PART...`, with the parts `files`, `polling`, `fanout` and `blitz`; all without a name. Every
//! server is a process of its own on core 0, the clients are on core 1, and the systems take turns: compare figures of one run
//! only. `docs/performance.md` says what each figure means.

mod blitz;
mod fanout;
mod files;
mod floor;
mod games;
mod machine;
mod nginx;
mod ours;
mod pollers;
mod polling;
mod viewers;

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    // More than 10,000 sockets in one process.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    match arguments[..] {
        ["ours", ref rest @ ..] => return ours::serve(rest),
        ["writer", folder] => return nginx::write_files(folder),
        ["floor-files", plain, gzip] => return floor::files(plain, gzip),
        ["floor-frames", size] => return floor::frames(size.parse().expect("a size")),
        _ => {}
    }
    let parts =
        [("files", files::run as fn()), ("polling", polling::run), ("fanout", fanout::run), ("blitz", blitz::run)];
    machine::describe();
    for (name, run) in parts {
        if arguments.is_empty() || arguments.contains(&name) {
            println!("\n## {name}\n");
            run();
        }
    }
}
