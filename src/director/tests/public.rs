//! What an operator orders, as the public sees it: through director, journal and gate.

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use game_core::event::Author;

use crate::director::{self, DirectorHandle};
use hall_clock::HallClock;
use journal;
use journal::{DataFolder, Reader};
use notation::pgn::Outcome;
use publish::bodies::{Bodies, Letters};
use publish::gate::{self, History, Policy, PublicView, Since, View};
use publish::selection::Selection;
use publish::snapshot::Snapshots;

/// The section as the public sees it.
type Section = publish::gate::SectionView<PublicView>;

use tournament::{Display, EnteredMove, MoveEdit, Order, PairingFile, PlayerId, SectionSettings};

/// Longer than anything here takes; only a defect waits so long.
const PATIENCE: Duration = Duration::from_mins(1);

fn since(view: &Section, round: u32, seq: u64) -> Since {
    view.tail(round, seq).map_or(Since::NotKept, |tail| tail.since)
}

struct Organiser {
    director: DirectorHandle,
    public: PublicView,
    clock: HallClock,
    released: mpsc::Receiver<()>,
}

impl Organiser {
    /// As a daemon starts over what is in a folder.
    fn start(data: &Path) -> Self {
        let (journal, reader) = DataFolder::take(data).unwrap().open_journal().unwrap();
        let clock = HallClock::start(1.0);
        let (past, reader) = (reader.past().unwrap(), Arc::new(reader));
        let identity = journal.identity().unwrap();
        let history =
            History { identity, rounds: past.rounds.clone(), reader: Some(Arc::clone(&reader)), closed: false };
        let (recorder, feed, _) = journal::start(clock, journal, past.entries.clone()).unwrap();
        let weak = recorder.downgrade();
        let (director, _) = director::start(clock, recorder, Reader::open_in(data).unwrap(), &past).unwrap();
        let public = gate::open(&feed, clock, history, weak).unwrap().0.public(Policy::PUBLIC);
        let (sender, released) = mpsc::channel();
        public.watch(move || {
            let _ = sender.send(());
        });
        Self { director, public, clock, released }
    }

    /// A section without boards and its first round, paired and public.
    async fn open(data: &Path) -> Self {
        let organiser = Self::start(data);
        let settings = SectionSettings { boardless_games: true, auto_publish: true, ..SectionSettings::named("Cup") };
        organiser.order(Order::SetSection { section: "cup".into(), settings, confirm: false }).await;
        let text = "Round;Board;White;Black\n1;1;Adler, Ida;Bos, Jan\n1;2;Clark, Ann;Dee, Tom\n".into();
        let files = vec![PairingFile { name: "round.csv".into(), text, guessed_encoding: None }];
        organiser.order(Order::LoadPairings { section: "cup".into(), files, round: None, confirm: false }).await;
        organiser.until(|view| view.round(1).is_some_and(|round| round.games.len() == 2));
        organiser
    }

    async fn order(&self, order: Order) {
        self.director.order(Author::Operator("Ada".into()), None, None, order).await.unwrap();
    }

    fn view(&self) -> Option<Section> {
        self.public.section("cup")
    }

    /// Waits until the public sees it.
    fn until(&self, seen: impl Fn(&Section) -> bool) -> Section {
        loop {
            if let Some(view) = self.view().filter(&seen) {
                return view;
            }
            self.released.recv_timeout(PATIENCE).expect("it becomes public");
        }
    }

    /// Everything that the public can read of the section.
    fn everything(&self) -> String {
        let view = self.view().unwrap();
        let files = [Selection::All, Selection::Live, Selection::Round(1)].map(|selection| {
            let body = Bodies::new(self.public.clone(), self.clock).get("cup", &selection, Letters::Unicode).unwrap();
            String::from_utf8(body.text().to_vec()).unwrap()
        });
        let (start, rest) = Snapshots::new(self.public.clone(), self.clock).take("cup", 1, None).unwrap().pieces();
        let seq = view.round(1).unwrap().seq;
        let news: Vec<_> = (0..=seq).map(|seq| format!("{:?}", since(&view, 1, seq))).collect();
        format!("{files:?}{start}{}{news:?}", String::from_utf8_lossy(&rest))
    }

