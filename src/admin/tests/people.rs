//! Logging in, accounts and keys.

use super::super::hashing::Queue;
use super::*;

use axum::response::IntoResponse;

#[tokio::test]
async fn the_link_makes_the_first_administrator_once() {
    let site = Site::open();
    let link = site.first_link.clone().unwrap();
    let token = link.strip_prefix("http://localhost:8080/admin/first#").unwrap();
    let first = |token: &str, name: &str, password: &str| json!({ "token": token, "name": name, "password": password });
    let stranger = Visitor::default();
    let post = async |body| site.post(&stranger, "/first-administrator", body).await;

    assert!(post(first(&"0".repeat(32), "Eve", PASSWORD)).await.problem(401).contains("This link is not valid"));
    assert!(post(first(token, "Anna", "short")).await.problem(422).contains("at least 10 characters"));
    assert!(post(first(token, " ", PASSWORD)).await.problem(422).contains("The name of an account has 1 to 64"));
    let made = post(first(token, "Anna", PASSWORD)).await;
    assert_eq!(made.status, 200, "{}", made.body);
    let anna = browser(&made);
    assert_eq!(site.get(&anna, "/users").await.json(), json!([{ "name": "Anna", "role": "administrator" }]));
    assert!(post(first(token, "Eve", PASSWORD)).await.problem(401).contains("It works once"));
    assert_eq!(site.next_start().first_link(8080).unwrap(), None);
}

#[tokio::test]
async fn without_an_administrator_a_stranger_is_told_of_the_link() {
    let site = Site::open();
    let stranger = Visitor::default();
    let told = site.get(&stranger, "/session").await;
    assert_eq!(told.json()["code"], "no_administrator");
    assert!(told.problem(401).contains("open the link that the daemon printed"));
    // Made beside the daemon, by a command.
    site.accounts.add_user(&name("Anna"), Role::Administrator, &no_password()).unwrap();
    assert_eq!(site.get(&stranger, "/session").await.json()["code"], "log_in");
}

#[tokio::test]
async fn a_new_start_prints_another_link_while_there_is_no_administrator() {
    let site = Site::open();
    site.accounts.add_user(&name("Ben"), Role::Operator, &no_password()).unwrap();
    let admin = site.next_start();
    let links = [site.first_link.clone(), admin.first_link(8080).unwrap(), admin.first_link(8080).unwrap()];
    assert!(links.iter().all(Option::is_some));
    assert!(links[0] != links[1] && links[1] != links[2]);
}

#[tokio::test]
async fn whoever_logs_in_is_known_until_the_logout() {
    let site = Site::with_people();
    let answer = site.try_log_in(&Visitor::default(), "ARBITER", PASSWORD).await;
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("boardcast-session="), "{cookie}");
    assert!(cookie.contains("; HttpOnly; SameSite=Strict; Path=/; Max-Age=604800"), "{cookie}");
    assert!(!cookie.contains("Secure"), "on the machine itself a browser would not send it back");
    assert_eq!(answer.header("cache-control"), "no-store");

    let arbiter = browser(&answer);
    let session = site.get(&arbiter, "/session").await.json();
    assert_eq!((&session["name"], &session["role"]), (&json!("arbiter"), &json!("arbiter")));
    assert_eq!(session["csrf_token"], answer.json()["csrf_token"]);
    let out = site.ask(&arbiter, Method::DELETE, "/session", None).await;
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").contains("Max-Age=0"), "{}", out.header("set-cookie"));
    site.get(&arbiter, "/session").await.problem(401);
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_are_the_same() {
    let site = Site::with_people();
    let stranger = Visitor::default();
    for (name, password) in [("viewer", "wrong password"), ("nobody", PASSWORD), ("<b>", PASSWORD), ("", "")] {
        let told = site.try_log_in(&stranger, name, password).await.problem(401);
        assert_eq!(told, "Name or password is wrong.", "{name}");
    }
}

#[tokio::test]
async fn attempts_are_limited_whether_the_account_exists_or_not() {
    let site = Site::with_people();
    let stranger = Visitor::default();
    for account in ["viewer", "nobody"] {
        for _ in 0..5 {
            site.try_log_in(&stranger, account, "wrong password").await.problem(401);
        }
        let held_up = site.try_log_in(&stranger, account, PASSWORD).await;
        assert!(held_up.problem(429).starts_with("Too many attempts: wait "), "{}", held_up.body);
        assert!((1..=30).contains(&held_up.header("retry-after").parse().unwrap()));
    }
    site.log_in(Role::Arbiter).await;
}

