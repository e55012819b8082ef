//! Outputs over the API: who may order what, and no secret comes out again.

use super::*;

fn folder_output(name: &str, path: &Path) -> Value {
    json!({ "name": name, "delay": "15 min", "target": { "folder": { "path": path } } })
}

fn lichess_output(name: &str) -> Value {
    json!({ "name": name, "target": { "lichess": {
        "rounds": ["https://lichess.org/broadcast/open/round-1/aB3dE6gH"], "token": "lip_very_secret" } } })
}

#[tokio::test]
async fn an_output_is_added_paused_and_removed() {
    let site = Site::with_people();
    let (administrator, operator) = (site.log_in(Role::Administrator).await, site.log_in(Role::Operator).await);
    let viewer = site.log_in(Role::Viewer).await;
    assert_eq!(site.get(&viewer, "/outputs").await.json(), json!([]));
    let place = tempfile::tempdir().unwrap();
    let new = folder_output("club", place.path());
    site.post(&operator, "/outputs", new.clone()).await.problem(403);
    assert_eq!(site.post(&administrator, "/outputs", new.clone()).await.status, 201);
    assert!(site.post(&administrator, "/outputs", new).await.problem(409).contains("already"));
    let twice = site.post(&administrator, "/outputs", folder_output("other", place.path())).await;
    assert!(twice.problem(409).contains("writes to this folder"));

    let line = &site.get(&viewer, "/outputs").await.json()[0];
    assert_eq!((&line["name"], &line["kind"], &line["delay"]), (&json!("club"), &json!("folder"), &json!("900 s")));
    assert_eq!((&line["configured"], &line["added_by"]), (&json!(false), &json!("administrator")));

    let tested = site.post(&operator, "/outputs/club/test", json!({})).await.json();
    assert_eq!(tested["ok"], true, "{tested}");
    site.post(&viewer, "/outputs/club/pause", json!({})).await.problem(403);
    assert_eq!(site.post(&operator, "/outputs/club/pause", json!({})).await.status, 204);
    let is = async |state: &str| loop {
        let line = &site.get(&viewer, "/outputs").await.json()[0];
        if line["state"] == state {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    is("paused").await;
    assert_eq!(site.post(&operator, "/outputs/club/resume", json!({})).await.status, 204);
    is("idle").await;
    assert_eq!(site.post(&operator, "/outputs/club/send-again", json!({ "round": 1 })).await.status, 204);
    site.post(&operator, "/outputs/none/pause", json!({})).await.problem(404);
    site.ask(&operator, Method::DELETE, "/outputs/club", None).await.problem(403);
    assert_eq!(site.ask(&administrator, Method::DELETE, "/outputs/club", None).await.status, 204);
    assert_eq!(site.get(&viewer, "/outputs").await.json(), json!([]));
}

#[tokio::test]
async fn an_output_is_changed_in_place_and_every_order_is_in_the_history() {
    let site = Site::with_people();
    let administrator = site.log_in(Role::Administrator).await;
    assert_eq!(site.post(&administrator, "/outputs", lichess_output("lichess")).await.status, 201);
    let path = "/outputs/lichess";
    let change = async |changed: Value| site.ask(&administrator, Method::PUT, path, Some(changed)).await;
    let delay = async || site.get(&administrator, "/outputs").await.json()[0]["delay"].clone();
    assert_eq!(change(json!({ "delay": "15 min" })).await.status, 204);
    assert_eq!(delay().await, "900 s");
    let rounds = json!({ "rounds": ["https://lichess.org/broadcast/open/round-1/aB3dE6gZ"] });
    let answer = change(json!({ "delay": "20 min", "target": { "lichess": rounds } })).await;
    assert_eq!(answer.status, 204, "{}", answer.body);
    assert_eq!(delay().await, "1200 s");
    let kept = std::fs::read_to_string(site.folder.path().join("outputs.json")).unwrap();
    assert!(kept.contains("lip_very_secret") && kept.contains("aB3dE6gZ"), "a token that is left out stays");
    change(json!({ "target": { "lichess": { "rounds": ["x"] } } })).await.problem(422);
    change(json!({ "delay": "soon" })).await.problem(422);
    assert_eq!(delay().await, "1200 s", "it is as it was");
    site.ask(&administrator, Method::PUT, "/outputs/none", Some(json!({}))).await.problem(404);
    // An empty token does not go to another server.
    let http = |url: &str, token: &str| json!({ "name": "web", "target": { "http": { "url": url, "token": token } } });
    assert_eq!(site.post(&administrator, "/outputs", http("http://127.0.0.1:9/a.pgn", "web_secret")).await.status, 201);
    let moved = json!({ "target": { "http": { "url": "http://127.0.0.2:9/a.pgn" } } });
    assert_eq!(site.ask(&administrator, Method::PUT, "/outputs/web", Some(moved)).await.status, 204);
    assert!(!std::fs::read_to_string(site.folder.path().join("outputs.json")).unwrap().contains("web_secret"));
    let history = site.get(&administrator, "/history").await.json().to_string();
    for what in ["output lichess added", "output lichess changed", "output web changed"] {
        assert!(history.contains(what), "{what}: {history}");
    }
}

#[tokio::test]
async fn a_form_gets_the_settings_without_secrets_and_sends_them_back() {
    let site = Site::with_people();
    let (administrator, operator) = (site.log_in(Role::Administrator).await, site.log_in(Role::Operator).await);
    let place = tempfile::tempdir().unwrap();
    let targets = [
        lichess_output("a")["target"].clone(),
        folder_output("b", place.path())["target"].clone(),
        json!({ "http": { "url": "http://127.0.0.1:9/hidden/{round}.pgn", "method": "POST", "token": "hidden" } }),
        json!({ "web_hook": { "url": "http://127.0.0.1:9/hidden", "secret": "hidden" } }),
        json!({ "ftp": { "url": "sftp://127.0.0.1:9/games/", "file": "{round}.pgn", "user": "club", "password": "hidden",
                         "host_key": "SHA256:+4u5zbkOtVpb6Oq7mDRUkDsxL0hmBwHYYzCcPdEGJvA" } }),
        json!({ "site": { "to": { "http": { "url": "http://127.0.0.1:9/hidden/", "token": "hidden" } }, "language": "de" } }),
        json!({ "site": { "to": { "ftp": { "url": "ftp://127.0.0.1:9/www/", "user": "club", "password": "hidden" } } } }),
    ];
    let kept = || std::fs::read_to_string(site.folder.path().join("outputs.json")).unwrap();
    for (number, target) in targets.iter().enumerate() {
        let name = format!("output-{number}");
        let new = json!({ "name": name, "delay": "15 min", "target": target });
        let added = site.post(&administrator, "/outputs", new).await;
        assert_eq!(added.status, 201, "{target}: {}", added.body);
        let (path, before) = (format!("/outputs/{name}"), kept());
        site.get(&operator, &path).await.problem(403);
        let shown = site.get(&administrator, &path).await;
        assert!(!shown.body.contains("hidden") && !shown.body.contains("lip_"), "{}", shown.body);
        assert_eq!(shown.json()["delay"], "900 s");
        let changed = site.ask(&administrator, Method::PUT, &path, Some(shown.json())).await;
        assert_eq!(changed.status, 204, "{target}: {}", changed.body);
        assert_eq!(kept(), before, "what a form sends back unchanged changes nothing");
    }
    site.get(&administrator, "/outputs/none").await.problem(404);
}

#[tokio::test]
async fn a_secret_never_comes_out_again() {
    let site = Site::with_people();
    let administrator = site.log_in(Role::Administrator).await;
    let added = site.post(&administrator, "/outputs", lichess_output("lichess")).await;
    assert_eq!(added.status, 201, "{}", added.body);
    let listed = site.get(&administrator, "/outputs").await.body;
    assert!(listed.contains("lichess.org") && !listed.contains("lip_"), "{listed}");
    let kept = site.folder.path().join("outputs.json");
    assert!(std::fs::read_to_string(&kept).unwrap().contains("lip_very_secret"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn what_cannot_work_is_refused_with_a_sentence() {
    let site = Site::with_people();
    let administrator = site.log_in(Role::Administrator).await;
    for (wrong, words) in [
        (json!({ "name": "A b", "target": { "folder": { "path": "/tmp" } } }), "no name for an output"),
        (json!({ "name": "a", "target": { "folder": { "path": "tmp" } } }), "no full path"),
        (json!({ "name": "a", "delay": "soon", "target": { "folder": { "path": "/tmp" } } }), "delay"),
        (json!({ "name": "a", "target": { "command": { "program": "/bin/sh" } } }), "unknown variant"),
        (json!({ "name": "a", "target": { "lichess": { "rounds": ["x"], "token": "t" } } }), "no round of Lichess"),
        (
            json!({ "name": "a", "target": { "lichess": { "rounds": [], "token": { "file": "/etc/passwd" } } } }),
            "string",
        ),
        (json!({ "name": "a", "target": { "http": { "url": "file:///etc/passwd" } } }), "no web address"),
        (json!({ "name": "a", "target": { "ftp": { "url": "gopher://x", "user": "u" } } }), "no server"),
    ] {
        let told = site.post(&administrator, "/outputs", wrong.clone()).await.problem(422);
        assert!(told.contains(words), "{wrong}: {told}");
    }
    assert_eq!(site.get(&administrator, "/outputs").await.json(), json!([]));
}

#[tokio::test]
async fn monitoring_sees_an_output_and_its_pause() {
    let (site, operator) = Site::with_round().await;
    let administrator = site.log_in(Role::Administrator).await;
    let place = tempfile::tempdir().unwrap();
    let added = site.post(&administrator, "/outputs", folder_output("club", place.path())).await;
    assert_eq!(added.status, 201, "{}", added.body);
    // Waits until the metric is as it should be.
    let is = async |metric: &str, right: fn(f64) -> bool| {
        let name = format!("boardcast_output_{metric}{{output=\"club\"}} ");
        loop {
            let text = site.scrape().await;
            let value = text.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok());
            if value.is_some_and(right) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    is("paused", |paused| paused < 0.5).await;
    is("failures_total", |failures| failures < 0.5).await;
    assert_eq!(site.post(&operator, "/outputs/club/pause", json!({})).await.status, 204);
    is("paused", |paused| paused > 0.5).await;
}

#[tokio::test]
async fn an_output_whose_removal_cannot_be_written_goes_on() {
    let site = Site::with_people();
    let administrator = site.log_in(Role::Administrator).await;
    let place = tempfile::tempdir().unwrap();
    assert_eq!(site.post(&administrator, "/outputs", folder_output("club", place.path())).await.status, 201);
    let list = site.folder.path().join("outputs.json");
    std::fs::remove_file(&list).unwrap();
    std::fs::create_dir(&list).unwrap();
    let remove = || site.ask(&administrator, Method::DELETE, "/outputs/club", None);
    remove().await.problem(503);
    assert_eq!(site.get(&administrator, "/outputs").await.json()[0]["name"], "club");

    std::fs::remove_dir(&list).unwrap();
    assert_eq!(remove().await.status, 204);
    assert_eq!(site.get(&administrator, "/outputs").await.json(), json!([]));
}
