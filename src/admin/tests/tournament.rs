//! A round set up, corrected and taken out over the API.

use game_core::alarm::AlarmKind;

use super::*;
use crate::alarms::said;

#[tokio::test]
async fn a_round_is_set_up_from_a_file() {
    let site = Site::with_people();
    let operator = site.log_in(Role::Operator).await;
    let done = site.order(&operator, open_a()).await;
    assert_eq!(done["facts"][0]["fact"], "section_set");

    let latin1: Vec<u8> =
        PAIRINGS.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')).collect();
    let preview = site.upload(&operator, "/sections/open-a/pairings/preview", &[("round1.pgn", &latin1)]).await;
    assert!(!preview.json()["notes"].as_array().unwrap().is_empty(), "{}", preview.body);
    assert_eq!(site.get(&operator, "/hall").await.json()["sections"][0]["rounds"], json!([]), "nothing was changed");

    let loaded = site.upload(&operator, "/sections/open-a/pairings", &[("round1.pgn", &latin1)]).await;
    assert_eq!(loaded.status, 200, "{}", loaded.body);
    let again = site.upload(&operator, "/sections/open-a/pairings", &[("round1.pgn", &latin1)]).await;
    assert_eq!(again.json()["facts"], json!([]), "loading twice changes nothing");

    let section = site.get(&operator, "/sections/open-a").await.json();
    assert_eq!(section["rounds"][0]["games"], 2);
    let names: Vec<_> = section["players"].as_array().unwrap().iter().map(|it| it["person"]["name"].clone()).collect();
    assert!(names.contains(&json!("Müller, Jörg")), "{names:?}");
    let round = site.get(&operator, "/sections/open-a/rounds/1").await.json();
    assert_eq!(round["tables"].as_object().unwrap().len(), 2);
    let ready = site.get(&operator, "/sections/open-a/rounds/1/ready").await.json();
    assert!(ready["problems"].as_array().is_some_and(|problems| !problems.is_empty()), "there are no boards: {ready}");

    for (form, sign) in [("trf", "001"), ("csv", "Müller"), ("pgn", "[White \"Müller, Jörg\"]")] {
        let results = site.get(&operator, &format!("/sections/open-a/results/{form}")).await;
        assert!(results.body.contains(sign), "{form}: {}", results.body);
        assert_eq!(results.header("content-disposition"), format!("attachment; filename=\"open-a.{form}\""));
    }
}

#[tokio::test]
async fn two_who_order_at_once_are_told() {
    let (site, operator) = Site::with_round().await;
    let seen = site.get(&operator, "/hall").await;
    let version = seen.header("etag").to_owned();
    assert_eq!(version, format!("\"{}\"", seen.json()["version"]));
    let name =
        |name: &str| json!({ "order": "set_round", "section": "open-a", "round": 1, "settings": { "name": name } });
    let based = operator.clone().with("if-match", &version);
    let first = site.post(&based, "/orders", name("First")).await;
    assert_eq!(first.status, 200, "{}", first.body);
    let second = site.post(&based, "/orders", name("Second")).await;
    assert!(second.problem(412).contains("Another person changed the tournament in the meantime"), "{}", second.body);
    let next = operator.clone().with("if-match", first.header("etag"));
    assert_eq!(site.post(&next, "/orders", name("Third")).await.status, 200);
    let rubbish = operator.with("if-match", "yesterday");
    assert!(site.post(&rubbish, "/orders", name("Fourth")).await.problem(400).contains("If-Match"));
}