    fn player(&self, name: &str) -> PlayerId {
        self.director.persons().iter().find(|(_, person)| person.name == name).unwrap().0
    }
}

fn entered(san: &str) -> EnteredMove {
    EnteredMove { san: san.into(), clk_ms: None, emt_ms: None }
}

fn white(view: &Section, game: &str) -> Option<String> {
    view.game(game)?.game.tags().get("White").cloned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_wants_to_be_hidden_is_hidden_everywhere_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let organiser = Organiser::open(folder.path()).await;
    assert!(organiser.everything().contains("Adler, Ida"));
    let player = organiser.player("Adler, Ida");
    organiser.order(Order::SetDisplay { player, display: Display::Initials }).await;
    organiser.until(|view| white(view, "cup-1-1").as_deref() == Some("A., I."));
    assert!(!organiser.everything().contains("Ida"), "{}", organiser.everything());
    let tags = [("Annotator".to_owned(), "Ann Clark".to_owned())].into();
    organiser.order(Order::SetTags { game: "cup-1-1".into(), tags }).await;
    for game in ["cup-1-1", "cup-1-2"] {
        organiser
            .order(Order::SetResult { game: game.into(), result: "1-0".into(), reason: None, confirm: false })
            .await;
    }
    // The round ends with its last result, also when no game was begun.
    organiser.until(|view| view.round(1).is_some_and(|round| round.ended()));
    assert!(organiser.everything().contains("Ann Clark"), "{}", organiser.everything());
    organiser.order(Order::Forget { player: organiser.player("Clark, Ann") }).await;
    organiser.until(|view| white(view, "cup-1-2").is_none_or(|name| !name.contains("Clark")));
    let everything = organiser.everything();
    assert!(!everything.contains("Clark") && everything.contains("Bos, Jan"), "{everything}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pair_that_comes_back_is_public_again_at_its_address_with_moves_and_result() {
    let folder = tempfile::tempdir().unwrap();
    let organiser = Organiser::open(folder.path()).await;
    let game = || "cup-1-1".to_owned();
    let moves = MoveEdit::Set { after: 0, moves: ["e4", "e5"].map(entered).to_vec(), instead_of: None };
    organiser.order(Order::EditMoves { game: game(), edit: moves, cut: false }).await;
    organiser.order(Order::SetResult { game: game(), result: "1-0".into(), reason: None, confirm: false }).await;
    let whole = |view: &Section| {
        let game = view.game("cup-1-1");
        game.is_some_and(|game| game.game.moves().len() == 2 && game.game.result() == Outcome::WhiteWins)
    };
    organiser.until(whole);
    let load = |rows: &str| {
        let text = format!("Round;Board;White;Black\n{rows}1;2;Clark, Ann;Dee, Tom\n");
        let files = vec![PairingFile { name: "round.csv".into(), text, guessed_encoding: None }];
        Order::LoadPairings { section: "cup".into(), files, round: None, confirm: true }
    };
    organiser.order(Order::Unpair { game: game(), confirm: true }).await;
    organiser.order(load("1;1;Eng, Kim;Fox, Lee\n")).await;
    organiser.until(|view| view.game("cup-1-1").is_none() && white(view, "cup-1-1x2").is_some());
    organiser.order(load("1;1;Adler, Ida;Bos, Jan\n")).await;
    let view = organiser.until(whole);
    assert_eq!(view.round(1).unwrap().games.len(), 2);
    drop(organiser);
    Organiser::start(folder.path()).until(whole);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_is_forgotten_in_rounds_that_were_over_before_the_daemon_started() {
    let folder = tempfile::tempdir().unwrap();
    {
        let organiser = Organiser::open(folder.path()).await;
        for round in 1..=4 {
            let text = format!(
                "Round;Board;White;Black;Result\n{round};1;Adler, Ida;Bos, Jan;1-0\n{round};2;Clark, Ann;Dee, Tom;0-1\n"
            );
            let files = vec![PairingFile { name: "round.csv".into(), text, guessed_encoding: None }];
            organiser.order(Order::LoadPairings { section: "cup".into(), files, round: None, confirm: true }).await;
            if organiser.director.hall().round("cup", round).is_some_and(|round| !round.published) {
                organiser.order(Order::Publish { section: "cup".into(), round, confirm: true }).await;
            }
        }
        organiser.until(|view| view.round(4).is_some_and(|round| round.games.len() == 2));
    }
    let organiser = Organiser::start(folder.path());
    let bodies = Bodies::new(organiser.public.clone(), organiser.clock);
    let text = |selection: Selection| {
        let body = bodies.get("cup", &selection, Letters::Unicode).unwrap();
        String::from_utf8(body.text().to_vec()).unwrap()
    };
    let round = organiser.view().unwrap().round(1).unwrap();
    assert!(round.games.iter().all(|game| game.live().is_none()), "the first round is in memory");
    assert!(
        text(Selection::Round(1)).contains("Clark, Ann") && text(Selection::All).matches("Clark, Ann").count() == 4
    );
    assert_eq!(white(&organiser.view().unwrap(), "cup-1-2").as_deref(), Some("Clark, Ann"));
    organiser.order(Order::Forget { player: organiser.player("Clark, Ann") }).await;
    organiser.until(|view| white(view, "cup-1-2").as_deref() == Some("?"));
    assert!(!text(Selection::Round(1)).contains("Clark") && !text(Selection::All).contains("Clark"));
    assert_eq!(text(Selection::All).matches("Adler, Ida").count(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_by_hand_are_corrected_in_one_step_and_a_game_is_withdrawn_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    let organiser = Organiser::open(folder.path()).await;
    let game = || "cup-1-1".to_owned();
    let edit = |edit| Order::EditMoves { game: game(), edit, cut: false };
    let moves = ["e4", "c5", "Nf3", "d6"].map(entered).into();
    organiser.order(edit(MoveEdit::Set { after: 0, moves, instead_of: None })).await;
    let view = organiser.until(|view| view.game("cup-1-1").is_some_and(|game| game.game.moves().len() == 4));
    assert!(view.game("cup-1-1").unwrap().is_under_way());
    let before = view.round(1).unwrap();
    organiser.order(edit(MoveEdit::Replace { ply: 2, played: entered("e5") })).await;
    let replaced = |view: &Section| view.game("cup-1-1").is_some_and(|game| game.game.moves()[1].san == "e5");
    let view = organiser.until(replaced);
    let Since::Events(step) = since(&view, 1, before.seq) else { panic!("all is kept") };
    assert!(step.len() > 2 && step.iter().rev().skip(1).all(|event| event.more), "{step:?}");
    assert_eq!(view.game("cup-1-1").unwrap().game.moves().len(), 4);

    organiser.order(Order::Withdraw { game: game() }).await;
    let view = organiser.until(|view| view.game("cup-1-1").is_none());
    assert!(!organiser.everything().contains("cup-1-1"), "{}", organiser.everything());
    let withdrawn = view.round(1).unwrap();
    assert_ne!(withdrawn.stream, before.stream);
    let number = organiser.director.hall().corrections.len() as u32;
    organiser.order(edit(MoveEdit::Delete { ply: 4 })).await;
    organiser.order(edit(MoveEdit::Insert { ply: 4, played: entered("d6") })).await;
    organiser
        .order(Order::SetResult { game: "cup-1-2".into(), result: "0-1".into(), reason: None, confirm: false })
        .await;
    let over = |view: &Section| view.game("cup-1-2").is_some_and(|game| !game.game.is_running());
    let Since::Events(told) = since(&organiser.until(over), 1, withdrawn.seq) else { panic!("all is kept") };
    assert_eq!(told.iter().map(|event| event.seq).collect::<Vec<_>>(), [withdrawn.seq + 1], "a gap tells of more");
    organiser.order(Order::Undo { number }).await;
    let view = organiser.until(|view| view.game("cup-1-1").is_some());
    assert_eq!(view.game("cup-1-1").unwrap().game.moves().len(), 4);
    assert_eq!(white(&view, "cup-1-1").as_deref(), Some("Adler, Ida"));
}
