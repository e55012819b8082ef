//! Games that went on before the feed began, as after a restart.

use super::*;
use crate::admin::tests::parts;
use game_core::event::{Author, Evidence, Record as Told, Variant};
use game_core::time::Timestamp;
use tournament::{EnteredMove, Order, PairingFile, SectionSettings};

/// A game that another recorder plays move by move.
struct Played {
    admin: Admin,
    id: Arc<str>,
    _folder: tempfile::TempDir,
}

impl Played {
    async fn begin() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let admin = Admin::new(parts(folder.path(), None));
        let section = || "spring-open".to_owned();
        let text = "Round;Table;White;Black\n1;1;Adler, Ida;Bos, Jan\n".into();
        let files = vec![PairingFile { name: "round-1.csv".into(), text, guessed_encoding: None }];
        for order in [
            Order::SetSection { section: section(), settings: SectionSettings::named("Spring Open"), confirm: false },
            Order::LoadPairings { section: section(), files, round: None, confirm: false },
            Order::Publish { section: section(), round: 1, confirm: true },
        ] {
            admin.parts.director.order(Author::Operator("Anna".into()), None, None, order).await.unwrap();
        }
        let id = Arc::clone(&admin.parts.director.hall().sections["spring-open"].rounds[&1].games[0].id);
        Self { admin, id, _folder: folder }
    }

    /// Records the moves so far; returns when they are in the feed.
    async fn play(&self, moves: &[&str]) {
        let moves: Vec<_> =
            moves.iter().map(|san| EnteredMove { san: (*san).to_owned(), clk_ms: None, emt_ms: None }).collect();
        let plies = moves.len();
        let (game, source) = (self.id.to_string(), "hall-b".to_owned());
        let order = Order::TakeMoves { game, source, moves, start: None, result: None };
        self.admin.parts.director.order(Author::Rule("source hall-b".into()), None, None, order).await.unwrap();
        let is_move =
            |entry: &Committed| matches!(entry, Committed::Game(entry) if matches!(entry.event, Event::Move { .. }));
        while self.admin.parts.feed.read_from(0).ready_entries().iter().filter(|entry| is_move(entry)).count() < plies {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    }

    /// The dashboard of a daemon that starts now.
    fn after_a_restart(&self) -> Live {
        let known = self.admin.parts.feed.read_from(0).ready_entries();
        Live::following(self.admin.parts.feed.read_from(known.last().map_or(0, |last| last.number() + 1)))
    }

    fn read(&self, id: &str) -> Option<Recorded> {
        Recorded::of_journal(&self.admin.parts.reader, id)
    }
}

fn plies(live: &Live, id: &str) -> Option<usize> {
    live.record().game(id).map(|recorded| recorded.game.moves().len())
}

#[tokio::test]
async fn other_pages_look_while_a_game_is_read_from_the_journal() {
    let played = Played::begin().await;
    played.play(&["e4"]).await;
    let (live, hall) = (played.after_a_restart(), played.admin.parts.director.hall());
    live.read_past(&hall, &shown_games(&hall), None, |id| {
        assert!(live.record.try_lock().is_ok(), "the journal is read with the lock");
        played.read(id)
    });
    assert_eq!(plies(&live, &played.id), Some(1));
}

#[tokio::test]
async fn what_happens_while_a_game_is_read_is_not_missed() {
    let played = Played::begin().await;
    played.play(&["e4"]).await;
    let (live, hall) = (played.after_a_restart(), played.admin.parts.director.hall());
    let shown = shown_games(&hall);
    assert_eq!(live.record().missing(&hall, &shown, None), [Arc::clone(&played.id)]);
    let early = played.read(&played.id);
    played.play(&["e4", "e5"]).await;
    // Another page reads the feed.
    live.record().read_feed(&hall, &shown);
    let late = played.read(&played.id);
    live.record().put_past(&played.id, early, &shown);
    assert_eq!(plies(&live, &played.id), Some(2));
    // What the journal had already is not added twice, and a later reader changes nothing.
    live.record().put_past(&played.id, late, &shown);
    played.play(&["e4", "e5", "Nf3"]).await;
    live.record().read_feed(&hall, &shown);
    assert_eq!(plies(&live, &played.id), Some(3));
    assert_eq!(live.record().missing(&hall, &shown, None), [] as [Arc<str>; 0]);
    assert!(live.record().reading.is_empty());
}

#[tokio::test]
async fn an_unassigned_game_is_forgotten_when_the_next_one_is_on_its_board() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let played = Played::begin().await;
    let (parts, live) = (&played.admin.parts, &played.admin.live);
    let board: Arc<str> = "20077".into();
    parts.director.register_board(&board).await;
    let mut link = parts.director.link(board);
    let mut ids = Vec::new();
    for _ in 0..3 {
        let event = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
        let (author, evidence) = (Author::Board, Evidence::StartPosition);
        let started = Told { t: Timestamp::from_ms(0), event, author, evidence };
        ids.push(link.open_game(parts.hall_clock.now(), started).await.unwrap().game.game);
        let id = ids.last().unwrap();
        assert!(parts.director.hall().unassigned.contains_key(id), "it has a pairing");
        let patience = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while live.record().game(id).is_none() {
            assert!(std::time::Instant::now() < patience, "the game does not come");
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            live.look(&played.admin, None, None);
        }
    }
    assert!(live.record().game(&ids[0]).is_none() && live.record().game(&ids[1]).is_none(), "{ids:?}");
}
