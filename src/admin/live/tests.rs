//! What a page is sent: everything first, then changes, and only what its person may see.

use game_core::alarm::AlarmKind;
use game_core::event::Author;
use serde_json::Value;

use super::*;
use crate::admin::tests::parts;
use crate::alarms::said;
use accounts::{Role, Secret};
use tournament::{DrawnStart, Order, PairingFile, SectionSettings};

fn page(admin: &Arc<Admin>, role: Role) -> Page {
    let who = Who { name: "Anna".into(), role, scopes: None };
    let session = Session(Secret::draw().unwrap());
    Page { admin: Arc::clone(admin), shown: Seen { look: Look::default(), who: who.clone() }, who, session, game: None }
}

async fn news(page: &mut Page, whole: bool) -> Option<Value> {
    page.news(whole, whole, None).await.map(|text| serde_json::from_str(&text).unwrap())
}

fn keys(message: &Value) -> Vec<&str> {
    message["set"].as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn the_first_message_has_everything_and_the_next_one_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    let admin = Arc::new(Admin::new(parts(folder.path(), None)));
    let mut page = page(&admin, Role::Administrator);
    let first = news(&mut page, true).await.unwrap();
    assert_eq!((&first["whole"], first["speed"].as_f64()), (&Value::from(true), Some(1.0)));
    assert_eq!(keys(&first), ["hall", "health", "me"]);
    assert_eq!(first["set"]["me"]["role"], "administrator");
    assert!(news(&mut page, false).await.is_none(), "nothing changed");

    let hall_clock = admin.parts.hall_clock;
    admin.parts.alarms.daemon(hall_clock.now(), AlarmKind::RecordFailing, said("The disk is full."));
    let raised = news(&mut page, false).await.unwrap();
    let key = keys(&raised)[0].to_owned();
    assert!(key.starts_with("alarm/"), "{key}");
    assert_eq!(raised["set"][&key]["kind"], "record_failing");

    admin.parts.alarms.daemon(hall_clock.now(), AlarmKind::RecordFailing, Vec::new());
    let cleared = news(&mut page, false).await.unwrap();
    assert_eq!(cleared["gone"], Value::from(vec![key]));
}

#[tokio::test]
async fn a_page_shows_only_the_alarms_of_its_role() {
    let folder = tempfile::tempdir().unwrap();
    let admin = Arc::new(Admin::new(parts(folder.path(), None)));
    let now = admin.parts.hall_clock.now();
    // One for operators, one for arbiters.
    admin.parts.alarms.daemon(now, AlarmKind::RecordFailing, said("The disk is full."));
    admin.parts.alarms.daemon(now, AlarmKind::FlagDown, said("A flag is down."));
    for (role, count) in [(Role::Viewer, 0), (Role::Arbiter, 2), (Role::Operator, 1), (Role::Administrator, 2)] {
        let first = news(&mut page(&admin, role), true).await.unwrap();
        let alarms = keys(&first).into_iter().filter(|key| key.starts_with("alarm/")).count();
        assert_eq!(alarms, count, "{role:?}");
    }
}

#[tokio::test]
async fn pages_of_one_moment_share_the_hall_and_each_sees_what_is_for_its_role() {
    let folder = tempfile::tempdir().unwrap();
    let admin = Arc::new(Admin::new(parts(folder.path(), None)));
    let now = || admin.parts.hall_clock.now();
    let raise = |says: &'static str| admin.parts.alarms.daemon(now(), AlarmKind::FlagDown, said(says));
    raise("A flag is down.");
    let (mut arbiter, mut viewer) = (page(&admin, Role::Arbiter), page(&admin, Role::Viewer));
    let alarms = |text: Option<String>| text.is_some_and(|text| text.contains("alarm/"));
    assert!(alarms(arbiter.news(true, true, Some(1)).await));
    assert!(!alarms(viewer.news(true, true, Some(1)).await), "it is not for viewers");
    assert!(Arc::ptr_eq(&arbiter.shown.look.hall, &viewer.shown.look.hall));
    // The same state at the next moment is no new one.
    let first = Arc::clone(&arbiter.shown.look.hall);
    assert_eq!(arbiter.news(false, false, Some(2)).await, None);
    assert!(Arc::ptr_eq(&arbiter.shown.look.hall, &first));
    // A role that changes is seen although the hall did not.
    viewer.who.role = Role::Arbiter;
    assert!(alarms(viewer.news(false, false, Some(2)).await));
    viewer.who.role = Role::Viewer;
    let text = viewer.news(false, false, Some(2)).await.unwrap();
    let message: Value = serde_json::from_str(&text).unwrap();
    assert!(message["gone"][0].as_str().unwrap().starts_with("alarm/"), "{text}");
    // What changes is made once, at the next moment.
    raise("Another flag is down.");
    assert_eq!(arbiter.news(false, false, Some(2)).await, None);
    assert!(alarms(arbiter.news(false, false, Some(3)).await));
    viewer.news(false, false, Some(3)).await;
    assert!(Arc::ptr_eq(&arbiter.shown.look.hall, &viewer.shown.look.hall));
}

#[tokio::test]
async fn a_page_that_says_rubbish_is_not_heeded() {
    let folder = tempfile::tempdir().unwrap();
    let admin = Arc::new(Admin::new(parts(folder.path(), None)));
    let mut page = page(&admin, Role::Viewer);
    for text in ["", "{", "[]", "{\"game\":7}", "{\"game\":\"x\",\"more\":1}", "null"] {
        page.hear(&Message::Text(text.into()));
        assert_eq!(page.game, None, "{text}");
    }
    page.hear(&Message::Text("{\"game\":\"x\"}".into()));
    assert_eq!(page.game.as_deref(), Some("x"));
    assert!(news(&mut page, true).await.is_some(), "a game that does not exist has no moves");
}

#[tokio::test]
async fn a_game_that_has_not_begun_has_its_start_position_and_its_corrections() {
    let folder = tempfile::tempdir().unwrap();
    let admin = Arc::new(Admin::new(parts(folder.path(), None)));
    let order = async |order| {
        admin.parts.director.order(Author::Operator("Anna".into()), None, None, order).await.unwrap();
    };
    let section = || "spring-open".to_owned();
    let settings = SectionSettings::named("Spring Open");
    order(Order::SetSection { section: section(), settings, confirm: false }).await;
    let files = vec![PairingFile {
        name: "round-1.csv".into(),
        text: "Round;Table;White;Black\n1;1;Adler, Ida;Bos, Jan\n".into(),
        guessed_encoding: None,
    }];
    order(Order::LoadPairings { section: section(), files, round: None, confirm: false }).await;
    order(Order::SetStart { section: section(), round: 1, start: Some(DrawnStart::Chess960(0)) }).await;
    let id = admin.parts.director.hall().sections["spring-open"].rounds[&1].games[0].id.to_string();
    order(Order::SetResult { game: id.clone(), result: "1-0".into(), reason: None, confirm: false }).await;

    let mut page = page(&admin, Role::Arbiter);
    page.game = Some(id.clone());
    let first = news(&mut page, true).await.unwrap();
    let moves = &first["set"][format!("moves/{id}")];
    assert_eq!(moves["start"], "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    assert_eq!((&moves["chess960"], moves["moves"].as_array().unwrap().len()), (&Value::from(true), 0));
    assert_eq!(moves["corrections"].as_array().unwrap().len(), 1);
}
