//! What benchmarks of the daemon share: a daemon that serves, and quantiles of times.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Starts a daemon with this data and these further arguments; gives the address of its pages.
pub(crate) fn daemon(data: &Path, further: &[&str]) -> (Child, SocketAddr) {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardcast"));
    command.args(["run", "--event", "cup", "--listen", &address.to_string(), "--data"]).arg(data).args(further);
    (command.stdout(Stdio::null()).env("RUST_LOG", "error").spawn().unwrap(), address)
}

/// Median and worst percent of times.
pub(crate) struct Quantiles {
    pub(crate) p50: Duration,
    p99: Duration,
}

impl Quantiles {
    pub(crate) fn of(mut times: Vec<Duration>) -> Self {
        times.sort();
        Self { p50: times[times.len() / 2], p99: times[times.len() * 99 / 100] }
    }
}

impl std::fmt::Display for Quantiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "median {:.3} ms, p99 {:.3} ms", self.p50.as_secs_f64() * 1e3, self.p99.as_secs_f64() * 1e3)
    }
}
