//! Boards behind serial servers and on pseudo-terminals, and devices that are none.

use super::*;
use dgt_protocol::{Message, SerialNumber};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use std::io::{Read as _, Write as _};

use serialport::{SerialPort as _, TTYPort};

use crate::transport::candidates::PortPattern;
use crate::transport::line::Chunk;
use crate::transport::physical::PhysicalPaths;

/// A board behind a serial server, which answers one host after another with this trademark; gives its address and the
/// bytes that it heard.
async fn board(serial: &'static str, trademark: &'static str) -> (Address, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = Address::Tcp(listener.local_addr().unwrap().to_string());
    let heard = Arc::new(Mutex::new(Vec::new()));
    serve(listener, serial, trademark, Arc::clone(&heard));
    (address, heard)
}

/// A board that answers one host after another.
fn serve(listener: TcpListener, serial: &'static str, trademark: &'static str, hearing: Arc<Mutex<Vec<u8>>>) {
    tokio::spawn(async move {
        while let Ok((mut host, _)) = listener.accept().await {
            while let Ok(command) = host.read_u8().await {
                hearing.lock().unwrap().push(command);
                if let Some(answer) = answer(command, serial, trademark)
                    && host.write_all(&answer).await.is_err()
                {
                    break;
                }
            }
        }
    });
}

/// What a board in single-board mode answers; one without a serial number is silent.
fn answer(command: u8, serial: &str, trademark: &str) -> Option<Vec<u8>> {
    let message = match command {
        0x4d => Message::Version { main: 1, sub: 8 },
        0x45 => Message::Serial(SerialNumber::new(serial).unwrap()),
        0x47 => Message::Trademark(trademark.into()),
        _ => return None,
    };
    (!serial.is_empty()).then(|| message.encode())
}

/// The same on a pseudo-terminal.
fn board_on_terminal(serial: &'static str) -> (Address, Arc<Mutex<Vec<u8>>>) {
    let (mut board, computer) = TTYPort::pair().unwrap();
    let path = computer.name().unwrap();
    board.set_timeout(Duration::from_millis(50)).unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hearing = Arc::downgrade(&heard);
    std::thread::spawn(move || {
        // The computer's end stays open between two hosts.
        let _computer = computer;
        while let Some(heard) = hearing.upgrade() {
            let mut command = [0];
            if board.read_exact(&mut command).is_ok() {
                heard.lock().unwrap().push(command[0]);
                if let Some(answer) = answer(command[0], serial, "") {
                    board.write_all(&answer).unwrap();
                }
            }
        }
    });
    (Address::Serial(path.into()), heard)
}

const PING: u8 = 0x87;
const VERSION: u8 = 0x4d;

fn looking(
    scope: Scope,
    known: KnownLines,
) -> (mpsc::Receiver<FoundBoard>, tokio::task::JoinHandle<anyhow::Result<()>>) {
    let (sender, found) = mpsc::channel(4);
    (found, tokio::spawn(discover(scope, Duration::from_millis(20), HallClock::start(1.0), known, sender)))
}

