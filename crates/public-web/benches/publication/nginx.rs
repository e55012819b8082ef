//! nginx with the same files: they are written for it at every move, each compressed as a whole beside it.

use std::fs;
use std::io::{BufRead, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use publish::bodies::{Bodies, Letters};
use publish::gate::View;
use publish::selection::Selection;
use publish::test_hall::Hall;

use crate::machine::{self, Usage};
use crate::ours::{PLIES, Players};
use crate::{games, polling};

/// nginx with one worker.
pub(crate) struct Nginx {
    master: Child,
    worker: u32,
    pub(crate) address: String,
}

impl Nginx {
    /// Serves a folder; none when nginx is not installed or does not start.
    pub(crate) fn start(folder: &Path) -> Option<Self> {
        let program =
            ["nginx", "/usr/sbin/nginx"].into_iter().find(|name| Command::new(name).arg("-v").output().is_ok())?;
        // A port that is free now; nginx cannot choose one.
        let port = std::net::TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let path = folder.display();
        let configuration = format!(
            "daemon off; user root; worker_processes 1; pid {path}/nginx.pid; error_log {path}/error.log crit;\n\
             events {{ worker_connections 4096; }}\n\
             http {{\n\
               access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; gzip_static on; gzip_vary on;\n\
               keepalive_requests 1000000000; default_type application/x-chess-pgn;\n\
               open_file_cache max=1000; open_file_cache_valid 1s; open_file_cache_min_uses 1;\n\
               client_body_temp_path {path}/t; proxy_temp_path {path}/t; fastcgi_temp_path {path}/t;\n\
               uwsgi_temp_path {path}/t; scgi_temp_path {path}/t;\n\
               server {{ listen 127.0.0.1:{port} backlog=4096; root {path}/files; }}\n\
             }}\n"
        );
        let file = folder.join("nginx.conf");
        fs::write(&file, configuration).ok()?;
        let mut command = machine::on_servers_core(program);
        let master = command.arg("-c").arg(&file).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        let children = format!("/proc/{0}/task/{0}/children", master.id());
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            let worker = fs::read_to_string(&children).ok()?.split_whitespace().next().and_then(|id| id.parse().ok());
            if let Some(worker) = worker {
                return Some(Self { master, worker, address: format!("127.0.0.1:{port}") });
            }
            if Instant::now() > deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn usage(&self) -> Usage {
        Usage::of(self.worker)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // The worker ends with its master.
        let _ = Command::new("kill").arg(self.master.id().to_string()).status();
        let _ = self.master.wait();
    }
}

/// Writes the files of a hall whenever they change, on the core of the servers. Takes the orders `start` and `stop`.
pub(crate) fn write_files(folder: &str) {
    let hall = Hall::open(1.0);
    let games = games::open_round(&hall, "s1", polling::GAMES, PLIES);
    let bodies = Bodies::new(hall.public.clone(), hall.clock);
    let (released, changes) = mpsc::channel();
    hall.public.watch(move || {
        let _ = released.send(());
    });
    let mut players = Players::new(hall, games);
    let folder = Path::new(folder).join("files/pgn/s1/round-1");
    fs::create_dir_all(&folder).expect("a folder");
    let write = || {
        for (name, selection) in [("games", Selection::Round(1)), ("game-1", Selection::Tables(1, 1, 1))] {
            let body = bodies.get("s1", &selection, Letters::Unicode).expect("the file");
            put(&folder, &format!("{name}.pgn"), &body.text());
            let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
            gzip.write_all(&body.text()).expect("memory");
            put(&folder, &format!("{name}.pgn.gz"), &gzip.finish().expect("memory"));
        }
    };
    write();
    println!("written");
    let (orders, given) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let _ = orders.send(line == "start");
        }
    });
    let mut playing = false;
    loop {
        match given.recv_timeout(if playing { polling::CHANGE_EVERY } else { Duration::from_hours(1) }) {
            Ok(order) => playing = order,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                while changes.try_recv().is_ok() {}
                players.change();
                let _ = changes.recv();
                write();
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Puts a file into the place of an older one.
fn put(folder: &Path, name: &str, bytes: &[u8]) {
    let beside = folder.join("new");
    fs::write(&beside, bytes).expect("written");
    fs::rename(beside, folder.join(name)).expect("renamed");
}
