//! A board's task over a day, without a disk, without a board.

use super::*;

use std::io::Write as _;
use std::path::Path;

use serialport::{SerialPort as _, TTYPort};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::boards::registry::BoardRegistry;
use crate::director::tests::open_play_as_task;
use crate::transport::Address;

/// A board's task in a hall of this speed, with its captures in a folder.
struct Table {
    mailbox: mpsc::Sender<BoardMessage>,
    captures: CaptureFolder,
    task: JoinHandle<()>,
    stop: CancellationToken,
    _data: tempfile::TempDir,
}

impl Table {
    fn begin(folder: &Path, speed: f64) -> Self {
        let clock = HallClock::start(speed);
        let data = tempfile::tempdir().unwrap();
        let director = open_play_as_task(data.path(), clock);
        let captures = CaptureFolder::new(folder.to_owned());
        let (mailbox, received) = mpsc::channel(1);
        let stop = CancellationToken::new();
        let context =
            BoardContext { clock, director, captures: captures.clone(), past_sessions: PastSessions::from_now_on() };
        let display = BoardDisplay::new(BoardRegistry::default().register(&"20077".into(), mailbox.clone()));
        let task = tokio::spawn(run("20077".into(), context, received, display, stop.clone()));
        Self { mailbox, captures, task, stop, _data: data }
    }

