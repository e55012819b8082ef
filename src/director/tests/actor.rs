//! The director as an actor: full mailboxes, failing disks, snapshots, its end.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::boards::registry::BoardMessage;
use crate::director::command::MAILBOX;
use game_core::event::Side;
use game_core::input::Notice;
use tournament::ClockShown;

/// Timeout of every wait, far above what a slow machine needs.
const PATIENCE: Duration = Duration::from_mins(1);

/// Timeout of a board's calls while the disk fails: shorter than the failure.
const AT_ONCE: Duration = Duration::from_secs(5);

/// Keeps the journal from being written until it is dropped.
fn full_disk(data: &Path) -> rusqlite::Connection {
    let holder = rusqlite::Connection::open(journal::journal_path(data)).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    holder
}

async fn ended(running: Running, recorder: JoinHandle<()>) {
    tokio::time::timeout(PATIENCE, running.ended()).await.expect("the director ends").unwrap();
    let recorder = task::spawn_blocking(|| recorder.join().unwrap());
    tokio::time::timeout(PATIENCE, recorder).await.expect("the recorder ends").unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_who_order_at_once_on_the_same_version_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    for round in 0..20 {
        let version = director.version();
        let [first, second] = [0, 1].map(|number| {
            let (director, order) = (director.clone(), section(&format!("section-{round}-{number}")));
            tokio::spawn(async move { director.order(ada(), None, Some(version), order).await })
        });
        let (first, second) = (first.await.unwrap(), second.await.unwrap());
        let (receipt, refused) = if first.is_ok() { (first, second) } else { (second, first) };
        assert!(matches!(refused, Err(OrderError::Stale)), "{refused:?}");
        assert_eq!((receipt.unwrap().version, director.hall().sections.len()), (director.version(), round + 2));
    }
}

/// A director that is not at work, so that nothing leaves its mailbox, and the game on board 10001.
async fn not_at_work(data: &Path) -> (Parts, GameRef) {
    let AtWork { director, running, recorder_thread, recorder, .. } = cup(data).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let game = start(&director, "10001").await.unwrap();
    drop((director, recorder));
    ended(running, recorder_thread).await;
    let mut parts = Parts::of(data, HallClock::start(1.0));
    // As the board's task begins.
    assert_eq!(parts.director.past("10001").game.as_ref(), Some(&game));
    (parts, game)
}

/// Knights go out and back: ply, SAN, UCI.
fn shuffle(plies: usize) -> Vec<(u32, &'static str, &'static str)> {
    let knights = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];
    (1..).zip(knights.into_iter().cycle()).take(plies).map(|(ply, (san, uci))| (ply, san, uci)).collect()
}

