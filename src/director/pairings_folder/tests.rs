//! A folder of pairings as organisers use it.

use std::path::Path;

use super::*;
use crate::director::tests::open;
use tournament::SectionSettings;

/// A hall with one section, and the folder that it watches.
async fn watched(data: &Path) -> (DirectorHandle, PairingsFolder, AlarmBook, PathBuf) {
    let clock = HallClock::start(1.0);
    let (director, _) = open(data, clock);
    let order = Order::SetSection { section: "cup".into(), settings: SectionSettings::named("Cup"), confirm: false };
    director.order(Author::Rule("test".into()), None, None, order).await.unwrap();
    let (path, alarms) = (data.join("pairings"), AlarmBook::default());
    std::fs::create_dir(&path).unwrap();
    let folder = PairingsFolder::new(path.clone(), director.clone(), alarms.clone(), clock);
    (director, folder, alarms, path)
}

#[tokio::test]
async fn nothing_is_made_in_the_place_of_a_data_folder_that_was_unmounted() {
    let data = tempfile::tempdir().unwrap();
    let (director, _, alarms, _) = watched(data.path()).await;
    let gone = data.path().join("unmounted");
    let folder = PairingsFolder::new(gone.join("pairings"), director, alarms, HallClock::start(1.0));
    let error = folder.watch(CancellationToken::new()).await.unwrap_err().to_string();
    assert!(error.contains("unmounted/pairings cannot be read (No such file"), "{error}");
    assert!(!gone.exists());
}

/// Saves a file and looks until it is loaded.
async fn save(folder: &mut PairingsFolder, path: &Path, rows: &str) {
    std::fs::write(path.join("round.csv"), format!("Round;Board;White;Black;Result\n{rows}")).unwrap();
    for _ in 0..2 {
        folder.look().await.unwrap();
    }
}

fn refusals(alarms: &AlarmBook) -> Vec<String> {
    alarms.list(|_| true).into_iter().map(|alarm| alarm.text).collect()
}

#[tokio::test]
async fn a_saved_result_that_differs_from_ours_is_reported_and_changes_nothing() {
    let data = tempfile::tempdir().unwrap();
    let (director, mut folder, alarms, path) = watched(data.path()).await;
    save(&mut folder, &path, "1;1;Adler;Bos;\n").await;
    let result = Order::SetResult { game: "cup-1-1".into(), result: "1/2-1/2".into(), reason: None, confirm: false };
    director.order(Author::Rule("test".into()), None, None, result).await.unwrap();
    for (said, differs) in [("½-½", false), ("+ - -", true), ("0,5-0,5", false), ("0-0", true), ("", false)] {
        save(&mut folder, &path, &format!("1;1;Adler;Bos;{said}\n")).await;
        let hall = director.hall();
        let game = hall.game("cup-1-1").unwrap().game;
        assert_eq!((game.result_differs(), game.result.unwrap().to_string().as_str()), (differs, "1/2-1/2"), "{said}");
    }
    assert_eq!(refusals(&alarms), [""; 0]);
}

#[tokio::test]
async fn what_is_refused_is_an_alarm_until_it_is_mended_or_gone() {
    let data = tempfile::tempdir().unwrap();
    let (director, mut folder, alarms, path) = watched(data.path()).await;
    save(&mut folder, &path, "1;x;Adler;Bos;\n").await;
    let [refused] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
    assert!(refused.contains("round.csv, line 2, column 2: «x» is not a table number"), "{refused}");
    assert!(director.hall().round("cup", 1).is_none(), "half of it was applied");
    save(&mut folder, &path, "1;1;Adler;Bos;1-0\n").await;
    assert_eq!((refusals(&alarms).len(), director.hall().round("cup", 1).unwrap().games.len()), (0, 1));
    save(&mut folder, &path, "1;1;Adler;Adler;\n").await;
    assert_eq!(refusals(&alarms).len(), 1);
    std::fs::remove_file(path.join("round.csv")).unwrap();
    for _ in 0..2 {
        folder.look().await.unwrap();
    }
    assert_eq!(refusals(&alarms), [""; 0]);
}

