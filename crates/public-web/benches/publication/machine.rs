//! Processes on cores of their own, and what they use of the machine.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

/// The core of the servers.
const SERVERS: &str = "0";

/// The core of the clients.
const CLIENTS: &str = "1";

/// Says on what the figures were measured, and puts this process, which has the clients, on its core.
pub(crate) fn describe() {
    let model = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(": unknown processor");
    println!("{} with {} cores", model.trim_start_matches([' ', '\t', ':']), cores());
    if cores() < 2 || !is_there("taskset") {
        println!("servers and clients share all cores: ratios of requests per second mean little");
        return;
    }
    let own = std::process::id().to_string();
    let _ = Command::new("taskset").args(["-cp", CLIENTS, &own]).stdout(Stdio::null()).status();
}

fn cores() -> usize {
    std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default().matches("processor\t").count()
}

/// Whether a program is installed.
pub(crate) fn is_there(program: &str) -> bool {
    let folders = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/usr/local/sbin";
    folders.split(':').any(|folder| std::path::Path::new(folder).join(program).exists())
}

/// A program on the core of the servers.
pub(crate) fn on_servers_core(program: &str) -> Command {
    if cores() < 2 || !is_there("taskset") {
        return Command::new(program);
    }
    let mut command = Command::new("taskset");
    command.args(["-c", SERVERS, program]);
    command
}

/// A role of this program as a process of its own, which ends with this value.
pub(crate) struct Server {
    child: Child,
    to: ChildStdin,
    from: BufReader<std::process::ChildStdout>,
    /// What it said when it was ready: its address.
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(role: &[&str]) -> Self {
        let own = std::env::current_exe().expect("the name of this program");
        let mut command = on_servers_core(&own.to_string_lossy());
        let mut child = command.args(role).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a process");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Self { child, to, from, address: String::new() };
        server.address = server.line();
        server
    }

    /// Sends an order.
    pub(crate) fn order(&mut self, order: impl Display) {
        writeln!(self.to, "{order}").expect("the server takes orders");
    }

    /// Sends an order and waits for its answer.
    pub(crate) fn ask(&mut self, order: impl Display) -> String {
        self.order(order);
        self.line()
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the server answers");
        assert!(!line.is_empty(), "the server ended early");
        line.trim_end().to_owned()
    }

    pub(crate) fn usage(&self) -> Usage {
        Usage::of(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a process used up to now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    /// Time of the processor, of all threads.
    pub(crate) cpu: Duration,
    /// Memory in KiB.
    pub(crate) memory_kib: u64,
}

impl Usage {
    pub(crate) fn of(process: u32) -> Self {
        let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        let nanoseconds = threads.filter_map(|thread| {
            let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        });
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let memory_kib = memory.and_then(|memory| memory.split_whitespace().next()?.parse().ok()).unwrap_or(0);
        Self { cpu: Duration::from_nanos(nanoseconds.sum()), memory_kib }
    }
}

/// The middle of some values.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Microseconds.
pub(crate) fn us(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
