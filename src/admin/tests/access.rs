//! Who gets where: every address asked by everybody, forged requests, rubbish, and from outside.

use super::*;

/// Every protected address: method, path, the least role, a scope that is enough for a key.
const ADDRESSES: &[(Method, &str, Role, Option<&str>)] = &[
    (Method::GET, "/session", Role::Viewer, None),
    (Method::PUT, "/session/password", Role::Viewer, None),
    (Method::GET, "/hall", Role::Viewer, Some("watch")),
    (Method::GET, "/sections/open-a", Role::Viewer, Some("watch")),
    (Method::GET, "/sections/open-a/rounds/1", Role::Viewer, Some("watch")),
    (Method::GET, "/sections/open-a/rounds/1/ready", Role::Viewer, Some("watch")),
    (Method::GET, "/sections/open-a/results/trf", Role::Viewer, Some("watch")),
    (Method::GET, "/boards", Role::Viewer, Some("watch")),
    (Method::GET, "/history", Role::Viewer, Some("watch")),
    (Method::GET, "/health", Role::Viewer, Some("watch")),
    (Method::GET, "/system", Role::Viewer, Some("watch")),
    (Method::GET, "/alarms", Role::Arbiter, Some("alarms")),
    (Method::POST, "/alarms/77/acknowledge", Role::Arbiter, Some("alarms")),
    (Method::DELETE, "/games/open-a-1-1/reports", Role::Arbiter, Some("alarms")),
    (Method::POST, "/orders", Role::Arbiter, Some("arbitrate")),
    (Method::POST, "/orders/preview", Role::Arbiter, Some("arbitrate")),
    (Method::POST, "/sections/open-a/pairings", Role::Operator, Some("operate")),
    (Method::POST, "/sections/open-a/pairings/preview", Role::Operator, Some("operate")),
    (Method::POST, "/record-reviewed", Role::Operator, Some("operate")),
    (Method::GET, "/backup", Role::Administrator, Some("backup")),
    (Method::GET, "/keys", Role::Operator, None),
    (Method::POST, "/keys", Role::Operator, None),
    (Method::DELETE, "/keys/77", Role::Operator, None),
    (Method::GET, "/users", Role::Administrator, None),
    (Method::POST, "/users", Role::Administrator, None),
    (Method::PATCH, "/users/nobody", Role::Administrator, None),
    (Method::DELETE, "/users/nobody", Role::Administrator, None),
];

#[tokio::test]
async fn each_address_asks_for_its_role() {
    let site = Site::with_people();
    for role in Role::ALL {
        let visitor = site.log_in(role).await;
        for (method, path, least, _) in ADDRESSES {
            let answer = site.ask(&visitor, method.clone(), path, Some(json!("rubbish"))).await;
            if role < *least {
                let told = answer.problem(403);
                assert!(told.contains(&format!("needs the role «{}»", least.as_str())), "{method} {path}: {told}");
            } else {
                assert!(![401, 403, 500, 503].contains(&answer.status.as_u16()), "{method} {path}: {}", answer.body);
            }
        }
    }
}

#[tokio::test]
async fn each_address_asks_a_key_for_its_scope() {
    let site = Site::with_people();
    let admin = site.log_in(Role::Administrator).await;
    for scope in ["watch", "alarms", "arbitrate", "operate", "backup"] {
        let key = json!({ "holder": scope, "opens": { "scopes": [scope] }, "hours": 1 });
        let made = site.post(&admin, "/keys", key).await.json();
        let program = Visitor::key(made["key"].as_str().unwrap());
        for (method, path, _, enough) in ADDRESSES {
            let answer = site.ask(&program, method.clone(), path, Some(json!("rubbish"))).await;
            let includes = *enough == Some(scope) || (*enough == Some("arbitrate") && scope == "operate");
            match enough {
                _ if includes => {
                    assert!(
                        ![401, 403, 500, 503].contains(&answer.status.as_u16()),
                        "{method} {path}: {}",
                        answer.body
                    );
                }
                Some(enough) => {
                    assert!(answer.problem(403).contains(&format!("the scope «{enough}»")), "{method} {path}");
                }
                None => assert!(answer.problem(403).contains("Keys cannot do this: log in"), "{method} {path}"),
            }
        }
    }
}

#[tokio::test]
async fn a_stranger_gets_nowhere() {
    let site = Site::with_people();
    let strangers = [
        Visitor::default(),
        Visitor::key(&"0".repeat(32)),
        Visitor::key("rubbish"),
        Visitor::default().with("authorization", "Basic YTpi"),
        Visitor::default().with("cookie", "boardcast-session=rubbish"),
        Visitor::default().with("cookie", &format!("boardcast-session={}", "0".repeat(32))).with("x-csrf-token", "x"),
    ];
    for stranger in strangers {
        for (method, path, ..) in ADDRESSES {
            let answer = site.ask(&stranger, method.clone(), path, Some(json!({}))).await;
            assert!([401, 403].contains(&answer.status.as_u16()), "{method} {path}: {}", answer.body);
            answer.problem(answer.status.as_u16());
        }
    }
}