#[tokio::test]
async fn an_arbiter_enters_results_and_no_more() {
    let (site, operator) = Site::with_round().await;
    let arbiter = site.log_in(Role::Arbiter).await;
    let game = site.first_game(&arbiter).await;
    let result = |result: &str| json!({ "order": "set_result", "game": game, "result": result });
    let preview = site.post(&arbiter, "/orders/preview", result("1-0")).await;
    assert_eq!(preview.status, 200, "{}", preview.body);
    let answer = site.post(&arbiter, "/orders?reason=the%20score%20sheet", result("1-0")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);

    let history = site.get(&arbiter, "/history").await.json();
    let line = &history[0];
    assert_eq!((&line["by"], &line["reason"]), (&json!("arbiter"), &json!("the score sheet")), "{history}");
    let number = line["correction"]["number"].clone();
    let older = site.get(&arbiter, &format!("/history?before={number}")).await.json();
    assert!(older.as_array().unwrap().iter().all(|line| line["correction"]["number"] != number));

    let finish = json!({ "order": "finish", "section": "open-a", "round": 1 });
    for path in ["/orders", "/orders/preview"] {
        let told = site.post(&arbiter, path, finish.clone()).await.problem(403);
        assert!(told.contains("needs the role «operator»"), "{told}");
    }
    site.order(&arbiter, json!({ "order": "undo", "number": number })).await;
    let forget = json!({ "order": "forget", "player": 1 });
    assert!(site.post(&operator, "/orders", forget.clone()).await.problem(403).contains("«administrator»"));
    let admin = site.log_in(Role::Administrator).await;
    site.order(&admin, forget).await;
    let section = site.get(&admin, "/sections/open-a").await.json();
    assert!(section["players"][0]["person"].is_null(), "{section}");
    assert!(!site.get(&admin, "/history").await.body.contains("Müller"));
}

#[tokio::test]
async fn what_cannot_be_is_refused_and_nothing_half_done() {
    let (site, operator) = Site::with_round().await;
    let before = site.director.version();
    let refused = async |status, order: Value| site.post(&operator, "/orders", order).await.problem(status);
    refused(404, json!({ "order": "publish", "section": "open-b", "round": 1 })).await;
    refused(404, json!({ "order": "set_result", "game": "nobody", "result": "1-0" })).await;
    refused(422, json!({ "order": "set_result", "game": site.first_game(&operator).await, "result": "2-0" })).await;
    refused(422, json!({ "order": "set_result", "result": "1-0" })).await;
    refused(422, json!({ "order": "crown", "king": 1 })).await;
    refused(422, json!({ "order": "publish", "section": "open-a", "round": 1, "king": 1 })).await;
    refused(422, json!({ "order": "publish", "section": "open-a", "round": -1 })).await;
    refused(422, json!({ "order": "set_section", "section": "../x", "settings": { "name": "X" } })).await;
    let long = "x".repeat(501);
    site.post(&operator, &format!("/orders?reason={long}"), open_a()).await.problem(400);
    site.post(&operator, "/orders?king=1", open_a()).await.problem(400);
    site.get(&operator, "/sections/nobody").await.problem(404);
    site.get(&operator, "/sections/open-a/rounds/9").await.problem(404);
    site.get(&operator, "/sections/open-a/rounds/king").await.problem(404);
    site.get(&operator, "/sections/open-a/results/king").await.problem(404);
    site.get(&operator, "/history?before=king").await.problem(400);
    assert_eq!(site.director.version(), before);
}

#[tokio::test]
async fn rubbish_for_pairings_is_refused_with_a_sentence() {
    let (site, operator) = Site::with_round().await;
    let path = "/sections/open-a/pairings";
    let upload = async |files: &[(&str, &[u8])]| site.upload(&operator, path, files).await;
    assert_eq!(upload(&[]).await.problem(422), "The form has no file: add at least one.");
    let binary = upload(&[("a.bin", &[0; 4096])]).await.problem(422);
    assert!(binary.contains("a.bin"), "{binary}");
    upload(&[("a.pgn", PAIRINGS.as_bytes()); 9]).await.problem(422);
    upload(&[("large.txt", &vec![b'x'; 9 * 1024 * 1024])]).await.problem(422);
    upload(&[("huge.txt", &vec![b'x'; 13 * 1024 * 1024])]).await.problem(413);
    assert!(site.post(&operator, path, json!({})).await.problem(415).contains("multipart/form-data"));
    let torn =
        site.send(&operator, Method::POST, path, Some("multipart/form-data; boundary=x"), "--x\r\n".into()).await;
    torn.problem(400);
    site.upload(&operator, "/sections/nobody/pairings", &[("a.pgn", PAIRINGS.as_bytes())]).await.problem(404);
}