#[tokio::test]
async fn every_place_says_which_files_are_refused_and_what_to_do_with_them() {
    let data = tempfile::tempdir().unwrap();
    let (_, mut folder, alarms, path) = watched(data.path()).await;
    let other = path.join("Blitz");
    std::fs::create_dir(&other).unwrap();
    save(&mut folder, &path, "1;x;Adler;Bos;\n").await;
    save(&mut folder, &other, "1;y;Clark;Dee;\n").await;
    let [refused] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
    for said in ["«x» is not a table number", "The pairings in Blitz are not loaded", "«y» is not a table number"] {
        assert!(refused.contains(said), "{refused}");
    }
    assert_eq!(
        refused.matches("save it again, or remove it; until then this alarm stays. Files: round.csv.").count(),
        2
    );
    std::fs::remove_file(path.join("round.csv")).unwrap();
    for _ in 0..2 {
        folder.look().await.unwrap();
    }
    let [refused] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
    assert!(!refused.contains("«x»") && refused.contains("«y»"), "{refused}");
    save(&mut folder, &other, "1;1;Clark;Dee;\n").await;
    assert_eq!(refusals(&alarms), [""; 0]);
}

#[tokio::test]
async fn in_an_empty_daemon_a_file_alone_makes_its_section() {
    let data = tempfile::tempdir().unwrap();
    let clock = HallClock::start(1.0);
    let (director, _) = crate::director::tests::open_play(data.path(), clock);
    let (path, alarms) = (data.path().join("pairings"), AlarmBook::default());
    std::fs::create_dir_all(path.join("Spring Open")).unwrap();
    let mut folder = PairingsFolder::new(path.clone(), director.clone(), alarms.clone(), clock);
    let pgn = "[Event \"City Cup\"]\n[Site \"Brno\"]\n[Round \"1.1\"]\n[White \"Adler\"]\n[Black \"Bos\"]\n[Result \"*\"]\n\n*\n";
    std::fs::write(path.join("round.pgn"), pgn).unwrap();
    std::fs::write(path.join("Spring Open/r1.csv"), "Round;Board;White;Black\n1;2;Clark;Dee\n").unwrap();
    for _ in 0..2 {
        folder.look().await.unwrap();
    }
    let hall = director.hall();
    let cup = hall.section("city-cup").unwrap();
    assert_eq!((&*cup.settings.name, &*cup.settings.site), ("City Cup", "Brno"));
    assert_eq!(cup.rounds[&1].games.len(), 1);
    assert_eq!(hall.section("spring-open").unwrap().settings.name, "Spring Open");
    assert_eq!(refusals(&alarms), [""; 0]);
    let outcome = Outcome::of_file(&path, &path.join("round.pgn")).unwrap();
    assert!(outcome.state == State::Loaded && outcome.text.starts_with("Loaded into the section city-cup"));
}

#[tokio::test]
async fn a_rubbish_file_makes_no_section() {
    let data = tempfile::tempdir().unwrap();
    let clock = HallClock::start(1.0);
    let (director, _) = crate::director::tests::open_play(data.path(), clock);
    let (path, alarms) = (data.path().join("pairings"), AlarmBook::default());
    std::fs::create_dir_all(&path).unwrap();
    let mut folder = PairingsFolder::new(path.clone(), director.clone(), alarms.clone(), clock);
    save(&mut folder, &path, "1;x;Adler;Bos;\n").await;
    assert_eq!((refusals(&alarms).len(), director.hall().sections.len()), (1, 1));
    assert_eq!(Outcome::of_file(&path, &path.join("round.csv")).unwrap().state, State::Refused);
}

#[tokio::test]
async fn a_question_about_files_waits_as_an_alarm_and_one_order_answers_it() {
    let data = tempfile::tempdir().unwrap();
    let (director, mut folder, alarms, path) = watched(data.path()).await;
    save(&mut folder, &path, "1;1;Adler;Bos;1-0\n1;2;Clark;Dee;\n").await;
    // A game with a result is gone.
    save(&mut folder, &path, "1;2;Clark;Dee;\n").await;
    let [asked] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
    let removed = "Round 1 loses games with results, which are not in the files: 1 (tables 1).";
    let changes = "Loading them changes: Round 1, table 1: removed, Adler - Bos.";
    assert!(asked.contains(removed) && asked.contains(changes), "{asked}");
    assert_eq!(director.hall().round("cup", 1).unwrap().games.len(), 2);
    assert_eq!(Outcome::of_file(&path, &path.join("round.csv")).unwrap().state, State::Waits);
    let confirm = || Order::ConfirmPairings { section: "cup".into() };
    director.order(author(), None, None, confirm()).await.unwrap();
    assert_eq!(director.hall().round("cup", 1).unwrap().games.len(), 1);
    folder.look().await.unwrap();
    assert_eq!(refusals(&alarms), [""; 0]);
    let again = director.order(author(), None, None, confirm()).await.unwrap_err();
    assert!(again.to_string().contains("No pairings of \"cup\" wait for an answer"), "{again}");
}