#[tokio::test]
async fn a_serial_number_comes_once() {
    let mut allowed = Vec::new();
    for serial in ["20077", "01025", "20077"] {
        allowed.push(PortPattern::One(board(serial, "").await.0));
    }
    let (mut found, looking) = looking(Scope { machine: false, allowed, ..Scope::default() }, KnownLines::default());
    let mut both = [found.recv().await.unwrap(), found.recv().await.unwrap()];
    both.sort_by(|a, b| a.serial.cmp(&b.serial));
    let [first, second] = both;
    assert_eq!((first.serial.as_str(), second.serial.as_str()), ("01025", "20077"));
    assert_eq!(second.version, Some((1, 8)));
    assert!(found.try_recv().is_err(), "one serial number was handed on twice");
    // The board's line is dropped: the number is free again, on any port.
    drop(second);
    assert_eq!(found.recv().await.unwrap().serial, "20077");
    drop(found);
    looking.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_board_on_the_line_of_the_last_run_is_asked_at_once_and_a_silent_port_delays_it_not() {
    let folder = tempfile::tempdir().unwrap();
    let lines = || KnownLines::open(folder.path().join("lines.json"));
    let (address, heard) = board_on_terminal("20077");
    let (silent, heard_silent) = board("", "").await;
    let allowed = vec![PortPattern::One(silent), PortPattern::One(address)];
    // The pseudo-terminal counts as a USB port with this path, the serial server has none.
    let physical = PhysicalPaths(|address| matches!(address, Address::Serial(_)).then(|| "usb 1-2".into()));
    let scope = Scope { machine: false, allowed, physical, ..Scope::default() };
    let (mut found, _) = looking(scope.clone(), lines());
    assert_eq!(found.recv().await.unwrap().serial, "20077");
    drop(found);
    assert!(heard.lock().unwrap().contains(&PING), "the line was new: it may be a bus");
    // The port is closed once its reader has seen that.
    tokio::time::sleep(Duration::from_millis(600)).await;
    heard.lock().unwrap().clear();
    heard_silent.lock().unwrap().clear();

    let began = Instant::now();
    let (mut found, _) = looking(scope, lines());
    assert_eq!(found.recv().await.unwrap().serial, "20077");
    println!("found after {} ms", began.elapsed().as_millis());
    assert_eq!(heard.lock().unwrap()[..2], [VERSION, 0x45]);
    assert!(!heard_silent.lock().unwrap().contains(&VERSION), "the silent port was waited for");
}

#[tokio::test]
async fn a_serial_server_that_cannot_be_reached_is_shown_with_its_time_until_it_answers() {
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let pattern = PortPattern::One(Address::Tcp(address.to_string()));
    let scope = Scope { allowed: vec![pattern], ..Scope::default() };
    let (ports, (mut found, _looking)) = (scope.ports.clone(), looking(scope, KnownLines::default()));
    let since = || ports.list().first().and_then(|line| line.unreachable_since);
    while since().is_none() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let first = since();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(since(), first, "the time of the first failure");
    let listener = TcpListener::bind(address).await.unwrap();
    serve(listener, "20077", "", Arc::default());
    let board = found.recv().await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!((board.serial.as_str(), since()), ("20077", None));
}

#[tokio::test]
async fn a_board_in_play_that_is_known_by_its_port_loses_nothing_when_the_daemon_starts_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = Address::Tcp(listener.local_addr().unwrap().to_string());
    let update = [0x8e, 0x00, 0x05, 0x34, 0x00];
    let (said, mut heard) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let (mut host, _) = listener.accept().await.unwrap();
        host.write_all(&update).await.unwrap();
        while let Ok(command) = host.read_u8().await {
            said.send(command).unwrap();
            if let Some(answer) = answer(command, "20077", "") {
                host.write_all(&answer).await.unwrap();
            }
        }
    });
    let mut known = KnownLines::default();
    known.remember(address.to_string(), "20077");
    let allowed = vec![PortPattern::One(address)];
    let (mut found, _) = looking(Scope { machine: false, allowed, ..Scope::default() }, known);
    let found = found.recv().await.unwrap();
    assert_eq!((&*found.serial, &*found.heard.bytes), ("20077", &update[..]));
    for question in [VERSION, 0x45, 0x45] {
        assert_eq!(heard.recv().await, Some(question), "neither ping nor trademark, and the serial number twice");
    }
    assert!(heard.try_recv().is_err());
}

#[tokio::test]
async fn a_board_with_another_trademark_is_used_and_named_once() {
    let (address, heard) = board("01025", "Chess Boards Ltd.\r\nVs 1.00").await;
    let (makers, _) = board("01026", "Digital Game Technology\r\nCopyright 1998").await;
    let allowed = vec![PortPattern::One(address), PortPattern::One(makers)];
    let (mut found, _) = looking(Scope { machine: false, allowed, ..Scope::default() }, KnownLines::default());
    let mut both = [found.recv().await.unwrap(), found.recv().await.unwrap()];
    both.sort_by(|a, b| a.serial.cmp(&b.serial));
    let [first, second] = both;
    assert!(first.other_trademark.is_some_and(|text| text.starts_with("Chess Boards Ltd.")));
    assert_eq!(second.other_trademark, None);
    drop(first.port);
    assert_eq!(found.recv().await.unwrap().other_trademark, None, "it is said once");
    let heard = heard.lock().unwrap();
    let asked: Vec<_> = heard.iter().filter(|command| **command == 0x47).collect();
    assert_eq!(asked.len(), 1);
}