    async fn end(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

/// The board of the table, found now at this port.
fn found(port: Port) -> FoundBoard {
    let heard = Chunk::now(&[]);
    FoundBoard { port, serial: "20077".into(), version: Some((1, 8)), other_trademark: None, heard }
}

fn captures(folder: &Path) -> Vec<String> {
    let mut paths: Vec<_> = std::fs::read_dir(folder.join("20077"))
        .map(|files| files.map(|file| file.unwrap().path()).collect())
        .unwrap_or_default();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Waits for the captures to be as they should, in steps of a second of tokio's time.
async fn wait_for(folder: &Path, fact: impl Fn(&[String]) -> bool) {
    for _ in 0..300 {
        if fact(&captures(folder)) {
            return;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    panic!("the captures never became what they should: {:?}", captures(folder));
}

#[tokio::test]
async fn a_new_day_begins_a_new_capture_with_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    // A day passes in four seconds.
    let table = Table::begin(folder.path(), 20_000.0);
    wait_for(folder.path(), |captures| captures.len() >= 2).await;
    table.end().await;
    for capture in captures(folder.path()) {
        assert!(capture.contains(" ! {\"resume\":"), "{capture}");
        assert!(capture.ends_with(" ! {\"end\":{}}\n"), "{capture}");
    }
}

#[test]
fn a_game_stays_in_the_capture_of_the_day_it_began() {
    let day = NaiveDate::from_ymd_opt(2026, 11, 20).unwrap();
    let at = |days: u64, hour: u32| {
        let time = (day + chrono::Days::new(days)).and_hms_opt(hour, 30, 0).unwrap().and_local_timezone(chrono::Local);
        u64::try_from(time.unwrap().timestamp_millis()).unwrap()
    };
    for (days, hour, while_played, otherwise) in
        [(0, 23, false, false), (1, 0, false, true), (1, 11, false, true), (1, 12, true, true), (2, 1, true, true)]
    {
        assert_eq!(day_is_over(day, at(days, hour), true), while_played, "in a game {days} days later at {hour}");
        assert_eq!(day_is_over(day, at(days, hour), false), otherwise, "between games {days} days later at {hour}");
    }
}

#[tokio::test(start_paused = true)]
async fn captures_begin_once_their_folder_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let captures = folder.path().join("captures");
    std::fs::write(&captures, "in the way").unwrap();
    let table = Table::begin(&captures, 1.0);
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert!(table.captures.is_failing(), "nothing says that captures are missing");
    std::fs::remove_file(&captures).unwrap();
    wait_for(&captures, |captures| captures.iter().any(|capture| capture.contains("resume"))).await;
    let folder = table.captures.clone();
    table.end().await;
    assert!(!folder.is_failing(), "captures are written again");
}

#[tokio::test(start_paused = true)]
async fn a_game_goes_on_on_a_board_that_lies_the_other_way_round() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = Port::open(&Address::Tcp(listener.local_addr().unwrap().to_string())).await.unwrap();
    let (mut board, _) = listener.accept().await.unwrap();
    let table = Table::begin(folder.path(), 1.0);
    let found = found(port);
    table.mailbox.send(BoardMessage::Found(found)).await.unwrap();
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let (taken, done) = tokio::sync::oneshot::channel();
    let resume = Resume { game: "cup-1-1".into(), fen: fen.into(), ..Resume::default() };
    table.mailbox.send(BoardMessage::Notice(Notice::Resume(resume), taken)).await.unwrap();
    done.await.unwrap();
    // Before the board has sent its position its orientation is unknown; a message of its clock does not show it.
    let clock = [0x8d, 0x00, 0x0a, 0x20, 0x10, 0x20, 0x20, 0x10, 0x16, 0x08];
    board.write_all(&clock).await.unwrap();
    wait_for(folder.path(), |captures| captures.iter().any(|capture| capture.contains("< 8d000a2010"))).await;
    let mut dump = [dgt_protocol::PieceCode::Empty; 64];
    for (field, piece) in [
        (3, dgt_protocol::PieceCode::WhiteKing),
        (11, dgt_protocol::PieceCode::WhitePawn),
        (59, dgt_protocol::PieceCode::BlackKing),
    ] {
        dump[field] = piece;
    }
    board.write_all(&dgt_protocol::Message::BoardDump(dump).encode()).await.unwrap();
    wait_for(folder.path(), |captures| {
        captures.iter().any(|capture| capture.contains("cup-1-1") && capture.contains("\"rotated\":true"))
    })
    .await;
    table.end().await;
}

#[tokio::test]
async fn what_a_board_says_while_it_waits_for_its_session_keeps_its_times() {
    let folder = tempfile::tempdir().unwrap();
    let (mut board, computer) = TTYPort::pair().unwrap();
    let port = Port::open(&Address::Serial(computer.name().unwrap().into())).await.unwrap();
    let table = Table::begin(folder.path(), 1.0);
    let found = found(port);
    for seconds in [0x10, 0x11] {
        tokio::time::sleep(Duration::from_millis(300)).await;
        board.write_all(&[0x8d, 0x00, 0x0a, 0x20, 0x10, seconds, 0x20, 0x10, 0x16, 0x08]).unwrap();
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    table.mailbox.send(BoardMessage::Found(found)).await.unwrap();
    wait_for(folder.path(), |captures| captures.iter().any(|capture| capture.contains("201011"))).await;
    table.end().await;
    let capture = captures(folder.path()).concat();
    let stamp = |what: &str| -> u64 {
        let line = capture.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}: {capture}"));
        line.split(' ').next().unwrap().parse().unwrap()
    };
    let (attached, first, second) = (stamp("attach"), stamp("201010"), stamp("201011"));
    assert!(attached <= first && first < second, "{attached}, {first}, {second}");
}

#[tokio::test(start_paused = true)]
async fn a_line_that_stays_silent_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = Address::Tcp(listener.local_addr().unwrap().to_string());
    let port = Port::open(&address).await.unwrap();
    let (mut board, _) = listener.accept().await.unwrap();
    let table = Table::begin(folder.path(), 1.0);
    let found = found(port);
    table.mailbox.send(BoardMessage::Found(found)).await.unwrap();
    wait_for(folder.path(), |captures| captures.iter().any(|capture| capture.contains("no answer for 15 s"))).await;
    let mut asked = Vec::new();
    board.read_to_end(&mut asked).await.unwrap();
    assert_eq!(asked.first(), Some(&0x4b), "the board was not armed");
    table.end().await;
}

#[tokio::test]
async fn a_line_that_chatters_is_given_back_before_it_fills_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = Port::open(&Address::Tcp(listener.local_addr().unwrap().to_string())).await.unwrap();
    let (mut device, _) = listener.accept().await.unwrap();
    let table = Table::begin(folder.path(), 1.0);
    let found = found(port);
    table.mailbox.send(BoardMessage::Found(found)).await.unwrap();
    let chatter = tokio::spawn(async move { while device.write_all(&[0x2a; 4_096]).await.is_ok() {} });
    wait_for(folder.path(), |captures| captures.iter().any(|capture| capture.contains("more than a board can"))).await;
    chatter.await.unwrap();
    table.end().await;
}