#[tokio::test]
async fn a_request_that_another_site_forged_changes_nothing() {
    let site = Site::with_people();
    let admin = site.log_in(Role::Administrator).await;
    let forged = admin.without_token();
    assert_eq!(
        site.get(&forged, "/users").await.status,
        200,
        "reading needs no token: the answer stays with the browser"
    );
    let guessed = forged.clone().with("x-csrf-token", &"0".repeat(32));
    for visitor in [forged, guessed] {
        for (method, path, ..) in ADDRESSES.iter().filter(|(method, ..)| *method != Method::GET) {
            let told = site.ask(&visitor, method.clone(), path, Some(json!({}))).await.problem(403);
            assert!(told.contains("X-CSRF-Token"), "{method} {path}: {told}");
        }
    }
    let preflight = site.ask(&Visitor::default(), Method::OPTIONS, "/users", None).await;
    assert_eq!(preflight.status, 405);
    assert_eq!(preflight.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn rubbish_is_refused_with_a_sentence() {
    let site = Site::with_people();
    let admin = site.log_in(Role::Administrator).await;
    let takes_json = |method: &Method, path: &str| {
        *method != Method::GET
            && *method != Method::DELETE
            && !path.contains("pairings")
            && !path.contains("alarms")
            && !path.contains("record-reviewed")
    };
    for (method, path, ..) in ADDRESSES.iter().filter(|(method, path, ..)| takes_json(method, path)) {
        let send = async |kind, body: String| site.send(&admin, method.clone(), path, kind, body.into()).await;
        send(Some("application/json"), "{".into()).await.problem(400);
        let deep = send(Some("application/json"), "[".repeat(50_000)).await;
        assert!([400, 422].contains(&deep.status.as_u16()), "{method} {path}: {}", deep.body);
        send(Some("application/json"), r#"{"king":1}"#.into()).await.problem(422);
        send(Some("application/json"), format!("\"{}\"", "x".repeat(70_000))).await.problem(413);
        send(Some("text/plain"), "{}".into()).await.problem(415);
        send(None, "{}".into()).await.problem(415);
    }
    assert!(site.get(&admin, "/nowhere").await.problem(404).contains("/api/v1/openapi.json lists all"));
    let other = site.ask(&admin, Method::PUT, "/users", Some(json!({}))).await;
    other.problem(405);
    assert_eq!(other.header("allow"), "GET,HEAD,POST");
    site.ask(&admin, Method::DELETE, "/keys/king", None).await.problem(404);
    site.ask(&admin, Method::DELETE, "/keys/99999999999999999999", None).await.problem(404);
}

#[tokio::test]
async fn over_a_network_nothing_works_without_tls() {
    let mut site = Site::with_people();
    site.came_in = CameIn { loopback: false, tls: false };
    let visitor = Visitor::default().with("host", "192.168.1.5:8080");
    assert!(site.try_log_in(&visitor, "viewer", PASSWORD).await.problem(403).contains("it needs TLS"));
    site.get(&visitor, "/nowhere").await.problem(403);
}

#[tokio::test]
async fn over_a_network_the_pages_lead_to_https() {
    let folder = tempfile::tempdir().unwrap();
    let ask = async |https: Option<&str>, host: &str, path: &str| {
        let parts = Parts { https: https.map(|https| https.parse().unwrap()), ..parts(folder.path(), None) };
        let (router, _) = super::super::routes(&Admin::new(parts).into());
        let mut request = axum::http::Request::get(path).header("host", host).body(axum::body::Body::empty()).unwrap();
        request.extensions_mut().insert(CameIn { loopback: host == "localhost", tls: false });
        let answer = tower::ServiceExt::oneshot(router, request).await.unwrap();
        let to = answer.headers().get("location").map(|to| to.to_str().unwrap().to_owned());
        (answer.status().as_u16(), to)
    };
    let https = Some("192.168.1.5:8443");
    let to = |address: &str| (307, Some(address.to_owned()));
    assert_eq!(ask(https, "hall.local:8080", "/admin").await, to("https://hall.local:8443/admin"));
    assert_eq!(ask(https, "192.168.1.5:8080", "/admin/first").await, to("https://192.168.1.5:8443/admin/first"));
    assert_eq!(ask(https, "192.168.1.5:8080", "/api/v1/admin/session").await, (403, None));
    for (https, host) in [(https, "localhost"), (None, "192.168.1.5:8080")] {
        assert_ne!(ask(https, host, "/admin").await.0, 307, "{host}");
    }
}

#[tokio::test]
async fn behind_a_proxy_the_cookie_is_for_tls_only() {
    let mut site = Site::behind(Some("https://games.example.org"));
    site.came_in = CameIn { loopback: false, tls: false };
    let password = Password::choose(PASSWORD).unwrap().hash([1; SALT_BYTES]).unwrap();
    site.accounts.add_user(&name("Anna"), Role::Viewer, &password).unwrap();
    let outside = Visitor::default().with("host", "games.example.org").with("x-forwarded-for", "192.0.2.1");
    let answer = site.try_log_in(&outside, "Anna", PASSWORD).await;
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-boardcast-session=") && cookie.contains("; Secure"), "{cookie}");
    let anna = Visitor { headers: [outside.headers, browser(&answer).headers].concat() };
    assert_eq!(site.get(&anna, "/session").await.json()["name"], "Anna");
}