#[tokio::test]
async fn a_board_that_plays_on_a_new_line_is_found_by_listening_and_loses_no_update() {
    let (mut board, computer) = TTYPort::pair().unwrap();
    let path = computer.name().unwrap();
    board.set_timeout(Duration::from_millis(100)).unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hearing = Arc::downgrade(&heard);
    let update = |number: u8| {
        let field = dgt_protocol::Field::new(number).unwrap();
        Message::FieldUpdate { field, piece: dgt_protocol::PieceCode::Empty }.encode()
    };
    std::thread::spawn(move || {
        let _computer = computer;
        let mut field = 0;
        while let Some(heard) = hearing.upgrade() {
            let mut command = [0];
            if board.read_exact(&mut command).is_ok() {
                heard.lock().unwrap().push(command[0]);
                if let Some(answer) = answer(command[0], "20077", "") {
                    board.write_all(&answer).unwrap();
                }
            } else if field < 64 {
                // A hand moves on while the daemon looks for the board.
                board.write_all(&update(field)).unwrap();
                field += 1;
            }
        }
    });
    let physical = PhysicalPaths(|_| Some("usb 1-2".into()));
    let allowed = vec![PortPattern::One(Address::Serial(path.into()))];
    let (mut found, _) =
        looking(Scope { machine: false, allowed, physical, ..Scope::default() }, KnownLines::default());
    let began = Instant::now();
    let mut board = found.recv().await.unwrap();
    println!("found after {} ms", began.elapsed().as_millis());
    assert!(!heard.lock().unwrap().contains(&PING), "{:?}", heard.lock().unwrap());
    // What came before it was found and what comes after it are without a gap.
    let mut all = board.heard.bytes.clone();
    while all.len() < 12 * 5 {
        all.extend(board.port.receive().await.unwrap().bytes);
    }
    let first = all[3];
    for (place, message) in all.chunks_exact(5).enumerate() {
        assert_eq!(message, update(first + u8::try_from(place).unwrap()), "{all:02x?}");
    }
}

#[tokio::test]
async fn a_device_that_talks_another_protocol_is_never_asked() {
    let (mut device, computer) = TTYPort::pair().unwrap();
    let path = computer.name().unwrap();
    device.set_timeout(Duration::from_millis(50)).unwrap();
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let asked = std::thread::spawn(move || {
        let _computer = computer;
        let mut asked = Vec::new();
        while stopped.try_recv().is_err() {
            let mut bytes = [0; 16];
            if let Ok(length) = device.read(&mut bytes) {
                asked.extend_from_slice(&bytes[..length]);
            } else {
                let _ = device.write_all(b"$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\r\n");
            }
        }
        asked
    });
    let physical = PhysicalPaths(|_| Some("usb 1-3".into()));
    let allowed = vec![PortPattern::One(Address::Serial(path.into()))];
    let (found, _looking) =
        looking(Scope { machine: false, allowed, physical, ..Scope::default() }, KnownLines::default());
    // Two probes, each longer than a second.
    tokio::time::sleep(Duration::from_secs(5)).await;
    drop(found);
    let _ = stop.send(());
    assert_eq!(asked.join().unwrap(), Vec::<u8>::new());
}

/// A search that has looked at this port in vain again and again.
fn searched_often(address: &Address) -> (Discovery, mpsc::Receiver<FoundBoard>) {
    let (sender, found) = mpsc::channel(1);
    let mut port = Port {
        state: PortState::Ignored,
        backoff: Backoff::new(RETRY_START, RETRY_CAP),
        logged: String::new(),
        physical: None,
        device: String::new(),
        unreachable_since: None,
    };
    for _ in 0..10 {
        port.wait();
    }
    let discovery = Discovery {
        ports: HashMap::from([(address.clone(), port)]),
        probing: JoinSet::new(),
        buses: JoinSet::new(),
        serials_on_buses: HashMap::new(),
        on_bus: mpsc::channel(1).0,
        clock: HallClock::start(1.0),
        known: KnownLines::default(),
        asked: Asked::default(),
        found: sender,
        shown: Ports::default(),
        lines: lines_runtime().unwrap(),
    };
    (discovery, found)
}

/// Whether the next look at the port comes as soon as after the first one in vain.
fn looks_again_soon(discovery: &Discovery, address: &Address) -> bool {
    let PortState::Waiting { until } = discovery.ports[address].state else { panic!("it is not waited for") };
    until <= Instant::now() + RETRY_START
}

#[tokio::test]
async fn a_bus_on_which_a_board_was_found_is_looked_for_at_once_when_it_is_lost() {
    let (address, _) = board("20077", "").await;
    let (mut discovery, mut found) = searched_often(&address);
    let port = OpenPort::open(&address).await.unwrap();
    let serial = "20077".to_owned();
    let board = FoundBoard { port, serial, version: None, other_trademark: None, heard: Chunk::now(&[]) };
    discovery.send_on_from_bus(board).await;
    assert_eq!(found.recv().await.unwrap().serial, "20077");
    discovery.bus_ended(&address, &[3_693], &Gone("unplugged".into()));
    assert!(looks_again_soon(&discovery, &address));
}

#[tokio::test]
async fn a_port_that_is_not_there_is_looked_for_often_and_one_that_is_silent_seldom() {
    let address = Address::Serial("/dev/ttyUSB7".into());
    let (mut discovery, _found) = searched_often(&address);
    discovery.probe_failed(&address, &NoBoard::Silent { port: address.clone() });
    assert!(!looks_again_soon(&discovery, &address));
    discovery.probe_failed(&address, &PortError::NotThere { port: address.clone() }.into());
    assert!(looks_again_soon(&discovery, &address));
}