#[tokio::test]
async fn another_password_ends_all_sessions() {
    let site = Site::with_people();
    let [laptop, phone] = [site.log_in(Role::Viewer).await, site.log_in(Role::Viewer).await];
    let change = |old: &str, new: &str| Some(json!({ "old": old, "new": new }));
    let put = async |body| site.ask(&laptop, Method::PUT, "/session/password", body).await;
    assert!(put(change("wrong password", "another password")).await.problem(409).contains("old password"));
    put(change(PASSWORD, "short")).await.problem(422);
    assert_eq!(put(change(PASSWORD, "another password")).await.status, 204);
    for browser in [&laptop, &phone] {
        site.get(browser, "/session").await.problem(401);
    }
    site.try_log_in(&Visitor::default(), "viewer", PASSWORD).await.problem(401);
    assert_eq!(site.try_log_in(&Visitor::default(), "viewer", "another password").await.status, 200);
}

#[tokio::test]
async fn an_administrator_manages_accounts() {
    let site = Site::with_people();
    let admin = site.log_in(Role::Administrator).await;
    let new = json!({ "name": "Carla", "role": "viewer", "password": PASSWORD });
    let made = site.post(&admin, "/users", new.clone()).await;
    assert_eq!((made.status.as_u16(), made.json()), (201, json!({ "name": "Carla", "role": "viewer" })));
    assert!(site.post(&admin, "/users", new).await.problem(409).contains("The account «Carla» exists already"));
    let patch = async |path, body| site.ask(&admin, Method::PATCH, path, Some(body)).await;
    assert_eq!(patch("/users/carla", json!({ "role": "arbiter" })).await.status, 204);
    assert_eq!(patch("/users/carla", json!({ "password": "another password" })).await.status, 204);
    assert_eq!(site.try_log_in(&Visitor::default(), "Carla", "another password").await.json()["role"], "arbiter");
    patch("/users/nobody", json!({})).await.problem(404);
    patch("/users/%00", json!({})).await.problem(404);
    let last = patch("/users/administrator", json!({ "role": "viewer" })).await.problem(409);
    assert_eq!(last, "This is the last administrator: make another account an administrator first.");
    let delete = async |path| site.ask(&admin, Method::DELETE, path, None).await;
    assert_eq!(delete("/users/carla").await.status, 204);
    delete("/users/carla").await.problem(404);
    delete("/users/administrator").await.problem(409);
    assert!(!site.get(&admin, "/users").await.body.contains("argon2"));
}

#[tokio::test]
async fn an_operator_makes_keys_and_revokes_them() {
    let site = Site::with_people();
    let operator = site.log_in(Role::Operator).await;
    let key = |opens: Value| json!({ "holder": "hall display", "opens": opens, "hours": 24 });
    let long = json!({ "holder": "x", "opens": { "scopes": ["watch"] }, "hours": 9601 });
    assert!(site.post(&operator, "/keys", long).await.problem(422).contains("within 400 days"));
    assert_eq!(site.get(&operator, "/keys").await.json(), json!([]));

    let made = site.post(&operator, "/keys", key(json!({ "scopes": ["watch", "operate"] }))).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let display = Visitor::key(made.json()["key"].as_str().unwrap());
    assert!(site.get(&display, "/users").await.problem(403).contains("Keys cannot do this: log in."));

    let listed = site.get(&operator, "/keys").await;
    assert_eq!(listed.json()[0]["holder"], "hall display");
    assert_eq!(listed.json()[0]["made_by"], "operator");
    assert_eq!(listed.json()[0]["opens"], json!({ "scopes": ["watch", "operate"] }));
    assert!(listed.json()[0]["used_at"].is_u64(), "the refused attempt was a use: {}", listed.body);
    assert!(!listed.body.contains(made.json()["key"].as_str().unwrap()), "a key is shown once");

    let path = format!("/keys/{}", made.json()["id"]);
    assert_eq!(site.ask(&operator, Method::DELETE, &path, None).await.status, 204);
    site.ask(&operator, Method::DELETE, &path, None).await.problem(404);
    site.get(&display, "/users").await.problem(401);
    site.post(&operator, "/keys", key(json!({}))).await.problem(400);
    for rubbish in [json!({ "scopes": [] }), json!({ "scopes": ["king"] }), json!({ "section": 1 })] {
        site.post(&operator, "/keys", key(rubbish)).await.problem(422);
    }
}

