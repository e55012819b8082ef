//! The description is that of the program, and it is valid.

use std::path::Path;

use serde_json::Value;

use crate::admin::tests::parts;
use crate::admin::{self, Admin};

/// The description of the whole web.
fn described() -> String {
    let folder = tempfile::tempdir().unwrap();
    let admin = Admin::new(parts(folder.path(), None));
    let mut document = public_web::description();
    super::introduce(&mut document);
    document.merge(admin::routes(&admin.into()).1);
    public_web::openapi::text(&document)
}

#[tokio::test]
async fn the_kept_description_is_the_one_that_is_served() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.json");
    let described = described();
    if std::env::var_os("BOARDCAST_RENEW").is_some() {
        std::fs::write(&path, &described).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == described,
        "docs/openapi.json is not what the program says of itself; renew it with\n\
         BOARDCAST_RENEW=1 cargo test -p boardcast the_kept_description"
    );
}

#[tokio::test]
async fn every_address_says_who_may_ask_and_how_it_refuses() {
    let document: Value = serde_json::from_str(&described()).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    for reference in references(&document) {
        let target = reference.strip_prefix('#').and_then(|pointer| document.pointer(pointer));
        assert!(target.is_some(), "{reference} leads nowhere");
    }
    let mut ids = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let place = format!("{method} {path}");
            ids.push(operation["operationId"].as_str().unwrap_or_else(|| panic!("{place} has no name")));
            assert!(operation["summary"].is_string(), "{place}");
            let tag = operation["tags"][0].as_str().unwrap();
            assert!(
                super::TAGS.iter().chain(&public_web::openapi::TAGS).any(|(known, _)| *known == tag),
                "{place}: {tag}"
            );
            let responses = operation["responses"].as_object().unwrap();
            if path.starts_with("/api/v1/admin/") {
                assert!(responses.contains_key("403"), "{place}");
                assert_eq!(operation["requestBody"].is_object(), responses.contains_key("413"), "{place}");
                assert!(!path.contains('{') || responses.contains_key("404"), "{place}");
                let open = ["log_in", "make_first"].contains(ids.last().unwrap());
                assert_eq!(operation["security"].is_array(), !open, "{place}");
            } else {
                assert!(operation["security"].is_null(), "{place} is public");
            }
        }
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "each operation has a name of its own");
}

/// Everything that the document refers to.
fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str);
            own.into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}