/// Whether the game on board 10001 has exactly these moves by now.
async fn has_moves(director: &DirectorHandle, moves: &[(u32, &str, &str)]) -> bool {
    let known = director.link("10001".into()).past().await.resume.unwrap().moves;
    known.iter().map(|played| &*played.uci).eq(moves.iter().map(|(_, _, uci)| *uci))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_mailbox_neither_loses_moves_nor_lets_a_board_wait_and_orders_wait_for_room() {
    let folder = tempfile::tempdir().unwrap();
    let (parts, game) = not_at_work(folder.path()).await;
    let moves = shuffle(MAILBOX + 200);
    let (before, after) = moves.split_at(MAILBOX + 100);
    let mut link = parts.handle.link("10001".into());
    for (ply, san, uci) in before {
        link.hand_in(a_move(&game, *ply, san, uci));
    }
    let order = tokio::spawn({
        let director = parts.handle.clone();
        async move { director.order(ada(), None, None, section("other")).await }
    });
    let AtWork { director, .. } = parts.start();
    order.await.unwrap().unwrap();
    for (ply, san, uci) in after {
        link.hand_in(a_move(&game, *ply, san, uci));
    }
    link.flush().await;
    assert!(has_moves(&director, &moves).await, "moves are lost or in another order");
    assert!(director.hall().section("other").is_some());
    settle(&director).await;
    assert_eq!(sans(folder.path(), &game.game).len(), moves.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_fails_while_the_mailbox_is_full_leaves_its_moves() {
    let folder = tempfile::tempdir().unwrap();
    let (parts, game) = not_at_work(folder.path()).await;
    let moves = shuffle(MAILBOX + 10);
    let mut link = parts.handle.link("10001".into());
    for (ply, san, uci) in &moves {
        link.hand_in(a_move(&game, *ply, san, uci));
    }
    drop(link);
    let AtWork { director, .. } = parts.start();
    let all = async {
        while !has_moves(&director, &moves).await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, all).await.expect("moves are lost or in another order");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn boards_go_on_at_once_while_an_order_waits_for_a_disk_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let disk = full_disk(folder.path());
    let order = tokio::spawn({
        let director = director.clone();
        async move { director.order(ada(), None, None, section("other")).await }
    });
    // Long enough for the order to reach its wait.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let board = async {
        let mut link = director.link("10001".into());
        let started = record(Event::GameStarted { fen: START.into(), variant: Variant::Standard });
        let game = link.open_game(1, started).await.unwrap().game;
        link.hand_in(a_move(&game, 1, "e4", "e2e4"));
        // It reads its own writes: the move in its past, the start in the hall.
        (link.past().await.resume.unwrap().moves.len(), director.hall().playing("10001").cloned())
    };
    let (moves, playing) = tokio::time::timeout(AT_ONCE, board).await.expect("a board waited for the disk");
    assert_eq!((moves, playing.as_deref()), (1, Some("cup-1-1")));
    assert!(!order.is_finished(), "the order did not wait for the disk");
    assert!(director.hall().section("other").is_none());
    disk.execute_batch("ROLLBACK").unwrap();
    order.await.unwrap().unwrap();
    assert!(director.hall().section("other").is_some());
    assert_eq!(sans(folder.path(), "cup-1-1"), ["e4"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_whose_author_hangs_up_while_it_waits_is_not_carried_out() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    let disk = full_disk(folder.path());
    let order = tokio::spawn({
        let director = director.clone();
        async move { director.order(ada(), None, None, section("other")).await }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    order.abort();
    assert!(order.await.unwrap_err().is_cancelled());
    disk.execute_batch("ROLLBACK").unwrap();
    settle(&director).await;
    assert!(director.hall().section("other").is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_gets_the_notice_of_an_order_although_the_author_hung_up() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let game = start(&director, "10001").await.unwrap();
    let (sender, mut mailbox) = mpsc::channel(1);
    let _state = director.boards().register(&"10001".into(), sender);
    let adjourn = Order::Adjourn { game: game.game.to_string() };
    let order = tokio::spawn({
        let director = director.clone();
        async move { director.order(ada(), None, None, adjourn).await }
    });
    let message = tokio::time::timeout(PATIENCE, mailbox.recv()).await.unwrap();
    let Some(BoardMessage::Notice(Notice::Resume(_), taken)) = message else { panic!("{message:?}") };
    assert!(director.hall().playing("10001").is_none(), "the board got the notice before the order was recorded");
    order.abort();
    assert!(order.await.unwrap_err().is_cancelled());
    taken.send(()).expect("the director waits for the board");
    settle(&director).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_see_the_facts_in_the_order_of_the_journal_and_their_own_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = Parts::of(folder.path(), HallClock::start(1.0)).start();
    let done = Arc::new(AtomicBool::new(false));
    let watching = thread::spawn({
        let (changes, done) = (director.changes(), Arc::clone(&done));
        move || {
            let (mut seen, mut last) = (0, Snapshot::default());
            while !done.load(Ordering::Relaxed) {
                let now = Arc::clone(&changes.borrow());
                assert!(now.version >= last.version, "the version went back");
                assert!(now.hall.sections.len() >= last.hall.sections.len(), "a section was there and is gone");
                // Hall and version are of one instant: each order here makes one section.
                assert_eq!(now.hall.sections.len() as u64, now.version, "{now:?}");
                seen += u32::from(now.version != last.version);
                last = Snapshot::clone(&now);
            }
            seen
        }
    });
    for number in 0..50 {
        let name = format!("section-{number}");
        let receipt = director.order(ada(), None, None, section(&name)).await.unwrap();
        let snapshot = director.snapshot();
        assert!(snapshot.version >= receipt.version && snapshot.hall.section(&name).is_some());
        assert!(director.link("10001".into()).expected().await.is_none());
    }
    done.store(true, Ordering::Relaxed);
    assert!(watching.join().unwrap() > 0, "the reader saw nothing");
    let hall = director.hall();
    let (again, _) = open(folder.path(), HallClock::start(1.0));
    assert_eq!(again.snapshot(), Arc::new(Snapshot { hall, ..Snapshot::clone(&director.snapshot()) }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_ends_with_its_last_handle_and_nothing_that_was_sent_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, running, recorder_thread, recorder, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let game = start(&director, "10001").await.unwrap();
    let mut link = director.link("10001".into());
    drop((director, recorder));
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert!(!recorder_thread.is_finished(), "a board still has its link");
    link.hand_in(a_move(&game, 1, "e4", "e2e4"));
    drop(link);
    ended(running, recorder_thread).await;
    assert_eq!(sans(folder.path(), "cup-1-1"), ["e4"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_director_orders_and_boards_get_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let parts = Parts::of(folder.path(), HallClock::start(1.0));
    let (director, mut link) = (parts.handle.clone(), parts.handle.link("10001".into()));
    drop(parts);
    let refused = director.order(ada(), None, None, section("cup")).await.unwrap_err();
    assert!(matches!(refused, OrderError::Stopped), "{refused}");
    assert!(link.expected().await.is_none() && link.past().await.game.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_that_left_their_boards_leave_the_memory_although_nobody_gives_an_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut parts = Parts::open_play(folder.path(), HallClock::start(1.0));
    parts.director.register_board(&"10001".into());
    let mut games = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let started = record(Event::GameStarted { fen: START.into(), variant: Variant::Standard });
        let opened = parts.director.open_game("10001", 1, started).unwrap();
        parts.director.hand_in("10001", a_move(&opened.game, 1, "Nf3", "g1f3"));
        games.insert(opened.game.game);
        // Everything that was recorded is in the journal.
        tokio::time::timeout(PATIENCE, parts.recorder.record_durably(Batch::default())).await.unwrap().unwrap();
        let loaded = parts.director.state.games.len();
        assert!(loaded <= 3, "{loaded} games are in memory after {}", games.len());
    }
    assert_eq!(games.len(), 20);
    let first = games.first().unwrap();
    assert_eq!(sans(folder.path(), first), ["Nf3"], "what left the memory is in the journal");
}

#[tokio::test]
async fn a_board_goes_on_with_its_unassigned_game_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;7;Adler;Bos;\n")).await.unwrap();
    let apart = start(&director, "10001").await.unwrap();
    assert_eq!(&*apart.game, "10001-apart-1");
    played(&director, "10001", &apart, 1, "e4", "e2e4");
    settle(&director).await;
    drop(director);
    let (again, _) = open(folder.path(), HallClock::start(1.0));
    let past = again.link("10001".into()).past().await;
    let resume = past.resume.unwrap();
    assert_eq!((past.game.map(|at| at.game), &*resume.game), (Some(apart.game), "10001-apart-1"));
    assert_eq!(resume.moves.len(), 1);
}

#[tokio::test]
async fn an_adjourned_game_has_the_time_that_its_board_shows() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n")).await.unwrap();
    let game = start(&director, "10001").await.unwrap();
    played(&director, "10001", &game, 1, "e4", "e2e4");
    let now = HallClock::start(1.0).now();
    let clock = |ms, read_at| ClockShown { white_ms: Some(600_000), black_ms: Some(ms), running: None, read_at };
    let ClockShown { white_ms, black_ms, read_at, .. } = clock(590_000, now - 60_000);
    let event = Event::Clock { white_ms, black_ms, running: Some(Side::Black), flag: None, read_at };
    let (author, evidence) = (Author::Board, Evidence::Lever);
    let games = vec![NewEvent { at: now, game: game.clone(), author, evidence, event }];
    director.link("10001".into()).hand_in(Batch { games, ..Batch::default() });
    // Nothing is recorded while a clock runs, and the arbiter has stopped it.
    let state = director.boards().register(&"10001".into(), mpsc::channel(1).0);
    state.send_modify(|state| state.clock = Some(clock(571_000, now - 2_000)));
    director.order(ada(), None, None, Order::Adjourn { game: game.game.to_string() }).await.unwrap();
    let recorded = Reader::open_in(folder.path()).unwrap().game(&game.game).unwrap().unwrap().fold();
    let recorded = recorded.clock().unwrap();
    assert_eq!((recorded.running, recorded.white_ms, recorded.black_ms), (None, Some(600_000), Some(571_000)));
}

#[tokio::test]
async fn the_first_moves_of_a_game_that_is_played_again_are_not_those_of_the_next_round() {
    let folder = tempfile::tempdir().unwrap();
    let AtWork { director, .. } = cup(folder.path()).await;
    director.order(ada(), None, None, pairings("1;1;Adler;Bos;\n1;2;Clark;Davis;\n")).await.unwrap();
    director.order(ada(), None, None, pairings("2;1;Clark;Adler;\n2;2;Davis;Bos;\n")).await.unwrap();
    director.order(ada(), None, None, Order::Publish { section: "cup".into(), round: 2, confirm: true }).await.unwrap();
    let other = start(&director, "10002").await.unwrap();
    played(&director, "10002", &other, 1, "e4", "e2e4");
    let now = HallClock::start(1.0).now();
    let event = Event::Clock {
        white_ms: Some(600_000),
        black_ms: Some(600_000),
        running: Some(Side::Black),
        flag: None,
        read_at: now,
    };
    let (author, evidence) = (Author::Board, Evidence::Lever);
    let games = vec![NewEvent { at: now, game: other.clone(), author, evidence, event }];
    director.link("10002".into()).hand_in(Batch { games, ..Batch::default() });
    let first = start(&director, "10001").await.unwrap();
    played(&director, "10001", &first, 1, "d4", "d2d4");
    // The pieces are put back, and the game begins again.
    let next = start(&director, "10001").await.unwrap();
    assert_eq!(&*next.game, "cup-2-1");
    let (sender, mut mailbox) = mpsc::channel(1);
    let _state = director.boards().register(&"10001".into(), sender);
    // The board's task takes this for the next game until it is told.
    let mut link = director.link("10001".into());
    link.hand_in(a_move(&next, 1, "c4", "c2c4"));
    link.hand_in(a_move(&next, 2, "c5", "c7c5"));
    let message = tokio::time::timeout(PATIENCE, mailbox.recv()).await.unwrap();
    let Some(BoardMessage::Notice(Notice::Assign(assign), taken)) = message else { panic!("{message:?}") };
    assert_eq!(assign.game, "10001-apart-1");
    taken.send(()).unwrap();
    settle(&director).await;
    let told = |game: &str| sans(folder.path(), game);
    assert_eq!(
        (told("cup-1-1"), told("cup-2-1"), told("10001-apart-1")),
        (vec!["d4".to_owned()], vec![], vec!["c4".to_owned(), "c5".to_owned()])
    );
}