#[tokio::test]
async fn a_backup_holds_the_journal_and_the_accounts_which_are_restored_without_sessions() {
    let (site, _) = Site::with_round().await;
    let admin = site.log_in(Role::Administrator).await;
    let backup = site.get(&admin, "/backup").await;
    assert_eq!(backup.header("content-type"), "application/vnd.sqlite3");
    assert!(backup.body.starts_with("SQLite format 3\0"));
    assert!(backup.body.contains("section_set") && backup.body.contains("argon2id"));
    let made = json!({ "holder": "backup", "opens": { "scopes": ["backup"] }, "hours": 1 });
    let key = site.post(&admin, "/keys", made).await.json()["key"].as_str().unwrap().to_owned();
    let by_key = site.get(&Visitor::key(&key), "/backup").await;
    assert!(by_key.status == 200 && !by_key.body.contains("argon2id"), "a key leads to the hashes of passwords");

    let copy = |accounts: &Accounts, data: &std::path::Path| {
        let (name, content) = accounts.copy().unwrap();
        let kept = [journal::KeptFile { name: name.to_owned(), content }];
        let from = tempfile::tempdir().unwrap();
        let (_journal, reader) = DataFolder::take(from.path()).unwrap().open_journal().unwrap();
        reader.backup(&data.join(journal::FILE), &kept).unwrap();
    };
    let restored = tempfile::tempdir().unwrap();
    copy(&site.accounts, restored.path());
    let _open = DataFolder::take(restored.path()).unwrap().open_journal().unwrap();
    let accounts = Accounts::open(restored.path()).unwrap();
    assert_eq!(accounts.users().unwrap(), site.accounts.users().unwrap());
    let left = std::fs::read(restored.path().join(journal::FILE)).unwrap();
    assert!(!String::from_utf8_lossy(&left).contains("argon2id"), "the journal keeps the hashes of passwords");
}

#[tokio::test]
async fn alarms_are_listed_and_taken_note_of() {
    let site = Site::with_people();
    let [arbiter, operator] = [site.log_in(Role::Arbiter).await, site.log_in(Role::Operator).await];
    site.alarms.daemon(1000, AlarmKind::PairingsRefused, said("round-2.trf was refused"));
    let listed = site.get(&operator, "/alarms").await.json();
    assert_eq!(
        (&listed[0]["kind"], &listed[0]["text"]),
        (&json!("pairings_refused"), &json!("round-2.trf was refused"))
    );
    assert!(listed[0]["acknowledged_by"].is_null());
    let path = format!("/alarms/{}/acknowledge", listed[0]["id"]);
    assert_eq!(site.post(&operator, &path, json!({})).await.json()["acknowledged_by"], "operator");
    assert_eq!(site.get(&arbiter, "/alarms").await.json()[0]["acknowledged_by"], "operator");
    site.alarms.daemon(2000, AlarmKind::PairingsRefused, Vec::new());
    assert_eq!(site.get(&operator, "/alarms").await.json(), json!([]));
    site.post(&operator, &path, json!({})).await.problem(404);
}

#[tokio::test]
async fn health_is_told_with_its_reasons() {
    let site = Site::with_people();
    let viewer = site.log_in(Role::Viewer).await;
    assert_eq!(site.get(&viewer, "/health").await.json(), json!({ "ok": true, "troubles": [], "concerns": [] }));
    assert_eq!(site.get(&viewer, "/boards").await.json(), json!([]));

    site.alarms.daemon(1000, AlarmKind::DiskSpaceLow, said("The disk is nearly full."));
    let health = site.get(&viewer, "/health").await.json();
    assert_eq!((&health["ok"], &health["concerns"][0]["text"]), (&json!(true), &json!("The disk is nearly full.")));
}