#[tokio::test]
async fn a_section_that_was_removed_comes_back_with_a_new_file_alone() {
    let data = tempfile::tempdir().unwrap();
    let (director, mut folder, alarms, path) = watched(data.path()).await;
    let place = path.join("mistake");
    std::fs::create_dir(&place).unwrap();
    save(&mut folder, &place, "1;1;Adler;Bos;\n").await;
    let order = Order::SetSection { section: "mistake".into(), settings: SectionSettings::named("M"), confirm: false };
    let unpublish = Order::Unpublish { section: "mistake".into(), round: 1, confirm: false };
    for order in [order, unpublish, Order::RemoveSection { section: "mistake".into() }] {
        director.order(author(), None, None, order).await.unwrap();
    }
    let mut again = PairingsFolder::new(path, director.clone(), alarms.clone(), HallClock::start(1.0));
    for _ in 0..2 {
        again.look().await.unwrap();
    }
    assert!(director.hall().section("mistake").is_none(), "the daemon starts again");
    save(&mut again, &place, "1;1;Adler;Clark;\n").await;
    assert_eq!(director.hall().section("mistake").unwrap().rounds[&1].games.len(), 1);
    assert_eq!(refusals(&alarms), [""; 0]);
}

#[tokio::test]
async fn files_that_wait_can_be_left_unloaded_until_they_are_saved_again() {
    let data = tempfile::tempdir().unwrap();
    let (director, mut folder, alarms, path) = watched(data.path()).await;
    save(&mut folder, &path, "1;1;Adler;Bos;1-0\n1;2;Clark;Dee;\n").await;
    save(&mut folder, &path, "1;2;Clark;Dee;\n").await;
    assert_eq!(refusals(&alarms).len(), 1);
    assert!(director.leave_waiting_pairings("cup").await);
    assert!(!director.leave_waiting_pairings("cup").await, "none wait any more");
    for _ in 0..3 {
        folder.look().await.unwrap();
    }
    assert_eq!((refusals(&alarms).len(), director.hall().round("cup", 1).unwrap().games.len()), (0, 2));
    // The daemon starts again.
    let alarms = AlarmBook::default();
    let mut folder = PairingsFolder::new(path.clone(), director.clone(), alarms.clone(), HallClock::start(1.0));
    for _ in 0..3 {
        folder.look().await.unwrap();
    }
    assert_eq!((refusals(&alarms).len(), director.hall().round("cup", 1).unwrap().games.len()), (0, 2));
    let outcome = Outcome::of_file(&path, &path.join("round.csv")).unwrap();
    assert!(outcome.state == State::Left && outcome.text.contains("stay unloaded"), "{outcome:?}");
    save(&mut folder, &path, "1;2;Clark;Dee;\n\n").await;
    assert_eq!(refusals(&alarms).len(), 1, "a file that is saved again is read again");
}

#[tokio::test]
async fn a_file_without_games_that_have_a_result_of_this_hall_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let (director, mut folder, alarms, path) = watched(data.path()).await;
    save(&mut folder, &path, "1;1;Adler;Bos;\n1;2;Clark;Dee;\n").await;
    let result = Order::SetResult { game: "cup-1-1".into(), result: "1-0".into(), reason: None, confirm: false };
    director.order(Author::Rule("test".into()), None, None, result).await.unwrap();
    save(&mut folder, &path, "1;2;Clark;Dee;\n").await;
    let [refused] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
    assert!(refused.contains("not in the files: 1 (tables 1). Nothing is loaded"), "{refused}");
    let confirm = Order::ConfirmPairings { section: "cup".into() };
    assert!(director.order(author(), None, None, confirm).await.is_err());
    assert_eq!(director.hall().round("cup", 1).unwrap().games.len(), 2);
}
