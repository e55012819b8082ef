//! A move to thousands of viewers of a round, beside the floor: one write for each viewer of a frame that is there.

use std::time::{Duration, Instant};

use crate::machine::{Server, median, us};
use crate::viewers::{Viewers, upgraded};

/// Viewers, moves in a round.
const SIZES: [(usize, usize); 3] = [(1_000, 40), (5_000, 20), (10_000, 12)];
const ROUNDS: usize = 3;

/// From one move to the next: longer than a message waits for others to come.
const PAUSE: Duration = Duration::from_millis(130);

/// Moves before those that are measured. With two of them the floor took half as long again as with these, so that the ratio was
/// too good; why is not known.
const WARM_UP: u64 = 20;

/// Viewers that never read, of a hundred.
const SILENT_PERCENT: usize = 1;

/// Viewers that join before memory is looked at.
const FIRST_VIEWERS: usize = 100;

/// Bytes that wait at the end of a viewer that does not read.
const RECEIVE_BUFFER: usize = 32 * 1024;

/// Moves that fill the buffers of those that do not read: more than the system takes for one socket.
const FILLED: [usize; 2] = [40, 400];

struct Figures {
    first_us: f64,
    last_us: f64,
    /// Processor time of the server for one viewer and move.
    cpu_us: f64,
    /// For each viewer after the first ones.
    memory_kib: f64,
}

pub(crate) fn run() {
    let size = length_of_a_move();
    println!("{ROUNDS} rounds; a move and its clocks are {size} bytes, those of the floor as many\n");
    println!(
        "| viewers | last viewer, ms: floor | boardcast | ratio | in long games | with {SILENT_PERCENT} % silent | ratio | CPU µs a delivery: floor | boardcast | ratio | KiB a viewer | first viewer, ms |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (viewers, moves) in SIZES {
        let (mut floor, mut ours, mut all_read, mut silent) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let mut server = Server::start(&["floor-frames", &size.to_string()]);
            floor.push(measure(&mut server, viewers, moves, false));
            drop(server);
            let mut server = start_ours();
            ours.push(measure(&mut server, viewers, moves, true));
            drop(server);
            // Both with the same long games, whose snapshots are long too.
            for (figures, percent) in [(&mut all_read, 0), (&mut silent, SILENT_PERCENT)] {
                let mut server = start_ours();
                let held = hold_silent(&mut server, viewers * percent / 100);
                figures.push(measure(&mut server, viewers, moves, true));
                drop(held);
            }
        }
        row(viewers, &floor, &ours, [&all_read, &silent]);
    }
}

fn start_ours() -> Server {
    // Games that have just begun: their snapshots are not what is measured.
    Server::start(&["ours", "1", "100", "2", "memory"])
}

fn length_of_a_move() -> usize {
    let mut server = start_ours();
    let mut viewers = Viewers::new();
    viewers.join(&server.address, "/api/v1/live");
    viewers.settle(Duration::from_millis(300));
    server.order("moves 1");
    viewers.wait_for(1).expect("a message");
    viewers.last_length
}

/// Viewers that read nothing after their handshake, with buffers as full as they get. What waits at their own end is small: it
/// would take the memory of other machines, and here it is that of the server.
fn hold_silent(server: &mut Server, count: usize) -> Vec<std::net::TcpStream> {
    let silent = (0..count).map(|_| upgraded(&server.address, "/api/v1/live").0).collect::<Vec<_>>();
    for viewer in &silent {
        socket2::SockRef::from(viewer).set_recv_buffer_size(RECEIVE_BUFFER).expect("a socket");
    }
    let [times, moves] = FILLED;
    for _ in 0..times {
        server.order(format!("moves {moves}"));
        std::thread::sleep(PAUSE);
    }
    server.ask("stop");
    silent
}

fn measure(server: &mut Server, count: usize, moves: usize, snapshots: bool) -> Figures {
    let mut viewers = Viewers::new();
    // What the first viewers need is that of a hall of any size.
    let mut join = |total: usize| {
        for _ in viewers.count()..total {
            viewers.join(&server.address, "/api/v1/live");
        }
        if snapshots {
            viewers.wait_for_snapshots();
        }
        viewers.settle(Duration::from_millis(500));
    };
    join(FIRST_VIEWERS);
    let before = server.usage();
    join(count);
    let (mut first, mut last) = (Vec::new(), Vec::new());
    let mut joined = server.usage();
    for number in 1..=WARM_UP + moves as u64 {
        if number == WARM_UP + 1 {
            joined = server.usage();
        }
        let began = Instant::now();
        server.order("moves 1");
        let times =
            viewers.wait_for(number).unwrap_or_else(|| panic!("move {number} did not reach all {count} viewers"));
        if number > WARM_UP {
            first.push(us(times.0 - began));
            last.push(us(times.1 - began));
        }
        std::thread::sleep(PAUSE.saturating_sub(began.elapsed()));
    }
    let after = server.usage();
    assert_eq!(viewers.lost, 0, "no viewer is lost");
    Figures {
        first_us: median(first),
        last_us: median(last),
        cpu_us: us(after.cpu.saturating_sub(joined.cpu)) / (count * moves) as f64,
        memory_kib: after.memory_kib.saturating_sub(before.memory_kib) as f64 / (count - FIRST_VIEWERS) as f64,
    }
}

fn row(viewers: usize, floor: &[Figures], ours: &[Figures], [all_read, silent]: [&[Figures]; 2]) {
    let of = |figures: &[Figures], value: fn(&Figures) -> f64| median(figures.iter().map(value).collect());
    let ratio = |one: &[Figures], other: &[Figures], value: fn(&Figures) -> f64| {
        median(one.iter().zip(other).map(|(one, other)| value(one) / value(other)).collect())
    };
    let last: fn(&Figures) -> f64 = |of| of.last_us;
    let cpu: fn(&Figures) -> f64 = |of| of.cpu_us;
    println!(
        "| {viewers} | {:.2} | {:.2} | **{:.2}** | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | **{:.2}** | {:.2} | {:.2} |",
        of(floor, last) / 1e3,
        of(ours, last) / 1e3,
        ratio(ours, floor, last),
        of(all_read, last) / 1e3,
        of(silent, last) / 1e3,
        ratio(silent, all_read, last),
        of(floor, cpu),
        of(ours, cpu),
        ratio(ours, floor, cpu),
        of(ours, |of| of.memory_kib),
        of(ours, |of| of.first_us) / 1e3,
    );
}