#[tokio::test]
async fn keys_to_undelayed_games_end_with_the_event() {
    let (site, operator) = Site::with_round().await;
    let key = |section: &str| json!({ "holder": "stream", "opens": { "section": section }, "hours": 24 });
    assert!(site.post(&operator, "/keys", key("open-b")).await.problem(404).contains("no such section"));
    assert_eq!(site.post(&operator, "/keys", key("open-a")).await.status, 201);
    let listed = async || site.get(&operator, "/keys").await.json().as_array().unwrap().len();
    assert_eq!(listed().await, 1);
    let section = site.get(&operator, "/sections/open-a").await.json();
    assert_eq!((&section["over"], &section["over_from"]), (&json!(false), &Value::Null));
    let ended = site.order(&operator, json!({ "order": "end_event", "section": "open-a" })).await;
    assert_eq!(ended["facts"][0], json!({ "fact": "event_ended", "section": "open-a", "ended": true }));
    assert_eq!(listed().await, 0);
    assert_eq!(site.get(&operator, "/hall").await.json()["sections"][0]["over"], true);
    assert!(site.post(&operator, "/keys", key("open-a")).await.problem(409).contains("This event is over"));
    site.order(&operator, json!({ "order": "resume_event", "section": "open-a" })).await;
    assert_eq!(listed().await, 1);
}

#[tokio::test]
async fn an_operator_cannot_revoke_a_key_of_an_administrator() {
    let site = Site::with_people();
    let [operator, administrator] = [site.log_in(Role::Operator).await, site.log_in(Role::Administrator).await];
    let key = json!({ "holder": "hall display", "opens": { "scopes": ["watch"] }, "hours": 24 });
    let made = site.post(&administrator, "/keys", key).await.json();
    let path = format!("/keys/{}", made["id"]);
    let refused = site.ask(&operator, Method::DELETE, &path, None).await.problem(403);
    assert!(refused.contains("ask an administrator"), "{refused}");
    assert_eq!(site.get(&Visitor::key(made["key"].as_str().unwrap()), "/hall").await.status, 200);
    assert_eq!(site.ask(&administrator, Method::DELETE, &path, None).await.status, 204);
}

#[tokio::test]
async fn passwords_beyond_the_queue_are_refused_at_once() {
    let admin = Arc::new(Site::open().next_start());
    let (release, held) = std::sync::mpsc::channel::<()>();
    let held = Arc::new(std::sync::Mutex::new(held));
    let mut asked = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let (admin, held) = (Arc::clone(&admin), Arc::clone(&held));
        asked.spawn(async move {
            let hashed = admin.hashing(Queue::Strangers, move || held.lock().unwrap().recv().is_ok()).await;
            hashed.map_err(IntoResponse::into_response)
        });
    }
    let mut refused = 0;
    while let Ok(Some(done)) = tokio::time::timeout(std::time::Duration::from_millis(300), asked.join_next()).await {
        let answer = done.unwrap().unwrap_err();
        assert_eq!((answer.status().as_u16(), answer.headers()["retry-after"].to_str().unwrap()), (429, "2"));
        refused += 1;
    }
    assert!((100 - 18..=100 - 16).contains(&refused), "sixteen wait, and those that are hashed: {refused} refused");
    admin.hashing(Queue::Known, || ()).await.expect("a known device does not wait behind strangers");
    drop(release);
    assert_eq!(asked.join_all().await.len(), 100 - refused);
    admin.hashing(Queue::Strangers, || ()).await.unwrap();
}

#[tokio::test]
async fn the_right_password_from_a_known_device_is_let_in_while_strangers_flood() {
    let site = Site::with_people();
    let stranger = Visitor::default();
    let first = site.try_log_in(&stranger, "arbiter", PASSWORD).await;
    assert_eq!(first.status, 200, "{}", first.body);
    let cookies: Vec<_> = first.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap()).collect();
    let device =
        cookies.iter().find(|cookie| cookie.starts_with("boardcast-device=")).expect("no cookie of the device");
    assert!(device.contains("HttpOnly") && device.contains("SameSite=Strict") && device.contains("Max-Age=15552000"));
    let device = Visitor::default().with("cookie", device.split(';').next().unwrap());
    // Wrong passwords for the account itself, and for so many names that nobody may try any more.
    for _ in 0..6 {
        site.try_log_in(&stranger, "arbiter", "wrong password").await;
    }
    for name in 0..60 {
        site.try_log_in(&stranger, &format!("nobody{name}"), "wrong password").await;
    }
    site.try_log_in(&stranger, "arbiter", PASSWORD).await.problem(429);
    assert_eq!(site.try_log_in(&device, "arbiter", PASSWORD).await.status, 200);
    site.try_log_in(&device, "viewer", PASSWORD).await.problem(429);
    // The cookie alone opens nothing, and does not help to guess.
    site.get(&device, "/hall").await.problem(401);
    for _ in 0..5 {
        site.try_log_in(&device, "arbiter", "wrong password").await.problem(401);
    }
    site.try_log_in(&device, "arbiter", PASSWORD).await.problem(429);
}
